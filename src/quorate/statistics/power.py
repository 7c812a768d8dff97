"""How many are needed: power and sample size of t tests, ANOVA, proportions, correlations and χ² tests.

Every `…_power` gives a probability; every `…_sample_size` gives the smallest n that reaches the power asked for,
a group and in all. Values agree with G*Power (Faul et al. 2007); only scipy.special is imported.

>>> print(t_test_sample_size(0.5))
64 a group, 128 in all (power 0.8015)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from quorate.errors import DataError

MOST = 2_000_000_000


@dataclass(frozen=True, slots=True)
class SampleSize:
    """How many a group and in all, and the power they give; `rule` says how the number was chosen.

    >>> int(SampleSize(64, 128, 0.8015, 2))
    64
    """

    n: int
    total: int
    power: float
    groups: int = 1
    unit: str = "items"
    rule: str = ""

    def __int__(self) -> int:
        return self.n

    def __str__(self) -> str:
        size = f"{self.n:,} {self.unit}" if self.groups == 1 else f"{self.n:,} a group, {self.total:,} in all"
        return f"{size} (power {self.power:.4f}{'; ' + self.rule if self.rule else ''})"


def smallest(power: Callable[[int], float], wanted: float, start: int) -> tuple[int, float]:
    """The smallest n from `start` on whose power is enough, for a power that grows with n."""
    if not 0 < wanted < 1:
        raise DataError(f"power={wanted!r} is not between 0 and 1; 0.80 is usual.")
    low, high = start - 1, start
    while power(high) < wanted:
        low, high = high, high * 2
        if high > MOST:
            raise DataError("no sample of a possible size reaches that power; the effect is too small.")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if power(middle) >= wanted else (middle, high)
    return high, power(high)


def check(alpha: float, alternative: str) -> float:
    """The share of alpha in the tail that counts; one-sided is always in the direction of the effect."""
    if not 0 < alpha < 1:
        raise DataError(f"alpha={alpha!r} is not between 0 and 1; 0.05 is usual.")
    if alternative not in ("two-sided", "one-sided", "greater", "less"):
        raise DataError(f"alternative='{alternative}' is unknown; say 'two-sided' or 'one-sided'.")
    return alpha / 2 if alternative == "two-sided" else alpha


_NODES, _NODE_WEIGHTS = np.polynomial.legendre.leggauss(240)


def chi_nodes(df: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Places and weights to integrate over √(χ²/df), to about twelve digits for every df."""
    low, high = (np.sqrt(2 * end(df / 2, 1e-18) / df) for end in (special.gammaincinv, special.gammainccinv))
    s = low + (high - low) * (_NODES + 1) / 2
    log_density = np.log(2) + (df / 2) * np.log(df / 2) - special.gammaln(df / 2) + (df - 1) * np.log(s) - df * s**2 / 2
    weights = _NODE_WEIGHTS * (high - low) / 2 * np.exp(log_density)
    # Normalising takes out the rounding of the log density, which grows with df.
    return s, weights / weights.sum()


def _t_power(shift: float, df: float, alpha: float, alternative: str) -> float:
    """The power of a t test whose statistic has this noncentrality.

    P(T > t) = E Φ(shift − t S) with S = √(χ²/df): finite everywhere, where scipy's noncentral t is not.
    """
    tail = check(alpha, alternative)
    critical = special.stdtrit(df, 1 - tail)
    s, weights = chi_nodes(df)
    found = np.sum(weights * special.ndtr(shift - critical * s))
    if alternative == "two-sided":
        found += np.sum(weights * special.ndtr(-shift - critical * s))
    return float(min(1.0, found))


def t_test_power(
    d: float,
    n: float,
    *,
    kind: str = "two-sample",
    ratio: float = 1.0,
    alpha: float = 0.05,
    alternative: str = "two-sided",
) -> float:
    """The power of a t test for a standardised difference d (Cohen 1988, ch. 2).

    n is the size of each group ("two-sample"; the second group has ratio × n), the sample ("one-sample"), or the number
    of pairs ("paired", with d the mean difference over its standard deviation).

    >>> round(t_test_power(0.5, 64), 7)
    0.8014596
    """
    if n < 2:
        raise DataError(f"n={n} is too small for a t test; it needs at least 2.")
    if kind == "two-sample":
        other = n * ratio
        return _t_power(abs(d) * np.sqrt(n * other / (n + other)), n + other - 2, alpha, alternative)
    if kind not in ("one-sample", "paired"):
        raise DataError(f"kind='{kind}' is unknown; say 'two-sample', 'one-sample' or 'paired'.")
    return _t_power(abs(d) * np.sqrt(n), n - 1, alpha, alternative)


