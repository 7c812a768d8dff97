"""The database file is deleted, cut short or replaced under a store: nothing more is acknowledged, and it is said."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from quorate.errors import StoreError
from quorate.store import Store, Tx
from quorate.store.watch import Watch

DATABASES = ("sqlite",)


def write(tx: Tx) -> int:
    return tx.add_event("opened")


def events(path: Path) -> int:
    with Store.open(path, create=False) as store:
        return len(store.read(lambda tx: tx.events()))


def deleted(path: Path) -> None:
    path.unlink()


def moved(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))


def cut_short(path: Path) -> None:
    os.truncate(path, 100)


def emptied(path: Path) -> None:
    os.truncate(path, 0)


def replaced(path: Path) -> None:
    other = path.with_name("other")
    other.write_bytes(path.read_bytes())
    other.replace(path)


def without_log(path: Path) -> None:
    path.with_name(f"{path.name}-wal").unlink()


def with_other_index(path: Path) -> None:
    index = path.with_name(f"{path.name}-shm")
    index.unlink()
    index.write_bytes(b"")


def overwritten(path: Path) -> None:
    path.write_bytes(os.urandom(path.stat().st_size))


def emptied_and_grown(path: Path) -> None:
    size = path.stat().st_size
    os.truncate(path, 0)
    os.truncate(path, size)


def of_another_study(path: Path) -> None:
    """A copy of another study's database over it, in place, as `cp` does."""
    other = path.with_name("another.sqlite")
    with Store.open(other) as store:
        store.do(write)
    shutil.copyfile(other, path)


def moved_and_linked(path: Path) -> None:
    """Its log stays behind, and others would look for it where the file is now."""
    moved(path)
    path.symlink_to("elsewhere")


