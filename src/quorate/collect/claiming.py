"""What a rater may claim: a share of the planned slots, contested items among them, and checks."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import lru_cache

from quorate.collect import escalation
from quorate.collect.anchoring import pin_scores
from quorate.collect.checks import due, n_checks
from quorate.collect.places import gone, has_cut, lease_ago, rounds_of
from quorate.collect.unshown import NOT_SHOWN, n_answered
from quorate.plan import CHECKS, arrange, batch_size, contested, quota
from quorate.protocol import Protocol, Section
from quorate.records import Assignment, Slot
from quorate.store import Tx


def panel_of_rater(tx: Tx, protocol: Protocol, rater: str) -> str:
    """The panel that a rater belongs to, "" where the study has none."""
    known = tx.rater(rater) if protocol.raters.panels else None
    return known.panel if known else ""


def share(tx: Tx, protocol: Protocol, rater: str, section: Section, panel: str) -> int:
    """How many items of a section a rater is told of: the planned ones and the checks among them.

    What a judge settled is no work for people, and what somebody had answered who was replaced is none for whoever
    came instead: where there may be such, only what can be claimed is counted.
    """
    round = round_of(tx, protocol, rater, section, panel)
    n = n_items(tx, panel, round)
    whole = whole_share(protocol, section.id, panel, n)
    if protocol.file.triage is None and (protocol.raters.roster is None or tx.last_event("released") is None):
        return whole
    missing = quota(protocol, panel, n) - _planned(tx, protocol, rater, section)
    free = tx.n_free(rater, section.id, missing, stratum=panel, round=round)
    return whole - max(0, missing - free)


@lru_cache(maxsize=256)
def whole_share(protocol: Protocol, section: str, panel: str, n: int | None = None) -> int:
    """How many items of a section a rater does at most, with checks; `n` of the panel's items are in the round."""
    return quota(protocol, panel, n) + n_checks(protocol, protocol.section(section), panel)


def n_items(tx: Tx, panel: str, round: int) -> int | None:
    """How many of its items a panel has in a round; None for all of them."""
    return None if round == 1 else rounds_of(tx, panel).get(round)


def own_quota(tx: Tx, protocol: Protocol, rater: str, section: Section, panel: str) -> int:
    """How many items of a section a rater does in all, in the round that the rater works in."""
    return quota(protocol, panel, n_items(tx, panel, round_of(tx, protocol, rater, section, panel)))


def round_of(tx: Tx, protocol: Protocol, rater: str, section: Section, panel: str) -> int:
    """The round that a rater works in: the one begun, else that of the rater's place after a quiz, else the first in
    which there is something to do.
    """
    last = escalation.last_round(tx)
    if last == 1:
        return 1
    begun = {round for known in protocol.sections for round, _ in tx.claimed(rater, known.id)} - {CHECKS}
    if begun:
        return max(begun)
    place = tx.last_event(["selected"], rater=rater) if has_cut(protocol) else None
    if place is not None:
        return int((place.data or {}).get("round", 1))
    rounds, since = range(1, last + 1), lease_ago(tx, protocol)
    return next((r for r in rounds if tx.can_claim(rater, section.id, stratum=panel, round=r, since=since)), last)


def can_claim(tx: Tx, protocol: Protocol, rater: str, section: Section, panel: str) -> bool:
    """Whether there is more to do for this rater in this section."""
    round = round_of(tx, protocol, rater, section, panel)
    if tx.can_claim(rater, section.id, stratum=panel, round=round, since=lease_ago(tx, protocol)):
        is_short = _planned(tx, protocol, rater, section) < quota(protocol, panel, n_items(tx, panel, round))
        if is_short or _is_left_over(tx, protocol, rater, section, panel, round):
            return True
    return escalation.is_needed(tx, protocol, rater, section, panel, round)


def is_done(tx: Tx, protocol: Protocol, rater: str, panel: str) -> bool:
    """Whether a rater who can claim nothing has done the share, or all that there was to give of it.

    Who let a lease run out, so that others took what was held, has not.
    """
    if protocol.raters.roster is not None:
        return n_answered(tx, protocol, rater) > 0
    return all(_has_done(tx, protocol, rater, section, panel) for section in protocol.sections)


def _has_done(tx: Tx, protocol: Protocol, rater: str, section: Section, panel: str) -> bool:
    if _planned(tx, protocol, rater, section) >= own_quota(tx, protocol, rater, section, panel):
        return True
    given = tx.assignments(rater, section.id)
    unseen = {(event.data["section"], event.data["item"]) for event in tx.events(rater=rater, kinds=NOT_SHOWN)}
    return bool(given) and not any(
        one.lost and not one.answered and (one.section, one.item) not in unseen for one in given
    )


