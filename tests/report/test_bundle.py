"""One file holds the whole study, the same bytes each time, and nothing that points to people."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from quorate.collect import way
from quorate.collect.freeze import amend
from quorate.collect.links import invite
from quorate.errors import StudyError
from quorate.protocol import load
from quorate.report.bundle import write_bundle
from quorate.report.codebook import TABLES, meaning
from quorate.store.published import PUBLISHED
from quorate.study import Study
from studies import visual_puns

PROLIFIC = "5f0c9d1e2b3a4c5d6e7f8091"


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    made = Study(visual_puns(tmp_path_factory.mktemp("bundle") / "study"))
    made.rehearse(seed=1)
    return made


def names_in(path: Path) -> set[str]:
    with zipfile.ZipFile(path) as archive:
        return set(archive.namelist())


def read(path: Path, name: str) -> bytes:
    with zipfile.ZipFile(path) as archive:
        return archive.read(name)


def test_the_same_study_gives_the_same_bytes(study: Study, tmp_path: Path) -> None:
    first, second = (study.bundle(tmp_path / name).read_bytes() for name in ("one.zip", "two.zip"))
    assert first == second


def test_it_holds_protocol_rows_report_codebook_and_media(study: Study, tmp_path: Path) -> None:
    names = names_in(study.bundle(tmp_path / "study.zip"))
    wanted = {
        *("README.md", "codebook.md", "manifest.json", "protocol/study.yaml", "protocol/idioms.csv"),
        *("protocol/idiom_variants.json", "protocol/consent.md", "rows/answers.jsonl", "rows/calls.jsonl"),
        *("rows/events.jsonl", "rows/decisions.jsonl", "rows/protocols.jsonl", "rows/presentations.jsonl"),
        *("report/results.json", "report/report.html", "report/report.md", "report/annotations_raw.csv"),
    }
    assert wanted <= names
    shown = {f"protocol/{item['image']}" for item in study.collected().items}
    assert shown <= names


def test_the_manifest_has_the_hash_of_every_other_file(study: Study, tmp_path: Path) -> None:
    path = study.bundle(tmp_path / "study.zip")
    manifest = json.loads(read(path, "manifest.json"))
    assert manifest["files"].keys() == names_in(path) - {"manifest.json"}
    for name, known in manifest["files"].items():
        assert sha256(read(path, name)).hexdigest() == known["sha256"]
    assert {"python", "numpy", "quorate"} <= manifest["versions"].keys()


def test_media_may_stay_at_home_and_leave_their_hashes(study: Study, tmp_path: Path) -> None:
    path = study.bundle(tmp_path / "study.zip", media="hashes")
    assert not any(name.startswith("protocol/images") for name in names_in(path))
    known = json.loads(read(path, "manifest.json"))["media"]["files"]
    item = study.collected().items[0]
    assert known[item["image"]]["sha256"] == sha256((study.folder / item["image"]).read_bytes()).hexdigest()


def test_another_word_for_media_is_refused(study: Study, tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="Did you mean 'hashes'"):
        study.bundle(tmp_path / "study.zip", media="hashs")
    assert not list(tmp_path.iterdir())


def test_every_answer_of_the_store_is_there_with_its_history(study: Study, tmp_path: Path) -> None:
    lines = read(study.bundle(tmp_path / "study.zip"), "rows/answers.jsonl").splitlines()
    people = [row for row in map(json.loads, lines) if row["by"] == "rater"]
    assert len(people) == 24
    assert {row["rater"] for row in people} == {"A1", "A2", "A3"}


@pytest.fixture
def real(tmp_path: Path) -> Callable[..., Path]:
    """The bundle of a study that somebody came to from a platform, and in which the team has a member."""

    def made(settings: str = "") -> Path:
        folder = visual_puns(tmp_path / "study")
        with (folder / "study.yaml").open("a") as file:
            file.write(settings)
        study = Study(folder)
        study.prepare()

        def come(tx):  # type: ignore[no-untyped-def]
            rater = invite(tx, study.protocol, 1)[0].person
            tx.connection.execute("INSERT INTO platform_ids VALUES ('prolific', ?, ?)", (PROLIFIC, rater))
            tx.add_member("Ada Lovelace")
            way.open_study(tx)
            way.consent(tx, study.protocol, rater, agree=True)
            tx.add_event("debrief", rater, {"remarks": "I am Grace Hopper"})

        study.store.do(come)
        path = study.bundle(tmp_path / "study.zip")
        study.close()
        return path

    return made


def test_nothing_in_it_points_to_people(real: Callable[..., Path], tmp_path: Path) -> None:
    path = real()
    study = Study(tmp_path / "study")
    secret = study.secret
    study.close()
    with zipfile.ZipFile(path) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    for hidden in (PROLIFIC, "Lovelace", "Hopper", secret):
        assert [name for name, bytes_ in content.items() if hidden.encode() in bytes_] == []
    assert not any("platform" in name or "link" in name for name in content)


def test_where_the_study_runs_is_left_out_and_the_hash_stays(real: Callable[..., Path], tmp_path: Path) -> None:
    path = real(f"settings:\n  database: {tmp_path / 'hunter2.sqlite'}\n  # and not hunter2-old.sqlite\n")
    with zipfile.ZipFile(path) as archive:
        assert not any(b"hunter2" in archive.read(name) for name in archive.namelist())
        archive.extract("protocol/study.yaml", tmp_path / "out")
    manifest = json.loads(read(path, "manifest.json"))
    assert manifest["protocol"]["collection_hash"] == load(tmp_path / "study").collection_hash
    own = (tmp_path / "study/study.yaml").read_text()
    assert (tmp_path / "out/protocol/study.yaml").read_text() == own[: own.index("settings:")]


def test_amendments_are_there_with_their_reasons(real: Callable[..., Path], tmp_path: Path) -> None:
    real()
    file = tmp_path / "study" / "study.yaml"
    file.write_text(file.read_text().replace("title: Visual pun", "title: The visual pun"))
    study = Study(tmp_path / "study")
    study.store.do(lambda tx: amend(tx, study.protocol, "A better title"))
    study.prepare()
    path = write_bundle(study.protocol, study.store, tmp_path / "amended.zip")
    study.close()
    rows = [json.loads(line) for line in read(path, "rows/protocols.jsonl").splitlines()]
    assert [row["reason"] for row in rows] == ["first consent", "A better title"]


def test_every_published_column_has_a_meaning_in_the_codebook(study: Study, tmp_path: Path) -> None:
    text = read(study.bundle(tmp_path / "study.zip"), "codebook.md").decode()
    for table in PUBLISHED:
        assert TABLES[table.name] in text
        for column in table.columns:
            assert meaning(table.name, column.name).replace("|", "\\|") in text
    assert "Which English idiom does this image represent?" in text
