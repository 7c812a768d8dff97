"""SQLite: connections, what its errors mean to a person, which version of the schema is there, and the writer."""

from __future__ import annotations

import secrets
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

from quorate.errors import StoreError
from quorate.private import make_private
from quorate.store.tx import Tx
from quorate.store.verbs import VERSIONS
from quorate.store.writer import Waiting, Writer

BUSY_SECONDS = 10.0
# Errors of the machine, which a person can put right; every other error of SQLite inside a verb is a bug.
OF_THE_MACHINE = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_FULL,
}
#: What the index of a log takes at least, in bytes.
_LEAST_ROOM = 32 * 1024
BEGIN_WRITE = "BEGIN IMMEDIATE"
BEGIN_READ = "BEGIN"

# FULL makes each commit durable before it is acknowledged; the writer commits in groups, so that it costs little.
# The WAL is folded back every 4,000 pages (16 MB): each folding waits for the disk twice. What is erased is overwritten
# in the file. Savepoints are kept in memory: in files they cost a quarter of a submission.
WRITER = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA wal_autocheckpoint = 4000",
    "PRAGMA cache_size = -16000",
    "PRAGMA secure_delete = ON",
    "PRAGMA temp_store = MEMORY",
)
READER = ("PRAGMA query_only = ON", "PRAGMA cache_size = -4000")


def check_path(path: Path, *, create: bool) -> None:
    """Say what is wrong with the place before SQLite says less."""
    if not path.parent.is_dir():
        raise StoreError(f"{path}: the folder '{path.parent}' does not exist. Make it first, or name another place.")
    if path.is_dir():
        raise StoreError(f"{path}: this is a folder. Name the database file in it.")
    log = path.with_name(f"{path.name}-wal")
    if _size(path) == 0 and _size(log):
        # SQLite would throw it away: without its file it is of no use to anybody but whoever has the file.
        raise StoreError(
            f"{path}: the database was deleted or emptied, and {log.name} still holds a part of it. Put the database "
            f"back beside it; to put back a copy made earlier, or to begin anew, move {log.name} away first."
        )
    if not create and not path.exists():
        raise StoreError(f"{path}: there is no database yet. Check the path, or make the study first.")


def _size(path: Path) -> int:
    """How large a file is; 0 where there is none."""
    return path.stat().st_size if path.exists() else 0


def connect(path: Path, pragmas: tuple[str, ...] = (), *, create: bool = False) -> sqlite3.Connection:
    """A connection that begins and ends transactions only where it is told to."""
    mode = "rwc" if create else "rw"
    if create:
        make_private(path)  # it holds the secret; what SQLite puts beside it is as private as the file
    try:
        connection = sqlite3.connect(
            f"file:{quote(str(path))}?mode={mode}",
            uri=True,
            timeout=BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=256,
        )
    except sqlite3.Error as error:
        raise StoreError(sentence(error, path)) from error
    try:
        set_up(connection, pragmas)
    except sqlite3.Error as error:
        connection.close()
        raise StoreError(sentence(error, path)) from error
    return connection


def set_up(connection: sqlite3.Connection, pragmas: tuple[str, ...]) -> None:
    """Make the connection a writer's or a reader's."""
    for pragma in pragmas:
        connection.execute(pragma)


def mark(connection: sqlite3.Connection) -> int:
    """The number by which this database is told from others, drawn when it is first opened; its copies keep it."""
    number: int = connection.execute("PRAGMA application_id").fetchone()[0]
    if not number:
        connection.execute(BEGIN_WRITE)
        # Somebody else may have drawn it meanwhile.
        if not connection.execute("PRAGMA application_id").fetchone()[0]:
            connection.execute(f"PRAGMA application_id = {secrets.randbelow(2**31 - 1) + 1}")
        connection.execute("COMMIT")
        number = connection.execute("PRAGMA application_id").fetchone()[0]
    return number


def version(connection: sqlite3.Connection, path: Path) -> str | None:
    """The version of the schema: None for an empty database, an error for one that is not ours or too new."""
    try:
        tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    except sqlite3.Error as error:
        raise StoreError(sentence(error, path)) from error
    if not tables:
        return None
    row = connection.execute("SELECT version_num FROM alembic_version").fetchone() if _ours(tables) else None
    if row is None:
        raise StoreError(f"{path}: this database was not made by Quorate. Name another file.")
    if row[0] not in VERSIONS:
        raise StoreError(f"{path}: this database was made by a newer Quorate (schema {row[0]}). Update Quorate first.")
    return row[0]


def _ours(tables: set[str]) -> bool:
    return {"alembic_version", "settings"} <= tables


