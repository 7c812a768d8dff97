"""May a judge replace people? Each judge and each left-out person held against the same remaining people."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from quorate import statistics
from quorate.chance import sample
from quorate.errors import DataError
from quorate.findings.names import judge_name
from quorate.findings.results import Finding
from quorate.messages import Text
from quorate.records import Estimate
from quorate.sheets.case import JUDGED, RAW, Case, told
from quorate.sheets.columns import Ints

#: So many people have a finding each; of a larger crowd the report has no room for everybody.
MOST_PEOPLE = 60
#: People times items that are held in memory at once; of a larger study, items are drawn.
MOST_CELLS = 5_000_000
ROWS = f"{RAW} and {JUDGED}: by item and annotator"


def is_beside_people(case: Case) -> bool:
    """A judge answered what several people answered, and their answers become verdicts."""
    return bool(case.sheet.question.verdict_on() and case.sheet.judges and len(case.sheet.raters) > 1)


def replaceable(case: Case) -> Iterator[Finding]:
    """For each judge: agreement with the remaining people beside a person's, and the alternative annotator test."""
    rule = case.protocol.file.triage
    for judge in case.sheet.judges:
        if rule is not None and rule.is_verifying and judge in rule.judges:
            yield from _undefined(case, judge, "people saw this judge’s answers")
        else:
            yield from _compared(case, judge)


def _compared(case: Case, judge: str) -> Iterator[Finding]:
    places = drawn_items(case, MOST_CELLS // len(case.sheet.raters))
    column, people = _panel(case, judge, places)
    clusters = case.sheet.item_clusters
    options: dict[str, Any] = {
        "categories": list(range(len(case.verdicts.labels))),
        "clusters": None if clusters is None else clusters[places],
        "confidence": case.confidence,
    }
    try:
        held = statistics.judge_against_people(column, people, **options)
        test = statistics.alternative_annotator_test(column, people, epsilon=case.analysis.epsilon, **options)
    except DataError as error:
        yield from _undefined(case, judge, error.why)
        return
    figures = {
        "judge": held.all_items.judge,
        "people": held.all_items.people,
        "difference": held.all_items.difference,
        "clear.judge": held.without_ambiguous.judge,
        "clear.people": held.without_ambiguous.people,
        "clear.difference": held.without_ambiguous.difference,
        "omega": _tested(test.winning_rate, test.winning_rate),
        "rho": _tested(test.advantage, test.winning_rate),
    }
    undrawn = case.sheet.n_items - len(places)
    yield from _findings(case, judge, {name: _drawn(found, undrawn) for name, found in figures.items()})
    if len(people) > MOST_PEOPLE:
        return
    for person, gap in held.all_items.difference_by_person.items():
        yield case.finding(
            f"left_out.{judge}.difference", gap, (person,), statistic="judge against people", unit="points", rows=ROWS,
            group="left out each", judge=judge, raters=(person,),
            label=f"{judge_name(judge)} minus {person}, with the remaining people",
        )  # fmt: skip


WORDS = {
    "judge": "{judge} agrees with the remaining people",
    "people": "a person agrees with the remaining people ({judge}’s items)",
    "difference": "{judge} minus a person",
    "clear.judge": "{judge} agrees with the remaining people, without ambiguous items",
    "clear.people": "a person agrees with the remaining people, without ambiguous items ({judge}’s items)",
    "clear.difference": "{judge} minus a person, without ambiguous items",
    "omega": "{judge}: winning rate ω at ε = {epsilon:g}",
    "rho": "{judge}: advantage probability ρ",
}


def _tested(found: Estimate, rate: Estimate) -> Estimate:
    """The estimate; where nobody could be tested, why, in words for whoever reads a report."""
    return found if rate.value is not None else told(found, "nobody shares 30 items with the judge and another person")


def _findings(case: Case, judge: str, figures: dict[str, Estimate]) -> Iterator[Finding]:
    for name, found in figures.items():
        label = WORDS[name].format(judge=judge_name(judge), epsilon=case.analysis.epsilon)
        statistic = "alternative annotator test" if name in ("omega", "rho") else "judge against people"
        unit = "points" if "difference" in name else "%" if name != "omega" else ""
        yield case.finding(
            f"left_out.{judge}.{name}", found, statistic=statistic, group="left out", unit=unit, rows=ROWS,
            label=label[:1].upper() + label[1:], primary=name == "difference", judge=judge, what=name,
        )  # fmt: skip


def _undefined(case: Case, judge: str, why: Text) -> Iterator[Finding]:
    nothing = Estimate.undefined(why, confidence=case.confidence, n_items=0)
    yield from _findings(case, judge, dict.fromkeys(WORDS, nothing))


def drawn_items(case: Case, most: int) -> Ints:
    """The places of all items, or of so many that are drawn by the study's seed."""
    n = case.sheet.n_items
    ids = [item.id for item in case.sheet.items]
    drawn = range(n) if n <= most else sample(range(n), most, case.protocol.seed, "left out", key=ids.__getitem__)
    return np.array(drawn, int)


def _drawn(found: Estimate, undrawn: int) -> Estimate:
    return replace(found, left_out={**found.left_out, "items that were not drawn": undrawn}) if undrawn else found


def _panel(case: Case, judge: str, places: Ints) -> tuple[list[Any], dict[str, list[Any]]]:
    """The judge's column and each person's, as codes of what the verdicts are about; None where there is no answer."""
    sheet, name = case.sheet, case.verdicts.reading
    table = sheet.reading(name).by_rater(sheet.n_items, len(sheet.raters))
    column = np.full(sheet.n_items, np.nan)
    given = sheet.of_judge(judge, name)
    column[given.item] = given.code
    people = {rater: _listed(table[places, k]) for k, rater in enumerate(sheet.raters)}
    return _listed(column[places]), people


def _listed(column: Any) -> list[Any]:
    return [None if value != value else int(value) for value in column.tolist()]
