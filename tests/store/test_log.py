"""Settings, protocols, events, presentations and decisions are written once and read in order."""

from __future__ import annotations

import pytest

from quorate.errors import StoreError
from quorate.store import Store


def test_a_setting_is_written_once(store: Store) -> None:
    store.do(lambda tx: tx.set_setting("plan", "abc"))
    store.do(lambda tx: tx.set_setting("plan", "abc"))
    with pytest.raises(StoreError, match="'plan' is already written"):
        store.do(lambda tx: tx.set_setting("plan", "xyz"))
    assert store.read(lambda tx: (tx.setting("plan"), tx.setting("other"))) == ("abc", None)


def test_the_frozen_protocol_is_number_zero_and_amendments_count_on(store: Store) -> None:
    numbers = [
        store.do(lambda tx: tx.add_protocol("c0", "a0", "title: x", "first consent")),
        store.do(lambda tx: tx.add_protocol("c1", "a0", "title: y", "a misprint")),
    ]
    assert numbers == [0, 1]
    first, second = store.read(lambda tx: tx.protocols())
    assert (first.number, first.collection_hash, first.text) == (0, "c0", "title: x")
    assert (second.reason, second.at) == ("a misprint", "2026-11-02T09:30:00.000Z")


def test_events_are_found_by_rater_kind_and_number(store: Store) -> None:
    written = [("R1", "consent"), ("R2", "consent"), (None, "opened"), ("R1", "break"), ("R1", "break")]
    for n, (rater, kind) in enumerate(written):
        store.do(lambda tx, rater=rater, kind=kind, n=n: tx.add_event(kind, rater, {"n": n}))

    def seqs(**way: object) -> list[int]:
        return [event.seq for event in store.read(lambda tx: tx.events(**way))]  # type: ignore[arg-type]

    assert seqs() == [1, 2, 3, 4, 5]
    assert seqs(rater="R1") == [1, 4, 5]
    assert seqs(kinds=["break", "consent"]) == [1, 2, 4, 5]
    assert seqs(rater="R1", kinds="break", after=4) == [5]
    assert seqs(after=3) == [4, 5]
    assert seqs(kinds=[]) == []


def test_the_last_event_is_the_newest_of_its_kinds(store: Store) -> None:
    for rater, kind in [(None, "opened"), (None, "closed"), (None, "opened"), ("R1", "break"), ("R2", "break")]:
        store.do(lambda tx, rater=rater, kind=kind: tx.add_event(kind, rater))

    def last(*way: object, **rest: object) -> int | None:
        event = store.read(lambda tx: tx.last_event(*way, **rest))  # type: ignore[arg-type]
        return None if event is None else event.seq

    assert last(["opened", "closed"]) == 3
    assert last("closed") == 2
    assert last("break", rater="R1") == 4
    assert last("finished") is None


def test_an_event_keeps_its_data_and_its_time(store: Store, clock) -> None:
    clock.forward(seconds=1.5)
    store.do(lambda tx: tx.add_event("background", "R1", {"languages": ["de", "中文"], "age": 31}))
    (event,) = store.read(lambda tx: tx.events())
    assert event.data == {"languages": ["de", "中文"], "age": 31}
    assert event.at == "2026-11-02T09:30:01.500Z"


def test_presentations_are_kept_in_order(store: Store) -> None:
    for rater in ("R1", "R2", "R1"):
        store.do(lambda tx, rater=rater: tx.add_presentation(rater, None, {"failed": ["image"]}))
    assert [shown.seq for shown in store.read(lambda tx: tx.presentations())] == [1, 2, 3]
    assert [shown.seq for shown in store.read(lambda tx: tx.presentations("R1"))] == [1, 3]
    assert store.read(lambda tx: tx.presentations("R2"))[0].evidence == {"failed": ["image"]}


@pytest.mark.parametrize("vote", [True, False, {"correct": True}, None])
def test_a_decision_is_a_row_with_its_vote_and_reason(store: Store, vote: object) -> None:
    store.do(lambda tx: tx.add_decision("M1", "s", "idiom", "piece of cake", "peice of cake", vote, "a slip"))
    (decision,) = store.read(lambda tx: tx.decisions())
    assert (decision.member, decision.target, decision.vote, decision.reason) == ("M1", "piece of cake", vote, "a slip")
