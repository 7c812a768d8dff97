"""What one slot puts where: sides and option orders, balanced by construction and keyed."""

from __future__ import annotations

from collections.abc import Hashable

from quorate.chance import draw, order
from quorate.protocol import Protocol, Section
from quorate.records import Item, Shown


def systems_of(section: Section, item: Item) -> tuple[str, ...]:
    """The systems that stand side by side in a section, in the order of the alphabet."""
    return next((tuple(sorted(found)) for show in section.show if (found := show.part.systems(item))), ())


def shown_for(protocol: Protocol, section: Section, item: Item, turn: int, *ids: Hashable) -> Shown:
    """Sides by turn (even turns put the first system left), option orders by a draw keyed by the ids."""
    sides: dict[str, str] = {}
    systems = systems_of(section, item)
    if systems:
        first, second = systems if turn % 2 == 0 else systems[::-1]
        sides = {"left": first, "right": second}
    options = {}
    for ask in section.ask:
        question = ask.question
        if question.is_drawn():
            pinned = question.pinned()
            free = [id for id in question.option_ids(item) if id not in pinned]
            drawn = order(free, protocol.seed, "options", section.id, ask.id, item.id, *ids)
            options[ask.id] = (*drawn, *pinned)
    return Shown(sides, options)


def shown_once(protocol: Protocol, section: Section, item: Item, *ids: Hashable) -> Shown:
    """The same for someone outside the plan's slots: a judge, or a practice round."""
    return shown_for(protocol, section, item, draw(protocol.seed, "side", section.id, item.id, *ids), *ids)
