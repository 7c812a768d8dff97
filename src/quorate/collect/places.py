"""The places of open enrolment: `raters.cap` says how many there are, and here is who holds one.

A place is kept for whoever was invited by name and has not begun, has answered something, or waits for the cut. Anyone
else keeps it for `lease_minutes` after the newest step: who leaves without an answer does not use up a place.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from quorate.protocol import Protocol
from quorate.store import Event, Tx, stamp

LEFT = ("withdrawn", "excluded", "declined", "screened_out", "not_selected", "replaced")
"""The events after which a rater's place is another one's."""


def gone(tx: Tx) -> set[str | None]:
    """Everyone who takes no part (any more): who has left, and who is kept in reserve and was not called."""
    called = {event.rater for event in tx.events(kinds=["selected"])}
    waiting = {event.rater for event in tx.events(kinds=["reserve"])} - called
    return {event.rater for event in tx.events(kinds=LEFT)} | waiting


def rounds_of(tx: Tx, panel: str) -> dict[int, int | None]:
    """The rounds in which a panel has something to do, each with how many of its items (None: all of them)."""
    found: dict[int, int | None] = {1: None}
    for event in tx.events(kinds=["reassessed"]):
        # Studies from before parts of panels could be reassessed do not say which panels have items in the round.
        n = event.data.get("panels", {panel: None} if event.data["stratum"] == panel or not panel else {})
        if panel in n:
            found[event.data["round"]] = n[panel]
    return found


def holders(tx: Tx, protocol: Protocol, panel: str = "") -> set[str]:
    """The raters (of a panel) who hold a place."""
    present = {rater.id for rater in tx.raters() if rater.panel == panel} - gone(tx)
    if not _can_lapse(protocol):
        return present
    waiting = {event.rater for event in tx.events(kinds=["screening"])} if has_cut(protocol) else set()
    since = lease_ago(tx, protocol)
    lapsed = {rater for rater, at in tx.raters_without_answers().items() if at and at <= since}
    return present - (lapsed - waiting)


def has_place(tx: Tx, protocol: Protocol, rater: str, panel: str, events: Sequence[Event]) -> bool:
    """Whether a rater who has begun can go on: the place is still held, or one is free."""
    cap = protocol.raters.cap
    if cap is None or not _can_lapse(protocol) or not events:
        return True
    if events[-1].at > lease_ago(tx, protocol):
        return True
    held = holders(tx, protocol, panel)
    return rater in held or len(held) < cap * len(rounds_of(tx, panel))


def lease_ago(tx: Tx, protocol: Protocol) -> str:
    """The time since when nobody who was silent keeps anything, as rows hold it."""
    return stamp(datetime.fromisoformat(tx.now()) - timedelta(minutes=protocol.raters.lease_minutes))


def _can_lapse(protocol: Protocol) -> bool:
    """Whether places are for whoever comes; those of a roster belong to their raters."""
    return protocol.raters.roster is None and protocol.raters.cap is not None


def has_cut(protocol: Protocol) -> bool:
    """Whether the best of those who pass the quiz take part, so that all wait for the cut."""
    rule = protocol.raters.screening
    return rule is not None and rule.top is not None
