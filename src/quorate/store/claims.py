"""Claiming: slots of the plan become a rater's assignments, and go back when they are not used.

For each item, the first slot that may be claimed carries `fill`, the number of the item's slots that are taken. An
index over those marked slots is the queue: a claim reads its head, so its cost does not grow with the plan. Only the
items at the head that the rater has already are passed over. The queue is kept by stratum, for panels of raters.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from quorate.chance import opaque
from quorate.errors import StoreError
from quorate.records import Assignment, Slot
from quorate.store.answers import placed
from quorate.store.chain import ChainVerbs
from quorate.store.plan import slot_from
from quorate.store.verbs import Row, shown_from, stamp

Order = Callable[[list[Slot]], Sequence[Slot]]
Place = tuple[str, str, int, int]

NOW = "9999-12-31T23:59:59.999Z"
"""Later than any time: when whoever holds a slot answered last makes no difference."""


class ClaimVerbs(ChainVerbs):
    """The verbs that give slots out and take them back."""

    def claim(
        self,
        rater: str,
        section: str,
        n: int,
        lease_until: datetime | str | None = None,
        order: Order | None = None,
        *,
        stratum: str | None = None,
        round: int = 1,
    ) -> tuple[Assignment, ...]:
        """Take up to n free slots of items that this rater does not have, and put them behind the rater's others.

        `order` says in which order the slots come to the rater. See `free_slots` and `claim_slots`.
        """
        found = self.free_slots(rater, section, n, stratum=stratum, round=round)
        return self.claim_slots(rater, [id for id, _ in found], lease_until, order, stratum=stratum)

    def free_slots(
        self, rater: str, section: str, n: int, *, stratum: str | None = None, round: int = 1, since: str = NOW
    ) -> tuple[tuple[int, Slot], ...]:
        """The first n slots that this rater may claim, by number: never two of one item, none of an item the rater has.

        A slot is free when nobody holds it, or when its lease ran out with nothing answered, and nothing else by its
        rater `since`. The least-filled items come first, then the lowest repeat, then the order of the plan; where
        sides are shown, those that even out where the rater has met each system come first among equally filled items.
        With a stratum, only its slots: those of a panel.
        """
        self._alone()
        self._open_lapsed(section, round, since)
        rows = self._next_slots(rater, section, n, stratum, round)
        if rows and slot_from(rows[0][4:]).shown.sides:
            # More are looked at than are taken, so that there is a choice of sides.
            rows = self._balanced(rater, section, self._next_slots(rater, section, 2 * n + 16, stratum, round), n)
        return tuple((row[2], slot_from(row[4:])) for row in rows)

    def claim_slots(
        self,
        rater: str,
        ids: Sequence[int],
        lease_until: datetime | str | None = None,
        order: Order | None = None,
        *,
        stratum: str | None = None,
    ) -> tuple[Assignment, ...]:
        """Take these slots of one section, in one numbered event with the study's head."""
        self._alone()
        rows = [row for id in ids if (row := self._row("slot", id=id))]
        if len(rows) != len(set(ids)) or not all(row[0] for row in rows):
            raise StoreError("Some of these slots are taken, or are not in the plan.")
        if not rows:
            return ()
        lease = stamp(lease_until) if isinstance(lease_until, datetime) else lease_until
        slots = [slot_from(row[3:]) for row in rows]
        arranged = _arranged(slots, order)
        lost = [held for slot, row in zip(slots, rows, strict=True) if (held := self._held(slot, row[2]))]
        data = {
            "section": slots[0].section,
            "round": slots[0].round,
            "stratum": stratum,
            "slots": list(ids),
            "lease_until": lease,
            "lost": [id for id, _ in lost],
            "head": self.head(),
        }
        seq = self.add_event("claim", rater, data)
        self._lose(lost, slots[0].section, seq)
        self._many("take_slot", [{"id": id, "rater": rater, "lease_until": lease} for id in ids])
        self._many("mark_item", [_same_item(slot) for slot in slots])
        return self._assign(arranged, dict(zip(map(_place, slots), ids, strict=True)), rater, lease, seq)

    def can_claim(
        self, rater: str, section: str, *, stratum: str | None = None, round: int = 1, since: str = NOW
    ) -> bool:
        """Whether a claim would give this rater anything now; it only reads."""
        key = {"rater": rater, "section": section, "round": round}
        for one in self._strata(section, stratum, round):
            if self._row("claimable_slot", stratum=one, **key) is not None:
                return True
        return self._row("claimable_lapsed_slot", now=self.now(), since=since, stratum=stratum, **key) is not None

    def is_unanswered(self, rater: str, section: str, *, stratum: str, round: int = 1) -> bool:
        """Whether some item that this rater does not have still lacks an answer, whoever holds it; it only reads."""
        key = {"rater": rater, "section": section, "stratum": stratum, "round": round}
        return self._row("unanswered_slot", **key) is not None

    def n_free(self, rater: str, section: str, most: int, *, stratum: str | None = None, round: int = 1) -> int:
        """How many items a rater could claim by now, up to `most`; it only reads, and leaves lapsed slots out."""
        return len(self._next_slots(rater, section, most, stratum, round)) if most > 0 else 0

    def claimed(self, rater: str, section: str) -> dict[tuple[int, int], int]:
        """How many assignments a rater holds in a section, by round and repeat."""
        return {(round, repeat): n for round, repeat, n in self._rows("claimed", rater=rater, section=section)}

    def slots_of(self, section: str, item: str, round: int = 1) -> tuple[tuple[int, Slot, str | None], ...]:
        """All slots of an item by repeat: number, slot, and who holds it."""
        rows = self._rows("slots_of_item", section=section, item=item, round=round)
        return tuple((row[0], slot_from(row[2:]), row[1]) for row in rows)

    def agreed_items(
        self, rater: str, section: str, n: int, *, per_item: int, stratum: str, round: int = 1
    ) -> list[str]:
        """Up to n items that have all their planned answers and no more slots, and that this rater has not had."""
        place = {"section": section, "stratum": stratum, "round": round}
        return [item for (item,) in self._rows("agreed_items", rater=rater, n=n, per_item=per_item, **place)]

    def items_at(self, repeat: int) -> list[tuple[str, str, int]]:
        """Where the slot of this repeat is taken: section, item and round, in the order of the plan."""
        return [tuple(row) for row in self._rows("slots_at_repeat", repeat=repeat)]

    def release(self, rater: str, *, answered: bool = False) -> int:
        """Give a rater's slots back to the plan, the unanswered or all, as on withdrawal or exclusion; how many."""
        self._alone()
        rows = [row for row in self._rows("assignments_held", rater=rater) if answered or not row[5]]
        if not rows:
            return 0
        seq = self.add_event("released", rater, {"lost": [row[0] for row in rows]})
        for id, slot, section, item, round, is_answered in rows:
            self._lose([(id, rater)], section, seq)
            if is_answered:
                self._run("drop_answered", rater=rater, section=section)
            # A late answer may have been overtaken: then the slot is another rater's, and stays so.
            if self._run("free_slot", id=slot, rater=rater):
                self._mark_again(section=section, item=item, round=round)
        return len(rows)

    def not_shown(self, assignment: Assignment) -> None:
        """What was just sent is no answer, since something did not load: its slot may be claimed by another rater.

        Until someone does, it stays with this rater, who can try again. Checks are a rater's own, and stay so.
        """
        self._alone()
        self._run("not_answered", id=assignment.id)
        if assignment.lost:
            return
        self._run("drop_answered", rater=assignment.rater, section=assignment.section)
        if assignment.round > 0:
            place = {"section": assignment.section, "item": assignment.item, "round": assignment.round}
            self._free_unshown(assignment.rater, assignment.repeat, place)

    def _free_unshown(self, rater: str, repeat: int, item: Mapping[str, Any]) -> None:
        self._run("open_unshown_slot", rater=rater, repeat=repeat, **item)
        self._mark_again(**item)

    def _next_slots(self, rater: str, section: str, n: int, stratum: str | None, round: int) -> list[Row]:
        """The head of the queue of each stratum, and of those the first n: rows begin with what they are sorted by."""
        heads: list[Row] = []
        for one in self._strata(section, stratum, round):
            heads += self._rows("next_slots", rater=rater, section=section, round=round, stratum=one, n=n)
        return sorted(heads, key=lambda row: tuple(row[:3]))[:n]

    def _balanced(self, rater: str, section: str, rows: list[Row], n: int) -> list[Row]:
        """n of the rows, the least-filled first, and among equals those that even out where systems stood."""
        leaning: Counter[str] = Counter()
        for (shown,) in self._rows("shown_to", rater=rater, section=section):
            leaning.update(_places(_standing(shown)))
        chosen: list[Row] = []
        for _, level in groupby(rows, key=lambda row: row[0]):
            alike: dict[tuple[str, ...], deque[tuple[int, Row]]] = {}
            for number, row in enumerate(level):
                alike.setdefault(_standing(row[8]), deque()).append((number, row))
            while alike and len(chosen) < n:
                # Of those that even out most the first in the queue.
                standing = min(alike, key=lambda one: (_unevenness(leaning, one), alike[one][0][0]))
                chosen.append(alike[standing].popleft()[1])
                leaning.update(_places(standing))
                if not alike[standing]:
                    del alike[standing]
        return chosen

    def _strata(self, section: str, stratum: str | None, round: int) -> Iterator[str]:
        """The one that was asked for, or every one in which something is to be claimed."""
        found = "" if stratum is None else stratum
        yield found
        while stratum is None and (found := self._value("next_stratum", section=section, round=round, after=found)):
            yield found

    def _open_lapsed(self, section: str, round: int, since: str = NOW) -> None:
        """Let slots whose lease ran out unanswered be claimed; until someone does, they stay with their rater."""
        now = {"section": section, "round": round, "now": self.now(), "since": since}
        self._run("keep_answered_slots", **now)
        for id, *same_item in self._rows("lapsed_slots", **now):
            self._run("open_slot", id=id)
            self._mark_again(**dict(zip(("section", "item", "round"), same_item, strict=True)))

    def _mark_again(self, **item: Any) -> None:
        self._run("unmark_item", **item)
        self._run("mark_item", **item)

    def _held(self, slot: Slot, rater: str | None) -> tuple[str, str] | None:
        """The assignment through which a rater whose lease ran out still holds this slot, and the rater."""
        if rater is None:
            return None
        return self._value("held_assignment", rater=rater, repeat=slot.repeat, **_same_item(slot)), rater

    def _lose(self, lost: Sequence[tuple[str, str]], section: str, seq: int) -> None:
        for id, rater in lost:
            self._run("lose_assignment", id=id, lost=seq)
            self._run("add_total", rater=rater, section=section, n=-1)

    def _assign(
        self, slots: Sequence[Slot], numbers: dict[Place, int], rater: str, lease: str | None, seq: int
    ) -> tuple[Assignment, ...]:
        section, secret = slots[0].section, self.setting("secret") or ""
        last = self._value("last_position", rater=rater, section=section)
        made = [
            Assignment(
                opaque(secret, "assignment", rater, slot.section, slot.item, slot.repeat, slot.round, seq),
                rater,
                slot.section,
                slot.item,
                slot.repeat,
                position,
                slot.shown,
                slot.round,
                lease_until=lease,
            )
            for position, slot in enumerate(slots, start=last + 1)
        ]
        self._many(
            "add_assignment",
            [
                {**_assignment_row(one), "slot": numbers[_place(slot)], "claimed_seq": seq}
                for one, slot in zip(made, slots, strict=True)
            ],
        )
        self._run("add_total", rater=rater, section=section, n=len(made))
        return tuple(made)


