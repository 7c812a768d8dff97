"""Puts requests to a judge and gives the replies as they come: with patience, several at once, here or on a cluster."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Protocol, TypeVar

from quorate.chance import uniform
from quorate.errors import JudgeError, StudyError
from quorate.judges import Judge, Reply, Request, TryAgainError
from quorate.records import Reason

T = TypeVar("T")
PATIENCE = "20s"
"""How long a Dask scheduler may take to answer."""


@dataclass(frozen=True, slots=True)
class Answered:
    """The replies to one batch; `stop` is a sentence where the judge cannot be asked at all."""

    replies: list[Reply]
    stop: str = ""


def ask_batch(judge: Judge, requests: Sequence[Request], pause: Callable[[float], Any] | None = None) -> Answered:
    """The replies to a batch, in its order; what fails has a reason. The same code runs here and on a worker."""
    try:
        if judge.workers == 1 or len(requests) == 1:
            return Answered(_asked(judge, requests, pause or threading.Event().wait))
        with ThreadPoolExecutor(judge.workers) as pool:
            ones = pool.map(lambda one: _asked(judge, [one], pause or threading.Event().wait)[0], requests)
            return Answered(list(ones))
    except StudyError as error:
        return Answered([no_reply(str(error)) for _ in requests], str(error))


def no_reply(why: str) -> Reply:
    """A judge that could not be reached: the item stays due."""
    return Reply(reason=Reason.NOT_REACHED, note=why, again=True)


def _asked(judge: Judge, requests: Sequence[Request], pause: Callable[[float], Any]) -> list[Reply]:
    """Tries again where it is worth it, each time after a longer wait, up to as often as the judge says."""
    tries, first = getattr(judge, "tries", 1), getattr(judge, "first_wait", 1.0)
    for attempt in range(1, tries + 1):
        try:
            return [_counted(reply, attempt) for reply in judge.ask_all(requests)]
        except TryAgainError as error:
            if attempt == tries:
                return [no_reply(f"{error} (after {tries} {'try' if tries == 1 else 'tries'})") for _ in requests]
            # A keyed draw spreads the next tries, so that those who failed together do not come back together.
            spread = 0.5 + uniform(attempt, "wait", requests[0].item.id)
            pause(error.wait if error.wait is not None else first * 2 ** (attempt - 1) * spread)
    raise AssertionError("a judge is tried at least once")


def _counted(reply: Reply, attempt: int) -> Reply:
    return reply if reply.call is None else replace(reply, call=replace(reply.call, attempts=attempt))


class Engine(Protocol):
    """Where batches are asked: gives each batch's number with its replies, in the order in which they come."""

    def size(self, judge: Judge) -> int:
        """How many requests go into one batch."""
        ...

    def run(self, judge: Judge, batches: Iterable[Sequence[Request]]) -> Iterator[tuple[int, Answered]]:
        """Asks batch after batch; a batch is taken from the iterable only when there is room for it."""
        ...


class Local:
    """On this machine: as many batches at once as the judge allows."""

    def size(self, judge: Judge) -> int:
        return judge.batch

    def run(self, judge: Judge, batches: Iterable[Sequence[Request]]) -> Iterator[tuple[int, Answered]]:
        stopped = threading.Event()
        with ThreadPoolExecutor(judge.workers) as pool:

            def submit(batch: Sequence[Request]) -> Future[Answered]:
                return pool.submit(ask_batch, judge, batch, stopped.wait)

            try:
                yield from _as_they_come(submit, batches, 2 * judge.workers)
            finally:
                stopped.set()
                pool.shutdown(cancel_futures=True)


def _as_they_come(
    submit: Callable[[Sequence[Request]], Future[Answered]], batches: Iterable[Sequence[Request]], most: int
) -> Iterator[tuple[int, Answered]]:
    """Never more than so many under way, since requests may hold pictures."""
    coming = enumerate(batches)
    under_way: dict[Future[Answered], int] = {}
    while True:
        for number, batch in islice(coming, most - len(under_way)):
            under_way[submit(batch)] = number
        if not under_way:
            return
        done, _ = wait(under_way, return_when=FIRST_COMPLETED)
        for future in done:
            yield under_way.pop(future), future.result()


class Dask:
    """On a Dask cluster that is there already; a batch whose worker dies is given to another."""

    def __init__(self, scheduler: str):
        self.scheduler = scheduler

    def size(self, judge: Judge) -> int:
        # A worker asks as many at once as the judge allows, so it should have more than one.
        return max(judge.batch, 2 * judge.workers) if judge.workers > 1 else judge.batch

    def run(self, judge: Judge, batches: Iterable[Sequence[Request]]) -> Iterator[tuple[int, Answered]]:
        try:
            from distributed import Client, as_completed
        except ImportError as error:
            raise JudgeError("--engine dask needs: pip install 'quorate[dask]'") from error
        try:
            client = Client(self.scheduler, timeout=PATIENCE)
        except (OSError, TimeoutError, ValueError) as error:
            raise JudgeError(
                f"There is no Dask scheduler at {self.scheduler}. Start one, or check --scheduler."
            ) from error
        with client:
            coming = enumerate(batches)
            most = 4 * max(1, len(client.scheduler_info(n_workers=-1)["workers"]))

            def some(n: int) -> dict[Any, int]:
                # Asking twice is harmless, so a batch may be run anew as often as workers die.
                return {
                    client.submit(ask_batch, judge, list(batch), pure=False, retries=5): number
                    for number, batch in islice(coming, n)
                }

            under_way = some(most)
            done = as_completed(list(under_way))
            for future in done:
                yield under_way.pop(future), future.result()
                more = some(1)
                under_way |= more
                for one in more:
                    done.add(one)


def in_batches(things: Iterable[T], size: int) -> Iterator[list[T]]:
    """The things in lists of so many.

    >>> list(in_batches("abcde", 2))
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    iterator = iter(things)
    while batch := list(islice(iterator, size)):
        yield batch
