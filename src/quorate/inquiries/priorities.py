"""Do choices follow the protocol's order of priorities?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from quorate.exhibits.blocks import Block
from quorate.findings.results import Finding
from quorate.inquiries.base import Inquiry, Part
from quorate.inquiries.compared import Compared, compared
from quorate.inquiries.marks import marks_table
from quorate.messages import Message
from quorate.sheets.case import RAW, Case
from quorate.sheets.columns import Ints
from quorate.sheets.sheet import Sheet


class Priorities(Inquiry):
    """Choices held against the protocol's order of priorities."""

    name = "consistency"
    title = Message("Priorities")
    is_detail = True

    def fits(self, case: Case) -> bool:
        """The study orders its dimensions, and the question compares."""
        return bool(case.analysis.priority) and case.sheet.question.compares()

    def find(self, case: Case) -> Iterator[Finding]:
        """How often the chosen system is rated lower on the first dimension that tells the two apart; uneven ties."""
        ratings = compared(case)
        leads = _leads(case, ratings)
        tied = ratings.sign == 0
        for name, label, among, hits in (
            ("against", Message("Choices against the first dimension that tells the two apart"), ~tied & (leads != 0),
             leads != ratings.sign),
            ("uneven_ties", Message("Ties whose ratings differ"), tied, leads != 0),
        ):  # fmt: skip
            share = case.share_of_answers(hits[among], ratings.item[among], ratings.who[among])
            yield case.finding(
                f"priority.{name}", share, statistic="priority", unit="%", label=label,
                counted=(int(hits[among].sum()), int(among.sum())), rows=f"{RAW}: response_normalized",
            )  # fmt: skip

    def exhibits(self, part: Part) -> Iterator[Block]:
        """How often choices go against the order."""
        caption = Message(
            "Choices held against the protocol’s order of priorities: a finding of consistency, which changes no vote."
        )
        yield part.table("consistency", self.title, caption, part.of(self.name))


def _leads(case: Case, ratings: Compared) -> Ints:
    """For each comparison, which side the first dimension that rates one above the other favours: 1 the first, −1, 0.

    The order of dimensions is the protocol's order of priorities.
    """
    found = np.zeros(len(ratings.sign), np.int64)
    for name in case.analysis.priority:
        sheet = case.beside(name)
        if sheet is not None and (found == 0).any():
            gap = np.nan_to_num(_gaps(case.sheet, ratings, sheet))
            found = np.where(found == 0, np.sign(gap).astype(np.int64), found)
    return found


def _gaps(compares: Sheet, ratings: Compared, sheet: Sheet) -> np.ndarray:
    """How much higher the rater of each comparison rated its first system than its second; NaN where not both."""
    width = len(compares.raters)
    if not len(sheet.people) or not width:
        return np.full(len(ratings.sign), np.nan)
    places = {rater: place for place, rater in enumerate(compares.raters)}
    who = np.array([places.get(rater, -1) for rater in sheet.raters])[sheet.people.who]
    cells = np.where(who >= 0, sheet.people.item * width + who, -1)
    order = np.argsort(cells, kind="stable")
    wanted = ratings.item * width + ratings.who
    at = np.minimum(np.searchsorted(cells[order], wanted), len(cells) - 1)
    row = order[at]
    table = marks_table(sheet)
    first, second = (_of_systems(sheet, table, row, [pair[k] for pair in ratings.pairs], ratings.pair) for k in (0, 1))
    return np.where(cells[row] == wanted, first - second, np.nan)


def _of_systems(sheet: Sheet, table: np.ndarray, row: Ints, systems: Sequence[str], pair: Ints) -> np.ndarray:
    """The mark that each row gives to the system that stands in its pair."""
    known = {name: place for place, name in enumerate(sheet.whole.held["systems"])}
    column = np.array([known.get(name, -1) for name in systems], np.int64)[pair]
    return np.where(column >= 0, table[row, column], np.nan)
