"""A study on PostgreSQL is verified like one on SQLite."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from postgres import running
from quorate.collect.rehearsal import rehearse
from quorate.store import Store
from quorate.study import Study
from quorate.verify import verify
from words import words


@pytest.fixture
def url() -> Iterator[str]:
    with running() as server:
        if server is None:
            pytest.skip("PostgreSQL is not installed here: python tests/postgres.py --install")
        yield f"{server.url}?schema=study"


def test_a_study_on_postgresql_is_in_order_until_a_row_is_changed(url: str, tmp_path: Path) -> None:
    checks = "\nchecks:\n  gold: {from: gold.csv, id: id}\n  repeats: 2"
    folder = words(tmp_path / "s", "per_item: 2\nroster: 2\nescalate: {when: score, to: 3}" + checks)
    with Store.open(url) as store:
        study = Study(folder, store=store)
        store.do(study._put_plan)
        rehearse(store, study.protocol, seed=1, accuracy=0.5)
        found = verify(study.protocol, store)
        assert str(found).startswith("Nothing is wrong")
        assert found.looked_at["slots"] > 24
        with psycopg.connect(url.split("?")[0], autocommit=True) as connection:
            connection.execute("UPDATE study.answers SET value = '2', raw = '\"2\"' WHERE seq = 3 AND value <> '2'")
            connection.execute("UPDATE study.answers SET value = '5', raw = '\"5\"' WHERE seq = 4 AND value <> '5'")
        assert {finding.kind for finding in verify(study.protocol, store).findings} == {"chain"}
