"""JSON files: a list of objects, or an export of Label Studio: its data are items."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from quorate.errors import StudyError
from quorate.files import read_bounded
from quorate.importers.tables import LARGEST_TABLE, Row, decode

ID, ITEM, SECTION = "label_studio_id", "quorate_item", "quorate_section"
"""The fields that hold the tool's own number, and, in a file that Quorate wrote, the item and the section."""


def read_json(path: Path) -> list[Row]:
    """The rows of a JSON file, numbered from 1; a file that says who annotated is refused: studies are published."""
    if any(entry.get("annotations") or entry.get("completions") for _, entry in entries(path)):
        raise StudyError(
            "this export of Label Studio says who annotated, and a study's files are published with it. "
            f"Write its items alone with: quorate import DIR {path.name} --label-studio --items items.jsonl"
        )
    return read_items(path)


def read_items(path: Path) -> list[Row]:
    """The items of a JSON file, numbered from 1; one that stands there once a section is one row."""
    rows = [row for row, _ in entries(path)]
    seen: set[Any] = set()
    kept = []
    for row in rows:
        if ITEM not in row.fields:
            kept.append(row)
        elif row.fields[ITEM] not in seen:
            seen.add(row.fields[ITEM])
            kept.append(Row(row.line, {name: value for name, value in row.fields.items() if name != SECTION}))
    return kept


def entries(path: Path) -> Iterator[tuple[Row, Mapping[str, Any]]]:
    """Each entry of an export: its data as a row, and the whole of it; of a plain list each object, and nothing."""
    try:
        entries = msgspec.json.decode(decode(read_bounded(path, LARGEST_TABLE)))
    except (msgspec.DecodeError, RecursionError) as error:
        raise StudyError(f"this is not JSON: {error}.") from error
    if not isinstance(entries, list):
        raise StudyError("the file should be a list [ … ] of objects. From Label Studio, export JSON (not JSON-MIN).")
    for number, entry in enumerate(entries, start=1):
        if not isinstance(entry, Mapping):
            raise StudyError(f"entry {number}: each entry should be an object {{…}}.")
        data = entry.get("data")
        if isinstance(data, Mapping):
            yield Row(number, {ID: entry.get("id", number), **data}), entry
        else:
            yield Row(number, dict(entry)), {}
