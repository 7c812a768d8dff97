"""Proportions and their differences: counts that are independent, paired, or clustered."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from quorate.errors import DataError
from quorate.estimates import Estimate
from quorate.languages import noted
from quorate.messages import Message, Text

from .columns import CLUSTERS, coded, grouped, is_missing, listed, numbers, same_length
from .resampling import bootstrap_interval, check_options

Floats = NDArray[np.float64]
WILSON, CLOPPER_PEARSON = Message("Wilson"), Message("Clopper-Pearson")
#: Wilson's interval where values of one cluster go together, and where they are weighted.
EFFECTIVE_WILSON = Message("Wilson at an effective n of {size}, by {group}", **CLUSTERS)
WILSON_OF_ONE, WEIGHTED_WILSON = Message("Wilson by {group}", **CLUSTERS), Message("Wilson at the effective number")
WILSONS = (WILSON, EFFECTIVE_WILSON, WILSON_OF_ONE, WEIGHTED_WILSON)
NO_ITEMS = Message("there are no items")


def _checked(successes: Any, n: Any) -> tuple[int, int]:
    for what, number in (("successes", successes), ("n", n)):
        if isinstance(number, bool) or not isinstance(number, int | float | np.number) or number != int(number):
            raise DataError(f"{what}={number!r} is not a whole number.")
    if not 0 <= successes <= n:
        raise DataError(f"{int(successes)} successes of {int(n)} is impossible; successes lie between 0 and n.")
    return int(successes), int(n)


def wilson_bounds(successes: float, n: float, confidence: float) -> tuple[float, float]:
    """Where Wilson's (1927) interval ends; successes and n need not be whole (an effective n is not)."""
    z = float(special.ndtri((1 + confidence) / 2))
    p = successes / n
    middle = p + z * z / (2 * n)
    reach = z * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    low, high = (middle - reach) / (1 + z * z / n), (middle + reach) / (1 + z * z / n)
    return (0.0 if successes == 0 else float(low)), (1.0 if successes == n else float(high))


def wilson(successes: int, n: int, *, confidence: float = 0.95) -> Estimate:
    """A proportion with Wilson's (1927) score interval, for n independent items.

    >>> print(wilson(81, 263))
    0.308 [0.255, 0.366] · 263 items
    """
    check_options(confidence, 2)
    k, n = _checked(successes, n)
    if n == 0:
        return Estimate.undefined(NO_ITEMS, confidence=confidence, n_items=0, method=WILSON)
    low, high = wilson_bounds(k, n, confidence)
    p = k / n
    return Estimate(p, low, high, confidence, se=float(np.sqrt(p * (1 - p) / n)), n_items=n, method=WILSON)


def clopper_pearson(successes: int, n: int, *, confidence: float = 0.95) -> Estimate:
    """A proportion with the exact interval of Clopper and Pearson (1934): never too short, often too long.

    >>> print(clopper_pearson(81, 263))
    0.308 [0.253, 0.368] · 263 items
    """
    check_options(confidence, 2)
    k, n = _checked(successes, n)
    if n == 0:
        return Estimate.undefined(NO_ITEMS, confidence=confidence, n_items=0, method=CLOPPER_PEARSON)
    tail = (1 - confidence) / 2
    low = 0.0 if k == 0 else float(special.betaincinv(k, n - k + 1, tail))
    high = 1.0 if k == n else float(special.betaincinv(k + 1, n - k, 1 - tail))
    p = k / n
    return Estimate(p, low, high, confidence, se=float(np.sqrt(p * (1 - p) / n)), n_items=n, method=CLOPPER_PEARSON)


