"""`quorate verify` and `quorate audit`: a readable list, JSON for programs, and an exit status."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from quorate.collect.way import Step
from quorate.study import DATABASE, REHEARSAL, Study
from raters import under_way
from studies import visual_puns

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def rehearsed_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = visual_puns(tmp_path_factory.mktemp("once") / "study")
    Study(folder).rehearse()
    return folder


@pytest.fixture
def rehearsed(rehearsed_once: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(rehearsed_once, tmp_path / "study"))


def spoil(path: Path) -> None:
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("""UPDATE answers SET value = '"another"' WHERE seq = 5""")
    connection.close()


def test_verify_says_that_nothing_is_wrong(run: Run, rehearsed: Path) -> None:
    status, out, _ = run("verify", rehearsed)
    assert status == 0
    assert out.startswith("Nothing is wrong with a rehearsal. Looked at: 8 items")


def test_verify_lists_what_is_wrong_and_exits_with_1(run: Run, rehearsed: Path) -> None:
    spoil(rehearsed / REHEARSAL)
    status, out, _ = run("verify", rehearsed)
    assert status == 1
    assert "answer 5 (" in out
    status, out, _ = run("verify", rehearsed, "--json")
    assert status == 1
    assert {finding["kind"] for finding in json.loads(out)["findings"]} == {"chain", "values"}


def test_verify_looks_at_real_answers_where_there_are_any(run: Run, rehearsed: Path) -> None:
    spoil(rehearsed / REHEARSAL)
    with under_way(rehearsed) as running:
        running.open()
        running.go_to(running.invite()[0], Step.WORK)
    status, out, _ = run("verify", rehearsed)
    assert (status, out.split(".")[0]) == (0, "Nothing is wrong with the study")


def test_verify_before_anything_happened_says_what_to_do_and_makes_nothing(run: Run, study_folder: Path) -> None:
    status, _, err = run("verify", study_folder)
    assert status == 1
    assert "quorate rehearse" in err
    assert not (study_folder / DATABASE).exists()


def test_audit_says_that_nothing_leaked(run: Run, study_folder: Path) -> None:
    status, out, _ = run("audit", study_folder, "--items", 1)
    assert status == 0
    assert out.startswith("No blind value leaked")


def test_audit_lists_leaks_and_exits_with_1(run: Run, study_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quorate.media.image.without_metadata", lambda content: content)
    status, out, _ = run("audit", study_folder, "--items", 1, "--json")
    found = json.loads(out)
    assert status == 1
    assert found["ok"] is False
    assert found["leaks"][0]["what"].startswith("a tag of the file")


def test_a_simulated_judge_is_a_complaint_once_people_have_answered(run: Run, tmp_path: Path) -> None:
    folder = visual_puns(tmp_path / "study")
    path = folder / "study.yaml"
    path.write_text(path.read_text().replace("mllm: {recorded: mllm_response}", "mllm: {simulated: {seed: 1}}"))
    Study(folder).rehearse()
    assert run("check", folder)[0] == 0
    assert "MLLM is simulated" not in run("analyse", folder)[1]
    with under_way(folder) as running:
        running.open()
        rater = running.invite()[0]
        running.go_to(rater, Step.WORK)
    status, out, error = run("check", folder)
    assert status == 1
    assert "study.yaml:" in out + error
    assert "judge 'mllm' is simulated" in out + error
    assert json.loads(run("check", folder, "--json")[1])["ok"] is False
    assert "MLLM is simulated: its answers are drawn by chance" in run("analyse", folder)[1]
