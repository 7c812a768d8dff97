"""The practice round: items of its own, the right answers after it, and nothing of it among the answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from quorate.collect.forms import FormError
from quorate.collect.practice import practice_answer, practice_done, practice_round
from quorate.collect.way import Step
from quorate.errors import StaleError
from raters import UnderWay, under_way


@pytest.fixture
def rater(running: UnderWay) -> str:
    (invited,) = running.invite()
    running.go_to(invited, Step.PRACTICE)
    return invited


def answer(running: UnderWay, rater: str, position: int, typed: str) -> Step:
    return running.do(practice_answer, rater, position, {"idiom": [typed]}).step


def test_as_many_items_are_practised_as_the_study_says(running: UnderWay, rater: str) -> None:
    assert running.where(rater).total == 2
    assert answer(running, rater, 1, "practice idiom 0") is Step.PRACTICE
    assert running.where(rater).position == 2
    assert answer(running, rater, 2, "something else") is Step.FEEDBACK


def test_the_right_answers_are_shown_beside_what_was_answered(running: UnderWay, rater: str) -> None:
    answer(running, rater, 1, "Practice idiom 0!")
    answer(running, rater, 2, "something else")
    rows = running.do(practice_round, rater)
    assert [(row.right, row.correct, row.explanation) for row in rows] == [
        ("practice idiom 0", True, "because 0"),
        ("practice idiom 1", False, "because 1"),
    ]
    assert rows[1].raw == "something else"


def test_nothing_is_revealed_before_an_item_is_answered(running: UnderWay, rater: str) -> None:
    assert running.do(practice_round, rater) == []
    answer(running, rater, 1, "a guess")
    assert [row.item.id for row in running.do(practice_round, rater)] == ["p0"]


def test_the_first_answer_counts_and_a_second_send_changes_nothing(running: UnderWay, rater: str) -> None:
    answer(running, rater, 1, "first")
    assert answer(running, rater, 1, "second") is Step.PRACTICE
    answer(running, rater, 2, "x y")
    assert running.do(practice_round, rater)[0].raw == "first"


def test_an_item_cannot_be_jumped_over(running: UnderWay, rater: str) -> None:
    with pytest.raises(StaleError):
        answer(running, rater, 2, "a guess")


def test_an_empty_practice_answer_is_refused(running: UnderWay, rater: str) -> None:
    with pytest.raises(FormError, match="Please type an answer"):
        answer(running, rater, 1, " ")
    assert running.where(rater).position == 1


def test_the_work_begins_when_the_right_answers_were_seen(running: UnderWay, rater: str) -> None:
    running.go_to(rater, Step.FEEDBACK)
    assert running.do(practice_done, rater).step is Step.WORK
    assert running.do(practice_done, rater).step is Step.WORK
    assert len(running.read(lambda tx: tx.events(rater=rater, kinds=["practiced"]))) == 1


def test_practice_cannot_be_declared_done_before_it_is(running: UnderWay, rater: str) -> None:
    assert running.do(practice_done, rater).step is Step.PRACTICE


def test_practice_answers_are_not_among_the_answers(running: UnderWay, rater: str) -> None:
    running.go_to(rater, Step.WORK)
    assert running.answers() == ()


def test_a_practice_item_left_open_where_that_is_allowed_has_no_feedback(study_folder: Path) -> None:
    path = study_folder / "study.yaml"
    path.write_text(path.read_text().replace("target: target_idiom", "target: target_idiom\n          required: false"))
    with under_way(study_folder) as running:
        running.open()
        (rater,) = running.invite()
        running.go_to(rater, Step.PRACTICE)
        answer(running, rater, 1, "")
        answer(running, rater, 2, "practice idiom 1")
        assert [row.item.id for row in running.do(practice_round, rater)] == ["p1"]
