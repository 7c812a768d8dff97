"""Coefficients of agreement among raters as findings: those that a study asks for, and those that every report has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from quorate import statistics
from quorate.findings.results import Finding
from quorate.inquiries.basis import ALPHA, FLEISS, MOST_PAIRED, Basis, asked, basis
from quorate.inquiries.marks import marks, systems
from quorate.messages import Message, Text, naming
from quorate.protocol.coefficients import fits
from quorate.records import Estimate
from quorate.sheets.case import RAW, SCALES, Case, computed, named, pairs
from quorate.sheets.choices import comparable, is_by_pair, read_as
from quorate.sheets.columns import Reading
from quorate.statistics import Statistic, statistic
from quorate.statistics.estimating import FEW
from quorate.statistics.table import TWO_RATERS

PERCENT, FULL, BRENNAN = "percent agreement", "full agreement", "brennan prediger"
#: Of fewer items than this no interval is to be trusted, and none of Landis and Koch's words is used.
FEWEST_BANDED = FEW
#: These ask who gave each answer; of scores, all but these do.
BY_RATER, ANY_RATERS = ("conger kappa", "light kappa"), ("icc(1,1)", "icc(1,k)")
#: A table of more items × raters than this is not held in memory for one figure.
MOST_CELLS = 50_000_000

#: What two answers have to share, in the words of a label.
READINGS = {
    "correctness": Message("correctness"), "responses": Message("responses"), "concept": Message("concepts"),
    "role": Message("roles"), "points": Message("the points"), "outcome": Message("win / same / loss"),
    "primary": Message("the primary tag"),
}  # fmt: skip
WITHIN_PAIRS = Message("the choice within each pair")


def of_answers(case: Case) -> Iterator[Finding]:
    """Every coefficient of a question over all items or in a stratum; what agreement is told by is marked."""
    own, readings = basis(case), case.sheet.question.readings()
    for one in _of_answers(case):
        is_first = one.reading in ("", *readings[:1])
        yield replace(one, primary=own is not None and is_first and own.is_that_of(one))


def _of_answers(case: Case) -> Iterator[Finding]:
    """What is asked for, what agreement is told by before the rest; over all items on every reading of the answers."""
    readings = case.sheet.question.readings()
    for row in _rows(case):
        if row.shape != TWO_RATERS:
            yield _of_all(case, row, next(iter(readings), ""))
        elif not case.by:
            yield from _of_pairs(case, row, readings[0])
    for name in readings[1:] if not case.by else ():
        rows = [FLEISS] if FLEISS in asked(case) else []
        # Options differ from item to item, and a role is one of as many as there are.
        rows += [BRENNAN, PERCENT] if name == "role" else [PERCENT]
        yield from (_of_all(case, statistic(row), name) for row in rows)


def _rows(case: Case) -> list[Statistic]:
    """The rows that are computed: those asked for that fit the question, and those that every report has."""
    question = case.sheet.question
    every = [PERCENT] if case.by else [PERCENT, "gwet ac1", FULL, *(["gwet ac2"] if question.scale() else [])]
    scale = [ALPHA] if question.level in SCALES else []
    names = dict.fromkeys((*asked(case), *every, *scale))
    return [row for row in map(statistic, names) if fits(row, question)]


def id_of_row(row: Statistic) -> str:
    """A row's name as a part of an id: `icc(2,1)` is `icc_2_1`."""
    return _as_id(row.name)


def _as_id(name: str) -> str:
    return name.replace("(", "_").replace(",", "_").replace(")", "").replace(" ", "_")


def band(estimate: Estimate, case: Case) -> str:
    """The word for a coefficient, by the study's bands; none where it is undefined or of too few items."""
    if (estimate.n_items or 0) < FEWEST_BANDED:
        return ""
    return statistics.landis_koch(estimate, bands=case.analysis.bands) or ""


