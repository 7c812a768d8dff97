"""A judge against a reference, and against people measured by the same yardstick."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.languages import noted
from quorate.messages import Message, clauses

from ..errors import DataError
from ..estimates import Estimate
from .columns import Bools, Floats, Ints, dense, listed
from .engine import Bounds, How, Sums, evaluate
from .findings import Finding
from .kappa import cohen_kappa
from .panel import NOTHING_SHARED, Panel, by_group, mean_of_ratios, read_panel
from .proportions import proportion
from .ratings import Ratings
from .weights import weight_matrix

SHARE = Bounds(0.0, 1.0)
NO_BOTH = Message("no item has both answers")
JUDGE_WITH_REST = Message("judge with the remaining people")
PERSON_WITH_REST = Message("person with the remaining people")
JUDGE_MINUS_PERSON = Message("judge - person")


@dataclass(frozen=True)
class Confusion(Finding):
    """What the reference says against what was predicted: counts (rows = reference) and the rates that follow."""

    accuracy: Estimate
    kappa: Estimate
    recall: Mapping[Hashable, Estimate]
    precision: Mapping[Hashable, Estimate]
    f1: Mapping[Hashable, Estimate]
    macro_f1: Estimate
    balanced_accuracy: Estimate
    categories: tuple[Any, ...]
    counts: NDArray[np.int64]

    def __str__(self) -> str:
        wide = max(len(str(c)) for c in (*self.categories, int(self.counts.max(initial=0))))
        head = " " * wide + "  " + "  ".join(f"{c!s:>{wide}}" for c in self.categories)
        rows = [
            f"{name!s:>{wide}}  " + "  ".join(f"{k:>{wide}}" for k in row)
            for name, row in zip(self.categories, self.counts, strict=True)
        ]
        return "\n".join(["reference in rows, predicted in columns", head, *rows, super().__str__()])


def confusion(
    reference: Any,
    predicted: Any = None,
    *,
    categories: Any = None,
    clusters: Any = None,
    interval: str | None = "linearised",
    confidence: float = 0.95,
    replicates: int = 10_000,
    seed: int = 0,
) -> Confusion:
    """The confusion matrix of two columns, with accuracy, kappa, and recall, precision and F1 of each category.

    recall = TP / (TP + FN), precision = TP / (TP + FP), F1 = 2 TP / (2 TP + FP + FN); macro F1 and balanced accuracy
    are means of F1 and of recall over the reference's categories. Accuracy, recall and precision have Wilson's interval
    (at the effective n when clustered), F1 and the means a linearised one. One square table of counts may be given
    instead. A rate whose denominator is empty is undefined. Sokolova, M., Lapalme, G. (2009). A systematic analysis of
    performance measures for classification tasks. Information Processing & Management 45, 427-437.

    >>> found = confusion("yyynnnnn", "yynnnnny")
    >>> found.counts.tolist(), found.accuracy.value
    ([[4, 1], [1, 2]], 0.75)
    """
    how = How(interval, confidence, replicates, seed)
    if predicted is None:
        if clusters is not None:
            raise DataError("A table of counts cannot be clustered; give the two columns.")
        read = Ratings.from_contingency(reference, categories)
        left_out = 0
    else:
        read = Ratings.from_pair(reference, predicted, categories, clusters)
        left_out = len(listed(reference, "reference")) - int((read.by_rater >= 0).all(axis=0).sum())
    if not read.categories:
        raise DataError(Message("Neither column holds an answer; there is nothing to compare"))
    both = (read.by_rater >= 0).all(axis=0)
    truth, said = read.by_rater[0, both].astype(np.int64), read.by_rater[1, both].astype(np.int64)
    groups = None if read.clusters is None else dense(read.clusters[both])
    rates = _Rates(
        read.categories, truth, said, groups, how, {noted("items without both answers"): left_out} if left_out else {}
    )
    pair = ([read.categories[k] for k in truth], [read.categories[k] for k in said])
    kappa = cohen_kappa(
        *pair, categories=read.categories, clusters=groups, interval=interval, confidence=confidence,
        replicates=replicates, seed=seed,
    ) if len(truth) else Estimate.undefined(NO_BOTH, confidence=confidence, n_items=0)  # fmt: skip
    return rates.confusion(replace(kappa, left_out=rates.left_out))


@dataclass(frozen=True)
class _Rates:
    categories: tuple[Any, ...]
    truth: Ints
    said: Ints
    groups: Ints | None
    how: How
    left_out: dict[str, int]

    def confusion(self, kappa: Estimate) -> Confusion:
        q = len(self.categories)
        counts = np.bincount(self.truth * q + self.said, minlength=q * q).reshape(q, q)
        seen = np.flatnonzero(counts.sum(axis=1))
        each = range(q)
        return Confusion(
            self._share(self.truth == self.said, np.ones(len(self.truth), bool), Message("accuracy")),
            kappa,
            {self.categories[k]: self._share(self.said == k, self.truth == k, Message("recall")) for k in each},
            {self.categories[k]: self._share(self.truth == k, self.said == k, Message("precision")) for k in each},
            {self.categories[k]: self._smooth(lambda t, k=k: _f1(t)[..., k], Message("F1")) for k in each},
            self._smooth(lambda t: _f1(t)[..., seen].mean(axis=-1), Message("macro F1")),
            self._smooth(lambda t: _recalls(t)[..., seen].mean(axis=-1), Message("balanced accuracy")),
            self.categories,
            counts,
        )

    def _share(self, hit: Bools, among: Bools, what: Message) -> Estimate:
        clusters = None if self.groups is None else self.groups[among]
        found = proportion(hit[among], clusters=clusters, confidence=self.how.confidence)
        if found.value is None:
            return replace(found, note=Message("no item to compute the {what} from", what=what))
        return replace(found, method=clauses(what, found.method), left_out=self.left_out if among.all() else {})

    def _smooth(self, value: Any, what: Message) -> Estimate:
        q, n = len(self.categories), len(self.truth)
        common: dict[str, Any] = {"confidence": self.how.confidence, "n_items": n, "left_out": self.left_out}
        if n == 0:
            return Estimate.undefined(NO_BOTH, **common)
        cells = self.truth * q + self.said
        if self.groups is None:
            sums = Sums(
                np.eye(q * q), np.bincount(cells, minlength=q * q), lambda t: value(t.reshape(*t.shape[:-1], q, q))
            )
        else:
            table = np.zeros((n, q * q))
            table[np.arange(n), cells] = 1
            sums = by_group(table, self.groups, lambda t: value(t.reshape(*t.shape[:-1], q, q)))
        result = evaluate(sums, self.how, SHARE)
        if not np.isfinite(result.value):
            return Estimate.undefined(Message("{what} has an empty denominator", what=what), **common)
        low, high, se, note = result.interval
        method = clauses(what, self.how.words)
        return Estimate(result.value, low, high, se=se, note=note, method=method, **common)


def _f1(table: NDArray) -> NDArray:
    hits = np.diagonal(table, axis1=-2, axis2=-1)
    return 2 * hits / (table.sum(axis=-1) + table.sum(axis=-2))


def _recalls(table: NDArray) -> NDArray:
    return np.diagonal(table, axis1=-2, axis2=-1) / table.sum(axis=-1)


@dataclass(frozen=True)
class LeftOut(Finding):
    """Agreement with the remaining people: the judge's, the left-out people's, and the difference judge - person.

    The plain fields are means over the people left out in turn; the mappings hold each of them.
    """

    judge: Estimate
    people: Estimate
    difference: Estimate
    judge_by_person: Mapping[Hashable, Estimate]
    each_person: Mapping[Hashable, Estimate]
    difference_by_person: Mapping[Hashable, Estimate]


@dataclass(frozen=True)
class JudgeAgainstPeople(Finding):
    """The comparison on all items, and on those where the people have a majority."""

    all_items: LeftOut
    without_ambiguous: LeftOut
    ambiguous_items: int


def judge_against_people(
    judge: Any,
    people: Any,
    *,
    weights: Any = None,
    categories: Any = None,
    clusters: Any = None,
    interval: str | None = "linearised",
    confidence: float = 0.95,
    replicates: int = 10_000,
    seed: int = 0,
) -> JudgeAgainstPeople:
    """Does the judge agree with people as well as people do? Judge and each left-out person face the same others.

    For each person in turn, on the items that the judge, this person and at least one other answered: the (weighted)
    share of the other people with the judge's answer, and with the person's. Comparing the judge with a majority that
    includes the person it is compared to would favour the person. Intervals are over items (or clusters). Items without
    an answer by more than half of the people are ambiguous; results are given with and without them.

    >>> people = [["y", "y", "y"], ["y", "y", "n"], ["n", "n", "n"], ["n", "y", "n"]]
    >>> found = judge_against_people(["y", "y", "n", "n"], people)
    >>> round(found.all_items.judge.value, 3), round(found.all_items.people.value, 3)
    (0.833, 0.667)
    """
    how = How(interval, confidence, replicates, seed)
    panel = read_panel(judge, people, categories, clusters)
    if isinstance(weights, str) and weights != "identity" and categories is None:
        panel.numbers()
    matrix = weight_matrix(weights, panel.categories)
    clear = panel.clear()
    return JudgeAgainstPeople(
        _left_out(panel, matrix, how), _left_out(panel.only(clear), matrix, how), int((~clear).sum())
    )


def _left_out(panel: Panel, matrix: Floats, how: How) -> LeftOut:
    m = len(panel.names)
    scores = [_scores(panel, place, matrix) for place in range(m)]
    judge: Floats = np.stack([score[0] for score in scores], axis=1)
    person: Floats = np.stack([score[1] for score in scores], axis=1)
    there: Bools = np.stack([score[2] for score in scores], axis=1)
    used = [k for k in range(m) if there[:, k].any()]
    left_out = {noted("items that cannot be compared"): k} if (k := int((~there.any(axis=1)).sum())) else {}

    def overall(values: Floats, what: Message, share: bool) -> Estimate:
        mean = Message("{what}, mean over people", what=what)
        return _mean(values[:, used], there[:, used], panel.groups, how, mean, share, left_out)

    def each(values: Floats, what: Message, share: bool) -> dict[Hashable, Estimate]:
        return {
            name: _mean(values[:, [k]], there[:, [k]], panel.groups, how, what, share, {})
            for k, name in enumerate(panel.names)
        }

    return LeftOut(
        overall(judge, JUDGE_WITH_REST, True),
        overall(person, PERSON_WITH_REST, True),
        overall(judge - person, JUDGE_MINUS_PERSON, False),
        each(judge, JUDGE_WITH_REST, True),
        each(person, PERSON_WITH_REST, True),
        each(judge - person, JUDGE_MINUS_PERSON, False),
    )


def _scores(panel: Panel, place: int, matrix: Floats) -> tuple[Floats, Floats, Bools]:
    rest = panel.rest(place)
    total = rest.sum(axis=1)
    own = panel.people[place]
    there = (panel.judge >= 0) & (own >= 0) & (total > 0)
    shares = (rest @ matrix.T) / np.maximum(total, 1)[:, None]
    rows = np.arange(len(own))
    return np.where(there, shares[rows, panel.judge], 0.0), np.where(there, shares[rows, own], 0.0), there


def _mean(
    values: Floats, there: Bools, groups: Ints, how: How, what: Message, share: bool, left_out: dict[str, int]
) -> Estimate:
    items = there.any(axis=1)
    common: dict[str, Any] = {
        "confidence": how.confidence,
        "n_items": int(items.sum()),
        "n_ratings": int(there.sum()),
        "left_out": left_out,
    }
    if not items.any():
        return Estimate.undefined(NOTHING_SHARED, **common)
    people = values.shape[1]
    table = np.column_stack([values, there])[items].astype(float)
    sums = by_group(table, groups[items], lambda totals: mean_of_ratios(totals, people))
    result = evaluate(sums, how, SHARE if share else Bounds())
    low, high, se, note = result.interval
    p = None if share else result.p
    value = 0.0 if abs(result.value) < 1e-12 else result.value  # sums of thirds that cancel leave dust
    return Estimate(value, low, high, se=se, p=p, note=note, method=clauses(what, how.words), **common)
