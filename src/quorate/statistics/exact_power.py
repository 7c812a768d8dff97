"""Exact power of binomial, sign and McNemar tests, whose power does not simply grow with n.

An exact test cannot use up its alpha, and the part left unused jumps with n: its power is a saw-tooth. So two sizes
are given: the first n that reaches the power, and the n from which on it stays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from quorate.errors import DataError

from .power import SampleSize, check

MOST = 3_000_000
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SawTooth(SampleSize):
    """A sample size with both readings of the saw-tooth: the first n with the power, and from where on it stays."""

    first: int = 0
    stays: int = 0


def _proportion(p: float, name: str) -> float:
    if not 0 <= p <= 1:
        raise DataError(f"{name}={p} is not a proportion.")
    return p


def _upper_critical(n: NDArray[np.int64], p: float, tail: float) -> NDArray[np.int64]:
    """The smallest c with P(X ≥ c) ≤ tail under p, found by bisection; n + 1 where there is none."""
    low, high = np.zeros_like(n), n + 1
    while (high - low > 1).any():
        middle = (low + high) // 2
        enough = special.bdtrc(middle - 1.0, n, p) <= tail * (1 + 1e-12)
        high, low = np.where(enough, middle, high), np.where(enough, low, middle)
    return high


def _reach(n: NDArray[np.int64], p: float, critical: NDArray[np.int64]) -> Floats:
    """P(X ≥ critical) under p."""
    return np.where(critical > n, 0.0, special.bdtrc(np.minimum(critical, n) - 1.0, n, p))


def _binomial_powers(p0: float, p1: float, n: NDArray[np.int64], alpha: float, alternative: str) -> Floats:
    tail = check(alpha, alternative)
    if p1 < p0:
        p0, p1 = 1 - p0, 1 - p1
    power = _reach(n, p1, _upper_critical(n, p0, tail))
    if alternative == "two-sided":
        power = power + _reach(n, 1 - p1, _upper_critical(n, 1 - p0, tail))
    return power


def binomial_power(p0: float, p1: float, n: int, *, alpha: float = 0.05, alternative: str = "two-sided") -> float:
    """The exact power to reject a share of p0 when it is p1; two-sided tests have alpha / 2 in each tail.

    >>> round(binomial_power(0.5, 0.65, 90), 4)
    0.8123
    """
    _proportion(p0, "p0"), _proportion(p1, "p1")
    if n < 1:
        raise DataError(f"n={n} is too small; a test needs an item.")
    return float(_binomial_powers(p0, p1, np.array([n], np.int64), alpha, alternative)[0])


def _guess(p0: float, p1: float, power: float, tail: float) -> int:
    if not 0 < power < 1:
        raise DataError(f"power={power!r} is not between 0 and 1; 0.80 is usual.")
    if p0 == p1:
        raise DataError("there is no difference to find; the two shares are the same.")
    z = -special.ndtri(tail) * np.sqrt(p0 * (1 - p0)) + special.ndtri(power) * np.sqrt(p1 * (1 - p1))
    n = int((z / (p1 - p0)) ** 2) + 10
    if n > MOST:
        raise DataError("no sample of a possible size reaches that power; the difference is too small.")
    return n


def _both_readings(sizes: NDArray[np.int64], powers: Floats, wanted: float, unit: str, reading: str) -> SawTooth:
    enough = powers >= wanted
    first = int(sizes[np.argmax(enough)])
    stays = int(sizes[np.flatnonzero(~enough)[-1]] + 1) if (~enough).any() else first
    if reading not in ("first", "stays"):
        raise DataError(f"rule='{reading}' is unknown; say 'first' or 'stays'.")
    n = first if reading == "first" else stays
    told = f"the first is {first:,}" if reading == "stays" else f"it stays from {stays:,} on"
    rule = f"the {'first n with that power' if reading == 'first' else 'n from which the power stays'}; {told}"
    power = float(powers[np.searchsorted(sizes, n)])
    return SawTooth(n, n, power, unit=unit, rule=rule, first=first, stays=stays)


def binomial_sample_size(
    p0: float,
    p1: float,
    power: float = 0.80,
    *,
    alpha: float = 0.05,
    alternative: str = "two-sided",
    rule: str = "first",
) -> SawTooth:
    """The number of items for an exact binomial test; `rule` is "first" or "stays" (see the module).

    >>> print(binomial_sample_size(0.5, 0.65))
    90 items (power 0.8123; the first n with that power; it stays from 97 on)
    """
    _proportion(p0, "p0"), _proportion(p1, "p1")
    guess = _guess(p0, p1, power, check(alpha, alternative))
    sizes = np.arange(1 if guess < 2000 else guess // 2, 2 * guess + 100)
    return _both_readings(sizes, _binomial_powers(p0, p1, sizes, alpha, alternative), power, "items", rule)


def sign_test_power(p: float, n: int, *, alpha: float = 0.05, alternative: str = "two-sided") -> float:
    """The exact power of a sign test when a share p of n untied pairs prefers one side.

    >>> round(sign_test_power(0.65, 97), 4)
    0.8338
    """
    return binomial_power(0.5, p, n, alpha=alpha, alternative=alternative)


def sign_test_sample_size(
    p: float, power: float = 0.80, *, alpha: float = 0.05, alternative: str = "two-sided", rule: str = "first"
) -> SawTooth:
    """The number of untied pairs for a sign test.

    >>> sign_test_sample_size(0.65).first, sign_test_sample_size(0.65).stays
    (90, 97)
    """
    return binomial_sample_size(0.5, p, power, alpha=alpha, alternative=alternative, rule=rule)


def mcnemar_power(p10: float, p01: float, n: int, *, alpha: float = 0.05, alternative: str = "two-sided") -> float:
    """The exact power of McNemar's test in n pairs: p10 are right in the first only, p01 in the second only.

    The test is a sign test of the discordant pairs; their number is binomial, and the power is the mean over it.

    >>> round(mcnemar_power(0.32, 0.08, 50, alternative="one-sided"), 4)
    0.8394
    """
    _proportion(p10, "p10"), _proportion(p01, "p01"), _proportion(p10 + p01, "p10 + p01")
    if n < 1:
        raise DataError(f"n={n} is too small; a test needs a pair.")
    discordant = p10 + p01
    if discordant == 0:
        raise DataError("there are no discordant pairs to tell the two apart.")
    low, high = _window(n, discordant)
    powers = _sign_powers(low, high, p10 / discordant, alpha, alternative)
    return _mean_over_discordant(n, discordant, low, powers)


def _window(n: int, discordant: float) -> tuple[int, int]:
    """The numbers of discordant pairs that have any chance to speak of."""
    spread = 12 * np.sqrt(n * discordant * (1 - discordant)) + 12
    return max(0, int(n * discordant - spread)), min(n, int(n * discordant + spread) + 1)


def _sign_powers(low: int, high: int, p: float, alpha: float, alternative: str) -> Floats:
    m = np.arange(low, high + 1)
    return np.where(m >= 1, _binomial_powers(0.5, p, np.maximum(m, 1), alpha, alternative), 0.0)


def _mean_over_discordant(n: int, discordant: float, low: int, powers: Floats) -> float:
    chance = _binomial_chance(np.arange(low, low + len(powers)), n, discordant)
    return float(min(1.0, np.sum(chance * powers)))


def _binomial_chance(k: NDArray[np.int64], n: int, p: float) -> Floats:
    choose = special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1)
    return np.exp(choose + special.xlogy(k, p) + special.xlog1py(n - k, -p))


def mcnemar_sample_size(
    p10: float,
    p01: float,
    power: float = 0.80,
    *,
    alpha: float = 0.05,
    alternative: str = "two-sided",
    rule: str = "first",
) -> SawTooth:
    """The number of pairs for McNemar's exact test.

    >>> mcnemar_sample_size(0.32, 0.08, alternative="one-sided").first
    46
    """
    discordant = p10 + p01
    _proportion(discordant, "p10 + p01")
    if discordant == 0:
        raise DataError("there are no discordant pairs to tell the two apart.")
    guess = int(_guess(0.5, p10 / discordant, power, check(alpha, alternative)) / discordant)

    # The sign tests are the same at every n, so each is computed once.
    powers = _sign_powers(0, _window(4 * guess + 400, discordant)[1], p10 / discordant, alpha, alternative)

    def at(n: int) -> float:
        low, high = _window(n, discordant)
        return _mean_over_discordant(n, discordant, low, powers[low : high + 1])

    return _both_readings(*_around(at, guess, power), power, "pairs", rule)


def _around(at: Callable[[int], float], guess: int, wanted: float) -> tuple[NDArray[np.int64], Floats]:
    """Sizes about the one that is wanted: from where the power is far below it to where it is far above.

    The teeth of an average over binomials are small, so far below and far above need not be far.
    """
    reach = 30 + int(4 * np.sqrt(guess))
    low = guess
    while low > 1 and at(low) > wanted - min(0.03, wanted / 4):
        low = max(1, low - reach)
    high = guess + reach
    while at(high) < wanted + min(0.03, (1 - wanted) / 4):
        high += reach
    sizes = np.arange(low, high + 1)
    return sizes, np.array([at(int(n)) for n in sizes])