def log(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def with_emptied_log(path: Path) -> None:
    os.truncate(log(path), 0)


def with_half_a_log(path: Path) -> None:
    os.truncate(log(path), log(path).stat().st_size // 2)


def with_overwritten_log(path: Path) -> None:
    log(path).write_bytes(os.urandom(log(path).stat().st_size))


def with_older_log(path: Path) -> None:
    """The log of a moment ago over the one of now, in place, as a restore or a sync tool does."""
    older = log(path).read_bytes()
    with sqlite3.connect(path) as other:
        other.execute("INSERT INTO settings (name, value) VALUES ('later', '1')")
    other.close()
    log(path).write_bytes(older)


def with_emptied_log_that_grew(path: Path) -> None:
    size = log(path).stat().st_size
    os.truncate(log(path), 0)
    os.truncate(log(path), size)


HARM = [deleted, moved, cut_short, emptied, replaced, without_log, with_other_index]
HARM += [overwritten, emptied_and_grown, of_another_study, moved_and_linked]
HARM += [with_emptied_log, with_half_a_log, with_overwritten_log, with_older_log, with_emptied_log_that_grew]


@pytest.mark.parametrize("harm", HARM)
def test_nothing_is_acknowledged_into_a_file_that_is_gone(
    store: Store, path: Path, harm: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    store.do(write)
    harm(path)
    for again in range(2):
        with pytest.raises(StoreError, match="nothing is stored now"):
            store.do(write)
        with pytest.raises(StoreError, match="nothing is stored now"):
            asyncio.run(store.ado(write))
        with pytest.raises(StoreError, match="nothing is stored now"):
            store.read(lambda tx: tx.events())
        with pytest.raises(StoreError, match="nothing is stored now"):
            store.backup(path.with_name(f"copy{again}"))
    assert len([one for one in caplog.records if one.levelname == "CRITICAL"]) == 1


@pytest.mark.parametrize("harm", [deleted, replaced, without_log])
def test_what_was_acknowledged_is_in_the_copy_that_is_rescued(
    store: Store, path: Path, harm: Callable[[Path], None]
) -> None:
    for _ in range(20):
        store.do(write)
    harm(path)
    with pytest.raises(StoreError, match=r"was copied to study\.rescued-\w+\.sqlite"):
        store.do(write)
    (copy,) = path.parent.glob("study.rescued-*.sqlite")
    assert events(copy) == 20


def test_a_file_that_is_put_back_goes_on(store: Store, path: Path) -> None:
    store.do(write)
    moved(path)
    with pytest.raises(StoreError):
        store.do(write)
    path.with_name("elsewhere").rename(path)
    store.do(write)
    asyncio.run(store.ado(write))
    assert len(store.read(lambda tx: tx.events())) == 3


def test_a_file_that_vanishes_while_a_group_is_written_is_not_acknowledged(store: Store, path: Path) -> None:
    def vanish(tx: Tx) -> None:
        write(tx)
        path.unlink(missing_ok=True)

    with pytest.raises(StoreError, match="nothing is stored now"):
        store.do(vanish)
    with pytest.raises(StoreError, match="nothing is stored now"):
        asyncio.run(store.ado(write))


def test_a_copy_put_over_the_file_in_place_goes_on(store: Store, path: Path, tmp_path: Path) -> None:
    store.do(write)
    copy = store.backup(tmp_path / "copy.sqlite")
    store.do(write)
    shutil.copyfile(copy, path)
    store.do(write)
    store.close()
    assert events(path) == 3


def test_an_older_copy_over_a_file_that_was_written_to_since_is_noticed(
    store: Store, path: Path, tmp_path: Path
) -> None:
    def fold() -> None:
        other = sqlite3.connect(path)
        assert other.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()[0] == 0
        other.close()

    copy = store.backup(tmp_path / "copy.sqlite")
    for _ in range(60):
        store.do(write)
    fold()
    store.do(write)
    shutil.copyfile(copy, path)
    for _ in range(2):
        with pytest.raises(StoreError, match="an older copy was written over it"):
            store.do(write)
        with pytest.raises(StoreError, match="an older copy was written over it"):
            asyncio.run(store.ado(write))


def test_a_log_that_others_fold_back_and_begin_anew_is_whole(store: Store, path: Path) -> None:
    """What other programs may do to a database that is in use, in all four ways that SQLite has."""
    for how in ("PASSIVE", "FULL", "RESTART", "TRUNCATE") * 3:
        asyncio.run(store.ado(write))
        store.do(write)
        other = sqlite3.connect(path)
        other.execute(f"PRAGMA wal_checkpoint({how})")
        other.close()
        assert store.read(lambda tx: tx.events())
    assert len(store.read(lambda tx: tx.events())) == 24


def test_a_file_that_is_packed_meanwhile_goes_on(store: Store, path: Path) -> None:
    def much(tx: Tx) -> None:
        tx.connection.execute("CREATE TABLE much (x TEXT)")
        tx.connection.execute("INSERT INTO much VALUES (hex(zeroblob(3000000)))")

    store.do(much)
    store.do(lambda tx: tx.connection.execute("DROP TABLE much"))
    size = path.stat().st_size
    other = sqlite3.connect(path)
    other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = max(size, path.stat().st_size)
    store.do(write)
    other.execute("VACUUM")
    other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    other.close()
    assert path.stat().st_size < before
    store.do(write)
    assert len(store.read(lambda tx: tx.events())) == 2


def test_a_file_that_was_overwritten_answers_with_a_sentence(store: Store, path: Path) -> None:
    """Its pages are garbage: nobody is kept waiting, and nobody reads that everything is safe."""
    store.do(write)
    with sqlite3.connect(path) as other:
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    other.close()
    path.write_bytes(os.urandom(path.stat().st_size))

    async def wait() -> None:
        await asyncio.wait_for(store.ado(write), 20)

    with pytest.raises(StoreError, match="something else was written over it"):
        asyncio.run(wait())


@pytest.mark.parametrize("harm", [deleted, emptied])
@pytest.mark.parametrize("create", [True, False])
def test_no_new_study_is_begun_over_the_log_of_one_that_is_gone(
    path: Path, tmp_path: Path, harm: Callable[[Path], None], create: bool
) -> None:
    with Store.open(path) as store:
        store.do(write)
        # As a server that is killed leaves them.
        left = tmp_path / "left"
        left.mkdir()
        for name in (path.name, f"{path.name}-wal"):
            shutil.copy(path.with_name(name), left)
    harm(left / path.name)
    with pytest.raises(StoreError, match="still holds a part of it"):
        Store.open(left / path.name, create=create)
    assert (left / f"{path.name}-wal").stat().st_size


def test_what_many_threads_find_at_once_is_told_and_copied_once(tmp_path: Path) -> None:
    path, rescues, errors = tmp_path / "study.sqlite", [], []
    Store.open(path).close()
    at_once = threading.Barrier(8)

    def rescue() -> Path:
        rescues.append(path)
        time.sleep(0.1)  # a copy takes its time, and the others look meanwhile
        return path

    with closing(sqlite3.connect(path)) as connection:
        mark = connection.execute("PRAGMA application_id").fetchone()[0]
    watch = Watch(path, mark, rescue)
    watch.look()
    path.unlink()

    def look() -> None:
        at_once.wait()
        try:
            watch.look()
        except StoreError as error:
            errors.append(str(error))

    threads = [threading.Thread(target=look) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    watch.close()
    assert len(rescues) == 1
    assert len(errors) == 8
    assert all("was copied to" in error for error in errors)
