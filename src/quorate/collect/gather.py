"""What `analyse` needs, read out of the store in one go."""

from __future__ import annotations

from typing import Any

from quorate.collect.anchoring import anchored
from quorate.collect.borderline import votes
from quorate.collect.checks import drawn_items, is_check
from quorate.collect.evidence import asks_for_plays, read_evidence
from quorate.collect.links import panels
from quorate.collect.recruiting import is_recruited
from quorate.collect.triage import routes
from quorate.collect.warning import warnings
from quorate.collect.way import ENDS
from quorate.plan import is_gold
from quorate.protocol import Protocol
from quorate.records import Collected, Participant, ProtocolVersion
from quorate.sheets.quality import by_rule
from quorate.store import Tx
from quorate.store.rows import Event

#: Events by which the team ends a rater's work, for a stated reason.
GIVEN_UP = ("excluded", "replaced")
#: How often an assignment was answered for its reports to be read.
EVERY, REVISED = 1, 2


def gather(tx: Tx, simulated: bool = False, protocol: Protocol | None = None) -> Collected:
    """The drawn items, the newest answers of people and judges, the raters and the team's votes.

    Answers that came too late and answers to checks stand apart, since no estimate is made of them. What browsers
    reported is read where it says more than the answers do: of clips that the `protocol` wants played, else of
    revisions alone. Whom the protocol's rule excludes is excluded.
    """
    found = _gathered(tx, simulated, protocol)
    return found if protocol is None else by_rule(protocol, found)


def _gathered(tx: Tx, simulated: bool, protocol: Protocol | None) -> Collected:
    items, answers = tx.items(), tx.latest_answers()
    counted = tuple(answer for answer in answers if answer.counted and not is_check(answer))
    return Collected(
        drawn_items(items),
        counted,
        _participants(tx),
        votes(tx),
        simulated,
        checks=tuple(answer for answer in answers if is_check(answer)),
        late=sum(not answer.counted for answer in answers),
        gold=tuple(item for item in items if is_gold(item)),
        routes=routes(tx),
        evidence=read_evidence(tx, EVERY if protocol is None or asks_for_plays(protocol) else REVISED),
        anchored=anchored(tx),
        repeated=tx.repeated_calls(),
        warnings=warnings(tx),
        protocols=versions(tx),
        full=_full(tx, protocol),
    )


def versions(tx: Tx) -> tuple[ProtocolVersion, ...]:
    """The frozen protocol and its amendments."""
    return tuple(
        ProtocolVersion(one.number, one.reason, one.at, one.collection_hash, one.analysis_hash, one.text)
        for one in tx.protocols()
    )


def _full(tx: Tx, protocol: Protocol | None) -> frozenset[str]:
    """The panels in which the places after the quiz are taken."""
    if protocol is None or protocol.raters.screening is None:
        return frozenset()
    return frozenset(panel for panel in panels(protocol) if is_recruited(tx, protocol, panel))


def _participants(tx: Tx) -> tuple[Participant, ...]:
    found = []
    by_rater: dict[str | None, list[Event]] = {}
    for event in tx.events():
        by_rater.setdefault(event.rater, []).append(event)
    for rater in tx.raters():
        mine = by_rater.get(rater.id, [])
        kinds = {event.kind: event.at for event in mine}
        said: dict[str, Any] = {}
        quiz = tuple((one.data["right"], one.data["n"]) for one in mine if one.kind == "screening" and one.data)
        for event in mine:
            if event.kind in ("eligible", "background"):
                said.update(event.data or {})  # nothing where it was erased
        status = next((kind for kind in ENDS if kind in kinds), "consented" if "consent" in kinds else "invited")
        reason = next(
            (one.data["reason"] for one in mine if one.kind == status and status in GIVEN_UP and one.data), ""
        )
        place: dict[str, Any] = next((one.data for one in mine if one.kind == "selected" and one.data), {})
        found.append(Participant(rater.id, status, said, kinds, reason, quiz, rater.panel, place))
    return tuple(found)