def t_test_sample_size(
    d: float,
    power: float = 0.80,
    *,
    kind: str = "two-sample",
    ratio: float = 1.0,
    alpha: float = 0.05,
    alternative: str = "two-sided",
) -> SampleSize:
    """The smallest sample for a t test; for two samples, the size of the first group and of both.

    >>> print(t_test_sample_size(0.5, kind="paired"))
    34 pairs (power 0.8078)
    """

    def at(n: int) -> float:
        return t_test_power(d, n, kind=kind, ratio=ratio, alpha=alpha, alternative=alternative)

    n, reached = smallest(at, power, 2)
    if kind == "two-sample":
        second = int(np.ceil(n * ratio - 1e-9))
        return SampleSize(n, n + second, reached, 2)
    return SampleSize(n, n, reached, unit="pairs" if kind == "paired" else "items")


def anova_power(f: float, n: float, groups: int, *, alpha: float = 0.05) -> float:
    """The power of a one-way analysis of variance with n in each group, for Cohen's f (1988, ch. 8).

    >>> round(anova_power(0.25, 53, 3), 4)
    0.8049
    """
    check(alpha, "two-sided")
    if groups < 2 or n < 2:
        raise DataError("an analysis of variance needs two groups or more, of two or more.")
    between, within = groups - 1, groups * (n - 1)
    critical = special.fdtri(between, within, 1 - alpha)
    # A noncentral F is a noncentral χ² over an independent χ²/df; scipy's own is NaN at some noncentralities.
    s, weights = chi_nodes(within)
    below = np.sum(weights * special.chndtr(critical * between * s**2, between, f * f * n * groups))
    return float(np.clip(1 - below, 0.0, 1.0))


def anova_sample_size(f: float, groups: int, power: float = 0.80, *, alpha: float = 0.05) -> SampleSize:
    """The smallest equal groups for a one-way analysis of variance.

    >>> print(anova_sample_size(0.25, 4))
    45 a group, 180 in all (power 0.8040)
    """
    n, reached = smallest(lambda n: anova_power(f, n, groups, alpha=alpha), power, 2)
    return SampleSize(n, n * groups, reached, groups)


def two_proportions_power(
    p1: float,
    p2: float,
    n: float,
    *,
    ratio: float = 1.0,
    method: str = "normal",
    alpha: float = 0.05,
    alternative: str = "two-sided",
) -> float:
    """The power to tell two proportions apart with n in the first group and ratio × n in the second.

    "normal" is the usual z test with the pooled variance under no difference (Fleiss, Levin and Paik 2003; R's
    power.prop.test); "arcsine" is Cohen's (1988, ch. 6) h = 2 asin √p₁ − 2 asin √p₂.

    >>> round(two_proportions_power(0.50, 0.75, 50), 4)
    0.7402
    """
    tail = check(alpha, alternative)
    for p in (p1, p2):
        if not 0 <= p <= 1:
            raise DataError(f"{p} is not a proportion.")
    z, other = special.ndtri(1 - tail), n * ratio
    if method == "arcsine":
        shift = abs(cohen_h(p1, p2)) * np.sqrt(n * other / (n + other))
        low = special.ndtr(-shift - z) if alternative == "two-sided" else 0.0
        return float(special.ndtr(shift - z) + low)
    if method != "normal":
        raise DataError(f"method='{method}' is unknown; say 'normal' or 'arcsine'.")
    pooled = (p1 + ratio * p2) / (1 + ratio)
    under_none = np.sqrt(pooled * (1 - pooled) * (1 / n + 1 / other))
    under_some = np.sqrt(p1 * (1 - p1) / n + p2 * (1 - p2) / other)
    gap = abs(p1 - p2) - z * under_none
    return float(special.ndtr(gap / under_some)) if under_some > 0 else float(gap > 0)


def cohen_h(p1: float, p2: float) -> float:
    """Cohen's effect size for two proportions, 2 asin √p₁ − 2 asin √p₂.

    >>> round(cohen_h(0.65, 0.45), 3)
    0.405
    """
    return float(2 * np.arcsin(np.sqrt(p1)) - 2 * np.arcsin(np.sqrt(p2)))


