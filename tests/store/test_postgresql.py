"""What PostgreSQL alone can do to a store: several writers, broken connections, schemas, and copies to and from it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import psycopg
import pytest

from quorate.errors import StoreError
from quorate.store import Store, Tx
from quorate.store.move import copy_study
from quorate.store.postgresql import Place

DATABASES = ("postgresql",)


@pytest.fixture
def other(store: Store, address: str) -> Iterator[Store]:
    """A second process's store, on the same study."""
    with Store.open(address) as opened:
        yield opened


def both(*verbs: Callable[[], object]) -> None:
    threads = [threading.Thread(target=verb) for verb in verbs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_writers_that_meet_at_one_number_both_get_one(store: Store, other: Store) -> None:
    def add(to: Store) -> None:
        for _ in range(40):
            to.do(lambda tx: tx.add_rater())

    both(lambda: add(store), lambda: add(other))
    assert [rater.place for rater in store.read(lambda tx: tx.raters())] == list(range(1, 81))


def test_answers_of_one_rater_sent_to_two_writers_stay_one_chain(small, store: Store, other: Store) -> None:
    small.plan("abcdefghijklmnopqrst")
    mine = small.claim(small.rater())

    def send(to: Store, half: int) -> None:
        for one in mine[half::2]:
            to.do(lambda tx, one=one: tx.add_submission(one.id, "R1", one.id, [{"question": "q", "value": 1}]))

    both(lambda: send(store, 0), lambda: send(other, 1))
    assert store.read(Tx.chain_faults) == []
    assert store.read(lambda tx: tx.counts("R1", "s")) == (20, 20)


def test_a_claim_waits_for_those_who_write_and_sees_what_they_wrote(small, store: Store, other: Store) -> None:
    small.plan("ab")
    first, second = small.rater(), small.rater()
    (mine, _) = small.claim(first)
    inside, leave = threading.Event(), threading.Event()

    def slow(tx: Tx) -> None:
        tx.add_submission("k", first, mine.id, [{"question": "q", "value": 1}])
        inside.set()
        assert leave.wait(60)

    writing = store.write(slow)
    assert inside.wait(60)
    closing = other.write(Tx.head)
    with pytest.raises(TimeoutError):
        closing.result(0.2)
    leave.set()
    writing.result(60)
    assert closing.result(60).answers == 1
    assert second == "R2"


def test_a_verb_whose_connection_breaks_before_the_commit_runs_again(store: Store) -> None:
    tries = []

    def verb(tx: Tx) -> int:
        tries.append(tx.add_event("x"))
        if len(tries) == 1:
            tx.connection.execute("SELECT pg_terminate_backend(pg_backend_pid())")
        return len(tries)

    assert store.do(verb) == 2
    assert len(store.read(lambda tx: tx.events())) == 1


def test_a_reader_whose_connection_broke_gets_a_new_one(store: Store, address: str) -> None:
    store.read(lambda tx: tx.events())
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
    assert store.read(lambda tx: tx.events()) == ()
    assert store.do(lambda tx: tx.add_event("x")) > 0


def test_a_server_that_is_not_there_is_told_without_the_password() -> None:
    with pytest.raises(StoreError, match="cannot be reached") as refused:
        Store.open("postgresql://me:hunter2@127.0.0.1:1/study")
    assert "hunter2" not in str(refused.value)


def test_each_study_has_a_schema_of_its_own(address: str) -> None:
    secrets = set()
    for schema in ("first", "second"):
        with Store.open(f"{address}?schema={schema}") as one:
            one.do(lambda tx: tx.add_rater())
            secrets.add(one.read(lambda tx: tx.setting("secret")))
            assert len(one.read(lambda tx: tx.raters())) == 1
    assert len(secrets) == 2


@pytest.mark.parametrize("name", ["Studies", "a-b", "x; DROP TABLE answers", "1st", ""])
def test_a_name_that_cannot_be_a_schema_is_refused(name: str) -> None:
    with pytest.raises(StoreError, match="cannot be the name of a schema"):
        Place(f"postgresql://localhost/db?schema={name}")


def test_a_schema_of_something_else_or_of_a_newer_quorate_is_refused(address: str) -> None:
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA blog; CREATE TABLE blog.posts (x int)")
        connection.execute("UPDATE quorate.alembic_version SET version_num = '9999'")
    with pytest.raises(StoreError, match="not made by Quorate"):
        Store.open(f"{address}?schema=blog")
    with pytest.raises(StoreError, match="newer Quorate"):
        Store.open(address)
    with pytest.raises(StoreError, match="no study yet"):
        Store.open(f"{address}?schema=nothing", create=False)


def filled(small, store: Store) -> None:
    small.plan("abcd", repeats=2)
    for one in small.claim(small.rater()):
        small.submit(one, {"其他": 1.5})
    small.claim(small.rater(), 2)
    store.do(lambda tx: tx.add_platform_id("R1", "prolific", "5f"))
    store.do(lambda tx: tx.add_presentation("R1", None, {"shown": True}))


@pytest.mark.parametrize(("database", "to"), [("sqlite", "postgresql"), ("postgresql", "sqlite")])
def test_a_study_moves_whole_and_goes_on(small, store: Store, new_database, to: str) -> None:
    filled(small, store)
    with Store.open(new_database(to)) as target:
        counted = copy_study(store, target)
        assert all(one.source == one.target for one in counted)
        assert {one.table: one.source for one in counted}["answers"] == 4
        for verb in (Tx.all_answers, Tx.events, Tx.raters, Tx.slots, Tx.items, Tx.assignments, Tx.presentations):
            assert target.read(verb) == store.read(verb)
        assert target.read(lambda tx: tx.setting("secret")) == store.read(lambda tx: tx.setting("secret"))
        assert target.read(lambda tx: tx.platform_rater("prolific", "5f")) == "R1"
        # What comes next gets numbers that were not given yet.
        (one, _) = target.read(lambda tx: tx.next_open("R2", "s", 0, 5))
        target.do(lambda tx: tx.add_submission("next", "R2", one.id, [{"question": "q", "value": 1}]))
        assert len(target.do(lambda tx: tx.claim("R2", "s", 5))) == 2
        assert target.read(Tx.chain_faults) == []


def test_a_study_is_never_copied_over_another(small, store: Store, new_database) -> None:
    filled(small, store)
    with Store.open(new_database("postgresql")) as target:
        target.do(lambda tx: tx.add_rater())
        with pytest.raises(StoreError, match="a study in that database already"):
            copy_study(store, target)
        assert len(target.read(lambda tx: tx.raters())) == 1
        assert target.read(lambda tx: tx.all_answers()) == ()


def test_a_study_that_is_gone_under_its_store_is_told_in_a_sentence_and_found_again(store: Store, address: str) -> None:
    """Such as a database that was dropped and made anew: it answers, and has none of the tables."""
    place = Place(address)
    store.do(lambda tx: tx.add_rater())

    def rename(old: str, new: str) -> None:
        with psycopg.connect(place.url, autocommit=True) as connection:
            connection.execute(f'ALTER SCHEMA "{old}" RENAME TO "{new}"')

    rename(place.schema, "away")
    with pytest.raises(StoreError, match="is not there any more"):
        store.do(lambda tx: tx.add_rater())
    with pytest.raises(StoreError, match="is not there any more"):
        store.read(lambda tx: tx.raters())
    rename("away", place.schema)
    store.do(lambda tx: tx.add_rater())
    assert len(store.read(lambda tx: tx.raters())) == 2


def test_a_database_that_takes_no_changes_is_told_in_a_sentence(store: Store) -> None:
    """Such as one that another has taken over from."""

    def verb(tx: Tx) -> None:
        tx.connection.execute("SET TRANSACTION READ ONLY")
        tx.add_rater()

    with pytest.raises(StoreError, match="takes no changes"):
        store.do(verb)
    assert store.do(lambda tx: tx.add_rater()).place == 1
