"""Agreement beyond chance where each rater keeps a distribution of their own: Cohen, Conger, and each pair."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import DataError, did_you_mean
from quorate.estimates import Estimate
from quorate.messages import Message

from .agreement import (
    agreement_sums,
    beyond_chance,
    gwet_moves,
    named,
    one_category,
    percent_agreement,
    scott_pi,
    two_raters,
)
from .engine import Floats, How, Smooth, Sums
from .estimating import Coefficient, estimate
from .patterns import Patterns
from .ratings import Ratings
from .weights import weights_for
from .wide import is_wide, two_raters_apart

MANY_CELLS = 150_000_000


def cohen_kappa(
    a: Any,
    b: Any = None,
    *,
    weights: Any = None,
    categories: Any = None,
    interval: str | None = "linearised",
    confidence: float = 0.95,
    replicates: int = 10_000,
    seed: int = 0,
    clusters: Any = None,
) -> Estimate:
    """Agreement of two raters beyond chance (Cohen 1960; weighted, 1968): (p_o − p_e) / (1 − p_e).

    p_e = Σ_kl w_kl p_k. p_.l, each rater with their own shares. Give two columns, or ratings of two raters; items that
    one of them did not rate are left out.

    >>> cohen_kappa("yyyn", "yynn").value
    0.5
    """
    read = two_raters(a, b, categories, clusters)
    how, name = How(interval, confidence, replicates, seed), Message("Cohen's kappa")
    if is_wide(read, weights):
        apart = Coefficient(name, lambda these: (two_raters_apart(these), None), _one_category, gwet=_moves)
        return estimate(apart, read, how)
    matrix = weights_for(read, weights)

    def build(these: Ratings) -> tuple[Sums, Patterns]:
        patterns = these.rater_patterns
        cells = pair_cells(patterns.rows, 0, 1, len(these.categories))
        return Sums(cells, patterns.count, lambda totals: cohen_of_cells(totals, matrix)), patterns

    coefficient = Coefficient(named(name, weights), build, _one_category, gwet=_moves)
    return estimate(coefficient, read, how)


def _moves(ratings: Ratings, smooth: Smooth, patterns: Patterns | None) -> Floats:
    """With two raters Gwet's influence is the derivative."""
    return smooth.influence()


def pair_cells(rows: NDArray[np.int64], first: int, second: int, q: int) -> Floats:
    """Which cell of the two raters' table each pattern falls in; no cell where one of them gave no rating."""
    x, y = rows[:, first] - 1, rows[:, second] - 1
    both = (x >= 0) & (y >= 0)
    cells = np.zeros((len(rows), q * q))
    cells[np.flatnonzero(both), (x * q + y)[both]] = 1
    return cells


def cohen_of_cells(totals: NDArray, weights: Floats) -> NDArray:
    q = len(weights)
    table = totals.reshape(*totals.shape[:-1], q, q)
    shares = table / table.sum(axis=(-2, -1), keepdims=True)
    rows, columns = shares.sum(axis=-1), shares.sum(axis=-2)
    observed = (shares * weights).sum(axis=(-2, -1))
    return beyond_chance(observed, np.einsum("...k,kl,...l->...", rows, weights, columns))


def _one_category(ratings: Ratings) -> Message:
    return Message("both raters used one category and the same, so agreement is what chance alone would give")


def conger_kappa(
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
    """Cohen's kappa for several raters (Conger 1980): p_e is the mean over pairs of raters of Σ_kl w_kl p_gk p_hl.

    Each rater's shares are over the items that rater rated (Gwet 2014); with two raters and complete data it is
    Cohen's kappa.

    >>> conger_kappa([["y", "y"], ["y", "y"], ["y", "n"], ["n", "n"]]).value
    0.5
    """
    read = Ratings.read(ratings, categories, clusters)
    matrix = weights_for(read, weights)
    q = len(read.categories)

    def build(these: Ratings) -> tuple[Sums, Patterns]:
        patterns = these.rater_patterns
        if patterns.rows.size * q > MANY_CELLS:
            raise DataError(Message("so many raters, items and categories do not fit Conger's kappa; use fleiss_kappa"))
        said = (patterns.rows[:, :, None] == np.arange(1, q + 1)).astype(float)
        agreed = agreement_sums(said.sum(axis=1).astype(np.int64), matrix)[:, :2]
        table = np.column_stack([agreed, said.reshape(len(said), -1)])
        return Sums(table, patterns.count, lambda totals: _conger(totals, matrix)), patterns

    coefficient = Coefficient(named(Message("Conger's kappa"), weights), build, one_category, gwet=gwet_moves)
    return estimate(coefficient, read, How(interval, confidence, replicates, seed, raters))


def _conger(totals: NDArray, weights: Floats) -> NDArray:
    q = len(weights)
    said = totals[..., 2:].reshape(*totals.shape[:-1], -1, q)
    shares = said / said.sum(axis=-1, keepdims=True)
    raters = shares.shape[-2]
    together = shares.sum(axis=-2)
    everyone = np.einsum("...k,kl,...l->...", together, weights, together)
    himself = np.einsum("...gk,kl,...gl->...", shares, weights, shares)
    return beyond_chance(totals[..., 0] / totals[..., 1], (everyone - himself) / (raters * (raters - 1)))


_PAIRWISE: dict[str, Callable[..., Estimate]] = {
    "percent agreement": percent_agreement,
    "cohen kappa": cohen_kappa,
    "scott pi": scott_pi,
}


def pairwise_agreement(
    ratings: Any,
    *,
    statistic: str | Callable[..., Estimate] = "percent agreement",
    categories: Any = None,
    clusters: Any = None,
    **options: Any,
) -> dict[tuple[Any, Any], Estimate]:
    """Every pair of raters' agreement on the items that both rated, by the raters' names (1, 2, … in a matrix).

    `statistic` is "percent agreement", "cohen kappa", "scott pi", or a function of ratings; `options` go to it.

    >>> {pair: found.value for pair, found in pairwise_agreement([["y", "y", "n"], ["n", "n", "n"]]).items()}
    {(1, 2): 1.0, (1, 3): 0.5, (2, 3): 0.5}
    """
    read = Ratings.read(ratings, categories, clusters)
    if isinstance(statistic, str):
        plain = statistic.replace("_", " ").lower()
        if plain not in _PAIRWISE:
            known = ", ".join(_PAIRWISE)
            raise DataError(f"statistic='{statistic}' is unknown; say one of {known}.{did_you_mean(plain, _PAIRWISE)}")
        statistic = _PAIRWISE[plain]
    pairs = combinations(range(read.n_raters), 2)
    return {(read.raters[g], read.raters[h]): statistic(read.pair(g, h), **options) for g, h in pairs}
