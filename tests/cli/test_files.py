"""Files go out and come back by command: export, import, and the check of a filled file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from own_files import annotated, copied, read_csv, read_jsonl, scored, write_csv, write_jsonl
from quorate.cli import app
from quorate.errors import StudyError, StudyFileError

CSV, JSONL = "accuracy_annotations_scored.csv", "annotation_results.jsonl"


def run(*arguments: object) -> tuple[int, str]:
    """A command's exit status and what it printed; an error for people is raised as it is."""
    done = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.stdout


def test_a_template_goes_out_is_filled_and_comes_back(tmp_path: Path) -> None:
    folder = copied("document-extraction", tmp_path / "study")
    run("export", folder, "--template")
    filled = folder / "template" / CSV
    write_csv(filled, [scored(row, 2) for row in read_csv(filled.read_text(encoding="utf-8"))])
    assert run("check", folder, "--file", filled)[0] == 0
    done = json.loads(run("import", folder, filled, "--rater", "R1", "--json")[1])
    assert done["stored"] == len(read_csv(filled.read_text(encoding="utf-8")))
    run("export", folder, "--rater", "R1")
    assert (folder / "export" / "R1" / CSV).read_bytes() == filled.read_bytes()


def test_a_template_that_somebody_began_to_fill_is_not_overwritten(tmp_path: Path) -> None:
    folder = copied("document-extraction", tmp_path / "study")
    run("export", folder, "--template")
    run("export", folder, "--template")
    filled = folder / "template" / CSV
    rows = read_csv(filled.read_text(encoding="utf-8"))
    write_csv(filled, [scored(rows[0], 2), *rows[1:]])
    before = filled.read_bytes()
    with pytest.raises(StudyError, match="is not overwritten"):
        run("export", folder, "--template")
    assert filled.read_bytes() == before


def test_a_file_with_something_wrong_fails_the_check_and_is_not_brought_in(tmp_path: Path) -> None:
    folder = copied("dialogue", tmp_path / "study")
    rows = read_jsonl((folder / "annotation_samples.jsonl").read_text(encoding="utf-8"))
    path = write_jsonl(tmp_path / JSONL, [annotated(rows[0], correctness=9)])
    status, printed = run("check", folder, "--file", path)
    assert status == 1
    assert f"{JSONL}:1: human_annotation.correctness: 9 cannot be taken." in printed
    with pytest.raises(StudyFileError):
        run("import", folder, path, "--rater", "R1")


def test_findings_of_consistency_do_not_fail_the_check(tmp_path: Path) -> None:
    folder = copied("dialogue", tmp_path / "study")
    rows = read_jsonl((folder / "annotation_samples.jsonl").read_text(encoding="utf-8"))
    path = write_jsonl(tmp_path / JSONL, [annotated(rows[0], overall_quality=1, comments="Odd.")])
    status, printed = run("check", folder, "--file", path, "--json")
    found = json.loads(printed)
    assert (status, found["ok"], len(found["notes"])) == (0, True, 1)


def test_advice_is_printed_and_does_not_fail_the_check(tmp_path: Path) -> None:
    folder = copied("media-preference", tmp_path / "study")
    text = (folder / "study.yaml").read_text(encoding="utf-8")
    (folder / "study.yaml").write_text(text.replace("  ties: denominator", "  # ties: denominator"), encoding="utf-8")
    status, printed = run("check", folder)
    assert status == 0
    line = next(n for n, words in enumerate(text.split("\n"), start=1) if words.strip() == "tie: true")
    assert f"study.yaml:{line}: sections[0].ask[0].winner.tie: " in printed
    advice = json.loads(run("check", folder, "--json")[1])["advice"]
    assert [(one["rule"], one["line"]) for one in advice] == [("ties-without-a-rule", line)]


def test_a_column_that_names_no_question_is_a_complaint(tmp_path: Path) -> None:
    folder = copied("document-extraction", tmp_path / "study")
    text = (folder / "study.yaml").read_text(encoding="utf-8")
    (folder / "study.yaml").write_text(
        text.replace("\n      vlm_score: vlm_score", "\n      vlm_score: vlm_scroe"), encoding="utf-8"
    )
    with pytest.raises(StudyFileError, match=r"no section asks 'vlm_scroe'\. Did you mean 'vlm_score'"):
        run("check", folder)