def newcombe(successes_1: int, n_1: int, successes_2: int, n_2: int, *, confidence: float = 0.95) -> Estimate:
    """The difference of two independent proportions, p₁ − p₂, from their Wilson intervals (Newcombe 1998, method 10).

    >>> print(newcombe(56, 70, 48, 80))
    0.200 [0.052, 0.334] · 150 items
    """
    check_options(confidence, 2)
    a, n = _checked(successes_1, n_1)
    b, m = _checked(successes_2, n_2)
    if n == 0 or m == 0:
        empty = Message("one of the groups is empty")
        return Estimate.undefined(empty, confidence=confidence, n_items=n + m, method=Message("Newcombe"))
    p, q = a / n, b / m
    low_1, high_1 = wilson_bounds(a, n, confidence)
    low_2, high_2 = wilson_bounds(b, m, confidence)
    low = p - q - float(np.hypot(p - low_1, high_2 - q))
    high = p - q + float(np.hypot(high_1 - p, q - low_2))
    se = float(np.sqrt(p * (1 - p) / n + q * (1 - q) / m))
    return Estimate(p - q, low, high, confidence, se=se, n_items=n + m, method=Message("Newcombe, method 10"))


def mcnemar(
    a: Any, b: Any = None, *, exact: bool = True, correction: bool = False, confidence: float = 0.95
) -> Estimate:
    """The difference of two paired proportions, with McNemar's (1947) test of no difference.

    Give two columns of right/wrong (True, False or 1, 0), or a 2 × 2 table [[both, first only], [second only,
    neither]]. p is exact (binomial) by default; with exact=False it is χ², continuity-corrected on request. The
    interval is Newcombe's (1998) method 10 for paired proportions.

    >>> mcnemar([[101, 121], [59, 33]], exact=False).p < 0.001
    True
    """
    check_options(confidence, 2)
    both, first, second, neither = _paired_counts(a, b)
    n = both + first + second + neither
    how = Message("McNemar, exact") if exact else Message("McNemar, χ²")
    if correction and not exact:
        how = Message("McNemar, χ², corrected")
    if n == 0:
        return Estimate.undefined(Message("there are no pairs"), confidence=confidence, n_items=0, method=how)
    low, high = _paired_newcombe(both, first, second, neither, confidence)
    value = (first - second) / n
    se = float(np.sqrt((first + second) / n - value**2) / np.sqrt(n))
    p = _mcnemar_p(first, second, exact, correction)
    note = "" if first + second else Message("the two never differ")
    return Estimate(value, low, high, confidence, se=se, p=p, n_items=n, method=how, note=note)


def _paired_counts(a: Any, b: Any) -> tuple[int, int, int, int]:
    if b is None:
        table = np.asarray(a)
        if table.shape != (2, 2) or (table < 0).any() or (table != np.round(table)).any():
            raise DataError("McNemar's table is 2 × 2 counts: [[both, first only], [second only, neither]].")
        return tuple(int(k) for k in table.ravel())  # type: ignore[return-value]
    first, second = _right_or_wrong(a, "a"), _right_or_wrong(b, "b")
    if len(first) != len(second):
        raise DataError(f"the columns have {len(first)} and {len(second)} rows; McNemar compares pairs.")
    known = ~(np.isnan(first) | np.isnan(second))
    x, y = first[known] == 1, second[known] == 1
    return int((x & y).sum()), int((x & ~y).sum()), int((~x & y).sum()), int((~x & ~y).sum())


def _right_or_wrong(values: Any, name: str) -> Floats:
    if isinstance(values, np.ndarray) and values.dtype.kind in "biuf" and values.ndim == 1:
        given = values.astype(float)
        if ((given == 0) | (given == 1) | np.isnan(given)).all():
            return given
    column = listed(values, name)
    out = np.full(len(column), np.nan)
    for place, value in enumerate(column):
        if is_missing(value):
            continue
        if value not in (0, 1):
            raise DataError(f"{name}[{place}]: {value!r} is neither right (True, 1) nor wrong (False, 0).")
        out[place] = float(value)
    return out


def _mcnemar_p(first: int, second: int, exact: bool, correction: bool) -> float:
    changed = first + second
    if changed == 0:
        return 1.0
    if exact:
        return float(min(1.0, 2 * special.bdtr(min(first, second), changed, 0.5)))
    gap = max(0.0, abs(first - second) - (1.0 if correction else 0.0))
    return float(special.chdtrc(1, gap**2 / changed))


