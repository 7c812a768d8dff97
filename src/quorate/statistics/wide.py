"""Nominal agreement where there are many categories: open answers, options that differ from item to item.

A table of categories would be mostly zeros. Here each item keeps the few categories that it has, and the coefficient
is written by the two sums that it needs: observed agreement, and Σ_k L_k R_k, the chance that two shares meet.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from .engine import Floats
from .ratings import Ratings

#: With more categories than this a table of them costs more than it saves.
MOST_TABULATED = 30


@dataclass
class Wide:
    """(p_a − p_e) / (1 − p_e) with p_e = constant + slope · Σ_k L_k R_k / N², or p_a alone where `slope` is None.

    A row is an item (or a cluster): what it adds to observed agreement, to the items with two ratings and to all rated
    items, and its shares of the categories on either side. Fleiss has the same shares on both, Cohen each rater's own.
    """

    agreed: Floats
    several: Floats
    rated: Floats
    left: Any
    right: Any
    constant: float = 0.0
    slope: float | None = 1.0

    @property
    def count(self) -> NDArray[np.int64]:
        """Every row stands for itself."""
        return np.ones(len(self.agreed), np.int64)

    def at(self, weights: Floats) -> Floats:
        """The coefficient when row p is taken weights[:, p] times."""
        meet = np.einsum("bk,bk->b", weights @ self.left, weights @ self.right) if self.slope else 0.0
        return self._value(weights @ self.agreed, weights @ self.several, weights @ self.rated, meet)

    def influence(self) -> Floats:
        """The derivative of the coefficient by each row's weight."""
        n, pairs = self.rated.sum(), self.several.sum()
        observed = self.agreed.sum() / pairs
        moves = (self.agreed - observed * self.several) / pairs
        if self.slope is None:
            return moves
        left, right = self._totals()
        meets = self._meets(left, right)
        expected = self.constant + self.slope * float(left @ right) / n**2
        by_chance = self.slope * (meets / n**2 - 2 * float(left @ right) / n**3 * self.rated)
        return moves / (1 - expected) + (observed - 1) / (1 - expected) ** 2 * by_chance

    def left_out_one(self) -> Floats:
        """The coefficient without each row in turn."""
        left, right = self._totals()
        own = np.asarray(self.left.multiply(self.right).sum(axis=1)).ravel()
        meet = float(left @ right) - self._meets(left, right) + own
        return self._value(
            self.agreed.sum() - self.agreed, self.several.sum() - self.several, self.rated.sum() - self.rated, meet
        )

    def by_cluster(self, row_of_item: NDArray[np.int64], clusters: NDArray[np.int64]) -> Wide:
        """The same coefficient with one row a cluster."""
        k = int(clusters.max()) + 1
        member = sparse.csr_array((np.ones(len(clusters)), (clusters, row_of_item)), shape=(k, len(self.agreed)))
        left = member @ self.left
        right = left if self.right is self.left else member @ self.right
        agreed, several, rated = (member @ part for part in (self.agreed, self.several, self.rated))
        return Wide(agreed, several, rated, left, right, self.constant, self.slope)

    def _totals(self) -> tuple[Floats, Floats]:
        left = np.asarray(self.left.sum(axis=0)).ravel()
        return left, left if self.right is self.left else np.asarray(self.right.sum(axis=0)).ravel()

    def _meets(self, left: Floats, right: Floats) -> Floats:
        """What each row adds to Σ_k L_k R_k, to first order."""
        return np.asarray(self.left @ right).ravel() + np.asarray(self.right @ left).ravel()

    def _value(self, agreed: Floats, several: Floats, rated: Floats, meet: Any) -> Floats:
        observed = agreed / several
        if self.slope is None:
            return observed
        expected = self.constant + self.slope * meet / rated**2
        room = np.where(np.abs(1 - expected) < 1e-12, np.nan, 1 - expected)
        return np.asarray((observed - expected) / room)


def is_wide(ratings: Ratings, weights: Any) -> bool:
    """Whether these ratings have too many categories for a table, and no weights that would need one."""
    plain = weights is None or (isinstance(weights, str) and weights in ("identity", "unweighted"))
    return plain and ratings.codes is not None and len(ratings.categories) > MOST_TABULATED


def several_raters(ratings: Ratings, constant: float = 0.0, slope: float | None = 1.0) -> Wide:
    """Fleiss' kappa and its relatives: the same mean shares on both sides."""
    codes, q = ratings.by_rater, len(ratings.categories)
    who, item = np.nonzero(codes >= 0)
    counts = sparse.csr_array((np.ones(len(item)), (item, codes[who, item])), shape=(codes.shape[1], q))
    total = ratings.per_item.astype(float)
    pairs = np.asarray(counts.multiply(counts).sum(axis=1)).ravel() - total
    several = total >= 2
    agreed = np.where(several, pairs / np.where(several, total * (total - 1), 1), 0.0)
    shares = sparse.csr_array(counts.multiply(1 / np.maximum(total, 1)[:, None]))
    return Wide(agreed, several.astype(float), (total > 0).astype(float), shares, shares, constant, slope)


def two_raters_apart(ratings: Ratings) -> Wide:
    """Cohen's kappa: each of two raters with shares of their own, over the items that both rated."""
    first, second = ratings.by_rater
    both = (first >= 0) & (second >= 0)
    at, shape = np.flatnonzero(both), (len(first), len(ratings.categories))
    sides = [sparse.csr_array((np.ones(len(at)), (at, codes[both])), shape=shape) for codes in (first, second)]
    seen = both.astype(float)
    return Wide((both & (first == second)).astype(float), seen, seen, *sides)
