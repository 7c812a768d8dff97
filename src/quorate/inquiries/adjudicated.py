"""What did the team decide about single items, and why?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from quorate.exhibits.blocks import Block
from quorate.exhibits.tables import listed
from quorate.findings.results import Listing
from quorate.inquiries.base import Inquiry, Part
from quorate.messages import Message, Sentences, Text
from quorate.records import Answer
from quorate.sheets.case import Case
from quorate.sheets.verdicts import ADJUDICATED


class Adjudicated(Inquiry):
    """Every decision of the team on an item, the newest of each member, with its reason."""

    name = "adjudicated"
    title = Message("Decisions of the team")

    def fits(self, case: Case) -> bool:
        """The team decided something about the question."""
        return bool(len(case.sheet.members))

    def listings(self, case: Case) -> Iterator[Listing]:
        """A row for each decision."""
        rows = tuple(_rows(case))
        n = len({item for item, *_ in rows})
        told = [Message("What the team decided about {n} item.", "What the team decided about {n} items.", n=n)]
        if case.sheet.question.verdict_on() and (settled := n - int(case.verdicts.came(ADJUDICATED).sum())):
            told.append(Message("On {n} of them raters came to a verdict, which stands.", n=settled))
        if len(rows) > n:
            told.append(Message("Of several decisions about one item the newest counts."))
        heads = (Message("Item"), Message("Decision"), Message("Why"), Message("Member"))
        yield case.listing("adjudicated", self.name, self.title, Sentences(tuple(told)), heads, rows)

    def exhibits(self, part: Part) -> Iterator[Block]:
        """A table for each question."""
        for listing in part.listed(self.name):
            title = part.title_of(listing.question, listing.section)
            named = Message("The question is “{question}”.", question=title)
            caption: Text = Sentences((named, listing.caption)) if len(part.cases) > 1 else listing.caption
            yield replace(listed(listing, part.key(f"adjudicated_{listing.question}")), caption=caption)


def reason_of(answer: Answer) -> tuple[str, Answer]:
    """Why a member decided so, and the decision as the page sent it; no reason where a rater answered."""
    if answer.by != "member" or not isinstance(answer.raw, dict) or "reason" not in answer.raw:
        return "", answer
    return str(answer.raw["reason"]), replace(answer, raw=answer.raw.get("raw"))


def _rows(case: Case) -> Iterator[tuple[str, str, str, str]]:
    """The item, what was decided, why, and by whom."""
    sheet = case.sheet
    on = sheet.question.verdict_on()
    for answer, place in zip(sheet.members.answers, sheet.members.item.tolist(), strict=True):
        said = sheet.question.category(on, answer.value, sheet.items[place]) if on else answer.value
        yield answer.item, str(said), reason_of(answer)[0], answer.rater
