"""Who sees what, and when: sample and slots. Pure: the same protocol gives the same plan, anywhere."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b

import msgspec

from quorate.plan.distractors import Known, with_distractors
from quorate.plan.gold import gold_items, is_gold
from quorate.plan.sample import allowed_items, lost_draw, n_drawn, published_draw, sample_items
from quorate.plan.show import shown_once
from quorate.plan.slots import (
    CHECKS,
    REPEATED,
    arrange,
    batch_size,
    contested,
    extra_slot,
    make_slots,
    panel_of,
    quota,
    repeatable,
    strata_fields,
    why_not,
)
from quorate.protocol import Protocol
from quorate.questions import DISTRACTORS
from quorate.records import Item, Slot


@dataclass(frozen=True)
class Plan:
    """The drawn items, with the checks' items behind them, and the slots that raters claim."""

    items: tuple[Item, ...]
    slots: tuple[Slot, ...]

    @property
    def drawn(self) -> tuple[Item, ...]:
        """The items of the sample, without those of the checks."""
        return tuple(item for item in self.items if not is_gold(item))

    @property
    def checks(self) -> tuple[Item, ...]:
        """The items with a known answer."""
        return tuple(item for item in self.items if is_gold(item))

    @cached_property
    def hash(self) -> str:
        """One name for the whole plan; equal plans have equal names on every machine."""
        content = {
            "items": [[item.id, item.fields.get(DISTRACTORS)] for item in self.items],
            "slots": [msgspec.to_builtins(s) for s in self.slots],
        }
        return blake2b(msgspec.json.encode(content, order="deterministic"), digest_size=16).hexdigest()


def make_plan(protocol: Protocol, distractors: Known | None = None) -> Plan:
    """The plan of a study; with `distractors` that were chosen before, no encoder is needed."""
    items = with_distractors(protocol, (*sample_items(protocol), *gold_items(protocol)), distractors)
    return Plan(items, make_slots(protocol, [item for item in items if not is_gold(item)]))


__all__ = [
    "CHECKS",
    "REPEATED",
    "Plan",
    "allowed_items",
    "arrange",
    "batch_size",
    "contested",
    "extra_slot",
    "gold_items",
    "is_gold",
    "lost_draw",
    "make_plan",
    "make_slots",
    "n_drawn",
    "panel_of",
    "published_draw",
    "quota",
    "repeatable",
    "sample_items",
    "shown_once",
    "strata_fields",
    "why_not",
]
