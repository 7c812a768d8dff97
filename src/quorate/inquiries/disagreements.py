"""The items on which raters differ most, with what they said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from quorate.exhibits.blocks import Block
from quorate.exhibits.tables import listed
from quorate.findings.results import Listing
from quorate.inquiries.base import Inquiry, Part
from quorate.messages import Message, Text, Word
from quorate.records import Level
from quorate.sheets.case import Case
from quorate.sheets.verdicts import STATUSES, tally

MOST, MOST_QUESTIONS = 10, 12


class Disagreements(Inquiry):
    """The items on which raters differ most."""

    name = "disagreements"
    title = Message("Disagreements")
    is_detail = True

    def fits(self, case: Case) -> bool:
        """Answers become one verdict."""
        return bool(case.sheet.question.verdict_on())

    def listings(self, case: Case) -> Iterator[Listing]:
        """Up to ten items with what was said of them."""
        return _top(case)

    def exhibits(self, part: Part) -> Iterator[Block]:
        """A table a question, in the supplement; of many questions none, since nobody would read them."""
        found = part.listed(self.name)
        titles = {case.sheet.id: case.title for case in part.cases}
        for listing in found if len(part.cases) <= MOST_QUESTIONS else ():
            about: Text = listing.caption
            if len(found) > 1:
                about = Message("“{question}”: {sentence}", question=titles[listing.question], sentence=about)
            table = listed(replace(listing, caption=about), part.key(f"disagreements_{listing.question}"))
            yield replace(table, further=True)


def _top(case: Case) -> Iterator[Listing]:
    """Up to ten items whose planned raters differ most, with answers, notes and verdict."""
    sheet = case.sheet
    reading = sheet.reading(case.verdicts.reading)
    counted = tally(reading, sheet.n_items)
    differ = np.flatnonzero((counted.n > 1) & (counted.most < counted.n))
    if not len(differ):
        return
    share = counted.most[differ] / counted.n[differ]
    places = differ[np.lexsort((differ, -_spread(case)[differ], share))].tolist()
    notes = _notes(case, {sheet.items[place].id for place in places[:MOST]})
    rows = tuple(_row(case, place, notes) for place in places[:MOST])
    told = Message(
        "The item on which raters differ.", "Raters differ on {n} items; the {k} on which they differ most.",
        n=len(places), k=len(rows),
    )  # fmt: skip
    heads = (Message("Item"), Message("Answers"), Message("Notes"), Message("Verdict"))
    yield case.listing("disagreements", Disagreements.name, Message("Top disagreements"), told, heads, rows)


def _spread(case: Case) -> np.ndarray:
    """How far apart the answers of an item lie, where they are points of a scale."""
    sheet = case.sheet
    scale = sheet.question.scale()
    if not scale:
        return np.zeros(sheet.n_items)
    numbers = np.array([scale.index(value) for value in sheet.people.column("value")], float)
    low, high = np.full(sheet.n_items, np.inf), np.full(sheet.n_items, -np.inf)
    np.minimum.at(low, sheet.people.item, numbers)
    np.maximum.at(high, sheet.people.item, numbers)
    return np.where(np.isfinite(low), high - low, 0)


def _row(case: Case, place: int, notes: Mapping[str, list[str]]) -> tuple[Text, ...]:
    sheet, item = case.sheet, case.sheet.items[place]
    given = [*sheet.people.answers[sheet.people.item == place], *sheet.more.answers[sheet.more.item == place]]
    # By identity: the report is for those who may know which system stood on which side.
    on = sheet.question.verdict_on()
    said = "; ".join(f"{answer.rater}: {sheet.question.category(on, answer.value)}" for answer in given)
    verdict = case.verdicts.code[place]
    told = Message("({status})", status=Word(STATUSES[case.verdicts.status[place]]))
    if verdict >= 0:
        told = Message("{verdict} {status}", verdict=str(case.verdicts.labels[verdict]), status=told)
    return item.id, said, " ".join(notes.get(item.id, ())), told


def _notes(case: Case, items: set[str]) -> dict[str, list[str]]:
    """What raters wrote about these items in the section's open questions."""
    found: dict[str, list[str]] = {}
    for (section, _), sheet in case.others.items():
        if section == case.sheet.section and sheet.question.level is Level.TEXT and not sheet.question.is_scored():
            for answer in (*sheet.people.answers, *sheet.more.answers):
                if answer.item in items and answer.value:
                    found.setdefault(answer.item, []).append(f"{answer.rater}: “{answer.value}”")
    return found
