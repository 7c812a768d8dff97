"""Which of two is preferred, by how much, and does the side it is shown on matter?"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import special

from quorate.languages import noted
from quorate.messages import Message, Text, Word, clauses

from ..errors import DataError
from ..estimates import Estimate
from .columns import CLUSTERS, Floats, Ints, dense, distinct, numbers, rows_of, same_length
from .findings import Finding
from .outcomes import read_outcomes, sign_of
from .proportions import clopper_pearson, proportion
from .resampling import check_options

TIE_RULES = {
    "denominator": noted("ties stay in the denominator"),
    "half": noted("a tie is half a win"),
    "drop": noted("ties are left out"),
}
TANGO = Message("Tango’s score interval")
#: Tango's interval where comparisons of one cluster go together.
EFFECTIVE_TANGO = Message("Tango’s score interval at an effective n of {size}, by {group}", **CLUSTERS)
NO_COMPARISON = Message("there is no comparison to count")


@dataclass(frozen=True)
class WinTieLoss(Finding):
    """Wins, ties and losses of the first, with the rates that follow from them under the stated tie rule."""

    wins: int
    ties: int
    losses: int
    success_rate: Estimate
    net_gain: Estimate
    tie_rate: Estimate
    tie_rule: str

    def __str__(self) -> str:
        return f"{self.wins} wins, {self.ties} ties, {self.losses} losses ({self.tie_rule})\n{super().__str__()}"


def win_tie_loss(
    outcomes: Iterable[Any] | None = None,
    *,
    wins: int | None = None,
    ties: int | None = None,
    losses: int | None = None,
    tie_rule: str = "denominator",
    clusters: Iterable[Any] | None = None,
    confidence: float = 0.95,
) -> WinTieLoss:
    """How often the first of two is preferred: success rate W / n and net gain (W - L) / n, ties in the denominator.

    `outcomes` are words or signed numbers, one a comparison, or a table (rows = items, columns = raters); or give the
    counts `wins`, `ties`, `losses`. The net gain has SE sqrt((pW + pL - (pW - pL)^2) / n); where several raters judged
    an item, or `clusters` are given, the SE is that of a ratio of cluster sums (Cochran 1977, Sampling Techniques,
    sec. 3.12). Tie rules: "denominator" (W / n), "half" ((W + T/2) / n), "drop" (W / (W + L)). The success rate has
    Wilson's interval and the net gain Tango's, both with the effective n when clustered; the net gain's p is that of
    the same score test, so that it never contradicts the interval.
    Tango, T. (1998). Equivalence test and confidence interval for the difference in proportions for the
    paired-sample design. Statistics in Medicine 17, 891-908.

    >>> found = win_tie_loss(wins=60, ties=10, losses=30)
    >>> round(found.success_rate.value, 2), round(found.net_gain.value, 2), round(found.net_gain.se, 3)
    (0.6, 0.3, 0.09)
    """
    check_options(confidence, 2)
    if tie_rule not in TIE_RULES:
        raise DataError(f"tie_rule={tie_rule!r}: choose one of {', '.join(map(repr, TIE_RULES))}.")
    signs, groups, missing, clustered = _comparisons(outcomes, wins, ties, losses, clusters)
    left_out = {noted("comparisons without an answer"): missing} if missing else {}
    counts = {sign: int((signs == sign).sum()) for sign in (1, 0, -1)}
    tie_rate = _share((signs == 0).astype(float), groups, clustered, confidence, left_out, Message("share of ties"))
    if tie_rule == "drop":
        kept = signs != 0
        left_out = {**left_out, noted("ties"): counts[0]} if counts[0] else left_out
        signs, groups = signs[kept], dense(groups[kept])
    rule = TIE_RULES[tie_rule]
    how, of_gain = clauses(Message("success rate"), Word(rule)), clauses(Message("net gain"), Word(rule))
    if tie_rule == "half":
        success = _halved(_gain(signs, groups, clustered, confidence, left_out, how))
    else:
        success = _share((signs > 0).astype(float), groups, clustered, confidence, left_out, how)
    gain = _gain(signs, groups, clustered, confidence, left_out, of_gain)
    return WinTieLoss(counts[1], counts[0], counts[-1], success, gain, tie_rate, rule)


def _halved(gain: Estimate) -> Estimate:
    """(W + T/2) / n is half of one plus the net gain, and so is its interval."""
    value, low, high = (None if v is None else (1 + v) / 2 for v in (gain.value, gain.low, gain.high))
    return replace(gain, value=value, low=low, high=high, se=None if gain.se is None else gain.se / 2, p=None)


def paired_difference(
    a: Iterable[Any], b: Iterable[Any], *, clusters: Iterable[Any] | None = None, confidence: float = 0.95
) -> Estimate:
    """One share minus another over the same items, with Tango's (1998) score interval and the p of the same test.

    `a` and `b` hold right (1) and wrong (0), item by item. Without clusters p is McNemar's (1947) without a correction;
    with them, both stand at the effective n.

    >>> found = paired_difference([1] * 9 + [0], [0] * 9 + [0])
    >>> round(found.value, 2), round(found.low, 3), round(found.p, 4)
    (0.9, 0.373, 0.0027)
    """
    check_options(confidence, 2)
    x, y = numbers(a, "a"), numbers(b, "b")
    same_length(a=x, b=y)
    given = np.concatenate([x, y])
    if not np.isin(given[~np.isnan(given)], (0.0, 1.0)).all():
        raise DataError("a and b hold 1 for right and 0 for wrong.")
    signs, groups, missing, clustered = read_outcomes(x - y, clusters)
    left_out = {noted("pairs with a missing side"): missing} if missing else {}
    what = Message("difference of paired shares")
    found = _gain(signs, groups, clustered, confidence, left_out, what)
    return replace(found, n_items=len(signs), n_ratings=None)


def sign_test(
    x: Any = None,
    y: Any = None,
    *,
    wins: int | None = None,
    losses: int | None = None,
    clusters: Iterable[Any] | None = None,
    alternative: str = "two-sided",
    confidence: float = 0.95,
) -> Estimate:
    """The exact sign test: are wins as likely as losses? The value is the share of wins among decided items.

    `x` holds outcomes or differences, or pass paired scores `x` and `y`, or counts (`sign_test(8, 2)`). Ties are left
    out. A table of several raters, or clusters, gives each item one sign: that of its wins minus its losses. p is the
    binomial tail doubled, the interval Clopper and Pearson's.
    Dixon, W. J., Mood, A. M. (1946). The statistical sign test. J. Am. Statist. Assoc. 41, 557-566.

    >>> found = sign_test(wins=8, losses=2)
    >>> found.value, round(found.p, 4)
    (0.8, 0.1094)
    """
    check_options(confidence, 2)
    if _is_count(x) and _is_count(y):
        x, y, wins, losses = None, None, int(x), int(y)
    if y is not None:
        x = _differences(x, y)
    signs, groups, missing, _ = _comparisons(x, wins, 0, losses, clusters)
    even = Message("{groups} that come out even", **CLUSTERS) if clusters is not None else noted("ties")
    if len(groups):
        signs = np.sign(np.bincount(groups, weights=signs))
    won, lost = int((signs > 0).sum()), int((signs < 0).sum())
    tied = len(signs) - won - lost
    left_out = {name: n for name, n in ((even, tied), (noted("items without an answer"), missing)) if n}
    common: dict[str, Any] = {"confidence": confidence, "n_items": won + lost, "left_out": left_out}
    if won + lost == 0:
        return Estimate.undefined(Message("no item was decided for either side"), **common)
    found = clopper_pearson(won, won + lost, confidence=confidence)
    p = binomial_p(won, won + lost, alternative)
    method = clauses(Message("exact sign test"), Message("Clopper and Pearson's interval"))
    return replace(found, p=p, left_out=left_out, method=method)


@dataclass(frozen=True)
class PositionBias(Finding):
    """How often the first-shown is chosen and, where pairs were shown both ways, how often the choice followed it."""

    first_chosen: Estimate
    consistent: Estimate | None = None
    followed_position: Estimate | None = None


def position_bias(
    choices: Iterable[Any],
    swapped: Iterable[Any] | None = None,
    *,
    clusters: Iterable[Any] | None = None,
    confidence: float = 0.95,
) -> PositionBias:
    """Does the side matter? The share of decided choices that took the first-shown, which is 1/2 without bias.

    `choices` say which side was taken: "first"/"left", "second"/"right", "tie", or a sign. `swapped` holds the choices
    for the same pairs shown the other way round: then a choice is consistent when it names the same thing both times
    (opposite sides, or twice a tie), and `followed_position` is the share of first-side answers among the decided
    inconsistent pairs, as in Wang et al. (2023), Large language models are not fair evaluators, arXiv:2305.17926.

    >>> bias = position_bias(["first"] * 14 + ["second"] * 6)
    >>> bias.first_chosen.value, round(bias.first_chosen.p, 3)
    (0.7, 0.115)
    """
    check_options(confidence, 2)
    signs, groups, missing, clustered = read_outcomes(choices, clusters)
    decided = signs != 0
    reasons = ((noted("ties"), int((~decided).sum())), (noted("choices without an answer"), missing))
    left_out = {why: n for why, n in reasons if n}
    took_first, groups = (signs[decided] > 0).astype(float), dense(groups[decided])
    first = _share(took_first, groups, clustered, confidence, left_out, Message("share of first-shown chosen"))
    first = _fair(first, took_first, groups)
    if swapped is None:
        return PositionBias(first)
    return PositionBias(first, *_both_ways(rows_of(choices, "choices"), rows_of(swapped, "swapped"), confidence))


def _both_ways(shown: list[Any], swapped: list[Any], confidence: float) -> tuple[Estimate, Estimate]:
    same_length(choices=shown, swapped=swapped)
    one = np.array([sign_of(v, f"choices[{i}]") for i, v in enumerate(shown)])
    two = np.array([sign_of(v, f"swapped[{i}]") for i, v in enumerate(swapped)])
    both = ~(np.isnan(one) | np.isnan(two))
    missing = {noted("pairs not answered both ways"): int((~both).sum())} if not both.all() else {}
    one, two = one[both], two[both]
    consistent = one == -two
    pulled = (one + two)[~consistent]  # above 0: the first side gained, below 0: the second
    pull = (pulled > 0).astype(float)
    how = Message("share judged alike")
    alike = _share(consistent.astype(float), np.arange(len(one)), False, confidence, missing, how)
    how = Message("share of inconsistent pairs for the first side")
    side = _share(pull, np.arange(len(pull)), False, confidence, {}, how)
    return alike, _fair(side, pull, np.arange(len(pull)))


def _comparisons(
    outcomes: Any, wins: int | None, ties: int | None, losses: int | None, clusters: Iterable[Any] | None
) -> tuple[Floats, Ints, int, bool]:
    counts = (wins, ties, losses)
    if outcomes is None:
        if wins is None or losses is None:
            raise DataError("Give the outcomes, or the counts of wins, ties and losses.")
        given = [0 if k is None else k for k in counts]
        if any(not _is_count(k) or k < 0 for k in given):
            raise DataError(f"wins, ties and losses must be counts, got {given}.")
        if clusters is not None:
            raise DataError("Clusters need the outcomes one by one; counts alone cannot be grouped.")
        signs = np.repeat([1.0, 0.0, -1.0], given)
        return signs, np.arange(len(signs)), 0, False
    if wins is not None or losses is not None:
        raise DataError("Give either the outcomes or their counts, not both.")
    return read_outcomes(outcomes, clusters)


def _share(
    hits: Floats, groups: Ints, clustered: bool, confidence: float, left_out: dict[str, int], what: Text
) -> Estimate:
    """A share with Wilson's interval, at the effective n where clusters hold several comparisons."""
    several = clustered and len(distinct(groups)) < len(hits)
    found = proportion(hits, clusters=groups if several else None, confidence=confidence)
    if found.value is None:
        return replace(found, note=NO_COMPARISON, n_ratings=0, left_out=left_out)
    return replace(found, n_ratings=len(hits), left_out=left_out, method=clauses(what, found.method))


