"""A store in a temporary folder, with a clock that the test moves."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from quorate.records import Assignment, Item, Shown, Slot
from quorate.store import Store, Tx


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.time = datetime(2026, 11, 2, 9, 30, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time

    def forward(self, **delta: float) -> None:
        self.time += timedelta(**delta)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "study.sqlite"


@pytest.fixture
def store(path: Path, clock: Clock) -> Iterator[Store]:
    with Store.open(path, clock=clock) as opened:
        yield opened


class Small:
    """A store with a plan of items `a`, `b`, … in section `s`, and raters who claim from it."""

    def __init__(self, store: Store):
        self.store = store

    def plan(self, items: str = "abc", repeats: int = 1, section: str = "s", rounds: int = 1) -> None:
        """Slots in the order of the items, all repeats of an item together."""
        shown = Shown(sides={"left": "A"}, options={"q": ("x", "y")})
        slots = [
            Slot(section, item, repeat, stratum="all", shown=shown, round=round)
            for round in range(1, rounds + 1)
            for item in items
            for repeat in range(repeats)
        ]
        self.store.do(lambda tx: tx.put_plan([Item(item, {"name": item.upper()}) for item in items], slots))

    def rater(self) -> str:
        return self.store.do(lambda tx: tx.add_rater()).id

    def claim(self, rater: str, n: int = 100, **rest: object) -> tuple[Assignment, ...]:
        return self.store.do(lambda tx: tx.claim(rater, "s", n, **rest))  # type: ignore[arg-type]

    def submit(self, assignment: Assignment, value: object = "x", key: str = "") -> tuple[str, int]:
        def verb(tx: Tx) -> tuple[str, int]:
            answers = [{"question": "q", "value": value, "raw": value}]
            name = key or f"{assignment.id}/{len(tx.all_answers())}"
            return tx.add_submission(name, assignment.rater, assignment.id, answers, {"visible": 2.5}, protocol="h")

        return self.store.do(verb)


@pytest.fixture
def small(store: Store) -> Small:
    return Small(store)
