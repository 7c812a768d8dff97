"""The rows of a study's database, read in one go: all that the checks look at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

import msgspec

from quorate.exchange.imports import IMPORTED
from quorate.records import Answer, Assignment, Item, Rater, Slot
from quorate.store import Event, Presentation, ProtocolRow, Report, Tx
from quorate.store.chain import WITH_HEAD
from quorate.verify.findings import Finding

T = TypeVar("T")
Place = tuple[str, str, int, int]
"""Where a slot is in the plan: section, item, round, repeat."""

# What msgspec and the records raise at a row that another program wrote.
_DAMAGED = (msgspec.MsgspecError, ValueError, TypeError)


@dataclass(frozen=True)
class Rows:
    """What the database holds; `damaged` says what of it could not be read."""

    secret: str
    protocols: tuple[ProtocolRow, ...]
    events: tuple[Event, ...]
    raters: tuple[Rater, ...]
    members: frozenset[str]
    items: tuple[Item, ...]
    slots: tuple[Slot, ...]
    #: Slots by the numbers that the claims name.
    numbered: Mapping[int, Slot]
    assignments: tuple[Assignment, ...]
    answers: tuple[Answer, ...]
    reports: tuple[Report, ...]
    presentations: tuple[Presentation, ...]
    chain_faults: tuple[str, ...]
    damaged: tuple[Finding, ...] = field(default=())

    def of_kind(self, *kinds: str) -> Iterator[Event]:
        """The events of some kinds, in the server's order."""
        return (event for event in self.events if event.kind in kinds)

    @cached_property
    def by_id(self) -> dict[str, Item]:
        """The items by id."""
        return {item.id: item for item in self.items}

    @cached_property
    def imported(self) -> frozenset[str]:
        """The raters whose answers came, all or some, from a file: no page was sent, and no browser checked them."""
        return frozenset(event.rater or "" for event in self.of_kind(IMPORTED))

    @cached_property
    def erased(self) -> frozenset[str]:
        """The raters who withdrew and asked for erasure."""
        return frozenset(event.rater or "" for event in self.of_kind("withdrawn") if (event.data or {}).get("erased"))

    @cached_property
    def by_position(self) -> dict[tuple[str, str, int], Assignment]:
        """The assignments by rater, section and position."""
        return {(one.rater, one.section, one.position): one for one in self.assignments}


def place_of(slot: Slot | Assignment | Answer) -> Place:
    """Where a slot, or what was made of it, is in the plan."""
    return slot.section, slot.item, slot.round, slot.repeat


def newest_answer(moment: Event | ProtocolRow) -> int | None:
    """The number of the newest answer when this was recorded, by which the order is told; None where it was not kept.

    Never by the clock: one that is set back would make an honest study look forged.
    """
    if moment.after_answer is None and isinstance(moment, Event) and moment.kind in WITH_HEAD:
        head = (moment.data or {}).get("head")
        return head[0] if head else None
    return moment.after_answer


def read_rows(tx: Tx) -> Rows:
    """Everything at once, on one consistent view of the database."""
    damaged: list[Finding] = []

    def reading(what: str, verb: Callable[[], Iterable[T]]) -> tuple[T, ...]:
        try:
            return tuple(verb())
        except _DAMAGED as error:
            damaged.append(Finding("unreadable", what, f"a row cannot be read ({error})."))
            return ()

    slots = reading("slots", tx.slots)
    raters = reading("raters", tx.raters)
    return Rows(
        secret=tx.setting("secret") or "",
        protocols=reading("protocols", tx.protocols),
        events=reading("events", tx.events),
        raters=raters,
        members=frozenset(member.id for member in tx.members()),
        items=reading("items", tx.items),
        slots=slots,
        numbered=_numbered(tx, slots),
        assignments=reading("assignments", tx.assignments),
        answers=reading("answers", tx.all_answers),
        reports=reading("submissions", tx.reports),
        presentations=reading("presentations", tx.presentations),
        chain_faults=reading("answers", tx.chain_faults),
        damaged=tuple(damaged),
    )


def _numbered(tx: Tx, slots: Iterable[Slot]) -> dict[int, Slot]:
    items = dict.fromkeys((slot.section, slot.item, slot.round) for slot in slots)
    return {number: slot for item in items for number, slot, _ in tx.slots_of(*item)}
