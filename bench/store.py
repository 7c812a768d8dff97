"""What the store costs, as ratios in one run: against raw sqlite3 with the same group commit, and as studies grow.

    python bench/store.py [--submissions 4000]

The raw verb inserts one row and selects one. Ours checks the link and the rater's progress, stores a submission with
one answer, and reads the next open assignment: the whole of a submit-and-next request but for HTTP.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from quorate.records import Assignment, Item, Shown, Slot
from quorate.store import Store, Tx

RATERS = 32
Verbs = Iterator[Callable[[Tx], Any]]


def make_study(path: Path, items: int, batch: int) -> Store:
    """A study with this many items, three raters an item, and raters who have claimed a batch each."""
    store = Store.open(path)
    shown = Shown(options={"q": ("a", "b", "c", "d")})

    def fill(tx: Tx) -> None:
        tx.put_plan(
            [Item(f"item-{n}", {"image": f"{n}.png", "target": "a"}) for n in range(items)],
            [Slot("s", f"item-{n}", repeat, shown=shown) for n in range(items) for repeat in range(3)],
        )
        for _ in range(RATERS):
            rater = tx.add_rater()
            tx.add_link(f"hash-{rater.id}", "rater", rater.id)
            tx.set_progress(rater.id, step="work", section="s", status="active")
            tx.claim(rater.id, "s", batch)

    store.do(fill)
    return store


def our_verbs(store: Store, questions: int = 1) -> Verbs:
    """Submit and next, over all claimed assignments, and then once more as revisions."""
    work = store.read(lambda tx: sorted(tx.assignments(), key=lambda one: one.position))
    answers = [{"question": f"q{n}", "value": "a", "raw": 0, "seconds": 3.2} for n in range(questions)]
    for n, one in enumerate(itertools.cycle(work)):
        yield lambda tx, n=n, one=one: submit(tx, f"{questions}-{n:032d}", one, answers)


def submit(tx: Tx, key: str, one: Assignment, answers: list[dict[str, Any]]) -> Any:
    """What one request asks of the store."""
    link, progress = tx.link(f"hash-{one.rater}"), tx.progress(one.rater)
    assert link is not None
    assert progress is not None
    tx.add_submission(key, one.rater, one.id, answers, {"visible": 3.1}, protocol="0" * 32)
    return tx.next_open(one.rater, one.section, one.position, 1)


def raw_verbs(store: Store) -> Verbs:
    """One insert and one select, on two bare tables of the same database."""

    def tables(tx: Tx) -> None:
        tx.connection.execute("CREATE TABLE raw_answer (seq INTEGER PRIMARY KEY, rater TEXT, item TEXT, value TEXT)")
        tx.connection.execute("CREATE TABLE raw_next (rater TEXT, position INTEGER, item TEXT)")
        tx.connection.execute("CREATE INDEX raw_index ON raw_next (rater, position)")
        rows = [(f"R{rater}", n, f"item-{n}") for rater in range(RATERS) for n in range(1000)]
        tx.connection.cursor().executemany("INSERT INTO raw_next VALUES (?, ?, ?)", rows)

    store.do(tables)
    for n in itertools.count():
        yield lambda tx, n=n: raw(tx.connection, f"R{n % RATERS}", n % 1000)


def raw(connection: Any, rater: str, n: int) -> Any:
    """The floor."""
    connection.execute("INSERT INTO raw_answer (rater, item, value) VALUES (?, ?, ?)", (rater, f"item-{n}", '"a"'))
    sql = "SELECT position, item FROM raw_next WHERE rater = ? AND position > ? ORDER BY position LIMIT 1"
    return connection.execute(sql, (rater, n)).fetchone()


def rate(store: Store, verbs: Verbs, clients: int, n: int) -> tuple[float, float]:
    """Verbs a second, durable, when this many clients wait for theirs; and verbs a commit."""

    async def client(mine: int) -> None:
        for _ in range(mine):
            await store.ado(next(verbs))

    async def everybody() -> None:
        await asyncio.gather(*(client(n // clients) for _ in range(clients)))

    commits, start = store.commits, time.perf_counter()
    asyncio.run(everybody())
    return n / (time.perf_counter() - start), n / (store.commits - commits)


def inside(store: Store, verbs: Verbs, n: int = 2000) -> float:
    """Microseconds a verb takes inside the writer, apart from waiting and committing: the median of groups."""

    def group(tx: Tx) -> float:
        start = time.perf_counter()
        for _ in range(100):
            next(verbs)(tx)
        return (time.perf_counter() - start) / 100 * 1e6

    return statistics.median(store.do(group) for _ in range(n // 100))


def claim_cost(store: Store, n: int = 20) -> float:
    """Milliseconds for a new rater to claim 50 slots: the median."""

    def one(tx: Tx) -> float:
        rater = tx.add_rater()
        start = time.perf_counter()
        assert len(tx.claim(rater.id, "s", 50)) == 50
        return (time.perf_counter() - start) * 1e3

    return statistics.median(store.do(one) for _ in range(n))


def worst_claim(store: Store, own: int) -> float:
    """Milliseconds for one more claim of 50 by a rater whose own items, this many, all stand at the queue's head."""

    def one(tx: Tx) -> float:
        alone = tx.add_rater()
        while len(tx.claim(alone.id, "t", 5000)) == 5000 and tx.counts(alone.id, "t").total < own:
            pass
        start = time.perf_counter()
        tx.claim(alone.id, "t", 50)
        return (time.perf_counter() - start) * 1e3

    def plan(tx: Tx) -> None:
        items = [Item(f"item-{n}", {}) for n in range(own)]
        tx.put_plan(items, [Slot("t", item.id, repeat) for item in items for repeat in range(2)])

    store.do(plan)
    return store.do(one)


