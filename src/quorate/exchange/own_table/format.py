"""The format of a study's own table: the column of each question, and what the items' table holds as it came."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from quorate.errors import StudyError
from quorate.importers import Row, read_rows
from quorate.protocol.items import identified, one_iteration
from quorate.protocol.protocol import Protocol
from quorate.protocol.study_file import Own
from quorate.spreadsheets import meant

#: What a spreadsheet saves.
TABLES = (".csv", ".tsv")


def own_of(protocol: Protocol) -> Own:
    """The format of the study's own file; a StudyError where it states none."""
    own = protocol.file.export.own
    if own is None:
        raise StudyError(
            "The study file states no file of its own to be filled or written. Add `export: {own: …}` to it, as the "
            "templates document-extraction and dialogue have it; `quorate export DIR` writes the data without it."
        )
    return own


def column_of(protocol: Protocol) -> dict[str, str]:
    """The column that holds each question's answers, by question."""
    return {question: column for column, question in own_of(protocol).columns.items()}


def key_of(protocol: Protocol) -> tuple[str, ...]:
    """The fields that make an item's id."""
    id = protocol.file.items.id
    return (id,) if isinstance(id, str) else id


def source_rows(protocol: Protocol) -> dict[str, dict[str, Any]]:
    """The rows of the items' table by item, exactly as they came: nothing derived, nothing added."""
    items = protocol.file.items
    rows = identified(read_rows(protocol.folder / items.from_), key_of(protocol), items.derive)
    if items.iteration is not None:
        kept, _ = one_iteration([row for _, row in rows], key_of(protocol), items.iteration, items.take, items.from_)
        lines = {row.line for row in kept}
        rows = [(id, row) for id, row in rows if row.line in lines]
    return {id: row.fields for id, row in rows}


def own_rows(protocol: Protocol, path: Path) -> list[Row]:
    """The rows of a file in this format; in a table, answers are what they were before they were made inert."""
    rows = read_rows(path)
    if path.suffix.lower() not in TABLES:
        return rows
    columns = own_of(protocol).columns
    return [
        Row(row.line, {name: meant(value) if name in columns else value for name, value in row.fields.items()})
        for row in rows
    ]


def cell(row: Mapping[str, Any], column: str) -> Any:
    """What stands in a column; a dot goes into an object of a JSON line.

    >>> cell({"human_annotation": {"correctness": 4}}, "human_annotation.correctness")
    4
    """
    found: Any = row
    for part in column.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found


def is_filled(protocol: Protocol, path: Path) -> bool:
    """True where a file of this format holds an answer that did not come with the items."""
    own, source = own_of(protocol), source_rows(protocol)
    for id, row in identified(own_rows(protocol, path), key_of(protocol), protocol.file.items.derive):
        came = source.get(id, {})
        if any(cell(row.fields, column) not in (None, "", cell(came, column)) for column in own.columns):
            return True
    return False
