"""Where a judge leans: with the order it was shown, from sample to sample, to longer texts, to its own kind.

All of it is measured beside the answers of record, which stay what they are.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from quorate import statistics
from quorate.records import Estimate

Key = Hashable
"""What tells one answer from another: item and question."""


@dataclass(frozen=True, slots=True)
class OrderEffect:
    """How often the mirrored order gets the same answer, and among the others, how often the first side is taken."""

    consistent: Estimate
    first: Estimate


def order_effect(
    record: Mapping[Key, Any], mirrored: Mapping[Key, Any], first: Mapping[Key, Any], confidence: float = 0.95
) -> OrderEffect:
    """Answers in both orders, by identity; `first` is what stood first (or left) in the order of record.

    An answer that goes with the place changes with the order: it is what stood first in both, or last in both.

    >>> found = order_effect({1: "a", 2: "b", 3: "a"}, {1: "a", 2: "a", 3: "b"}, {1: "a", 2: "b", 3: "b"})
    >>> round(found.consistent.value, 3), found.first.value
    (0.333, 0.5)
    """
    both = [key for key in record if key in mirrored]
    if not both:
        nothing = Estimate.undefined("no item was asked in both orders", n_items=0, confidence=confidence)
        return OrderEffect(nothing, nothing)
    same = sum(record[key] == mirrored[key] for key in both)
    changed = [key for key in both if record[key] != mirrored[key] and key in first]
    taken = sum(record[key] == first[key] for key in changed)
    return OrderEffect(
        statistics.wilson(same, len(both), confidence=confidence),
        statistics.wilson(taken, len(changed), confidence=confidence)
        if changed
        else Estimate.undefined("no answer changed with the order", n_items=0, confidence=confidence),
    )


def stability(samples: Mapping[Key, Sequence[Any]], confidence: float = 0.95) -> Estimate:
    """The chance that two samples of one item say the same, averaged over items; the interval is over items.

    >>> stability({1: "aab", 2: "aaa"}).value
    0.6666666666666666
    """
    shares = [_same_pairs(values) for values in samples.values() if len(values) > 1]
    if len(shares) < 2:
        return Estimate.undefined(
            "at least two items need two samples each", n_items=len(shares), confidence=confidence
        )
    return _mean(shares, confidence)


def length_lean(
    chosen: Iterable[Any], lengths: Iterable[tuple[Any, int, Any, int]], confidence: float = 0.95
) -> Estimate:
    """How often the longer of two outputs is chosen, ties and equal lengths left out; 0.5 is no lean.

    A lean toward length is a bias only where people do not share it: hold it against theirs.
    """
    longer = n = 0
    for winner, (one, length, other, second) in zip(chosen, lengths, strict=True):
        if winner in (one, other) and length != second:
            n += 1
            longer += winner == (one if length > second else other)
    if not n:
        return Estimate.undefined("no decided pair has outputs of different length", n_items=0, confidence=confidence)
    return statistics.wilson(longer, n, confidence=confidence)


def self_preference(judge: Sequence[Any], people: Sequence[Any], own: Any, confidence: float = 0.95) -> Estimate:
    """How much more often a judge than people picks the system of its own family, over pairs that both decided.

    Paired by item (McNemar), so that a system that is really better does not count as favoured.
    """
    both = [(one == own, other == own) for one, other in zip(judge, people, strict=True) if None not in (one, other)]
    if not both:
        return Estimate.undefined("no pair was decided by both", n_items=0, confidence=confidence)
    return statistics.mcnemar([one for one, _ in both], [other for _, other in both], confidence=confidence)


def _same_pairs(values: Sequence[Any]) -> float:
    n = len(values)
    return sum(values[i] == values[j] for i in range(n) for j in range(i)) / (n * (n - 1) / 2)


def _mean(values: Sequence[float], confidence: float) -> Estimate:
    from math import sqrt

    from scipy import special

    n = len(values)
    mean = sum(values) / n
    se = sqrt(sum((value - mean) ** 2 for value in values) / (n - 1) / n)
    reach = se * float(special.stdtrit(n - 1, (1 + confidence) / 2))
    return Estimate(mean, max(0.0, mean - reach), min(1.0, mean + reach), confidence, se=se, n_items=n, method="t")
