"""Who may see what: the slots that raters claim, and the order of what a rater has claimed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from quorate.chance import order
from quorate.plan.sample import n_drawn, stratum_sizes
from quorate.plan.show import shown_for
from quorate.protocol import Protocol
from quorate.records import Item, Slot

OPEN_BATCH = 50
"""What a rater does under open enrolment where the study file does not say."""


def make_slots(protocol: Protocol, items: Sequence[Item]) -> tuple[Slot, ...]:
    """Every section's items, `per_item` times each: first each item once, in a drawn order, then again.

    Sides alternate along that order and from repeat to repeat, within each panel: a rater who claims a run of slots
    has each system on the left in half of them, and an item with three slots has 2 : 1.
    """
    slots = []
    for section in protocol.sections:
        drawn = order(items, protocol.seed, "slots", section.id, key=lambda item: item.id)
        turns = _turns(protocol, drawn)
        for repeat in range(protocol.raters.per_item):
            for item in drawn:
                shown = shown_for(protocol, section, item, turns[item.id] + repeat, repeat)
                slots.append(Slot(section.id, item.id, repeat, panel_of(protocol, item), shown))
    return tuple(slots)


def panel_of(protocol: Protocol, item: Item) -> str:
    """The panel of raters that an item belongs to, "" where there are no panels."""
    field = protocol.raters.panels
    return str(item[field]) if field else ""


def _turns(protocol: Protocol, drawn: Sequence[Item]) -> dict[str, int]:
    count: Counter[str] = Counter()
    turns = {}
    for item in drawn:
        panel = panel_of(protocol, item)
        turns[item.id] = count[panel]
        count[panel] += 1
    return turns


def arrange(slots: Iterable[Slot], protocol: Protocol, rater: str, section: str) -> list[Slot]:
    """A rater's slots in the order in which that rater sees them: keyed by rater, so that no two share it."""
    return order(list(slots), protocol.seed, "order", section, rater, key=lambda slot: slot.item)


def batch_size(protocol: Protocol, panel: str = "") -> int:
    """How many slots a rater claims at once: as stated, else all that the rater will do."""
    most = quota(protocol, panel)
    return min(protocol.raters.batch or most, most)


@lru_cache(maxsize=64)
def quota(protocol: Protocol, panel: str = "") -> int:
    """How many items of a section one rater does in all: a fair share of the roster's, else one batch."""
    raters = protocol.raters
    n_items = stratum_sizes(protocol, raters.panels).get(panel, 0) if raters.panels else n_drawn(protocol)
    if raters.roster is not None:
        return min(n_items, -(-n_items * raters.per_item // raters.roster))
    return min(n_items, raters.batch or OPEN_BATCH)
