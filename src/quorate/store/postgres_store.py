"""A study in a schema of PostgreSQL: the same verbs, for any number of server processes."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import psycopg

from quorate.errors import StoreError
from quorate.store.postgres_tx import Connection, PostgresTx
from quorate.store.postgresql import UNREADABLE, Place, PostgresWriter, connect, sentence, version
from quorate.store.store import Store, first_facts
from quorate.store.tx import Tx
from quorate.store.verbs import VERSIONS, Clock

T = TypeVar("T")
BEGIN_READ = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"


class PostgresStore(Store):
    """A study's schema. Verbs are functions of a `Tx`, as on SQLite; a verb may run twice, so it only uses its `Tx`."""

    def __init__(self, place: Place, clock: Clock):
        self.place = place
        self._clock = clock
        self._writer = PostgresWriter(place, clock)
        self._idle: list[tuple[Connection, PostgresTx]] = []
        self._lock = threading.Lock()
        self._closed = False

    @classmethod
    def at(cls, url: str, *, create: bool, clock: Clock) -> PostgresStore:
        """Open a study's schema; make it where there is none, bring it up to date where it is an older one."""
        place = Place(url)
        connection = connect(place)
        try:
            known = version(connection, place)
        finally:
            connection.close()
        if known is None and not create:
            raise StoreError(f"{place.name}: there is no study yet. Check the address, or make the study first.")
        if known != VERSIONS[-1]:
            _migrate(place)
        store = cls(place, clock)
        store.do(first_facts)
        return store

    def close(self) -> None:
        self._writer.close()
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection, _ in idle:
            connection.close()

    def read(self, verb: Callable[[Tx], T]) -> T:
        connection, tx = self._take()
        try:
            return verb(tx)
        except UNREADABLE as error:
            raise StoreError(sentence(error, self.place)) from error
        finally:
            self._put_back(connection, tx)

    def backup(self, path: str | os.PathLike[str]) -> Path:
        """Copy the study to a new file of SQLite, which can be opened as a study's database or moved back."""
        from quorate.store.move import copy_study

        target = Path(path)
        if target.exists():
            raise StoreError(f"{target}: this file is there already. Name a new one: a backup overwrites nothing.")
        with Store.open(target) as copy:
            copy_study(self, copy)
        return target

    def _take(self) -> tuple[Connection, PostgresTx]:
        """A connection inside a reading transaction; one that broke while it was idle is replaced."""
        while True:
            with self._lock:
                if self._closed:
                    raise StoreError("The study's database is closed. Start the server again.")
                known = self._idle.pop() if self._idle else None
            if known is None:
                connection = connect(self.place)
                known = connection, PostgresTx(connection, self._clock, is_reader=True)
                known[0].execute(BEGIN_READ)
                return known
            try:
                known[0].execute(BEGIN_READ)
                return known
            except psycopg.OperationalError:
                known[0].close()

    def _put_back(self, connection: Connection, tx: PostgresTx) -> None:
        with suppress(psycopg.OperationalError):
            connection.execute("ROLLBACK")
        with self._lock:
            if not self._closed and not connection.broken:
                self._idle.append((connection, tx))
                return
        connection.close()


def _migrate(place: Place) -> None:
    from quorate.store.migrate import migrate_postgresql

    migrate_postgresql(place)
