"""The study's own file: the items' table as it came, with answers written into columns of their own."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from quorate.errors import StudyError
from quorate.protocol import Protocol
from quorate.questions import DISTRACTORS
from quorate.records import Answer, Collected, Item

RESERVED = (DISTRACTORS, "quorate_history")


def own_file(protocol: Protocol, collected: Collected, values: Mapping[tuple[str, str], Any]) -> tuple[str, str]:
    """Name and text of the file; `values` holds what is written for each (item, question)."""
    rule = protocol.file.export.own
    if rule is None:
        raise StudyError("The study file states no file of its own: export.own is not in it.")
    rows = [_filled(item, rule.columns, values, protocol) for item in collected.items]
    if Path(rule.file).suffix == ".jsonl":
        return rule.file, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    return rule.file, _csv(rows)


def template_file(protocol: Protocol, items: Sequence[Item]) -> tuple[str, str]:
    """The same file to be filled in a spreadsheet: columns that are filled already stay as they are."""
    return own_file(protocol, Collected(tuple(items), ()), {})


def values_of(answers: Sequence[Answer], rater: str) -> dict[tuple[str, str], Any]:
    """One rater's answers by item and question; what has a reason instead of a value is left empty."""
    return {(answer.item, answer.question): answer.value for answer in answers if answer.rater == rater}


def _filled(
    item: Item, columns: Mapping[str, str], values: Mapping[tuple[str, str], Any], protocol: Protocol
) -> dict[str, Any]:
    derived = {name for pattern in protocol.file.items.derive.values() for name in _groups(pattern)}
    row = {name: value for name, value in item.fields.items() if name not in (*RESERVED, *derived)}
    for column, question in columns.items():
        *path, last = column.split(".")
        inner = row
        for part in path:
            inner[part] = dict(inner.get(part) or {})
            inner = inner[part]
        value = values.get((item.id, question))
        if value is not None or inner.get(last) in (None, ""):
            inner[last] = value
    return row


def _groups(pattern: str) -> list[str]:
    import re

    return list(re.compile(pattern).groupindex)


def _csv(rows: Sequence[Mapping[str, Any]]) -> str:
    out = io.StringIO()
    names = list(dict.fromkeys(name for row in rows for name in row))
    writer = csv.DictWriter(out, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: "" if value is None else value for name, value in row.items()} for row in rows)
    return out.getvalue()
