"""Who may see what: the slots that raters claim, and the order of what a rater has claimed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from quorate.chance import draw, order
from quorate.errors import PlanError
from quorate.messages import Message
from quorate.plan.sample import n_drawn, stratum_sizes
from quorate.plan.show import shown_for, systems_of, turn_of
from quorate.protocol import Protocol, Section
from quorate.records import Item, Slot

OPEN_BATCH = 50
"""What a rater does under open enrolment where the study file does not say."""


MOST_SLOTS = 10_000_000
"""As many places a study can have: the plan is held in memory, whole."""

CHECKS = 0
"""The round of slots that enter no estimate; the planned ones are of round 1, a reassessment's of round 2, …"""

REPEATED = "repeated"
"""The stratum of a rater's own item that comes a second time."""


def make_slots(protocol: Protocol, items: Sequence[Item], round: int = 1) -> tuple[Slot, ...]:
    """Every section's items, `per_item` times each: first each item once, in a drawn order, then again.

    Sides alternate along that order, for each system, and from repeat to repeat, within each panel: a rater who claims
    a run of slots has each system on the left in half of them, and an item with three slots has 2 : 1.
    """
    n = len(protocol.sections) * len(items) * protocol.raters.per_item
    if n > MOST_SLOTS:
        raise PlanError(
            f"{len(items):,} items, {protocol.raters.per_item:,} raters an item and sections: {len(protocol.sections)} "
            f"make {n:,} places, and a study can have {MOST_SLOTS:,}. Lower raters.per_item, or sample items."
        )
    slots = []
    again = () if round == 1 else (f"round {round}",)
    for section in protocol.sections:
        drawn = order(items, protocol.seed, "slots", section.id, *again, key=lambda item: item.id)
        turns = _turns(protocol, section, drawn)
        for repeat in range(protocol.raters.per_item):
            for item in drawn:
                shown = shown_for(protocol, section, item, turns[item.id] + repeat, repeat, *again)
                slots.append(Slot(section.id, item.id, repeat, panel_of(protocol, item), shown, round))
    return tuple(slots)


def extra_slot(protocol: Protocol, section: Section, item: Item, first: Slot, repeat: int) -> Slot:
    """One more slot of an item whose raters disagree: sides go on alternating from the item's first slot."""
    turn = turn_of(protocol, section, item, first.shown)
    again = () if first.round == 1 else (f"round {first.round}",)
    shown = shown_for(protocol, section, item, turn + repeat, repeat, *again)
    return Slot(section.id, item.id, repeat, contested(panel_of(protocol, item)), shown, first.round)


def contested(panel: str) -> str:
    """The stratum of a panel's extra slots, which are claimed apart so that they can be mixed among others."""
    return f"{panel}/contested"


def panel_of(protocol: Protocol, item: Item) -> str:
    """The panel of raters that an item belongs to, "" where there are no panels."""
    field = protocol.raters.panels
    return str(item[field]) if field else ""


def strata_fields(protocol: Protocol) -> tuple[str, ...]:
    """The fields whose values are strata that can be reassessed: of the panels, of the sample, and of the results."""
    sample, known = protocol.file.items.sample, protocol.pool[0].fields if protocol.pool else {}
    named = (protocol.raters.panels, sample.by if sample else None, sample.balance if sample else None)
    fields = (*(field for field in named if field), *protocol.analysis.fields)
    return tuple(dict.fromkeys(field for field in fields if field in known))


def why_not(protocol: Protocol, by: str) -> Message | None:
    """Why `quorate reassess` takes no stratum of a field (or, without one, not all items); None where it does."""
    if not by:
        return Message("a further round is opened for a stratum, not for all items")
    if by not in strata_fields(protocol):
        return Message("{field} is no field of the items", field=by.replace("_", " "))
    return None


def _turns(protocol: Protocol, section: Section, drawn: Sequence[Item]) -> dict[str, int]:
    """The turn of each item's first slot: of two systems, the one that stood left less often stands there."""
    count: Counter[str] = Counter()
    lead: Counter[tuple[str, str]] = Counter()
    turns = {}
    for item in drawn:
        panel, systems = panel_of(protocol, item), systems_of(section, item)
        turns[item.id] = count[panel]
        count[panel] += 1
        if len(systems) == 2:
            one, other = ((panel, system) for system in systems)
            if lead[one] != lead[other]:
                turns[item.id] = int(lead[one] > lead[other])
            left, right = (other, one) if turns[item.id] % 2 else (one, other)
            lead[left] += 1
            lead[right] -= 1
    return turns


def arrange(slots: Iterable[Slot], protocol: Protocol, rater: str, section: str) -> list[Slot]:
    """A rater's slots in the order in which that rater sees them: keyed by rater, so that no two share it.

    An item that comes a second time stands in the last quarter of what is claimed together; `repeatable` says which
    items come early enough for that.
    """
    given = list(slots)
    arranged = order([s for s in given if s.stratum != REPEATED], protocol.seed, "order", section, rater, key=_item)
    again = order([s for s in given if s.stratum == REPEATED], protocol.seed, "again", section, rater, key=_item)
    quarter = 3 * len(arranged) // 4
    for slot in again:
        place = quarter + draw(protocol.seed, "again/place", section, rater, slot.item) % (len(arranged) + 1 - quarter)
        arranged.insert(place, slot)
    return arranged


def repeatable(slots: Iterable[Slot], protocol: Protocol, rater: str, section: str) -> list[str]:
    """The items of the first half of what is claimed together, in the rater's order."""
    arranged = arrange(slots, protocol, rater, section)
    return [slot.item for slot in arranged[: len(arranged) // 2]]


def _item(slot: Slot) -> str:
    return slot.item


def batch_size(protocol: Protocol, panel: str = "") -> int:
    """How many slots a rater claims at once: as stated, else all that the rater will do."""
    most = quota(protocol, panel)
    return min(protocol.raters.batch or most, most)


@lru_cache(maxsize=256)
def quota(protocol: Protocol, panel: str = "", n: int | None = None) -> int:
    """How many items of a section one rater does in all: a fair share of the roster's, else one batch.

    `n` says how many of the panel's items there are in the rater's round, where it is not all of them.
    """
    raters = protocol.raters
    n_items = stratum_sizes(protocol, raters.panels).get(panel, 0) if raters.panels else n_drawn(protocol)
    n_items = n_items if n is None else n
    if raters.roster is not None:
        return min(n_items, -(-n_items * raters.per_item // raters.roster))
    return min(n_items, raters.batch or OPEN_BATCH)