def copy(source: sqlite3.Connection, target: Path) -> None:
    """A consistent copy in one file, while others go on writing; it has its name only when it is whole."""
    part = target.with_name(f"{target.name}.part")
    part.unlink(missing_ok=True)
    make_private(part)
    connection = sqlite3.connect(part, isolation_level=None)
    try:
        source.backup(connection)
        # One file that can be carried away: no WAL beside it until it is opened as a store.
        connection.execute("PRAGMA journal_mode = DELETE")
    except BaseException:
        connection.close()
        part.unlink(missing_ok=True)
        raise
    connection.close()
    part.rename(target)


def copied_whole(source: sqlite3.Connection, target: Path) -> bool:
    """Copy what a connection still has open, and look through the copy; nothing is left of one that is not whole."""
    try:
        copy(source, target)
        connection = sqlite3.connect(target)
        try:
            if connection.execute("PRAGMA quick_check").fetchall() == [("ok",)]:
                return True
        finally:
            connection.close()
    except (sqlite3.Error, OSError):
        pass
    target.unlink(missing_ok=True)
    return False


def is_of_the_machine(error: BaseException) -> bool:
    """Whether the disk or another program is to blame."""
    # The lowest byte is the kind of error; the rest tells more of it.
    return isinstance(error, sqlite3.Error) and getattr(error, "sqlite_errorcode", 0) & 0xFF in OF_THE_MACHINE


def _is_full(path: Path) -> bool:
    """Whether there is no room for SQLite's own files beside it: of that it says no more than that the disk erred."""
    try:
        return shutil.disk_usage(path.parent).free < _LEAST_ROOM
    except OSError:
        return False


def sentence(error: BaseException | None, path: Path) -> str:
    """What a database error means, and what to do."""
    text = str(error)
    if "not a database" in text or "malformed" in text:
        return f"{path}: this file is not a database, or is damaged ({text}). Name another file, or restore a backup."
    if "locked" in text or "busy" in text:
        return f"{path}: another program holds the database. Wait until it has finished, and try again."
    if "full" in text or _is_full(path):
        return f"{path}: the disk is full ({text}); nothing of this was stored. Make room, and try again."
    if "unable to open" in text or "readonly" in text:
        return f"{path}: the file cannot be opened for writing ({text}). Check its permissions."
    return f"{path}: the database could not store this ({text}). Check the disk, and try again."


class SqliteWriter(Writer):
    """Groups of verbs in one transaction of SQLite; a verb may run twice, so it only uses its `Tx`.

    `look` raises where the files are no longer the ones that are open: then nothing is begun, or acknowledged.
    """

    def __init__(self, connection: sqlite3.Connection, tx: Tx, path: Path, look: Callable[[], None]):
        self._connection = connection
        self._tx = tx
        self._path = path
        self._look = look
        super().__init__()

    def _run(self, group: list[Waiting[Any]]) -> None:
        """Run every verb and commit; a verb that raises is undone alone.

        A savepoint copies every page that is changed after it. So there is none, and only where a verb has to be undone
        is all of it undone, and run again with a savepoint each.
        """
        self._begin()
        if not self._together(group):
            self._connection.execute("ROLLBACK")
            self._begin()
            self._each(group)
        self._connection.execute("COMMIT")
        self._look()
        self.commits += 1

    def _begin(self) -> None:
        self._look()
        self._connection.execute(BEGIN_WRITE)

    def _together(self, group: list[Waiting[Any]]) -> bool:
        """Whether all went well: most verbs that raise have written nothing yet."""
        for waiting in group:
            before = self._connection.total_changes
            if not self._is_kept(waiting) and self._connection.total_changes != before:
                return False
        return True

    def _each(self, group: list[Waiting[Any]]) -> None:
        for waiting in group:
            self._connection.execute("SAVEPOINT verb")
            if not self._is_kept(waiting):
                self._connection.execute("ROLLBACK TO verb")
            self._connection.execute("RELEASE verb")

    def _is_kept(self, waiting: Waiting[Any]) -> bool:
        """Run a verb; whether what it wrote stays."""
        waiting.error = None
        try:
            waiting.result = waiting.verb(self._tx)
        except BaseException as error:
            waiting.error = self._told(error) if is_of_the_machine(error) else error
            if not self._connection.in_transaction:  # a full disk undoes the whole transaction, not the verb
                raise
            return False
        return True

    def _told(self, error: BaseException) -> StoreError:
        told = StoreError(sentence(error, self._path))
        told.__cause__ = error
        return told

    def _fail(self, group: list[Waiting[Any]], error: BaseException) -> None:
        told = self._told(error) if isinstance(error, sqlite3.Error) else error
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")
        for waiting in group:
            waiting.error = waiting.error or told
