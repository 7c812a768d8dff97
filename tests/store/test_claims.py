"""Who gets which slot: exact, least-filled first, and back to the plan when a lease runs out."""

from __future__ import annotations

import threading
from collections import Counter
from datetime import timedelta

import pytest

from postgres import sqlite_only
from quorate.chance import draw
from quorate.errors import StoreError
from quorate.records import Item, Shown, Slot
from quorate.store import Store, Tx, stamp


def names(claimed: object) -> list[tuple[str, int]]:
    return [(one.item, one.repeat) for one in claimed]  # type: ignore[attr-defined]


def test_a_claim_takes_the_least_filled_items_in_the_order_of_the_plan(small) -> None:
    small.plan("abcd", repeats=2)
    first, second, third = small.rater(), small.rater(), small.rater()
    assert names(small.claim(first, 3)) == [("a", 0), ("b", 0), ("c", 0)]
    assert names(small.claim(second, 3)) == [("d", 0), ("a", 1), ("b", 1)]
    assert names(small.claim(third, 3)) == [("c", 1), ("d", 1)]
    assert small.claim(third, 3) == ()


def test_the_lowest_repeat_comes_first_whatever_the_order_of_the_slots(small, store: Store) -> None:
    slots = [Slot("s", "a", 1), Slot("s", "a", 0), Slot("s", "b", 0)]
    store.do(lambda tx: tx.put_plan([Item("a", {}), Item("b", {})], slots))
    assert names(small.claim(small.rater())) == [("a", 0), ("b", 0)]


def test_a_rater_never_has_an_item_twice(small) -> None:
    small.plan("ab", repeats=3)
    rater = small.rater()
    assert names(small.claim(rater, 10)) == [("a", 0), ("b", 0)]
    assert small.claim(rater, 10) == ()


def test_positions_go_on_where_the_last_batch_ended_in_the_order_given(small) -> None:
    small.plan("abcd")
    rater = small.rater()
    backwards = {"order": lambda slots: slots[::-1]}
    claimed = small.claim(rater, 2, **backwards) + small.claim(rater, 2, **backwards)
    assert [(one.position, one.item) for one in claimed] == [(1, "b"), (2, "a"), (3, "d"), (4, "c")]


def test_an_order_that_drops_a_slot_is_a_bug_and_claims_nothing(small, store: Store) -> None:
    small.plan("abcd")
    rater = small.rater()
    with pytest.raises(ValueError, match="each once"):
        small.claim(rater, 3, order=lambda slots: slots[1:])
    assert store.read(lambda tx: (tx.events(), tx.assignments(rater))) == ((), ())
    assert len(small.claim(rater, 4)) == 4


def test_a_claim_is_a_numbered_event_that_names_its_slots(small, store: Store) -> None:
    small.plan("abc")
    rater = small.rater()
    small.claim(rater, 2)
    (event,) = store.read(lambda tx: tx.events(rater, ["claim"]))
    said = {"section": "s", "round": 1, "stratum": None, "slots": [1, 2], "lease_until": None, "lost": []}
    assert event.data == {**said, "head": [0, 0, ""]}


def test_an_assignment_carries_what_its_slot_shows(small, store: Store) -> None:
    small.plan("a")
    (claimed,) = small.claim(small.rater())
    assert store.read(lambda tx: tx.assignment(claimed.id)) == claimed
    assert claimed.shown == store.read(lambda tx: tx.slots())[0].shown


def test_a_second_round_is_claimed_for_itself_and_by_others(small) -> None:
    small.plan("ab", rounds=2)
    first, second = small.rater(), small.rater()
    small.claim(first)
    assert small.claim(first, round=2) == ()
    assert [(one.item, one.round) for one in small.claim(second, round=2)] == [("a", 2), ("b", 2)]


@pytest.mark.parametrize("k", [1, 3])
def test_raters_who_claim_at_once_are_never_given_more_than_there_is(small, store: Store, k: int) -> None:
    small.plan("abcdefghijklmnopqrstuvwxyz", repeats=k)
    raters = [small.rater() for _ in range(32)]
    gate = threading.Barrier(32)

    def come(rater: str) -> None:
        gate.wait()
        while claimed := small.claim(rater, 2):
            for one in claimed:
                small.submit(one)

    threads = [threading.Thread(target=come, args=(rater,)) for rater in raters]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    answers = store.read(lambda tx: tx.all_answers())
    assert Counter(Counter(answer.item for answer in answers).values()) == {k: 26}
    assert len({(answer.rater, answer.item) for answer in answers}) == 26 * k


