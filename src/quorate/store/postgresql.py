"""PostgreSQL: connections, what its errors mean to a person, which version of the schema is there, and the writer.

A study is a schema. Every writer holds the study's lock together with the others; who claims slots, or meets a
conflict with another writer, does it again holding the lock alone. So claims are exact with any number of processes,
and submissions do not wait for each other.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import psycopg
from psycopg import errors

from quorate.errors import StoreError
from quorate.store.postgres_tx import Connection, NotAloneError, PostgresTx
from quorate.store.verbs import VERSIONS, Clock
from quorate.store.writer import Waiting, Writer, resolve

SCHEMA = "quorate"
"""The schema of a study whose address names none."""

#: How long a writer waits for a database that does not answer, before it gives up on what is queued.
PATIENCE = 10.0
#: What another writer may cause: the verb runs again, alone.
CONFLICTS = (
    errors.UniqueViolation,
    errors.DeadlockDetected,
    errors.SerializationFailure,
    errors.LockNotAvailable,
)


class Place:
    """Where a study's database is: an address without `schema`, and the schema."""

    def __init__(self, url: str):
        parts = urlsplit(url)
        query = parse_qsl(parts.query, keep_blank_values=True)
        self.schema = next((value for name, value in query if name == "schema"), SCHEMA)
        if not re.fullmatch(r"[a-z_][a-z0-9_]{0,62}", self.schema):
            raise StoreError(
                f"'{self.schema}' cannot be the name of a schema. Use small letters, digits and _, at most 63 of them."
            )
        rest = [(name, value) for name, value in query if name != "schema"]
        self.url = urlunsplit(parts._replace(query=urlencode(rest)))
        # A password never comes back in a sentence.
        self.name = f"{parts.scheme}://{parts.hostname or ''}{parts.path} (schema {self.schema})"


def connect(place: Place) -> Connection:
    """A connection to the study's schema that begins and ends transactions only where it is told to."""
    try:
        connection = psycopg.connect(place.url, autocommit=True, prepare_threshold=1, connect_timeout=10)
        connection.execute(f'SET search_path TO "{place.schema}"; SET synchronous_commit TO on')
    except psycopg.Error as error:
        raise StoreError(sentence(error, place)) from error
    return connection


def version(connection: Connection, place: Place) -> str | None:
    """The version of the schema: None where there is none yet, an error for one that is not ours or too new."""
    found = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = %s", (place.schema,)).fetchall()
    tables = {name for (name,) in found}
    if not tables:
        return None
    ours = {"alembic_version", "settings"} <= tables
    row = connection.execute("SELECT version_num FROM alembic_version").fetchone() if ours else None
    if row is None:
        raise StoreError(f"{place.name}: this schema was not made by Quorate. Name another one.")
    if row[0] not in VERSIONS:
        raise StoreError(f"{place.name}: this was made by a newer Quorate (schema {row[0]}). Update Quorate first.")
    return row[0]


#: Errors that tell of the study's tables, which are not there any more, as after a database was made anew.
GONE = (errors.UndefinedTable, errors.UndefinedColumn, errors.UndefinedFunction, errors.InvalidSchemaName)
#: Errors of the database as a whole: no verb is at fault, and nothing can be read, or stored, until somebody has mended
#: it. A reader that writes is at fault itself.
UNREADABLE = (psycopg.OperationalError, errors.InsufficientPrivilege, *GONE)
UNWRITABLE = (*UNREADABLE, errors.ReadOnlySqlTransaction)


def sentence(error: BaseException | None, place: Place) -> str:
    """What a database error means, and what to do."""
    text = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    if isinstance(error, errors.DiskFull):
        return f"{place.name}: the disk is full; nothing of this was stored. Make room, and try again."
    if isinstance(error, GONE):
        return (
            f"{place.name}: the study is not there any more ({text}), so nothing is stored now. Bring it back, from a "
            "backup if there is no other way, and start the server again."
        )
    if isinstance(error, errors.ReadOnlySqlTransaction):
        return f"{place.name}: the database takes no changes ({text}), so nothing is stored now. Ask whoever runs it."
    if isinstance(error, errors.InsufficientPrivilege):
        return f"{place.name}: this user may not do that ({text}). Ask whoever runs the database."
    if isinstance(error, psycopg.OperationalError):
        return f"{place.name}: the database cannot be reached ({text}). Check that it runs, and the address."
    return f"{place.name}: the database could not store this ({text}). Try again."


