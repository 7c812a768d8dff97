"""May a judge replace people? Each judge and each left-out person held against the same remaining people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from quorate import statistics
from quorate.chance import sample
from quorate.errors import DataError
from quorate.exhibits import charts
from quorate.exhibits.blocks import Block
from quorate.exhibits.breakdowns import pivot
from quorate.exhibits.numbers import in_text
from quorate.exhibits.tables import notes_of
from quorate.findings.names import judge_name
from quorate.findings.results import Finding, first, select
from quorate.inquiries.base import Inquiry, Part, Told, of_question, resting
from quorate.languages import noted
from quorate.messages import Message, Sentences, Text
from quorate.records import Estimate
from quorate.sheets.case import JUDGED, RAW, Case, told, without
from quorate.sheets.columns import Ints

#: So many people have a finding each; of a larger crowd the report has no room for everybody.
MOST_PEOPLE = 60
#: People times items that are held in memory at once; of a larger study, items are drawn.
MOST_CELLS = 5_000_000
#: More lines than this nobody reads in a figure, and more judges than this in a sentence.
MOST_LINES, MOST_TOLD = 36, 4
#: A figure of more lines, or one of several questions, stands in the supplement.
LINES_IN_PAPER = 10
#: Where fewer of the items than this can be compared, it is said.
MOSTLY = 0.9
ROWS = f"{RAW} + {JUDGED}:"


class Replaceable(Inquiry):
    """Each judge beside a person who is left out."""

    name = "left out"
    title = Message("May a judge replace people?")
    is_detail = True
    cites = {"alternative annotator test": ("Calderon 2025",)}

    def fits(self, case: Case) -> bool:
        """A judge answered what several people answered, and their answers become verdicts."""
        return bool(case.sheet.question.verdict_on() and case.sheet.judges and len(case.sheet.raters) > 1)

    def find(self, case: Case) -> Iterator[Finding]:
        """For each judge: agreement with the remaining people beside a person's, and the alternative annotator test."""
        rule = case.protocol.file.triage
        for judge in case.sheet.judges:
            if rule is not None and rule.is_verifying and judge in rule.judges:
                yield from _undefined(case, judge, Message("people saw this judge’s answers"))
            else:
                yield from _compared(case, judge)

    def exhibits(self, part: Part) -> Iterator[Block]:
        """The judges side by side, and each of them beside each person."""
        found = [one for one in part.of(self.name) if not one.raters]
        questions = list(dict.fromkeys(one.question for one in found))
        heads = (
            Message("Judge"), Message("Judge with the remaining people"), Message("Person with the remaining people"),
            Message("Judge minus person"), Message("The same without ambiguous items"), Message("Advantage ρ"),
            Message("Winning rate ω (ε = {epsilon})", epsilon=f"{part.protocol.analysis.epsilon:g}"),
        )  # fmt: skip
        rows = []
        for question, judge in dict.fromkeys((one.question, one.judge) for one in found):
            mine = list(select(found, question=question, judge=judge))
            name = part.results.label(mine[0], judge_name(judge)) if len(questions) > 1 else judge_name(judge)
            rows.append((name, [first(mine, what=kind) for kind in COLUMNS]))
        if rows:
            caption = Sentences(tuple(_caption(part, found)))
            table = pivot(part.key("left_out"), Message("Judges beside people"), caption, heads, rows)
            yield replace(table, notes=notes_of(part.results, [one for one in found if one.what in COLUMNS]))
        told = {
            question: [one for one in part.of(self.name, question=question) if one.raters] for question in questions
        }
        told = {question: each for question, each in told.items() if 0 < len(each) <= MOST_LINES}
        for question, each in told.items():
            yield _each_person(part, question, each, further=len(told) > 1 or len(each) > LINES_IN_PAPER)

    def methods(self, told: Told) -> Iterator[Message]:
        """What is held against what."""
        each = Message(
            "Each person is left out in turn, and the share of the remaining people who give the judge’s answer is "
            "held against the share who give that person’s, over the items that all of them answered."
        )
        yield from resting(each, told.known(inquiry=self.name, what="difference"))
        rates = Message(
            "ρ is how often the judge is at least as close to the remaining people as the person is; ω is the share of "
            "people whom the judge does not fall behind by ε = {epsilon} or more, corrected for many tests (Calderon, "
            "Reichart and Dror 2025).",
            epsilon=f"{told.protocol.analysis.epsilon:g}",
        )
        yield from resting(rates, told.known(inquiry=self.name, what="omega"))

    def limits(self, told: Told) -> Iterator[Message]:
        """Judges that can be held against people on a part of the items only."""
        gaps = told.known(inquiry=self.name, what="difference", round=1)
        for one in gaps:
            n = one.n
            every = n + sum(one.estimate.left_out.values())
            if n < MOSTLY * every:
                sentence = Message(
                    "{judge} can be held against people on {n} of {all} items: the others lack its answer, or another "
                    "person’s.",
                    judge=judge_name(one.judge), n=n, all=every,
                )  # fmt: skip
                yield of_question(one, sentence, gaps)


