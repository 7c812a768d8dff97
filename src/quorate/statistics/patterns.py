"""Items that were rated alike are counted once.

Two items with the same pattern of ratings contribute the same to any agreement coefficient, so a million items with
five raters and five categories are a few hundred patterns and how often each occurs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

# A table of this many possible keys is counted by bincount; beyond it the keys are sorted.
COUNTABLE = 4_000_000


@dataclass(frozen=True, eq=False)
class Patterns:
    """The different rows, how many items have each, and which row each item has."""

    rows: NDArray[Any]
    count: NDArray[np.int64]
    keys: NDArray[Any]
    sorted_keys: NDArray[Any]

    def index(self) -> NDArray[np.int64]:
        """For each item, the place of its pattern."""
        return np.searchsorted(self.sorted_keys, self.keys)


def distinct_columns(table: NDArray[Any], base: int) -> Patterns:
    """The different columns of a table of whole numbers in [0, base), each with its count.

    The table is rater-major (or category-major), so that each step reads one contiguous line of items.
    """
    lines, n = table.shape
    if lines * np.log2(max(base, 2)) >= 62:
        return _distinct_by_hashing(table)
    span = base**lines
    kind = np.int16 if span < 2**15 else np.int32 if span < 2**31 else np.int64
    keys: NDArray[Any] = np.zeros(n, kind)
    for line in table:
        keys *= kind(base)
        keys += line.astype(kind, copy=False)
    if span <= COUNTABLE and span <= 50 * n + 1000:
        counts = np.bincount(keys, minlength=1)
        found = np.flatnonzero(counts)
        return Patterns(_digits(found, base, lines), counts[found], keys, found)
    found, counts = np.unique(keys, return_counts=True)
    return Patterns(_digits(found, base, lines), counts, keys, found)


def _digits(keys: NDArray[Any], base: int, lines: int) -> NDArray[np.int64]:
    rows = np.empty((len(keys), lines), np.int64)
    left = keys.astype(np.int64)
    for line in reversed(range(lines)):
        left, rows[:, line] = np.divmod(left, base)
    return rows


def _distinct_by_hashing(table: NDArray[Any]) -> Patterns:
    """Columns too long for one number each: by a 64-bit hash of their content, checked afterwards."""
    for seed in range(100):
        factors = np.random.default_rng(seed).integers(1, 2**63, len(table), dtype=np.uint64) | np.uint64(1)
        keys = np.zeros(table.shape[1], np.uint64)
        for factor, line in zip(factors, table, strict=True):
            keys += factor * line.astype(np.uint64)
        found, first, place, counts = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
        if all(np.array_equal(line[first][place], line) for line in table):
            return Patterns(table[:, first].T.astype(np.int64), counts, keys, found)
    raise AssertionError("a hundred hashes in a row cannot collide")
