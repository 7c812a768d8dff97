"""Every cache, thrown away and made again from the rows that are only added, is the same."""

from __future__ import annotations

from datetime import timedelta

import pytest

from quorate.chance import draw
from quorate.records import Assignment
from quorate.store import Store

CACHES = (
    "SELECT id, rater, lease_until, open, fill FROM slots ORDER BY id",
    "SELECT id, answered, revision, lost FROM assignments ORDER BY id",
    "SELECT * FROM tallies ORDER BY rater, section",
)


def caches(store: Store) -> list[list[tuple[object, ...]]]:
    return [store.read(lambda tx, sql=sql: tx.connection.execute(sql).fetchall()) for sql in CACHES]


def live_through(small, store: Store, clock, seed: int) -> None:
    """Raters come, answer some, revise, dawdle, lose leases, come back late, and leave."""
    small.plan("abcdefghij", repeats=3, rounds=2)
    raters = [small.rater() for _ in range(6)]
    held: list[Assignment] = []
    for step in range(120):
        rater = raters[draw(seed, "who", step) % len(raters)]
        what = draw(seed, "what", step) % 10
        if what < 3:
            lease = clock() + timedelta(minutes=20) if what else None
            held += small.claim(rater, 1 + step % 3, lease_until=lease, round=1 + step % 2)
        elif what < 9 and held:
            small.submit(held[draw(seed, "which", step) % len(held)], key=f"k{step}")
        elif what == 9:
            store.do(lambda tx, rater=rater, all=step % 2 == 0: tx.release(rater, answered=all))
        clock.forward(minutes=draw(seed, "minutes", step) % 10)
    # A claim notes what has lapsed by now, as a rebuilt cache does.
    for round in (1, 2):
        small.claim(small.rater(), 1, round=round)


@pytest.mark.parametrize("seed", range(5))
def test_rebuilt_caches_equal_the_caches_kept(small, store: Store, clock, seed: int) -> None:
    live_through(small, store, clock, seed)
    kept = caches(store)
    assert {row[1] == 1 for row in kept[1]} == {True, False}
    assert any(row[3] for row in kept[1])
    store.do(lambda tx: tx.rebuild_caches())
    assert caches(store) == kept


def test_caches_that_were_spoilt_are_put_right(small, store: Store, clock) -> None:
    live_through(small, store, clock, 1)
    kept = caches(store)
    for sql in (
        "UPDATE slots SET rater = 'R1', open = 0, fill = 7, lease_until = NULL",
        "UPDATE assignments SET answered = 1 - answered, revision = 9, lost = position",
        "DELETE FROM tallies",
    ):
        store.do(lambda tx, sql=sql: tx.connection.execute(sql))
    assert caches(store) != kept
    store.do(lambda tx: tx.rebuild_caches())
    assert caches(store) == kept
