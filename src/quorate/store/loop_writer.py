"""Verbs of an event loop run in the loop's own thread; only a long wait for the disk is another thread's.

sqlite3 lets go of the interpreter at every statement. Were the verbs run in a second thread while the loop is busy, the
two would hand the interpreter to and fro a dozen times a submission, which costs more than the statements do. So the
loop runs a group of verbs itself. Where the disk is slow it hands over the COMMIT, and while that waits the next group
gathers. Where the disk is quick, handing over and back would take longer than the disk does.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, TypeVar

from quorate.store.writer import LARGEST_GROUP, SqliteGroup, Verb, Waiting

T = TypeVar("T")
#: Up to so many seconds the loop waits for the disk itself.
SHORT = 0.002
#: How much the newest commit counts in what commits take lately.
NEWEST = 0.2


class LoopWriter:
    """The writer of one event loop, with a connection of its own."""

    def __init__(self, loop: asyncio.AbstractEventLoop, connection: sqlite3.Connection, group: SqliteGroup):
        self._loop = loop
        self._connection = connection
        self._group = group
        self._queue: list[Waiting[Any]] = []
        self._is_busy = False
        self._lately = 0.0
        self._disk: SimpleQueue[tuple[Callable[[list[Waiting[Any]]], None], list[Waiting[Any]]] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._serve_disk, name="quorate-disk", daemon=True)
        self._thread.start()
        self.commits = 0

    def put(self, verb: Verb[T]) -> asyncio.Future[T]:
        """Queue a verb of this loop; its future resolves when what it wrote is durable."""
        future: asyncio.Future[T] = self._loop.create_future()
        self._queue.append(Waiting(verb, future, self._loop))
        if not self._is_busy:
            self._is_busy = True
            # At the end of this turn of the loop: whoever else writes in it comes along.
            self._loop.call_soon(self._next)
        return future

    def close(self) -> None:
        """Wait for the commit that is under way, and let go of the file."""
        self._disk.put(None)
        self._thread.join()
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")
        self._connection.close()

    def _next(self) -> None:
        """Begin the next group, here if nobody else writes now, else where waiting stops nobody."""
        waiting, self._queue = self._queue[:LARGEST_GROUP], self._queue[LARGEST_GROUP:]
        try:
            self._group.begin(patience=0)
        except sqlite3.OperationalError:
            self._disk.put((self._begin_patiently, waiting))
        except BaseException as error:
            self._group.fail(waiting, error)
            self._done(waiting)
        else:
            self._run(waiting)

    def _serve_disk(self) -> None:
        """What waits for the disk, or for someone else who writes, waits in a thread of its own."""
        while (job := self._disk.get()) is not None:
            do, waiting = job
            do(waiting)

    def _begin_patiently(self, waiting: list[Waiting[Any]]) -> None:
        try:
            self._group.begin()
        except BaseException as error:
            self._group.fail(waiting, error)
            self._wake(self._done, waiting)
        else:
            self._wake(self._run, waiting)

    def _run(self, waiting: list[Waiting[Any]]) -> None:
        try:
            self._group.run(waiting)
        except BaseException as error:
            self._group.fail(waiting, error)
            self._done(waiting)
        else:
            if self._lately < SHORT:
                self._commit(waiting)
                self._done(waiting)
            else:
                self._disk.put((self._commit_apart, waiting))

    def _commit(self, waiting: list[Waiting[Any]]) -> None:
        begin = time.perf_counter()
        try:
            self._group.commit()
            self.commits += 1
        except BaseException as error:
            self._group.fail(waiting, error)
        self._lately += NEWEST * (time.perf_counter() - begin - self._lately)

    def _commit_apart(self, waiting: list[Waiting[Any]]) -> None:
        self._commit(waiting)
        self._wake(self._done, waiting)

    def _done(self, waiting: list[Waiting[Any]]) -> None:
        for one in waiting:
            one.resolve()
        if self._queue:
            self._next()
        else:
            self._is_busy = False

    def _wake(self, then: Any, waiting: list[Waiting[Any]]) -> None:
        try:
            self._loop.call_soon_threadsafe(then, waiting)
        except RuntimeError:  # the loop was closed: nobody waits there any more
            return
