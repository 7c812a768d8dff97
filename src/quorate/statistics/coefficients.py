"""The three correlation coefficients as functions of weights, with their p-values and variances."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import special

from quorate.messages import Message, Text

from ..errors import DataError
from .columns import Floats, Ints
from .resampling import Weighted

PAIRS_UP_TO = 5_000  # rows whose every pair can be compared in each resample
PAIRS_AT_ONCE = 10_000  # different rows whose every pair can be compared once
KENDALL_EXACT_BELOW = 50
FISHER = Message("Fisher's interval")
EXACT_BELOW = 10  # 9! = 362,880 orders are enumerated in a blink; ten times as many are not


@dataclass(frozen=True)
class Coefficient:
    """A correlation: its value for weighted rows, its p-value, and the variance of its atanh for n plain rows."""

    name: Message
    plain: Callable[[Floats, Floats], float]
    weighted: Callable[[Floats, Floats], Weighted]
    p_value: Callable[[Floats, Floats, float, str, bool | None], tuple[float, Text]]
    variance: Callable[[float, int], float | None]  # of atanh(value)
    interval: Message
    moves: Callable[[Floats, Floats], Floats]  # how much each row moves the value
    is_jackknifed: bool = True  # whether few groups are left out in turn, which is cheap but for pairs of rows
    if_untied: bool = False  # whether the variance holds for scores without ties alone


def _weighted_pearson(x: Floats, y: Floats) -> Weighted:
    x, y = x - x.mean(), y - y.mean()
    features = np.column_stack([np.ones_like(x), x, y, x * x, y * y, x * y])
    return lambda weights: _from_sums(weights @ features)


def _from_sums(sums: Floats) -> Floats:
    n, sx, sy, sxx, syy, sxy = sums.T
    spread = np.maximum(n * sxx - sx * sx, 0) * np.maximum(n * syy - sy * sy, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(spread > 1e-12 * (n * n * sxx * syy), (n * sxy - sx * sy) / np.sqrt(spread), np.nan)


def _weighted_spearman(x: Floats, y: Floats) -> Weighted:
    def statistic(weights: Floats) -> Floats:
        rx, ry = _midranks(x, weights), _midranks(y, weights)
        centre = (weights.sum(1, keepdims=True) + 1) / 2
        rx, ry = rx - centre, ry - centre
        sxx, syy, sxy = ((weights * a * b).sum(1) for a, b in ((rx, rx), (ry, ry), (rx, ry)))
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where((sxx > 0) & (syy > 0), sxy / np.sqrt(sxx * syy), np.nan)

    return statistic


def _pearson_moves(x: Floats, y: Floats) -> Floats:
    """The derivative of r by each row's weight: dx dy / sqrt(Sxx Syy) - r/2 (dx^2 / Sxx + dy^2 / Syy)."""
    x, y = x - x.mean(), y - y.mean()
    return _ratio_moves(x, y, x * y, x * x, y * y)


def _spearman_moves(x: Floats, y: Floats) -> Floats:
    """As Pearson's of the ranks, where a row also moves the ranks of the rows above it, and half those of its ties."""
    one = np.ones((1, len(x)))
    rx, ry = _midranks(x, one)[0], _midranks(y, one)[0]
    rx, ry = rx - rx.mean(), ry - ry.mean()
    products = rx * ry + _sum_above(x, ry) + _sum_above(y, rx)
    return _ratio_moves(rx, ry, products, rx * rx + 2 * _sum_above(x, rx), ry * ry + 2 * _sum_above(y, ry))


def _ratio_moves(x: Floats, y: Floats, products: Floats, squares_x: Floats, squares_y: Floats) -> Floats:
    sxx, syy = float(x @ x), float(y @ y)
    return products / np.sqrt(sxx * syy) - (x @ y) / np.sqrt(sxx * syy) / 2 * (squares_x / sxx + squares_y / syy)


def _sum_above(values: Floats, numbers: Floats) -> Floats:
    """For each row the sum of the numbers of rows with a greater value, and of half of those with the same."""
    _, place = np.unique(values, return_inverse=True)
    sums = np.bincount(place, weights=numbers)
    return (sums.sum() - np.cumsum(sums) + sums / 2)[place]


def _midranks(values: Floats, weights: Floats) -> Floats:
    """Each row's mid-rank in each weighted sample: rows lighter by value, plus half of its own ties, plus a half."""
    distinct, place = np.unique(values, return_inverse=True)
    order = np.argsort(place, kind="stable")
    starts = np.searchsorted(place[order], np.arange(len(distinct)))
    tied = np.add.reduceat(weights[:, order], starts, axis=1)
    below = np.cumsum(tied, axis=1) - tied
    return (below + (tied + 1) / 2)[:, place]


