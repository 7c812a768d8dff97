"""Do raters agree? On being right, on what they answered, on the outcome; and how far apart on a scale."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from quorate import statistics
from quorate.findings.results import Finding
from quorate.inquiries.basis import ALPHA, FLEISS, MOST_PAIRED, asked, basis
from quorate.inquiries.coefficients import group_of, id_of_row, of_all, of_two
from quorate.records import Estimate
from quorate.sheets.case import RAW, SCALES, Case, computed, named, pairs
from quorate.sheets.choices import comparable, is_by_pair, read_as
from quorate.sheets.columns import Reading
from quorate.statistics import Statistic

#: A reading in the words of a label and as the rows that it comes from.
ON: dict[str, str] = {"responses": "responses", "concept": "concepts", "role": "roles", "points": "the points",
                      "outcome": "win / same / loss", "primary": "the primary tag"}  # fmt: skip


def agreement(case: Case) -> Iterator[Finding]:
    """Agreement on each reading of the answers; what it is told by is marked."""
    return _marked(case, _of_answers(case))


def _marked(case: Case, found: Iterable[Finding]) -> Iterator[Finding]:
    """The findings, of which those are primary that agreement is told by."""
    own, readings = basis(case), case.sheet.question.readings()
    for one in found:
        is_first = one.reading in ("", *readings[:1])
        yield replace(one, primary=own is not None and is_first and own.is_that_of(one))


def _of_answers(case: Case) -> Iterator[Finding]:
    """Each reading of the answers: Fleiss' κ, plain agreement, and for the primary one AC1 and full agreement."""
    readings = case.sheet.question.readings()
    for name in readings:
        yield from _several(case, name, is_primary=name == readings[0])
    if readings:
        yield from of_all(case, readings[0])
        for row in of_two(case):
            yield from _each_pair(case, readings[0], row)
    # On a scale α is at the level of the scale, and found with it.
    if ALPHA in asked(case) and readings and case.sheet.question.level not in SCALES:
        yield _nominal_alpha(case, readings[0])


def _nominal_alpha(case: Case, name: str) -> Finding:
    """Krippendorff's α of answers that have no order."""
    read = case.table(comparable(case.sheet, name))
    alpha = computed(statistics.krippendorff_alpha, read, level="nominal", confidence=case.confidence)
    return case.finding(
        "krippendorff_alpha.nominal", alpha, statistic="krippendorff alpha", label="Krippendorff’s α (nominal)",
        group="agreement", reading=name, what="nominal", **read_as(case.sheet, rows_of(case, name)),
    )  # fmt: skip


def agreement_of_stratum(case: Case) -> Iterator[Finding]:
    """In each part of the items: plain agreement, and coefficients of the primary reading."""
    return _marked(case, _of_answers_of_stratum(case))


def _of_answers_of_stratum(case: Case) -> Iterator[Finding]:
    name = case.sheet.question.readings()[0]
    read, rows = case.table(comparable(case.sheet, name)), rows_of(case, name)
    share = _share(case, name)
    yield case.finding(
        f"percent_agreement.{name}", share, statistic="percent agreement", label="Agreement", unit="%", reading=name,
        group="agreement", rows=rows,
    )  # fmt: skip
    if ALPHA in asked(case) and case.sheet.question.level not in SCALES:
        yield _nominal_alpha(case, name)
    yield from of_all(case, name)
    if FLEISS not in asked(case):
        return
    kappa = computed(statistics.fleiss_kappa, read, confidence=case.confidence)
    yield case.finding(
        f"fleiss_kappa.{name}", kappa, statistic="fleiss kappa", label="Fleiss’ κ", band=band(kappa, case),
        reading=name, group="agreement", **read_as(case.sheet, rows),
    )  # fmt: skip


def on_scale(case: Case) -> Iterator[Finding]:
    """Agreement on a scale; what it is told by is marked."""
    return _marked(case, _of_points(case))


def _of_points(case: Case) -> Iterator[Finding]:
    """Agreement that knows how far apart two answers are, where the answers are points of a scale."""
    sheet = case.sheet
    level = sheet.question.level.value
    words = {"group": "agreement", **read_as(case.sheet, f"{RAW}: response_normalized, by item and annotator")}
    has_points = bool(sheet.question.scale())
    read = case.table(comparable(sheet, sheet.question.readings()[0])) if has_points else _numbers(case)
    alpha = computed(statistics.krippendorff_alpha, read, level=level, confidence=case.confidence)
    yield case.finding(
        f"krippendorff_alpha.{level}", alpha, statistic="krippendorff alpha", label=f"Krippendorff’s α ({level})",
        what=level, **words,
    )  # fmt: skip
    if has_points and not case.by:
        ac = computed(statistics.gwet_ac, read, weights="ordinal", confidence=case.confidence)
        yield case.finding(
            "gwet_ac2.ordinal", ac, statistic="gwet ac2", label="Gwet’s AC2 (ordinal)",
            **{**words, "group": group_of(case, "gwet ac2")},
        )  # fmt: skip
    if not sheet.question.readings():
        yield from of_all(case)


def _numbers(case: Case) -> Any:
    from quorate.statistics import Ratings

    rows = case.sheet.people
    table = Reading(rows.item, rows.who, case.sheet.numbers(), ()).table(case.sheet.n_items)
    return Ratings.from_matrix(table, clusters=case.sheet.item_clusters if table.size else None)


