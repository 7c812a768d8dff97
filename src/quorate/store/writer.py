"""One thread writes, in groups: many submissions wait for one commit, and each is acknowledged after it.

`Writer` is the queue and the thread; `sqlite.SqliteWriter` and `postgresql.PostgresWriter` run a group.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, InvalidStateError
from queue import Empty, SimpleQueue
from typing import Any, Generic, TypeVar

from quorate.errors import StoreError
from quorate.store.tx import Tx

T = TypeVar("T")
Verb = Callable[[Tx], T]
# A group is bounded so that the first in it does not wait for ever behind those that keep coming.
LARGEST_GROUP = 256


class Waiting(Generic[T]):
    """A verb in the queue, and where its outcome goes: a thread's future, or one that belongs to an event loop."""

    __slots__ = ("error", "future", "loop", "result", "verb")

    def __init__(self, verb: Verb[T], future: Any, loop: asyncio.AbstractEventLoop | None = None):
        self.verb = verb
        self.future = future
        self.loop = loop
        self.result: T | None = None
        self.error: BaseException | None = None

    def resolve(self) -> None:
        """Tell whoever waits, in whose thread this must run."""
        try:
            if self.error is None:
                self.future.set_result(self.result)
            else:
                self.future.set_exception(self.error)
        except (InvalidStateError, asyncio.InvalidStateError):
            return  # cancelled meanwhile: what was written stays, and nobody asks


class Writer:
    """The only thread of this process that writes to the database."""

    def __init__(self) -> None:
        self._queue: SimpleQueue[Waiting[Any] | None] = SimpleQueue()
        self._closed = False
        # Between looking whether the writer is closed and queueing, it must not be closed.
        self._closing = threading.Lock()
        self.commits = 0
        self._thread = threading.Thread(target=self._work, name="quorate-writer", daemon=True)
        self._thread.start()

    def put(self, verb: Verb[T]) -> Future[T]:
        """Queue a verb for a thread that waits."""
        future: Future[T] = Future()
        self._enqueue(Waiting(verb, future))
        return future

    def put_from_loop(self, verb: Verb[T]) -> asyncio.Future[T]:
        """Queue a verb for a coroutine of the running event loop."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._enqueue(Waiting(verb, future, loop))
        return future

    def close(self) -> None:
        """Write what is queued, then stop."""
        with self._closing:
            if self._closed:
                return
            self._closed = True
            self._queue.put(None)
        self._thread.join()

    def is_this_thread(self) -> bool:
        """A verb that waits for another verb would wait for ever."""
        return threading.current_thread() is self._thread

    def _enqueue(self, waiting: Waiting[Any]) -> None:
        with self._closing:
            if self._closed:
                raise StoreError("The study's database is closed. Start the server again.")
            self._queue.put(waiting)

    def _work(self) -> None:
        for group in self._groups():
            try:
                self._run(group)
            except BaseException as error:
                self._fail(group, error)
            resolve(group)

    def _run(self, group: list[Waiting[Any]]) -> None:
        """Run every verb of a group and commit; what is raised fails those that have no outcome."""
        raise NotImplementedError

    def _fail(self, group: list[Waiting[Any]], error: BaseException) -> None:
        """Nothing of the group is durable, so nobody in it is told that it is."""
        raise NotImplementedError

    def _groups(self) -> Iterator[list[Waiting[Any]]]:
        """Everything that is queued, again and again, until the end is queued."""
        while (first := self._queue.get()) is not None:
            group = [first]
            try:
                while len(group) < LARGEST_GROUP:
                    following = self._queue.get_nowait()
                    if following is None:
                        self._queue.put(None)
                        break
                    group.append(following)
            except Empty:
                pass
            yield group


def resolve(group: list[Waiting[Any]]) -> None:
    """Wake each event loop once for all its coroutines, not once for each."""
    loops: dict[asyncio.AbstractEventLoop, list[Waiting[Any]]] = {}
    for waiting in group:
        if waiting.loop is None:
            waiting.resolve()
        else:
            loops.setdefault(waiting.loop, []).append(waiting)
    for loop, theirs in loops.items():
        try:
            loop.call_soon_threadsafe(_resolve_all, theirs)
        except RuntimeError:  # the loop was closed: nobody waits there any more
            continue


def _resolve_all(waiting: list[Waiting[Any]]) -> None:
    for one in waiting:
        one.resolve()
