"""The places that a quiz is for: who holds one, which are free and why, and whether candidates may still come.

A place belongs to a panel and to a round. It is free until someone is selected for it, and again when that person has
left: withdrawn, excluded, replaced, or with no link that works and work still to do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from quorate.collect.places import has_cut, rounds_of
from quorate.protocol import Protocol
from quorate.store import Tx

CUT, CLOSED, OPENED = "cut", "recruitment_closed", "recruitment_opened"
"""The events of a panel's cut, and, where everyone who passes takes part, of the end of recruitment and its return.

Studies from before there were cuts by panel have one `recruitment_closed` for all of them.
"""

RESERVE = "reserve"
LEAVING: Mapping[str, str] = {"withdrawn": "withdrew", "excluded": "was excluded", "replaced": "was replaced"}
"""The events by which someone leaves a place, with what is said of it."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place of a panel: in which round, and who held it before and why no more, where somebody did."""

    round: int = 1
    before: str = ""
    why: str = ""


def is_recruited(tx: Tx, protocol: Protocol, panel: str = "") -> bool:
    """Whether a quiz decides who takes part in a panel, its cut is made, and every place is taken.

    Where everyone who passes takes part, it is closed until someone who took part leaves, or a further round opens.
    """
    if protocol.raters.screening is None:
        return False
    if has_cut(protocol):
        return is_cut(tx, panel) and not free_places(tx, protocol, panel)
    closed, opened = (max((one.seq for one in _of(tx, kind, panel)), default=0) for kind in (CLOSED, OPENED))
    return closed > max(opened, _last_leaving(tx, panel))


def _last_leaving(tx: Tx, panel: str) -> int:
    """When someone of a panel last left who took part: the number of the event, 0 where nobody has."""
    selected = {event.rater for event in tx.events(kinds=["selected"])}
    mine = {rater.id for rater in tx.raters() if rater.panel == panel and rater.id in selected}
    return max((event.seq for event in tx.events(kinds=LEAVING) if event.rater in mine), default=0)


def is_cut(tx: Tx, panel: str) -> bool:
    """Whether the first cut of a panel is made, so that who passes later takes what is free."""
    return bool(_of(tx, CUT, panel) or _of(tx, CLOSED, panel))


def free_places(tx: Tx, protocol: Protocol, panel: str) -> tuple[Place, ...]:
    """The places of a panel that nobody holds, by round: first those that somebody left, then new ones."""
    rule = protocol.raters.screening
    if rule is None or rule.top is None:
        return ()
    mine = {rater.id for rater in tx.raters() if rater.panel == panel}
    taken = {event.rater: event.data or {} for event in tx.events(kinds=["selected"]) if event.rater in mine}
    left, filled = who_left(tx, set(taken)), {one.get("instead_of") for one in taken.values()}
    free: list[Place] = []
    for round in rounds_of(tx, panel):
        here = [rater for rater, data in taken.items() if data.get("round", 1) == round]
        open_ = [Place(round, rater, why) for rater, why in left.items() if rater in here and rater not in filled]
        n = rule.top - sum(rater not in left for rater in here)
        free += [*open_, *(Place(round) for _ in range(n))][: max(0, n)]
    return tuple(free)


def who_left(tx: Tx, among: set[str]) -> dict[str, str]:
    """Who of these has left a place, in the order of leaving, each with what is said of it."""
    left: dict[str, str] = {}
    for event in tx.events(kinds=LEAVING):
        if event.rater in among:
            reason = (event.data or {}).get("reason", "")
            left.setdefault(event.rater, f"{LEAVING[event.kind]}: {reason}" if reason else LEAVING[event.kind])
    return left | {rater: "has no link that works" for rater in without_link(tx, among) if rater not in left}


def without_link(tx: Tx, among: set[str]) -> list[str]:
    """Who of these can come in no more, since every link was revoked, and had something left to answer."""
    finished = {event.rater for event in tx.events(kinds=["finished", "not_needed"])}
    finished |= {one for one in among if (known := tx.progress(one)) is not None and known.step == "debrief"}
    works: dict[str, bool] = {}
    for link in tx.links():
        works[link.person] = works.get(link.person, False) or link.revoked_at is None
    return sorted(one for one in among - finished if not works.get(one, True))


def _of(tx: Tx, kind: str, panel: str) -> list[Any]:
    return [event for event in tx.events(kinds=[kind]) if (event.data or {}).get("panel", panel) == panel]
