"""Personal links: 128 random bits, stored hashed, revocable; one for each rater and each member of the team."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from quorate.collect.places import has_cut, holders, rounds_of
from quorate.collect.recruiting import is_recruited
from quorate.errors import CollectError, LinkError
from quorate.languages import noted
from quorate.protocol import Protocol
from quorate.store import Tx

MOST_AT_ONCE = 1000
"""How many links can be made at once where neither a roster nor a cap says how many raters there are."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """A person, a rater's panel, and the token of the link. The token is shown once and kept nowhere."""

    person: str
    token: str
    panel: str = ""

    def link(self, base: str, role: str = "rater") -> str:
        """The whole link."""
        door = {"rater": "join", "member": "team"}[role]
        return f"{base.rstrip('/')}/{door}/{self.token}"


@dataclass(frozen=True, slots=True)
class Entry:
    """Who came in through a link."""

    role: str
    person: str
    link: str


def token_hash(token: str) -> str:
    """What the store keeps of a token. The token is random, so a plain hash cannot be guessed back."""
    return sha256(token.encode()).hexdigest()


def invite(tx: Tx, protocol: Protocol, n: int, panel: str = "") -> list[Invitation]:
    """New raters with their links; a roster or a cap says how many there may be."""
    raters = protocol.raters
    if panel not in panels(protocol):
        known = ", ".join(panels(protocol))
        raise CollectError(
            f"There is no panel '{panel}'. The study has: {known}." if known else "The study has no panels."
        )
    if is_recruited(tx, protocol, panel):
        whose = f" of panel {panel}" if panel else ""
        why, again = f"the cut is made, every place{whose} is taken", "A place is free again when its rater"
        if not has_cut(protocol):
            why, again = f"recruitment{whose} is closed", "It opens again when someone who takes part"
        raise CollectError(
            f"Nobody more can be invited: {why}, and whoever came now could not take the quiz. {again} is replaced, "
            "excluded or withdraws. Someone who lost a link gets a new one with: "
            f"quorate invite --again {raters.prefix}1"
        )
    left = places_left(tx, protocol, panel)
    if n > left or not left:
        what = f"raters.roster is {raters.roster}" if raters.roster else f"raters.cap is {raters.cap or left}"
        raise CollectError(
            f"{f'{n} more' if n else 'More'} raters cannot be invited: {what}, and {left} of these places are free. "
            f"Someone who lost a link gets a new one with: quorate invite --again {raters.prefix}1"
        )
    return [_invitation(tx, "rater", tx.add_rater(panel=panel, prefix=raters.prefix).id) for _ in range(n)]


def invite_all(tx: Tx, protocol: Protocol, chosen: Sequence[str], n: int = 0) -> list[Invitation]:
    """n raters into each of these panels; without n, as many as there are places."""
    if not n and _most(tx, protocol) is None:
        if protocol.raters.screening:
            raise CollectError("Say how many candidates are to take the quiz (in each panel) with -n.")
        raise CollectError("The study has neither a roster nor a cap: say how many raters to invite with -n.")
    made = []
    # Panels that are full are passed over, unless nobody could be invited at all.
    for panel in [one for one in chosen if places_left(tx, protocol, one)] or chosen:
        made += invite(tx, protocol, n or places_left(tx, protocol, panel), panel)
    return made


def panels(protocol: Protocol) -> tuple[str, ...]:
    """The panels that raters are invited into; a single one without a name where the study has none."""
    field = protocol.raters.panels
    return tuple(sorted({str(item[field]) for item in protocol.pool})) if field else ("",)


def places_left(tx: Tx, protocol: Protocol, panel: str = "") -> int:
    """How many raters may still be invited (into a panel); those who hold no place any more do not count.

    None when the cut has filled every place: whoever came then could not take the quiz.
    """
    if is_recruited(tx, protocol, panel):
        return 0
    most = _most(tx, protocol, panel)
    return MOST_AT_ONCE if most is None else max(0, most - len(holders(tx, protocol, panel)))


def _most(tx: Tx, protocol: Protocol, panel: str = "") -> int | None:
    """The most raters that may be in a panel; candidates come before the roster is known.

    A roster has a place for whoever settles what its raters disagree on; there are as many more in each new round.
    """
    raters, more = protocol.raters, len(rounds_of(tx, panel)) - 1
    if raters.screening or raters.roster is None:
        return None if raters.cap is None else raters.cap * (1 + more)
    roster = max(raters.roster, raters.escalate.to) if raters.escalate else raters.roster
    return roster + raters.roster * more


def invite_again(tx: Tx, rater: str) -> Invitation:
    """A new link for a rater; the old ones stop working."""
    if tx.rater(rater) is None:
        known = ", ".join(r.id for r in tx.raters()) or "nobody yet"
        raise CollectError(f"There is no rater '{rater}'. The study has: {known}.")
    revoke(tx, rater)
    return _invitation(tx, "rater", rater)


def one_more_link_each(tx: Tx) -> list[Invitation]:
    """One more link for each rater who has one that works; older ones go on working."""
    known = {link.person for link in tx.links() if link.revoked_at is None}
    return [_invitation(tx, "rater", rater.id) for rater in tx.raters() if rater.id in known]


def invite_member(tx: Tx, name: str) -> Invitation:
    """A link for a member of the team; a name that is known gets a new link, and the old one stops working."""
    known = next((member for member in tx.members() if member.name == name), None)
    if known:
        revoke(tx, known.id)
    return _invitation(tx, "member", known.id if known else tx.add_member(name).id)


def desk_link(tx: Tx) -> Invitation:
    """One more link to the desk for whoever runs the server; older ones go on working."""
    first = next(iter(tx.members()), None) or tx.add_member("Researcher")
    return _invitation(tx, "member", first.id)


def revoke(tx: Tx, person: str) -> int:
    """Stops every link of a person; returns how many there were."""
    n = tx.revoke_links(person)
    if n:
        tx.add_event("link_revoked", data={"person": person, "n": n})
    return n


def enter(tx: Tx, token: str) -> Entry:
    """Who this link is for; a LinkError says what to do when it is for nobody."""
    hashed = token_hash(token)
    found = tx.link(hashed)
    if found is None:
        raise LinkError(noted("This link is not known here. Please copy the whole link from your invitation."))
    if found.revoked:
        raise LinkError(noted("This link has been replaced or withdrawn. Please ask for a new one."))
    return Entry(found.role, found.person, hashed)


def enter_as(tx: Tx, role: str, token: str) -> Entry:
    """The same for one kind of door: a member's link is no rater's."""
    entry = enter(tx, token)
    if entry.role != role:
        raise LinkError(noted("This link is not known here. Please copy the whole link from your invitation."))
    return entry


def check_works(works: bool) -> None:
    """Refuses someone whose link was revoked since."""
    if not works:
        raise LinkError(noted("This link has been replaced or withdrawn. Please ask for a new one."))


def is_valid(tx: Tx, link: str) -> bool:
    """Whether a link that someone came in through still works."""
    found = tx.link(link)
    return found is not None and not found.revoked


def _invitation(tx: Tx, role: str, person: str) -> Invitation:
    token = secrets.token_urlsafe(16)
    tx.add_link(token_hash(token), role, person)
    rater = tx.rater(person) if role == "rater" else None
    return Invitation(person, token, rater.panel if rater else "")
