"""Who may see what: the slots that raters claim, and the order of what a rater has claimed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from quorate.chance import order
from quorate.protocol import Protocol, Section
from quorate.records import Item, Slot


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


def batch_size(protocol: Protocol, section: Section, n_items: int) -> int:
    """How many slots a rater claims at once: as stated, else a fair share of all of them."""
    raters = protocol.raters
    if raters.batch is not None:
        return raters.batch
    if raters.roster is not None:
        share = -(-n_items * raters.per_item // raters.roster)
        return min(n_items, share)
    return min(n_items, 50)
