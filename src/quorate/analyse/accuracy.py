"""Are they right? Each rater, the raters together, and the judges."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from quorate import statistics
from quorate.analyse.inquiry import JUDGED, RAW, SUMMARY, Case, computed
from quorate.analyse.results import Finding
from quorate.records import Estimate

#: How the accuracy of one rater or judge is called; a table of them leaves it away.
ACCURACY_OF = "Accuracy of "


def accuracy(case: Case) -> Iterator[Finding]:
    """Individual, majority and unanimous accuracy as the study asks, then each rater's."""
    asked = case.analysis.accuracy
    if "individual" in asked:
        yield individual(case)
    if "majority" in asked:
        yield majority_accuracy(case)
    if "unanimous" in asked:
        yield unanimous(case)
    yield from _each(case)


def individual(case: Case) -> Finding:
    """The share of right answers over raters and items; answers about one item go together in the interval."""
    keys = [(item.id, rater) for item in case.sheet.items for rater in case.sheet.raters]
    keys = [key for key in keys if key in case.sheet.correct]
    values = [case.sheet.correct[key] for key in keys]
    share = computed(statistics.proportion, values, clusters=[item for item, _ in keys], confidence=case.confidence)
    return case.finding(
        "accuracy.individual", _told(share, "no rater has answered yet"), statistic="individual accuracy",
        label="Mean individual accuracy", unit="%", group="accuracy", primary=True,
        counted=(sum(values), len(values)), rows=f"{RAW}: is_correct",
    )  # fmt: skip


def majority_accuracy(case: Case) -> Finding:
    """The share of items that a majority got right, of those with a verdict."""
    decided = [verdict.value for verdict in case.verdicts if verdict.value is not None]
    unanswered = sum(verdict.n == 0 for verdict in case.verdicts)
    ambiguous = len(case.sheet.items) - len(decided) - unanswered
    share = statistics.wilson(sum(decided), len(decided), confidence=case.confidence)
    share = _without(share, {"no answer": unanswered, "no majority": ambiguous})
    rule = case.rule
    return case.finding(
        "accuracy.majority", _told(share, "no item has a majority yet"), statistic="majority accuracy",
        label=f"Majority accuracy (≥{rule.needed}/{rule.out_of} correct)", unit="%", group="accuracy",
        counted=(sum(decided), len(decided)), rows=f"{SUMMARY}: majority_correct",
    )  # fmt: skip


def unanimous(case: Case) -> Finding:
    """The share of items that every rater got right, of those with all their answers."""
    rows = [[value for value in row if value is not None] for row in case.sheet.correctness()]
    whole = [row for row in rows if len(row) >= case.per_item]
    right = sum(all(row) for row in whole)
    share = statistics.wilson(right, len(whole), confidence=case.confidence)
    share = _without(share, {"fewer answers than planned": len(rows) - len(whole)})
    n = case.per_item
    return case.finding(
        "accuracy.unanimous", _told(share, f"no item has all {n} answers yet"), statistic="unanimous accuracy",
        label=f"Unanimous accuracy ({n}/{n} correct)", unit="%", group="accuracy",
        counted=(right, len(whole)), rows=f"{SUMMARY}: num_correct = {n}",
    )  # fmt: skip


def _each(case: Case) -> Iterator[Finding]:
    for rater in case.sheet.raters:
        yield _one(case, rater, f"accuracy.rater.{rater}", rater, f"{RAW}: is_correct of annotator {rater}")


def judges_accuracy(case: Case) -> Iterator[Finding]:
    """Each judge's share of right answers, over the items that it answered."""
    for judge in case.sheet.judges:
        rows = f"{SUMMARY}: {judge}_correct (answers in {JUDGED})"
        yield _one(case, judge, f"accuracy.judge.{judge}", judge_name(judge), rows)


def _one(case: Case, who: str, parts: str, label: str, rows: str) -> Finding:
    given = case.sheet.of_rater(who)
    share = statistics.wilson(sum(given), len(given), confidence=case.confidence)
    share = _without(share, {"no answer": len(case.sheet.items) - len(given)})
    return case.finding(
        parts, _told(share, f"{label} has given no answer"), statistic="accuracy", label=ACCURACY_OF + label, unit="%",
        group="raters", counted=(sum(given), len(given)), rows=rows,
    )  # fmt: skip


def judge_name(judge: str) -> str:
    """A judge's id as a reader sees it: short ids are abbreviations.

    >>> judge_name("mllm"), judge_name("similarity")
    ('MLLM', 'similarity')
    """
    return judge.upper() if len(judge) <= 5 else judge


def _without(share: Estimate, left_out: dict[str, int]) -> Estimate:
    return replace(share, left_out={**share.left_out, **{why: n for why, n in left_out.items() if n}})


def _told(share: Estimate, why: str) -> Estimate:
    """An undefined share says why in the study's words."""
    return replace(share, note=why) if share.value is None else share
