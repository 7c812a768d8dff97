"""The items on which raters differ most, with what they said; and what the priority order says of choices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from quorate.findings.results import Finding, Listing
from quorate.inquiries.dimensions import marks_table
from quorate.inquiries.preferences import Compared, compared
from quorate.records import Answer, Level
from quorate.sheets.case import RAW, Case
from quorate.sheets.columns import Ints
from quorate.sheets.sheet import Sheet
from quorate.sheets.verdicts import STATUSES, tally

MOST = 10


def top_disagreements(case: Case) -> Iterator[Listing]:
    """Up to ten items whose planned raters differ most, with answers, notes and verdict."""
    sheet = case.sheet
    reading = sheet.reading(case.verdicts.reading)
    counted = tally(reading, sheet.n_items)
    places = _ranked(counted.n, counted.most, _spread(case))
    if not places:
        return
    notes = _notes(case, {sheet.items[place].id for place in places[:MOST]})
    rows = tuple(_row(case, place, notes) for place in places[:MOST])
    n = len(places)
    told = ", with their notes." if any(notes.values()) else "."
    yield Listing(
        f"{sheet.section}.{sheet.id}.disagreements", "disagreements", sheet.section, sheet.id, "Top disagreements",
        f"Raters differ on {n:,} item{'' if n == 1 else 's'}; the {len(rows)} on which they differ most{told}",
        ("Item", "Answers", "Notes", "Verdict"), rows,
    )  # fmt: skip


def _ranked(n: Ints, most: Ints, spread: np.ndarray) -> list[int]:
    differ = np.flatnonzero((n > 1) & (most < n))
    share = most[differ] / n[differ]
    return [int(differ[at]) for at in np.lexsort((differ, -spread[differ], share))]


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


def _row(case: Case, place: int, notes: Mapping[str, list[str]]) -> tuple[str, str, str, str]:
    sheet, item = case.sheet, case.sheet.items[place]
    given = [*sheet.people.answers[sheet.people.item == place], *sheet.more.answers[sheet.more.item == place]]
    said = "; ".join(f"{answer.rater}: {_words(sheet, answer)}" for answer in given)
    verdict = case.verdicts.code[place]
    label = "" if verdict < 0 else f"{case.verdicts.labels[verdict]} "
    return item.id, said, " ".join(notes.get(item.id, ())), f"{label}({STATUSES[case.verdicts.status[place]]})"


def _words(sheet: Sheet, answer: Answer) -> str:
    # By identity: the report is for those who may know which system stood on which side.
    return str(sheet.question.category(sheet.question.verdict_on(), answer.value))


def _notes(case: Case, items: set[str]) -> dict[str, list[str]]:
    """What raters wrote about these items in the section's open questions."""
    found: dict[str, list[str]] = {}
    for (section, _), sheet in case.others.items():
        if section == case.sheet.section and sheet.question.level is Level.TEXT and not sheet.question.is_scored():
            for answer in (*sheet.people.answers, *sheet.more.answers):
                if answer.item in items and answer.value:
                    found.setdefault(answer.item, []).append(f"{answer.rater}: “{answer.value}”")
    return found


def priority(case: Case) -> Iterator[Finding]:
    """How often the chosen system is rated lower on the first dimension that tells the two apart; and uneven ties."""
    ratings = compared(case)
    leads = _leads(case, ratings)
    tied = ratings.sign == 0
    decided = ~tied & (leads != 0)
    rows = f"{RAW}: winner and ratings, by item and annotator"
    against = (leads != ratings.sign)[decided]
    yield case.finding(
        "priority.against", case.share_of_answers(against, ratings.item[decided]),
        statistic="priority", unit="%", group="consistency", counted=(int(against.sum()), len(against)), rows=rows,
        label="Choices against the first dimension that tells the two apart",
    )  # fmt: skip
    uneven = (leads != 0)[tied]
    yield case.finding(
        "priority.uneven_ties", case.share_of_answers(uneven, ratings.item[tied]),
        statistic="priority", unit="%", group="consistency", counted=(int(uneven.sum()), len(uneven)), rows=rows,
        label="Ties whose ratings differ",
    )  # fmt: skip


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
