"""Where a judge leans: with the order it was shown, from sample to sample, to longer texts, to its own kind.

All of it is measured beside the answers of record, which stay what they are. Items of one group go together in every
interval.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from quorate import statistics
from quorate.inquiries.item_means import within
from quorate.inquiries.means import mean
from quorate.messages import Message
from quorate.records import Estimate

Key = Any
"""What tells one answer from another: item and question."""
Groups = Mapping[Any, Any] | None
"""The group of each item; None where every item stands for itself."""


@dataclass(frozen=True, slots=True)
class OrderEffect:
    """How often the mirrored order gets the same answer, and among the others, how often the first side is taken."""

    consistent: Estimate
    first: Estimate


def order_effect(
    record: Mapping[Key, Any],
    mirrored: Mapping[Key, Any],
    first: Mapping[Key, Any],
    confidence: float = 0.95,
    groups: Groups = None,
) -> OrderEffect:
    """Answers in both orders, by identity; `first` is what stood first (or left) in the order of record.

    An answer that goes with the place changes with the order: it is what stood first in both, or last in both.

    >>> found = order_effect({1: "a", 2: "b", 3: "a"}, {1: "a", 2: "a", 3: "b"}, {1: "a", 2: "b", 3: "b"})
    >>> round(found.consistent.value, 3), found.first.value
    (0.333, 0.5)
    """
    both = [key for key in record if key in mirrored]
    same = {key: record[key] == mirrored[key] for key in both}
    taken = {key: record[key] == first[key] for key in both if not same[key] and key in first}
    nothing = Message("no item was asked in both orders")
    steady = Message("no answer changed with the order") if both else nothing
    return OrderEffect(_share(same, groups, confidence, nothing), _share(taken, groups, confidence, steady))


def stability(samples: Mapping[Key, Sequence[Any]], confidence: float = 0.95, groups: Groups = None) -> Estimate:
    """The chance that two samples of one item say the same, averaged over items; the interval is over items.

    >>> stability({1: "aab", 2: "aaa"}).value
    0.6666666666666666
    """
    shares = {key: _same_pairs(values) for key, values in samples.items() if len(values) > 1}
    if len(shares) < 2:
        why = Message("at least two items need two samples each")
        return Estimate.undefined(why, n_items=len(shares), confidence=confidence)
    clusters = None if groups is None else [groups[key] for key in shares]
    found = mean(list(shares.values()), clusters=clusters, confidence=confidence)
    return within(replace(found, n_items=len(shares)), 0.0, 1.0)


def length_lean(
    chosen: Mapping[Key, Any],
    lengths: Mapping[Key, tuple[Any, int, Any, int]],
    confidence: float = 0.95,
    groups: Groups = None,
) -> Estimate:
    """How often the longer of two outputs is chosen, ties and equal lengths left out; 0.5 is no lean.

    A lean toward length is a bias only where people do not share it: hold it against theirs.
    """
    longer = {}
    for key, winner in chosen.items():
        one, length, other, second = lengths.get(key, (None, 0, None, 0))
        if winner is not None and winner in (one, other) and length != second:
            longer[key] = winner == (one if length > second else other)
    nothing = Message("no decided pair has outputs of different length")
    return _share(longer, groups, confidence, nothing)


def self_preference(
    judge: Mapping[Key, Any], people: Mapping[Key, Any], own: Any, confidence: float = 0.95, groups: Groups = None
) -> Estimate:
    """How much more often a judge than people picks the system of its own family, over pairs that both decided.

    Paired by item (McNemar, or over groups of items), so that a system that is really better does not count as
    favoured.
    """
    both = [key for key, won in judge.items() if won is not None and people.get(key) is not None]
    if not both:
        return Estimate.undefined(Message("no pair was decided by both"), n_items=0, confidence=confidence)
    its, theirs = [judge[key] == own for key in both], [people[key] == own for key in both]
    return paired_gap(its, theirs, None if groups is None else [groups[key] for key in both], confidence)


def paired_gap(its: Any, theirs: Any, groups: Any, confidence: float) -> Estimate:
    """One share minus another over the same items, by Tango's score test, also over groups of items."""
    its, theirs = np.asarray(its, float), np.asarray(theirs, float)
    return statistics.paired_difference(its, theirs, clusters=groups, confidence=confidence)


def _share(hits: Mapping[Key, bool], groups: Groups, confidence: float, nothing: Message) -> Estimate:
    if not hits:
        return Estimate.undefined(nothing, n_items=0, confidence=confidence)
    if groups is None:
        return statistics.wilson(sum(hits.values()), len(hits), confidence=confidence)
    clusters = [groups[key] for key in hits]
    found = statistics.proportion(list(hits.values()), clusters=clusters, confidence=confidence)
    return replace(found, n_items=len(hits), n_ratings=None)


def _same_pairs(values: Sequence[Any]) -> float:
    n = len(values)
    return sum(values[i] == values[j] for i in range(n) for j in range(i)) / (n * (n - 1) / 2)