def _fair(found: Estimate, hits: Floats, groups: Ints) -> Estimate:
    """The estimate of a share with its p-value against one half: exact for single comparisons, t for clusters."""
    if found.value is None:
        return found
    if found.n_items == len(hits):
        return replace(found, p=binomial_p(int(hits.sum()), len(hits)))
    if not found.se:
        return found
    return replace(found, p=float(2 * special.stdtr(groups.max(), -abs(found.value - 0.5) / found.se)))


def _gain(
    signs: Floats, groups: Ints, clustered: bool, confidence: float, left_out: dict[str, int], what: Text
) -> Estimate:
    """The mean sign with Tango's score interval, at the effective n where clusters hold several comparisons."""
    n = len(signs)
    n_groups = int(groups.max()) + 1 if n else 0
    common: dict[str, Any] = {"confidence": confidence, "n_items": n_groups, "n_ratings": n, "left_out": left_out}
    if n == 0:
        return Estimate.undefined(NO_COMPARISON, **common)
    won, lost = float((signs > 0).mean()), float((signs < 0).mean())
    value, alone = won - lost, won + lost - (won - lost) ** 2
    if not (clustered and n_groups < n):
        low, high = tango_bounds(won, lost, n, confidence)
        p = float(2 * special.ndtr(-tango_distance(won, lost, n, 0)))
        se, method = float(np.sqrt(alone / n)), clauses(what, TANGO)
        return Estimate(value, low, high, se=se, p=p, method=method, **common)
    if n_groups < 2:
        return Estimate(
            value, method=what, note=Message("no interval: all comparisons are of one {group}", **CLUSTERS), **common
        )
    se = _clustered_se(signs - value, groups)
    # Where clusters do not differ nothing tells how much they would; each then counts as one comparison.
    size = min(n, alone / se**2) if se else n_groups
    note = "" if se else Message("every {group} comes out alike, so each counts as one comparison", **CLUSTERS)
    # Student's t with few clusters, put as a smaller n (Korn and Graubard 1998).
    few = float(special.ndtri((1 + confidence) / 2) / special.stdtrit(n_groups - 1, (1 + confidence) / 2)) ** 2
    low, high = tango_bounds(won, lost, size * few, confidence)
    p = float(2 * special.stdtr(n_groups - 1, -tango_distance(won, lost, size, 0)))
    method = clauses(what, EFFECTIVE_TANGO.having(size=f"{size * few:.1f}"))
    return Estimate(value, low, high, se=se, p=p, method=method, note=note, **common)


