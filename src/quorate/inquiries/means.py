"""A mean of numbers whose interval knows which of them go together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import special

from quorate.languages import noted
from quorate.messages import Message, Word
from quorate.records import Estimate
from quorate.sheets.columns import Ints
from quorate.statistics.columns import dense

NO_VALUES = Message("there are no values")
#: An error of a mean that is smaller than this is none.
NOISE = 1e-12


def mean(values: Sequence[float] | np.ndarray, *, clusters: Any = None, confidence: float = 0.95) -> Estimate:
    """The mean of the values; the interval is t's with the standard error linearised over clusters.

    The mean is a ratio of cluster totals, and SE² = k/(k − 1) Σ (total_j − m n_j)² / n² over k clusters (Cochran 1977,
    Sampling Techniques, sec. 6.3); without clusters that is the usual s² / n.

    >>> print(mean([1, 2, 3, 4]))
    2.500 [0.446, 4.554] · 4 items
    """
    given = np.asarray(values, float)
    known = ~np.isnan(given)
    numbers = given[known]
    groups = np.arange(len(numbers)) if clusters is None else _renumbered(np.asarray(clusters)[known])
    k = int(groups.max()) + 1 if len(groups) else 0
    counts: dict[str, Any] = {"n_items": k, "confidence": confidence, "method": Message("mean, t interval")}
    if clusters is not None:
        counts |= {"n_ratings": len(numbers), "method": Message("mean, t interval by cluster")}
    if not known.all():
        counts["left_out"] = {noted("without a value"): int((~known).sum())}
    if not len(numbers):
        return Estimate.undefined(NO_VALUES, **counts)
    value = float(numbers.mean())
    if k < 2:
        return Estimate(
            value, note=Message("one {group} gives a value but no interval", group=Word("cluster")), **counts
        )
    moves = np.bincount(groups, weights=numbers - value)
    se = float(np.sqrt(k / (k - 1) * (moves**2).sum()) / len(numbers))
    # What is equal on paper differs by the noise of adding and dividing.
    if se <= NOISE * max(1.0, abs(value)):
        why = Message("every value is the same, which gives no interval")
        if np.ptp(numbers) > 0:
            why = Message("the mean of every {group} is the same, which gives no interval", group=Word("cluster"))
        return Estimate(value, se=0.0, note=why, **counts)
    half = float(special.stdtrit(k - 1, (1 + confidence) / 2)) * se
    return Estimate(value, value - half, value + half, se=se, **counts)


def mean_of_means(
    values: np.ndarray, groups: Sequence[str] | Ints, *, clusters: Any = None, confidence: float = 0.95
) -> Estimate:
    """The mean over groups of each group's mean, every group counting the same; groups are taken as given.

    The standard error is linearised over clusters, which may hold values of several groups.

    >>> print(mean_of_means([1, 3, 2, 2, 6], ["a", "a", "b", "b", "b"]))
    2.667 [0.652, 4.681] · 5 items
    """
    given = np.asarray(values, float)
    known = ~np.isnan(given)
    numbers, names = given[known], _renumbered(np.asarray(groups)[known])
    cluster = np.arange(len(numbers)) if clusters is None else _renumbered(np.asarray(clusters)[known])
    method = Message("mean of the groups’ means")
    counts: dict[str, Any] = {"confidence": confidence, "n_items": len(numbers), "method": method}
    if not len(numbers):
        return Estimate.undefined(NO_VALUES, **counts)
    sizes = np.bincount(names)
    means = np.bincount(names, weights=numbers) / sizes
    value, k = float(means.mean()), int(cluster.max()) + 1
    # Each (group, cluster) once: how many clusters a group has.
    cells = (
        np.flatnonzero(np.bincount(names * k + cluster, minlength=1))
        if len(sizes) * k < 50 * len(names) + 1000
        else (np.unique(names * k + cluster))
    )
    if (np.bincount(cells // k, minlength=len(sizes)) < 2).any():
        return Estimate(value, note=Message("a group with one cluster leaves no interval"), **counts)
    moves = np.bincount(cluster, weights=(numbers - means[names]) / sizes[names]) / len(sizes)
    se = float(np.sqrt(k / (k - 1) * (moves**2).sum()))
    if se == 0:
        why = Message("every value is its group’s mean, which gives no interval")
        return Estimate(value, se=0.0, note=why, **counts)
    half = float(special.stdtrit(k - 1, (1 + confidence) / 2)) * se
    return Estimate(value, value - half, value + half, se=se, **counts)


def _renumbered(labels: np.ndarray) -> Ints:
    return dense(labels) if len(labels) else np.zeros(0, np.int64)
