"""What the team's decisions on borderline answers changed: which rows, and which figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from quorate.analyse.comparison import given
from quorate.analyse.results import Changes, Finding, Flip
from quorate.analyse.sheets import sheets
from quorate.protocol import Protocol
from quorate.records import Collected


def changes(protocol: Protocol, collected: Collected, before: Sequence[Finding], after: Sequence[Finding]) -> Changes:
    """The rows that decisions made right, and every figure that moved."""
    earlier = {finding.id: finding for finding in before}
    moved = [
        (earlier[finding.id], finding)
        for finding in after
        if finding.id in earlier and finding.estimate.value != earlier[finding.id].estimate.value
    ]
    return Changes(tuple(_flips(protocol, collected)), tuple(moved))


def _flips(protocol: Protocol, collected: Collected) -> Iterator[Flip]:
    plain = replace(collected, votes=())
    for decided, undecided in zip(sheets(protocol, collected), sheets(protocol, plain), strict=True):
        items = {item.id: item for item in decided.items}
        for (id, who), is_right in decided.correct.items():
            if is_right and not undecided.correct[id, who]:
                target = decided.question.right_answer(items[id])
                yield Flip(decided.section, decided.id, id, given(decided, items[id], who), target)
