"""Checks a filled file before it is handed in: what is wrong with it, and what to look at again. Pure.

Wrong is what cannot be brought in, and an answer that is owed. To be looked at again is what does not fit together, and
an edge case without a comment.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quorate.conditions import condition
from quorate.errors import Complaint
from quorate.exchange.own_table.format import column_of, key_of
from quorate.exchange.own_table.read import Filled, FilledRow, missing_answers, read_filled
from quorate.inquiries.consistency import inconsistencies
from quorate.protocol import Asks, Protocol, Section
from quorate.protocol.rules import known_values
from quorate.questions import Given
from quorate.records import Item, Level, Reason


@dataclass(frozen=True, slots=True)
class Validation:
    """The complaints about a file, the notes on what to look at again, and how much of it is filled."""

    wrong: tuple[Complaint, ...]
    notes: tuple[Complaint, ...]
    filled: int
    untouched: int
    absent: int


def validate(protocol: Protocol, items: Sequence[Item], path: Path) -> Validation:
    """Holds a filled file against the study; nothing is stored or changed."""
    found = read_filled(protocol, items, path)
    wrong = [*found.complaints, *missing_answers(protocol, found)]
    notes = [note for row in found.rows for note in _notes(protocol, found, row)]
    notes += _shared_names(protocol, found)
    absent = sum(item.id not in found.lines for item in items)
    return Validation(_by_line(wrong), _by_line(notes), len(found.rows), found.untouched, absent)


def _by_line(complaints: Sequence[Complaint]) -> tuple[Complaint, ...]:
    return tuple(sorted(dict.fromkeys(complaints), key=lambda complaint: complaint.line or 0))


def _notes(protocol: Protocol, found: Filled, row: FilledRow) -> Iterator[Complaint]:
    """Complaints about what does not fit together in one row, and about comments that are owed."""
    columns = column_of(protocol)
    for section in protocol.sections:
        given = row.given.get(section.id, {})
        answers = {id: one.value for id, one in given.items() if one.reason is None}
        broken = list(inconsistencies(protocol, section, row.item, answers)) if given else []
        for rule, says, values in broken:
            numbers = ", ".join(f"{name} {value}" for name, value in values.items() if value is not None)
            yield Complaint(found.file, row.line, rule, f"{says} ({numbers})")
        known = known_values(section, row.item, answers)
        why = "it breaks a rule" if broken else _edge(section, given, known)
        for ask in _comments(section, columns) if why else ():
            if given[ask.id].reason is Reason.SKIPPED and not _is_asked_by_file(ask, columns):
                sentence = f"an edge case without a comment: {why}."
                yield Complaint(found.file, row.line, columns[ask.id], sentence)


def _comments(section: Section, columns: Mapping[str, str]) -> list[Asks]:
    """The texts of the file that become required in edge cases."""
    texts = [ask for ask in section.ask if ask.required_when and ask.question.level is Level.TEXT]
    return [ask for ask in texts if ask.id in columns]


def _is_asked_by_file(ask: Asks, columns: Mapping[str, str]) -> bool:
    """True where the file itself holds what decides that a comment is required; it is then a missing answer."""
    return bool(ask.required_when) and condition(ask.required_when or "").names <= set(columns)


def _edge(section: Section, given: Mapping[str, Given], known: Mapping[str, Any]) -> str:
    """The reason why a row is an edge case, as its answers show it, or nothing."""
    unjudged = [id for id, one in given.items() if one.reason is Reason.CANNOT_JUDGE]
    if unjudged:
        return f"{unjudged[0]} could not be judged"
    excepted = [rule.id for rule in section.rules if rule.applies(known) and rule.is_excepted(known)]
    return f"it is an exception to {excepted[0]}" if excepted else ""


def _shared_names(protocol: Protocol, found: Filled) -> Iterator[Complaint]:
    """Values of the first id field that several rows share: fine where more fields make the id, and worth a look."""
    key = key_of(protocol)
    if len(key) < 2:
        return
    shared: dict[str, list[int]] = {}
    for id, lines in found.lines.items():
        shared.setdefault(id.split(" / ")[0], []).extend(lines[:1])
    rest = " and ".join(key[1:])
    for name, lines in shared.items():
        if protocol.file.export.item_id == key[0] and len(lines) > 1:
            sentence = f"'{name}' also stands on line {', '.join(map(str, lines[1:]))}; told apart by {rest}."
            yield Complaint(found.file, lines[0], key[0], sentence)
