"""One engine for every agreement coefficient: a smooth function of sums of what each item contributes.

A coefficient hands in a table of contributions (one row for each different item, with how many items have it) and
the function of their totals. The point estimate, the standard error by linearisation, the jackknife, the BCa and the
percentile interval all come from these two.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import special

from quorate.errors import DataError, did_you_mean
from quorate.messages import Message

from .resampling import Interval, bootstrap_interval, check_options

Floats = NDArray[np.float64]
INTERVALS = ("linearised", "bca", "percentile", "jackknife", "asymptotic", "gwet")
STEP = 1e-30
#: The intervals that are symmetric on the atanh scale.
LINEARISED, JACKKNIFED = Message("linearised, atanh scale"), Message("jackknife, atanh scale")


class Smooth(Protocol):
    """What the engine asks of a coefficient; `count` says how many items (or clusters) each row stands for."""

    @property
    def count(self) -> NDArray[np.int64]: ...

    def at(self, weights: Floats) -> Floats:
        """The coefficient when row p is taken weights[:, p] times."""

    def influence(self) -> Floats:
        """How much each row moves the coefficient: its derivative by the row's weight."""

    def left_out_one(self) -> Floats:
        """The coefficient with one item less, for each row; to first order where that is much cheaper."""


@dataclass
class Sums:
    """A coefficient as `value(totals)`, with totals = Σ count × contributions.

    `value` takes an array whose last axis holds the totals; it is written with arithmetic alone, so that it can also
    be asked at complex numbers: the derivative is then exact (Squire and Trapp 1998), with no formula to get wrong.
    """

    contributions: Floats
    count: NDArray[np.int64]
    value: Callable[[NDArray], NDArray]

    @cached_property
    def totals(self) -> Floats:
        return self.count @ self.contributions

    def at(self, weights: Floats) -> Floats:
        return self.value(weights @ self.contributions)

    def influence(self) -> Floats:
        return self.contributions @ self._gradient()

    def left_out_one(self) -> Floats:
        return np.asarray(self.value(self.totals - self.contributions), float)

    def _gradient(self) -> Floats:
        size = len(self.totals)
        block = max(1, 2_000_000 // max(1, size))
        parts = []
        for start in range(0, size, block):
            rows = np.arange(start, min(start + block, size))
            moved = np.tile(self.totals.astype(complex), (len(rows), 1))
            moved[np.arange(len(rows)), rows] += 1j * STEP
            parts.append(np.imag(self.value(moved)) / STEP)
        return np.concatenate(parts)

    def by_cluster(self, row_of_item: NDArray[np.int64], clusters: NDArray[np.int64]) -> Sums:
        """The same coefficient with one row a cluster."""
        table = sum_by_cluster(self.contributions, row_of_item, clusters)
        return Sums(table, np.ones(len(table), np.int64), self.value)


def sum_by_cluster(table: Floats, row_of_item: NDArray[np.int64], clusters: NDArray[np.int64]) -> Floats:
    """What the items of each cluster contribute together."""
    return np.stack([np.bincount(clusters, weights=column[row_of_item]) for column in table.T], axis=1)


@dataclass(frozen=True, slots=True)
class How:
    """How an interval is asked for; checked when it is made, so that a slip is a sentence."""

    interval: str | None = "linearised"
    confidence: float = 0.95
    replicates: int = 10_000
    seed: int = 0
    raters: str = "these"

    def __post_init__(self) -> None:
        check_options(self.confidence, self.replicates)
        if self.interval is not None and self.interval not in INTERVALS:
            known = ", ".join(INTERVALS)
            hint = did_you_mean(str(self.interval), INTERVALS)
            raise DataError(f"interval='{self.interval}' is unknown; say one of {known}, or None.{hint}")
        if self.raters not in ("these", "new"):
            raise DataError(
                f"raters='{self.raters}' is unknown; say 'these' (new items alone) or 'new' (new raters too)."
            )

    @property
    def words(self) -> Message:
        """How the interval is made, as a method says it."""
        drawn: dict[str, Any] = {"n": self.replicates, "seed": str(self.seed)}
        return {
            None: Message("no interval"),
            "linearised": LINEARISED,
            "bca": Message("BCa bootstrap, {n} replicates, seed {seed}", **drawn),
            "percentile": Message("percentile bootstrap, {n} replicates, seed {seed}", **drawn),
            "jackknife": Message("jackknife, t"),
            "asymptotic": Message("delta method, normal"),
            "gwet": Message("Gwet's variance, t"),
        }[self.interval]


@dataclass(frozen=True, slots=True)
class Bounds:
    """What the coefficient can be: the interval is made on a scale that keeps it inside."""

    low: float = -1.0
    high: float = 1.0


BETWEEN = Bounds()


@dataclass(frozen=True, slots=True)
class Result:
    """What the engine found: the value (NaN: undefined), its interval and a p-value for zero."""

    value: float
    interval: Interval = field(default_factory=lambda: Interval(None, None, None))
    p: float | None = None


def evaluate(
    smooth: Smooth,
    how: How,
    bounds: Bounds = BETWEEN,
    gwet: Floats | None = None,
    jackknife: bool = False,
    df: int | None = None,
) -> Result:
    """The coefficient with the interval that was asked for.

    `gwet` holds Gwet's own influence of each row where it differs from the derivative; `jackknife` takes the standard
    error of a linearised interval from the jackknife; `df` are t's degrees of freedom where they are not one less than
    what is resampled.
    """
    counts = smooth.count.astype(float)
    with np.errstate(all="ignore"):
        value = float(np.real(smooth.at(counts[None, :])[0])) if len(counts) else np.nan
    if not np.isfinite(value) or how.interval is None:
        return Result(value)
    if counts.sum() < 2:
        return Result(value, Interval(None, None, None, Message("one item gives a value but no interval")))
    if how.interval in ("bca", "percentile"):
        with np.errstate(all="ignore"):
            left = smooth.left_out_one() if how.interval == "bca" else None
        options = (how.interval, how.confidence, how.replicates, how.seed)
        return Result(
            value, bootstrap_interval(smooth.at, len(counts), *options, count=smooth.count, left_out_one=left)
        )
    df = int(counts.sum()) - 1 if df is None else df
    return with_error(value, standard_error(smooth, how, gwet, jackknife), df, how, bounds)


def standard_error(smooth: Smooth, how: How, gwet: Floats | None = None, jackknife: bool = False) -> float:
    """The standard error over items: linearised, by the jackknife, or Gwet's."""
    counts = smooth.count.astype(float)
    n = counts.sum()
    if how.interval == "jackknife" or (jackknife and how.interval == "linearised"):
        with np.errstate(all="ignore"):
            left = smooth.left_out_one()
        mean = np.sum(counts * left) / n
        return float(np.sqrt((n - 1) / n * np.sum(counts * (left - mean) ** 2)))
    with np.errstate(all="ignore"):
        moves = gwet if how.interval == "gwet" and gwet is not None else smooth.influence()
    variance = float(np.sum(counts * _centred(moves, counts) ** 2))
    return float(np.sqrt(variance if how.interval == "asymptotic" else variance * n / (n - 1)))


def _centred(moves: Floats, counts: Floats) -> Floats:
    return moves - np.sum(counts * moves) / counts.sum()


def first_order(smooth: Smooth) -> Floats:
    """The coefficient with one item less, by its derivative: all that the acceleration of a BCa interval needs."""
    counts = smooth.count.astype(float)
    return smooth.at(counts[None, :])[0] - _centred(smooth.influence(), counts)


def with_error(value: float, se: float, df: float, how: How, bounds: Bounds) -> Result:
    """An interval from a standard error: on the atanh scale of the coefficient's range, or plain."""
    if not np.isfinite(se):
        return Result(value, Interval(None, None, None, Message("the standard error is undefined here")))
    if se <= 1e-12:
        why = Message("no item differs from the others, so they carry no interval")
        return Result(value, Interval(None, None, 0.0, why))
    share = 1 - (1 - how.confidence) / 2
    times = float(special.ndtri(share)) if how.interval == "asymptotic" else float(special.stdtrit(df, share))
    middle, half = (bounds.high + bounds.low) / 2, (bounds.high - bounds.low) / 2
    scaled = (value - middle) / half
    if how.interval != "linearised" or abs(scaled) >= 1:
        low, high = value - times * se, min(value + times * se, bounds.high)
        low = max(low, bounds.low) if value >= bounds.low else low
        return Result(value, Interval(low, high, se), _p_value(value / se, df, how) if middle == 0 else None)
    spread = se / half / (1 - scaled**2)
    ends = [middle + half * float(np.tanh(np.arctanh(scaled) + sign * times * spread)) for sign in (-1, 1)]
    p = _p_value(float(np.arctanh(scaled)) / spread, df, how) if middle == 0 else None
    return Result(value, Interval(ends[0], ends[1], se), p)


def _p_value(ratio: float, df: float, how: How) -> float:
    if how.interval == "asymptotic":
        return float(2 * special.ndtr(-abs(ratio)))
    return float(2 * special.stdtr(df, -abs(ratio)))
