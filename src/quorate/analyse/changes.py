"""What the team's decisions on borderline answers changed: which rows, and which figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from quorate.findings.results import Changes, Finding, Flip
from quorate.inquiries.error_analysis import given
from quorate.sheets.sheet import Sheet


def changes(sheets: Sequence[Sheet], before: Sequence[Finding], after: Sequence[Finding]) -> Changes:
    """The rows that decisions made right, and every figure that moved."""
    earlier = {finding.id: finding for finding in before}
    moved = [
        (earlier[finding.id], finding)
        for finding in after
        if finding.id in earlier and finding.estimate.value != earlier[finding.id].estimate.value
    ]
    return Changes(tuple(_flips(sheets)), tuple(moved))


def _flips(sheets: Sequence[Sheet]) -> Iterator[Flip]:
    for decided in sheets:
        if not decided.question.is_scored():
            continue
        undecided = replace(decided, votes=())
        for part in ("people", "machines"):
            flipped = decided.right(part) & ~undecided.right(part)
            for answer, place in zip(
                getattr(decided, part).answers[flipped], getattr(decided, part).item[flipped], strict=True
            ):
                target = decided.question.right_answer(decided.items[place])
                yield Flip(decided.section, decided.id, answer.item, given(decided, answer), target)
