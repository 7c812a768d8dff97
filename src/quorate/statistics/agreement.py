"""Agreement of many raters beyond chance, where it does not matter who is who.

All are (p_a − p_e) / (1 − p_e) with the same observed agreement p_a; they differ in the agreement p_e expected by
chance. Missing ratings follow Gwet (2014): p_a over items with two or more ratings, the share of each category as the
mean over all rated items. See docs/method.md.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from quorate.errors import DataError
from quorate.estimates import Estimate
from quorate.messages import Message, Text, Word

from .engine import BETWEEN, Bounds, Floats, How, Sums
from .estimating import NO_PAIR, Coefficient, estimate, fully_agreed
from .patterns import Patterns
from .proportions import wilson, wilson_bounds
from .ratings import Ratings
from .weights import weights_for
from .wide import Wide, is_wide, several_raters

Chance = Callable[[NDArray, Floats], NDArray]
SHARES = 3  # the totals are: agreement, items with two or more ratings, rated items, then a share for each category


def agreement_sums(counts: NDArray[np.int64], weights: Floats) -> Floats:
    """What each pattern of counts adds to the totals."""
    total = counts.sum(axis=1)
    several = total >= 2
    pairs = weighted_products(counts, weights, counts) - counts @ np.diag(weights)
    agreed = np.where(several, pairs / np.where(several, total * (total - 1), 1), 0.0)
    shares = counts / np.maximum(total, 1)[:, None]
    return np.column_stack([agreed, several, total > 0, shares])


def weighted_products(x: NDArray, weights: Floats, y: NDArray) -> NDArray:
    """Σ_kl w_kl x_k y_l along the last axis; without weights it is Σ_k x_k y_k, and many categories cost little."""
    if np.count_nonzero(weights) == len(weights) and (np.diag(weights) == 1).all():
        return (x * y).sum(axis=-1)
    return ((x @ weights) * y).sum(axis=-1)


def beyond_chance(observed: NDArray, expected: NDArray) -> NDArray:
    """(p_a − p_e) / (1 − p_e), undefined where chance alone agrees fully."""
    room = np.where(np.abs(1 - expected) < 1e-12, np.nan, 1 - expected)
    return (observed - expected) / room


def gwet_moves(ratings: Ratings, sums: Sums, patterns: Patterns) -> Floats:
    """Gwet's influence of each pattern, which takes the number of items with two or more ratings as fixed."""
    several = sums.contributions[:, 1]
    n, n_several = sums.count.sum(), sums.totals[1]
    value = float(sums.value(sums.totals))
    return sums.influence() + value * (several * n / n_several - 1) / n


def _coefficient(
    name: Text, ratings: Ratings, weights: Any, chance: Chance, wide: tuple[float, float], note: Text = ""
) -> Coefficient:
    """`wide` is chance agreement as constant + slope · Σ π², for ratings whose categories are too many for a table."""
    if is_wide(ratings, weights):
        return _wide(name, *wide, note=note)
    matrix = weights_for(ratings, weights)

    def build(these: Ratings) -> tuple[Sums, Patterns]:
        patterns = these.count_patterns
        sums = Sums(agreement_sums(patterns.rows, matrix), patterns.count, value)
        return sums, patterns

    def value(totals: NDArray) -> NDArray:
        observed = totals[..., 0] / totals[..., 1]
        shares = totals[..., SHARES:] / totals[..., 2:3]
        return beyond_chance(observed, chance(shares, matrix))

    return Coefficient(named(name, weights), build, _one_category, gwet=gwet_moves, note=note)


def _wide(
    name: Text, constant: float = 0.0, slope: float | None = 1.0, note: Text = "", bounds: Bounds = BETWEEN
) -> Coefficient:
    def build(these: Ratings) -> tuple[Wide, None]:
        return several_raters(these, constant, slope), None

    return Coefficient(name, build, _chance_is_complete, bounds=bounds, gwet=_wide_moves, note=note)


def _wide_moves(ratings: Ratings, wide: Wide, patterns: None) -> Floats:
    """As `gwet_moves`, a row an item."""
    n = len(wide.several)
    value = float(wide.at(np.ones((1, n)))[0])
    return wide.influence() + value * (wide.several * n / wide.several.sum() - 1) / n


def _chance_is_complete(ratings: Ratings) -> Message:
    return Message("agreement expected by chance is complete, so there is nothing beyond it")


def named(name: Text, weights: Any) -> Text:
    """The coefficient's name with its weights, where there are any."""
    if is_plain(weights):
        return name
    return (
        Message("{name}, {weights} weights", name=name, weights=Word(weights))
        if isinstance(weights, str)
        else (Message("{name}, given weights", name=name))
    )


def is_plain(weights: Any) -> bool:
    """Whether nothing but the same answer counts as agreement."""
    return weights is None or (isinstance(weights, str) and weights in ("identity", "unweighted"))


def one_category(ratings: Ratings) -> Message:
    """Why a coefficient has no value where every rating is the same."""
    return Message("every rating is in one category, so agreement is what chance alone would give")


