"""Krippendorff's alpha where almost every value is different (sliders, free text): no table of categories is made.

The ordinal metric is the squared difference of mean ranks, so alpha is a matter of ranks and needs no table of pairs.
Derivatives are written out: by the chain rule through the ranks for the ordinal metric, whose ranks move with the
ratings, and through the expected disagreement for metrics that stay as they are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from quorate.errors import DataError
from quorate.messages import Message

from .engine import Floats, Smooth, first_order
from .ratings import Ratings

MANY_VALUES = 6000


def wide(ratings: Ratings, level: str) -> Smooth:
    """Alpha with one row an item, for the nominal, ordinal and ratio levels."""
    from scipy import sparse

    several = ratings.per_item >= 2
    lines = ratings.by_rater[:, several]
    rater, item = np.nonzero(lines >= 0)
    shape = (lines.shape[1], len(ratings.categories))
    table = sparse.csr_array((np.ones(len(item)), (item, lines[rater, item])), shape=shape)
    m = np.asarray(table.sum(axis=1)).ravel()
    if level == "ordinal":
        return WideOrdinal(table, m)
    if level == "nominal":
        same = np.asarray(table.multiply(table).sum(axis=1)).ravel()
        return WideFixed(table, (m**2 - same) / (m - 1), None)
    return WideFixed(table, _ratio_apart(ratings, lines) / (m - 1), _ratio_distance(ratings))


def _ratio_distance(ratings: Ratings) -> Floats:
    x = ratings.numbers
    if len(x) > MANY_VALUES:
        raise DataError(
            Message("{n} different values are too many for level='ratio'; round them, or use 'interval'", n=len(x))
        )
    return _ratio(x[:, None], x[None, :])


def _ratio(x: Floats, y: Floats) -> Floats:
    total = x + y
    return ((x - y) / np.where(total == 0, 1, total)) ** 2


def _ratio_apart(ratings: Ratings, lines: NDArray) -> Floats:
    values = np.append(ratings.numbers, np.nan)[lines]
    apart = np.zeros(lines.shape[1])
    for place, line in enumerate(values):
        apart += 2 * np.nan_to_num(_ratio(line, values[place + 1 :])).sum(axis=0)
    return apart


@dataclass
class WideFixed:
    """Alpha with a metric that does not depend on the ratings: 0 or 1 where `distance` is None."""

    table: NDArray
    apart: Floats
    distance: Floats | None

    @property
    def count(self) -> NDArray[np.int64]:
        return np.ones(self.table.shape[0], np.int64)

    def _expected(self, margins: Floats) -> Floats:
        if self.distance is None:
            return margins.sum(axis=1) ** 2 - (margins**2).sum(axis=1)
        return ((margins @ self.distance) * margins).sum(axis=1)

    def at(self, weights: Floats) -> Floats:
        margins = weights @ self.table
        expected = self._expected(margins)
        return 1 - (margins.sum(axis=1) - 1) * (weights @ self.apart) / np.where(expected == 0, np.nan, expected)

    def influence(self) -> Floats:
        margins = self.count @ self.table
        n, observed = margins.sum(), self.apart.sum()
        expected = float(self._expected(margins[None, :])[0])
        slope = 2 * (n - margins if self.distance is None else self.distance @ margins)
        by_margin = (n - 1) * observed / expected**2 * slope - observed / expected
        return self.table @ by_margin - (n - 1) / expected * self.apart

    def left_out_one(self) -> Floats:
        return first_order(self)


@dataclass
class WideOrdinal:
    """Alpha at the ordinal level: the squared differences of mean ranks, within items and over all."""

    table: NDArray
    m: Floats

    @property
    def count(self) -> NDArray[np.int64]:
        return np.ones(self.table.shape[0], np.int64)

    def at(self, weights: Floats) -> Floats:
        margins = weights @ self.table
        n = margins.sum(axis=1)
        ranks = np.cumsum(margins, axis=1) - margins / 2
        s, ss = self.table @ ranks.T, self.table @ (ranks**2).T
        apart = 2 * (self.m[:, None] * ss - s**2) / (self.m - 1)[:, None]
        observed = np.einsum("bi,ib->b", weights, apart)
        expected = 2 * (n * (margins * ranks**2).sum(axis=1) - (margins * ranks).sum(axis=1) ** 2)
        return 1 - (n - 1) * observed / np.where(expected == 0, np.nan, expected)

    def influence(self) -> Floats:
        margins = self.count @ self.table
        n = margins.sum()
        ranks = np.cumsum(margins) - margins / 2
        s, ss = self.table @ ranks, self.table @ ranks**2
        apart = 2 * (self.m * ss - s**2) / (self.m - 1)
        middle, square = (margins * ranks).sum(), (margins * ranks**2).sum()
        observed, expected = apart.sum(), 2 * (n * square - middle**2)
        by_rank_observed = 4 * (ranks * ((self.m / (self.m - 1)) @ self.table) - (s / (self.m - 1)) @ self.table)
        by_rank_expected = 4 * margins * (n * ranks - middle)
        expected_slope = 2 * (square + n * ranks**2 - 2 * middle * ranks) + _through_ranks(by_rank_expected)
        by_margin = (
            (n - 1) * observed / expected**2 * expected_slope
            - (n - 1) / expected * _through_ranks(by_rank_observed)
            - observed / expected
        )
        return self.table @ by_margin - (n - 1) / expected * apart

    def left_out_one(self) -> Floats:
        return first_order(self)


def _through_ranks(slopes: Floats) -> Floats:
    """What a rating more in a category does through the ranks: half to its own, all to every higher one."""
    above = np.cumsum(slopes[::-1])[::-1]
    return above - slopes / 2
