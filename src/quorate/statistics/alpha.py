"""Krippendorff's alpha at four levels of measurement, for any number of raters and with missing ratings."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import DataError, did_you_mean
from quorate.estimates import Estimate
from quorate.languages import noted
from quorate.messages import Message, Word

from .alpha_wide import wide
from .engine import Floats, How, Smooth, Sums
from .estimating import Coefficient, estimate
from .patterns import Patterns
from .ratings import Ratings
from .weights import weights_for

LEVELS = (noted("nominal"), noted("ordinal"), noted("interval"), noted("ratio"))
# Above these sizes the coincidences of categories are not tabulated, and each item keeps its own row.
MANY_CATEGORIES = 60
MANY_CELLS = 20_000_000


def krippendorff_alpha(
    ratings: Any,
    *,
    level: str = "nominal",
    weights: Any = None,
    categories: Any = None,
    interval: str | None = "linearised",
    confidence: float = 0.95,
    replicates: int = 10_000,
    seed: int = 0,
    clusters: Any = None,
    raters: str = "these",
) -> Estimate:
    """Reliability of any number of raters (Krippendorff 2004, ch. 11): α = 1 − D_o / D_e.

    Disagreement is 0 or 1 at the nominal level, (x − y)² at the interval level, ((x − y) / (x + y))² at the ratio
    level, and the squared number of ratings between two categories at the ordinal level. Items with one rating cannot
    be paired and are left out. `weights` (agreement weights, by name or as a matrix) take the place of the level.

    >>> krippendorff_alpha([[1, 1], [2, 2], [3, 3], [3, 4]], level="interval", interval=None).value.__round__(3)
    0.889
    """
    if level not in LEVELS:
        known = ", ".join(LEVELS)
        raise DataError(f"level='{level}' is unknown; say one of {known}.{did_you_mean(str(level), LEVELS)}")
    read = Ratings.read(ratings, categories, clusters)
    if read.clusters is not None:
        read = read.pairable()
    _check(read, level, weights)
    alpha = Message("Krippendorff's alpha")
    if weights is None:
        name = Message("{name}, {level}", name=alpha, level=Word(level))
    elif isinstance(weights, str):
        name = Message("{name}, {weights} weights", name=alpha, weights=Word(weights))
    else:
        name = Message("{name}, given weights", name=alpha)
    coefficient = Coefficient(
        name,
        partial(_build, level=level, weights=weights, correction=float(read.copies)),
        _one_value,
        gwet=partial(_gwet, level=level, weights=weights),
        pairable=True,
    )
    return estimate(coefficient, read, How(interval, confidence, replicates, seed, raters))


def _check(ratings: Ratings, level: str, weights: Any) -> None:
    if weights is None and level in ("interval", "ratio") and ratings.n_items:
        numbers = ratings.numbers
        if level == "ratio" and len(numbers) < 3000:
            apart = numbers[:, None] + numbers[None, :]
            if ((apart == 0) & (numbers[:, None] != numbers[None, :])).any():
                raise DataError(Message("level='ratio' needs values above zero; two of these add up to zero"))
    if weights is None and level == "ordinal" and not ratings.ordered:
        raise DataError(
            Message(
                "level='ordinal' needs the order of the categories, and these are texts; list them from lowest to "
                "highest in categories="
            )
        )


def _one_value(ratings: Ratings) -> Message:
    return Message("every pairable rating is the same, so there is no variation to agree on")


def _build(ratings: Ratings, level: str, weights: Any, correction: float) -> tuple[Smooth, Patterns | None]:
    q = len(ratings.categories)
    if weights is None and level == "interval" and q > MANY_CATEGORIES:
        return _interval_by_item(ratings, correction), None
    if weights is None and (q > MANY_CATEGORIES or _cells(ratings, level) > MANY_CELLS):
        return wide(ratings, level), None
    patterns = ratings.count_patterns
    several = patterns.rows.sum(axis=1) >= 2
    # With clusters the items were already left out, and every item needs its row.
    keep = several if ratings.clusters is None else np.ones(len(several), bool)
    rows, count = patterns.rows[keep].astype(float), patterns.count[keep]
    if weights is None and level == "ordinal":
        return Sums(_coincidences(rows), count, partial(_ordinal, q=q, correction=correction)), patterns
    if weights is None and level == "interval":
        contributions = _moments(rows.sum(axis=1), rows @ _centred(ratings), rows @ _centred(ratings) ** 2)
        return Sums(contributions, count, partial(_interval, correction=correction)), patterns
    distance = 1 - weights_for(ratings, weights) if weights is not None else _distance(ratings, level)
    apart = np.einsum("pk,kl,pl->p", rows, distance, rows) / (rows.sum(axis=1) - 1)
    contributions = np.column_stack([apart, rows])
    return Sums(contributions, count, partial(_fixed, distance=distance, correction=correction)), patterns


def _cells(ratings: Ratings, level: str) -> int:
    q = len(ratings.categories)
    return min(ratings.n_items, len(ratings.count_patterns.rows)) * (q * (q + 1) // 2 if level == "ordinal" else q)


def _distance(ratings: Ratings, level: str) -> Floats:
    q = len(ratings.categories)
    if level == "nominal":
        return 1 - np.eye(q)
    x = ratings.numbers
    total = x[:, None] + x[None, :]
    return ((x[:, None] - x[None, :]) / np.where(total == 0, 1, total)) ** 2


def _fixed(totals: NDArray, distance: Floats, correction: float) -> NDArray:
    margins = totals[..., 1:]
    expected = np.einsum("...k,kl,...l->...", margins, distance, margins)
    return _alpha(totals[..., 0], expected, margins.sum(axis=-1), correction)


def _alpha(observed: NDArray, expected: NDArray, n: NDArray, correction: float) -> NDArray:
    """1 − (n − 1) D_o / D_e, from sums over pairs; without the correction of n it is Gwet's α'."""
    return 1 - (n - correction) * observed / np.where(np.abs(expected) < 1e-12, np.nan, expected)


def _coincidences(rows: Floats) -> Floats:
    """Each pattern's coincidences o_ck for c ≤ k, with both orders of a pair counted."""
    q = rows.shape[1]
    first, second = np.triu_indices(q)
    pairs = rows[:, first] * np.where(first == second, rows[:, first] - 1, 2 * rows[:, second])
    return pairs / (rows.sum(axis=1) - 1)[:, None]


