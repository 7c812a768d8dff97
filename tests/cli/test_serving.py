"""The real server under many raters at once, killed in mid-load, on both databases."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest

from crowd import Rater, Server, everybody, look, make_study, work_all
from postgres import Server as Postgres
from postgres import running
from quorate.cli.serve import serve
from quorate.errors import StudyError
from words import words

DATABASES = ("sqlite", "postgresql")


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    with running() as server:
        if server is None:
            pytest.skip("PostgreSQL is not installed here: python tests/postgres.py --install")
        yield server


@pytest.fixture
def database(request: pytest.FixtureRequest) -> str:
    """ "" for SQLite in the study's folder, or the address of a schema."""
    if request.param == "sqlite":
        return ""
    return f"{request.getfixturevalue('postgres').url}?schema=s{uuid4().hex}"


@pytest.mark.parametrize("k", [1, 3])
@pytest.mark.parametrize("database", DATABASES, indirect=True)
def test_32_raters_at_once_give_every_item_its_answers_and_no_more(tmp_path: Path, database: str, k: int) -> None:
    folder = tmp_path / "study"
    paths = make_study(folder, database, n_items=40, n_raters=32, k=k, batch=-(-40 * k // 32) + 1)
    server = Server(folder, database, workers=2 if database else 1)
    server.start()
    try:
        raters = work_all(server.port, paths)
    finally:
        server.stop()
    assert look(folder, database, raters).is_exact(40, k)
    assert sum(len(rater.acknowledged) for rater in raters) == 40 * k


@pytest.mark.parametrize("database", DATABASES, indirect=True)
def test_what_was_acknowledged_survives_a_kill_and_what_is_sent_again_is_stored_once(
    tmp_path: Path, database: str
) -> None:
    folder = tmp_path / "study"
    paths = make_study(folder, database, n_items=30, n_raters=8, k=2, batch=10)
    server = Server(folder, database, workers=2 if database else 1)
    server.start()
    done: list[Rater] = []
    crowd = threading.Thread(target=lambda: done.extend(work_all(server.port, paths)))
    crowd.start()
    try:
        crowd.join(0.5)
        server.kill()
        server.start()
        crowd.join(600)
    finally:
        server.stop()
    assert done
    assert look(folder, database, done).is_exact(30, 2)


def put_rescued_copy_back(file: Path, server: Server) -> None:
    """What the server's sentence says: stop it, put the copy in the place of the file, start again."""
    server.stop()
    (copy,) = file.parent.glob("study.rescued-*.sqlite")
    for end in ("-wal", "-shm"):
        file.with_name(file.name + end).unlink(missing_ok=True)
    copy.replace(file)
    server.start()


def replace(file: Path) -> None:
    other = file.with_name("other")
    other.write_bytes(file.read_bytes())
    other.replace(file)


@pytest.mark.parametrize(
    ("harm", "put_back"),
    [
        (Path.unlink, put_rescued_copy_back),
        (replace, put_rescued_copy_back),
        (lambda file: file.rename(f"{file}.away"), lambda file, _: Path(f"{file}.away").rename(file)),
        (
            lambda file: (shutil.copy(file, f"{file}.copy"), os.truncate(file, 0)),
            lambda file, _: shutil.copyfile(f"{file}.copy", file),
        ),
    ],
    ids=["deleted", "replaced", "moved", "emptied"],
)
def test_nothing_is_acknowledged_while_the_database_is_gone_and_nothing_is_lost_when_it_is_back(
    tmp_path: Path,
    harm: Callable[[Path], Any],
    put_back: Callable[[Path, Server], Any],
    capfd: pytest.CaptureFixture[str],
) -> None:
    folder = tmp_path / "study"
    paths = make_study(folder, "", n_items=60, n_raters=3, k=1, batch=20)
    server, file = Server(folder), folder / "study.sqlite"
    raters: list[Rater] = []
    is_harmed = threading.Event()

    class Slow(Rater):
        """Is not done before the file is gone, however long that takes."""

        async def _answer(self, place: str, page: str) -> None:
            while len(self.acknowledged) == 15 and not is_harmed.is_set():
                await asyncio.sleep(0.01)
            await super()._answer(place, page)

    server.start()
    crowd = threading.Thread(target=lambda: asyncio.run(everybody(server.port, paths, raters, Slow)))
    crowd.start()
    try:
        while sum(len(rater.acknowledged) for rater in raters) < 10:
            crowd.join(0.001)
            assert crowd.is_alive()
        harm(file)
        is_harmed.set()
        link = f"http://127.0.0.1:{server.port}{paths[0]}"
        while (status := httpx.get(link, timeout=60).status_code) < 500:
            assert crowd.is_alive()
        # Whoever has been refused has heard of all that was acknowledged before.
        before = [rater.refused for rater in raters]
        while any(rater.refused == n for rater, n in zip(raters, before, strict=True)):
            crowd.join(0.001)
            assert crowd.is_alive()
        n = [len(rater.acknowledged) for rater in raters]
        assert {status, *(httpx.get(link, timeout=60).status_code for _ in range(20))} == {503}
        assert [len(rater.acknowledged) for rater in raters] == n
        put_back(file, server)
        crowd.join(600)
        assert not crowd.is_alive()
    finally:
        server.stop()
    assert sum(len(rater.acknowledged) for rater in raters) == 60
    assert look(folder, "", raters).is_exact(60, 1)
    assert "nothing is stored now" in capfd.readouterr().err


def test_a_worker_that_dies_is_replaced(tmp_path: Path, postgres: Postgres) -> None:
    folder, database = tmp_path / "study", f"{postgres.url}?schema=s{uuid4().hex}"
    paths = make_study(folder, database, n_items=10, n_raters=2, k=1, batch=10)
    server = Server(folder, database, workers=2)
    server.start()
    try:
        while len(server.processes()) < 3:
            pass  # one of them answers already
        parent, first, second = server.processes()
        os.kill(first, signal.SIGKILL)
        while (now := set(server.processes())) == {parent, first, second} or len(now) < 3:
            assert server.process is not None
            assert server.process.poll() is None
        raters = work_all(server.port, paths)
    finally:
        server.stop()
    assert look(folder, database, raters).is_exact(10, 1)


def test_workers_that_die_while_the_database_is_away_come_back_with_it(tmp_path: Path, postgres: Postgres) -> None:
    folder, database = tmp_path / "study", f"{postgres.url}?schema=s{uuid4().hex}"
    paths = make_study(folder, database, n_items=10, n_raters=2, k=1, batch=10)
    server = Server(folder, database, workers=2)
    server.start()
    try:
        work_all(server.port, paths[:1])
        postgres.kill()
        for worker in server.processes()[1:]:
            os.kill(worker, signal.SIGKILL)
        postgres.start()
        raters = work_all(server.port, paths[1:])
    finally:
        server.stop()
    assert look(folder, database, raters).per_item.total() == 10


def test_sqlite_refuses_more_than_one_worker_and_says_why(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match=r"one writer at a time.*quorate move"):
        serve(words(tmp_path / "study", "per_item: 1"), port=0, workers=2)


def test_a_server_starts_without_what_it_does_not_need() -> None:
    heavy = ("numpy", "scipy", "pandas", "polars", "PIL", "sqlalchemy", "alembic", "psycopg", "httpx", "markdown_it")
    rooms = "quorate.cli.serve, quorate.cli.workers, quorate.study, quorate.web.app, quorate.web.serving"
    program = f"import sys, {rooms}; print([name for name in {heavy!r} if name in sys.modules])"
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert told.strip() == "[]"
