"""How far a study is: its raters and its items."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from quorate.collect.way import is_open, where
from quorate.plan import CHECKS
from quorate.protocol import Protocol
from quorate.store import Tx


@dataclass(frozen=True, slots=True)
class RaterStatus:
    """One rater's progress; `last` is when the newest step was taken."""

    id: str
    step: str
    answered: int
    total: int
    last: str


@dataclass(frozen=True, slots=True)
class ItemStatus:
    """One item of a section: how many answers it has of how many wanted."""

    section: str
    item: str
    answered: int
    wanted: int


@dataclass(frozen=True, slots=True)
class StudyStatus:
    """The whole study at a glance."""

    state: str
    raters: tuple[RaterStatus, ...]
    items: tuple[ItemStatus, ...]

    @property
    def answered(self) -> int:
        """How many slots are answered."""
        return sum(item.answered for item in self.items)

    @property
    def wanted(self) -> int:
        """How many slots there are."""
        return sum(item.wanted for item in self.items)

    def as_dict(self) -> dict[str, Any]:
        """Every field by name, ready for JSON."""
        return {**asdict(self), "answered": self.answered, "wanted": self.wanted}


def study_status(tx: Tx, protocol: Protocol) -> StudyStatus:
    """The state of the study, of each rater and of each item."""
    closed = "closed" if tx.last_event("closed") else "not open yet"
    return StudyStatus("open" if is_open(tx) else closed, _raters(tx, protocol), _items(tx))


def _raters(tx: Tx, protocol: Protocol) -> tuple[RaterStatus, ...]:
    rows = []
    for rater in tx.raters():
        events = tx.events(rater=rater.id)
        step = where(tx, protocol, rater.id).step if events else "invited"
        answered, total = _counts(tx, protocol, rater.id, {event.kind for event in events})
        rows.append(RaterStatus(rater.id, str(step), answered, total, events[-1].at if events else ""))
    return tuple(rows)


def _counts(tx: Tx, protocol: Protocol, rater: str, kinds: set[str]) -> tuple[int, int]:
    if kinds & {"withdrawn", "excluded"}:
        # Their places are free again; what they did is counted by what they were given.
        given = tx.assignments(rater)
        return sum(one.answered for one in given), len(given)
    counts = [tx.counts(rater, section.id) for section in protocol.sections]
    return sum(c.answered for c in counts), sum(c.total for c in counts)


def _items(tx: Tx) -> tuple[ItemStatus, ...]:
    gone = {event.rater for event in tx.events(kinds=["withdrawn", "excluded"])}
    answered: dict[tuple[str, str], int] = {}
    for assignment in tx.assignments():
        is_counted = assignment.answered and not assignment.lost and assignment.round != CHECKS
        if is_counted and assignment.rater not in gone:
            key = (assignment.section, assignment.item)
            answered[key] = answered.get(key, 0) + 1
    wanted: dict[tuple[str, str], int] = {}
    for slot in tx.slots():
        if slot.round != CHECKS:
            wanted[slot.section, slot.item] = wanted.get((slot.section, slot.item), 0) + 1
    return tuple(ItemStatus(*key, answered.get(key, 0), n) for key, n in wanted.items())
