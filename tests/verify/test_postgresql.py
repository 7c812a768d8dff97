"""A study on PostgreSQL is verified like one on SQLite: each fault that is planted is found and told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from planted import Rehearsed

from postgres import Server, running
from quorate.collect.rehearsal import rehearse
from quorate.store import Store
from quorate.store.move import copy_study
from quorate.study import Study
from quorate.verify import verify
from words import words


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running() as started:
        if started is None:
            pytest.skip("PostgreSQL is not installed here: python tests/postgres.py --install")
        yield started


def test_a_study_that_was_run_on_postgresql_is_in_order(server: Server, tmp_path: Path) -> None:
    checks = "\nchecks:\n  gold: {from: gold.csv, id: id}\n  repeats: 2"
    folder = words(tmp_path / "s", "per_item: 2\nroster: 2\nescalate: {when: score, to: 3}" + checks)
    with Store.open(f"{server.url}?schema=s{uuid4().hex}") as store:
        study = Study(folder, store=store)
        store.do(study._put_plan)
        rehearse(store, study.protocol, seed=1, accuracy=0.5)
        found = verify(study.protocol, store)
    assert str(found).startswith("Nothing is wrong")
    assert found.looked_at["slots"] > 24


#: What a careless hand does, each to another rater or item, and what has to be told of it.
FAULTS = {
    "R1: answer 1 (": "UPDATE answers SET value = raw WHERE seq = 1",
    "R1, compare, position 2: ": """UPDATE assignments SET shown = replace(replace(replace(shown, '"left"', '"x"'),
        '"right"', '"left"'), '"x"', '"right"') WHERE rater = 'R1' AND position = 2""",
    "which this study never had.": "UPDATE answers SET protocol = 'deadbeefdeadbeef' WHERE seq = 20",
    "there is no assignment of this rater that it belongs to.": "UPDATE answers SET position = 99 WHERE seq = 28",
    "and is drawn for position 8.": "UPDATE assignments SET position = 80 WHERE rater = 'R2' AND position = 8",
}


def test_each_fault_that_is_planted_on_postgresql_is_told(
    server: Server, rehearsed: Callable[[str], Rehearsed]
) -> None:
    study, schema = rehearsed("media-preference"), f"s{uuid4().hex}"
    with Store.open(study.path) as source, Store.open(f"{server.url}?schema={schema}") as store:
        copy_study(source, store)
        assert verify(study.protocol, store).ok
        with psycopg.connect(server.url, autocommit=True) as connection:
            connection.execute(f"SET search_path TO {schema}")
            for planted in FAULTS.values():
                assert connection.execute(planted).rowcount, f"nothing was planted by: {planted}"
        told = str(verify(study.protocol, store))
    assert not [line for line in FAULTS if line not in told]
