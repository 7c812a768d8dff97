"""The plan is stored as it was made, and replaced only while nobody has claimed from it."""

from __future__ import annotations

import pytest

from postgres import REFUSED
from quorate.errors import StoreError
from quorate.records import Item, Shown, Slot
from quorate.store import Store

ITEMS = (Item("z", {"text": "ü", "n": 1, "p": 0.5, "no": None}), Item("a", {"text": "", "n": 2}))
SLOTS = (
    Slot("s", "z", 0, "x", Shown(sides={"left": "A", "right": "B"}, options={"q": ("c", "a")})),
    Slot("s", "a", 0),
    Slot("t", "z", 0, round=2),
)


def test_a_plan_comes_back_as_it_was_made(store: Store) -> None:
    assert not store.read(lambda tx: tx.plan_size())
    store.do(lambda tx: tx.put_plan(ITEMS, SLOTS))
    assert store.read(lambda tx: (tx.items(), tx.slots())) == (ITEMS, SLOTS)
    assert store.read(lambda tx: tx.plan_size()) == (2, 3)
    assert store.read(lambda tx: (tx.item("a"), tx.item("b"))) == (ITEMS[1], None)


def test_a_plan_is_replaced_while_nobody_has_claimed_from_it(small, store: Store) -> None:
    store.do(lambda tx: tx.put_plan(ITEMS, SLOTS))
    small.plan("abc")
    assert store.read(lambda tx: tx.plan_size()) == (3, 3)
    assert [one.item for one in small.claim(small.rater())] == ["a", "b", "c"]


def test_a_claimed_plan_is_not_replaced(small, store: Store) -> None:
    small.plan("abc")
    small.claim(small.rater(), 1)
    with pytest.raises(StoreError, match="cannot be replaced"):
        store.do(lambda tx: tx.put_plan(ITEMS, SLOTS))
    assert store.read(lambda tx: tx.plan_size()) == (3, 3)


@pytest.mark.parametrize(
    "slots", [(Slot("s", "nobody", 0),), (Slot("s", "a", 0), Slot("s", "a", 0))], ids=["no item", "twice"]
)
def test_a_plan_that_cannot_be_is_refused_and_the_old_one_stays(small, store: Store, slots: tuple[Slot, ...]) -> None:
    small.plan("abc")
    with pytest.raises(REFUSED):
        store.do(lambda tx: tx.put_plan(ITEMS, slots))
    assert store.read(lambda tx: tx.plan_size()) == (3, 3)


def test_an_assignment_has_its_item_however_many_were_read(
    small, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quorate.store.plan.MOST_ITEMS_READ", 2)
    small.plan("abcd")
    held = small.claim(small.rater())
    for one in (*held, *held):
        assert store.read(lambda tx, one=one: tx.item_of(one)) == Item(one.item, {"name": one.item.upper()})
