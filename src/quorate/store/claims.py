"""Claiming: slots of the plan become a rater's assignments, and go back when they are not used.

For each item, the first slot that may be claimed carries `fill`, the number of the item's slots that are taken. An
index over those marked slots is the queue: a claim reads its head, so its cost does not grow with the plan. Only the
items at the head that the rater has already are passed over. The queue is kept by stratum, for panels of raters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Any

from quorate.chance import opaque
from quorate.records import Assignment, Slot
from quorate.store.log import LogVerbs
from quorate.store.plan import slot_from
from quorate.store.verbs import Row, encode_json, stamp

Order = Callable[[list[Slot]], Sequence[Slot]]
Place = tuple[str, str, int, int]


class ClaimVerbs(LogVerbs):
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
        """Take up to n slots of items that this rater does not have, and put them behind the rater's others.

        The least-filled items come first, then the lowest repeat, then the order of the plan. A slot is free when
        nobody holds it, or when its lease ran out with nothing answered. `order` says in which order the slots come
        to the rater. A rater never gets two slots of one item. With a stratum, only its slots are taken: those of
        the rater's panel. The claim is a numbered event.
        """
        lease = stamp(lease_until) if isinstance(lease_until, datetime) else lease_until
        self._open_lapsed(section, round)
        found = self._next_slots(rater, section, n, stratum, round)
        if not found:
            return ()
        slots, ids = [slot_from(row[4:]) for row in found], [row[2] for row in found]
        lost = [held for slot, row in zip(slots, found, strict=True) if (held := self._held(slot, row[3]))]
        data = {"section": section, "round": round, "stratum": stratum, "slots": ids, "lease_until": lease}
        seq = self.add_event("claim", rater, {**data, "lost": [id for id, _ in lost]})
        self._lose(lost, section, seq)
        self._many("take_slot", [{"id": id, "rater": rater, "lease_until": lease} for id in ids])
        self._many("mark_item", [_same_item(slot) for slot in slots])
        numbers = dict(zip(map(_place, slots), ids, strict=True))
        return self._assign(_arranged(slots, order), numbers, rater, lease, seq)

    def can_claim(self, rater: str, section: str, *, stratum: str | None = None, round: int = 1) -> bool:
        """Whether a claim would give this rater anything now; it only reads."""
        key = {"rater": rater, "section": section, "round": round}
        for one in self._strata(section, stratum, round):
            if self._row("claimable_slot", stratum=one, **key) is not None:
                return True
        return self._row("claimable_lapsed_slot", now=self.now(), stratum=stratum, **key) is not None

    def release(self, rater: str) -> int:
        """Give a rater's unanswered slots back to the plan, as on withdrawal or exclusion; how many there were."""
        rows = self._rows("open_assignments", rater=rater)
        if not rows:
            return 0
        seq = self.add_event("released", rater, {"lost": [row[0] for row in rows]})
        for id, slot, section, item, round in rows:
            self._lose([(id, rater)], section, seq)
            # A late answer may have been overtaken: then the slot is another rater's, and stays so.
            if self._run("free_slot", id=slot, rater=rater):
                self._mark_again(section=section, item=item, round=round)
        return len(rows)

    def _next_slots(self, rater: str, section: str, n: int, stratum: str | None, round: int) -> list[Row]:
        """The head of the queue of each stratum, and of those the first n: rows begin with what they are sorted by."""
        heads: list[Row] = []
        for one in self._strata(section, stratum, round):
            heads += self._rows("next_slots", rater=rater, section=section, round=round, stratum=one, n=n)
        return sorted(heads, key=lambda row: tuple(row[:3]))[:n]

    def _strata(self, section: str, stratum: str | None, round: int) -> Iterator[str]:
        """The one that was asked for, or every one in which something is to be claimed."""
        found = "" if stratum is None else stratum
        yield found
        while stratum is None and (found := self._value("next_stratum", section=section, round=round, after=found)):
            yield found

    def _open_lapsed(self, section: str, round: int) -> None:
        """Let slots whose lease ran out be claimed; until someone does, they stay with their rater."""
        for id, *same_item in self._rows("lapsed_slots", section=section, round=round, now=self.now()):
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


def _place(slot: Slot) -> Place:
    return slot.section, slot.item, slot.round, slot.repeat


def _same_item(slot: Slot) -> dict[str, Any]:
    return {"section": slot.section, "item": slot.item, "round": slot.round}


def _assignment_row(assignment: Assignment) -> dict[str, Any]:
    return {
        "id": assignment.id,
        "rater": assignment.rater,
        "section": assignment.section,
        "item": assignment.item,
        "repeat": assignment.repeat,
        "round": assignment.round,
        "position": assignment.position,
        "shown": encode_json(assignment.shown).decode(),
        "lease_until": assignment.lease_until,
    }
