"""A filled file in the study's own format, read as answers through each question's own door; nothing is stored here.

What an empty cell means depends on its row: a row without any answer was not reached; in one that was begun, what does
not apply is not applicable, and the rest was skipped, or cannot be judged where the question offers that and every
required answer is there. A correction that came with the items is not an answer; a required value is, wherever it came
from.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from quorate.errors import AnswerError, Complaint, StudyError, StudyFileError, did_you_mean
from quorate.exchange.own_table.format import cell, column_of, key_of, own_of, own_rows, source_rows
from quorate.importers import Row
from quorate.plan import shown_once
from quorate.protocol import Asks, Protocol, Section
from quorate.protocol.items import identified
from quorate.questions import Given
from quorate.records import Item, Level, Reason, Shown

_WHOLE = re.compile(r"-?\d+\.0+")


@dataclass(frozen=True, slots=True)
class FilledRow:
    """One row that was begun: its line, its item, and what was given to each question of each section."""

    line: int
    item: Item
    given: Mapping[str, Mapping[str, Given]]
    cells: Mapping[str, Any]


@dataclass(slots=True)
class Filled:
    """A filled file: its rows, how many were left untouched, and everything that is wrong."""

    file: str
    rows: list[FilledRow] = field(default_factory=list)
    untouched: int = 0
    complaints: list[Complaint] = field(default_factory=list)
    #: The lines of each item that the file has, touched or not.
    lines: dict[str, list[int]] = field(default_factory=dict)

    def complain(self, line: int, column: str, sentence: str) -> None:
        """Notes one thing that is wrong."""
        self.complaints.append(Complaint(self.file, line, column, sentence))


def read_filled(protocol: Protocol, items: Sequence[Item], path: Path) -> Filled:
    """The file's rows as answers, and every complaint about it; a StudyFileError where it cannot be read at all."""
    found = Filled(path.name)
    rows = _rows(protocol, path)
    known, source = {item.id: item for item in items}, source_rows(protocol)
    for id, row in identified(rows, key_of(protocol), protocol.file.items.derive):
        found.lines.setdefault(id, []).append(row.line)
        if len(found.lines[id]) > 1:
            found.complain(
                row.line, ", ".join(key_of(protocol)), f"'{id}' stands on line {found.lines[id][0]} already."
            )
        elif _is_untouched(protocol, row, source.get(id, {})):
            found.untouched += 1
        elif id not in known:
            sentence = f"'{id}' is not among the study's items.{did_you_mean(id, known)}"
            found.complain(row.line, ", ".join(key_of(protocol)), sentence)
        else:
            found.rows.append(filled_row(protocol, known[id], row, column_of(protocol), source.get(id, {}), found))
    return found


def _rows(protocol: Protocol, path: Path) -> list[Row]:
    """The file's rows, which have what makes an id and every column that answers stand in."""
    try:
        rows = own_rows(protocol, path)
    except OSError as error:
        raise StudyError(f"{path} cannot be read: {error.strerror}.") from error
    except StudyError as error:
        raise StudyFileError([Complaint(path.name, None, "", str(error))]) from error
    derived = {name for pattern in protocol.file.items.derive.values() for name in re.compile(pattern).groupindex}
    roots = [column.split(".")[0] for column in own_of(protocol).columns]
    needed = [*(name for name in key_of(protocol) if name not in derived), *protocol.file.items.derive, *roots]
    have = {name for row in rows for name in row.fields}
    missing = [name for name in dict.fromkeys(needed) if name not in have]
    if rows and missing:
        hint = did_you_mean(missing[0], have) or f" It has: {', '.join(sorted(have))}."
        raise StudyFileError([Complaint(path.name, 1, name, f"there is no column '{name}'.{hint}") for name in missing])
    if not rows:
        raise StudyFileError([Complaint(path.name, 1, "", "the file has no rows.")])
    return rows


def _is_untouched(protocol: Protocol, row: Row, source: Mapping[str, Any]) -> bool:
    """True where every column of answers is empty, or holds an optional text that came with the items."""
    required = {ask.id for section in protocol.sections for ask in section.ask if ask.question.required}
    for column, question in own_of(protocol).columns.items():
        now = cell(row.fields, column)
        if not _is_empty(now) and (question in required or now != cell(source, column)):
            return False
    return True


def filled_row(
    protocol: Protocol, item: Item, row: Row, columns: Mapping[str, str], source: Mapping[str, Any], found: Filled
) -> FilledRow:
    """A row as answers; `columns` says where each question's answer stands, `source` what came with the items."""
    given: dict[str, dict[str, Given]] = {}
    for section in protocol.sections:
        if any(ask.id in columns for ask in section.ask):
            # A file names systems and options by identity, so that any order will do.
            shown = shown_once(protocol, section, item, "file")
            given[section.id] = _section(section, item, shown, row, columns, source, found)
    return FilledRow(row.line, item, given, row.fields)