def _weighted_kendall(x: Floats, y: Floats) -> Weighted:
    if len(x) > PAIRS_UP_TO:
        raise DataError(
            Message(
                "Resampling Kendall's tau over {n} rows would take hours (it compares every pair of rows). Use "
                "interval='linearised', or Spearman's rho", n=len(x),
            )
        )  # fmt: skip

    def statistic(weights: Floats) -> Floats:
        concordant, in_x, in_y = np.zeros(len(weights)), np.zeros(len(weights)), np.zeros(len(weights))
        step = max(1, 2_000_000 // len(x))
        for start in range(0, len(x), step):
            rows = slice(start, start + step)
            sign_x, sign_y = np.sign(x[rows, None] - x), np.sign(y[rows, None] - y)
            part = weights[:, rows]
            concordant += ((part @ (sign_x * sign_y)) * weights).sum(1)
            in_x += ((part @ np.abs(sign_x)) * weights).sum(1)
            in_y += ((part @ np.abs(sign_y)) * weights).sum(1)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where((in_x > 0) & (in_y > 0), concordant / np.sqrt(in_x * in_y), np.nan)

    return statistic


def _kendall_moves(x: Floats, y: Floats) -> Floats:
    """The derivative of tau-b by each row's weight: tau (2 C_i / C - A_i / A - B_i / B) from sums over pairs."""
    points, place, count = np.unique(np.column_stack([x, y]), axis=0, return_inverse=True, return_counts=True)
    if len(points) > PAIRS_AT_ONCE:
        raise DataError(
            Message("{n} different rows have too many pairs for Kendall's tau; use Spearman's rho", n=len(points))
        )
    x, y = points.T
    sums = np.zeros((3, len(points)))
    step = max(1, 2_000_000 // len(points))
    for start in range(0, len(points), step):
        rows = slice(start, start + step)
        sign_x, sign_y = np.sign(x[rows, None] - x), np.sign(y[rows, None] - y)
        sums[:, rows] = (sign_x * sign_y) @ count, np.abs(sign_x) @ count, np.abs(sign_y) @ count
    concordant, in_x, in_y = sums @ count
    scale = np.sqrt(in_x * in_y)
    return (2 * sums[0] / scale - concordant / scale * (sums[1] / in_x + sums[2] / in_y))[place]


def _pearson_p(x: Floats, y: Floats, r: float, alternative: str, exact: bool | None) -> tuple[float, Text]:
    del y, exact
    df = len(x) - 2
    t = np.inf * np.sign(r) if abs(r) >= 1 - 1e-15 else r * np.sqrt(df / (1 - r * r))
    return tail(t, df, alternative), Message("p from t with {df} degrees of freedom", df=str(df))


def tail(t: float, df: float, alternative: str) -> float:
    """The p-value of a t statistic, accurate however small it is."""
    below, above = float(special.stdtr(df, t)), float(special.stdtr(df, -t))
    return {"two-sided": 2 * min(below, above), "greater": above, "less": below}[alternative]


def _spearman_p(x: Floats, y: Floats, rho: float, alternative: str, exact: bool | None) -> tuple[float, Text]:
    if exact and len(x) > EXACT_BELOW:
        raise DataError(
            f"exact=True goes through every order of the rows, and {len(x)} rows have too many; leave it out."
        )
    if exact is False or (exact is None and len(x) >= EXACT_BELOW):
        return _pearson_p(x, y, rho, alternative, None)
    one = np.ones((1, len(x)))
    rx, ry = _midranks(x, one)[0], _midranks(y, one)[0]
    rx, ry = rx - rx.mean(), ry - ry.mean()
    null = ry[_orders(len(ry))] @ rx
    seen, slack = float(rx @ ry), 1e-9
    extreme = {
        "two-sided": np.abs(null) >= abs(seen) - slack,
        "greater": null >= seen - slack,
        "less": null <= seen + slack,
    }[alternative]
    return float(extreme.mean()), Message("exact p over {k} orders", k=len(null))


def _orders(n: int) -> Ints:
    """Every order of n things, one a row."""
    orders = np.zeros((1, 1), dtype=np.int64)
    for size in range(2, n + 1):
        wider = np.empty((size, len(orders), size), dtype=np.int64)
        for place in range(size):
            wider[place, :, place] = size - 1
            wider[place][:, np.arange(size) != place] = orders
        orders = wider.reshape(-1, size)
    return orders


def _plain_kendall(x: Floats, y: Floats) -> float:
    from scipy import stats  # 0.8 s to import, and wanted for Kendall alone

    return float(stats.kendalltau(x, y).statistic)


def _plain_pearson(x: Floats, y: Floats) -> float:
    return float(_weighted_pearson(x, y)(np.ones((1, len(x))))[0])


def _plain_spearman(x: Floats, y: Floats) -> float:
    return float(_weighted_spearman(x, y)(np.ones((1, len(x))))[0])


def _kendall_p(x: Floats, y: Floats, tau: float, alternative: str, exact: bool | None) -> tuple[float, Text]:
    from scipy import stats

    del tau
    tied = len(np.unique(x)) < len(x) or len(np.unique(y)) < len(y)
    if exact and tied:
        raise DataError("exact=True has no distribution for tied scores; leave it out.")
    if exact is None:
        exact = not tied and len(x) < KENDALL_EXACT_BELOW
    p = stats.kendalltau(x, y, alternative=alternative, method="exact" if exact else "asymptotic").pvalue
    return float(p), Message("exact p") if exact else Message("p from the normal approximation, corrected for ties")


def _over(n: int, less: int, times: float) -> float | None:
    return times / (n - less) if n > less else None


PEARSON = Coefficient(
    Message("Pearson's r"),
    _plain_pearson,
    _weighted_pearson,
    _pearson_p,
    lambda _, n: _over(n, 3, 1.0),
    FISHER,
    _pearson_moves,
)
SPEARMAN = Coefficient(
    Message("Spearman's rho"),
    _plain_spearman,
    _weighted_spearman,
    _spearman_p,
    lambda rho, n: _over(n, 3, 1 + rho * rho / 2),
    Message("Bonett and Wright's interval"),
    _spearman_moves,
)
KENDALL = Coefficient(
    Message("Kendall's tau-b"),
    _plain_kendall,
    _weighted_kendall,
    _kendall_p,
    lambda _, n: _over(n, 4, 0.437),
    Message("Fieller's interval"),
    _kendall_moves,
    is_jackknifed=False,
    if_untied=True,
)
