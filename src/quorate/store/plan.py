"""The plan: which items there are, and the slots for them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from quorate.errors import StoreError
from quorate.records import Assignment, Item, Slot
from quorate.store.rows import PlanSize
from quorate.store.verbs import Row, Verbs, encode_json, from_json, shown_from

#: How many items a connection keeps in memory.
MOST_ITEMS_READ = 10_000


class PlanVerbs(Verbs):
    """The verbs about the plan."""

    def put_plan(self, items: Iterable[Item], slots: Iterable[Slot]) -> None:
        """Store the drawn items and their slots, in plan order, in place of a plan that nobody has claimed from."""
        if self._row("any_assignment") is not None:
            raise StoreError(
                "Raters have already claimed parts of the plan, so it cannot be replaced. "
                "Amend the study, or begin a new one in another folder."
            )
        self._run("clear_slots")
        self._run("clear_items")
        self._many(
            "add_item",
            (
                {"id": item.id, "position": position, "fields": encode_json(item.fields).decode()}
                for position, item in enumerate(items, start=1)
            ),
        )
        self._many("add_slot", map(_slot_row, slots))
        self._run("mark_all_items")

    def add_slots(self, slots: Iterable[Slot]) -> tuple[int, ...]:
        """Put more slots behind the plan's (an item's third rater, a second round, a rater's checks); their numbers."""
        added = [(self._insert("add_slot", **_slot_row(slot)), slot) for slot in slots]
        for section, item, round in dict.fromkeys((slot.section, slot.item, slot.round) for _, slot in added):
            self._run("unmark_item", section=section, item=item, round=round)
            self._run("mark_item", section=section, item=item, round=round)
        return tuple(id for id, _ in added)

    def plan_size(self) -> PlanSize:
        """How many items and slots there are: (items, slots)."""
        return PlanSize(*self._rows("plan_size")[0])

    def item(self, id: str) -> Item | None:
        """The item of that id."""
        row = self._row("item", id=id)
        return None if row is None else Item(row[0], from_json(row[1]))

    def item_of(self, assignment: Assignment) -> Item:
        """The item of an assignment. Once one of the plan's slots is claimed its items stay: they are read once."""
        known = self._items_read.get(assignment.item)
        if known is None:
            known = self.item(assignment.item)
            assert known is not None, "an assignment's item is in the plan"
            if len(self._items_read) >= MOST_ITEMS_READ:
                self._items_read.clear()
            self._items_read[known.id] = known
        return known

    def items(self) -> tuple[Item, ...]:
        """All drawn items in plan order."""
        return tuple(Item(row[0], from_json(row[1])) for row in self._rows("items"))

    def slots(self) -> tuple[Slot, ...]:
        """All slots in plan order."""
        return tuple(map(slot_from, self._rows("slots")))


def slot_from(row: Row) -> Slot:
    """A slot as the plan made it, without who holds it."""
    section, item, repeat, stratum, shown, round = row
    return Slot(section, item, repeat, stratum, shown_from(shown), round)


def _slot_row(slot: Slot) -> dict[str, Any]:
    return {
        "section": slot.section,
        "item": slot.item,
        "repeat": slot.repeat,
        "round": slot.round,
        "stratum": slot.stratum,
        "shown": encode_json(slot.shown).decode(),
    }
