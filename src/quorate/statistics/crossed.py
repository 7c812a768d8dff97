"""A mean for new raters as well as new items: both are drawn anew, and every rater's leaning goes into the error."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

from quorate.languages import noted
from quorate.messages import Message, Text, clauses

from ..errors import DataError
from ..estimates import Estimate
from .columns import CLUSTERS, NEW_RATERS, Floats, Ints, coded, dense, numbers, same_length
from .engine import LINEARISED, Bounds, How, with_error
from .resampling import check_options

#: Fewer raters or items (clusters of them) than these give no interval for new raters; docs/method.md has the grid.
FEWEST_RATERS, FEWEST_GROUPS = 5, 20
#: Nor does an outcome that is rarer than this share of the way from one end to the other, below so many raters.
RARE, RATERS_OF_RARE = 0.1, 30
FEW_RATERS = Message(
    "{n} rater is too few for an interval that speaks of new raters (at least {least})",
    "{n} raters are too few for an interval that speaks of new raters (at least {least})",
)
FEW_GROUPS = Message(
    "{n} {groups} are too few for an interval that speaks of new raters (at least {least})", **CLUSTERS
)
UNEVEN_RATERS = Message(
    "{all} raters, some with far more ratings than others, say as much as {n}: too few for an interval that speaks of "
    "new raters (at least {least})"
)
UNEVEN_GROUPS = Message(
    "{all} {groups}, some with far more ratings than others, say as much as {n}: too few for an interval that speaks "
    "of new raters (at least {least})",
    **CLUSTERS,
)
TOO_RARE = Message(
    "fewer than {share} are of one outcome, and for one so rare {n} raters are too few for an interval that speaks of "
    "new raters (at least {least})"
)
ALIKE = Message("these ratings do not tell how raters differ, so there is no interval that speaks of new raters")


@dataclass(frozen=True, slots=True)
class Crossed:
    """The variance of a weighted mean over items (or clusters of them) and raters, and its degrees of freedom.

    `groups` and `raters` say how many equally busy ones there would be (Kish 1965).
    """

    variance: float
    df: float
    groups: float
    raters: float
    #: How many there are.
    n_groups: int
    n_raters: int


def crossed(values: Floats, groups: Ints, raters: Ints, weights: Floats | None = None) -> Crossed:
    """How a mean of ratings varies over items and raters, each a sample of many.

    A rating is a mean, the item's part, the rater's part and what is left, each with a variance of its own. The three
    are found by equating the sums of squares over items, over raters and over single ratings with what is expected of
    them in this very design, complete or not: the analysis of variance for unbalanced tables (Searle, Casella and
    McCulloch 1992, Variance components, ch. 5). In a complete table it is (MS_items + MS_raters − MS_rest) / n.
    The degrees of freedom are Satterthwaite's (1946, Biometrics Bulletin 2) for the two means of squares, both of which
    hold the rest: where they are mostly rest, half of their sum stands for the variance.

    >>> found = crossed(np.array([1.0, 2, 3, 2, 4, 5]), np.array([0, 0, 1, 1, 2, 2]), np.array([0, 1, 0, 1, 0, 1]))
    >>> round(found.variance, 4)
    0.6944
    """
    w = np.full(len(values), 1 / len(values)) if weights is None else weights / weights.sum()
    moved = w * (values - w @ values)
    width = int(raters.max(initial=0)) + 1
    places = groups * width + raters
    cell = dense(places)
    of_cell = np.zeros(int(cell.max(initial=-1)) + 1, np.int64)
    of_cell[cell] = places
    group, rater = np.divmod(of_cell, width)
    # One row a cell: what one rater said of one item, or of the items of one cluster.
    wc, sc = np.bincount(cell, w), np.bincount(cell, moved)
    wg, sg, wh, sh = (np.bincount(codes, of).astype(float) for codes in (group, rater) for of in (wc, sc))
    a, b, c = float(wg @ wg), float(wh @ wh), float(wc @ wc)
    a_b = c - 2 * float(wc @ (wg[group] * wh[rater])) + a * b
    a_c, b_c = (c - 2 * float(wc**2 @ own) + all_of * c for own, all_of in ((wg[group], a), (wh[rater], b)))
    own = [float(all_of - 2 * (one**3).sum() + all_of**2) for one, all_of in ((wg, a), (wh, b), (wc, c))]
    expected = np.array([[own[0], a_b, a_c], [a_b, own[1], b_c], [a_c, b_c, own[2]]])
    squares = np.array([sg @ sg, sh @ sh, sc @ sc])
    parts = np.linalg.lstsq(expected / c**2, squares / c**2, rcond=1e-9)[0]
    variance = float(parts @ [a, b, c])
    by_group, by_rater = (float(s @ s / (1 - share)) if share < 1 else 0.0 for s, share in ((sg, a), (sh, b)))
    spread = by_group**2 / _freedom(wg) + by_rater**2 / _freedom(wh)
    df = max(variance, (by_group + by_rater) / 2) ** 2 / spread if spread > 0 else 1.0
    return Crossed(variance, max(df, 1.0), 1 / a, 1 / b, len(wg), len(wh))


def _freedom(weight: Floats) -> float:
    """The degrees of freedom of a sum of squares over groups of these weights."""
    squares = weight**2
    return max(float(squares.sum() ** 2 / (squares**2).sum()) - 1, 1e-9)


def crossed_mean(
    values: Iterable[Any],
    items: Iterable[Any],
    raters: Iterable[Any],
    *,
    weights: Floats | None = None,
    ends: tuple[float, float] | None = None,
    confidence: float = 0.95,
) -> Estimate:
    """A mean of ratings whose interval speaks of new raters on new items; one row a rating.

    `items` are the items, or the clusters that they come in. `ends` are the ends of what can be counted (0 and 1 for a
    share, −1 and 1 for a net gain): the interval is then made on the atanh scale, where it stays between them. Means
    and net gains have the p of a test against 0.

    >>> table = [[4, 3, 4, 5, 3], [2, 2, 3, 3, 1], [5, 4, 4, 5, 5], [3, 1, 2, 3, 2]] * 5
    >>> ratings = [(value, i, j) for i, row in enumerate(table) for j, value in enumerate(row)]
    >>> print(crossed_mean(*zip(*ratings)))
    3.200 [2.420, 3.980] · 20 items, 100 ratings
    """
    check_options(confidence, 2)
    given = numbers(values, "values")
    group, rater = coded(items, "items")[1], coded(raters, "raters")[1]
    same_length(values=given, items=group, raters=rater)
    known = ~np.isnan(given)
    if (group[known] < 0).any() or (rater[known] < 0).any():
        raise DataError("items and raters: a row with a value says neither whose nor of what. Name both.")
    counts: dict[str, Any] = {"confidence": confidence, "n_ratings": int(known.sum())}
    counts["left_out"] = {noted("without a value"): int((~known).sum())} if not known.all() else {}
    if not known.any():
        return Estimate.undefined(Message("there are no values"), n_items=0, **counts)
    y, g, r = given[known], dense(group[known]), dense(rater[known])
    w = None if weights is None else weights[known]
    value = float(y.mean() if w is None else (w / w.sum()) @ y)
    found = crossed(y, g, r, w)
    counts |= {"n_items": int(g.max()) + 1, "method": NEW_RATERS.having(df=f"{found.df:.1f}")}
    why = too_few(found, value, ends)
    if why or not found.variance > 1e-12 * max(1.0, value * value):
        return Estimate(value, note=why or ALIKE, **counts)
    se = float(np.sqrt(found.variance))
    if ends is None:
        reach = float(special.stdtrit(found.df, (1 + confidence) / 2)) * se
        p = float(2 * special.stdtr(found.df, -abs(value) / se))
        return Estimate(value, value - reach, value + reach, se=se, p=p, **counts)
    counts["method"] = clauses(counts["method"], LINEARISED)
    result = with_error(value, se, found.df, How(confidence=confidence), Bounds(*ends))
    low, high, _, _ = result.interval
    return Estimate(value, low, high, se=se, p=result.p, **counts)


def too_few(found: Crossed, value: float, ends: tuple[float, float] | None) -> Text:
    """Why no interval can speak of new raters: too few raters or items, or one outcome too rare for so many."""
    for few, uneven, n, equal, least in (
        (FEW_RATERS, UNEVEN_RATERS, found.n_raters, round(found.raters), FEWEST_RATERS),
        (FEW_GROUPS, UNEVEN_GROUPS, found.n_groups, round(found.groups), FEWEST_GROUPS),
    ):
        if equal < least:
            return few.having(n=n, least=least) if n < least else uneven.having(all=n, n=equal, least=least)
    if ends is not None and round(found.raters) < RATERS_OF_RARE:
        share = (value - ends[0]) / (ends[1] - ends[0])
        if min(share, 1 - share) < RARE:
            return TOO_RARE.having(share=f"{RARE:.0%}", n=round(found.raters), least=RATERS_OF_RARE)
    return ""
