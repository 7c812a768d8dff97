"""A study as one object: what reads, only reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from quorate.collect.rehearsal import rehearse
from quorate.errors import StudyError
from quorate.study import DATABASE, Study


def by_judges(study: Study) -> int:
    return sum(answer.by == "judge" for answer in study.collected().answers)


@pytest.fixture
def folder(study_folder: Path) -> Path:
    """A study with answers of raters; its judge has not been asked."""
    with Study(study_folder) as study:
        study.prepare()
        rehearse(study.store, study.protocol, seed=1, accuracy=0.65)
    return study_folder


def test_what_has_come_in_is_read_and_no_judge_is_asked(folder: Path) -> None:
    before = (folder / DATABASE).read_bytes()
    with Study(folder) as study:
        assert by_judges(study) == 0
        assert study.results().findings
    assert (folder / DATABASE).read_bytes() == before


def test_judges_answer_when_they_are_asked_to_and_only_once(folder: Path) -> None:
    with Study(folder) as study:
        asked = study.judge()
        assert asked == len(study.collected().items)
        assert by_judges(study) >= asked
        assert study.judge() == 0


def test_a_rehearsal_holds_what_judges_say(folder: Path) -> None:
    (folder / DATABASE).unlink()
    with Study(folder) as study:
        study.rehearse()
        assert by_judges(study) > 0


def test_a_study_in_which_nothing_has_come_in_says_so_and_stays_as_it_is(folder: Path) -> None:
    (folder / DATABASE).unlink()
    before = sorted(folder.rglob("*"))
    with Study(folder) as study, pytest.raises(StudyError, match="Nothing has come in yet"):
        study.collected()
    assert sorted(folder.rglob("*")) == before
