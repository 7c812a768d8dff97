"""Checks: items with a known answer and a rater's own items again, mixed into the work; they enter no estimate."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil

from quorate.chance import order
from quorate.plan import CHECKS, REPEATED, gold_items, is_gold, quota, repeatable, shown_once
from quorate.plan.gold import gold_section
from quorate.protocol import Protocol, Section
from quorate.records import Answer, Item, Rater, Slot
from quorate.store import Tx

GOLD = "gold"


def n_checks(protocol: Protocol, section: Section, panel: str = "") -> int:
    """How many checks there are in a rater's share of a section."""
    return len(_gold(protocol, section)) + _n_repeats(protocol, panel)


def due(
    tx: Tx, protocol: Protocol, rater: Rater, section: Section, claimed: Sequence[Slot], planned: int
) -> list[Slot]:
    """The checks that go with a claim, in proportion to how much of the rater's share it is.

    `claimed` are the slots of the claim, `planned` is how many planned ones the rater has with them.
    """
    if protocol.raters.checks is None or not claimed:
        return []
    share = min(1.0, planned / quota(protocol, rater.panel))
    mine = [one for one in tx.assignments(rater.id, section.id) if not one.lost]
    had = {one.item for one in mine if one.round == CHECKS}
    gold = _gold(protocol, section)
    n_gold = ceil(share * len(gold)) - sum(item.id in had for item in gold)
    again = {one.item for one in mine if one.round != CHECKS} & had
    n_again = int(share * _n_repeats(protocol, rater.panel)) - len(again)
    own = [one.item for one in mine if one.round != CHECKS]
    early = [*own, *repeatable(claimed, protocol, rater.id, section.id)]
    left = order([id for id in early if id not in had], protocol.seed, "repeats", section.id, rater.id)
    unseen = order([item.id for item in gold if item.id not in had], protocol.seed, "gold", section.id, rater.id)
    return [
        *(check_slot(tx, protocol, rater, section, id, GOLD) for id in unseen[: max(0, n_gold)]),
        *(check_slot(tx, protocol, rater, section, id, REPEATED) for id in left[: max(0, n_again)]),
    ]


def check_slot(tx: Tx, protocol: Protocol, rater: Rater, section: Section, item: str, kind: str) -> Slot:
    """A slot of this rater alone, outside every estimate; what it shows is drawn for the rater."""
    known = tx.item(item)
    assert known is not None, "a check's item is in the plan"
    shown = shown_once(protocol, section, known, kind, rater.id)
    return Slot(section.id, item, rater.place, kind, shown, CHECKS)


def is_check(answer: Answer) -> bool:
    """Whether an answer belongs to a check, and so to no estimate."""
    return answer.round == CHECKS


def drawn_items(items: Iterable[Item]) -> tuple[Item, ...]:
    """The study's own items, without those of the checks."""
    return tuple(item for item in items if not is_gold(item))


def _gold(protocol: Protocol, section: Section) -> tuple[Item, ...]:
    items = gold_items(protocol)
    return items if items and gold_section(protocol).id == section.id else ()


def _n_repeats(protocol: Protocol, panel: str) -> int:
    """So many as the study file says, as far as a rater has items that come early enough."""
    checks = protocol.raters.checks
    return min(checks.repeats, quota(protocol, panel) // 2) if checks else 0
