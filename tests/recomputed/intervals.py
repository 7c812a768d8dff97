"""Intervals by other people's libraries: Wilson, t over clusters, and an infinitesimal jackknife on the atanh scale."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import statsmodels.api as sm
from scipy.stats import norm, t
from statsmodels.stats.proportion import proportion_confint

from recomputed.study import Told

CONFIDENCE = 0.95
TAIL = (1 + CONFIDENCE) / 2


def wilson(count: float, n: float) -> tuple[float, float]:
    low, high = proportion_confint(count, n, 1 - CONFIDENCE, method="wilson")
    return (0.0 if count == 0 else float(low)), (1.0 if count == n else float(high))


def clustered_se(values: Sequence[float], clusters: Sequence[Any]) -> float | None:
    """The standard error of a mean by statsmodels' cluster-robust covariance; None for one cluster."""
    codes = np.unique(np.asarray(clusters), return_inverse=True)[1]
    if codes.max(initial=0) < 1:
        return None
    fit = sm.OLS(np.asarray(values, float), np.ones(len(codes))).fit(cov_type="cluster", cov_kwds={"groups": codes})
    return float(fit.bse[0])


def contrast_se(design: np.ndarray, values: np.ndarray, clusters: Sequence[Any], contrast: np.ndarray) -> float:
    """The standard error of a contrast of coefficients: the sandwich over k clusters, times k / (k − 1)."""
    codes = np.unique(np.asarray(clusters), return_inverse=True)[1]
    k = codes.max() + 1
    sandwich = {"groups": codes, "use_correction": False}
    fit = sm.OLS(values, design).fit(cov_type="cluster", cov_kwds=sandwich)
    return float(np.sqrt(contrast @ fit.cov_params() @ contrast * k / (k - 1)))


def share(hits: Sequence[bool], clusters: Sequence[Any] | None = None) -> Told:
    """A share: Wilson's interval, with clusters at the effective n that their spread leaves."""
    given = np.asarray(hits, float)
    n, count = len(given), int(given.sum())
    if n == 0:
        return Told(count=0, of=0)
    p = count / n
    if clusters is None:
        return Told(p, *wilson(count, n), se=float(np.sqrt(p * (1 - p) / n)), count=count, of=n)
    se, k = clustered_se(given, clusters), len(set(clusters))
    if se is None:
        return Told(p, count=count, of=n)
    if se < 1e-13:
        return Told(p, *wilson(p * k, k), se=0.0, count=count, of=n)
    effective = min(n, p * (1 - p) / se**2) * (norm.ppf(TAIL) / t.ppf(TAIL, k - 1)) ** 2
    return Told(p, *wilson(p * effective, effective), se=se, count=count, of=n)


def mean(values: Sequence[float], clusters: Sequence[Any], ends: tuple[float, float] | None = None) -> Told:
    """A mean with t's interval over clusters, kept on the scale."""
    given = np.asarray(values, float)
    if not len(given):
        return Told()
    value, se, k = float(given.mean()), clustered_se(given, clusters), len(set(clusters))
    if se is None:
        return Told(value)
    if se < 1e-13:
        return Told(value, se=0.0)
    reach = t.ppf(TAIL, k - 1) * se
    low, high = ends or (-np.inf, np.inf)
    return Told(value, max(low, value - reach), min(high, value + reach), se=se)


Weighted = Callable[[np.ndarray], Any]


def jackknifed(value: Weighted, clusters: Sequence[Any], low: float = -1.0, high: float = 1.0) -> Told:
    """A coefficient that is a smooth function of how often each item counts, with its infinitesimal jackknife.

    The derivative by each cluster's weight is taken at a complex step, which has no rounding error.
    """
    codes = np.unique(np.asarray(clusters), return_inverse=True)[1]
    k = int(codes.max(initial=-1)) + 1
    with np.errstate(all="ignore"):
        plain = float(np.real(value(np.ones(len(codes)))))
    if not np.isfinite(plain):
        return Told()
    if k < 2:
        return Told(plain)
    moves = np.array([np.imag(value(1 + 1e-25j * (codes == c))) / 1e-25 for c in range(k)])
    se = float(np.sqrt(k / (k - 1) * ((moves - moves.mean()) ** 2).sum()))
    return on_atanh(plain, se, k - 1, low, high)


def on_atanh(value: float, se: float, df: float, low: float = -1.0, high: float = 1.0) -> Told:
    """t's interval on the atanh scale of a coefficient's range, and p against zero where zero is its middle."""
    if se < 1e-12:
        return Told(value, se=0.0)
    middle, half, times = (low + high) / 2, (high - low) / 2, t.ppf(TAIL, df)
    scaled = (value - middle) / half
    if abs(scaled) >= 1:
        bottom = max(low, value - times * se) if value >= low else value - times * se
        p = 2 * t.sf(abs(value / se), df)
        return Told(value, bottom, min(high, value + times * se), se, p if middle == 0 else None)
    spread = se / half / (1 - scaled**2)
    ends = [float(middle + half * np.tanh(np.arctanh(scaled) + sign * times * spread)) for sign in (-1, 1)]
    p = float(2 * t.sf(abs(np.arctanh(scaled)) / spread, df)) if middle == 0 else None
    return Told(value, *ends, se, p)
