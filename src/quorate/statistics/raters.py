"""How each rater works: agreement with the rest, drift over the session, straight-lining and speed.

These may flag a rater; by themselves they exclude nobody.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from quorate.languages import noted
from quorate.messages import Message, Text, clauses

from ..errors import DataError
from ..estimates import Estimate
from .agreement import beyond_chance
from .columns import Bools, Floats, Ints, coded, coded_in_order, dense, numbers, same_length
from .engine import Bounds, How, Sums, evaluate
from .findings import Finding
from .proportions import proportion
from .ratings import Ratings
from .resampling import check_options
from .weights import weights_for


@dataclass(frozen=True)
class RaterAgreement(Finding):
    """For each rater: the share of other raters who gave the same answer, and that share beyond chance."""

    agreement: Mapping[Hashable, Estimate]
    beyond_chance: Mapping[Hashable, Estimate]


def agreement_with_rest(
    ratings: Any,
    *,
    weights: Any = None,
    categories: Any = None,
    clusters: Any = None,
    interval: str | None = "linearised",
    confidence: float = 0.95,
    replicates: int = 10_000,
    seed: int = 0,
) -> RaterAgreement:
    """How far each rater agrees with the others who rated the same items, plain and beyond chance.

    On each item the agreement is the (weighted) share of the other raters with the same answer; the estimate is its
    mean over the items that the rater shares with somebody. Beyond chance: (p_o - p_e) / (1 - p_e), where p_e comes
    from the rater's own shares and the mean of the others' on those items, as in Cohen's kappa with "the rest" as the
    second rater (Schouten 1986, Nominal scale agreement among observers, Psychometrika 51, 453-466).

    >>> found = agreement_with_rest([["y", "y", "y"], ["n", "n", "y"], ["y", "y", "n"], ["n", "n", "n"]])
    >>> [round(found.agreement[rater].value, 3) for rater in (1, 2, 3)]
    [0.75, 0.75, 0.5]
    """
    read = Ratings.read(ratings, categories, clusters)
    matrix = weights_for(read, weights)
    how = How(interval, confidence, replicates, seed)
    plain, beyond = {}, {}
    for place, rater in enumerate(read.raters):
        plain[rater], beyond[rater] = _with_rest(read, place, matrix, how)
    return RaterAgreement(plain, beyond)


def _with_rest(read: Ratings, place: int, matrix: Floats, how: How) -> tuple[Estimate, Estimate]:
    q, codes = len(read.categories), read.by_rater
    own = codes[place]
    others = np.delete(codes, place, axis=0)
    tally = np.stack([(others == k).sum(axis=0) for k in range(q)], axis=1).astype(float)
    shared = (own >= 0) & (tally.sum(axis=1) > 0)
    counts: dict[str, Any] = {
        "n_items": int(shared.sum()),
        "n_ratings": int(shared.sum() + tally[shared].sum()),
        "left_out": {noted("items nobody else rated"): k} if (k := int(((own >= 0) & ~shared).sum())) else {},
        "confidence": how.confidence,
    }
    if not shared.any():
        nothing = Estimate.undefined(Message("this rater shares no item with another"), **counts)
        return nothing, nothing
    rest = tally[shared] / tally[shared].sum(axis=1, keepdims=True)
    mine = np.eye(q)[own[shared]]
    same = np.einsum("ik,kl,il->i", mine, matrix, rest)
    table = np.column_stack([np.ones(len(same)), same, mine, rest])

    def kappa(totals: NDArray) -> NDArray:
        shares = totals[..., 1:] / totals[..., :1]
        chance = np.einsum("...k,kl,...l->...", shares[..., 1 : 1 + q], matrix, shares[..., 1 + q :])
        return beyond_chance(shares[..., 0], chance)

    groups = None if read.clusters is None else dense(read.clusters[shared])
    agreement = _evaluated(
        Sums(table, np.ones(len(same), np.int64), lambda t: t[..., 1] / t[..., 0]), groups, how, True
    )
    beyond = _evaluated(Sums(table, np.ones(len(same), np.int64), kappa), groups, how, False)
    plain = clauses(Message("agreement with the rest"), how.words)
    corrected = clauses(Message("beyond chance, agreement with the rest"), how.words)
    return replace(agreement, p=None, method=plain, **counts), replace(beyond, method=corrected, **counts)


def _evaluated(sums: Sums, groups: Ints | None, how: How, share: bool) -> Estimate:
    smooth = sums if groups is None else sums.by_cluster(np.arange(len(groups)), groups)
    result = evaluate(smooth, how, Bounds(0.0, 1.0) if share else Bounds())
    if not np.isfinite(result.value):
        return Estimate.undefined(
            Message("the rater and the rest used one category alone, so chance explains everything")
        )
    low, high, se, note = result.interval
    return Estimate(result.value, low, high, se=se, p=result.p, note=note)


@dataclass(frozen=True)
class Drift(Finding):
    """For each rater, the change of the value with each further position; overall, the change common to all."""

    slope: Mapping[Hashable, Estimate]
    overall: Estimate


def drift(
    values: Iterable[Any],
    positions: Iterable[Any] | None = None,
    raters: Iterable[Any] | None = None,
    *,
    confidence: float = 0.95,
) -> Drift:
    """Does a rater's score, agreement or time change over the session? The least-squares slope on position.

    b = sum (x - mx)(y - my) / sum (x - mx)^2 with its t interval (n - 2 degrees of freedom) for each rater; overall,
    the slope within raters, whose standard error is over raters where there are five or more, else over answers.
    Without `positions` the order given counts. Values may be scores, 0/1 agreement with the verdict, or seconds.

    >>> round(drift([3, 3, 4, 4, 5, 5]).overall.value, 3)
    0.457
    """
    check_options(confidence, 2)
    y = numbers(values, "values")
    x = np.arange(1.0, len(y) + 1) if positions is None else numbers(positions, "positions")
    names, who = _who(raters, len(y))
    same_length(values=y, positions=x, raters=who)
    known = ~(np.isnan(x) | np.isnan(y)) & (who >= 0)
    slopes = {}
    for place, name in enumerate(names):
        mine = known & (who == place)
        slopes[name] = _slope(x[mine], y[mine], np.zeros(int(mine.sum()), np.int64), 1, confidence)
    return Drift(slopes, _slope(x[known], y[known], who[known], len(names), confidence))


def _slope(x: Floats, y: Floats, who: Ints, n_raters: int, confidence: float) -> Estimate:
    counts: dict[str, Any] = {
        "confidence": confidence,
        "n_ratings": len(y),
        "method": Message("least-squares slope on position"),
    }
    if len(y) < 3:
        return Estimate.undefined(Message("a slope needs at least three answers"), **counts)
    size = np.maximum(np.bincount(who, minlength=n_raters), 1)
    x = x - (np.bincount(who, weights=x, minlength=n_raters) / size)[who]
    y = y - (np.bincount(who, weights=y, minlength=n_raters) / size)[who]
    spread = float(x @ x)
    if spread == 0:
        return Estimate.undefined(Message("all answers are at one position"), **counts)
    value = float(x @ y) / spread
    errors = y - value * x
    seen = len(np.unique(who))
    if seen >= 5:
        moves, df = np.bincount(who, weights=x * errors), seen - 1
        se = float(np.sqrt(seen / (seen - 1) * np.sum(moves**2))) / spread
    else:
        df = len(y) - seen - 1
        if df < 1:
            return Estimate(value, note=Message("no interval: as many parameters as answers"), **counts)
        se = float(np.sqrt(errors @ errors / df / spread))
    reach = float(special.stdtrit(df, (1 + confidence) / 2)) * se
    p = float(2 * special.stdtr(df, -abs(value) / se)) if se > 0 else None
    return Estimate(value, value - reach, value + reach, se=se, p=p, **counts)


@dataclass(frozen=True)
class StraightLining(Finding):
    """For each rater: how often an answer repeats the one before, p against a random order, and the longest run."""

    repeated: Mapping[Hashable, Estimate]
    longest_run: Mapping[Hashable, int]
    commonest_share: Mapping[Hashable, float | None]


def straight_lining(
    answers: Iterable[Any],
    raters: Iterable[Any] | None = None,
    positions: Iterable[Any] | None = None,
    *,
    confidence: float = 0.95,
) -> StraightLining:
    """Does a rater give the same answer over and over? The share of answers equal to the one before, and longest runs.

    p is one-sided (too few runs) from the normal approximation to the number of runs among the rater's own answers in
    random order, with S_m = sum of n_k^m: mean 1 + (n^2 - S_2) / n, variance (S_2 (S_2 + n (n + 1)) - 2 n S_3 - n^3) /
    (n^2 (n - 1)). Mood, A. M. (1940). The distribution theory of runs. Ann. Math. Statist. 11, 367-392.

    >>> found = straight_lining("aaaaabbbbbccccc")
    >>> found.longest_run[1], round(found.repeated[1].value, 3)
    (5, 0.857)
    """
    check_options(confidence, 2)
    _, codes = coded(answers, "answers")
    names, who = _who(raters, len(codes))
    at = np.arange(len(codes), dtype=float) if positions is None else numbers(positions, "positions")
    same_length(answers=codes, raters=who, positions=at)
    repeated, longest, commonest = {}, {}, {}
    for place, name in enumerate(names):
        mine = np.flatnonzero((who == place) & (codes >= 0) & ~np.isnan(at))
        given = codes[mine[np.argsort(at[mine], kind="stable")]]
        repeated[name] = _repeats(given, confidence)
        longest[name] = _longest_run(given)
        commonest[name] = float(np.bincount(given).max() / len(given)) if len(given) else None
    return StraightLining(repeated, longest, commonest)


def _repeats(given: Ints, confidence: float) -> Estimate:
    n = len(given)
    if n < 2:
        return Estimate.undefined(Message("a run needs at least two answers"), confidence=confidence, n_ratings=n)
    same: Bools = given[1:] == given[:-1]
    found = proportion(same, confidence=confidence)
    sizes = np.bincount(given).astype(float)
    squares, cubes = np.sum(sizes**2), np.sum(sizes**3)
    variance = (squares * (squares + n * (n + 1)) - 2 * n * cubes - n**3) / (n**2 * (n - 1))
    note: Text = ""
    p = None
    if variance <= 1e-12:
        note = Message("every answer is the same") if len(sizes[sizes > 0]) == 1 else ""
    else:
        runs, mean = 1 + int((~same).sum()), 1 + (n * n - squares) / n
        p = float(special.ndtr((runs - mean) / np.sqrt(variance)))
    method = Message("share of answers equal to the one before")
    return replace(found, p=p, n_items=None, n_ratings=n, note=note, method=method)


def _longest_run(given: Ints) -> int:
    if not len(given):
        return 0
    ends = np.flatnonzero(np.append(given[1:] != given[:-1], True))
    return int(np.diff(np.append(-1, ends)).max())


@dataclass(frozen=True)
class Speed(Finding):
    """For each rater, the median seconds an answer took and the share of answers faster than the threshold."""

    median_seconds: Mapping[Hashable, Estimate]
    too_fast: Mapping[Hashable, Estimate]
    threshold: float | None


def speed(
    seconds: Iterable[Any],
    raters: Iterable[Any] | None = None,
    *,
    threshold: float | None = None,
    confidence: float = 0.95,
) -> Speed:
    """How long an answer takes each rater, and how often it is too fast to have been considered.

    The median has the exact interval between two order statistics (Conover 1999, sec. 3.2). Too fast is below
    `threshold` seconds, by default 0.3 times the median over all raters' medians, a usual cut for speeding (Greszki
    et al. 2015, Public Opinion Quarterly 79, 471-503); say your own where the protocol has one.

    >>> found = speed([30, 42, 35, 51, 3, 2, 4, 3], ["ann"] * 4 + ["bob"] * 4, threshold=10)
    >>> found.median_seconds["ann"].value, found.too_fast["bob"].value
    (38.5, 1.0)
    """
    check_options(confidence, 2)
    taken = numbers(seconds, "seconds")
    if (taken < 0).any():
        raise DataError(f"seconds[{int(np.argmax(taken < 0))}]: a time cannot be negative.")
    names, who = _who(raters, len(taken))
    same_length(seconds=taken, raters=who)
    known = ~np.isnan(taken) & (who >= 0)
    each = {name: np.sort(taken[known & (who == place)]) for place, name in enumerate(names)}
    medians = {name: _median(times, confidence) for name, times in each.items()}
    if threshold is None:
        centres = [e.value for e in medians.values() if e.value is not None]
        threshold = 0.3 * float(np.median(centres)) if centres else None
    fast = {}
    for name, times in each.items():
        found = proportion(times < (threshold or 0), confidence=confidence)
        method = Message("share under {seconds} seconds", seconds=f"{threshold or 0:.3g}")
        fast[name] = replace(found, n_items=None, n_ratings=len(times), method=method)
    return Speed(medians, fast, threshold)


def _median(times: Floats, confidence: float) -> Estimate:
    n = len(times)
    method = clauses(Message("median"), Message("order-statistic interval"))
    counts: dict[str, Any] = {"confidence": confidence, "n_ratings": n, "method": method}
    if n == 0:
        return Estimate.undefined(Message("no answer has a time"), **counts)
    cut = int(np.searchsorted(special.bdtr(np.arange(n), n, 0.5), (1 - confidence) / 2, side="right"))
    value = float(np.median(times))
    if cut < 1:
        return Estimate(value, note=Message("no interval: too few answers for this confidence"), **counts)
    return Estimate(value, float(times[cut - 1]), float(times[n - cut]), **counts)


def _who(raters: Iterable[Any] | None, n: int) -> tuple[list[Hashable], Ints]:
    if raters is None:
        return [1], np.zeros(n, np.int64)
    return coded_in_order(raters, "raters")
