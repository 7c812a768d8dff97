"""People from a platform: the consent takes the place, exactly as many as there are, and one browser holds an id."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import pytest

from postgres import Server, running
from quorate.collect import arrivals, way
from quorate.collect.links import places_left
from quorate.errors import StaleError
from quorate.store import Store, Tx
from quorate.study import Study
from words import words

CAP = 5


@dataclass
class Served:
    """An open study with five places, and a store of each of its two workers."""

    study: Study
    stores: list[Store]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running() as started:
        if started is None:
            pytest.skip("PostgreSQL is not installed here: python tests/postgres.py --install")
        yield started


@pytest.fixture(params=["sqlite", "postgresql"])
def served(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Served]:
    folder = words(tmp_path / "s", f"per_item: 3\nbatch: 2\ncap: {CAP}\nplatform: {{}}")
    where = str(folder / "study.sqlite")
    if request.param == "postgresql":
        where = f"{request.getfixturevalue('server').url}?schema=s{uuid4().hex}"
    with Store.open(where) as one, Store.open(where) as other:
        study = Study(folder, store=one)
        study.prepare()
        one.do(way.open_study)
        yield Served(study, [one, other])


def at_once(served: Served, people: list[tuple[str, str]]) -> list[object]:
    """Everybody agrees at the same moment, each with an id and the word of a browser; what came of it."""
    found: list[object] = [None] * len(people)
    ready = threading.Barrier(len(people))

    def agree(number: int, id: str, word: str) -> None:
        ready.wait()
        try:
            found[number] = served.stores[number % 2].do(
                lambda tx: arrivals.decide(tx, served.study.protocol, id, "", word, agree=True, language="en")
            )
        except StaleError as error:
            found[number] = error

    threads = [threading.Thread(target=agree, args=(number, *one)) for number, one in enumerate(people)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def test_however_many_agree_at_once_as_many_come_in_as_there_are_places(served: Served) -> None:
    came = at_once(served, [(f"person {number}", f"word {number}") for number in range(24)])
    assert sum(entry is not None for entry in came) == CAP
    assert len({entry.person for entry in came if entry is not None}) == CAP  # type: ignore[attr-defined]
    assert len(served.study.store.read(Tx.raters)) == CAP
    assert served.study.store.read(lambda tx: places_left(tx, served.study.protocol)) == 0


def test_of_browsers_that_agree_at_once_under_one_id_one_holds_it(served: Served) -> None:
    came = at_once(served, [("the same", f"word {number}") for number in range(8)])
    assert sum(isinstance(entry, StaleError) for entry in came) == 7
    assert len(served.study.store.read(Tx.raters)) == 1
