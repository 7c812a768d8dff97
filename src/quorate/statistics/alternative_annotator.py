"""May a judge stand in for a person? The alternative annotator test."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from quorate.languages import noted
from quorate.messages import Message, Text

from ..errors import DataError
from ..estimates import Estimate
from .columns import Bools, Floats, dense
from .engine import Bounds, How, evaluate
from .findings import Finding
from .multiplicity import benjamini_yekutieli
from .panel import NOTHING_SHARED, Panel, by_group, mean_of_ratios, read_panel

Scoring = str | Callable[[Any, list[Any]], float]


@dataclass(frozen=True)
class AgainstPerson(Finding):
    """The judge against one left-out person: how often each is at least as close to the others, and the test."""

    judge_advantage: Estimate
    person_advantage: Estimate
    adjusted_p: float | None
    wins: bool


@dataclass(frozen=True)
class AlternativeAnnotator(Finding):
    """omega, the share of people the judge wins against; rho, its mean advantage probability; and each person's test.

    `passes` says whether omega is at least one half: the judge is then as good as a recruited person, at this epsilon.
    """

    winning_rate: Estimate
    advantage: Estimate
    people: Mapping[Hashable, AgainstPerson]
    epsilon: float
    passes: bool | None

    @property
    def omega(self) -> float | None:
        return self.winning_rate.value

    @property
    def rho(self) -> float | None:
        return self.advantage.value


def alternative_annotator_test(
    judge: Any,
    people: Any,
    *,
    epsilon: float = 0.2,
    scoring: Scoring = "accuracy",
    q: float = 0.05,
    min_items: int = 30,
    min_people: int = 2,
    categories: Any = None,
    clusters: Any = None,
    confidence: float = 0.95,
) -> AlternativeAnnotator:
    """The alternative annotator test of Calderon, Reichart and Dror (2025): omega, rho and a test for each person.

    With person j left out, S is how well an answer fits the other people's on the item: "accuracy" (the share with the
    same answer), "rmse" (minus the root mean squared difference) or a function of (answer, others' answers). W_f = 1
    where the judge's S is at least the person's, W_h = 1 where the person's is at least the judge's. rho_j is the mean
    of W_f, and H0: mean(W_h - W_f) >= epsilon is tested by a one-sided t-test; Benjamini and Yekutieli's procedure at
    `q` decides which people the judge wins against. epsilon is what the judge's lower cost is worth: 0.2 for experts,
    0.15 for skilled and 0.1 for crowd raters. People with fewer than `min_items` items are not tested. With
    `clusters`, the t-test is over clusters. Calderon et al. (2025). The alternative annotator test for LLM-as-a-judge.
    ACL, arXiv:2501.10970.

    >>> people = [["y", "y", "n"], ["n", "n", "n"]] * 20
    >>> found = alternative_annotator_test(["y", "n"] * 20, people)
    >>> found.omega, round(found.rho, 3), found.passes
    (1.0, 1.0, True)
    """
    if not 0 <= epsilon < 1 or not 0 < q < 1:
        raise DataError(f"epsilon={epsilon} and q={q}: both are shares, such as 0.2 and 0.05.")
    how = How("linearised", confidence)
    panel = read_panel(judge, people, categories, clusters)
    known = (panel.people >= 0).sum(axis=0) >= max(min_people, 2)
    fits = _fitting(panel, scoring)
    tests, p_values = [], []
    for place in range(len(panel.names)):
        there = known & (panel.judge >= 0) & (panel.people[place] >= 0)
        mine, theirs = fits(place, there)
        ahead, behind = mine >= theirs - 1e-12, theirs >= mine - 1e-12
        tests.append((there, ahead, behind))
        enough = int(there.sum()) >= max(min_items, 2)
        p_values.append(_p_value(behind.astype(float) - ahead, panel.groups[there], epsilon) if enough else None)
    adjusted = benjamini_yekutieli(p_values, alpha=q)
    each = {
        name: AgainstPerson(
            replace(_share(panel, [tests[k]], 1, how, Message("rho, judge at least as close")), p=p_values[k]),
            _share(panel, [tests[k]], 2, how, Message("person at least as close")),
            adjusted[k],
            adjusted.rejected[k],
        )
        for k, name in enumerate(panel.names)
    }
    tested = [k for k, p in enumerate(p_values) if p is not None]
    return _result(panel, each, [tests[k] for k in tested], tested, how, epsilon, min_items)


def _result(
    panel: Panel,
    each: dict[Hashable, AgainstPerson],
    tests: list[Any],
    tested: list[int],
    how: How,
    epsilon: float,
    least: int,
) -> AlternativeAnnotator:
    left_out = {noted("people with too few items"): len(each) - len(tested)} if len(tested) < len(each) else {}
    common: dict[str, Any] = {
        "confidence": how.confidence,
        "left_out": left_out,
        "method": Message("omega at epsilon {epsilon}", epsilon=f"{epsilon:g}"),
    }
    if not tested:
        why = Message(
            "nobody shares {least} items with the judge and another person; lower min_items to test with fewer",
            least=str(least),
        )
        nothing = Estimate.undefined(why, **common)
        return AlternativeAnnotator(nothing, nothing, each, epsilon, None)
    won = sum(each[panel.names[k]].wins for k in tested)
    items = int(np.any([test[0] for test in tests], axis=0).sum())
    note = Message(
        "won against {won} of {people} people; a count of tests has no interval", won=str(won), people=str(len(tested))
    )
    rate = Estimate(won / len(tested), n_items=items, note=note, **common)
    advantage = replace(_share(panel, tests, 1, how, Message("rho, mean over people")), left_out=left_out)
    return AlternativeAnnotator(rate, advantage, each, epsilon, rate.value is not None and rate.value >= 0.5)


def _share(panel: Panel, tests: list[Any], part: int, how: How, what: Text) -> Estimate:
    """The mean over people of their share of items with this indicator, with its interval over items."""
    n, m = len(panel.judge), len(tests)
    table = np.zeros((n, 2 * m))
    for k, test in enumerate(tests):
        table[test[0], k] = test[part]
        table[test[0], m + k] = 1
    used = table[:, m:].any(axis=1)
    common: dict[str, Any] = {"confidence": how.confidence, "n_items": int(used.sum())}
    if not used.any():
        return Estimate.undefined(NOTHING_SHARED, **common)
    result = evaluate(by_group(table[used], panel.groups[used], lambda t: mean_of_ratios(t, m)), how, Bounds(0.0, 1.0))
    low, high, se, note = result.interval
    return Estimate(result.value, low, high, se=se, note=note, method=what, **common)


def _fitting(panel: Panel, scoring: Scoring) -> Callable[[int, Bools], tuple[Floats, Floats]]:
    """For a left-out person and some items: how well the judge's and the person's answers fit the others'."""
    if scoring not in ("accuracy", "rmse") and not callable(scoring):
        raise DataError(f"scoring={scoring!r}: choose 'accuracy', 'rmse' or a function of an answer and the others'.")
    table = _accuracies if scoring == "accuracy" else _distances if scoring == "rmse" else None

    def fits(place: int, there: Bools) -> tuple[Floats, Floats]:
        judge, person = panel.judge[there], panel.people[place][there]
        if table is None:
            return _by_function(panel, scoring, place, there)  # type: ignore[arg-type]
        scores = table(panel, panel.rest(place)[there])
        rows = np.arange(len(judge))
        return scores[rows, judge], scores[rows, person]

    return fits


def _accuracies(panel: Panel, rest: Floats) -> Floats:
    del panel
    return rest / rest.sum(axis=1, keepdims=True)


def _distances(panel: Panel, rest: Floats) -> Floats:
    values = panel.numbers()
    squares = (values[:, None] - values[None, :]) ** 2
    return -np.sqrt(rest @ squares / rest.sum(axis=1, keepdims=True))


def _by_function(
    panel: Panel, scoring: Callable[[Any, list[Any]], float], place: int, there: Bools
) -> tuple[Floats, Floats]:
    mine, theirs = [], []
    for item in np.flatnonzero(there):
        others = [panel.categories[k] for k in np.delete(panel.people[:, item], place) if k >= 0]
        mine.append(float(scoring(panel.categories[panel.judge[item]], others)))
        theirs.append(float(scoring(panel.categories[panel.people[place, item]], others)))
    return np.array(mine), np.array(theirs)


def _p_value(differences: Floats, groups: NDArray[np.int64], epsilon: float) -> float:
    """One-sided t-test that the mean difference is below epsilon, over clusters where items share one."""
    sizes = np.bincount(dense(groups))
    n, mean = len(differences), float(differences.mean())
    if len(sizes) == n:
        se, df = float(differences.std(ddof=1) / np.sqrt(n)), n - 1
    else:
        sums = np.bincount(dense(groups), weights=differences - mean)
        df = len(sizes) - 1
        se = float(np.sqrt(len(sizes) / df * np.sum(sums**2)) / n) if df else np.inf
    if se == 0:  # the person and the judge always compare alike: no doubt is left
        return 0.0 if mean < epsilon else 1.0
    return float(special.stdtr(max(df, 1), (mean - epsilon) / se))
