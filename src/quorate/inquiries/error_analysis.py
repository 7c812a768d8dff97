"""Where people and a judge part: the 2 × 2 of who is right, its classes, and an example of each cell."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from quorate.chance import order
from quorate.exhibits.blocks import Block, Gallery
from quorate.exhibits.numbers import number
from quorate.exhibits.tables import Cell, Table, cells, columns_of, notes_of
from quorate.findings.names import judge_name
from quorate.findings.results import CLASSES, Comparison, Example, Finding, Given
from quorate.inquiries.base import Inquiry, Part
from quorate.inquiries.comparison import AgainstJudge, people_there, place_of
from quorate.inquiries.paired import CLASS, RATE, judges_of, paired, right_and_wrong
from quorate.messages import Message, Sentences, Word
from quorate.records import Answer, Item
from quorate.sheets.case import Case
from quorate.sheets.decisions import decide
from quorate.sheets.sheet import Sheet


class ErrorAnalysis(Inquiry):
    """Where people and a judge part: the 2 × 2 of right and wrong; its shares are found with their agreement."""

    name = "error analysis"
    title = Message("Error analysis")

    def exhibits(self, part: Part) -> Iterator[Block]:
        """The 2 × 2 and its shares, judge by judge."""
        for comparison in _comparisons(part):
            yield _two_by_two(part, comparison)
            yield _classes(part, comparison)


class Examples(Inquiry):
    """What stands in each cell of the 2 × 2."""

    name = "examples"
    title = Message("Qualitative examples")

    def exhibits(self, part: Part) -> Iterator[Block]:
        """An item of each cell."""
        return (_gallery(part, comparison) for comparison in _comparisons(part) if comparison.n)


# What is computed.


def compared(case: Case) -> Iterator[Comparison]:
    """The 2 × 2 of each judge with its examples, where answers can be right."""
    for judge in judges_of(case) if case.sheet.question.is_scored() else ():
        yield _compared(case, judge)


def _compared(case: Case, judge: str) -> Comparison:
    sheet, seed = case.sheet, case.protocol.seed
    human, machine, both = right_and_wrong(case, judge)
    found: dict[tuple[bool, bool], list[Item]] = {}
    for cell in CLASSES.values():
        places = np.flatnonzero((human == cell[0]) & (machine == cell[1]) & both)
        found[cell] = [sheet.items[place] for place in places]
    examples = tuple(_example(sheet, judge, cell, items, seed) for cell, items in found.items())
    counts = {cell: len(items) for cell, items in found.items()}
    return Comparison(sheet.section, sheet.id, judge, counts, examples, paired(case, judge)[3])


def _example(sheet: Sheet, judge: str, cell: tuple[bool, bool], items: list[Item], seed: int) -> Example:
    if not items:
        return Example(*cell, None)
    item = order(items, seed, "example", sheet.section, sheet.id, *cell, key=lambda item: item.id)[0]
    given_to = tuple(given(sheet, answer) for answer in sheet.people.answers if answer.item == item.id)
    machine = next(answer for answer in sheet.machines.answers if answer.item == item.id and answer.rater == judge)
    return Example(*cell, item.id, sheet.question.right_answer(item), given_to, given(sheet, machine), len(items))


def given(sheet: Sheet, answer: Answer) -> Given:
    """One answer as it was typed, or in the words of the page where it was clicked; and whether it is right."""
    item = next(item for item in sheet.items if item.id == answer.item)
    if sheet.question.compares():
        # On the page a system is a letter that means another one to each rater.
        words = str(answer.value)
    else:
        words = sheet.question.describe(answer.value, answer.shown.to(sheet.id), item) or str(answer.raw)
    decisions = decide(sheet.votes, sheet.section, sheet.id)
    is_right = sheet.question.score(answer.value, item, decisions) if sheet.question.is_scored() else None
    return Given(answer.rater, words, is_right)


# What is shown.


def _comparisons(part: Part) -> list[Comparison]:
    return [one for one in part.results.comparisons if one.section == part.section.id]


def _place(part: Part, comparison: Comparison, name: str) -> tuple[Finding, str, bool]:
    """The finding that a comparison goes with, the key of a table of it, and whether that stands in the supplement."""
    of = {"judge": comparison.judge, "question": comparison.question}
    several = len({one.question for one in _comparisons(part)}) > 1
    end, further = place_of(part, comparison.judge)
    name = f"{name}_{comparison.question}{end}" if several else f"{name}{end}"
    return part.of(AgainstJudge.name, statistic=RATE, **of)[0], part.key(name), further


def _two_by_two(part: Part, comparison: Comparison) -> Table:
    """The 2 × 2 of right and wrong, and where a judge and people part."""
    rate, key, further = _place(part, comparison, "errors")
    n, cells, who, name = comparison.n, comparison.cells, people_there(part, comparison), judge_name(comparison.judge)
    rows = []
    for human, head in ((True, who.right), (False, who.wrong)):
        counts = [cells[human, machine] for machine in (True, False)]
        figures = [Cell(f"{k:,}", small=number(k / n, "%") if n else "", shade=k / n if n else 0) for k in counts]
        rows.append((Cell(head), *figures))
    notes = tuple(Message("{n} left out: {why}.", n=k, why=Word(why)) for why, k in comparison.left_out.items())
    heads = ("", CORRECT.having(judge=name), INCORRECT.having(judge=name))
    parting = Message("No item has both a verdict of people and an answer of {judge}.", judge=name)
    if n:
        parting = Message(
            "{judge} alone is wrong on {missed} of {n} item, and {people} alone on {invented}.",
            "{judge} alone is wrong on {missed} of {n} items, and {people} alone on {invented}.",
            judge=name, people=who.the, missed=cells[True, False], invented=cells[False, True], n=n,
        )  # fmt: skip
    caption = part.about(rate, parting)
    return Table(key, ErrorAnalysis.title, caption, heads, tuple(rows), notes, frozenset({1, 2}), further)


#: The heads of the columns of the 2 × 2.
CORRECT, INCORRECT = Message("{judge} correct"), Message("{judge} incorrect")
#: What each class of errors may mean, where answers are typed.
MEANINGS = {
    "human correct, judge incorrect": Message("{judge} false negatives"),
    "human incorrect, judge correct": Message("Potential {judge} hallucination or overly lenient matching"),
    "both incorrect": Message("Genuine generation failures, if what is shown was generated; else hard items"),
    "both correct": Message("No error"),
}


def _classes(part: Part, comparison: Comparison) -> Table:
    """The classes of errors as shares, with what each may mean; the study may list "both wrong" as a disagreement."""
    rate, key, further = _place(part, comparison, "classes")
    found = part.of(AgainstJudge.name, statistic=CLASS, judge=comparison.judge, question=comparison.question)
    found = tuple(sorted(found, key=lambda one: list(MEANINGS).index(one.what)))
    is_typed = bool(part.protocol.ask(comparison.section, comparison.question).question.canonical_steps())
    rows = []
    for one in found:
        name, *figures = cells(part.results, one)
        meaning = [Cell(MEANINGS[one.what].having(judge=judge_name(one.judge)))] if is_typed else []
        rows.append((name, *meaning, *figures))
    heads = (Message("Class"), *([Message("What it may mean")] if is_typed else []), *columns_of(found)[1:])
    told = [part.about(rate, Message("The three classes of errors, and what is no error."))]
    compare = part.protocol.analysis.compare
    if compare is not None and "both wrong" in compare.disagreements:
        told.append(Message("“Both incorrect” is no disagreement; it is here because the protocol lists it."))
    numeric, notes = frozenset(range(1 + is_typed, len(heads))), notes_of(part.results, found)
    return Table(key, Message("Error classes"), Sentences(tuple(told)), heads, tuple(rows), notes, numeric, further)


def _gallery(part: Part, comparison: Comparison) -> Gallery:
    who, name = people_there(part, comparison), judge_name(comparison.judge)
    titles = tuple(
        Message(
            "{human}, {judge}", human=who.right if one.human_correct else who.wrong,
            judge=(CORRECT if one.judge_correct else INCORRECT).having(judge=name),
        )
        for one in comparison.examples
    )  # fmt: skip
    caption = Message(
        "One item of each cell of the table above, drawn by chance with the study’s seed; below each, the target, what "
        "the annotators answered and what {judge} answered.", judge=name,
    )  # fmt: skip
    rate, _, further = _place(part, comparison, "")
    return Gallery(comparison, titles, name, part.about(rate, caption), further)
