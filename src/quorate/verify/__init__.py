"""Re-derives what was presented from the protocol and the recorded claims, and checks the chain of answers.

It finds accidents and careless hands: a row that was edited, a column that was sorted, a study file that was changed
after the first consent. An owner who is determined to deceive can write the whole database anew.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

from quorate.errors import EncoderError
from quorate.plan import Plan, make_plan
from quorate.protocol import Protocol
from quorate.questions import DISTRACTORS
from quorate.store import Store
from quorate.verify.anchors import check_anchored
from quorate.verify.answers import (
    check_chain,
    check_hashes,
    check_open,
    check_places,
    check_revisions,
    check_values,
)
from quorate.verify.claims import check_claims
from quorate.verify.findings import MEANS, Finding, Verification
from quorate.verify.plan import check_items, check_media, check_protocol, check_slots, expected_slots
from quorate.verify.presented import check_presented, is_of_a_browser
from quorate.verify.rows import Rows, read_rows

__all__ = ["Finding", "Verification", "verify", "verify_rows"]


def verify(protocol: Protocol, store: Store, *, simulated: bool = False, media: bool = False) -> Verification:
    """Everything that is wrong between a study's protocol and its database; `simulated` says it is a rehearsal's.

    `media` reads every file and object that raters were shown, and not only those that look changed.
    """
    return verify_rows(protocol, store.read(read_rows), simulated=simulated, media=media)


def verify_rows(protocol: Protocol, rows: Rows, *, simulated: bool = False, media: bool = False) -> Verification:
    """The same for rows that were read already."""
    kinds = list(MEANS)
    findings = sorted(_findings(protocol, rows, media), key=lambda finding: kinds.index(finding.kind))
    looked_at = {
        "items": len(rows.items),
        "slots": len(rows.slots),
        "claims": sum(1 for _ in rows.of_kind("claim")),
        "assignments": len(rows.assignments),
        "answers": len(rows.answers),
        "browsers' reports": sum(map(is_of_a_browser, rows.reports)) + len(rows.presentations),
    }
    return Verification(tuple(findings), looked_at, simulated)


def _plan(protocol: Protocol, rows: Rows) -> Generator[Finding, None, Plan]:
    """The plan made again; without its encoder, the rest of it with the distractors that are stored."""
    try:
        return make_plan(protocol)
    except EncoderError as error:
        yield Finding("distractors", "items", f"they cannot be made again on this machine. {error}")
        return make_plan(protocol, {item.id: item.fields.get(DISTRACTORS, {}) for item in rows.items})


def _findings(protocol: Protocol, rows: Rows, media: bool) -> Iterator[Finding]:
    yield from rows.damaged
    yield from check_protocol(protocol, rows)
    yield from check_media(protocol, rows, whole=media)
    if rows.items or rows.assignments:
        plan = yield from _plan(protocol, rows)
        slots = expected_slots(protocol, plan, rows)
        yield from check_items(plan, rows)
        yield from check_slots(slots, rows)
        faults, replay = check_claims(protocol, rows, slots)
        yield from faults
        yield from check_places(protocol, rows, replay)
        yield from check_presented(protocol, rows, replay.expected)
    yield from check_chain(rows)
    yield from check_hashes(rows)
    yield from check_open(rows)
    yield from check_revisions(protocol, rows)
    yield from check_values(protocol, rows)
    yield from check_anchored(protocol, rows)
