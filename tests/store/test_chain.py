"""A row of answers that was changed, removed or put in between shows; erasure does not."""

from __future__ import annotations

import pytest

from quorate.store import Store, Tx


def answered(small, items: str = "abcd", raters: int = 2) -> None:
    """Everybody answers everything, and a last rater claims: that writes the study's head."""
    small.plan(items, repeats=raters + 1)
    for _ in range(raters):
        for one in small.claim(small.rater()):
            small.submit(one)
    small.claim(small.rater(), 1)


def spoil(store: Store, sql: str) -> list[str]:
    def verb(tx: Tx) -> list[str]:
        tx.connection.execute(sql)
        return tx.chain_faults()

    return store.do(verb)


def test_rows_as_they_were_written_have_no_fault(small, store: Store) -> None:
    answered(small)
    for one in store.read(lambda tx: tx.assignments("R1")):
        small.submit(one, "revised")
    assert store.read(Tx.chain_faults) == []


def test_each_rater_and_each_judge_has_a_sequence_of_their_own(small, store: Store) -> None:
    answered(small)
    judged = {"section": "s", "item": "a", "question": "q", "value": "x"}
    store.do(lambda tx: tx.add_submission("j", "R1", None, [judged], by="judge"))
    sql = 'SELECT rater, "by", number FROM answers ORDER BY seq'
    rows = store.read(lambda tx: tx.connection.execute(sql).fetchall())
    assert rows == [(r, "rater", n) for r in ("R1", "R2") for n in (1, 2, 3, 4)] + [("R1", "judge", 1)]
    assert store.read(Tx.chain_faults) == []


@pytest.mark.parametrize(
    "column", ["value", "raw", "at", "item", "shown", "protocol", "position", "revision", "seconds"]
)
def test_a_changed_row_shows(small, store: Store, column: str) -> None:
    answered(small)
    value = "7" if column in ("position", "revision", "seconds") else "'\"y\"'"
    (fault,) = spoil(store, f"UPDATE answers SET {column} = {value} WHERE seq = 2")
    assert "answer 2" in fault
    assert "was changed" in fault


def test_a_removed_row_shows(small, store: Store) -> None:
    answered(small)
    faults = spoil(store, "DELETE FROM answers WHERE seq = 2")
    assert faults[0] == "R1: 1 row missing before answer 3."
    assert any("claim" in fault for fault in faults)


def test_a_row_taken_from_the_end_shows_in_the_head(small, store: Store) -> None:
    answered(small)
    (fault,) = spoil(store, "DELETE FROM answers WHERE seq = 8")
    assert "counted 8 answers" in fault


def test_a_row_put_in_between_shows(small, store: Store) -> None:
    answered(small)
    columns = (
        "submission, section, item, repeat, round, question, value, at, position, revision, protocol, shown, chain"
    )
    names = columns.replace("question", "'other'")
    faults = spoil(
        store,
        f'INSERT INTO answers ("by", rater, number, {columns}) '
        f'SELECT "by", rater, number + 4, {names} FROM answers WHERE seq = 4',
    )
    assert any("R1: 3 rows missing" in fault for fault in faults)


def test_erasure_keeps_the_chain_whole(small, store: Store) -> None:
    answered(small)
    store.do(lambda tx: tx.erase("R1"))
    assert store.read(Tx.chain_faults) == []


def test_the_head_counts_what_came_since_the_last_claim(small, store: Store) -> None:
    answered(small)
    before = store.do(Tx.head)
    (open_one,) = store.read(lambda tx: tx.next_open("R3", "s", 0, 1))
    small.submit(open_one)
    after = store.do(Tx.head)
    assert (before.answers, after.answers) == (8, 9)
    assert before.hash != after.hash
    assert store.do(Tx.head) == after
