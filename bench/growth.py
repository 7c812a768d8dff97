"""What an answer costs as answers gather: from a thousand to a million stored, on SQLite and on PostgreSQL.

    python bench/growth.py [--sizes 1000 10000 100000 1000000]

An answer is what one submission asks of the store: how it stands, the rows, what comes next. Studies of every size are
measured in turns, so that a busy machine disturbs all alike; figures are ratios to the smallest. The million is written
by the database itself, as answers of raters who are gone.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from secrets import token_hex
from typing import Any
from uuid import uuid4

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from load import cpu_seconds, middle

from postgres import running
from quorate.records import Assignment
from quorate.store import Store, Tx
from store import make_study

GROUP, GROUPS = 50, 20
Cost = tuple[float, float]
"""Seconds by the clock, and of the processors: of this thread, or of the database."""

SENT = """
INSERT INTO submissions (key, rater, assignment, at, evidence)
WITH RECURSIVE numbered(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbered WHERE n < {n})
SELECT 'gone-' || n, 'gone-' || n % 500, NULL, '2026-11-02T09:30:00.000Z', NULL FROM numbered
"""
ANSWERED = """
INSERT INTO answers (submission, "by", rater, section, item, repeat, round, question, value, raw, at, position, seconds,
  revision, protocol, shown, late, number, chain)
SELECT seq, 'rater', rater, 's', 'item-' || seq % 500, 0, 1, 'q0', '"a"', '0', at, 1, 3.2, 1, '', '{}', 0, seq, key
FROM submissions
"""


def filled(address: str | Path, n: int) -> Store:
    """A study of 500 items for 32 raters, with this many answers of others."""
    store = make_study(address, 500, 500, per_item=32)  # type: ignore[arg-type]

    def fill(tx: Tx) -> None:
        tx.connection.execute(SENT.format(n=n))
        tx.connection.execute(ANSWERED)

    store.do(fill)
    return store


def answers(store: Store) -> Iterator[Callable[[Tx], Any]]:
    """One submission after another, as the server makes them."""
    for one in sorted(store.read(Tx.assignments), key=lambda held: held.position):
        yield lambda tx, one=one: answer(tx, one)


def answer(tx: Tx, one: Assignment) -> Any:
    """What one request asks of the store."""
    found = tx.standing(one.id, f"hash-{one.rater}")
    assert found is not None
    given = [{"question": "q0", "value": "a", "raw": 0, "seconds": 3.2}]
    key, last = token_hex(16), found.last
    tx.add_submission(key, one.rater, found.assignment, given, {"visible": 3.1}, protocol="0" * 32, last=last)
    return tx.next_open(one.rater, one.section, one.position, 6)


def cost(store: Store, verbs: Iterator[Callable[[Tx], Any]], database: int | None) -> Cost:
    """What one answer of a group costs."""

    def group(tx: Tx) -> Cost:
        todo = list(itertools.islice(verbs, GROUP))
        clock, processor = time.perf_counter(), time.thread_time()
        before = cpu_seconds(database) if database else 0.0
        for verb in todo:
            verb(tx)
        used = time.thread_time() - processor + (cpu_seconds(database) - before if database else 0.0)
        return (time.perf_counter() - clock) / GROUP, used / GROUP

    return store.do(group)


def measure(what: str, places: dict[int, str | Path], database: int | None) -> None:
    """Prints one line a size."""
    stores = {n: filled(place, n) for n, place in places.items()}
    verbs = {n: answers(store) for n, store in stores.items()}
    costs: dict[int, list[Cost]] = {n: [] for n in stores}
    for turn in range(GROUPS + 2):
        for n, store in stores.items():
            found = cost(store, verbs[n], database)
            if turn >= 2:  # what a new connection has to prepare is no part of an answer
                costs[n].append(found)
    first = [middle(list(column)) for column in zip(*next(iter(costs.values())), strict=True)]
    for n, found in costs.items():
        clock, processor = (middle(list(column)) for column in zip(*found, strict=True))
        print(
            f"{what}, {n:>9,} answers stored: {1e6 * clock:,.0f} µs an answer ({clock / first[0]:.2f} times), "
            f"{1e6 * processor:,.0f} µs of processors ({processor / first[1]:.2f} times)",
            flush=True,
        )
    for store in stores.values():
        store.close()


def main() -> None:
    """Both databases, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000, 1_000_000])
    sizes = parser.parse_args().sizes
    with tempfile.TemporaryDirectory() as name:
        measure("SQLite", {n: Path(name) / f"{n}.sqlite" for n in sizes}, None)
    with running() as postgres:
        if postgres is None:
            print("PostgreSQL is not installed here: python tests/postgres.py --install")
            return
        measure("PostgreSQL", {n: f"{postgres.url}?schema=s{uuid4().hex}" for n in sizes}, postgres.process.pid)


if __name__ == "__main__":
    main()