def test_a_slot_whose_lease_ran_out_goes_to_the_next_rater(small, store: Store, clock) -> None:
    small.plan("ab")
    slow, quick = small.rater(), small.rater()
    lost = small.claim(slow, lease_until=clock() + timedelta(minutes=30))
    clock.forward(minutes=29)
    assert small.claim(quick) == ()
    clock.forward(minutes=1)
    assert names(small.claim(quick)) == [("a", 0), ("b", 0)]
    assert [store.read(lambda tx, id=one.id: tx.assignment(id)).lost for one in lost] == [True, True]
    assert store.read(lambda tx: (tx.counts(slow, "s"), tx.counts(quick, "s"))) == ((0, 0), (0, 2))
    assert store.read(lambda tx: tx.next_open(slow, "s", 0, 5)) == ()
    assert store.read(lambda tx: tx.last_event("claim", quick)).data["lost"] == [one.id for one in lost]


def test_a_rater_who_has_answered_since_keeps_the_rest_after_the_lease(small, store: Store, clock) -> None:
    small.plan("ab")
    steady, quick = small.rater(), small.rater()
    first, _ = small.claim(steady, lease_until=clock() + timedelta(minutes=30))
    clock.forward(minutes=25)
    small.submit(first)
    clock.forward(minutes=25)
    for since, is_free in ((25, False), (24, True)):
        at = stamp(clock() - timedelta(minutes=since, milliseconds=1 if since == 25 else 0))
        assert store.read(lambda tx, at=at: tx.can_claim(quick, "s", since=at)) is is_free
        assert bool(store.do(lambda tx, at=at: tx.free_slots(quick, "s", 2, since=at))) is is_free


def test_an_answered_slot_stays_with_its_rater_after_the_lease(small, clock) -> None:
    small.plan("ab")
    slow, quick = small.rater(), small.rater()
    first, _ = small.claim(slow, lease_until=clock() + timedelta(minutes=30))
    small.submit(first)
    clock.forward(hours=1)
    assert names(small.claim(quick)) == [("b", 0)]


def test_a_slot_that_nobody_took_is_kept_by_a_late_answer(small, store: Store, clock) -> None:
    small.plan("ab")
    slow, quick, third = small.rater(), small.rater(), small.rater()
    _, second = small.claim(slow, lease_until=clock() + timedelta(minutes=30))
    clock.forward(hours=1)
    assert names(small.claim(quick, 1)) == [("a", 0)]
    small.submit(second)
    assert small.claim(third) == ()
    assert store.read(lambda tx: tx.counts(slow, "s")) == (1, 1)


def test_a_late_answer_to_a_lost_slot_is_kept_but_does_not_count_as_done(small, store: Store, clock) -> None:
    small.plan("a")
    slow, quick = small.rater(), small.rater()
    (late,) = small.claim(slow, lease_until=clock() + timedelta(minutes=30))
    clock.forward(hours=1)
    small.claim(quick)
    assert small.submit(late)[0] == "stored"
    assert len(store.read(lambda tx: tx.all_answers(rater=slow))) == 1
    assert store.read(lambda tx: tx.counts(slow, "s")) == (0, 0)


def test_a_rater_who_lost_an_item_may_claim_another_slot_of_it(small, clock) -> None:
    small.plan("a", repeats=2)
    slow, quick = small.rater(), small.rater()
    small.claim(slow, lease_until=clock() + timedelta(minutes=30))
    clock.forward(hours=1)
    assert names(small.claim(quick)) == [("a", 0)]
    assert names(small.claim(slow)) == [("a", 1)]
    assert small.claim(quick) == ()


def test_a_rater_may_lose_the_same_slot_twice(small, store: Store, clock) -> None:
    small.plan("a")
    slow, first, second = small.rater(), small.rater(), small.rater()
    for quick in (first, second):
        assert names(small.claim(slow, lease_until=clock() + timedelta(minutes=30))) == [("a", 0)]
        clock.forward(hours=1)
        assert names(small.claim(quick)) == [("a", 0)]
        store.do(lambda tx, quick=quick: tx.release(quick))
    assert len(store.read(lambda tx: tx.assignments(slow))) == 2


def test_a_released_rater_frees_what_is_unanswered(small, store: Store) -> None:
    small.plan("abc")
    gone, other = small.rater(), small.rater()
    first, *_ = small.claim(gone)
    small.submit(first)
    assert store.do(lambda tx: tx.release(gone)) == 2
    assert names(small.claim(other)) == [("b", 0), ("c", 0)]
    assert store.read(lambda tx: tx.counts(gone, "s")) == (1, 1)
    assert store.do(lambda tx: tx.release(gone)) == 0


