"""What the report's page leads to from a number: the rows that it comes from, and what was shown and answered there.

All of it is one JSON text inside the page, so that the page stays one file. Where a study is too large for that, the
page names the data files instead, as it does without a script.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from mimetypes import guess_type
from typing import Any

from quorate.exhibits.pictures import thumbnail
from quorate.findings.names import judge_name
from quorate.languages import say
from quorate.messages import said
from quorate.protocol import Protocol, Section
from quorate.records import Answer, Item, Shown
from quorate.report.page import Page
from quorate.sheets.columns import Rows

#: With more answers than this the page would no longer open at once.
MOST_ANSWERS = 20_000
#: So many pictures are shown small, so many letters of a text, and so many letters of all texts.
MOST_PICTURES, LONGEST, ALL_TEXTS = 60, 2_000, 1_000_000


def explored(page: Page) -> str:
    """Items, answers and what each number is of, as JSON; "" where there are too many."""
    rows = list(_answers(page))
    if not rows or len(rows) > MOST_ANSWERS:
        return ""
    items = {item.id: item for sheet in page.sheets for item in sheet.items}
    places = {id: place for place, id in enumerate(items)}
    people = list(dict.fromkeys(row.who for row in rows))
    numbers = {who: place for place, who in enumerate(people)}
    questions = [(sheet.section, sheet.id) for sheet in page.sheets]
    fields = page.protocol.analysis.fields
    found = {
        "fields": {name: [str(item.fields.get(name, "")) for item in items.values()] for name in fields},
        "items": list(items),
        "shown": list(_shown(page.protocol, items, rows)),
        "sections": [said(section.title or section.id, page.language) for section in page.protocol.sections],
        "people": [name for name, _ in people],
        "judges": [place for place, (_, is_judge) in enumerate(people) if is_judge],
        "questions": [_question(page, *one) for one in questions],
        "answers": [
            _columns([row for row in rows if (row.section, row.question) == one], places, numbers) for one in questions
        ],
        "of": {
            finding.id: _of(finding, questions, numbers)
            for finding in page.results.findings
            if (finding.section, finding.question) in questions
        },
    }
    # As HTML reads a script, no text may end it or begin another.
    return json.dumps(found, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


@dataclass(frozen=True, slots=True)
class Row:
    """One answer as the page lists it; `who` is a name, and whether it is a judge's."""

    section: str
    question: str
    item: str
    who: tuple[str, bool]
    value: str
    right: int | None
    systems: tuple[str, ...]
    shown: Shown


def _answers(page: Page) -> Iterator[Row]:
    for sheet in page.sheets:
        of = (sheet.section, sheet.id)
        for rows, is_judge in ((sheet.people, False), (sheet.machines, True)):
            right = sheet.right("machines" if is_judge else "people") if sheet.question.is_scored() else None
            names = [judge_name(name) if is_judge else name for name in rows.names]
            for place, answer in enumerate(_of_rows(rows)):
                told = None if right is None else int(right[place])
                who = (names[rows.who[place]], is_judge)
                yield Row(*of, answer.item, who, _value(answer), told, tuple(answer.shown.sides.values()), answer.shown)


def _of_rows(rows: Rows) -> list[Answer]:
    return rows.answers.tolist() if rows.values is None else []


def _value(answer: Answer) -> str:
    value = answer.value
    return str(value) if isinstance(value, str | int | float) else json.dumps(value, ensure_ascii=False)


def _columns(rows: Sequence[Row], places: Mapping[str, int], numbers: Mapping[tuple[str, bool], int]) -> dict[str, Any]:
    """The answers to one question by column; what is said again and again stands once, and is named by its place."""
    values = {value: place for place, value in enumerate(dict.fromkeys(row.value for row in rows))}
    systems = {names: place for place, names in enumerate(dict.fromkeys(row.systems for row in rows))}
    found: dict[str, Any] = {
        "item": [places[row.item] for row in rows],
        "who": [numbers[row.who] for row in rows],
        "value": [values[row.value] for row in rows],
        "values": list(values),
    }
    if any(row.right is not None for row in rows):
        found["right"] = "".join(str(row.right) for row in rows)
    if any(systems):
        found |= {"system": [systems[row.systems] for row in rows], "systems": list(map(list, systems))}
    return found


def _question(page: Page, section: str, question: str) -> list[Any]:
    place = [one.id for one in page.protocol.sections].index(section)
    asks = {ask.id: ask.question.prompt for ask in page.protocol.sections[place].ask}
    return [place, say(asks.get(question) or question.replace("_", " "), page.language)]


def _of(finding: Any, questions: Sequence[tuple[str, str]], numbers: Mapping[tuple[str, bool], int]) -> dict[str, Any]:
    """Which rows a finding is of: its question, and whom, which stratum and which systems, where it is of some."""
    found: dict[str, Any] = {"q": questions.index((finding.section, finding.question))}
    if finding.raters:
        found["who"] = [numbers[rater, False] for rater in finding.raters if (rater, False) in numbers]
    if finding.judge and (judge_name(finding.judge), True) in numbers:
        found["judge"] = numbers[judge_name(finding.judge), True]
    if finding.by:
        found["by"], found["stratum"] = finding.by, finding.stratum
    if finding.systems:
        found["systems"] = list(finding.systems)
    return found


def _shown(protocol: Protocol, items: Mapping[str, Item], rows: Sequence[Row]) -> Iterator[list[list[Any]]]:
    """For each item what each section shows of it: texts, small pictures, and the names of other files."""
    first: dict[tuple[str, str], Shown] = {}
    for row in rows:
        first.setdefault((row.section, row.item), row.shown)
    room = _Room()
    for id, item in items.items():
        yield [
            list(_contents(protocol, section, item, first[section.id, id], room)) if (section.id, id) in first else []
            for section in protocol.sections
        ]


@dataclass(slots=True)
class _Room:
    """How much may still be put into the page."""

    pictures: int = MOST_PICTURES
    letters: int = ALL_TEXTS


def _contents(
    protocol: Protocol, section: Section, item: Item, shown: Shown, room: _Room
) -> Iterator[Mapping[str, str]]:
    for medium in (show.part for show in section.show if show.part.applies(item)):
        paths = medium.on_page(item, shown)
        if all(_is_picture(medium.suffix(path)) for path in paths):
            # Texts as judges get them; pictures come from their files, below.
            for part in medium.as_content(item, shown, dict.fromkeys(medium.paths(item), b"")):
                text = str(part.get("text") or "")[:LONGEST]
                if text and room.letters > 0:
                    room.letters -= len(text)
                    yield {"text": text}
        for path in paths:
            small = ""
            if room.pictures > 0 and _is_picture(medium.suffix(path)):
                room.pictures -= 1
                small = thumbnail(protocol, medium, path)
            yield {"picture": small, "file": path} if small else {"file": path}


def _is_picture(suffix: str) -> bool:
    return (guess_type(f"it{suffix}")[0] or "").startswith("image/")
