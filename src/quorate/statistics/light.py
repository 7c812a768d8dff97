"""Light's kappa: the mean of Cohen's over every pair of raters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.estimates import Estimate
from quorate.messages import Message

from .agreement import named
from .engine import Floats, How, Sums, sum_by_cluster
from .estimating import Coefficient, estimate
from .kappa import cohen_of_cells, pair_cells
from .patterns import Patterns
from .ratings import Ratings
from .weights import weights_for


def light_kappa(
    ratings: Any,
    *,
    weights: Any = None,
    categories: Any = None,
    interval: str | None = "linearised",
    confidence: float = 0.95,
    replicates: int = 10_000,
    seed: int = 0,
    clusters: Any = None,
    raters: str = "these",
) -> Estimate:
    """The mean of Cohen's kappa over all pairs of raters (Light 1971), each over the items that both rated.

    Pairs without a kappa (no common item, or one category) are left out of the mean. The default interval takes its
    standard error from the jackknife: each pair has few items of a rare category, and linearising would say too little.

    >>> light_kappa([["y", "y", "y"], ["y", "y", "n"], ["n", "n", "n"]], interval=None).value
    0.6
    """
    read = Ratings.read(ratings, categories, clusters)
    matrix = weights_for(read, weights)

    def build(these: Ratings) -> tuple[Pairs, Patterns]:
        patterns = these.rater_patterns
        return Pairs(patterns.rows, patterns.count, matrix), patterns

    def why(these: Ratings) -> Message:
        return Message("no pair of raters has a kappa: they share no item, or use one category")

    coefficient = Coefficient(named(Message("Light's kappa"), weights), build, why, jackknife=True)
    return estimate(coefficient, read, How(interval, confidence, replicates, seed, raters))


@dataclass
class Pairs:
    """The mean of a pair's kappa, one pair at a time: tables of all the pairs at once would not fit for many raters."""

    rows: NDArray[np.int64]
    count: NDArray[np.int64]
    weights: Floats
    groups: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None

    def by_cluster(self, row_of_item: NDArray[np.int64], clusters: NDArray[np.int64]) -> Pairs:
        """The same with one row a cluster."""
        ones = np.ones(int(clusters.max()) + 1, np.int64)
        return Pairs(self.rows, ones, self.weights, (row_of_item, clusters))

    def _cells(self) -> Iterator[Floats]:
        for first, second in combinations(range(self.rows.shape[1]), 2):
            cells = pair_cells(self.rows, first, second, len(self.weights))
            yield cells if self.groups is None else sum_by_cluster(cells, *self.groups)

    def _mean(self, totals: Iterator[Floats]) -> Floats:
        """The mean over the pairs that have a kappa."""
        total: Any = 0.0
        known: Any = 0
        for table in totals:
            kappa = cohen_of_cells(table, self.weights)
            total = total + np.where(np.isnan(kappa), 0.0, kappa)
            known = known + ~np.isnan(kappa)
        return total / known

    def at(self, weights: Floats) -> Floats:
        return self._mean(weights @ cells for cells in self._cells())

    def left_out_one(self) -> Floats:
        return self._mean(self.count @ cells - cells for cells in self._cells())

    def influence(self) -> Floats:
        each = [Sums(cells, self.count, self._kappa) for cells in self._cells()]
        moves = [pair.influence() for pair in each if not np.isnan(pair.value(pair.totals))]
        return np.sum(moves, axis=0) / len(moves)

    def _kappa(self, totals: NDArray) -> NDArray:
        return cohen_of_cells(totals, self.weights)
