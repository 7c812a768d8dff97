"""What could not be shown: it is kept with its reason, and is no answer.

Its place is free for another rater. Until one takes it, it stays with the rater who could not see it: it comes again
when all else is answered, to be tried once more or left behind.
"""

from __future__ import annotations

from collections import Counter

from quorate.protocol import Protocol
from quorate.records import Assignment
from quorate.store import Tx

NOT_SHOWN = "media_failed"
"""The event that a rater went on without something that did not load."""
LEFT = "unshown"
"""The event that a rater left behind what could not be shown in a section."""


def not_shown(tx: Tx, mine: Assignment) -> None:
    """Takes what was just sent as no answer, and records who went on without what."""
    tx.not_shown(mine)
    tx.add_event(NOT_SHOWN, mine.rater, {"section": mine.section, "item": mine.item, "position": mine.position})


def times_not_shown(tx: Tx) -> Counter[str]:
    """How often each rater went on without something that did not load."""
    return Counter(event.rater or "" for event in tx.events(kinds=NOT_SHOWN))


def n_answered(tx: Tx, protocol: Protocol, rater: str) -> int:
    """How much of the work a rater has answered that is still the rater's."""
    return sum(tx.counts(rater, section.id).answered for section in protocol.sections)


def has_judged_most(tx: Tx, protocol: Protocol, rater: str) -> bool:
    """Whether a rater has answered more than what could not be shown and is still without an answer of theirs."""
    answered = {(one.section, one.item) for one in tx.assignments(rater) if one.answered}
    failed = {(event.data["section"], event.data["item"]) for event in tx.events(rater=rater, kinds=NOT_SHOWN)}
    return n_answered(tx, protocol, rater) > len(failed - answered)


def can_leave(tx: Tx, protocol: Protocol, rater: str, section: str) -> bool:
    """Whether a rater may go on without what could not be shown in a section: to the next one, or to the end.

    Nobody finishes who has gone on without as much as was answered, or more.
    """
    has_left = any(event.data["section"] == section for event in tx.events(rater=rater, kinds=LEFT))
    is_last = section == protocol.sections[-1].id
    return has_judged_most(tx, protocol, rater) or not (is_last or has_left)
