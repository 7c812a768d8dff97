"""Opening, reopening, refusing, reading, and copying a study's database."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import psycopg
import pytest

from postgres import sqlite_only
from quorate.errors import StoreError
from quorate.store import Store, Tx


def test_a_store_opened_again_holds_what_was_written(path: Path) -> None:
    with Store.open(path) as store:
        store.do(lambda tx: tx.add_rater("law"))
        secret = store.read(lambda tx: tx.setting("secret"))
    with Store.open(path, create=False) as store:
        assert [rater.panel for rater in store.read(lambda tx: tx.raters())] == ["law"]
        assert store.read(lambda tx: tx.setting("secret")) == secret


def test_each_store_has_a_secret_of_its_own(tmp_path: Path) -> None:
    def secret(name: str) -> str | None:
        with Store.open(tmp_path / name) as store:
            return store.read(lambda tx: tx.setting("secret"))

    first, second = secret("a"), secret("b")
    assert first is not None
    assert len(bytes.fromhex(first)) == 32
    assert first != second


@sqlite_only
def test_a_commit_waits_for_the_disk(store: Store) -> None:
    def pragmas(tx: Tx) -> list[object]:
        names = ("journal_mode", "synchronous", "foreign_keys")
        return [tx.connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names]

    assert store.do(pragmas) == ["wal", 2, 1]


def test_a_url_is_a_path_too(path: Path) -> None:
    Store.open(f"sqlite:///{path}").close()
    assert path.exists()


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("nowhere/study.sqlite", "does not exist. Make it first"),
        (".", "this is a folder"),
        ("text.sqlite", "not a database"),
        ("other.sqlite", "was not made by Quorate"),
        ("newer.sqlite", "made by a newer Quorate"),
    ],
)
def test_a_place_that_cannot_be_a_store_is_refused_with_a_sentence(tmp_path: Path, name: str, sentence: str) -> None:
    (tmp_path / "text.sqlite").write_text("To whom it may concern, " * 100)
    with sqlite3.connect(tmp_path / "other.sqlite") as other:
        other.execute("CREATE TABLE bookmarks (url TEXT)")
    Store.open(tmp_path / "newer.sqlite").close()
    with sqlite3.connect(tmp_path / "newer.sqlite") as newer:
        newer.execute("UPDATE alembic_version SET version_num = '9999'")
    before = sorted((file.name, file.read_bytes()) for file in tmp_path.iterdir() if file.suffix == ".sqlite")
    with pytest.raises(StoreError, match=sentence):
        Store.open(tmp_path / name)
    after = sorted((file.name, file.read_bytes()) for file in tmp_path.iterdir() if file.suffix == ".sqlite")
    assert after == before


def test_nothing_is_made_where_only_opening_was_asked(path: Path) -> None:
    with pytest.raises(StoreError, match="no database yet"):
        Store.open(path, create=False)
    assert not path.exists()


def test_a_kind_of_database_that_is_not_known_is_refused_and_its_password_not_repeated() -> None:
    with pytest.raises(StoreError, match="not supported") as refused:
        Store.open("mysql://me:hunter2@host/study")
    assert "hunter2" not in str(refused.value)


def test_a_database_held_by_another_program_is_refused_with_a_sentence(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quorate.store.sqlite.BUSY_SECONDS", 0.01)
    with Store.open(path) as store:
        holder = sqlite3.connect(path, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="another program holds the database"):
            store.do(lambda tx: tx.add_rater())
        holder.execute("COMMIT")
        assert store.do(lambda tx: tx.add_rater()).id == "R1"


def test_a_reader_sees_one_moment_while_others_write(store: Store) -> None:
    def twice(tx: Tx) -> tuple[int, int]:
        first = len(tx.raters())
        store.do(lambda other: other.add_rater())
        return first, len(tx.raters())

    assert store.read(twice) == (0, 0)
    assert len(store.read(lambda tx: tx.raters())) == 1


def test_a_reader_cannot_write(store: Store) -> None:
    with pytest.raises((sqlite3.OperationalError, psycopg.errors.ReadOnlySqlTransaction), match=r"read-?only"):
        store.read(lambda tx: tx.add_rater())
    assert store.do(lambda tx: tx.raters()) == ()


def test_a_closed_store_takes_nothing_more(path: Path) -> None:
    store = Store.open(path)
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.do(lambda tx: tx.add_rater())
    with pytest.raises(StoreError, match="closed"):
        store.read(lambda tx: tx.raters())


def test_a_backup_taken_while_others_write_is_whole(store: Store, tmp_path: Path) -> None:
    stop = threading.Event()
    written: list[int] = []

    def pair(tx: Tx) -> None:
        tx.add_event("left")
        tx.add_event("right")

    def write() -> None:
        while not stop.is_set():
            store.do(pair)
            written.append(1)

    writer = threading.Thread(target=write)
    writer.start()
    copies = []
    while len(copies) < 3:
        before = len(written)
        copies.append((before, store.backup(tmp_path / f"copy{len(copies)}.sqlite")))
    stop.set()
    writer.join()
    for before, copy in copies:
        with Store.open(copy, create=False) as copied:
            kinds = [event.kind for event in copied.read(lambda tx: tx.events())]
            assert kinds == ["left", "right"] * (len(kinds) // 2)
            assert len(kinds) // 2 >= before
            assert copied.read(lambda tx: tx.setting("secret")) == store.read(lambda tx: tx.setting("secret"))


def test_a_backup_is_one_file_and_overwrites_nothing(store: Store, tmp_path: Path) -> None:
    copy = store.backup(tmp_path / "copy.sqlite")
    assert [file.name for file in tmp_path.glob("copy*")] == ["copy.sqlite"]
    with pytest.raises(StoreError, match="is there already"):
        store.backup(copy)


def test_a_running_store_imports_no_sqlalchemy(path: Path) -> None:
    Store.open(path).close()
    code = (
        "import sys; from quorate.store import Store; s = Store.open(sys.argv[1]); s.do(lambda tx: tx.add_rater()); "
        "s.close(); print(sorted({'sqlalchemy', 'alembic', 'numpy', 'polars'} & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_two_processes_may_write_to_one_study(store: Store, address: str) -> None:
    code = (
        "import sys; from quorate.store import Store; s = Store.open(sys.argv[1], create=False)\n"
        "for _ in range(50): s.do(lambda tx: tx.add_rater())\n"
        "s.close()"
    )
    other = subprocess.Popen([sys.executable, "-c", code, address])
    for _ in range(50):
        store.do(lambda tx: tx.add_rater())
    assert other.wait() == 0
    assert [rater.place for rater in store.read(lambda tx: tx.raters())] == list(range(1, 101))


@sqlite_only
def test_a_database_and_its_copies_are_for_their_owner_alone_from_the_beginning(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with Store.open(tmp_path / "study.sqlite") as store:
            store.do(lambda tx: tx.add_rater())
            store.backup(tmp_path / "copy.sqlite")
            found = {path.name: oct(path.stat().st_mode & 0o777) for path in tmp_path.iterdir()}
    finally:
        os.umask(before)
    assert found == dict.fromkeys(("study.sqlite", "study.sqlite-wal", "study.sqlite-shm", "copy.sqlite"), "0o600")