def _one_category(ratings: Ratings) -> Message:
    used = (ratings.count_patterns.rows.sum(axis=0) > 0).sum()
    if used == 1 and len(ratings.categories) == 1:
        return Message(
            "every rating is in one category, and no other was declared, so chance agreement cannot be told apart"
        )
    return one_category(ratings) if used == 1 else _chance_is_complete(ratings)


def _inferred(ratings: Ratings) -> Text:
    if ratings.declared:
        return ""
    return Message(
        "the {k} categories seen are taken for all there were (declare them if there were more)",
        k=str(len(ratings.categories)),
    )


def percent_agreement(
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
    """The share of pairs of raters who agree on an item, averaged over items with two or more ratings.

    p_a = mean over items of Σ_k r_k (r_k − 1) / (r (r − 1)); weights give credit to near misses (Gwet 2014, ch. 2).

    >>> print(percent_agreement([["y", "y", "y"], ["y", "y", "n"]], interval=None))
    0.667 · 2 items, 6 ratings
    """
    read = Ratings.read(ratings, categories, clusters)
    coefficient = _percent(read, weights)
    found = estimate(coefficient, read, How(interval, confidence, replicates, seed, raters))
    if interval is None or found.se != 0 or read.clusters is not None:
        return found
    # Items that all agree (or all disagree) have no spread, but they are still so many items out of so many.
    n = fully_agreed(read)[1]
    low, high = wilson_bounds(n * (found.value or 0.0), n, confidence)
    note = Message("all {k} items are alike, so the interval is Wilson's", k=str(n))
    return replace(found, low=low, high=high, note=note)


def _percent(ratings: Ratings, weights: Any) -> Coefficient:
    name, bounds = named(Message("percent agreement"), weights), Bounds(0.0, 1.0)
    if is_wide(ratings, weights):
        return _wide(name, slope=None, bounds=bounds)
    matrix = weights_for(ratings, weights)

    def build(these: Ratings) -> tuple[Sums, Patterns]:
        patterns = these.count_patterns
        return Sums(agreement_sums(patterns.rows, matrix), patterns.count, lambda t: t[..., 0] / t[..., 1]), patterns

    return Coefficient(name, build, _one_category, bounds=bounds, gwet=gwet_moves)


def full_agreement(ratings: Any, *, categories: Any = None, confidence: float = 0.95) -> Estimate:
    """The share of items on which all raters agree, with its Wilson interval; items with one rating are left out.

    >>> full_agreement([["y", "y", "y"], ["y", "y", "n"]]).value
    0.5
    """
    same, several = fully_agreed(Ratings.read(ratings, categories))
    if several == 0:
        return Estimate.undefined(NO_PAIR, confidence=confidence)
    return wilson(same, several, confidence=confidence)


def fleiss_kappa(
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
    """Agreement of several raters beyond chance (Fleiss 1971): p_e = Σ_kl w_kl π_k π_l, π the mean shares.

    With missing ratings this is Gwet's generalisation; with two raters and complete data it is Scott's π.

    >>> fleiss_kappa([["y", "y", "y"], ["n", "n", "n"]]).value
    1.0
    """
    read = Ratings.read(ratings, categories, clusters)
    coefficient = _fleiss(Message("Fleiss' kappa"), read, weights)
    return estimate(coefficient, read, How(interval, confidence, replicates, seed, raters))


def fleiss_null(ratings: Any, *, categories: Any = None, clusters: Any = None, confidence: float = 0.95) -> Estimate:
    """Fleiss' kappa held against no agreement beyond chance: z with the standard error that holds there alone.

    SE² = 2 ((Σ p q)² − Σ p q (q − p)) / (N n (n − 1) (Σ p q)²), p the share of a category, q = 1 − p, N items with n
    ratings each. It tests that κ is 0 and gives no interval: elsewhere the error is another.
    Fleiss, J. L., Nee, J. C. M., Landis, J. R. (1979). Large sample variance of kappa in the case of different sets of
    raters. Psychological Bulletin 86, 974-977.

    >>> found = fleiss_null([["y", "y", "y"], ["n", "n", "n"], ["y", "y", "n"], ["n", "n", "n"]])
    >>> round(found.value / found.se, 3)
    2.276
    """
    read = Ratings.read(ratings, categories, clusters)
    found = fleiss_kappa(read, interval=None, confidence=confidence)
    how = Message("Fleiss’ null standard error")
    if found.value is None:
        return replace(found, method=how)
    n = read.per_item[read.per_item > 0]
    if len(set(n.tolist())) > 1 or read.is_clustered:
        why = Message("the null error is for items that stand alone and have equally many ratings each")
        return Estimate.undefined(why, confidence=confidence, n_items=found.n_items, method=how)
    counts = read.count_patterns.count @ read.count_patterns.rows
    p = counts / counts.sum()
    apart = float(p @ (1 - p))
    spread = 2 * (apart**2 - float((p * (1 - p)) @ (1 - 2 * p))) / (len(n) * n[0] * (n[0] - 1) * apart**2)
    se = float(np.sqrt(spread))
    return replace(found, se=se, p=float(2 * special.ndtr(-abs(found.value / se))), method=how)


def _fleiss(name: Text, ratings: Ratings, weights: Any) -> Coefficient:
    return _coefficient(name, ratings, weights, lambda pi, w: weighted_products(pi, w, pi), (0.0, 1.0))


def scott_pi(
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
    """Agreement of two raters beyond chance, with one distribution for both (Scott 1955): p_e = Σ π_k².

    >>> round(scott_pi("yyyn", "yynn", interval=None).value, 4)
    0.4667
    """
    read = two_raters(a, b, categories, clusters)
    return estimate(_fleiss(Message("Scott's pi"), read, weights), read, How(interval, confidence, replicates, seed))


def two_raters(a: Any, b: Any, categories: Any, clusters: Any) -> Ratings:
    """Two raters' ratings of the items that both have rated."""
    read = Ratings.from_pair(a, b, categories, clusters) if b is not None else Ratings.read(a, categories, clusters)
    if read.codes is None or read.n_raters > 2:
        raise DataError("this statistic compares two raters; give two columns, or use one for several raters.")
    return read if read.n_raters < 2 else read.pair(0, 1)


def gwet_ac(
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
    """Gwet's AC1, or AC2 with weights (Gwet 2008): p_e = Σ w / (q (q − 1)) · Σ_k π_k (1 − π_k).

    q counts the declared categories: declare them where one was never chosen.

    >>> round(gwet_ac([["y", "y"]] * 9 + [["y", "n"]], interval=None).value, 4)
    0.8895
    """
    read = Ratings.read(ratings, categories, clusters)

    def chance(pi: NDArray, w: Floats) -> NDArray:
        q = w.shape[0]
        return w.sum() / (q * (q - 1) if q > 1 else np.nan) * (pi * (1 - pi)).sum(axis=-1)

    q = len(read.categories)
    wide = (1 / (q - 1), -1 / (q - 1)) if q > 1 else (np.nan, np.nan)
    name = Message("Gwet's AC1") if is_plain(weights) else Message("Gwet's AC2")
    coefficient = _coefficient(name, read, weights, chance, wide, _inferred(read))
    return estimate(coefficient, read, How(interval, confidence, replicates, seed, raters))


def brennan_prediger(
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
    """Agreement beyond raters who choose all q categories alike (Brennan and Prediger 1981): p_e = Σ w / q².

    Also known as Bennett's S and the free-marginal kappa.

    >>> brennan_prediger([["y", "y"]] * 9 + [["y", "n"]], interval=None).value
    0.8
    """
    read = Ratings.read(ratings, categories, clusters)

    def chance(pi: NDArray, w: Floats) -> NDArray:
        q = w.shape[0]
        # The sum of shares is 1: it keeps the shape of the totals, one value a row.
        return pi.sum(axis=-1) * (w.sum() / q**2 if q > 1 else np.nan)

    wide = (1 / max(len(read.categories), 1), 0.0)
    coefficient = _coefficient(Message("Brennan-Prediger"), read, weights, chance, wide, _inferred(read))
    return estimate(coefficient, read, How(interval, confidence, replicates, seed, raters))


def kappa_by_category(
    ratings: Any,
    *,
    categories: Any = None,
    interval: str | None = "linearised",
    confidence: float = 0.95,
    replicates: int = 10_000,
    seed: int = 0,
    clusters: Any = None,
) -> dict[Any, Estimate]:
    """Fleiss' kappa of each category against all the others (Fleiss 1971, eq. 17).

    >>> {c: round(e.value, 2) for c, e in kappa_by_category([["a", "a"], ["b", "b"], ["b", "c"], ["c", "c"]]).items()}
    {'a': 1.0, 'b': 0.47, 'c': 0.47}
    """
    read = Ratings.read(ratings, categories, clusters)
    how = How(interval, confidence, replicates, seed)
    return {category: _one_against_rest(read, place, how) for place, category in enumerate(read.categories)}


def _one_against_rest(ratings: Ratings, place: int, how: How) -> Estimate:
    def build(these: Ratings) -> tuple[Sums, Patterns]:
        patterns = these.count_patterns
        chosen = patterns.rows[:, place]
        rows = np.column_stack([chosen, patterns.rows.sum(axis=1) - chosen])
        sums = Sums(agreement_sums(rows, np.eye(2)), patterns.count, _unweighted_fleiss)
        return sums, patterns

    def why(these: Ratings) -> Message:
        used = these.count_patterns.rows[:, place].sum()
        return Message("every rating is in this category") if used else Message("no rating is in this category")

    name = Message("Fleiss' kappa of one category")
    return estimate(Coefficient(name, build, why, gwet=gwet_moves), ratings, how)


def _unweighted_fleiss(totals: NDArray) -> NDArray:
    shares = totals[..., SHARES:] / totals[..., 2:3]
    return beyond_chance(totals[..., 0] / totals[..., 1], (shares * shares).sum(axis=-1))