def _paired_newcombe(both: int, first: int, second: int, neither: int, confidence: float) -> tuple[float, float]:
    n = both + first + second + neither
    p, q = (both + first) / n, (both + second) / n
    low_1, high_1 = wilson_bounds(both + first, n, confidence)
    low_2, high_2 = wilson_bounds(both + second, n, confidence)
    margins = (both + first) * (second + neither) * (both + second) * (first + neither)
    tilt = both * neither - first * second
    # Newcombe (1998b): the correlation is continuity-corrected when positive, and 0 when a margin is empty.
    phi = 0.0 if margins == 0 else (max(tilt - n / 2, 0.0) if tilt > 0 else tilt) / np.sqrt(margins)
    down = (p - low_1) ** 2 - 2 * phi * (p - low_1) * (high_2 - q) + (high_2 - q) ** 2
    up = (q - low_2) ** 2 - 2 * phi * (q - low_2) * (high_1 - p) + (high_1 - p) ** 2
    return float(p - q - np.sqrt(max(down, 0))), float(p - q + np.sqrt(max(up, 0)))


def proportion(
    values: Any,
    *,
    clusters: Any = None,
    interval: str | None = "wilson",
    confidence: float = 0.95,
    replicates: int = 10_000,
    seed: int = 0,
) -> Estimate:
    """A share of right (or wrong) values, whose interval knows that values of one cluster go together.

    The interval is Wilson's at the effective sample size n / design effect, with the design effect from the variance
    between clusters (Korn and Graubard 1998 take the same n into Clopper and Pearson's); or a "bca" or "percentile"
    bootstrap of whole clusters. Without clusters it is Wilson's own.

    >>> print(proportion([1, 1, 0, 1, 1, 1], clusters=["a", "a", "b", "b", "c", "c"]))
    0.833 [0.149, 0.993] · 3 items, 6 ratings
    """
    check_options(confidence, replicates)
    given = _right_or_wrong(values, "values")
    known = ~np.isnan(given)
    right, group = given[known], grouped(clusters, known)
    left_out = {noted("without a value"): int((~known).sum())} if not known.all() else {}
    n_clusters = int(group.max()) + 1 if len(group) else 0
    counts: dict[str, Any] = {"n_items": n_clusters, "left_out": left_out, "confidence": confidence}
    if clusters is not None:
        counts["n_ratings"] = len(right)
    if len(right) == 0:
        return Estimate.undefined(Message("there are no values"), **counts)
    sums = np.bincount(group, weights=right).astype(float)
    sizes = np.bincount(group).astype(float)
    p = float(right.mean())
    se = _ratio_error(sums, sizes, p)
    if interval is None:
        return Estimate(p, se=se, method=Message("proportion"), **counts)
    if interval in ("bca", "percentile"):
        found = bootstrap_interval(
            lambda w: (w @ sums) / (w @ sizes), n_clusters, interval, confidence, replicates, seed
        )
        how = (
            Message("bca by {group}", **CLUSTERS) if interval == "bca" else Message("percentile by {group}", **CLUSTERS)
        )
        return Estimate(p, found.low, found.high, se=found.se, note=found.note, method=how, **counts)
    if interval != "wilson":
        raise DataError(
            f"interval='{interval}' is unknown for a proportion; say 'wilson', 'bca', 'percentile' or None."
        )
    if clusters is None:
        low, high = wilson_bounds(int(right.sum()), len(right), confidence)
        return Estimate(p, low, high, se=float(np.sqrt(p * (1 - p) / len(right))), method=WILSON, **counts)
    return _clustered_wilson(p, se, sums, sizes, counts)


def _ratio_error(sums: Floats, sizes: Floats, p: float) -> float | None:
    """The linearised standard error of a ratio of cluster totals."""
    n = len(sums)
    if n < 2:
        return None
    return float(np.sqrt(n / (n - 1) * np.sum((sums - p * sizes) ** 2)) / sizes.sum())


