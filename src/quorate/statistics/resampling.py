"""Resample whole clusters and turn the replicates into an interval.

A statistic is given as a function of weights: a row of weights says how often each cluster (usually an item) is in
that resample. It takes a (replicates × clusters) array and gives back one value a row, NaN where it is undefined.
Clusters that contribute the same may be given once with a `count`; the bootstrap is then exactly the same and its
cost depends on the number of different clusters, not on how many there are (see docs/method.md).

>>> import numpy as np
>>> scores = np.array([3.0, 4.0, 4.0, 5.0, 2.0, 4.0])
>>> mean = lambda weights: weights @ scores / weights.sum(axis=1)
>>> interval = bootstrap_interval(mean, 6, interval="percentile", seed=1)
>>> round(interval.low, 2), round(interval.high, 2)
(2.83, 4.33)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from quorate.errors import DataError
from quorate.messages import Message, Text

Weighted = Callable[[NDArray[np.float64]], NDArray[np.float64]]

# Draws are made in blocks of about this many weights, so that memory stays flat however many replicates are asked for.
BLOCK = 4_000_000


class Interval(NamedTuple):
    """An interval, the standard error behind it, and a sentence where either is missing or doubtful."""

    low: float | None
    high: float | None
    se: float | None
    note: Text = ""


def bootstrap_values(
    statistic: Weighted, n_clusters: int, *, count: ArrayLike | None = None, replicates: int = 10_000, seed: int = 0
) -> NDArray[np.float64]:
    """The statistic on `replicates` resamples of the clusters, NaN where it is undefined."""
    check_options(0.95, replicates)
    counts = np.ones(n_clusters, np.int64) if count is None else np.asarray(count, np.int64)
    rng = np.random.default_rng(seed)
    block = max(1, BLOCK // max(1, len(counts) if _by_pattern(counts) else int(counts.sum())))
    values = []
    for start in range(0, replicates, block):
        weights = _draw(rng, counts, min(block, replicates - start))
        with np.errstate(all="ignore"):
            values.append(np.asarray(statistic(weights), float))
    return np.concatenate(values)


def _by_pattern(counts: NDArray[np.int64]) -> bool:
    # A multinomial draw costs about 60 ns a pattern and an index draw about 3 ns an item: take the cheaper one.
    return len(counts) * 20 <= int(counts.sum())


def _draw(rng: np.random.Generator, counts: NDArray[np.int64], rows: int) -> NDArray[np.float64]:
    n, different = int(counts.sum()), len(counts)
    if _by_pattern(counts):
        return rng.multinomial(n, counts / n, size=rows).astype(float)
    picks = rng.integers(0, n, size=(rows, n))
    if different < n:
        picks = np.repeat(np.arange(different), counts)[picks]
    picks += np.arange(rows)[:, None] * different
    return np.bincount(picks.ravel(), minlength=rows * different).reshape(rows, different).astype(float)


def jackknife_values(statistic: Weighted, n_clusters: int, *, count: ArrayLike | None = None) -> NDArray[np.float64]:
    """The statistic with one cluster left out, one value for each different cluster."""
    counts = np.ones(n_clusters) if count is None else np.asarray(count, float)
    different = len(counts)
    block = max(1, BLOCK // max(1, different))
    values = []
    for start in range(0, different, block):
        rows = np.arange(start, min(start + block, different))
        weights = np.tile(counts, (len(rows), 1))
        weights[np.arange(len(rows)), rows] -= 1
        with np.errstate(all="ignore"):
            values.append(np.asarray(statistic(weights), float))
    return np.concatenate(values)


def bootstrap_interval(
    statistic: Weighted,
    n_clusters: int,
    interval: str = "bca",
    confidence: float = 0.95,
    replicates: int = 10_000,
    seed: int = 0,
    *,
    count: ArrayLike | None = None,
    left_out_one: ArrayLike | None = None,
) -> Interval:
    """A BCa or percentile interval (Efron 1987) for a statistic of resampled clusters.

    `left_out_one` may hold the jackknife values where they are known more cheaply than by recomputing.
    """
    check_options(confidence, replicates)
    counts = np.ones(n_clusters) if count is None else np.asarray(count, float)
    if counts.sum() < 2:
        return Interval(None, None, None, Message("an interval needs at least two items to resample"))
    with np.errstate(all="ignore"):
        value = float(np.asarray(statistic(counts[None, :]), float)[0])
    draws = bootstrap_values(statistic, n_clusters, count=count, replicates=replicates, seed=seed)
    defined = draws[np.isfinite(draws)]
    gone = len(draws) - len(defined)
    note = Message("undefined in {n} of {all} resamples", n=gone, all=replicates) if gone else ""
    if len(defined) < 2 or not np.isfinite(value):
        return Interval(None, None, None, note or Message("undefined in every resample"))
    se = float(defined.std(ddof=1))
    if se <= 1e-12 * max(1.0, abs(value)):
        return Interval(None, None, 0.0, Message("every resample gives the same value, so they carry no interval"))
    tail = (1 - confidence) / 2
    if interval == "percentile":
        low, high = np.quantile(defined, [tail, 1 - tail])
        return Interval(float(low), float(high), se, note)
    if interval != "bca":
        raise DataError(f"interval='{interval}' is not a bootstrap interval; say 'bca' or 'percentile'.")
    left = jackknife_values(statistic, n_clusters, count=count) if left_out_one is None else np.asarray(left_out_one)
    shares = _bca_shares(value, defined, left, counts, tail)
    if shares is None:
        why = Message("the BCa correction is undefined here; ask for interval='percentile'")
        return Interval(None, None, se, why)
    low, high = np.quantile(defined, shares)
    return Interval(float(low), float(high), se, note)


def _bca_shares(
    value: float,
    draws: NDArray[np.float64],
    left_out_one: NDArray[np.float64],
    counts: NDArray[np.float64],
    tail: float,
) -> list[float] | None:
    """Where in the sorted replicates a bias-corrected and accelerated interval ends."""
    slack = 1e-9 * max(1.0, abs(value))
    below = (np.mean(draws < value - slack) + np.mean(draws <= value + slack)) / 2
    known = np.isfinite(left_out_one)
    if not 0 < below < 1 or not known.any():
        return None
    times, left = counts[known], left_out_one[known]
    away = np.sum(times * left) / times.sum() - left
    spread = float(np.sum(times * away**2))
    if spread == 0:
        return None
    acceleration = float(np.sum(times * away**3)) / (6 * spread**1.5)
    bias = float(special.ndtri(below))
    shares = []
    for share in (tail, 1 - tail):
        z = bias + float(special.ndtri(share))
        if 1 - acceleration * z <= 0:
            return None
        shares.append(float(special.ndtr(bias + z / (1 - acceleration * z))))
    return shares


def check_options(confidence: float, replicates: int) -> None:
    """Refuse a confidence outside (0, 1) and fewer than two replicates, in a sentence."""
    if not 0 < confidence < 1:
        raise DataError(f"confidence={confidence!r} is not between 0 and 1; for a 95 % interval say confidence=0.95.")
    if replicates < 2:
        raise DataError(f"replicates={replicates!r} is too few to make an interval; the default is 10,000.")