def may_come_free(tx: Tx, protocol: Protocol, rater: str, panel: str) -> bool:
    """Whether others hold something that this rater could do, were it free, or may come to disagree on something."""
    strata = (panel,) if protocol.raters.escalate is None else (panel, contested(panel))
    return any(
        tx.is_unanswered(rater, section.id, stratum=stratum, round=round_of(tx, protocol, rater, section, panel))
        for section in protocol.sections
        for stratum in strata
    )


def is_called_back(tx: Tx, protocol: Protocol, rater: str) -> bool:
    """Whether a rater who has finished can settle an item on which others disagree, or take one that is left over."""
    raters = protocol.raters
    # Where everybody rates everything, nobody settles anything and nobody left, nothing can be left.
    is_whole = raters.roster is not None and raters.roster <= raters.per_item and tx.last_event("released") is None
    if raters.escalate is None and (raters.roster is None or is_whole):
        return False
    return has_work(tx, protocol, rater, panel_of_rater(tx, protocol, rater))


def has_work(tx: Tx, protocol: Protocol, rater: str, panel: str) -> bool:
    """Whether a rater holds something that is not answered, or can claim something."""
    return any(
        tx.next_open(rater, section.id) or can_claim(tx, protocol, rater, section, panel)
        for section in protocol.sections
    )


def _is_left_over(tx: Tx, protocol: Protocol, rater: str, section: Section, panel: str, round: int) -> bool:
    """Whether what is still free can be taken by none of those who have not done their share.

    The last slots of a roster may be of items that the last raters have already: then others go beyond their share.
    """
    raters = protocol.raters
    if raters.roster is None:
        return False
    others = [one for one in _taking_part(tx, protocol, panel) if round_of(tx, protocol, one, section, panel) == round]
    if len(others) < raters.roster:
        return False
    most = quota(protocol, panel, n_items(tx, panel, round))
    short = [one for one in others if _planned(tx, protocol, one, section) < most]
    return not any(tx.can_claim(one, section.id, stratum=panel, round=round) for one in short)


def _taking_part(tx: Tx, protocol: Protocol, panel: str) -> list[str]:
    """The raters of a panel who are or may come to be at work; where a quiz decides, those who were selected."""
    left = gone(tx)
    called = {event.rater for event in tx.events(kinds=["selected"])} if protocol.raters.screening else None
    mine = [one.id for one in tx.raters() if one.panel == panel and one.id not in left]
    return [one for one in mine if called is None or one in called]


def claim(tx: Tx, protocol: Protocol, rater: str, section: Section) -> tuple[Assignment, ...]:
    """Takes a batch of slots for the rater, in this transaction, in the rater's own order."""

    def in_order(slots: Sequence[Slot]) -> list[Slot]:
        return arrange(slots, protocol, rater, section.id)

    person = tx.rater(rater)
    assert person is not None, "who claims is a rater"
    panel = panel_of_rater(tx, protocol, rater)
    round = round_of(tx, protocol, rater, section, panel)
    planned, batch = _planned(tx, protocol, rater, section), batch_size(protocol, panel)
    # The last batch of a share is as small as what is left of it; what is left over is taken one by one.
    n = min(batch, quota(protocol, panel, n_items(tx, panel, round)) - planned)
    if n <= 0 and _is_left_over(tx, protocol, rater, section, panel, round):
        n = 1
    since = lease_ago(tx, protocol)
    free = tx.free_slots(rater, section.id, n, stratum=panel, round=round, since=since) if n > 0 else ()
    third = escalation.contested_slots(tx, protocol, rater, section, panel, round, len(free) or max(1, batch // 2))
    claimed = [slot for _, slot in (*free, *third)]
    others = [
        *escalation.mixed_in(tx, protocol, person, section, panel, round, len(third) - len(free)),
        *due(tx, protocol, person, section, claimed, planned + len(free)),
    ]
    ids = [*(id for id, _ in (*free, *third)), *tx.add_slots(others)]
    taken = tx.claim_slots(rater, ids, _lease(tx, protocol), in_order, stratum=panel)
    pin_scores(tx, protocol, rater, taken)
    return taken


def _planned(tx: Tx, protocol: Protocol, rater: str, section: Section) -> int:
    """How many planned slots of a section a rater holds, without extra ones and checks."""
    held = tx.claimed(rater, section.id)
    per_item = protocol.raters.per_item
    return sum(n for (round, repeat), n in held.items() if round != CHECKS and repeat < per_item)


def _lease(tx: Tx, protocol: Protocol) -> datetime | None:
    if protocol.raters.roster is not None:
        return None
    return datetime.fromisoformat(tx.now()) + timedelta(minutes=protocol.raters.lease_minutes)
