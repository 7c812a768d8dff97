"""People from a platform: their id is theirs from the consent on, and one browser holds it.

Coming by the platform's link records nothing. The consent takes the place, and gives the id to the browser that sent
it: it has a word of its own, kept as the hash of a link like any other. Another browser comes in by the rater's
personal link, which the first one shows, or by a new one from the desk.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from hashlib import blake2b

from quorate.collect import links, way
from quorate.collect.claiming import has_work
from quorate.collect.links import Entry
from quorate.collect.recruiting import is_recruited
from quorate.collect.way import Step, Where
from quorate.errors import CollectError, LinkError, StaleError
from quorate.languages import noted
from quorate.protocol import Protocol
from quorate.store import Tx

NOBODY = ""
"""The rater that someone is before the consent."""


def rater_of(tx: Tx, protocol: Protocol, external: str) -> str | None:
    """The rater who has this id on the study's platform."""
    platform = protocol.raters.platform
    return None if platform is None else tx.platform_rater(platform.name, external)


def newcomer(tx: Tx, protocol: Protocol, panel: str) -> Where:
    """What someone new meets: the consent, where the study is open, a place is free and there is something to do."""
    if panel not in links.panels(protocol):
        raise LinkError(
            noted("This link does not say which part of the study it is for. Please ask for the whole link.")
        )
    if not way.is_open(tx):
        return Where(NOBODY, Step.CLOSED if tx.last_event(["closed"]) else Step.WAITING)
    if is_recruited(tx, protocol, panel):
        return Where(NOBODY, Step.RECRUITMENT_CLOSED)
    raters = protocol.raters
    is_taken = not links.places_left(tx, protocol, panel)
    if not is_taken and (raters.roster is not None or raters.screening is not None):
        return Where(NOBODY, Step.CONSENT)
    if is_taken or not has_work(tx, protocol, NOBODY, panel):
        return way.without_work(tx, protocol, NOBODY, panel)
    return Where(NOBODY, Step.CONSENT)


def decide(
    tx: Tx, protocol: Protocol, external: str, panel: str, word: str, agree: bool, language: str
) -> Entry | None:
    """Records what someone new decides at the consent, in the browser of this word; None where it cannot be taken now.

    Whoever agrees has the place from here on. A StaleError where another browser holds the id.
    """
    platform = protocol.raters.platform
    assert platform is not None, "someone comes from a platform"
    if rater_of(tx, protocol, external) is not None:
        entry = holder(tx, protocol, external, word)
        if entry is None:
            raise StaleError(noted("This page was sent already, perhaps from another tab. You can go on from here."))
        return entry
    if newcomer(tx, protocol, panel).step is not Step.CONSENT:
        return None
    rater = tx.add_rater(panel=panel, prefix=protocol.raters.prefix).id
    tx.add_platform_id(rater, platform.name, external)
    for token in (_own_token(tx, rater), word):
        tx.add_link(links.token_hash(token), "rater", rater)
    way.consent(tx, protocol, rater, agree, language)
    return Entry("rater", rater, links.token_hash(word))


def holder(tx: Tx, protocol: Protocol, external: str, word: str) -> Entry | None:
    """The rater of this id, if it is the browser of this word that holds it."""
    hashed = links.token_hash(word)
    found = tx.link(hashed)
    if found is None or found.revoked or found.person != rater_of(tx, protocol, external):
        return None
    return Entry("rater", found.person, hashed)


def own_link(tx: Tx, rater: str, base: str) -> str:
    """The personal link of someone from a platform, for another browser; "" where it does not work or there is none."""
    token = _own_token(tx, rater)
    found = tx.link(links.token_hash(token))
    return "" if found is None or found.revoked else links.Invitation(rater, token).link(base)


def release(tx: Tx, protocol: Protocol, external: str) -> links.Invitation:
    """A new personal link for whoever has this id on the platform; no browser holds it any more."""
    rater = rater_of(tx, protocol, external.strip())
    if rater is None:
        raise CollectError("Nobody has come from the platform under this id. Check that it is the whole id.")
    return links.invite_again(tx, rater)


def _own_token(tx: Tx, rater: str) -> str:
    # Made of the store's secret, so that the rater's own page can show it again and nothing has to keep it.
    key = (tx.setting("secret") or "").encode()[:64]
    made = blake2b(rater.encode(), key=key, digest_size=16, person=b"own link").digest()
    return urlsafe_b64encode(made).decode().rstrip("=")