def _section(
    section: Section,
    item: Item,
    shown: Shown,
    row: Row,
    columns: Mapping[str, str],
    source: Mapping[str, Any],
    found: Filled,
) -> dict[str, Given]:
    given: dict[str, Given] = {}
    values: dict[str, Any] = dict(item.fields)
    for ask in section.ask:
        raw = _raw(cell(row.fields, columns[ask.id]), ask) if ask.id in columns else None
        try:
            given[ask.id] = _given(ask, raw, shown.to(ask.id), item, values, is_asked=ask.id in columns)
            is_as_it_came = ask.id in columns and cell(row.fields, columns[ask.id]) == cell(source, columns[ask.id])
            if given[ask.id].reason is Reason.NOT_APPLICABLE and raw is not None and not is_as_it_came:
                why = f"the question applies only where {ask.applies_when}"
                nothing = "null" if isinstance(cell(row.fields, columns[ask.id].split(".")[0]), Mapping) else "empty"
                found.complain(row.line, columns[ask.id], f"{raw!r} should be {nothing}: {why}.")
        except AnswerError as error:
            found.complain(row.line, columns[ask.id], f"{raw!r} cannot be taken. {_allowed(ask, item, shown) or error}")
            given[ask.id] = Given(None, Reason.UNREADABLE, raw)
        values[ask.id] = ask.question.plain(given[ask.id].value)
    return _with_reasons(section.ask, given, values)


def _given(ask: Asks, raw: Any, shown: Shown, item: Item, values: Mapping[str, Any], is_asked: bool) -> Given:
    if not ask.applies(values):
        return Given(None, Reason.NOT_APPLICABLE)
    if not is_asked:
        return Given(None, Reason.NOT_REACHED)
    if raw is None:
        return Given(None, Reason.SKIPPED)
    return ask.question.accept(raw, shown, item)


def _with_reasons(asks: Iterable[Asks], given: dict[str, Given], values: Mapping[str, Any]) -> dict[str, Given]:
    """An empty cell means that a rater cannot judge, in a row that is whole; else it was skipped."""
    empty = {ask.id: ask for ask in asks if given[ask.id].reason is Reason.SKIPPED}
    is_whole = not any(ask.is_required(values) and not ask.question.cannot_judge for ask in empty.values())
    judged = {
        id: Given(None, Reason.CANNOT_JUDGE) for id, ask in empty.items() if is_whole and ask.question.cannot_judge
    }
    return {**given, **judged}


def _raw(value: Any, ask: Asks) -> Any:
    """A cell's value, or None: spreadsheets write 2 as "2.0" beside empty cells, and some write NaN for nothing."""
    if _is_empty(value):
        return None
    if ask.question.level is Level.TEXT:
        return str(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str):
        said = value.strip()
        if said.lower() in ("nan", "null"):
            return None
        if said.startswith(("{", "[")):
            return _json(said)
        return said.split(".")[0] if _WHOLE.fullmatch(said) else said
    return value


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _allowed(ask: Asks, item: Item, shown: Shown) -> str:
    """A sentence with the values that would be right, where they can be counted."""
    options = ask.question.as_schema(item, shown.to(ask.id)).get("enum")
    return f"It should be one of: {', '.join(map(str, options))}." if options else ""


def missing_answers(protocol: Protocol, found: Filled) -> Iterator[Complaint]:
    """The required answers that a begun row lacks, and the fields that a JSON line leaves out."""
    columns = column_of(protocol)
    for row in found.rows:
        for section in protocol.sections:
            given = row.given.get(section.id, {})
            plain = {ask.id: ask.question.plain(given[ask.id].value) for ask in section.ask if ask.id in given}
            for ask in section.ask:
                if ask.id not in columns or ask.id not in given:
                    continue
                if not _has(row.cells, columns[ask.id]):
                    yield Complaint(
                        found.file, row.line, columns[ask.id], "this field is missing; write null if empty."
                    )
                elif given[ask.id].reason is Reason.SKIPPED and ask.is_required({**row.item.fields, **plain}):
                    yield Complaint(found.file, row.line, columns[ask.id], "this is empty, and has to be answered.")


def _has(row: Mapping[str, Any], column: str) -> bool:
    *path, last = column.split(".")
    inner = cell(row, ".".join(path)) if path else row
    return isinstance(inner, Mapping) and last in inner