class PostgresWriter(Writer):
    """Groups of verbs in one transaction of PostgreSQL, each with a savepoint of its own."""

    def __init__(self, place: Place, clock: Clock):
        self._place = place
        self._clock = clock
        self._tx: PostgresTx | None = None
        self._committing = False
        super().__init__()

    def close(self) -> None:
        super().close()
        if self._tx is not None:
            self._tx.close()

    def _run(self, group: list[Waiting[Any]]) -> None:
        alone = self._patiently(lambda: self._together(group))
        if not alone:
            return
        resolve([waiting for waiting in group if waiting not in alone])
        for waiting in alone:
            self._patiently(lambda: self._single(waiting, "lock_alone", is_alone=True))  # noqa: B023
            resolve([waiting])

    def _patiently(self, run: Callable[[], Any]) -> Any:
        """Run it again on a new connection when the old one broke before the commit: nothing of it was stored."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                return run()
            except (psycopg.OperationalError, StoreError):
                if not self._is_lost() or time.monotonic() > until:
                    raise
                time.sleep(0.05)

    def _together(self, group: list[Waiting[Any]]) -> list[Waiting[Any]]:
        """Run a group beside other writers; the ones that must be alone come back without an outcome."""
        if len(group) == 1:
            return self._single(group[0], "lock_shared", is_alone=False)
        tx = self._begin("lock_shared", is_alone=False)
        alone = self._all(tx, group)
        if alone is None:
            tx.undo("ROLLBACK")
            alone = self._each(self._begin("lock_shared", is_alone=False), group)
        self._commit(tx)
        return alone

    def _all(self, tx: PostgresTx, group: list[Waiting[Any]]) -> list[Waiting[Any]] | None:
        """Run a group without savepoints, since most verbs that raise have written nothing; None where one had."""
        alone: list[Waiting[Any]] = []
        for waiting in group:
            waiting.error = None
            try:
                waiting.result = tx.run(waiting.verb)
            except BaseException as error:
                if self._is_lost():
                    raise
                if tx.has_written or isinstance(error, psycopg.Error):
                    return None
                self._keep(waiting, error, alone)
        return alone

    def _each(self, tx: PostgresTx, group: list[Waiting[Any]]) -> list[Waiting[Any]]:
        """Run a group with a savepoint for each verb, so that one that raises is undone alone."""
        alone: list[Waiting[Any]] = []
        for waiting in group:
            waiting.error = None
            tx.connection.execute("SAVEPOINT verb")
            try:
                waiting.result = tx.run(waiting.verb)
            except BaseException as error:
                if self._is_lost():
                    raise
                tx.undo("ROLLBACK TO verb")
                self._keep(waiting, error, alone)
            tx.connection.execute("RELEASE verb")
        return alone

    def _keep(self, waiting: Waiting[Any], error: BaseException, alone: list[Waiting[Any]]) -> None:
        """What was raised is the verb's outcome, or says that it has to run again alone."""
        if isinstance(error, (NotAloneError, *CONFLICTS)):
            alone.append(waiting)
        else:
            waiting.error = self._told(error)

    def _told(self, error: BaseException) -> BaseException:
        """What a verb raised; where the database is at fault, the sentence that says so."""
        if not isinstance(error, UNWRITABLE):
            return error
        told = StoreError(sentence(error, self._place))
        told.__cause__ = error
        return told

    def _single(self, waiting: Waiting[Any], lock: str, *, is_alone: bool) -> list[Waiting[Any]]:
        """Run one verb in a transaction of its own, which needs no savepoint; it comes back where it must be alone."""
        tx = self._begin(lock, is_alone=is_alone)
        waiting.error = None
        try:
            waiting.result = tx.run(waiting.verb)
        except BaseException as error:
            if self._is_lost():
                raise
            tx.undo("ROLLBACK")
            if not is_alone and isinstance(error, (NotAloneError, *CONFLICTS)):
                return [waiting]
            waiting.error = self._told(error)
            return []
        self._commit(tx)
        return []

    def _begin(self, lock: str, *, is_alone: bool) -> PostgresTx:
        if self._tx is None:
            connection = connect(self._place)
            # Every statement of a writer finds its rows by an index; a plan that was made while a table was small, and
            # reads all of it, would cost more with every answer.
            connection.execute("SET enable_seqscan TO off; SET plan_cache_mode TO force_generic_plan")
            self._tx = PostgresTx(connection, self._clock)
        self._tx.is_alone = is_alone
        # Nothing is fetched, so both travel with the verb's first statement.
        self._tx.begin(lock)
        return self._tx

    def _commit(self, tx: PostgresTx) -> None:
        self._committing = True
        tx.commit()
        self._committing = False
        self.commits += 1

    def _is_lost(self) -> bool:
        """Whether the connection broke, so that the transaction is undone; after a commit was sent, nobody knows."""
        if self._committing:
            return False
        if self._tx is not None and not self._tx.connection.broken:
            return False
        self._let_go()
        return True

    def _let_go(self) -> None:
        if self._tx is not None:
            self._tx.close()
        self._tx = None
        self._committing = False

    def _fail(self, group: list[Waiting[Any]], error: BaseException) -> None:
        told = error
        if isinstance(error, psycopg.Error):
            told = StoreError(sentence(error, self._place))
            told.__cause__ = error
        # Whatever state the connection is in, a new one is in none.
        self._let_go()
        for waiting in group:
            waiting.error = waiting.error or told
