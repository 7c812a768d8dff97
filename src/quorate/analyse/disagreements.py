"""The items on which raters differ most, with what they said; and what the priority order says of choices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from quorate.analyse.columns import Ints
from quorate.analyse.inquiry import RAW, Case
from quorate.analyse.results import Finding, Listing
from quorate.analyse.sheets import Sheet
from quorate.analyse.verdicts import STATUSES, tally
from quorate.records import Answer, Level

MOST = 10


def top_disagreements(case: Case) -> Iterator[Listing]:
    """Up to ten items whose planned raters differ most, with answers, notes and verdict."""
    sheet = case.sheet
    reading = sheet.reading(case.verdicts.reading)
    counted = tally(reading, sheet.n_items)
    places = _ranked(counted.n, counted.most, _spread(case))
    rows = tuple(_row(case, int(place)) for place in places[:MOST])
    if not rows:
        return
    n = len(places)
    yield Listing(
        f"{sheet.section}.{sheet.id}.disagreements", "disagreements", sheet.section, sheet.id, "Top disagreements",
        f"Raters differ on {n:,} item{'' if n == 1 else 's'}; the {len(rows)} on which they differ most, with their "
        "notes.",
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


def _row(case: Case, place: int) -> tuple[str, str, str, str]:
    sheet, item = case.sheet, case.sheet.items[place]
    given = [*sheet.people.answers[sheet.people.item == place], *sheet.more.answers[sheet.more.item == place]]
    said = "; ".join(f"{answer.rater}: {_words(sheet, answer)}" for answer in given)
    verdict = case.verdicts.code[place]
    label = "" if verdict < 0 else f"{case.verdicts.labels[verdict]} "
    return item.id, said, _notes(case, item.id), f"{label}({STATUSES[case.verdicts.status[place]]})"


def _words(sheet: Sheet, answer: Answer) -> str:
    # By identity: the report is for those who may know which system stood on which side.
    return str(sheet.question.category(sheet.question.verdict_on(), answer.value))


def _notes(case: Case, item: str) -> str:
    """What raters wrote about an item in the section's open questions."""
    found = []
    for (section, _), sheet in case.others.items():
        if section == case.sheet.section and sheet.question.level is Level.TEXT and not sheet.question.is_scored():
            rows = [*sheet.people.answers, *sheet.more.answers]
            found += [f"{answer.rater}: “{answer.value}”" for answer in rows if answer.item == item and answer.value]
    return " ".join(found)


def priority(case: Case) -> Iterator[Finding]:
    """How often the chosen system is rated lower on the first dimension that tells the two apart; and uneven ties."""
    against, decided, uneven, ties = 0, 0, 0, 0
    items: list[int] = []
    hits: list[bool] = []
    tied_items: list[int] = []
    tied_hits: list[bool] = []
    for place, answer, first in _told_apart(case):
        outcome = case.sheet.question.compared(answer.value, answer.shown)
        if outcome is None:
            continue
        if outcome[2] == 0:
            ties, uneven = ties + 1, uneven + (first is not None)
            tied_items.append(place)
            tied_hits.append(first is not None)
        elif first is not None:
            won = outcome[0] if outcome[2] > 0 else outcome[1]
            decided, against = decided + 1, against + (won != first[1])
            items.append(place)
            hits.append(won != first[1])
    rows = f"{RAW}: winner and ratings, by item and annotator"
    yield case.finding(
        "priority.against", case.share_of_answers(np.array(hits, bool), np.array(items, np.int64)),
        statistic="priority", unit="%", group="consistency", counted=(against, decided), rows=rows,
        label="Choices against the first dimension that tells the two apart",
    )  # fmt: skip
    yield case.finding(
        "priority.uneven_ties", case.share_of_answers(np.array(tied_hits, bool), np.array(tied_items, np.int64)),
        statistic="priority", unit="%", group="consistency", counted=(uneven, ties), rows=rows,
        label="Ties whose ratings differ",
    )  # fmt: skip


def _told_apart(case: Case) -> Iterator[tuple[int, Answer, tuple[str, str] | None]]:
    """Each comparison with the first dimension, by priority, that rates one system above the other, and which."""
    held: dict[str, dict[tuple[str, str], Any]] = {}
    for name in case.analysis.priority:
        sheet = case.beside(name)
        if sheet is not None:
            held[name] = {
                (answer.item, answer.rater): sheet.question.marks(answer.value) for answer in sheet.people.answers
            }
    rows = case.sheet.people
    for place, answer in zip(rows.item.tolist(), rows.answers, strict=True):
        found = None
        for name, marks in held.items():
            given = marks.get((answer.item, answer.rater), {})
            if len(set(given.values())) > 1:
                found = (name, max(given, key=lambda system: given[system]))
                break
        yield place, answer, found
