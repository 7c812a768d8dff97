"""The store: one study's database, with one writer and any number of readers."""

from __future__ import annotations

import asyncio
import os
import secrets
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar

from quorate.errors import StoreError
from quorate.store import sqlite
from quorate.store.compiled_sqlite import SQL
from quorate.store.tx import Tx
from quorate.store.verbs import VERSIONS, Clock, utc_now
from quorate.store.watch import Watch
from quorate.store.writer import Writer

T = TypeVar("T")


class Store:
    """A study's database. Verbs are functions of a `Tx`: `store.do(lambda tx: tx.add_rater())`."""

    def __init__(self, path: Path, connection: sqlite3.Connection, clock: Clock):
        self.path = path
        self._clock = clock
        self._connection = connection
        self._watch = Watch(path, sqlite.mark(connection), self._rescue)
        self._writer: Writer = sqlite.SqliteWriter(connection, Tx(connection, SQL, clock), path, self._watch.look)
        self._readers: list[tuple[sqlite3.Connection, Tx]] = []
        self._lock = threading.Lock()
        self._closed = False

    @classmethod
    def open(cls, path_or_url: str | os.PathLike[str], *, create: bool = True, clock: Clock = utc_now) -> Store:
        """Open a study's database; make it where there is none, bring it up to date where it is an older one."""
        if is_postgresql(path_or_url):
            return _open_postgresql(str(path_or_url), create=create, clock=clock)
        path = _path(path_or_url)
        sqlite.check_path(path, create=create)
        connection = sqlite.connect(path, create=create)
        try:
            # Looked at before it is set up: a file that is not ours is left as it was.
            if sqlite.version(connection, path) != VERSIONS[-1]:
                _migrate(path)
            sqlite.set_up(connection, sqlite.WRITER)
            store = cls(path, connection, clock)
        except sqlite3.Error as error:
            connection.close()
            raise StoreError(sqlite.sentence(error, path)) from error
        except BaseException:
            connection.close()
            raise
        store.do(first_facts)
        return store

    def close(self) -> None:
        """Write what is queued, and let go of the file."""
        self._writer.close()
        with self._lock:
            is_first, self._closed = not self._closed, True
            readers, self._readers = self._readers, []
        for connection, _ in readers:
            connection.close()
        self._connection.close()
        if is_first:
            self._watch.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def write(self, verb: Callable[[Tx], T]) -> Future[T]:
        """Queue a verb for the writer; its future resolves when what it wrote is durable."""
        return self._writer.put(verb)

    def do(self, verb: Callable[[Tx], T]) -> T:
        """Write, and wait until it is durable."""
        if self._writer.is_this_thread():
            raise RuntimeError("a verb must not wait for another verb: call it with the same tx")
        return self._writer.put(verb).result()

    def put(self, verb: Callable[[Tx], T]) -> asyncio.Future[T]:
        """Queue a write from an event loop; its future resolves when it is durable."""
        return self._writer.put_from_loop(verb)

    async def ado(self, verb: Callable[[Tx], T]) -> T:
        """Write, and await that it is durable, from a coroutine."""
        return await self.put(verb)

    def read(self, verb: Callable[[Tx], T]) -> T:
        """Run a verb that only reads, on one consistent view of the database, without waiting for the writer."""
        connection, tx = self._reader()
        try:
            connection.execute(sqlite.BEGIN_READ)
            return verb(tx)
        except sqlite3.Error as error:
            # That a reader may not write is no fault of the machine: the verb is the wrong one.
            if not sqlite.is_of_the_machine(error) or "readonly" in str(error):
                raise
            raise StoreError(sqlite.sentence(error, self.path)) from error
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            self._give_back(connection, tx)

    def backup(self, path: str | os.PathLike[str]) -> Path:
        """Copy the database to a new file, consistently, while everything goes on."""
        self._look()
        target = Path(path)
        sqlite.check_path(target, create=True)
        if target.exists():
            raise StoreError(f"{target}: this file is there already. Name a new one: a backup overwrites nothing.")
        connection = sqlite.connect(self.path, sqlite.READER)
        try:
            sqlite.copy(connection, target)
        except sqlite3.Error as error:
            raise StoreError(sqlite.sentence(error, target)) from error
        finally:
            connection.close()
        return target

    @property
    def commits(self) -> int:
        """How many commits the writer has made: fewer than verbs when many came at once."""
        return self._writer.commits

    def _look(self) -> None:
        """Raise a StoreError where nothing is to be had from the database any more."""
        with self._lock:
            self._refuse_if_closed()
        self._watch.look()

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise StoreError("The study's database is closed. Start the server again.")

    def _rescue(self) -> Path | None:
        """Copy what this process still has open of a file that is gone; None where it cannot be copied whole."""
        with self._lock:
            # One that was opened before: a new one would open whatever lies there now.
            open_still = self._readers[-1][0] if self._readers else self._connection
        target = self.path.with_name(f"{self.path.stem}.rescued-{secrets.token_hex(4)}.sqlite")
        return target if not open_still.in_transaction and sqlite.copied_whole(open_still, target) else None

    def _reader(self) -> tuple[sqlite3.Connection, Tx]:
        self._look()
        with self._lock:
            self._refuse_if_closed()
            if self._readers:
                return self._readers.pop()
        connection = sqlite.connect(self.path, sqlite.READER)
        return connection, Tx(connection, SQL, self._clock)

    def _give_back(self, connection: sqlite3.Connection, tx: Tx) -> None:
        with self._lock:
            if not self._closed:
                self._readers.append((connection, tx))
                return
        connection.close()


def is_postgresql(path_or_url: str | os.PathLike[str]) -> bool:
    """Whether this is the address of a PostgreSQL database."""
    return os.fspath(path_or_url).startswith(("postgresql://", "postgres://"))


def _open_postgresql(url: str, *, create: bool, clock: Clock) -> Store:
    # The driver is an extra, and a server on SQLite does without its memory.
    try:
        from quorate.store.postgres_store import PostgresStore
    except ImportError as error:
        raise StoreError("PostgreSQL needs a driver. Install it with: pip install 'quorate[postgres]'") from error
    return PostgresStore.at(url, create=create, clock=clock)


def _path(path_or_url: str | os.PathLike[str]) -> Path:
    text = os.fspath(path_or_url)
    if text.startswith("sqlite:///"):
        return Path(text.removeprefix("sqlite:///"))
    if "://" in text:
        raise StoreError(
            f"{text.split('://')[0]}: this kind of database is not supported. "
            "Give the path of a file, or an address that begins with postgresql://"
        )
    return Path(text)


def _migrate(path: Path) -> None:
    # Alembic and SQLAlchemy take 40 MB and a second: a server on an up-to-date database does without them.
    from quorate.store.migrate import migrate

    migrate(path)


def first_facts(tx: Any) -> None:
    """Each store has a secret of its own, for names that the published seed must not give away."""
    if tx.setting("secret") is None:
        tx.set_setting("secret", secrets.token_hex(32))
        tx.set_setting("created", tx.now())
