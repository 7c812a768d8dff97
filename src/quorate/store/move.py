"""Copies a whole study from one database to another, whichever kind they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Table

from quorate.errors import StoreError
from quorate.store.schema import metadata
from quorate.store.store import Store
from quorate.store.tx import Tx

CHUNK = 5_000


@dataclass(frozen=True, slots=True)
class Counted:
    """How many rows a table has on both sides."""

    table: str
    source: int
    target: int


def copy_study(source: Store, target: Store) -> list[Counted]:
    """Copy every row of a study into an empty database, and count both sides.

    The copy is one transaction: it is whole, or there is nothing. The target takes over the source's secret, so that
    links, opaque names and cookies go on working.
    """
    counted = source.read(lambda tx: _copy(tx, target))
    for one in counted:
        if one.source != one.target:
            raise StoreError(
                f"{one.table}: {one.source} rows, and {one.target} came over. Nothing should use the copy."
            )
    if source.read(Tx.chain_faults) != target.read(Tx.chain_faults) or source.read(Tx.head) != target.read(Tx.head):
        raise StoreError("The answers' hashes differ on both sides. Nothing should use the copy.")
    return counted


def _copy(source: Tx, target: Store) -> list[Counted]:
    def take_in(tx: Tx) -> None:
        if tx.protocols() or tx.raters() or tx.plan_size():
            raise StoreError("There is a study in that database already. Name an empty one: nothing is overwritten.")
        for table in reversed(metadata.sorted_tables):
            tx.connection.execute(f"DELETE FROM {table.name}")
        for table in metadata.sorted_tables:
            for rows in _chunks(source, table):
                tx.connection.cursor().executemany(_insert(table, tx), rows)
        for table in metadata.sorted_tables:
            _go_on_counting(tx, table)

    tables = metadata.sorted_tables
    target.do(take_in)
    came = target.read(lambda tx: [_count(tx, table) for table in tables])
    return [Counted(table.name, _count(source, table), n) for table, n in zip(tables, came, strict=True)]


def _chunks(tx: Tx, table: Table) -> Iterator[list[Any]]:
    """The rows by their keys, some at a time: a study may be larger than the memory."""
    columns = ", ".join(f'"{column.name}"' for column in table.columns)
    keys = ", ".join(f'"{column.name}"' for column in table.primary_key)
    place = 0
    while True:
        sql = f"SELECT {columns} FROM {table.name} ORDER BY {keys} LIMIT {CHUNK} OFFSET {place}"
        rows = tx.connection.execute(sql).fetchall()
        if not rows:
            return
        yield rows
        place += len(rows)


def _insert(table: Table, tx: Tx) -> str:
    columns = ", ".join(f'"{column.name}"' for column in table.columns)
    mark = "?" if _is_sqlite(tx) else "%s"
    return f"INSERT INTO {table.name} ({columns}) VALUES ({', '.join([mark] * len(table.columns))})"


def _go_on_counting(tx: Tx, table: Table) -> None:
    """PostgreSQL counts rows apart from the table: the next number is one that was not given yet."""
    column = table.autoincrement_column
    if column is None or _is_sqlite(tx):
        return
    tx.connection.execute(
        f"SELECT setval(pg_get_serial_sequence('{table.name}', '{column.name}'), "
        f'COALESCE((SELECT max("{column.name}") FROM {table.name}), 0) + 1, false)'
    )


def _count(tx: Tx, table: Table) -> int:
    return tx.connection.execute(f"SELECT count(*) FROM {table.name}").fetchone()[0]


def _is_sqlite(tx: Tx) -> bool:
    return type(tx.connection).__module__.startswith("sqlite3")