def main() -> None:
    """Print the ratios, and the figures they are made of, as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--submissions", type=int, default=4000)
    parser.add_argument("--answers", type=int, default=200_000, help="answers stored before the last measurement")
    n, stored = (arguments := parser.parse_args()).submissions, arguments.answers
    figures: dict[str, Any] = {"sqlite": sqlite3.sqlite_version}
    with tempfile.TemporaryDirectory() as folder:
        small = make_study(Path(folder) / "small.sqlite", items=1000, batch=90)
        ours, floor = our_verbs(small), raw_verbs(small)
        for clients in (1, 8, 32):
            # In turns, so that a busy machine disturbs both alike.
            turns = [(rate(small, floor, clients, n // 4), rate(small, ours, clients, n // 4)) for _ in range(4)]
            raws, rates = [turn[0][0] for turn in turns], [turn[1][0] for turn in turns]
            figures[f"{clients} clients"] = {
                "raw a second": round(statistics.median(raws)),
                "ours a second": round(statistics.median(rates)),
                "ratio": round(statistics.median(a / b for a, b in zip(rates, raws, strict=True)), 2),
                "verbs a commit": round(statistics.median(turn[1][1] for turn in turns), 1),
            }
        figures["µs raw verb"] = round(inside(small, floor), 1)
        figures["µs verb, 1,000 items"] = round(inside(small, ours), 1)
        figures["µs verb, 5 questions"] = round(inside(small, our_verbs(small, questions=5)), 1)
        large = make_study(Path(folder) / "large.sqlite", items=50_000, batch=1000)
        ours = our_verbs(large)
        figures["µs verb, 50,000 items"] = round(inside(large, ours), 1)
        figures["ms claim of 50, 1,000 items"] = round(claim_cost(make_study(Path(folder) / "c", 2000, 10)), 2)
        figures["ms claim of 50, 50,000 items"] = round(claim_cost(large), 2)
        figures["ms claim by one who has all 20,000 items"] = round(
            worst_claim(Store.open(Path(folder) / "worst.sqlite"), 20_000), 2
        )
        if stored:
            large.do(lambda tx: [next(ours)(tx) for _ in range(stored)])
            figures[f"µs verb, 50,000 items and {stored:,} answers"] = round(inside(large, ours), 1)
    print(json.dumps(figures, indent=2, ensure_ascii=False))


if __name__ == "__main__":
    main()
