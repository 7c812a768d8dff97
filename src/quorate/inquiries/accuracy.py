"""Are they right? Each rater, the raters together, and the judges."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from quorate.findings.names import judge_name
from quorate.findings.results import Finding
from quorate.sheets.case import JUDGED, RAW, SUMMARY, Case, told, without
from quorate.sheets.columns import Bools

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
    rows = case.sheet.people
    for place, rater in enumerate(case.sheet.raters):
        mine = rows.who == place
        of = f"{RAW}: is_correct of annotator {rater}"
        yield _one(case, "rater", rater, case.sheet.right()[mine], rows.item[mine], of, raters=(rater,))


def accuracy_of_stratum(case: Case) -> Iterator[Finding]:
    """In each part of the items: individual and majority accuracy, and the judges'."""
    yield individual(case)
    yield majority_accuracy(case)
    yield from judges_accuracy(case)


def individual(case: Case) -> Finding:
    """The share of right answers over raters and items; answers about one item go together in the interval."""
    right = case.sheet.right()
    share = case.share_of_answers(right, case.sheet.people.item)
    return case.finding(
        "accuracy.individual", told(share, "no rater has answered yet"), statistic="individual accuracy",
        label="Mean individual accuracy", unit="%", group="accuracy", primary=True,
        counted=(int(right.sum()), len(right)), rows=f"{RAW}: is_correct",
    )  # fmt: skip


def majority_accuracy(case: Case) -> Finding:
    """The share of items that a majority got right, of those with a verdict."""
    known, right = case.verdicts.known, case.verdicts.right()
    unanswered = int((case.verdicts.n == 0).sum())
    ambiguous = case.sheet.n_items - int(known.sum()) - unanswered
    share = without(case.share(right, known), {"no answer": unanswered, "no majority": ambiguous})
    rule = case.rule
    share_of = f" (≥{rule.needed}/{rule.out_of} correct)" if rule.out_of == case.protocol.raters.most else ""
    return case.finding(
        "accuracy.majority", told(share, "no item has a majority yet"), statistic="majority accuracy",
        label=f"Majority accuracy{share_of}", unit="%", group="accuracy",
        counted=(int(right[known].sum()), int(known.sum())), rows=f"{SUMMARY}: majority_correct",
    )  # fmt: skip


def unanimous(case: Case) -> Finding:
    """The share of items that every rater got right, of those with all their answers."""
    rows, n = case.sheet.people, case.per_item
    given = np.bincount(rows.item, minlength=case.sheet.n_items)
    right = np.bincount(rows.item, weights=case.sheet.right(), minlength=case.sheet.n_items)
    whole = given >= n
    all_right = whole & (right == given)
    share = without(case.share(all_right, whole), {"fewer answers than planned": int((~whole).sum())})
    return case.finding(
        "accuracy.unanimous", told(share, f"no item has all {n} answers yet"), statistic="unanimous accuracy",
        label=f"Unanimous accuracy ({n}/{n} correct)", unit="%", group="accuracy",
        counted=(int(all_right.sum()), int(whole.sum())), rows=f"{SUMMARY}: num_correct = {n}",
    )  # fmt: skip


def judges_accuracy(case: Case) -> Iterator[Finding]:
    """Each judge's share of right answers, over the items that it answered."""
    rows = case.sheet.machines
    for place, judge in enumerate(case.sheet.judges):
        its = rows.who == place
        of = f"{SUMMARY}: {judge}_correct (answers in {JUDGED})"
        right = case.sheet.right("machines")[its]
        yield _one(case, "judge", judge, right, rows.item[its], of, judge=judge)


def _one(case: Case, kind: str, who: str, right: Bools, item: np.ndarray, rows: str, **rest: Any) -> Finding:
    label = judge_name(who) if kind == "judge" else who
    groups = case.sheet.item_clusters
    share = case.share(right, clusters=None if groups is None else groups[item])
    share = without(share, {"no answer": case.sheet.n_items - len(right)} if not case.protocol.raters.panels else {})
    return case.finding(
        f"accuracy.{kind}", told(share, f"{label} has given no answer"), (who,), statistic="accuracy", unit="%",
        label=ACCURACY_OF + label, group="raters", counted=(int(right.sum()), len(right)), rows=rows, **rest,
    )  # fmt: skip
