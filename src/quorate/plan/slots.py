"""Who may see what: the slots that raters claim, and the order of what a rater has claimed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from quorate.chance import order
from quorate.plan.sample import n_drawn
from quorate.protocol import Protocol
from quorate.records import Item, Slot

OPEN_BATCH = 50
"""What a rater does under open enrolment where the study file does not say."""


def make_slots(protocol: Protocol, items: Sequence[Item]) -> tuple[Slot, ...]:
    """Every section's items, `per_item` times each: first each item once, in a drawn order, then again."""
    slots = []
    for section in protocol.sections:
        for repeat in range(protocol.raters.per_item):
            drawn = order(items, protocol.seed, "slots", section.id, repeat, key=lambda item: item.id)
            slots += [Slot(section.id, item.id, repeat) for item in drawn]
    return tuple(slots)


def arrange(slots: Iterable[Slot], protocol: Protocol, rater: str, section: str) -> list[Slot]:
    """A rater's slots in the order in which that rater sees them: keyed by rater, so that no two share it."""
    return order(list(slots), protocol.seed, "order", section, rater, key=lambda slot: slot.item)


def batch_size(protocol: Protocol) -> int:
    """How many slots a rater claims at once: as stated, else all that the rater will do."""
    return min(protocol.raters.batch or quota(protocol), quota(protocol))


@lru_cache(maxsize=16)
def quota(protocol: Protocol) -> int:
    """How many items of a section one rater does in all: a fair share of the roster's, else one batch."""
    raters, n_items = protocol.raters, n_drawn(protocol)
    if raters.roster is not None:
        return min(n_items, -(-n_items * raters.per_item // raters.roster))
    return min(n_items, raters.batch or OPEN_BATCH)
