"""What is remembered of raters between submissions is what the rows say, whoever writes in between."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from quorate.records import Item, Slot
from quorate.store import Store, Tx
from quorate.store.hands import RememberingTx

DATABASES = ("sqlite",)
RATERS = ("R1", "R2", "R3")


def prepare(tx: Tx) -> None:
    """Three raters with links and work, in an open study of two sections."""
    items = [Item(f"i{n}", {}) for n in range(90)]
    tx.put_plan(items, [Slot(section, item.id, r) for section in ("a", "b") for item in items for r in range(3)])
    tx.add_event("opened")
    for rater in RATERS:
        tx.add_rater()
        tx.add_link(f"link-{rater}", "rater", rater)
        tx.set_progress(rater, step="work", section="a", status="work")
        tx.claim(rater, "a", 60)


@pytest.fixture
def ready(store: Store) -> Store:
    store.do(prepare)
    return store


def compared(tx: Tx, rater: str, assignment: str) -> None:
    """Asks what is remembered and what is stored, with the same words."""
    assert type(tx) is RememberingTx
    plain = Tx(tx.connection, tx._sql, tx._clock)
    link = f"link-{rater}"
    assert tx.standing(assignment, link) == plain.standing(assignment, link)
    known = plain.assignment(assignment)
    assert tx.assignment(assignment) == known
    assert known is not None
    for after in (0, known.position - 1, known.position, known.position + 3):
        for n in (1, 6):
            asked = (rater, known.section, after, n)
            assert tx.next_open_ids(*asked) == plain.next_open_ids(*asked)


def answered(tx: Tx, rater: str, assignment: str, key: str) -> Any:
    """One submission, as `collect` makes it; what is remembered is compared before and after it."""
    compared(tx, rater, assignment)
    found = tx.standing(assignment, f"link-{rater}")
    assert found is not None
    said = [{"question": "q", "value": key, "raw": key}, {"question": "r", "reason": "skipped"}]
    stored = tx.add_submission(key, rater, found.assignment, said, last=found.last)
    for coming in tx.next_open(rater, found.assignment.section, found.assignment.position, 2):
        compared(tx, rater, coming.id)
    return stored


def undone(tx: Tx, rater: str, key: str) -> None:
    """A verb that raises after it has written."""
    for mine in tx.next_open(rater, "a"):
        answered(tx, rater, mine.id, key)
    raise LookupError("undone")


def happening(rng: random.Random, clock: Any) -> Callable[[Tx], Any]:
    """Something else that somebody writes."""
    rater, section = rng.choice(RATERS), rng.choice("ab")

    def claim(tx: Tx) -> None:
        clock.forward(hours=rng.choice([0, 30]))
        tx.claim(rater, section, 3, clock() + timedelta(hours=1))

    return rng.choice(
        [
            claim,
            lambda tx: tx.release(rater, answered=False),
            lambda tx: tx.add_event("closed"),
            *[lambda tx: tx.add_event("opened")] * 3,
            *[lambda tx: tx.set_progress(rater, step="work", section=section, status="work")] * 2,
            lambda tx: tx.add_presentation(rater, None, {}),
            lambda tx: tx.rebuild_caches(),
        ]
    )


@pytest.mark.parametrize("seed", range(6))
def test_what_is_remembered_is_what_is_stored(ready: Store, clock: Any, seed: int) -> None:
    rng = random.Random(seed)

    async def step(number: int) -> None:
        rater = rng.choice(RATERS)
        mine = ready.read(lambda tx: tx.assignments(rater))
        kind = rng.random()
        if kind < 0.2:
            await ready.ado(happening(rng, clock))
        elif kind < 0.3:
            await asyncio.to_thread(ready.do, happening(rng, clock))
        elif kind < 0.35:
            with pytest.raises(LookupError):
                await ready.ado(lambda tx: undone(tx, rater, f"undone {number}"))
        elif mine:
            # Mostly the next one, sometimes one that was passed by, answered before, or lost.
            chosen = next((one for one in mine if not one.answered and not one.lost), mine[0])
            chosen = chosen if rng.random() < 0.8 else rng.choice(mine)
            await ready.ado(lambda tx: answered(tx, rater, chosen.id, f"k{number}"))

    async def work() -> None:
        for number in range(300):
            await step(number)

    asyncio.run(work())
    assert ready.read(lambda tx: tx.chain_faults()) == []
    assert len(ready.read(lambda tx: tx.latest_answers())) > 50


def test_a_rater_who_goes_on_is_looked_up_once_for_many_submissions(ready: Store) -> None:
    statements: list[str] = []

    def submit(tx: Tx) -> None:
        (mine,) = tx.next_open("R1", "a")
        execute = tx._execute
        tx._execute = lambda sql, *rest: statements.append(sql) or execute(sql, *rest)  # type: ignore[func-returns-value]
        try:
            found = tx.standing(mine.id, "link-R1")
            assert found is not None
            tx.add_submission(mine.id, "R1", mine, [{"question": "q", "value": "v"}], last=found.last)
            tx.next_open_ids("R1", "a", mine.position, 6)
        finally:
            tx._execute = execute

    async def work() -> None:
        for _ in range(20):
            await ready.ado(submit)

    asyncio.run(work())
    assert sum(sql.startswith("SELECT") for sql in statements) == 2
