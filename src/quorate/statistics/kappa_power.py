"""How many items a study of agreement needs, by formula and by simulating the declared analysis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from quorate.errors import DataError, did_you_mean
from quorate.estimates import Estimate
from quorate.messages import Message, Text, clauses

from .power import SampleSize
from .proportions import WILSON, wilson_bounds

METHODS = ("donner-eliasziw", "cantor", "flack")
Floats = NDArray[np.float64]


def kappa_sample_size(
    kappa0: float,
    kappa1: float,
    *,
    method: str = "cantor",
    shares: float | Sequence[float] = 0.5,
    power: float = 0.80,
    alpha: float = 0.05,
    alternative: str | None = None,
) -> SampleSize:
    """Items for two raters to tell kappa1 from kappa0.

    "donner-eliasziw" (1992): yes/no ratings, `shares` the prevalence of yes, two-sided. "cantor" (1996): yes/no
    ratings with `shares` the two raters' rates of yes (or one for both), one-sided. "flack" (1988): any categories,
    `shares` the marginal shares of each, at the table of greatest variance that has them, one-sided. `alternative`
    overrides the method's own.

    >>> print(kappa_sample_size(0.7, 0.85, shares=[0.5, 0.5]))
    117 items (power 0.8024; Cantor, one-sided)
    """
    if method not in METHODS:
        hint = did_you_mean(str(method), METHODS)
        raise DataError(f"method='{method}' is unknown; say one of {', '.join(METHODS)}.{hint}")
    for name, kappa in (("kappa0", kappa0), ("kappa1", kappa1)):
        if not -1 < kappa <= 1:
            raise DataError(f"{name}={kappa} is not a kappa; it lies between −1 and 1.")
    if kappa0 == kappa1:
        raise DataError("there is no difference to find; kappa0 and kappa1 are the same.")
    if not 0 < power < 1 or not 0 < alpha < 1:
        raise DataError("power and alpha lie between 0 and 1; 0.80 and 0.05 are usual.")
    sided = alternative or ("two-sided" if method == "donner-eliasziw" else "one-sided")
    tail = alpha / 2 if sided == "two-sided" else alpha
    if method == "donner-eliasziw":
        return _donner_eliasziw(kappa0, kappa1, float(np.ravel(shares)[0]), power, tail, sided)
    spread = _cantor_spread if method == "cantor" else _flack_spread
    at0, at1 = spread(kappa0, shares), spread(kappa1, shares)
    z_alpha, z_power = special.ndtri(1 - tail), special.ndtri(power)
    n = int(np.ceil(((z_alpha * at0 + z_power * at1) / (kappa1 - kappa0)) ** 2 - 1e-9))
    reached = float(special.ndtr((abs(kappa1 - kappa0) * np.sqrt(n) - z_alpha * at0) / at1)) if at1 else 1.0
    rule = f"{method.capitalize()}, {sided}"
    if method == "cantor" and max(kappa0, kappa1) > _greatest_kappa(shares) + 1e-9:
        rule += f"; beware: with these rates no kappa is above {_greatest_kappa(shares):.2f}"
    return SampleSize(n, n, reached, rule=rule)


def _donner_eliasziw(kappa0: float, kappa1: float, p: float, power: float, tail: float, sided: str) -> SampleSize:
    """The χ² goodness-of-fit test of the three outcomes of a pair of yes/no ratings."""
    if not 0 < p < 1:
        raise DataError(f"shares={p}: the prevalence lies between 0 and 1.")
    between = p * (1 - p)
    under = np.array([p * p + between * kappa0, 2 * between * (1 - kappa0), (1 - p) ** 2 + between * kappa0])
    if (under <= 0).any():
        raise DataError("kappa0 is impossible at that prevalence.")
    moved = between * (kappa1 - kappa0) * np.array([1.0, -2.0, 1.0])
    per_item = float(np.sum(moved**2 / under))
    z = special.ndtri(1 - tail)
    # With one degree of freedom the noncentral χ² is a squared normal; the far tail is kept, as χ² tables do.
    low, high = 0.0, 1e4
    for _ in range(200):
        shift = (low + high) / 2
        reached = special.ndtr(shift - z) + (special.ndtr(-shift - z) if sided == "two-sided" else 0)
        low, high = (low, shift) if reached >= power else (shift, high)
    n = int(np.ceil(high**2 / per_item - 1e-9))
    shift = np.sqrt(n * per_item)
    reached = special.ndtr(shift - z) + (special.ndtr(-shift - z) if sided == "two-sided" else 0)
    return SampleSize(n, n, float(reached), rule=f"Donner-Eliasziw, {sided}")


def _slopes(rows: Floats, columns: Floats, kappa: float) -> tuple[Floats, float, float]:
    """What each cell adds to the variance of kappa (Fleiss, Cohen and Everitt 1969), the constant, and p_o."""
    expected = float(rows @ columns)
    observed = kappa * (1 - expected) + expected
    both = columns[:, None] + rows[None, :]
    cells = (1 - observed) ** 2 * both**2
    np.fill_diagonal(cells, ((1 - expected) - (rows + columns) * (1 - observed)) ** 2)
    constant = (observed * expected - 2 * expected + observed) ** 2
    return cells / (1 - expected) ** 4, constant / (1 - expected) ** 4, observed


def _cantor_spread(kappa: float, shares: Any) -> float:
    rates = [float(s) for s in np.ravel(shares)]
    if len(rates) == 1:
        rates *= 2
    if len(rates) != 2 or not all(0 < r < 1 for r in rates):
        raise DataError("shares= holds the two raters' rates of yes, each between 0 and 1.")
    rows, columns = (np.array([r, 1 - r]) for r in rates)
    cells, constant, observed = _slopes(rows, columns, kappa)
    both = (observed - 1 + rates[0] + rates[1]) / 2
    table = np.array([[both, rates[0] - both], [rates[1] - both, 1 - rates[0] - rates[1] + both]])
    variance = float(np.sum(table * cells) - constant)
    if variance < 0:
        raise DataError(f"a kappa of {kappa} is impossible when the raters say yes at {rates[0]} and {rates[1]}.")
    return float(np.sqrt(variance))


def _greatest_kappa(shares: Any) -> float:
    """The greatest kappa that two raters with these rates of yes can have."""
    first, second = np.resize(np.ravel(shares), 2)
    expected = first * second + (1 - first) * (1 - second)
    return float((1 - abs(first - second) - expected) / (1 - expected))


def _flack_spread(kappa: float, shares: Any) -> float:
    """The greatest spread of any table with these margins and this kappa: a linear programme."""
    from scipy.optimize import linprog

    margins = np.ravel(np.asarray(shares, float))
    if len(margins) < 2 or (margins <= 0).any() or abs(margins.sum() - 1) > 1e-6:
        raise DataError("shares= holds each category's share; they are above zero and add up to 1.")
    q = len(margins)
    cells, constant, observed = _slopes(margins, margins, kappa)
    rows = np.kron(np.eye(q), np.ones(q))
    columns = np.kron(np.ones(q), np.eye(q))
    equal = np.vstack([rows, columns[:-1], np.eye(q).ravel()])
    found = linprog(-cells.ravel(), A_eq=equal, b_eq=[*margins, *margins[:-1], observed], bounds=(0, None))
    if not found.success:
        raise DataError(f"a kappa of {kappa} is impossible with these shares.")
    return float(np.sqrt(max(0.0, -found.fun - constant)))


def simulated_power(
    simulate: Callable[[np.random.Generator, int], Any],
    analyse: Callable[[Any], Any],
    n: int,
    *,
    null: float = 0.0,
    alpha: float = 0.05,
    simulations: int = 1000,
    seed: int = 0,
    confidence: float = 0.95,
) -> Estimate:
    """How often a declared analysis finds the effect: the share of simulated studies that do, with its interval.

    `simulate(rng, n)` makes the data of one study; `analyse(data)` is the analysis: it gives back True or False, a
    p-value, or an estimate. An estimate counts if its interval leaves out `null`; ask for the interval at 1 − alpha. An
    analysis that is undefined has found nothing.

    >>> from quorate.statistics import sign_test_power
    >>> coin = lambda rng, n: rng.binomial(n, 0.65)
    >>> from scipy.stats import binomtest
    >>> found = simulated_power(coin, lambda k: binomtest(k, 90).pvalue, 90, simulations=400)
    >>> found.low < sign_test_power(0.65, 90) < found.high
    True
    """
    if simulations < 1 or n < 1:
        raise DataError("a simulation needs an item and at least one study.")
    found = undefined = 0
    for study in range(simulations):
        verdict = _verdict(analyse(simulate(np.random.default_rng([seed, study]), n)), null, alpha)
        found += verdict is True
        undefined += verdict is None
    low, high = wilson_bounds(found, simulations, confidence)
    note: Text = ""
    if undefined:
        note = Message("undefined in {k} of {all} studies, which count as not found", k=undefined, all=simulations)
    studies = Message("{k} simulated studies of {size}, seed {seed}", k=simulations, size=n, seed=str(seed))
    method = clauses(studies, WILSON)
    return Estimate(found / simulations, low, high, confidence, n_items=simulations, method=method, note=note)


def _verdict(result: Any, null: float, alpha: float) -> bool | None:
    if isinstance(result, bool | np.bool_):
        return bool(result)
    if isinstance(result, Estimate):
        if result.value is None or result.low is None or result.high is None:
            return None if result.p is None else result.p < alpha
        return not result.low <= null <= result.high
    if result is None or np.isnan(result):
        return None
    return bool(result < alpha)


def simulated_ratings(
    rng: np.random.Generator,
    n_items: int,
    n_raters: int,
    agreement: float,
    shares: Sequence[float] = (0.5, 0.5),
    missing: float = 0.0,
) -> NDArray[np.float64]:
    """Ratings whose true kappa is `agreement`: each rater gives the item's own category with probability √agreement,
    and otherwise any, by `shares`; NaN where a rating is missing.

    >>> simulated_ratings(np.random.default_rng(1), 3, 2, agreement=1.0).tolist()
    [[2.0, 2.0], [2.0, 2.0], [1.0, 1.0]]
    """
    given = np.asarray(shares, float)
    if not 0 <= agreement <= 1 or (given < 0).any() or abs(given.sum() - 1) > 1e-6:
        raise DataError("agreement lies between 0 and 1, and the shares add up to 1.")
    own = rng.choice(len(given), size=(n_items, 1), p=given)
    any_one = rng.choice(len(given), size=(n_items, n_raters), p=given)
    ratings = np.where(rng.random((n_items, n_raters)) < np.sqrt(agreement), own, any_one) + 1.0
    ratings[rng.random((n_items, n_raters)) < missing] = np.nan
    return ratings
