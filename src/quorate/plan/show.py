"""What one slot puts where: sides and option orders, balanced by construction and keyed."""

from __future__ import annotations

from collections.abc import Hashable

from quorate.chance import draw, order
from quorate.protocol import Protocol, Section
from quorate.records import Item, Shown, side_names


def systems_of(section: Section, item: Item) -> tuple[str, ...]:
    """The systems that stand side by side in a section, in the order of the alphabet."""
    return next((tuple(sorted(found)) for show in section.show if (found := show.part.systems(item))), ())


def in_turn(protocol: Protocol, section: Section, item: Item, turn: int) -> tuple[str, ...]:
    """The systems as they stand side by side: each turn begins with the next one.

    Of two, even turns put the first of the alphabet left. More have an order drawn for the item, so that no rater meets
    the same neighbours again and again; its turns put each system once at each place.
    """
    systems = systems_of(section, item)
    if len(systems) > 2:
        systems = tuple(order(systems, protocol.seed, "sides", section.id, item.id))
    first = turn % len(systems) if systems else 0
    return (*systems[first:], *systems[:first])


def turn_of(protocol: Protocol, section: Section, item: Item, shown: Shown) -> int:
    """The turn whose sides these are."""
    first = next(iter(shown.sides.values()), None)
    return in_turn(protocol, section, item, 0).index(first) if first is not None else 0


def shown_for(protocol: Protocol, section: Section, item: Item, turn: int, *ids: Hashable) -> Shown:
    """Sides by turn, option orders by a draw keyed by the ids."""
    standing = in_turn(protocol, section, item, turn)
    sides = dict(zip(side_names(len(standing)), standing, strict=True))
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