def two_proportions_sample_size(
    p1: float,
    p2: float,
    power: float = 0.80,
    *,
    ratio: float = 1.0,
    method: str = "normal",
    alpha: float = 0.05,
    alternative: str = "two-sided",
) -> SampleSize:
    """The smallest groups that tell two proportions apart.

    >>> print(two_proportions_sample_size(0.50, 0.75, power=0.90))
    77 a group, 154 in all (power 0.9011; normal)
    """

    def at(n: int) -> float:
        return two_proportions_power(p1, p2, n, ratio=ratio, method=method, alpha=alpha, alternative=alternative)

    n, reached = smallest(at, power, 1)
    return SampleSize(n, n + int(np.ceil(n * ratio - 1e-9)), reached, 2, rule=method)


def correlation_power(
    r: float, n: float, *, method: str = "exact", alpha: float = 0.05, alternative: str = "two-sided"
) -> float:
    """The power to find a correlation of r in n pairs.

    "exact" takes the sampling distribution of a correlation in normal data, as G*Power does; "approximate" is
    Fisher's z with its bias (R's pwr.r.test).

    >>> round(correlation_power(0.3, 84), 3), round(correlation_power(0.3, 84, method="approximate"), 3)
    (0.8, 0.8)
    """
    tail = check(alpha, alternative)
    if not -1 < r < 1 or n < 3:
        raise DataError("a correlation lies between −1 and 1 and needs at least three pairs.")
    critical = special.stdtrit(n - 2, 1 - tail)
    if method == "approximate":
        if n < 4:
            raise DataError("Fisher's z needs at least four pairs; ask for method='exact'.")
        z = np.arctanh(abs(r)) + abs(r) / (2 * (n - 1))
        edge = np.arctanh(critical / np.sqrt(critical**2 + n - 2))
        low = special.ndtr((-z - edge) * np.sqrt(n - 3)) if alternative == "two-sided" else 0.0
        return float(special.ndtr((z - edge) * np.sqrt(n - 3)) + low)
    if method != "exact":
        raise DataError(f"method='{method}' is unknown; say 'exact' or 'approximate'.")
    # Given the xs, the t statistic is noncentral with a shift that is proportional to their spread, itself a χ.
    spread, by_spread = chi_nodes(n - 1)
    s, by_noise = chi_nodes(n - 2)
    shift = abs(r) / np.sqrt(1 - r * r) * np.sqrt(n - 1) * spread[:, None]
    found = by_spread @ special.ndtr(shift - critical * s) @ by_noise
    if alternative == "two-sided":
        found += by_spread @ special.ndtr(-shift - critical * s) @ by_noise
    return float(min(1.0, found))


def correlation_sample_size(
    r: float, power: float = 0.80, *, method: str = "exact", alpha: float = 0.05, alternative: str = "two-sided"
) -> SampleSize:
    """The smallest number of pairs that finds a correlation of r.

    >>> print(correlation_sample_size(0.5))
    29 pairs (power 0.8139; exact)
    """
    start = 3 if method == "exact" else 4
    n, reached = smallest(
        lambda n: correlation_power(r, n, method=method, alpha=alpha, alternative=alternative), power, start
    )
    return SampleSize(n, n, reached, unit="pairs", rule=method)


def chi_square_power(w: float, n: float, df: int, *, alpha: float = 0.05) -> float:
    """The power of a χ² test for Cohen's w (1988, ch. 7).

    >>> round(chi_square_power(0.3, 88, 1), 4)
    0.8035
    """
    check(alpha, "two-sided")
    if df < 1 or n <= 0:
        raise DataError("a χ² test needs one degree of freedom or more, and some items.")
    return float(1 - special.chndtr(special.chdtri(df, alpha), df, n * w * w))


def chi_square_sample_size(w: float, df: int, power: float = 0.80, *, alpha: float = 0.05) -> SampleSize:
    """The smallest sample for a χ² test.

    >>> print(chi_square_sample_size(0.3, 1))
    88 items (power 0.8035)
    """
    n, reached = smallest(lambda n: chi_square_power(w, n, df, alpha=alpha), power, 1)
    return SampleSize(n, n, reached)
