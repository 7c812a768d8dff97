"""Borderline answers: near misses that the team decides by majority. A vote is a row; nothing is edited."""

from __future__ import annotations

from quorate.errors import CollectError
from quorate.records import Vote
from quorate.store import Tx


def votes(tx: Tx) -> tuple[Vote, ...]:
    """Every vote, in the order in which they came."""
    return tuple(
        Vote(row.member, row.section, row.question, row.target, row.canonical, bool(row.vote), row.reason, row.at)
        for row in tx.decisions()
    )


def vote(
    tx: Tx, member: str, section: str, question: str, target: str, canonical: str, correct: bool, reason: str = ""
) -> None:
    """Records one member's vote; the newest of a member counts."""
    if member not in {known.id for known in tx.members()}:
        raise CollectError("Only members of the team can vote.")
    tx.add_decision(
        member=member, section=section, question=question, target=target, canonical=canonical, vote=correct,
        reason=reason,
    )  # fmt: skip
