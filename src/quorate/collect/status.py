"""How far a study is: its raters and its items."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

from quorate.collect.places import rounds_of
from quorate.collect.quality import quality_now
from quorate.collect.screening import preview
from quorate.collect.unshown import times_not_shown
from quorate.collect.way import is_open, where
from quorate.plan import CHECKS
from quorate.protocol import Protocol
from quorate.sheets.quality import Quality, excluding
from quorate.store import Tx

Place = tuple[str, str]
"""A section and an item."""


@dataclass(frozen=True, slots=True)
class RaterStatus:
    """One rater's progress; `last` is when the newest step was taken."""

    id: str
    step: str
    answered: int
    total: int
    last: str
    #: How often this rater went on without something that did not load.
    media_failed: int = 0
    panel: str = ""
    #: What is to be known of the rater's place: why it was given up, or whose it was before.
    note: str = ""
    #: How carefully the rater works, in figures, where the study has checks or a rule of exclusion.
    quality: Quality | None = None
    #: The study's rule of exclusion with the rater's numbers, where it holds of the rater.
    excluding: str = ""


@dataclass(frozen=True, slots=True)
class ItemStatus:
    """One item of a section: how many answers it has of how many wanted."""

    section: str
    item: str
    answered: int
    wanted: int


@dataclass(frozen=True, slots=True)
class PanelStatus:
    """The places of one panel that a quiz decides on: how many, who has them, and who could have the free ones."""

    panel: str
    wanted: int
    taking_part: int
    free: int
    reserves: int
    waiting: int
    unfinished: int


@dataclass(frozen=True, slots=True)
class StudyStatus:
    """The whole study at a glance."""

    state: str
    raters: tuple[RaterStatus, ...]
    items: tuple[ItemStatus, ...]
    panels: tuple[PanelStatus, ...] = ()

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
    return StudyStatus("open" if is_open(tx) else closed, _raters(tx, protocol), _items(tx), _panels(tx, protocol))


def _panels(tx: Tx, protocol: Protocol) -> tuple[PanelStatus, ...]:
    rule = protocol.raters.screening
    if rule is None or rule.top is None:
        return ()
    found = []
    for cut in preview(tx, protocol):
        wanted, free = rule.top * len(rounds_of(tx, cut.panel)), len(cut.free)
        later = [one for one in cut.chosen if one.because != "reserve"]
        reserves = len(cut.reserves) - cut.new_reserves + len(cut.chosen) - len(later)
        waiting = len(later) + cut.new_reserves + len(cut.failed)
        found.append(PanelStatus(cut.panel, wanted, wanted - free, free, reserves, waiting, len(cut.unfinished)))
    return tuple(found)


def _raters(tx: Tx, protocol: Protocol) -> tuple[RaterStatus, ...]:
    rows, failed, notes, found = [], times_not_shown(tx), _notes(tx), quality_now(tx, protocol)
    held = excluding(protocol, found)
    for rater in tx.raters():
        events = tx.events(rater=rater.id)
        step = where(tx, protocol, rater.id).step if events else "invited"
        answered, total = _counts(tx, protocol, rater.id, {event.kind for event in events})
        last = events[-1].at if events else ""
        rows.append(
            RaterStatus(
                rater.id,
                str(step),
                answered,
                total,
                last,
                failed[rater.id],
                rater.panel,
                notes.get(rater.id, ""),
                found.get(rater.id),
                held.get(rater.id, ""),
            )
        )
    return tuple(rows)


def _notes(tx: Tx) -> dict[str | None, str]:
    notes: dict[str | None, str] = {}
    for event in tx.events(kinds=["selected", "excluded", "replaced"]):
        data = event.data or {}
        if event.kind != "selected":
            notes[event.rater] = data.get("reason", "")
        elif data.get("instead_of"):
            notes[event.rater] = f"instead of {data['instead_of']}"
    return notes


def _counts(tx: Tx, protocol: Protocol, rater: str, kinds: set[str]) -> tuple[int, int]:
    if kinds & {"withdrawn", "excluded", "replaced"}:
        # Their places are free again; what they did is counted by what they were given.
        given = tx.assignments(rater)
        return sum(one.answered for one in given), len(given)
    counts = [tx.counts(rater, section.id) for section in protocol.sections]
    return sum(c.answered for c in counts), sum(c.total for c in counts)


def _items(tx: Tx) -> tuple[ItemStatus, ...]:
    gone = {event.rater for event in tx.events(kinds=["withdrawn", "excluded"])}
    held: Counter[Place] = Counter()
    answered: Counter[Place] = Counter()
    for assignment in tx.assignments():
        if not assignment.lost and assignment.round != CHECKS:
            place = (assignment.section, assignment.item)
            held[place] += 1
            answered[place] += assignment.answered and assignment.rater not in gone
    wanted = Counter((slot.section, slot.item) for slot in tx.slots() if slot.round != CHECKS)
    # Of what a judge settled, only answers of those who had begun are wanted.
    settled = {(event.data["section"], item) for event in tx.events(kinds="withheld") for item in event.data["items"]}
    wanted.update({place: held[place] - wanted[place] for place in settled})
    return tuple(ItemStatus(*place, answered[place], n) for place, n in wanted.items() if n)
