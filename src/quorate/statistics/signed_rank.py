"""Wilcoxon's signed-rank test: is the middle of paired differences zero, and where does it lie?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

from quorate.languages import noted
from quorate.messages import Message, clauses

from ..errors import DataError
from ..estimates import Estimate
from .columns import Floats, numbers, same_length
from .findings import Finding
from .resampling import check_options

EXACT_UP_TO = 50
WALSH_UP_TO = 2_000  # differences: two million averages of pairs, 16 MB


@dataclass(frozen=True)
class SignedRank(Finding):
    """Rank sums of the positive and negative differences, the p-value, and the pseudo-median with its interval."""

    positive_ranks: float
    negative_ranks: float
    pseudo_median: Estimate

    @property
    def statistic(self) -> float:
        """The smaller rank sum: the T of printed tables (R prints the positive one as V)."""
        return min(self.positive_ranks, self.negative_ranks)

    @property
    def p(self) -> float | None:
        return self.pseudo_median.p

    @property
    def rank_biserial(self) -> float | None:
        """Matched-pairs rank-biserial correlation (Kerby 2014): share of rank sum for, minus share against."""
        total = self.positive_ranks + self.negative_ranks
        return (self.positive_ranks - self.negative_ranks) / total if total else None

    def __str__(self) -> str:
        p = "" if self.p is None else f", p = {self.p:.4g}"
        return f"W+ = {self.positive_ranks:g}, W- = {self.negative_ranks:g}{p}\n{super().__str__()}"


def wilcoxon(
    x: Iterable[Any],
    y: Iterable[Any] | None = None,
    *,
    alternative: str = "two-sided",
    zeros: str = "wilcoxon",
    p_method: str = "auto",
    correction: bool = False,
    confidence: float = 0.95,
) -> SignedRank:
    """Wilcoxon's signed-rank test of differences `x`, or of paired scores `x` and `y`.

    The absolute differences are ranked (mid-ranks for ties) and the ranks of positive ones summed. p is exact up to 50
    differences, ties included (the distribution over all signs), then normal with the variance corrected for ties.
    Zero differences are left out ("wilcoxon") or keep their ranks and add nothing ("pratt"). The estimate is the
    Hodges-Lehmann pseudo-median, the median of all averages of two differences; its interval inverts the test.
    Wilcoxon, F. (1945). Individual comparisons by ranking methods. Biometrics Bulletin 1, 80-83. Hollander, M., Wolfe,
    D. A. (1973). Nonparametric Statistical Methods, ch. 3.

    >>> before = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
    >>> after = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
    >>> found = wilcoxon(before, after, alternative="greater")
    >>> found.positive_ranks, round(found.p, 5)
    (40.0, 0.01953)
    """
    check_options(confidence, 2)
    _check(alternative, zeros, p_method)
    differences = numbers(x, "x")
    if y is not None:
        others = numbers(y, "y")
        same_length(x=differences, y=others)
        differences = differences - others
    known = differences[~np.isnan(differences)]
    # Subtracting decimals leaves dust such as 0.3 - 0.1 - 0.2, which would make false differences and break ties.
    known = np.where(np.abs(known) < 1e-12 * max(1.0, np.abs(known).max(initial=0)), 0.0, known)
    used = known[known != 0] if zeros == "wilcoxon" else known
    left_out = {
        noted("rows with a missing score"): len(differences) - len(known),
        noted("zero differences"): len(known) - len(used),
    }
    common: dict[str, Any] = {
        "confidence": confidence,
        "n_items": len(used),
        "left_out": {name: n for name, n in left_out.items() if n},
    }
    if not (used != 0).any():
        return SignedRank(0.0, 0.0, Estimate.undefined(Message("no difference is other than zero"), **common))
    ranks = _ranks(np.abs(used))
    up, down = float(ranks[used > 0].sum()), float(ranks[used < 0].sum())
    signed = ranks[used != 0]
    exact = p_method == "exact" or (p_method == "auto" and len(signed) <= EXACT_UP_TO)
    p = _exact_p(signed, up, alternative) if exact else _normal_p(signed, up, alternative, correction)
    value, low, high = _pseudo_median(used, signed, confidence, exact)
    return SignedRank(
        up,
        down,
        Estimate(
            value,
            low,
            high,
            p=p,
            method=clauses(
                Message("Hodges-Lehmann pseudo-median"),
                Message("exact signed-rank p") if exact else Message("normal signed-rank p"),
                Message("zeros: {rule}", rule=zeros),
            ),
            note="" if low is not None else Message("no interval: too few differences to invert the test"),
            **common,
        ),
    )


def _check(alternative: str, zeros: str, p_method: str) -> None:
    for name, value, known in (
        ("alternative", alternative, ("two-sided", "greater", "less")),
        ("zeros", zeros, ("wilcoxon", "pratt")),
        ("p_method", p_method, ("auto", "exact", "normal")),
    ):
        if value not in known:
            raise DataError(f"{name}={value!r}: choose one of {', '.join(map(repr, known))}.")


def _ranks(sizes: Floats) -> Floats:
    # Twelve digits: differences of decimals that are equal on paper stay equal.
    unit = 10.0 ** (np.floor(np.log10(np.where(sizes > 0, sizes, 1.0))) - 11)
    rounded = np.rint(sizes / unit) * unit
    _, place, counts = np.unique(rounded, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[place]


def _distribution(ranks: Floats) -> Floats:
    """Probability of each value of twice the positive rank sum when every sign is a fair coin."""
    doubled = np.rint(2 * ranks).astype(int)
    chance = np.zeros(doubled.sum() + 1)
    chance[0] = 1.0
    for step in doubled:
        moved = np.zeros_like(chance)
        moved[step:] = chance[: len(chance) - step]
        chance = (chance + moved) / 2
    return chance


def _exact_p(ranks: Floats, up: float, alternative: str) -> float:
    chance = _distribution(ranks)
    at = round(2 * up)
    at_most, at_least = float(chance[: at + 1].sum()), float(chance[at:].sum())
    return {"two-sided": min(1.0, 2 * min(at_most, at_least)), "greater": at_least, "less": at_most}[alternative]


def _normal_p(ranks: Floats, up: float, alternative: str, correction: bool) -> float:
    away, spread = up - ranks.sum() / 2, np.sqrt(np.sum(ranks**2) / 4)
    shift = 0.5 if correction else 0.0
    if alternative == "two-sided":
        return min(1.0, float(2 * special.ndtr(-max(abs(away) - shift, 0) / spread)))
    sign = 1 if alternative == "greater" else -1
    return float(special.ndtr(-(sign * away - shift) / spread))


def _pseudo_median(
    differences: Floats, ranks: Floats, confidence: float, exact: bool
) -> tuple[float, float | None, float | None]:
    n = len(differences)
    averages = _Walsh(np.sort(differences))
    value, tail = averages.median(), (1 - confidence) / 2
    if exact:
        below = np.cumsum(_distribution(np.arange(1.0, n + 1))[::2])
        cut = int(np.searchsorted(below, tail))
        if cut == 0:
            return value, None, None  # even the whole range of averages is covered with less than this confidence
    else:
        cut = round(averages.n / 2 + special.ndtri(tail) * np.sqrt(np.sum(ranks**2) / 4))
    cut = max(cut, 1)
    return value, averages.at(cut), averages.at(averages.n + 1 - cut)


class _Walsh:
    """The averages of every two differences (each with itself too), in order; listed only while they are few."""

    def __init__(self, differences: Floats):
        self.differences = differences
        self.n = len(differences) * (len(differences) + 1) // 2
        self.listed: Floats | None = None
        if len(differences) <= WALSH_UP_TO:
            first, second = np.triu_indices(len(differences))
            self.listed = np.sort((differences[first] + differences[second]) / 2)

    def at(self, k: int) -> float:
        """The k-th smallest average, found by counting those below a bound where there are too many to list."""
        if self.listed is not None:
            return float(self.listed[k - 1])
        low, high = float(self.differences[0]), float(self.differences[-1])
        close = 1e-12 * max(abs(low), abs(high))
        while high - low > close:
            middle = low + (high - low) / 2
            low, high = (low, middle) if self._count_up_to(middle) >= k else (middle, high)
        return high

    def _count_up_to(self, bound: float) -> int:
        up_to = np.searchsorted(self.differences, 2 * bound - self.differences, side="right")
        return int(np.maximum(up_to - np.arange(len(self.differences)), 0).sum())

    def median(self) -> float:
        middle = self.at((self.n + 1) // 2)
        return middle if self.listed is None else (middle + self.at(self.n // 2 + 1)) / 2
