"""Borderline answers: votes of the team are rows, and only members vote."""

from __future__ import annotations

import pytest

from quorate.collect.borderline import vote, votes
from quorate.collect.links import invite_member
from quorate.errors import CollectError
from raters import UnderWay

CASE = ("recognise", "idiom", "break ice", "brake ice")


def test_a_members_vote_is_kept_with_its_reason(running: UnderWay) -> None:
    running.store.do(lambda tx: invite_member(tx, "Ada"))
    running.store.do(lambda tx: vote(tx, "M1", *CASE, True, "a typo"))
    (kept,) = running.read(votes)
    assert (kept.member, kept.target, kept.canonical, kept.correct) == ("M1", "break ice", "brake ice", True)
    assert kept.reason == "a typo"
    assert kept.at


def test_a_second_vote_of_a_member_is_added_and_nothing_is_changed(running: UnderWay) -> None:
    running.store.do(lambda tx: invite_member(tx, "Ada"))
    for correct in (True, False):
        running.store.do(lambda tx, correct=correct: vote(tx, "M1", *CASE, correct))
    assert [kept.correct for kept in running.read(votes)] == [True, False]


@pytest.mark.parametrize("person", ["A1", "M9", "", "mllm"])
def test_nobody_votes_but_members_of_the_team(running: UnderWay, person: str) -> None:
    running.invite(1)
    running.store.do(lambda tx: invite_member(tx, "Ada"))
    with pytest.raises(CollectError, match="Only members of the team can vote"):
        running.store.do(lambda tx: vote(tx, person, *CASE, True))
    assert running.read(votes) == ()