def _several(case: Case, name: str, is_primary: bool) -> Iterator[Finding]:
    reading = case.sheet.reading(name)
    read = case.table(comparable(case.sheet, name))
    words = {"group": "agreement" if is_primary else "agreement more", "rows": rows_of(case, name), "reading": name}
    beyond = {**words, **read_as(case.sheet, words["rows"])}
    many = len(case.sheet.question.readings()) > 1
    if FLEISS in asked(case):
        kappa = computed(statistics.fleiss_kappa, read, confidence=case.confidence)
        on = _on(case, name, many)
        group = "agreement" if is_primary or name in ("role", "outcome") else "agreement more"
        yield case.finding(
            f"fleiss_kappa.{name}", kappa, statistic="fleiss kappa", band=band(kappa, case),
            label=f"Fleiss’ κ{on} ({everyone(case)})", short=f"Fleiss’ κ{on}",
            **{**beyond, "group": group},
        )  # fmt: skip
    if name == "role":
        yield _chance_by_options(case, read, words)
    share = _share(case, name)
    words["group"] = group_of(case, "percent agreement") if is_primary else "agreement more"
    yield case.finding(
        f"percent_agreement.{name}", share, statistic="percent agreement",
        label=f"Pairs of answers that agree ({ON.get(name, name)})", unit="%", **words,
    )  # fmt: skip
    if is_primary:
        ac = computed(statistics.gwet_ac, read, confidence=case.confidence)
        yield case.finding(
            f"gwet_ac.{name}", ac, statistic="gwet ac", label=f"Gwet’s AC1 ({on_words(case, name)})",
            **{**beyond, "group": group_of(case, "gwet ac1")},
        )  # fmt: skip
        yield _full_agreement(case, reading, name, {**words, "group": group_of(case, "full agreement")})


def _chance_by_options(case: Case, read: Any, words: dict[str, str]) -> Finding:
    """Agreement beyond a chance of one in as many as there are options: they differ from item to item."""
    q = len(case.sheet.question.declared("role"))
    found = computed(statistics.brennan_prediger, read, confidence=case.confidence)
    return case.finding(
        "brennan_prediger.role", found, statistic="brennan prediger", label=f"Brennan–Prediger ({q} options)",
        **{**words, "group": "agreement"},
    )  # fmt: skip


def _full_agreement(case: Case, reading: Reading, name: str, words: dict[str, str]) -> Finding:
    table = reading.table(case.sheet.n_items)
    several = (~np.isnan(table)).sum(axis=1) > 1
    same = np.zeros(len(table), bool)
    if several.any():
        rows = table[several]
        same[several] = np.nanmin(rows, axis=1) == np.nanmax(rows, axis=1)
    return case.finding(
        f"full_agreement.{name}", case.share(same, several), statistic="full agreement", unit="%",
        counted=(int(same.sum()), int(several.sum())), label="Items on which all raters agree", **words,
    )  # fmt: skip


def _each_pair(case: Case, name: str, row: Statistic) -> Iterator[Finding]:
    """A coefficient of each two raters."""
    sheet = case.sheet
    if len(sheet.raters) > MOST_PAIRED:
        return
    reading = comparable(sheet, name)
    table = reading.by_rater(sheet.n_items, len(sheet.raters))
    everyone = named(table, reading.labels, reading.declared, sheet.item_clusters, reading.mirror)
    # Raters are read as 1, 2, …; one without any answer is not among them.
    places = {sheet.raters[number - 1]: place for place, number in enumerate(everyone.raters)}
    what = "is_correct" if name == "correctness" else "response_normalized"
    for first, second in pairs(sheet.raters):
        if first in places and second in places:
            read = everyone.pair(places[first], places[second])
            kappa = computed(row, read, confidence=case.confidence)
        else:
            silent = second if first in places else first
            kappa = Estimate.undefined(f"{silent} has given no answer", confidence=case.confidence, n_items=0)
        yield case.finding(
            f"{id_of_row(row)}.{name}", kappa, (first, second), statistic=row.name, group="agreement", reading=name,
            raters=(first, second), label=f"{row.title} ({first} vs {second})",
            band=band(kappa, case) if row.banded else "",
            **read_as(case.sheet, f"{RAW}: {what} of annotators {first} and {second}, by item"),
        )  # fmt: skip


def _share(case: Case, name: str) -> Estimate:
    """Pairs of answers that are the same: what chance would give does not come in, and answers stay as they are."""
    found: Estimate = computed(
        statistics.percent_agreement, case.table(case.sheet.reading(name)), confidence=case.confidence
    )
    return found


def rows_of(case: Case, name: str) -> str:
    """Which rows of the data files hold a reading of the answers."""
    if name == "correctness":
        return f"{RAW}: is_correct, by item and annotator"
    if name == "responses" and case.sheet.question.is_scored():
        return f"{RAW}: {case.target_column} where is_correct, else response_normalized"
    words = {"concept": "concept (the text of the chosen option)", "outcome": "the sign of response_normalized"}
    return f"{RAW}: {words.get(name, 'response_normalized')}, by item and annotator"


def _on(case: Case, name: str, many: bool) -> str:
    """Which reading of κ it is, where a question has several or answers are not taken as they are."""
    is_told = (many and name != "correctness") or (name == "responses" and is_by_pair(case.sheet))
    return f" on {on_words(case, name)}" if is_told else ""


def on_words(case: Case, name: str) -> str:
    """A reading in words."""
    return "the choice within each pair" if name == "responses" and is_by_pair(case.sheet) else ON.get(name, name)


def band(estimate: Estimate, case: Case) -> str:
    """The word for a coefficient, by the study's bands."""
    return statistics.landis_koch(estimate, bands=case.analysis.bands) or ""


def everyone(case: Case) -> str:
    """All the raters, in words."""
    if case.protocol.raters.panels:
        return "the raters of each panel"
    words = ("no annotators", "one annotator", "both annotators", "all three annotators", "all four annotators")
    n = len(case.sheet.raters)
    return words[n] if n < len(words) else f"all {n} annotators"
