"""Coefficients of agreement that a study names, beside those that every report has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from quorate.findings.results import Finding
from quorate.inquiries.basis import asked
from quorate.protocol.coefficients import fits
from quorate.records import Estimate
from quorate.sheets.case import RAW, Case, computed, named
from quorate.sheets.choices import comparable, read_as
from quorate.sheets.columns import Reading
from quorate.statistics import Statistic, statistic
from quorate.statistics.table import RATINGS, TWO_RATERS

#: What is found in any case, whether it is named or not.
FOUND = (
    *(
        "percent agreement",
        "full agreement",
        "fleiss kappa",
        "cohen kappa",
        "krippendorff alpha",
        "gwet ac1",
        "gwet ac2",
    ),
)
#: Of scores, these ask who gave each; ICC(1,1) and ICC(1,k) do not.
ANY_RATERS = ("icc(1,1)", "icc(1,k)")
#: A table of more items × raters than this is not held in memory for one figure.
MOST_CELLS = 50_000_000


def asked_for(case: Case, shape: str) -> list[Statistic]:
    """The rows of the table with this shape that the study names and that fit the question."""
    rows = [statistic(name) for name in asked(case) if name not in FOUND]
    return [row for row in rows if row.shape == shape and fits(row, case.sheet.question)]


def group_of(case: Case, name: str) -> str:
    """The table in which a coefficient stands that is found in any case."""
    return "agreement" if name in asked(case) else "agreement more"


def of_all(case: Case, reading: str = "") -> Iterator[Finding]:
    """Each coefficient of all raters together, of a reading of the answers or, without one, of numbers."""
    for row in asked_for(case, RATINGS):
        is_score = row.function == "icc"
        if (not reading and not is_score) or (row.name == "brennan prediger" and reading == "role"):
            continue
        found = _of_ratings(case, row, None if is_score else comparable(case.sheet, reading))
        what = read_as(case.sheet, f"{RAW}: response_normalized, by item and annotator")
        yield case.finding(
            ".".join(filter(None, (id_of_row(row), "" if is_score else reading))), found, statistic=row.name,
            label=str(row.title), reading="" if is_score else reading, group="agreement", **what,
        )  # fmt: skip


def of_two(case: Case) -> list[Statistic]:
    """The coefficients of two raters that are asked for, Cohen's κ among them."""
    rows = [statistic("cohen kappa")] if "cohen kappa" in asked(case) else []
    return [*rows, *asked_for(case, TWO_RATERS)]


def id_of_row(row: Statistic) -> str:
    """A row's name as a part of an id: `icc(2,1)` is `icc_2_1`."""
    return row.name.replace("(", "_").replace(",", "_").replace(")", "").replace(" ", "_")


def _of_ratings(case: Case, row: Statistic, reading: Reading | None) -> Estimate:
    sheet = case.sheet
    if sheet.n_items * len(sheet.raters) > MOST_CELLS:
        return Estimate.undefined("not computed for so many items and raters", confidence=case.confidence)
    if reading is not None:
        table = reading.by_rater(sheet.n_items, len(sheet.raters))
        read = named(table, reading.labels, reading.declared, sheet.item_clusters, reading.mirror)
        return computed(row, read, confidence=case.confidence)
    found: Estimate = computed(row, _scores(case, row), clusters=sheet.item_clusters, confidence=case.confidence)
    return found


def _scores(case: Case, row: Statistic) -> Any:
    """Items × raters as numbers; where it does not matter who rated, a column is a place among an item's answers."""
    rows, numbers = case.sheet.people, case.sheet.numbers()
    if row.name in ANY_RATERS:
        places = Reading(rows.item, rows.who, np.arange(len(rows)), ()).table(case.sheet.n_items)
        return np.where(np.isnan(places), np.nan, numbers[np.nan_to_num(places).astype(int)] if len(rows) else np.nan)
    return Reading(rows.item, rows.who, numbers, ()).by_rater(case.sheet.n_items, len(case.sheet.raters))
