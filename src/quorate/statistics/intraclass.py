"""The intraclass correlations of Shrout and Fleiss (1979): reliability of scores, for one rater or for their mean."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from quorate.errors import DataError
from quorate.estimates import Estimate
from quorate.languages import noted
from quorate.messages import Message, Text, clauses

from .columns import dense
from .engine import Bounds, Floats, How, Sums, evaluate
from .estimating import NO_RATINGS
from .ratings import Ratings

FORMS = ("ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)", "ICC(3,k)")


@dataclass(frozen=True, slots=True)
class MeanSquares:
    """The analysis of variance behind every form: between items, within items, between raters, and the rest."""

    n: Any
    k: int
    items: Any
    within: Any
    raters: Any
    error: Any


def icc(
    ratings: Any,
    form: str = "ICC(2,1)",
    *,
    interval: str | None = "F",
    confidence: float = 0.95,
    replicates: int = 10_000,
    seed: int = 0,
    clusters: Any = None,
) -> Estimate:
    """An intraclass correlation (Shrout and Fleiss 1979), from the mean squares of items × raters.

    `form` is ICC(1,1) (each item has other raters), ICC(2,1) (the same raters, a sample of raters) or ICC(3,1) (these
    raters alone), or ICC(1,k), ICC(2,k), ICC(3,k) for the mean of the k raters; also written "2,1", "ICC2" or "ICC2k".
    The default interval rests on the F distribution (McGraw and Wong 1996); "linearised", "bca" and
    "percentile" take the spread of the items. p tests that the correlation is zero. Items that some rater did not
    rate are left out. F takes items as independent: with clusters the interval is the linearised one, without a p.

    >>> print(icc([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]))
    0.290 [0.019, 0.761] · 6 items, 24 ratings
    """
    kind, average = _form(form)
    read = Ratings.read(ratings, None, clusters)
    name = f"ICC({kind},{'k' if average else 1})"
    if read.n_items == 0:
        return Estimate.undefined(NO_RATINGS, confidence=confidence, method=name)
    scores, groups, left_out = _complete(read)
    counts: dict[str, Any] = {"n_items": len(scores), "n_ratings": int(scores.size), "confidence": confidence}
    counts["left_out"] = {noted("items that not every rater rated"): left_out} if left_out else {}
    if scores.shape[1] < 2 or len(scores) < 2:
        short = Message("there is only one rater, and reliability needs two")
        if scores.shape[1] >= 2:
            short = Message("fewer than two items were rated by every rater, and reliability needs two")
        return Estimate.undefined(short, method=name, **counts)
    sums = _sums(scores, groups, kind, average)
    value = float(sums.value(sums.totals))
    if not np.isfinite(value):
        return Estimate.undefined(Message("the scores do not vary"), method=name, **counts)
    squares = _mean_squares(sums.totals if groups is None else _contributions(scores).sum(axis=0), scores.shape[1])
    p = _p_value(squares, kind) if groups is None else None
    if interval == "F" and groups is not None:
        interval = "linearised"
    if interval == "F":
        low, high, note = _f_interval(squares, kind, average, value, confidence)
        return Estimate(value, low, high, p=p, note=note, method=clauses(name, "F"), **counts)
    how = How(interval, confidence, replicates, seed)
    found = evaluate(sums, how, Bounds(-1.0, 1.0)).interval
    return Estimate(
        value, found.low, found.high, se=found.se, p=p, note=found.note, method=clauses(name, how.words), **counts
    )


def icc_forms(ratings: Any, *, confidence: float = 0.95) -> dict[str, Estimate]:
    """All six forms by name, each with its F interval.

    >>> list(icc_forms([[1, 2], [3, 3], [5, 4]]))
    ['ICC(1,1)', 'ICC(2,1)', 'ICC(3,1)', 'ICC(1,k)', 'ICC(2,k)', 'ICC(3,k)']
    """
    read = Ratings.read(ratings)
    return {form: icc(read, form, confidence=confidence) for form in FORMS}


def _form(form: str) -> tuple[int, bool]:
    found = re.fullmatch(r"\s*(?:icc)?\s*\(?\s*([123])\s*,?\s*([1k]?)\s*\)?\s*", str(form), re.IGNORECASE)
    if found is None:
        raise DataError(f"form='{form}' is unknown; say one of {', '.join(FORMS)}.")
    return int(found[1]), found[2].lower() == "k"


def _complete(ratings: Ratings) -> tuple[Floats, NDArray[np.int64] | None, int]:
    """The scores of the items that every rater rated, one row an item."""
    everyone = ratings.per_item == ratings.n_raters
    scores = ratings.numbers[ratings.by_rater[:, everyone].T]
    groups = None if ratings.clusters is None else dense(ratings.clusters[everyone])
    # Far from zero squares would lose digits; a constant added to every score changes nothing.
    return scores - (scores.mean() if scores.size else 0), groups, int((~everyone).sum()) + ratings.empty_items


def _contributions(scores: Floats) -> Floats:
    ones = np.ones(len(scores))
    return np.column_stack([ones, scores, (scores**2).sum(axis=1), scores.sum(axis=1) ** 2])


def _sums(scores: Floats, groups: NDArray[np.int64] | None, kind: int, average: bool) -> Sums:
    value = partial(_icc, k=scores.shape[1], kind=kind, average=average)
    sums = Sums(_contributions(scores), np.ones(len(scores), np.int64), value)
    return sums if groups is None else sums.by_cluster(np.arange(len(scores)), groups)


def _mean_squares(totals: NDArray, k: int) -> MeanSquares:
    n, by_rater = totals[..., 0], totals[..., 1 : k + 1]
    squares, rows = totals[..., k + 1], totals[..., k + 2]
    centre = by_rater.sum(axis=-1) ** 2 / (n * k)
    items = rows / k - centre
    raters = (by_rater**2).sum(axis=-1) / n - centre
    within = squares - rows / k
    error = within - raters
    tiny = 1e-12 * np.abs(squares)
    error = np.where(np.abs(error) < tiny, 0, error)
    return MeanSquares(n, k, items / (n - 1), within / (n * (k - 1)), raters / (k - 1), error / ((n - 1) * (k - 1)))


def _icc(totals: NDArray, k: int, kind: int, average: bool) -> NDArray:
    ms = _mean_squares(totals, k)
    noise = ms.within if kind == 1 else ms.error
    between_raters = k * (ms.raters - ms.error) / ms.n if kind == 2 else 0
    below = ms.items + (between_raters / k if average else (k - 1) * noise + between_raters)
    with np.errstate(all="ignore"):
        return (ms.items - noise) / np.where(np.abs(below) < 1e-12 * np.abs(totals[..., k + 1]), np.nan, below)


def _p_value(ms: MeanSquares, kind: int) -> float:
    noise = float(ms.within if kind == 1 else ms.error)
    if noise <= 0:
        return 0.0
    df = ms.n * (ms.k - 1) if kind == 1 else (ms.n - 1) * (ms.k - 1)
    return float(special.fdtrc(ms.n - 1, df, ms.items / noise))


def _f_interval(
    ms: MeanSquares, kind: int, average: bool, value: float, confidence: float
) -> tuple[float | None, float | None, Text]:
    if float(ms.within if kind == 1 else ms.error) <= 0:
        return None, None, Message("the raters agree fully, so the scores carry no interval")
    share = (1 + confidence) / 2
    low, high = _two_way_limits(ms, share) if kind == 2 else _one_noise_limits(ms, kind, share)
    if average:
        k = ms.k
        low, high = (k * end / (1 + (k - 1) * end) for end in (low, high))
    # With hardly any degrees of freedom the ends are beyond what numbers hold, or on one side of the value.
    if not low - 1e-9 <= value <= high + 1e-9:
        return None, None, Message("the scores are too few for an interval")
    return float(low), float(high), ""


def _one_noise_limits(ms: MeanSquares, kind: int, share: float) -> tuple[float, float]:
    df_items = ms.n - 1
    df = ms.n * (ms.k - 1) if kind == 1 else (ms.n - 1) * (ms.k - 1)
    ratio = ms.items / (ms.within if kind == 1 else ms.error)
    below = ratio / special.fdtri(df_items, df, share)
    above = ratio * special.fdtri(df, df_items, share)
    return (below - 1) / (below + ms.k - 1), (above - 1) / (above + ms.k - 1)


def _two_way_limits(ms: MeanSquares, share: float) -> tuple[float, float]:
    """Satterthwaite's degrees of freedom, as Shrout and Fleiss give them for ICC(2,1)."""
    n, k = ms.n, ms.k
    rho = (ms.items - ms.error) / (ms.items + (k - 1) * ms.error + k * (ms.raters - ms.error) / n)
    ratio = ms.raters / ms.error
    rest = n * (1 + (k - 1) * rho) - k * rho
    df = (k - 1) * (n - 1) * (k * rho * ratio + rest) ** 2 / ((n - 1) * (k * rho * ratio) ** 2 + rest**2)
    upper, lower = special.fdtri(n - 1, df, share), special.fdtri(df, n - 1, share)
    others = k * ms.raters + (k * n - k - n) * ms.error
    with np.errstate(invalid="ignore", over="ignore"):
        low = n * (ms.items - upper * ms.error) / (upper * others + n * ms.items)
    high = n * (lower * ms.items - ms.error) / (others + n * lower * ms.items)
    return low, high