def test_releasing_does_not_free_a_slot_that_another_rater_took(small, store: Store, clock) -> None:
    small.plan("a")
    slow, quick, third = small.rater(), small.rater(), small.rater()
    small.claim(slow, lease_until=clock() + timedelta(minutes=30))
    clock.forward(hours=1)
    small.claim(quick)
    store.do(lambda tx: tx.release(slow))
    assert small.claim(third) == ()


def test_a_claim_with_a_stratum_takes_only_its_slots(small, store: Store) -> None:
    items = [Item(id, {}) for id in "abcd"]
    slots = [Slot("s", item.id, repeat, "law" if item.id in "ac" else "art") for repeat in (0, 1) for item in items]
    store.do(lambda tx: tx.put_plan(items, slots))
    lawyer, artist, anyone = small.rater(), small.rater(), small.rater()
    assert names(small.claim(lawyer, 10, stratum="law")) == [("a", 0), ("c", 0)]
    assert not store.read(lambda tx: tx.can_claim(lawyer, "s", stratum="law"))
    assert store.read(lambda tx: tx.can_claim(lawyer, "s", stratum="art"))
    assert names(small.claim(artist, 1, stratum="art")) == [("b", 0)]
    assert small.claim(artist, 10, stratum="music") == ()
    assert names(small.claim(anyone, 10)) == [("d", 0), ("a", 1), ("b", 1), ("c", 1)]


def test_a_lapsed_slot_goes_to_the_panel_it_belongs_to(small, store: Store, clock) -> None:
    slots = [Slot("s", "a", 0, "law"), Slot("s", "b", 0, "art")]
    store.do(lambda tx: tx.put_plan([Item("a", {}), Item("b", {})], slots))
    slow, lawyer, artist = small.rater(), small.rater(), small.rater()
    small.claim(slow, lease_until=clock() + timedelta(minutes=30), stratum="law")
    small.claim(artist, stratum="art")
    clock.forward(hours=1)
    assert not store.read(lambda tx: tx.can_claim(artist, "s", stratum="art"))
    assert store.read(lambda tx: tx.can_claim(lawyer, "s", stratum="law"))
    assert names(small.claim(lawyer, stratum="law")) == [("a", 0)]


def test_can_claim_says_what_a_claim_would_find(small, store: Store, clock) -> None:
    small.plan("a")
    slow, quick = small.rater(), small.rater()
    assert store.read(lambda tx: tx.can_claim(slow, "s"))
    small.claim(slow, lease_until=clock() + timedelta(minutes=30))
    assert not store.read(lambda tx: tx.can_claim(quick, "s"))
    clock.forward(hours=1)
    assert store.read(lambda tx: (tx.can_claim(quick, "s"), tx.can_claim(slow, "s"))) == (True, False)
    assert len(small.claim(quick)) == 1


@sqlite_only
def test_the_cost_of_a_claim_does_not_grow_with_the_plan(small, store: Store) -> None:
    """Steps of SQLite's machine, not time: they are the same on every machine."""

    def steps(items: int) -> int:
        many = [Item(f"{n}", {}) for n in range(items)]
        store.do(lambda tx: tx.put_plan(many, [Slot("s", item.id, k) for item in many for k in range(2)]))
        rater, counted = small.rater(), [0]

        def count() -> int:
            counted[0] += 1
            return 0

        def claim(tx: Tx) -> None:
            store._connection.set_progress_handler(count, 10)
            tx.claim(rater, "s", 5)
            store._connection.set_progress_handler(None, 0)
            raise KeyError("claimed enough")

        with pytest.raises(KeyError):
            store.do(claim)
        return counted[0]

    assert steps(5000) <= steps(50) * 1.2


