"""Is what raters were given what follows from the recorded claims? The claims are replayed, one after the other.

Who claimed which slots, and when, depends on arrival: it is an event. Everything else follows from it: the order, the
positions, the sides and option orders, and the opaque names of the assignments.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from quorate.chance import opaque
from quorate.plan import CHECKS, arrange
from quorate.protocol import Protocol
from quorate.records import Assignment, Slot
from quorate.store import Event
from quorate.verify.findings import Finding
from quorate.verify.plan import check_shown, said
from quorate.verify.rows import Place, Rows, place_of


@dataclass
class Replay:
    """How far the claims are replayed: who holds which slot, and what every assignment should be."""

    protocol: Protocol
    rows: Rows
    slots: Mapping[Place, Slot]
    holders: dict[Place, Assignment] = field(default_factory=dict)
    positions: dict[tuple[str, str], int] = field(default_factory=lambda: defaultdict(int))
    expected: dict[str, Assignment] = field(default_factory=dict)
    #: Who holds which item of which section, checks aside.
    items: set[tuple[str, str, str]] = field(default_factory=set)
    #: When an assignment went back to the plan, by its id.
    lost: dict[str, Event] = field(default_factory=dict)

    def run(self) -> Iterator[Finding]:
        """Everything that does not follow from the claims before it, and assignments that no claim made."""
        known = {rater.id for rater in self.rows.raters}
        for event in self.rows.of_kind("claim", "released"):
            where = f"event {event.seq} ({event.kind} of {event.rater})"
            if event.rater not in known:
                yield Finding("claims", where, "there is no such rater.")
            elif event.kind == "released":
                yield from self._let_go(where, event)
            else:
                yield from self._claim(where, event)
        yield from self._compare()

    def _let_go(self, where: str, event: Event) -> Iterator[Finding]:
        for id in (event.data or {}).get("lost", ()):
            mine = self.expected.get(id)
            if mine is None:
                yield Finding("claims", where, f"it names the assignment {id}, which no claim made.")
                continue
            self.lost[id] = event
            if self.holders.get(place_of(mine)) is mine:
                del self.holders[place_of(mine)]
            self.items.discard((mine.rater, mine.section, mine.item))

    def _claim(self, where: str, event: Event) -> Iterator[Finding]:
        rater, data = event.rater or "", event.data
        unknown = [number for number in data["slots"] if number not in self.rows.numbered]
        if unknown:
            yield Finding("claims", where, f"it names slots that are not in the plan: {unknown}.")
        yield from self._let_go(where, event)
        stored = [self.rows.numbered[number] for number in data["slots"] if number not in unknown]
        slots = [self.slots.get(place_of(slot), slot) for slot in stored]
        for slot in slots:
            yield from self._check_free(where, rater, data["section"], slot)
        for slot in arrange(slots, self.protocol, rater, data["section"]):
            mine = self._assignment(rater, slot, event)
            self.expected[mine.id] = self.holders[place_of(slot)] = mine

    def _check_free(self, where: str, rater: str, section: str, slot: Slot) -> Iterator[Finding]:
        place = place_of(slot)
        if slot.section != section:
            yield Finding("claims", where, f"it is a claim in {section}, and takes {said(place)}.")
        holder = self.holders.get(place)
        if holder is not None:
            yield Finding("claims", where, f"it takes {said(place)}, which {holder.rater} holds.")
        mine = (rater, slot.section, slot.item)
        if slot.round != CHECKS and mine in self.items:
            yield Finding("claims", where, f"it takes {said(place)}, an item that {rater} holds already.")
        self.items |= {mine} if slot.round != CHECKS else set()

    def _assignment(self, rater: str, slot: Slot, event: Event) -> Assignment:
        self.positions[rater, slot.section] += 1
        ids = (rater, slot.section, slot.item, slot.repeat, slot.round, event.seq)
        return Assignment(
            id=opaque(self.rows.secret, "assignment", *ids),
            rater=rater,
            section=slot.section,
            item=slot.item,
            repeat=slot.repeat,
            position=self.positions[rater, slot.section],
            shown=slot.shown,
            round=slot.round,
            lease_until=event.data.get("lease_until"),
        )

    def _compare(self) -> Iterator[Finding]:
        stored = {one.id: one for one in self.rows.assignments}
        for id, one in stored.items():
            if id not in self.expected:
                yield Finding("claims", of(one), f"no recorded claim made this assignment ({one.item}, {id}).")
        for id, drawn in self.expected.items():
            if id not in stored:
                yield Finding("claims", of(drawn), f"its claim is recorded, and the assignment ({drawn.item}) is gone.")
                continue
            yield from self._compare_one(stored[id], drawn)

    def _compare_one(self, stored: Assignment, drawn: Assignment) -> Iterator[Finding]:
        where = of(stored)
        if (stored.rater, *place_of(stored)) != (drawn.rater, *place_of(drawn)):
            yield Finding("claims", where, f"it is {_named(stored)}, and {_named(drawn)} was claimed.")
        elif stored.position != drawn.position:
            yield Finding("order", where, f"{stored.item} came here, and is drawn for position {drawn.position}.")
        if stored.lease_until != drawn.lease_until:
            yield Finding("claims", where, "its lease is not the one of its claim.")
        if stored.lost != (stored.id in self.lost):
            is_lost = "went back to the plan" if stored.lost else "is still held"
            yield Finding("claims", where, f"it says that it {is_lost}, and the recorded claims say otherwise.")
        yield from check_shown(where, stored.shown, drawn.shown, stored.item)


def check_claims(protocol: Protocol, rows: Rows, slots: Mapping[Place, Slot]) -> tuple[list[Finding], Replay]:
    """What does not follow from the claims, and the replay with every assignment as it should be."""
    replay = Replay(protocol, rows, slots)
    return list(replay.run()), replay


def of(one: Assignment) -> str:
    """An assignment in words."""
    return f"{one.rater}, {one.section}, position {one.position}"


def _named(one: Assignment) -> str:
    return f"{said(place_of(one))} of {one.rater}"
