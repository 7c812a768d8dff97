"""A bundle is checked without its study, and what was changed in it is found."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from quorate.chance import opaque
from quorate.cli import app
from quorate.collect import way
from quorate.collect.way import Step
from quorate.errors import StudyError
from quorate.exhibits import tables
from quorate.inquiries import accuracy
from quorate.inquiries.accuracy import individual
from quorate.store import Store
from quorate.study import REHEARSAL, Study
from quorate.verify.bundle import verify_bundle
from raters import under_way
from studies import visual_puns

TEMPLATES = Path(__file__).parents[2] / "src/quorate/templates"
Change = Callable[[dict[str, bytes]], Any]


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Path]:
    """The bundle of a rehearsed template, whose folder is gone."""
    made: dict[tuple[str, str], Path] = {}

    def of(template: str = "visual-puns", media: str = "include") -> Path:
        if (template, media) not in made:
            folder = tmp_path_factory.mktemp("bundled")
            shutil.copytree(TEMPLATES / template, folder / "study")
            study = Study(folder / "study")
            study.rehearse(seed=1)
            made[template, media] = study.bundle(folder / "study.zip", media)
            study.close()
            shutil.rmtree(folder / "study")
        return made[template, media]

    return of


def changed(path: Path, to: Path, change: Change, mend: bool) -> Path:
    """A copy with a change in its files; `mend` makes the manifest fit, as somebody would who means it."""
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    change(files)
    if mend:
        manifest = json.loads(files["manifest.json"])
        manifest["files"] = {
            name: {"sha256": sha256(content).hexdigest(), "bytes": len(content)}
            for name, content in files.items()
            if name != "manifest.json"
        }
        files["manifest.json"] = json.dumps(manifest).encode()
    with zipfile.ZipFile(to, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return to


def kinds(path: Path) -> set[str]:
    return {finding.kind for finding in verify_bundle(path).findings}


def edit(name: str, old: str, new: str) -> Change:
    def change(files: dict[str, bytes]) -> None:
        assert old.encode() in files[name]
        files[name] = files[name].replace(old.encode(), new.encode(), 1)

    return change


@pytest.mark.parametrize("template", ["visual-puns", "media-preference", "document-extraction"])
@pytest.mark.parametrize("media", ["include", "hashes"])
def test_a_bundle_is_verified_without_its_study(bundle: Callable[..., Path], template: str, media: str) -> None:
    found = verify_bundle(bundle(template, media))
    assert found.ok, str(found)
    assert found.simulated
    assert found.looked_at["numbers"] > 200
    assert found.looked_at["answers"] > 50
    assert bool(found.notes) == (media == "hashes")


def test_a_study_whose_raters_withdrew_or_were_excluded_is_verified(tmp_path: Path) -> None:
    study = Study(visual_puns(tmp_path / "study"))
    study.rehearse(seed=1)
    with Store.open(tmp_path / "study" / REHEARSAL) as store:
        store.do(lambda tx: way.withdraw(tx, study.protocol, "A1", erase=True))
        store.do(lambda tx: way.exclude(tx, study.protocol, "A2", "too fast"))
    path = study.bundle(tmp_path / "study.zip")
    study.close()
    found = verify_bundle(path)
    assert found.ok, str(found)
    with zipfile.ZipFile(path) as archive:
        rows = [json.loads(line) for line in archive.read("rows/answers.jsonl").splitlines()]
    assert {row["value"] for row in rows if row["rater"] == "A1"} == {None}


def test_a_changed_file_is_found(bundle: Callable[..., Path], tmp_path: Path) -> None:
    path = changed(bundle(), tmp_path / "x.zip", edit("README.md", "bundle", "bungle"), mend=False)
    found = verify_bundle(path)
    assert [(finding.kind, finding.where) for finding in found.findings] == [("files", "README.md")]


def test_a_file_too_many_and_a_file_too_few_are_found(bundle: Callable[..., Path], tmp_path: Path) -> None:
    def swap(files: dict[str, bytes]) -> None:
        files["more.txt"] = files.pop("codebook.md")

    found = verify_bundle(changed(bundle(), tmp_path / "x.zip", swap, mend=False))
    assert {finding.where for finding in found.findings} == {"more.txt", "codebook.md"}


def results_with(change: Callable[[dict[str, Any]], None]) -> Change:
    def of(files: dict[str, bytes]) -> None:
        results = json.loads(files["report/results.json"])
        change(results)
        files["report/results.json"] = json.dumps(results, ensure_ascii=False, indent=2).encode()

    return of


def test_a_changed_number_is_found_by_name_though_the_manifest_fits(
    bundle: Callable[..., Path], tmp_path: Path
) -> None:
    def change(results: dict[str, Any]) -> None:
        finding = next(one for one in results["estimates"] if one["id"] == name)
        finding["value"] += 1e-6

    with zipfile.ZipFile(bundle()) as archive:
        name = json.loads(archive.read("report/results.json"))["estimates"][0]["id"]
    found = verify_bundle(changed(bundle(), tmp_path / "x.zip", results_with(change), mend=True))
    assert [(finding.kind, finding.where) for finding in found.findings] == [("numbers", f"estimates[{name}].value")]


def test_a_fault_of_the_analysis_is_found_and_not_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def told_too_high(case: Any) -> Any:
        found = individual(case)
        return replace(found, estimate=replace(found.estimate, value=(found.estimate.value or 0) + 0.01))

    shutil.copytree(TEMPLATES / "visual-puns", tmp_path / "study")
    study = Study(tmp_path / "study")
    study.rehearse(seed=1)
    monkeypatch.setattr(accuracy, "individual", told_too_high)
    found = verify_bundle(study.bundle(tmp_path / "x.zip"))
    study.close()
    assert [(one.kind, one.where) for one in found.findings] == [("numbers", "recognise.idiom.individual_accuracy")]


def test_a_fault_of_the_page_is_found_and_not_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def of_another(results: Any, finding: Any) -> Any:
        name, value, *rest = cells(results, finding)
        return name, replace(value, text="12.3%"), *rest

    cells = tables.cells
    shutil.copytree(TEMPLATES / "visual-puns", tmp_path / "study")
    study = Study(tmp_path / "study")
    study.rehearse(seed=1)
    monkeypatch.setattr(tables, "cells", of_another)
    found = verify_bundle(study.bundle(tmp_path / "x.zip"))
    study.close()
    assert "report.html: recognise.idiom.individual_accuracy" in [one.where for one in found.findings]


def test_a_difference_in_the_last_digit_is_none(bundle: Callable[..., Path], tmp_path: Path) -> None:
    def change(results: dict[str, Any]) -> None:
        results["estimates"][0]["value"] *= 1 + 1e-13

    assert verify_bundle(changed(bundle(), tmp_path / "x.zip", results_with(change), mend=True)).ok


def test_an_estimate_that_was_taken_out_is_found(bundle: Callable[..., Path], tmp_path: Path) -> None:
    path = changed(bundle(), tmp_path / "x.zip", results_with(lambda r: r["estimates"].pop(0)), mend=True)
    assert kinds(path) == {"numbers"}


def test_a_changed_answer_is_found_by_chain_value_and_number(bundle: Callable[..., Path], tmp_path: Path) -> None:
    def change(files: dict[str, bytes]) -> None:
        rows = [json.loads(line) for line in files["rows/answers.jsonl"].splitlines()]
        right = next(row for row in rows if row["by"] == "rater" and row["value"] != "unrecognizable")
        right["value"] = "something else"
        files["rows/answers.jsonl"] = b"".join(json.dumps(row).encode() + b"\n" for row in rows)

    assert {"chain", "values", "numbers"} <= kinds(changed(bundle(), tmp_path / "x.zip", change, mend=True))


def test_a_row_that_was_taken_out_is_found(bundle: Callable[..., Path], tmp_path: Path) -> None:
    def change(files: dict[str, bytes]) -> None:
        files["rows/answers.jsonl"] = files["rows/answers.jsonl"].split(b"\n", 1)[1]

    assert {"chain", "numbers"} <= kinds(changed(bundle(), tmp_path / "x.zip", change, mend=True))


def test_a_number_changed_in_the_printed_report_is_found(bundle: Callable[..., Path], tmp_path: Path) -> None:
    path = changed(bundle(), tmp_path / "x.zip", edit("report/report.md", "0.", "9."), mend=True)
    found = verify_bundle(path)
    assert [(finding.kind, finding.where) for finding in found.findings] == [("numbers", "report.md")]


def test_a_changed_study_file_is_found(bundle: Callable[..., Path], tmp_path: Path) -> None:
    path = changed(bundle(), tmp_path / "x.zip", edit("protocol/study.yaml", "seed: 42", "seed: 43"), mend=True)
    assert "protocol" in kinds(path)


def test_other_sides_than_those_drawn_are_found(bundle: Callable[..., Path], tmp_path: Path) -> None:
    def change(files: dict[str, bytes]) -> None:
        rows = [json.loads(line) for line in files["rows/assignments.jsonl"].splitlines()]
        sides = rows[0]["shown"]["sides"]
        rows[0]["shown"]["sides"] = {"left": sides["right"], "right": sides["left"]}
        files["rows/assignments.jsonl"] = b"".join(json.dumps(row).encode() + b"\n" for row in rows)

    assert "sides" in kinds(changed(bundle("media-preference"), tmp_path / "x.zip", change, mend=True))


@pytest.mark.parametrize(
    "name", ["rows/answers.jsonl", "rows/found.json", "protocol/study.yaml", "report/results.json", "rows/items.jsonl"]
)
def test_rubbish_in_a_file_is_a_finding_and_no_crash(bundle: Callable[..., Path], tmp_path: Path, name: str) -> None:
    def change(files: dict[str, bytes]) -> None:
        files[name] = b'{"\xff not json'

    assert kinds(changed(bundle(), tmp_path / "x.zip", change, mend=True))


def test_bytes_that_changed_on_the_way_are_found(bundle: Callable[..., Path], tmp_path: Path) -> None:
    content = bytearray(bundle().read_bytes())
    at = content.index(b"protocol/images/") + 200  # inside a picture, which is stored as it is
    content[at] ^= 0xFF
    (tmp_path / "x.zip").write_bytes(content)
    assert "files" in kinds(tmp_path / "x.zip")


def test_a_name_that_points_outside_writes_nothing_there(bundle: Callable[..., Path], tmp_path: Path) -> None:
    def change(files: dict[str, bytes]) -> None:
        files["protocol/../../../escaped.txt"] = b"x"

    found = verify_bundle(changed(bundle(), tmp_path / "x.zip", change, mend=True))
    assert "points outside" in str(found)


@pytest.mark.parametrize("content", [b"", b"no zip at all", b"PK\x05\x06" + bytes(18)])
def test_what_is_no_bundle_is_a_sentence(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.zip").write_bytes(content)
    with pytest.raises(StudyError, match=r"x\.zip: this"):
        verify_bundle(tmp_path / "x.zip")


def test_the_command_takes_a_bundle_and_says_with_its_status_what_it_found(
    bundle: Callable[..., Path], tmp_path: Path
) -> None:
    done = CliRunner().invoke(app, ["verify", str(bundle())])
    assert done.exit_code == 0, done.output
    assert "Nothing is wrong" in done.stdout
    wrong = changed(bundle(), tmp_path / "x.zip", results_with(lambda r: r["estimates"].pop()), mend=True)
    done = CliRunner().invoke(app, ["verify", str(wrong), "--json"])
    assert done.exit_code == 1
    assert json.loads(done.stdout)["findings"][0]["kind"] == "numbers"


def test_whatever_was_tampered_with_ends_in_a_sentence_within_bounds(tmp_path: Path) -> None:
    study = Study(visual_puns(tmp_path / "study"))
    study.rehearse(seed=1)
    path = study.bundle(tmp_path / "study.zip")
    study.close()
    hostile = Path(__file__).with_name("hostile.py")
    done = subprocess.run([sys.executable, str(hostile), str(path), "70"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    assert {file.name for file in tmp_path.iterdir()} == {"study", "study.zip", "tampered.zip"}


def rewritten(table: str, change: Callable[[list[Any]], object]) -> Change:
    """Rows of a table, changed as somebody would who means it."""

    def edited(files: dict[str, bytes]) -> None:
        rows = [json.loads(line) for line in files[f"rows/{table}.jsonl"].splitlines()]
        change(rows)
        files[f"rows/{table}.jsonl"] = b"".join(json.dumps(row).encode() + b"\n" for row in rows)

    return edited


def swap_sides(rows: list[Any]) -> None:
    rows[0]["evidence"]["media"].reverse()


def move_on(rows: list[Any]) -> None:
    rows[0]["evidence"]["position"] += 1


def leave_out(rows: list[Any]) -> None:
    rows[0]["evidence"] = None


def play_less(rows: list[Any]) -> None:
    rows[0]["evidence"]["media"][0]["full_plays"] = 0


@pytest.mark.parametrize(
    ("change", "kind"),
    [(swap_sides, "sides"), (move_on, "presented"), (leave_out, "evidence"), (play_less, "numbers")],
)
def test_a_browsers_report_that_was_changed_in_a_bundle_is_found(
    bundle: Callable[..., Path], tmp_path: Path, change: Callable[[list[Any]], None], kind: str
) -> None:
    path = changed(bundle("media-preference"), tmp_path / "x.zip", rewritten("submissions", change), mend=True)
    found = verify_bundle(path)
    assert found.of(kind), str(found)
    if kind != "numbers":
        assert found.of(kind)[0].where.startswith("submission ")


def test_options_that_were_shuffled_in_a_bundle_are_found(bundle: Callable[..., Path], tmp_path: Path) -> None:
    def shuffle(rows: list[Any]) -> None:
        next(row for row in rows if row["evidence"]["options"])["evidence"]["options"]["concept"].reverse()

    path = changed(bundle("abstract-visual"), tmp_path / "x.zip", rewritten("submissions", shuffle), mend=True)
    assert "for concept the page showed" in verify_bundle(path).of("options")[0].what


def test_the_item_that_a_page_named_is_checked_in_a_bundle_too(tmp_path: Path) -> None:
    """Pages name items by the study's secret, which stays at home: in a bundle names follow from a published word."""
    with under_way(visual_puns(tmp_path / "study")) as running:
        running.open()
        (rater,) = running.invite()
        running.go_to(rater, Step.WORK)
        secret = running.read(lambda tx: tx.setting("secret"))
        mine = running.work(rater).place.assignment
        for name, ok in ((mine.item, True), (running.work(rater).cells[1].item, False)):
            seen = {"visible_seconds": 4.5, "item": opaque(secret, "item", name)}
            revision = 0 if ok else 1
            sent = running.submission(rater, "a guess", assignment=mine.id, revision=revision, evidence=seen)
            running.submit(rater, sent)
            path = running.study.bundle(tmp_path / f"{revision}.zip")
            assert verify_bundle(path).ok is ok
            assert secret.encode() not in path.read_bytes()
        assert f"and {mine.item} is drawn." in verify_bundle(path).of("presented")[0].what