def tango_bounds(won: float, lost: float, n: float, confidence: float) -> tuple[float, float]:
    """Where Tango's (1998) score interval for the difference of two paired shares ends; n need not be whole.

    The interval holds every difference d that its score test does not reject: |won − lost − d| within z standard
    errors, where the standard error is that of the shares which fit best while their difference is d.

    >>> low, high = tango_bounds(9 / 10, 0, 10, 0.95)
    >>> round(low, 3), round(high, 3)
    (0.373, 0.982)
    """
    z, value = float(special.ndtri((1 + confidence) / 2)), won - lost

    def fits(d: float) -> bool:
        return (value - d) ** 2 * n <= z * z * _variance(won, lost, d)

    return _last(fits, value, -1.0), _last(fits, value, 1.0)


def tango_distance(won: float, lost: float, n: float, d: float) -> float:
    """How many standard errors of Tango's score test a net gain lies from d."""
    variance = _variance(won, lost, d)
    return abs(won - lost - d) * math.sqrt(n / variance) if variance > 0 else 0.0


def _variance(won: float, lost: float, d: float) -> float:
    """The variance of one comparison under the shares that fit best while their difference is d."""
    slope = (2 - (won - lost)) * d - (won + lost)
    least = (math.sqrt(max(slope * slope + 8 * lost * d * (1 - d), 0.0)) - slope) / 4
    return 2 * least + d * (1 - d)