@pytest.mark.parametrize("batch", [1, 3, 5, 12])
@pytest.mark.parametrize("seed", range(3))
def test_each_system_is_on_the_left_in_half_of_a_raters_items(small, store: Store, batch: int, seed: int) -> None:
    """Raters come in any order and claim in batches: sides stay even within each of them and within each item."""
    items = [Item(f"{n:02d}", {}) for n in range(24)]

    def sides(n: int) -> Shown:
        return Shown(sides={"left": "AB"[n % 2], "right": "BA"[n % 2]})

    slots = [Slot("s", item.id, k, shown=sides(n + k)) for k in range(3) for n, item in enumerate(items)]
    store.do(lambda tx: tx.put_plan(items, slots))
    raters = [small.rater() for _ in range(6)]
    had: Counter[str] = Counter()
    for turn in range(72 // batch * 2 + 12):
        who = raters[draw(seed, "who", turn) % 6]
        had[who] += len(small.claim(who, min(batch, 12 - had[who])))
        for rater in raters:
            mine = store.read(lambda tx, r=rater: tx.assignments(r))
            left = Counter(one.shown.sides["left"] for one in mine)
            # Least-filled items come first, so that the last ones of a level may all have the same side.
            assert abs(left["A"] - left["B"]) <= (1 if (turn + 1) * batch <= 20 else 2), (turn, rater, left)
    claimed = store.read(lambda tx: tx.assignments())
    per_item = Counter((one.item, one.shown.sides["left"]) for one in claimed)
    assert len(claimed) > 60
    assert max(per_item.values()) == 2


def test_slots_can_be_added_and_claimed_by_number(small, store: Store) -> None:
    small.plan("ab")
    first, second = small.rater(), small.rater()
    small.claim(first)
    (third,) = store.do(lambda tx: tx.add_slots([Slot("s", "a", 1, "all")]))
    assert small.claim(first) == ()
    assert names(small.claim(second)) == [("a", 1)]
    own = store.do(lambda tx: tx.add_slots([Slot("s", "b", 7, "again", round=0)]))
    assert small.claim(second) == ()
    # A rater's own item a second time, which a claim would never give.
    assert names(store.do(lambda tx: tx.claim_slots(first, own))) == [("b", 7)]
    with pytest.raises(StoreError, match="are taken"):
        store.do(lambda tx: tx.claim_slots(second, [third]))
    assert store.read(lambda tx: tx.claimed(first, "s")) == {(1, 0): 2, (0, 7): 1}


def test_releasing_all_frees_answered_places_too(small, store: Store) -> None:
    small.plan("ab")
    gone, other = small.rater(), small.rater()
    first, _ = small.claim(gone)
    small.submit(first)
    assert store.do(lambda tx: tx.release(gone, answered=True)) == 2
    assert names(small.claim(other)) == [("a", 0), ("b", 0)]
    assert store.read(lambda tx: tx.counts(gone, "s")) == (0, 0)


def test_a_slot_answered_after_the_clock_was_set_back_is_not_claimed_again(small, clock) -> None:
    small.plan("a")
    slow, quick = small.rater(), small.rater()
    (mine,) = small.claim(slow, lease_until=clock() + timedelta(minutes=30))
    clock.forward(hours=2)
    assert small.store.do(lambda tx: tx.free_slots(quick, "s", 1))  # the lease ran out, by this clock
    clock.forward(hours=-2)
    found = small.store.read(lambda tx: tx.standing(mine.id))
    assert found is not None
    said = [{"question": "q", "value": "x", "raw": "x"}]
    small.store.do(lambda tx: tx.add_submission("k", slow, found.assignment, said, protocol="h", last=found.last))
    assert small.claim(quick) == ()
    assert small.store.read(lambda tx: [one.counted for one in tx.all_answers()]) == [True]


def test_a_slot_whose_media_failed_is_free_for_others_and_stays_until_one_takes_it(small, store: Store) -> None:
    small.plan("ab", repeats=1)
    rater, other = small.rater(), small.rater()
    one, two = small.claim(rater, lease_until="2199-01-01T00:00:00.000Z")
    for mine in (one, two):
        failed = [{"question": "q", "reason": "media failed"}]
        store.do(lambda tx, mine=mine, failed=failed: tx.add_submission(mine.id, rater, mine.id, failed))
        store.do(lambda tx, mine=mine: tx.not_shown(mine))
    assert store.read(lambda tx: tx.counts(rater, "s")) == (0, 2)
    assert names(store.read(lambda tx: tx.unshown(rater, "s"))) == [("a", 0), ("b", 0)]
    assert store.read(lambda tx: tx.next_open(rater, "s")) == ()
    assert not store.read(lambda tx: tx.can_claim(rater, "s"))
    # Tried again and answered, it is free no more; the other one goes to whoever claims.
    again = store.read(lambda tx: tx.assignment(one.id))
    small.submit(again, key="again")
    assert names(small.claim(other)) == [("b", 0)]
    assert store.read(lambda tx: (tx.counts(rater, "s"), tx.counts(other, "s"))) == ((1, 1), (0, 1))
    before = store.read(lambda tx: (tx.slots_of("s", "a"), tx.slots_of("s", "b"), tx.assignments()))
    store.do(lambda tx: tx.rebuild_caches())
    assert store.read(lambda tx: (tx.slots_of("s", "a"), tx.slots_of("s", "b"), tx.assignments())) == before
    assert store.read(lambda tx: tx.counts(rater, "s")) == (1, 1)
