"""What all verbs stand on: a connection, the compiled statements, a clock, and JSON as text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Protocol

import msgspec

from quorate.records import Item, Shown

# Every version of the schema, the oldest first. Migrations are imported only for a database that has not the newest.
VERSIONS = ("0001", "0002", "0003", "0004")

Clock = Callable[[], datetime]
Row = Any  # a tuple, whose columns the statement names
encode_json = msgspec.json.Encoder().encode
decode_json = msgspec.json.Decoder().decode
decode_shown = msgspec.json.Decoder(Shown).decode


class Connection(Protocol):
    """What sqlite3's and psycopg's connections have in common."""

    def execute(self, sql: str, parameters: Any = ..., /) -> Any: ...
    def cursor(self) -> Any: ...


def utc_now() -> datetime:
    """The time, for stores that are not given another clock."""
    return datetime.now(UTC)


def stamp(moment: datetime) -> str:
    """A time as rows hold it: such texts sort as the times do.

    >>> stamp(datetime(2026, 11, 2, 9, 30, tzinfo=UTC))
    '2026-11-02T09:30:00.000Z'
    """
    in_utc = moment if moment.tzinfo is UTC else moment.astimezone(UTC)
    return in_utc.isoformat(timespec="milliseconds")[:-6] + "Z"


def to_json(value: Any) -> str | None:
    """JSON as text; None is no JSON at all."""
    return None if value is None else encode_json(value).decode()


def from_json(text: str | None) -> Any:
    """What `to_json` was given."""
    return None if text is None else decode_json(text)


def shown_from(text: str) -> Shown:
    """What an assignment puts where."""
    return decode_shown(text)


class Verbs:
    """One connection inside a transaction; the nouns (people, plan, work, answers, log) add their verbs."""

    def __init__(self, connection: Connection, sql: Mapping[str, str], clock: Clock):
        self.connection = connection
        self._sql = sql
        self._execute = connection.execute
        self._clock = clock
        self._items_read: dict[str, Item] = {}

    def now(self) -> str:
        """The time as a row would be stamped with it."""
        return stamp(self._clock())

    def _alone(self) -> None:
        """Wait until nobody else writes, and keep it so to the end of this transaction; here it always is so."""

    def _with(self, rater: str) -> None:
        """Let nobody else take a step for this rater until the end of this transaction; here nobody can."""

    def _run(self, name: str, /, **parameters: Any) -> int:
        """Run a statement; how many rows it touched."""
        return self._write(name, parameters).rowcount

    def _insert(self, name: str, /, **parameters: Any) -> int:
        """Add a row; its number, or 0 where it was there already."""
        # RETURNING would say it too, at twice the cost of the whole statement.
        cursor = self._write(name, parameters)
        return cursor.lastrowid if cursor.rowcount == 1 else 0

    def _write(self, name: str, parameters: Mapping[str, Any]) -> Any:
        return self._execute(self._sql[name], parameters)

    def _row(self, name: str, /, **parameters: Any) -> Row | None:
        return self._execute(self._sql[name], parameters).fetchone()

    def _rows(self, name: str, /, **parameters: Any) -> list[Row]:
        return self._execute(self._sql[name], parameters).fetchall()

    def _value(self, name: str, /, **parameters: Any) -> Any:
        """The first column of the first row, or None."""
        row = self._execute(self._sql[name], parameters).fetchone()
        return None if row is None else row[0]

    def _many(self, name: str, /, rows: Iterable[Mapping[str, Any]]) -> None:
        self.connection.cursor().executemany(self._sql[name], rows)