def _of_all(case: Case, row: Statistic, name: str) -> Finding:
    """One coefficient of all raters together, of a reading of the answers or of numbers."""
    level = _level(case) if row.name == ALPHA else ""
    is_score = row.function == "icc" or (row.name == ALPHA and level != "nominal")
    end = level or ("ordinal" if row.name == "gwet ac2" else "" if is_score else name)
    estimate, counted = _computed(case, row, name, level)
    is_share = row.name in (PERCENT, FULL)
    rows = rows_of(case, "" if is_score else name)
    label = _label(case, row, name, level)
    more: dict[str, Any] = {"rows": rows} if is_share else read_as(case.sheet, rows)
    return case.finding(
        ".".join(filter(None, (_as_id(row.found_as), end))), estimate, statistic=row.found_as, what=level,
        reading="" if is_score or row.name == "gwet ac2" else name, unit="%" if is_share else "", counted=counted,
        band=band(estimate, case) if row.banded else "", short=label,
        label=Message("{coefficient} ({who})", coefficient=label, who=_everyone(case))
        if row.name == FLEISS and not case.by else label, **more,
    )  # fmt: skip


def _computed(case: Case, row: Statistic, name: str, level: str) -> tuple[Estimate, tuple[int, int] | None]:
    """The coefficient, and what a share counts."""
    sheet, own = case.sheet, {"level": level} if level else {}
    if row.name == FULL:
        return _full_agreement(case, name)
    if sheet.question.rates_each():
        table, clusters = _marks(case)
        found = computed(row, table, clusters=clusters, confidence=case.confidence, **own)
        return replace(found, note=naming(found.note, things=Message("outputs"))), None
    if sheet.n_items * len(sheet.raters) > MOST_CELLS and (row.name in BY_RATER or row.function == "icc"):
        why = Message("not computed for so many items and raters")
        return Estimate.undefined(why, confidence=case.confidence), None
    read = _scores(case, row) if row.function == "icc" else _ratings(case, row, name)
    groups = {"clusters": sheet.item_clusters} if row.function == "icc" else {}
    return computed(row, read, confidence=case.confidence, **own, **groups), None


def _ratings(case: Case, row: Statistic, name: str) -> Any:
    """What the coefficient is computed from: categories of a reading, or numbers where there are none."""
    sheet = case.sheet
    if not name:
        rows = sheet.people
        table = Reading(rows.item, rows.who, sheet.numbers(), ()).table(sheet.n_items)
        return statistics.Ratings.from_matrix(table, clusters=sheet.item_clusters if table.size else None)
    if row.name in BY_RATER:
        return _by_rater(case, name)
    # Where chance does not come in, answers stay as they are.
    plain = row.name == PERCENT and is_by_pair(sheet)
    return case.table(sheet.reading(name) if plain else comparable(sheet, name))


def _by_rater(case: Case, name: str) -> Any:
    """A reading of the answers with a column for each rater."""
    sheet, reading = case.sheet, comparable(case.sheet, name)
    table = reading.by_rater(sheet.n_items, len(sheet.raters))
    return named(table, reading.labels, reading.declared, sheet.item_clusters, reading.mirror)


def _level(case: Case) -> str:
    """The level at which α is computed."""
    question = case.sheet.question
    return question.level.value if question.level in SCALES else "nominal"


def _full_agreement(case: Case, name: str) -> tuple[Estimate, tuple[int, int]]:
    table = case.sheet.reading(name).table(case.sheet.n_items)
    several = (~np.isnan(table)).sum(axis=1) > 1
    same = np.zeros(len(table), bool)
    if several.any():
        rows = table[several]
        same[several] = np.nanmin(rows, axis=1) == np.nanmax(rows, axis=1)
    return case.share(same, several), (int(same.sum()), int(several.sum()))


def _scores(case: Case, row: Statistic) -> Any:
    """Items × raters as numbers; where it does not matter who rated, a column is a place among an item's answers."""
    rows, numbers = case.sheet.people, case.sheet.numbers()
    if row.name in ANY_RATERS:
        places = Reading(rows.item, rows.who, np.arange(len(rows)), ()).table(case.sheet.n_items)
        return np.where(np.isnan(places), np.nan, numbers[np.nan_to_num(places).astype(int)] if len(rows) else np.nan)
    return Reading(rows.item, rows.who, numbers, ()).by_rater(case.sheet.n_items, len(case.sheet.raters))


