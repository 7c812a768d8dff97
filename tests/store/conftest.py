"""A store on SQLite and on PostgreSQL, with a clock that the test moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from postgres import Server, running
from quorate.records import Assignment, Item, Shown, Slot
from quorate.store import Store, Tx
from quorate.store.migrate import migrate_postgresql
from quorate.store.postgresql import Place

DATABASES = ("sqlite", "postgresql")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Every test of a store runs on both databases; one that looks into SQLite's own file says so."""
    said = [mark for mark in metafunc.definition.iter_markers("parametrize") if "database" in mark.args[0]]
    if "database" in metafunc.fixturenames and not said:
        only = getattr(metafunc.function, "databases", getattr(metafunc.module, "DATABASES", DATABASES))
        metafunc.parametrize("database", only)


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


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A server, with an empty study in a template that databases are made from: migrations take a second."""
    with running() as server:
        if server is None:
            pytest.skip("PostgreSQL is not installed here: python tests/postgres.py --install")
        with psycopg.connect(server.url, autocommit=True) as connection:
            connection.execute("CREATE DATABASE made")
        migrate_postgresql(Place(server.address("made")))
        yield server


@pytest.fixture
def new_database(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[str], str]:
    """Makes an empty database of a kind; its address."""

    def make(kind: str) -> str:
        name = f"d{uuid4().hex}"
        if kind == "sqlite":
            return str(tmp_path / f"{name}.sqlite")
        server = request.getfixturevalue("postgres")
        with psycopg.connect(server.url, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE made")  # type: ignore[call-overload]
        return str(server.address(name))

    return make


@pytest.fixture
def address(database: str, path: Path, new_database: Callable[[str], str]) -> str:
    """Where the store is: a file, or a schema."""
    return str(path) if database == "sqlite" else new_database("postgresql")


@pytest.fixture
def store(address: str, clock: Clock) -> Iterator[Store]:
    with Store.open(address, clock=clock) as opened:
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