#: The figures of a judge in the order of the table's columns.
COLUMNS = ("judge", "people", "difference", "clear.difference", "rho", "omega")


def _caption(part: Part, found: Sequence[Finding]) -> Iterator[Message]:
    """Of each judge, whether it agrees with people as well as people do."""
    gaps = [one for one in select(found, what="difference") if one.is_known]
    if not gaps:
        yield Message("No judge can be held against people yet.")
        return
    yield Message("Agreement with the remaining people, each person left out in turn.")
    for one in gaps if len(gaps) <= MOST_TOLD else ():
        sentence = Message("{judge} minus that person: {gap}.", judge=judge_name(one.judge), gap=in_text(one))
        yield part.about(one, sentence)


def _each_person(part: Part, question: str, each: Sequence[Finding], further: bool) -> Block:
    name = f"left_out_{question}"
    rows = [(Message("{judge} minus {person}", judge=judge_name(one.judge), person=one.raters[0]), one) for one in each]
    axis = Message("judge minus person, points")
    caption = Message(
        "Each person left out in turn: the judge’s agreement with the remaining people minus that person’s. Lines are "
        "intervals."
    )
    drawn = charts.differences(rows, axis, percent=True, say=part.say)
    return part.drawing(name, drawn, part.about(each[0], caption), further=further)


def _compared(case: Case, judge: str) -> Iterator[Finding]:
    places = drawn_items(case, MOST_CELLS // len(case.sheet.raters))
    column, people = _panel(case, judge, places)
    options: dict[str, Any] = {
        "categories": list(range(len(case.verdicts.labels))),
        "clusters": case.sheet.clusters_of(places),
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
    undrawn = {noted("items that were not drawn"): case.sheet.n_items - len(places)}
    people_tested = [one for one in test.people.values() if one.adjusted_p is not None]
    won = (sum(one.wins for one in people_tested), len(people_tested))
    yield from _findings(case, judge, {name: without(found, undrawn) for name, found in figures.items()}, won)
    if len(people) > MOST_PEOPLE:
        return
    for person, gap in held.all_items.difference_by_person.items():
        yield case.finding(
            f"left_out.{judge}.difference", gap, (person,), statistic="judge against people", unit="points", rows=ROWS,
            judge=judge, raters=(person,),
            label=Message("{judge} minus {person}, with the remaining people", judge=judge_name(judge), person=person),
        )  # fmt: skip


#: What each figure of a judge is called.
WORDS = {
    "judge": Message("{judge} agrees with the remaining people"),
    "people": Message("A person agrees with the remaining people ({judge}’s items)"),
    "difference": Message("{judge} minus a person"),
    "clear.judge": Message("{judge} agrees with the remaining people, without ambiguous items"),
    "clear.people": Message("A person agrees with the remaining people, without ambiguous items ({judge}’s items)"),
    "clear.difference": Message("{judge} minus a person, without ambiguous items"),
    "omega": Message("{judge}: winning rate ω at ε = {epsilon}"),
    "rho": Message("{judge}: advantage probability ρ"),
}


def _tested(found: Estimate, rate: Estimate) -> Estimate:
    """The estimate; where nobody could be tested, why, in words for whoever reads a report."""
    why = Message("nobody shares {n} items with the judge and another person", n=30)
    return found if rate.value is not None else told(found, why)


def _findings(
    case: Case, judge: str, figures: dict[str, Estimate], won: tuple[int, int] | None = None
) -> Iterator[Finding]:
    """The figures of one judge; `won` says against how many people it holds, of those who were tested."""
    for name, found in figures.items():
        label = WORDS[name].having(judge=judge_name(judge), epsilon=f"{case.analysis.epsilon:g}")
        statistic = "alternative annotator test" if name in ("omega", "rho") else "judge against people"
        unit = "points" if "difference" in name else "%" if name != "omega" else ""
        yield case.finding(
            f"left_out.{judge}.{name}", found, statistic=statistic, unit=unit, rows=ROWS, label=label,
            primary=name == "difference", judge=judge, what=name,
            counted=won if name == "omega" and found.value is not None else None,
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