def _ordinal(totals: NDArray, q: int, correction: float) -> NDArray:
    first, second = np.triu_indices(q)
    margins = np.stack([_margin(totals, first, second, k) for k in range(q)], axis=-1)
    # The ordinal metric is the squared difference of mean ranks: Σ_{c ≤ g ≤ k} n_g − (n_c + n_k) / 2.
    ranks = np.cumsum(margins, axis=-1) - margins / 2
    observed = (totals * (ranks[..., first] - ranks[..., second]) ** 2).sum(axis=-1)
    n = margins.sum(axis=-1)
    middle = (margins * ranks).sum(axis=-1)
    expected = 2 * (n * (margins * ranks**2).sum(axis=-1) - middle**2)
    return _alpha(observed, expected, n, correction)


def _margin(totals: NDArray, first: NDArray, second: NDArray, k: int) -> NDArray:
    share = np.where(first == second, 1.0, 0.5) * ((first == k) | (second == k))
    return (totals * share).sum(axis=-1)


def _centred(ratings: Ratings) -> Floats:
    # Far from zero (years, for one) squares would lose digits; distances do not change.
    numbers = ratings.numbers
    return numbers - (numbers.max() + numbers.min()) / 2


def _moments(m: Floats, s: Floats, ss: Floats) -> Floats:
    """Ratings, their sum, their sum of squares, and the squared distances within each item."""
    return np.column_stack([m, s, ss, 2 * (m * ss - s**2) / (m - 1)])


def _interval(totals: NDArray, correction: float) -> NDArray:
    m, s, ss, apart = (totals[..., k] for k in range(4))
    return _alpha(apart, 2 * (m * ss - s**2), m, correction)


def _interval_by_item(ratings: Ratings, correction: float) -> Sums:
    several = ratings.per_item >= 2
    numbers = np.append(_centred(ratings), 0.0)  # no rating has code −1, the last place
    m, s, ss = (np.zeros(ratings.n_items) for _ in range(3))
    for line in ratings.by_rater:
        m += line >= 0
        s += numbers[line]
        ss += numbers[line] ** 2
    table = _moments(m[several], s[several], ss[several])
    return Sums(table, np.ones(len(table), np.int64), partial(_interval, correction=correction))


def _gwet(ratings: Ratings, smooth: Smooth, patterns: Patterns, level: str, weights: Any) -> Floats:
    """Gwet gives the standard error of α', which lacks the small-sample correction."""
    plain, _ = _build(ratings, level, weights, correction=0.0)
    if not isinstance(plain, Sums):
        raise DataError("Gwet's variance needs few categories; ask for the linearised interval.")
    return plain.influence()
