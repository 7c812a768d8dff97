"""JSON files: a list of objects, or an export of Label Studio: its data are items, its annotations answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from quorate.errors import StudyError
from quorate.files import read_bounded
from quorate.importers.tables import LARGEST_TABLE, Row, decode

ID, ITEM, SECTION = "label_studio_id", "quorate_item", "quorate_section"
"""The fields that hold the tool's own number, and, in a file that Quorate wrote, the item and the section."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """One person's answers to one row: who, and the raw answer to each question by the name of its control."""

    row: Row
    annotator: str
    answers: Mapping[str, Any]
    at: str = ""


def read_json(path: Path) -> list[Row]:
    """The rows of a JSON file, numbered from 1; a file that says who annotated is refused: studies are published."""
    if any(entry.get("annotations") or entry.get("completions") for _, entry in _entries(path)):
        raise StudyError(
            "this export of Label Studio says who annotated, and a study's files are published with it. "
            f"Write its items alone with: quorate import DIR {path.name} --label-studio --items items.jsonl"
        )
    return read_items(path)


def read_items(path: Path) -> list[Row]:
    """The items of a JSON file, numbered from 1; one that stands there once a section is one row."""
    rows = [row for row, _ in _entries(path)]
    seen: set[Any] = set()
    kept = []
    for row in rows:
        if ITEM not in row.fields:
            kept.append(row)
        elif row.fields[ITEM] not in seen:
            seen.add(row.fields[ITEM])
            kept.append(Row(row.line, {name: value for name, value in row.fields.items() if name != SECTION}))
    return kept


def read_annotations(path: Path) -> list[Annotation]:
    """What people answered in Label Studio, the newest of each person to each row; what was cancelled is no answer."""
    newest: dict[tuple[int, str], Annotation] = {}
    for row, entry in _entries(path):
        for given in entry.get("annotations") or entry.get("completions") or ():
            if isinstance(given, Mapping) and not given.get("was_cancelled"):
                made = Annotation(row, _annotator(given), dict(_answers(row, given)), _moment(given))
                known = newest.get((row.line, made.annotator))
                if known is None or known.at <= made.at:
                    newest[row.line, made.annotator] = made
    return list(newest.values())


def _entries(path: Path) -> Iterator[tuple[Row, Mapping[str, Any]]]:
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


def _annotator(given: Mapping[str, Any]) -> str:
    """Who answered: the rater that Quorate wrote, else the tool's user."""
    for result in given.get("result") or ():
        meta = result.get("meta") if isinstance(result, Mapping) else None
        if isinstance(meta, Mapping) and meta.get("rater"):
            return str(meta["rater"])
    by = given.get("completed_by")
    if isinstance(by, Mapping):
        return str(by.get("email") or by.get("id") or "")
    return "" if by is None else str(by)


def _moment(given: Mapping[str, Any]) -> str:
    return str(given.get("updated_at") or given.get("created_at") or "")


def _answers(row: Row, given: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for result in given.get("result") or ():
        if not isinstance(result, Mapping) or not isinstance(result.get("value"), Mapping):
            raise StudyError(f"entry {row.line}: an annotation has a result without a value.")
        name, kind = str(result.get("from_name", "")), str(result.get("type", ""))
        if kind not in _CONTROLS:
            known = ", ".join(_CONTROLS)
            raise StudyError(f"entry {row.line}: '{name}' is of the kind '{kind}'; what can be read is {known}.")
        yield name, _CONTROLS[kind](result["value"])


def _one(values: Any) -> Any:
    """One choice is itself, several are a list."""
    return values[0] if isinstance(values, list) and len(values) == 1 else values


def _text(values: Any) -> Any:
    return "\n".join(map(str, values)) if isinstance(values, list) else values


_CONTROLS = {
    "choices": lambda value: _one(value.get("choices")),
    "rating": lambda value: value.get("rating"),
    "number": lambda value: value.get("number"),
    "textarea": lambda value: _text(value.get("text")),
}
