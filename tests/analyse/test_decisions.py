from __future__ import annotations

from dataclasses import replace

import pytest

from analyse.collecting import answer, finished, votes, written
from quorate.analyse import borderline, decide
from quorate.protocol import Protocol
from quorate.records import Collected, Vote


@pytest.mark.parametrize(
    ("ballots", "correct"),
    [
        ((True, True, False), True),
        ((False, False, True), False),
        ((True, True), None),
        ((True, False, True, False), None),
        ((), None),
    ],
)
def test_three_voters_and_a_strict_majority_decide(ballots: tuple[bool, ...], correct: bool | None) -> None:
    found = decide(votes("spill beans", "spill bean", *ballots))
    assert [decision.correct for decision in found] == ([] if correct is None else [correct])


def test_a_members_newest_vote_counts_and_counts_once() -> None:
    cast = list(votes("t", "c", True, True, False))
    # By the order in which they came: the clock may have been set back in between.
    changed = replace(cast[1], correct=False, at="2020-03-02T00:00:00")
    assert decide([*cast, changed])[0].correct is False
    again = [replace(cast[0], at=f"2026-03-0{day}") for day in (1, 2, 3)]
    assert decide(again) == ()


def test_votes_on_another_question_decide_nothing_here() -> None:
    cast = [Vote(f"m{n}", "recognise", "other", "t", "c", True) for n in range(3)]
    assert decide(cast, "recognise", "idiom") == ()
    assert len(decide(cast, "recognise", "other")) == 1


def near_miss(protocol: Protocol, *raters: str) -> tuple[Collected, str]:
    """A target with a letter wrong, as these raters and the judge typed it."""
    base = written(protocol, {})
    item = base.items[0]
    typed = str(item["target_idiom"]).replace("meets", "meet")
    rows = [answer(protocol, item, rater, typed, number) for number, rater in enumerate(raters, 1)]
    rows.append(answer(protocol, item, "mllm", typed.upper(), 9, "judge"))
    return replace(base, answers=tuple(rows), participants=tuple(map(finished, raters))), typed


def test_the_same_near_miss_of_raters_and_judges_is_one_case(protocol: Protocol) -> None:
    collected, typed = near_miss(protocol, "A1", "A2")
    (case,) = borderline(protocol, collected)
    assert case.example == typed
    assert case.is_open
    assert (case.votes_for, case.votes_against) == (0, 0)
    voted = replace(collected, votes=votes(case.target, case.canonical, True, True, False))
    (decided,) = borderline(protocol, voted)
    assert (decided.correct, decided.votes_for, decided.votes_against) == (True, 2, 1)


def test_right_and_far_answers_and_those_who_withdrew_are_not_borderline(protocol: Protocol) -> None:
    assert borderline(protocol, written(protocol, {"A1": "+-?+-?+-"}, judge="+-+-+-+-")) == ()
    collected, _ = near_miss(protocol, "A1")
    people_only = tuple(row for row in collected.answers if row.by == "rater")
    gone = replace(collected, answers=people_only, participants=(finished("A1", "withdrawn"),))
    assert borderline(protocol, gone) == ()
