"""AI-assisted scoring as findings: what it saved, and how far it can be believed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from quorate import statistics
from quorate.findings.results import Finding
from quorate.inquiries import triage
from quorate.inquiries.scores import within
from quorate.inquiries.triage import Scored
from quorate.messages import said
from quorate.records import Estimate
from quorate.sheets.case import Case

MERGED = "merged_scores.csv"
SAW = "everybody saw the judge’s score, and agreeing with what one sees proves little"
ROWS = f"{MERGED}: human, ai and inclusion, by item"


def is_triaged(case: Case) -> bool:
    """The study's triage rule sent items somewhere by what a judge said to this question."""
    rule = case.protocol.file.triage
    if rule is None or not case.sheet.routes:
        return False
    return any(judge in rule.judges for judge in case.sheet.judges) and bool(
        triage.is_number(case) or case.sheet.question.verdict_on()
    )


def assisted(case: Case) -> Iterator[Finding]:
    """Over all items: work saved, agreement on the audited part, means, and what other thresholds would have done."""
    rows, title = triage.scored(case), said(case.title)
    saved = triage.by_cluster(triage.workload, rows, case.confidence)
    yield case.finding(
        "triage.workload", within(saved, 0, 1), statistic="workload saved", group="triage", unit="%", primary=True,
        label=f"{title}: items that people did not have to look at", rows=f"{MERGED}: route",
        counted=(sum(row.accepted for row in rows), len(rows)),
    )  # fmt: skip
    # Two marks of a slider are seldom the same number: how far they are apart is what can be said.
    if case.sheet.question.verdict_on():
        agreed = _unless_seen(case, triage.by_cluster(triage.audited_agreement, rows, case.confidence))
        yield case.finding(
            "triage.audited_agreement", within(agreed, 0, 1), statistic="audited agreement", group="triage", unit="%",
            label=f"{title}: people give the judge’s score, audited part", rows=ROWS,
        )  # fmt: skip
    else:
        apart = _unless_seen(case, triage.by_cluster(triage.audited_distance, rows, case.confidence))
        yield case.finding(
            "triage.audited_distance", apart, statistic="audited distance", group="triage", rows=ROWS,
            label=f"{title}: mean distance of people to the judge’s score, audited part",
        )  # fmt: skip
    yield from assisted_of_stratum(case)
    if case.sheet.question.verdict_on():
        yield from _curve(case, rows)


def _curve(case: Case, rows: Sequence[Scored]) -> Iterator[Finding]:
    """Two findings a threshold: the work that it would have saved, and how many accepted scores would be wrong."""
    title = said(case.title)
    for number, point in enumerate(triage.curve(rows, case.confidence), start=1):
        words = f"{title}, accepting from {point.threshold:.3g} on"
        accepted = round(point.saved * len(rows))
        yield case.finding(
            f"triage.curve.{number:02d}.saved", statistics.wilson(accepted, len(rows), confidence=case.confidence),
            statistic="workload saved", group="triage curve", unit="%", label=f"{words}: work saved", rows=ROWS,
            counted=(accepted, len(rows)), threshold=point.threshold, what="saved",
        )  # fmt: skip
        yield case.finding(
            f"triage.curve.{number:02d}.error", within(_unless_seen(case, point.error), 0, 1), unit="%", rows=ROWS,
            statistic="error among accepted", group="triage curve", label=f"{words}: accepted scores that are wrong",
            threshold=point.threshold, what="error",
        )  # fmt: skip


def assisted_of_stratum(case: Case) -> Iterator[Finding]:
    """In each part of the items: the mean that people would have given, the judge's, and by how much it is off."""
    if not triage.is_number(case):
        return
    rows, title = triage.scored(case), said(case.title)
    low, high = case.sheet.question.ends()
    figures: tuple[tuple[str, str, Any, str], ...] = (
        ("corrected_mean", "corrected mean", triage.corrected_mean, "mean of people, corrected"),
        ("judge_mean", "mean", triage.judges_mean, "mean of the judge"),
        ("merged_mean", "merged mean", triage.merged_mean, "mean of the merged column, as it stands"),
    )
    for name, statistic, compute, label in figures:
        found = within(_summed(case, rows, name, compute), low, high)
        yield case.finding(
            f"triage.{name}", found, statistic=statistic, group="triage", label=f"{title}: {label}", rows=ROWS,
            what=name,
            primary=name == "corrected_mean",
        )  # fmt: skip
    gap = _summed(case, rows, "difference", triage.difference)
    yield case.finding(
        "triage.difference", gap, statistic="mean difference", group="triage", rows=ROWS, what="difference",
        label=f"{title}: judge minus people, corrected",
    )  # fmt: skip


def _summed(case: Case, rows: Sequence[Scored], name: str, compute: Any) -> Estimate:
    found = triage.by_cluster(compute, rows, case.confidence)
    rule = case.protocol.file.triage
    if rule is not None and rule.is_verifying and name != "judge_mean" and found.value is not None:
        return replace(found, note="people saw the judge’s score")
    return found


def _unless_seen(case: Case, found: Estimate) -> Estimate:
    rule = case.protocol.file.triage
    if rule is not None and rule.is_verifying:
        return Estimate.undefined(SAW, n_items=found.n_items, confidence=case.confidence)
    return found
