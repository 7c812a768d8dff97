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
from secrets import token_hex
from typing import Any

from quorate.records import Assignment, Item, Shown, Slot
from quorate.store import Store, Tx

RATERS = 32
Verbs = Iterator[Callable[[Tx], Any]]


def make_study(path: Path, items: int, batch: int, per_item: int = 3) -> Store:
    """A study with this many items and raters an item, and raters who have claimed a batch each."""
    store = Store.open(path)
    shown = Shown(options={"q": ("a", "b", "c", "d")})

    def fill(tx: Tx) -> None:
        tx.put_plan(
            [Item(f"item-{n}", {"image": f"{n}.png", "target": "a"}) for n in range(items)],
            [Slot("s", f"item-{n}", repeat, shown=shown) for n in range(items) for repeat in range(per_item)],
        )
        for _ in range(RATERS):
            rater = tx.add_rater()
            tx.add_link(f"hash-{rater.id}", "rater", rater.id)
            tx.set_progress(rater.id, step="work", section="s", status="active")
            tx.claim(rater.id, "s", batch)

    store.do(fill)
    return store


def our_verbs(store: Store, questions: int = 1, backwards: bool = False) -> Verbs:
    """Submit and next, each for an assignment that was not answered before: a revision would be cheaper."""
    work = store.read(lambda tx: sorted(tx.assignments(), key=lambda one: one.position))
    answers = [{"question": f"q{n}", "value": "a", "raw": 0, "seconds": 3.2} for n in range(questions)]
    # Two that run on one study begin at opposite ends.
    for one in (one for one in (work[::-1] if backwards else work) if not one.answered):
        yield lambda tx, one=one: submit(tx, token_hex(16), one, answers)
    raise RuntimeError("every assignment is answered: make the study larger")


def fill_with_revisions(store: Store, n: int) -> None:
    """Store this many more answers, as revisions of what is answered already."""

    def fill(tx: Tx) -> None:
        work = itertools.cycle([one for one in tx.assignments() if one.answered])
        for one in itertools.islice(work, n):
            submit(tx, token_hex(16), one, [{"question": "q0", "value": "b", "raw": 1, "seconds": 1.0}])

    store.do(fill)


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


def group(verbs: Verbs) -> Callable[[Tx], tuple[float, float]]:
    """Microseconds a verb takes inside the writer, by the clock and of the processor, over a group of 100."""

    def run(tx: Tx) -> tuple[float, float]:
        todo = list(itertools.islice(verbs, 100))
        clock, processor = time.perf_counter(), time.thread_time()
        for verb in todo:
            verb(tx)
        return (time.perf_counter() - clock) * 1e4, (time.thread_time() - processor) * 1e4

    return run


def in_turns(studies: dict[str, tuple[Store, Verbs]], groups: int = 30) -> dict[str, Any]:
    """The medians of each, and as ratios to the first: in turns, so that a busy machine disturbs all alike."""
    runs: dict[str, list[tuple[float, float]]] = {name: [] for name in studies}
    for _ in range(groups):
        for name, (store, verbs) in studies.items():
            runs[name].append(store.do(group(verbs)))
    first = next(iter(runs.values()))
    return {
        name: {
            "µs": round(statistics.median(clock for clock, _ in theirs), 1),
            "µs of processor": round(statistics.median(processor for _, processor in theirs), 1),
            "ratio": round(statistics.median(a[0] / b[0] for a, b in zip(theirs, first, strict=True)), 2),
            "ratio of processor": round(statistics.median(a[1] / b[1] for a, b in zip(theirs, first, strict=True)), 2),
        }
        for name, theirs in runs.items()
    }


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
        # Everybody rates everything, so that 1,000 items last for the whole run.
        small = make_study(Path(folder) / "small.sqlite", items=1000, batch=1000, per_item=RATERS)
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
        large, full = (make_study(Path(folder) / name, items=50_000, batch=1000) for name in ("large", "full"))
        filled = our_verbs(full)
        full.do(lambda tx: [next(filled)(tx) for _ in range(10_000)])
        fill_with_revisions(full, stored)
        figures["inside the writer"] = in_turns(
            {
                "1,000 items": (small, ours),
                "50,000 items": (large, our_verbs(large)),
                f"50,000 items, {stored + 10_000:,} answers": (full, filled),
                "1,000 items, 5 questions": (small, our_verbs(small, questions=5, backwards=True)),
                "raw": (small, floor),
            }
        )
        figures["ms claim of 50, 2,000 items"] = round(claim_cost(make_study(Path(folder) / "c", 2000, 10)), 2)
        figures["ms claim of 50, 50,000 items"] = round(claim_cost(large), 2)
        worst = worst_claim(Store.open(Path(folder) / "worst.sqlite"), 20_000)
        figures["ms claim by one who has all 20,000 items"] = round(worst, 2)
    print(json.dumps(figures, indent=2, ensure_ascii=False))


if __name__ == "__main__":
    main()
