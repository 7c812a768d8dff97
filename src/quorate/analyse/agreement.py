"""Do raters agree? On being right, and on what they answered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from quorate import statistics
from quorate.analyse.inquiry import RAW, Case, computed, pairs
from quorate.analyse.results import Finding
from quorate.records import Estimate

CORRECTNESS = (True, False)
#: With more raters than this a table of pairs is no longer read; the many-rater coefficients remain.
MOST_PAIRED = 12


def on_correctness(case: Case) -> Iterator[Finding]:
    """Agreement on right or wrong: the primary reading of κ for answers in the raters' own words."""
    table = case.sheet.correctness()
    yield from _several(case, table, "correctness", RAW + ": is_correct, by item and annotator", CORRECTNESS)
    if "cohen kappa" in case.analysis.agreement:
        yield from _each_pair(case, table, "correctness", CORRECTNESS)


def on_responses(case: Case) -> Iterator[Finding]:
    """Agreement on the answer itself: answers that count as right are one category, others are as written."""
    table = case.sheet.categories()
    rows = f"{RAW}: {case.target_column} where is_correct, else response_normalized"
    yield from _several(case, table, "responses", rows, None)
    if "cohen kappa" in case.analysis.agreement and not case.sheet.question.is_scored():
        yield from _each_pair(case, table, "responses", None)


def on_scale(case: Case) -> Iterator[Finding]:
    """Agreement that knows how far apart two answers are, where the answers are points of a scale."""
    table = case.sheet.categories()
    given = {value for row in table for value in row if value is not None}
    points = getattr(case.sheet.question, "points", ())
    in_order = points if given <= set(points) else None
    if in_order is None and not all(isinstance(value, int | float) for value in given):
        return
    level = case.sheet.question.level.value
    alpha = computed(statistics.krippendorff_alpha, table, level=level, categories=in_order, confidence=case.confidence)
    yield case.finding(
        f"krippendorff_alpha.{level}", alpha, statistic="krippendorff alpha", group="agreement",
        label=f"Krippendorff’s α ({level})", rows=f"{RAW}: response_normalized, by item and annotator",
    )  # fmt: skip


def _several(case: Case, table: list[list[Any]], of: str, rows: str, categories: Any) -> Iterator[Finding]:
    is_primary = of == "correctness" or not case.sheet.question.is_scored()
    words = {"group": "agreement" if is_primary else "agreement more", "rows": rows}
    options: dict[str, Any] = {"confidence": case.confidence, "categories": categories}
    if "fleiss kappa" in case.analysis.agreement:
        kappa = computed(statistics.fleiss_kappa, table, **options)
        yield case.finding(
            f"fleiss_kappa.{of}", kappa, statistic="fleiss kappa",
            label=f"Fleiss’ κ{_on(case, of)} ({_everyone(case)})",
            band=band(kappa, case), primary=is_primary, **words,
        )  # fmt: skip
    words["group"] = "agreement more"
    share = computed(statistics.percent_agreement, table, **options)
    yield case.finding(
        f"percent_agreement.{of}", share, statistic="percent agreement",
        label=f"Pairs of answers that agree ({of})", unit="%", **words,
    )  # fmt: skip
    if is_primary:
        ac = computed(statistics.gwet_ac, table, **options)
        yield case.finding(f"gwet_ac.{of}", ac, statistic="gwet ac", label=f"Gwet’s AC1 ({of})", **words)
        yield _full_agreement(case, table, of, words)


def _full_agreement(case: Case, table: list[list[Any]], of: str, words: dict[str, str]) -> Finding:
    several = [row for row in ([value for value in row if value is not None] for row in table) if len(row) > 1]
    same = sum(len(set(row)) == 1 for row in several)
    share = statistics.wilson(same, len(several), confidence=case.confidence)
    return case.finding(
        f"full_agreement.{of}", share, statistic="full agreement", unit="%", counted=(same, len(several)),
        label="Items on which all raters agree", **words,
    )  # fmt: skip


def _each_pair(case: Case, table: list[list[Any]], of: str, categories: Any) -> Iterator[Finding]:
    raters = case.sheet.raters
    if len(raters) > MOST_PAIRED:
        return
    columns = dict(zip(raters, zip(*table, strict=True), strict=True)) if table else {rater: () for rater in raters}
    for first, second in pairs(raters):
        kappa = computed(
            statistics.cohen_kappa, columns[first], columns[second], categories=categories, confidence=case.confidence
        )
        yield case.finding(
            f"cohen_kappa.{of}.{first}.{second}", kappa, statistic="cohen kappa", group="agreement",
            label=f"Cohen’s κ ({first} vs {second})", band=band(kappa, case),
            rows=f"{RAW}: is_correct of annotators {first} and {second}, by item",
        )  # fmt: skip


def _on(case: Case, of: str) -> str:
    """Which reading of κ it is, where a question has two."""
    return " on responses" if of == "responses" and case.sheet.question.is_scored() else ""


def band(estimate: Estimate, case: Case) -> str:
    """The word for a coefficient, by the study's bands."""
    return statistics.landis_koch(estimate, bands=case.analysis.bands) or ""


def _everyone(case: Case) -> str:
    words = ("no annotators", "one annotator", "both annotators", "all three annotators", "all four annotators")
    n = len(case.sheet.raters)
    return words[n] if n < len(words) else f"all {n} annotators"