def _last(fits: Callable[[float], bool], inside: float, outside: float) -> float:
    """The last value that fits on the way from one that does to a bound that may not, by halving."""
    if fits(outside):
        return outside
    for _ in range(60):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if fits(middle) else (inside, middle)
    return inside


def _clustered_se(residuals: Floats, groups: Ints) -> float:
    sums = np.bincount(groups, weights=residuals)
    n_groups = len(sums)
    return float(np.sqrt(n_groups / (n_groups - 1) * np.sum(sums**2)) / len(residuals))


def _is_count(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _differences(x: Any, y: Any) -> Floats:
    xs, ys = numbers(x, "x"), numbers(y, "y")
    same_length(x=xs, y=ys)
    return xs - ys


def binomial_p(won: int, n: int, alternative: str = "two-sided") -> float:
    """The exact chance of a result at least this uneven when wins and losses are equally likely."""
    at_most, at_least = float(special.bdtr(won, n, 0.5)), float(special.bdtrc(won - 1, n, 0.5)) if won else 1.0
    tails = {"two-sided": min(1.0, 2 * min(at_most, at_least)), "greater": at_least, "less": at_most}
    if alternative not in tails:
        raise DataError(f"alternative={alternative!r}: choose 'two-sided', 'greater' or 'less'.")
    return tails[alternative]
