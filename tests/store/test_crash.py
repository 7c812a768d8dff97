"""Kill the process at any instant: what was acknowledged is there, whole, and is stored once when it is sent again."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from quorate.records import Item, Slot
from quorate.store import Store, Tx

RATERS = 8
ITEMS = 400
# Raters submit from threads of their own, and say so on standard output once the store has acknowledged it. They never
# come to the end, however late they are killed.
LOAD = """
import os, sys, threading
from quorate.store import Store

store = Store.open(sys.argv[1], create=False)

def rate(rater):
    for number, one in enumerate(store.read(lambda tx: tx.next_open(rater, "s", 0, 1000))):
        if number == int(sys.argv[3]):
            sys.stdin.read()
        answers = [{"question": question, "value": one.item} for question in ("q", "r")]
        store.do(lambda tx: tx.add_submission(f"key-{one.id}", rater, one.id, answers, {"visible": 1.5}))
        os.write(1, f"key-{one.id}\\n".encode())

threads = [threading.Thread(target=rate, args=(f"R{n + 1}",)) for n in range(int(sys.argv[2]))]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
os.write(1, b"end\\n")
"""


def make_study(path: Path) -> None:
    def fill(tx: Tx) -> None:
        items = [Item(f"i{n}", {}) for n in range(ITEMS)]
        tx.put_plan(items, [Slot("s", item.id, repeat) for item in items for repeat in range(RATERS)])
        for _ in range(RATERS):
            tx.claim(tx.add_rater().id, "s", ITEMS)

    with Store.open(path) as store:
        store.do(fill)


def load_until_killed(path: Path, after: int) -> list[str]:
    """The keys that were acknowledged before the process was killed, after so many of them."""
    command = [sys.executable, "-c", LOAD, str(path), str(RATERS), str(ITEMS - 50)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None
    assert process.stdout is not None
    acknowledged = [process.stdout.readline().strip() for _ in range(after)]
    process.kill()
    rest = process.stdout.read().split("\n")[:-1]  # the last line may have been cut short
    process.stdin.close()
    process.wait()
    return [*acknowledged, *rest]


@pytest.mark.parametrize("after", [1, 250])
def test_every_acknowledged_answer_survives_a_kill(path: Path, after: int) -> None:
    make_study(path)
    acknowledged = load_until_killed(path, after)
    assert "end" not in acknowledged
    with Store.open(path, create=False) as store:
        assert all(store.read(lambda tx, key=key: tx.has_submission(key)) for key in acknowledged)
        answers = store.read(lambda tx: tx.all_answers())
        assert len(answers) >= 2 * len(acknowledged)
        assert len({(answer.rater, answer.item, answer.question) for answer in answers}) == len(answers)
        # Both answers of a submission are there, or neither is.
        assert [a.question for a in answers] == ["q", "r"] * (len(answers) // 2)
        counted = sum(store.read(lambda tx, n=n: tx.counts(f"R{n + 1}", "s"))[0] for n in range(RATERS))
        assert counted == len(answers) // 2
        assert store._connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert store._connection.execute("PRAGMA foreign_key_check").fetchall() == []


def test_what_is_sent_again_after_a_kill_is_stored_once(path: Path) -> None:
    make_study(path)
    load_until_killed(path, 100)

    def again(tx: Tx) -> list[str]:
        answers = [{"question": question, "value": "again"} for question in ("q", "r")]
        return [
            tx.add_submission(f"key-{one.id}", one.rater, one.id, answers).outcome
            for one in tx.assignments()
            if one.answered
        ]

    with Store.open(path, create=False) as store:
        before = store.read(lambda tx: tx.all_answers())
        assert set(store.do(again)) == {"repeated"}
        assert store.read(lambda tx: tx.all_answers()) == before
