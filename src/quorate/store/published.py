"""A study's rows as they may be published, and back into a database on another machine.

Left out: platforms' ids, links, the secret, the names of the team's members, what raters remarked at the end (their own
words may tell who they are), and caches. Assignments get names keyed by a published word, so that claims can still be
replayed and the secret stays at home; an assignment whose name does not follow from the secret keeps it, so that a
fault shows in the copy too.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sqlalchemy import Table

from quorate.chance import opaque
from quorate.errors import StoreError
from quorate.store import schema
from quorate.store.store import Store
from quorate.store.tx import Tx
from quorate.store.verbs import from_json, to_json

#: The tables that are published, each after those that it points to.
PUBLISHED: tuple[Table, ...] = (
    schema.protocols,
    schema.events,
    schema.raters,
    schema.members,
    schema.items,
    schema.slots,
    schema.assignments,
    schema.submissions,
    schema.answers,
    schema.presentations,
    schema.decisions,
    schema.calls,
)
#: A text that is not JSON as the store writes it (another program did) is kept under this name.
AS_STORED = "as stored"

_JSON: Mapping[str, tuple[str, ...]] = {
    "protocols": ("text",),
    "events": ("data",),
    "items": ("fields",),
    "slots": ("shown",),
    "assignments": ("shown",),
    "submissions": ("evidence",),
    "answers": ("value", "raw", "shown"),
    "presentations": ("evidence",),
    "decisions": ("vote",),
    "calls": ("parameters", "shown", "said", "confidence", "details"),
}
_NAMES: Mapping[str, tuple[str, ...]] = {
    "events": ("data",),
    "assignments": ("id",),
    "submissions": ("key", "assignment", "evidence"),
    "presentations": ("assignment", "evidence"),
}
_OPAQUE = re.compile(r"(?<![0-9a-z])[2-9a-hjkmnp-z]{12}(?![0-9a-z])")
_REMARKS = "debrief"

PublishedRow = dict[str, Any]


def published_rows(tx: Tx, secret: str) -> Iterator[tuple[str, Iterator[PublishedRow]]]:
    """The tables by name with their rows, in the order in which they can be restored.

    `secret` is the published word that assignments are named by in place of the study's own.
    """
    names = _new_names(tx, secret)
    for table in PUBLISHED:
        yield table.name, (_published(table, row, names) for row in _rows(tx, table))


def restore(store: Store, tables: Mapping[str, Iterable[PublishedRow]], secret: str) -> None:
    """Puts published rows into a new database; a StoreError says which table cannot be read."""

    def take_in(tx: Tx) -> None:
        for table in reversed(schema.metadata.sorted_tables):
            tx.connection.execute(f"DELETE FROM {table.name}")
        tx.set_setting("secret", secret)
        for table in PUBLISHED:
            try:
                _take_in(tx, table, tables.get(table.name, ()))
            except (sqlite3.Error, TypeError, ValueError, AttributeError) as error:
                raise StoreError(f"{table.name}: a row cannot be read ({error}).") from error

    store.do(take_in)


def _rows(tx: Tx, table: Table) -> Iterator[PublishedRow]:
    columns = [column.name for column in table.columns]
    quoted, keys = (", ".join(f'"{name}"' for name in names) for names in (columns, _keys(table)))
    for row in tx.connection.execute(f"SELECT {quoted} FROM {table.name} ORDER BY {keys}"):
        yield dict(zip(columns, row, strict=True))


def _keys(table: Table) -> list[str]:
    # Opaque names are random: by them, the order of the rows would tell nothing and differ between copies.
    if table.name == "assignments":
        return ["claimed_seq", "rater", "section", "position"]
    return ["place"] if table.name in ("raters", "members") else [column.name for column in table.primary_key]


def _new_names(tx: Tx, secret: str) -> dict[str, str]:
    own = tx.setting("secret") or ""
    names = {}
    for row in _rows(tx, schema.assignments):
        ids = [row[name] for name in ("rater", "section", "item", "repeat", "round", "claimed_seq")]
        if row["id"] == opaque(own, "assignment", *ids):
            names[row["id"]] = opaque(secret, "assignment", *ids)
    # Pages name items so, and browsers report what they showed.
    items = [row["id"] for row in _rows(tx, schema.items)]
    return names | {opaque(own, "item", id): opaque(secret, "item", id) for id in items}


def _published(table: Table, row: PublishedRow, names: Mapping[str, str]) -> PublishedRow:
    for name in _NAMES.get(table.name, ()):
        if row[name] is not None:
            row[name] = _OPAQUE.sub(lambda found: names.get(found[0], found[0]), row[name])
    if table.name == "members":
        row["name"] = ""
    if table.name == "events" and row["kind"] == _REMARKS:
        row["data"] = None
    for name in _JSON.get(table.name, ()):
        row[name] = _decoded(row[name])
    return row


def _decoded(text: str | None) -> Any:
    """What a JSON text says, where it can be written again to the letter: hashes are over the text."""
    try:
        value = from_json(text)
        if to_json(value) == text:
            return value
    except ValueError:
        pass
    return {AS_STORED: text}


def _encoded(value: Any) -> str | None:
    return value[AS_STORED] if isinstance(value, dict) and value.keys() == {AS_STORED} else to_json(value)


def _take_in(tx: Tx, table: Table, rows: Iterable[PublishedRow]) -> None:
    known = {column.name for column in table.columns}
    for row in rows:
        unknown = row.keys() - known
        if unknown:
            raise ValueError(f"there is no column {', '.join(sorted(unknown))}")
        values = [_encoded(value) if name in _JSON.get(table.name, ()) else value for name, value in row.items()]
        columns, marks = ", ".join(f'"{name}"' for name in row), ", ".join("?" * len(row))
        tx.connection.execute(f"INSERT INTO {table.name} ({columns}) VALUES ({marks})", values)
