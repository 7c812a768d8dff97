"""Items with a known answer, mixed into every rater's work; they are in the plan and never in an estimate."""

from __future__ import annotations

from quorate.protocol import Protocol, Section
from quorate.records import Item

GOLD = "quorate_gold"
"""The reserved field that marks such an item."""


def gold_items(protocol: Protocol) -> tuple[Item, ...]:
    """The checks' items in the order of their table, each with the mark."""
    rule = protocol.raters.checks.gold if protocol.raters.checks else None
    used = protocol.gold[: rule.n] if rule else ()
    return tuple(Item(item.id, {**item.fields, GOLD: True}) for item in used)


def gold_section(protocol: Protocol) -> Section:
    """The section whose questions the checks ask."""
    rule = protocol.raters.checks.gold if protocol.raters.checks else None
    return protocol.section(rule.section) if rule and rule.section else protocol.sections[0]


def is_gold(item: Item) -> bool:
    """Whether an item is a check."""
    return bool(item.fields.get(GOLD))
