"""How precise a screening quiz is: a pass mark on few questions lets through people of very different knowledge."""

from __future__ import annotations

from math import floor

from quorate.protocol.protocol import Protocol
from quorate.records import Estimate
from quorate.statistics import wilson


def quiz_precision(protocol: Protocol) -> tuple[int, Estimate] | None:
    """The fewest right answers that pass, and what they tell of the share a candidate knows; None without a quiz."""
    quiz = protocol.raters.screening
    if quiz is None:
        return None
    n = quiz.n or len(protocol.tables[quiz.from_])
    # The mark has to be exceeded: 80 % of 10 is 8, so 9 pass. Floats are rounded so that 0.8 × 10 is 8.
    needed = min(n, floor(round(quiz.above * n, 9)) + 1)
    return needed, wilson(needed, n)
