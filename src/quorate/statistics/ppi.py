"""A few human labels and many machine predictions: means that are right whatever the machine's errors (PPI++)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import special

from quorate.languages import noted
from quorate.messages import Message, Text, clauses

from ..errors import DataError
from ..estimates import Estimate
from .columns import Floats, Ints, grouped, numbers, same_length
from .proportions import mcnemar, newcombe, proportion
from .resampling import check_options

LEAST = 5  # labels in each cell of label x prediction, below which the interval does not keep its promise
SIDES = {"two-sided": 0, "greater": 1, "larger": 1, "less": -1, "smaller": -1}


def ppi_mean(
    labels: Iterable[Any],
    predictions: Iterable[Any],
    unlabelled: Iterable[Any],
    *,
    lam: float | None = None,
    null: float | None = None,
    alternative: str = "two-sided",
    clusters: Iterable[Any] | None = None,
    unlabelled_clusters: Iterable[Any] | None = None,
    confidence: float = 0.95,
    least: int = LEAST,
) -> Estimate:
    """The mean that people would have given to all items, from labels on some and predictions on all (PPI++).

    value = lambda mean(f on unlabelled) + mean(y - lambda f on labelled), with SE^2 = lambda^2 var(f) / N +
    var(y - lambda f) / n (ddof 1) and t with n - 1 degrees of freedom. lambda minimises the SE, cov(y, f) /
    ((1 + n/N) var(f)), clipped to [0, 1]; `lam=1` is plain PPI and `lam=0` the mean of the labels. The labelled items
    must be a random sample of all. With clusters, variances are of cluster sums. With 0/1 labels and fewer than `least`
    in a cell of label x prediction (cut at one half), the answer is the labels' own proportion with Wilson's interval,
    and the note says so. `alternative` makes the interval one-sided: "greater" keeps the lower end alone, "less" the
    upper. `null` is what p tests. Angelopoulos, A. N., Duchi, J. C., Zrnic, T. (2023). PPI++: Efficient
    prediction-powered inference. arXiv:2311.01453.

    >>> found = ppi_mean([3, 4, 5, 2, 4, 3], [3, 4, 4, 2, 5, 3], [4, 3, 3, 5, 4, 2, 4, 4, 3, 5, 4, 4])
    >>> round(found.value, 3), found.n_items, found.n_ratings
    (3.682, 18, 6)
    """
    check_options(confidence, 2)
    side = _side(alternative)
    part = _read(labels, predictions, unlabelled, clusters, unlabelled_clusters, lam)
    if part.n < 2 or part.n_unlabelled < 1:
        why = Message("at least two labels and one unlabelled prediction are needed")
        return Estimate.undefined(why, **_counts(part, confidence))
    if _thin(part, least):
        return _fallback(part, confidence, side, null, least)
    value, variance = part.mean(), part.variance()
    weight = f"{part.weight:.3f}"
    note = Message("lambda {weight}: predictions help", weight=weight)
    if part.weight <= 0:
        note = Message("lambda {weight}: predictions do not help", weight=weight)
    return _estimate(value, variance, part.groups_labelled - 1, confidence, side, null, note, _counts(part, confidence))


def ppi_difference(
    labels_a: Iterable[Any],
    predictions_a: Iterable[Any],
    unlabelled_a: Iterable[Any],
    labels_b: Iterable[Any],
    predictions_b: Iterable[Any],
    unlabelled_b: Iterable[Any],
    *,
    paired: bool = False,
    lam: float | None = None,
    null: float = 0.0,
    alternative: str = "two-sided",
    clusters: Iterable[Any] | None = None,
    unlabelled_clusters: Iterable[Any] | None = None,
    confidence: float = 0.95,
    least: int = LEAST,
) -> Estimate:
    """The difference of two prediction-powered means, a - b, for independent or for paired items.

    Independent: the difference of the two PPI++ means with the sum of their variances and Welch's degrees of freedom;
    where cells of 0/1 labels are too small, Newcombe's interval on the labels alone. Paired (row i of a and of b is the
    same item): PPI++ of the differences y_a - y_b with predictions f_a - f_b; small cells give the paired interval of
    McNemar's table. Clusters go with paired items. Source and conventions as in `ppi_mean`.

    >>> a, b = ([1, 2, 3, 4], [1, 2, 3, 5], [2, 3, 4, 3]), ([0, 2, 2, 3], [1, 1, 2, 3], [2, 2, 3, 2])
    >>> round(ppi_difference(*a, *b, paired=True).value, 3)
    0.75
    """
    check_options(confidence, 2)
    side = _side(alternative)
    if paired:
        return _paired(
            (labels_a, predictions_a, unlabelled_a), (labels_b, predictions_b, unlabelled_b), lam, null, alternative,
            clusters, unlabelled_clusters, confidence, least,
        )  # fmt: skip
    if clusters is not None or unlabelled_clusters is not None:
        raise DataError("Clusters of two independent sets are ambiguous; use paired=True, or compare ppi_mean results.")
    a = _read(labels_a, predictions_a, unlabelled_a, None, None, lam)
    b = _read(labels_b, predictions_b, unlabelled_b, None, None, lam)
    counts = _counts(a, confidence)
    both = _counts(b, confidence)
    counts = {**counts, **{name: counts[name] + both[name] for name in ("n_items", "n_ratings")}}
    if min(a.n, b.n) < 2 or min(a.n_unlabelled, b.n_unlabelled) < 1:
        why = Message("each set needs at least two labels and one unlabelled prediction")
        return Estimate.undefined(why, **counts)
    if _thin(a, least) or _thin(b, least):
        if not (a.binary and b.binary):
            raise DataError(Message("One set has 0/1 labels and the other has not; their means cannot be compared"))
        plain = newcombe(int(a.y.sum()), a.n, int(b.y.sum()), b.n, confidence=_level(confidence, side))
        return _one_side(replace(plain, confidence=confidence, note=_why(least)), side, -1.0, 1.0)
    one, two = a.variance(), b.variance()
    df = (one + two) ** 2 / (one**2 / (a.n - 1) + two**2 / (b.n - 1)) if one + two > 0 else a.n + b.n - 2
    note = Message("lambda {one} and {other}", one=f"{a.weight:.3f}", other=f"{b.weight:.3f}")
    return _estimate(a.mean() - b.mean(), one + two, df, confidence, side, null, note, counts)


@dataclass(frozen=True)
class _Part:
    """Labels y with predictions f, predictions u without labels, and the weight lambda given to predictions."""

    y: Floats
    f: Floats
    u: Floats
    labelled: Ints
    unlabelled: Ints
    weight: float
    left_out: dict[str, int]

    @property
    def n(self) -> int:
        return len(self.y)

    @property
    def n_unlabelled(self) -> int:
        return len(self.u)

    @property
    def groups_labelled(self) -> int:
        return int(self.labelled.max()) + 1

    @property
    def binary(self) -> bool:
        return bool(np.isin(self.y, (0.0, 1.0)).all())

    def mean(self) -> float:
        return float(self.weight * self.u.mean() + np.mean(self.y - self.weight * self.f))

    def variance(self) -> float:
        rest = _mean_cov(self.y - self.weight * self.f, self.y - self.weight * self.f, self.labelled)
        return rest + self.weight**2 * _mean_cov(self.u, self.u, self.unlabelled)


def _read(
    labels: Iterable[Any],
    predictions: Iterable[Any],
    unlabelled: Iterable[Any],
    clusters: Iterable[Any] | None,
    unlabelled_clusters: Iterable[Any] | None,
    lam: float | None,
) -> _Part:
    y, f, u = numbers(labels, "labels"), numbers(predictions, "predictions"), numbers(unlabelled, "unlabelled")
    same_length(labels=y, predictions=f)
    kept, there = ~(np.isnan(y) | np.isnan(f)), ~np.isnan(u)
    groups, others = grouped(clusters, kept), grouped(unlabelled_clusters, there)
    y, f, u = y[kept], f[kept], u[there]
    left_out = {
        noted("labelled items without both"): int((~kept).sum()),
        noted("unlabelled items"): int((~there).sum()),
    }
    weight = 0.0
    if lam is not None:
        if not 0 <= lam <= 1:
            raise DataError(f"lam={lam}: the weight of the predictions lies between 0 and 1.")
        weight = float(lam)
    elif len(y) > 1 and len(u) > 0:
        weight = _best_weight(y, f, u, groups, others, clusters is not None or unlabelled_clusters is not None)
    return _Part(y, f, u, groups, others, weight, {name: k for name, k in left_out.items() if k})


def _best_weight(y: Floats, f: Floats, u: Floats, groups: Ints, others: Ints, clustered: bool) -> float:
    together = _mean_cov(y, f, groups)
    if clustered:
        spread = _mean_cov(f, f, groups) + _mean_cov(u, u, others)
    else:  # one variance for all predictions: the labelled are a sample of the same items
        variance = float(np.concatenate([f, u]).var(ddof=1))
        spread = variance / len(f) + variance / len(u)
    return float(np.clip(together / spread, 0, 1)) if spread > 0 else 0.0


def _mean_cov(a: Floats, b: Floats, groups: Ints) -> float:
    """The covariance of two means over the same rows, from sums over groups; 0 for a single group."""
    n, n_groups = len(a), int(groups.max()) + 1
    if n_groups < 2:
        return 0.0
    left, right = (np.bincount(groups, weights=v - v.mean()) for v in (a, b))
    return float(n_groups / (n_groups - 1) * (left @ right)) / n**2


def _thin(part: _Part, least: int) -> bool:
    """Whether a cell of label x prediction holds too few labels for the interval of a share."""
    if not part.binary or least <= 0:
        return False
    if part.weight == 0:
        return True
    says = part.f >= 0.5
    return any(int(np.sum((part.y == label) & (says == said))) < least for label in (0, 1) for said in (False, True))


def _why(least: int, weight: float = 1.0) -> Message:
    if weight == 0:
        return Message("from the labels alone: the predictions carry no weight")
    return Message(
        "from the labels alone: a cell of label x prediction has fewer than {least}, too few for a corrected share",
        least=str(least),
    )


def _fallback(part: _Part, confidence: float, side: int, null: float | None, least: int) -> Estimate:
    clusters = part.labelled if part.groups_labelled < part.n else None
    found = proportion(part.y, clusters=clusters, confidence=_level(confidence, side))
    p = None
    if null is not None and found.value is not None:
        se = np.sqrt(null * (1 - null) / part.n) if clusters is None else found.se
        p = _p((found.value - null) / se, part.groups_labelled - 1, side) if se else None
    counts = _counts(part, confidence)
    counts["method"] = Message("{how} on the labels alone", how=found.method)
    found = replace(found, p=p, note=_why(least, part.weight), **counts)
    return _one_side(found, side, 0.0, 1.0)


def _paired(
    a: tuple[Any, Any, Any],
    b: tuple[Any, Any, Any],
    lam: float | None,
    null: float,
    alternative: str,
    clusters: Iterable[Any] | None,
    unlabelled_clusters: Iterable[Any] | None,
    confidence: float,
    least: int,
) -> Estimate:
    columns = []
    for one, two, name in zip(a, b, ("labels", "predictions", "unlabelled"), strict=True):
        first, second = numbers(one, f"{name}_a"), numbers(two, f"{name}_b")
        same_length(**{f"{name}_a": first, f"{name}_b": second})
        columns.append((first, second))
    (ya, yb), known = columns[0], ~(np.isnan(columns[0][0]) | np.isnan(columns[0][1]))
    binary = np.isin(ya[known], (0.0, 1.0)).all() and np.isin(yb[known], (0.0, 1.0)).all()
    if binary and clusters is None and min((ya[known] > yb[known]).sum(), (ya[known] < yb[known]).sum()) < least:
        side = _side(alternative)
        found = mcnemar(ya, yb, confidence=_level(confidence, side))
        return _one_side(replace(found, confidence=confidence, note=_why(least)), side, -1.0, 1.0)
    y, f, u = (first - second for first, second in columns)
    return ppi_mean(
        y, f, u, lam=lam, null=null, alternative=alternative, clusters=clusters,
        unlabelled_clusters=unlabelled_clusters, confidence=confidence, least=0,
    )  # fmt: skip


def _estimate(
    value: float,
    variance: float,
    df: float,
    confidence: float,
    side: int,
    null: float | None,
    note: Text,
    counts: dict[str, Any],
) -> Estimate:
    se = float(np.sqrt(variance))
    if se == 0 or df < 1:
        return Estimate(value, note=clauses(note, Message("no interval: the labels do not vary")), **counts)
    reach = se * float(special.stdtrit(df, (1 + _level(confidence, side)) / 2))
    p = None if null is None else _p((value - null) / se, df, side)
    return _one_side(Estimate(value, value - reach, value + reach, se=se, p=p, note=note, **counts), side)


def _p(t: float, df: float, side: int) -> float:
    if side == 0:
        return float(2 * special.stdtr(df, -abs(t)))
    return float(special.stdtr(df, -side * t))


def _level(confidence: float, side: int) -> float:
    """The two-sided confidence whose one end is the one-sided bound asked for."""
    return confidence if side == 0 else 2 * confidence - 1


def _one_side(found: Estimate, side: int, least: float | None = None, most: float | None = None) -> Estimate:
    """Only the end that was asked for; the other is as far as the scale goes."""
    if side == 0:
        return found
    side_of = Message("one-sided: at least low") if side > 0 else Message("one-sided: at most high")
    note = clauses(found.note, side_of)
    return replace(found, high=most, note=note) if side > 0 else replace(found, low=least, note=note)


def _counts(part: _Part, confidence: float) -> dict[str, Any]:
    return {
        "confidence": confidence,
        "n_items": part.n + part.n_unlabelled,
        "n_ratings": part.n,
        "left_out": part.left_out,
        "method": Message("PPI++"),
    }


def _side(alternative: str) -> int:
    if alternative not in SIDES:
        raise DataError(f"alternative={alternative!r}: choose 'two-sided', 'greater' or 'less'.")
    return SIDES[alternative]