def _arranged(slots: list[Slot], order: Order | None) -> list[Slot]:
    ordered = list(slots) if order is None else list(order(list(slots)))
    if sorted(map(_place, ordered)) != sorted(map(_place, slots)):
        raise ValueError("the order given to claim must return the slots it was given, each once")
    return ordered


def _standing(shown: str) -> tuple[str, ...]:
    """The systems from left to right."""
    return tuple(shown_from(shown).sides.values())


def _places(standing: tuple[str, ...]) -> dict[str, int]:
    """How far to the left each system stands, as numbers whose sum is 0: 1 and -1 of two."""
    n = len(standing)
    return dict(zip(standing, range(n - 1, -n, -2), strict=True))


def _unevenness(leaning: Counter[str], standing: tuple[str, ...]) -> int:
    """What these places would add to where the systems stood so far; below 0 they even it out."""
    return sum(leaning[system] * place for system, place in _places(standing).items())


def _place(slot: Slot) -> Place:
    return slot.section, slot.item, slot.round, slot.repeat


def _same_item(slot: Slot) -> dict[str, Any]:
    return {"section": slot.section, "item": slot.item, "round": slot.round}


def _assignment_row(assignment: Assignment) -> dict[str, Any]:
    lease = assignment.lease_until
    return {"id": assignment.id, "rater": assignment.rater, "lease_until": lease, **placed(assignment)}