def _marks(case: Case) -> tuple[Any, Any]:
    """Marks of each system: a row for each output of an item, a column for each rater; the item is the cluster."""
    held = [marks(case.sheet, name) for name in systems(case.sheet)]
    n, k = case.sheet.n_items, max(len(held), 1)
    table = np.full((n * k, max(len(case.sheet.raters), 1)), np.nan)
    for place, (numbers, item, who) in enumerate(held):
        table[place * n + item, who] = numbers
    # A system that an item does not show is no unit of it; an item that nobody rated is one.
    marked = ~np.isnan(table).all(axis=1)
    unrated = ~marked.reshape(k, n).any(axis=0)
    units = marked | np.concatenate([unrated, np.zeros(len(table) - n, bool)])
    return table[units], np.tile(case.sheet.clusters, k)[units]


def _of_pairs(case: Case, row: Statistic, name: str) -> Iterator[Finding]:
    """A coefficient of each two raters."""
    sheet = case.sheet
    if len(sheet.raters) > MOST_PAIRED:
        return
    everyone = _by_rater(case, name)
    # Raters are read as 1, 2, …; one without any answer is not among them.
    places = {sheet.raters[number - 1]: place for place, number in enumerate(everyone.raters)}
    what = "is_correct" if name == "correctness" else "response_normalized"
    for pair in pairs(sheet.raters):
        silent = [who for who in pair if who not in places]
        if silent:
            why = Message("{who} has given no answer", who=silent[-1])
            found = Estimate.undefined(why, confidence=case.confidence, n_items=0)
        else:
            found = computed(row, everyone.pair(*map(places.__getitem__, pair)), confidence=case.confidence)
        first, second = pair
        yield case.finding(
            f"{id_of_row(row)}.{name}", found, pair, statistic=row.name, reading=name, raters=pair, short=row.title,
            label=Message("{coefficient} ({first} vs {second})", coefficient=row.title, first=first, second=second),
            band=band(found, case) if row.banded else "",
            **read_as(sheet, f"{RAW}: {what} [annotator_id = {first} | {second}]"),
        )  # fmt: skip


def rows_of(case: Case, name: str) -> str:
    """Which rows of the data files hold a reading of the answers, or their numbers."""
    if name == "correctness":
        return f"{RAW}: is_correct"
    if name == "responses" and case.sheet.question.is_scored():
        return f"{RAW}: {case.target_column} [is_correct], response_normalized"
    words = {"concept": "concept", "outcome": "sign(response_normalized)"}
    return f"{RAW}: {words.get(name, 'response_normalized')}"


def _label(case: Case, row: Statistic, name: str, level: str) -> Text:
    """What a coefficient of all raters is called: with its reading where there are others, or none is as it is."""
    several, what = len(case.sheet.question.readings()) > 1, READINGS.get(name, name)
    if row.name == PERCENT:
        told = Message("Pairs of answers that agree ({what})", what=what)
        return told if several else Message("Pairs of answers that agree")
    if row.name == BRENNAN and name == "role":
        options = len(case.sheet.question.declared(name))
        return Message("{coefficient} ({n} options)", coefficient=row.title, n=options)
    if level or row.function == "icc" or row.name in (FULL, "gwet ac2"):
        return Basis(row, level).name
    if name == "responses" and is_by_pair(case.sheet):
        return Message("{coefficient} on {what}", coefficient=row.title, what=WITHIN_PAIRS)
    if several and name != "correctness":
        return Message("{coefficient} on {what}", coefficient=row.title, what=what)
    return row.title


#: All the raters, by how many they are.
EVERYONE: Sequence[Message] = (
    Message("no annotators"), Message("one annotator"), Message("both annotators"), Message("all three annotators"),
    Message("all four annotators"),
)  # fmt: skip


def _everyone(case: Case) -> Message:
    """All the raters, in words."""
    if case.protocol.raters.panels:
        return Message("the raters of each panel")
    n = len(case.sheet.raters)
    return EVERYONE[n] if n < len(EVERYONE) else Message("all {n} annotators", n=n)
