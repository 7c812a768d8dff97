"""One writer, many waiting: commits in groups, failures alone, and no acknowledgement of what is not durable."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from postgres import sqlite_only
from quorate.errors import StoreError
from quorate.store import Store, Tx


class Blocked:
    """Keeps the writer busy, so that what is queued meanwhile becomes one group."""

    def __init__(self, store: Store):
        self._go = threading.Event()
        self._began = threading.Event()
        self._blocking = store.write(self._block)
        assert self._began.wait(60)

    def _block(self, _: Tx) -> None:
        self._began.set()
        assert self._go.wait(60)

    def let_go(self) -> None:
        self._go.set()
        self._blocking.result(60)


def kinds(store: Store) -> list[str]:
    return [event.kind for event in store.read(lambda tx: tx.events())]


def write_an_orphan(tx: Tx) -> None:
    """An answer without its submission, looked at only on commit: a commit that really fails."""
    tx.connection.execute("PRAGMA defer_foreign_keys = ON")
    tx.connection.execute("INSERT INTO platform_ids (platform, external_id, rater) VALUES ('p', 'x', 'R999')")


def test_verbs_that_wait_together_share_a_commit(store: Store) -> None:
    before, blocked = store.commits, Blocked(store)
    futures = [store.write(lambda tx, n=n: tx.add_event(f"{n}")) for n in range(100)]
    blocked.let_go()
    assert [future.result(60) for future in futures] == list(range(1, 101))
    assert store.commits - before == 2


def test_many_threads_need_fewer_commits_than_verbs(store: Store) -> None:
    before, blocked = store.commits, Blocked(store)
    with ThreadPoolExecutor(16) as pool:
        doing = [pool.submit(lambda: [store.do(lambda tx: tx.add_event("x")) for _ in range(20)]) for _ in range(16)]
        blocked.let_go()
        seqs = sorted(seq for done in doing for seq in done.result(60))
    assert seqs == list(range(1, 321))
    assert store.commits - before < 320


@sqlite_only
def test_what_comes_back_is_already_durable(store: Store) -> None:
    other = sqlite3.connect(store.path)
    for n in range(1, 20):
        store.do(lambda tx: tx.add_event("x"))
        assert other.execute("SELECT count(*) FROM events").fetchone() == (n,)


def test_nothing_is_visible_or_acknowledged_before_the_commit(store: Store) -> None:
    blocked = Blocked(store)
    first = store.write(lambda tx: tx.add_event("first"))
    entered, leave = threading.Event(), threading.Event()

    def last(tx: Tx) -> None:
        tx.add_event("last")
        entered.set()
        assert leave.wait(60)

    second = store.write(last)
    blocked.let_go()
    assert entered.wait(60)
    assert not first.done()
    assert kinds(store) == []
    leave.set()
    second.result(60)
    assert first.done()
    assert kinds(store) == ["first", "last"]


def test_a_verb_that_raises_is_rolled_back_alone(store: Store) -> None:
    def fail(tx: Tx) -> None:
        tx.add_event("never")
        raise KeyError("mine")

    blocked = Blocked(store)
    futures = [store.write(verb) for verb in (lambda tx: tx.add_event("a"), fail, lambda tx: tx.add_event("b"))]
    blocked.let_go()
    with pytest.raises(KeyError, match="mine"):
        futures[1].result(60)
    # A number that was given to what is undone may stay unused.
    assert futures[0].result(60) < futures[2].result(60)
    assert kinds(store) == ["a", "b"]


def test_verbs_beside_one_that_fails_are_stored_once(store: Store) -> None:
    def fail(tx: Tx) -> None:
        tx.add_event("never")
        raise KeyError("mine")

    blocked = Blocked(store)
    fine = [store.write(lambda tx, n=n: tx.add_event(f"{n}")) for n in range(3)]
    failing = [store.write(fail), store.write(lambda tx: 1 / 0), store.write(fail)]
    more = [store.write(lambda tx, n=n: tx.add_event(f"{n}")) for n in range(3, 6)]
    blocked.let_go()
    assert [type(future.exception(60)) for future in failing] == [KeyError, ZeroDivisionError, KeyError]
    assert len({future.result(60) for future in (*fine, *more)}) == 6
    assert kinds(store) == ["0", "1", "2", "3", "4", "5"]


@sqlite_only
def test_a_failing_commit_acknowledges_nothing(store: Store) -> None:
    blocked = Blocked(store)
    futures: list[Any] = [store.write(lambda tx: tx.add_event("a"))]
    futures.append(store.write(write_an_orphan))
    futures.append(store.write(lambda tx: tx.add_event("b")))
    blocked.let_go()
    for future in futures:
        with pytest.raises(StoreError, match="could not store this"):
            future.result(60)
    assert kinds(store) == []
    store.do(lambda tx: tx.add_event("c"))
    assert kinds(store) == ["c"]


@sqlite_only
def test_a_failing_commit_reaches_coroutines_too(store: Store) -> None:
    async def three() -> list[Any]:
        blocked = Blocked(store)
        verbs = (lambda tx: tx.add_event("a"), write_an_orphan, lambda tx: tx.add_event("b"))
        waiting = [asyncio.ensure_future(store.ado(verb)) for verb in verbs]
        await asyncio.sleep(0)
        blocked.let_go()
        return await asyncio.gather(*waiting, return_exceptions=True)

    assert [type(outcome) for outcome in asyncio.run(three())] == [StoreError] * 3
    assert kinds(store) == []


@sqlite_only
def test_a_full_disk_is_told_in_a_sentence_and_acknowledges_only_what_is_there(store: Store) -> None:
    connection = store._connection
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages + 2}")
    blocked = Blocked(store)
    small = store.write(lambda tx: tx.add_event("small"))
    large = store.write(lambda tx: tx.add_event("large", data="x" * 100_000))
    blocked.let_go()
    failures = [future.exception(60) for future in (small, large)]
    stored = kinds(store)
    for failure, kind in zip(failures, ("small", "large"), strict=True):
        assert (failure is None) == (kind in stored)
    assert isinstance(failures[1], StoreError)
    assert "the disk is full" in str(failures[1])
    connection.execute(f"PRAGMA max_page_count = {pages + 1000}")
    store.do(lambda tx: tx.add_event("after"))
    assert kinds(store)[-1] == "after"


def test_coroutines_get_results_and_exceptions_of_their_own(store: Store) -> None:
    def fail(_: Tx) -> int:
        raise KeyError("mine")

    async def together() -> list[Any]:
        verbs = [(lambda tx: tx.add_event("x")) if n % 5 else fail for n in range(50)]
        return await asyncio.gather(*map(store.ado, verbs), return_exceptions=True)

    outcomes = asyncio.run(together())
    assert [isinstance(outcome, KeyError) for outcome in outcomes] == [n % 5 == 0 for n in range(50)]
    assert sorted(outcome for outcome in outcomes if isinstance(outcome, int)) == list(range(1, 41))


def test_a_coroutine_that_was_cancelled_does_not_stop_the_writer(store: Store) -> None:
    async def cancelled() -> int:
        blocked = Blocked(store)
        waiting = asyncio.ensure_future(store.ado(lambda tx: tx.add_event("x")))
        await asyncio.sleep(0)
        waiting.cancel()
        blocked.let_go()
        return await store.ado(lambda tx: tx.add_event("y"))

    assert asyncio.run(cancelled()) == 2


def test_a_thread_that_gave_up_does_not_stop_the_writer(store: Store) -> None:
    blocked = Blocked(store)
    assert store.write(lambda tx: tx.add_event("x")).cancel()
    blocked.let_go()
    assert store.do(lambda tx: tx.add_event("y")) == 2


def test_closing_writes_what_is_queued(store: Store) -> None:
    blocked = Blocked(store)
    futures = [store.write(lambda tx: tx.add_event("x")) for _ in range(10)]
    closing = threading.Thread(target=store.close)
    closing.start()
    blocked.let_go()
    closing.join(60)
    assert [future.result(60) for future in futures] == list(range(1, 11))


def test_a_verb_that_waits_for_another_is_told_instead_of_hanging(store: Store) -> None:
    with pytest.raises(RuntimeError, match="must not wait"):
        store.do(lambda _: store.do(lambda tx: tx.add_rater()))