def _clustered_wilson(p: float, se: float | None, sums: Floats, sizes: Floats, counts: dict[str, Any]) -> Estimate:
    n, clusters, confidence = float(sizes.sum()), len(sums), counts["confidence"]
    if se is None:
        why = Message("one {group} gives a value but no interval", **CLUSTERS)
        return Estimate(p, note=why, method=WILSON_OF_ONE, **counts)
    note: Text = ""
    if se == 0:
        # All values alike tell nothing about how clusters differ; each cluster then counts as one value.
        effective, note = (
            float(clusters),
            Message("every {group} has the same share, so each counts as one value", **CLUSTERS),
        )
    else:
        # Student's t with few clusters, put as a smaller n (Korn and Graubard 1998).
        z, t = special.ndtri((1 + confidence) / 2), special.stdtrit(clusters - 1, (1 + confidence) / 2)
        effective = min(n, p * (1 - p) / se**2) * (z / t) ** 2
    low, high = wilson_bounds(p * effective, effective, confidence)
    method = EFFECTIVE_WILSON.having(size=f"{effective:.1f}")
    return Estimate(p, low, high, se=se, note=note, method=method, **counts)


def difference(
    values: Any,
    groups: Any,
    *,
    clusters: Any = None,
    interval: str | None = "linearised",
    confidence: float = 0.95,
    replicates: int = 10_000,
    seed: int = 0,
) -> Estimate:
    """The difference of two groups' means or shares (first group in order minus second), robust to clusters.

    Values of one cluster go together, also across the groups: an item that both systems answered is one cluster. The
    standard error is linearised over clusters (t with clusters − 1); "bca" and "percentile" resample clusters.

    >>> print(difference([1, 1, 0, 1, 0, 0, 1, 0], list("aaaabbbb"), interval=None))
    0.500 · 8 items
    """
    check_options(confidence, replicates)
    given = numbers(values, "values")
    names, group = coded(groups, "groups")
    same_length(values=given, groups=group)
    if len(names) != 2:
        raise DataError(Message("difference compares two groups; groups= names {n}", n=len(names)))
    known = ~np.isnan(given) & (group >= 0)
    ordered = sorted(names, key=str)
    first = group[known] == names.index(ordered[0])
    cluster = grouped(clusters, known)
    value = given[known]
    counts: dict[str, Any] = {"n_items": int(cluster.max()) + 1 if len(cluster) else 0, "confidence": confidence}
    counts["left_out"] = {noted("without a value"): int((~known).sum())} if not known.all() else {}
    both = {"first": str(ordered[0]), "second": str(ordered[1])}
    counts["method"] = Message("{first} − {second}, unpaired", **both)
    if clusters is not None:
        counts |= {"n_ratings": len(value), "method": Message("{first} − {second}, by {group}", **both, **CLUSTERS)}
    if first.all() or not first.any():
        return Estimate.undefined(Message("one of the groups has no values"), **counts)
    columns = [np.bincount(cluster, weights=w) for w in (first * value, first, ~first * value, ~first)]
    return _difference(np.stack(columns, axis=1), interval, confidence, replicates, seed, counts)


def _difference(
    sums: Floats, interval: str | None, confidence: float, replicates: int, seed: int, counts: dict[str, Any]
) -> Estimate:
    def at(weights: Floats) -> Floats:
        totals = weights @ sums
        return totals[:, 0] / totals[:, 1] - totals[:, 2] / totals[:, 3]

    n = len(sums)
    value = float(at(np.ones((1, n)))[0])
    if interval is None:
        return Estimate(value, **counts)
    if interval in ("bca", "percentile"):
        found = bootstrap_interval(at, n, interval, confidence, replicates, seed)
        return Estimate(value, found.low, found.high, se=found.se, note=found.note, **counts)
    if interval != "linearised":
        raise DataError(f"interval='{interval}' is unknown here; say 'linearised', 'bca', 'percentile' or None.")
    total = sums.sum(axis=0)
    moves = (sums[:, 0] - total[0] / total[1] * sums[:, 1]) / total[1]
    moves = moves - (sums[:, 2] - total[2] / total[3] * sums[:, 3]) / total[3]
    se = float(np.sqrt(n / (n - 1) * np.sum(moves**2))) if n > 1 else 0.0
    if se == 0:
        return Estimate(
            value, note=Message("the {groups} do not differ, so they carry no interval", **CLUSTERS), **counts
        )
    reach = float(special.stdtrit(n - 1, (1 + confidence) / 2)) * se
    p = float(2 * special.stdtr(n - 1, -abs(value) / se))
    return Estimate(value, value - reach, value + reach, se=se, p=p, **counts)
