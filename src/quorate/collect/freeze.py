"""The protocol is frozen at the first consent; what changes after that is an amendment with a reason."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from quorate.errors import FrozenError
from quorate.plan import Plan, make_plan
from quorate.protocol import Protocol
from quorate.protocol.yaml import as_yaml
from quorate.store import Tx

MEDIA = "media"
"""The event that holds what the media held when they were accepted."""

Digests = Mapping[str, str]
"""Hashes of what files hold, by path."""


def freeze(tx: Tx, protocol: Protocol) -> None:
    """Keeps a copy of the protocol as it is now, unless there is one."""
    if not tx.protocols():
        tx.add_protocol(protocol.collection_hash, protocol.analysis_hash, frozen_copy(protocol), "first consent")


def check_frozen(tx: Tx, protocol: Protocol) -> None:
    """Refuses a protocol that is not the one raters consented to."""
    versions = tx.protocols()
    if versions and versions[-1].collection_hash != protocol.collection_hash:
        raise FrozenError(
            f"The study file or a file it names has changed since the first consent "
            f"(it was {versions[-1].collection_hash[:8]}, it is {protocol.collection_hash[:8]}). "
            f'Put the old files back, or say why it changed: quorate amend {protocol.folder} --reason "…"'
        )


def check_media(tx: Tx, protocol: Protocol, digests: Digests) -> None:
    """Refuses media that hold something else than what raters have met."""
    changed = changed_media(media_kept(tx), digests)
    if changed and tx.protocols():
        more = f" and {len(changed) - 3} more" if changed[3:] else ""
        raise FrozenError(
            f"{', '.join(changed[:3])}{more} {'have' if changed[1:] else 'has'} changed since the first consent. "
            f"Put the old {'files' if changed[1:] else 'file'} back, or say why it changed: "
            f'quorate amend {protocol.folder} --reason "…"'
        )


def keep_media(tx: Tx, protocol: Protocol, digests: Digests) -> None:
    """Keeps what the media hold, as hashes by path; refuses others than those that raters have met."""
    if media_kept(tx) != digests:
        check_media(tx, protocol, digests)
        tx.add_event(MEDIA, data={"files": dict(digests)})


def media_kept(tx: Tx) -> Digests:
    """What the media held when they were last accepted."""
    newest = tx.last_event(MEDIA)
    return newest.data["files"] if newest else {}


def changed_media(known: Digests, now: Digests) -> list[str]:
    """The files that hold something else than what is known of them."""
    return sorted(path for path, digest in now.items() if known.get(path, digest) != digest)


def amend(tx: Tx, protocol: Protocol, reason: str, media: Digests | None = None) -> int:
    """Takes the protocol as it is now as the next numbered version, with the reason; returns its number.

    `media` are the hashes of what its files hold now.
    """
    versions = tx.protocols()
    if not versions:
        raise FrozenError("Nothing is frozen yet: nobody has consented, so the study file can simply be edited.")
    is_other = media is not None and bool(changed_media(media_kept(tx), media))
    if versions[-1].collection_hash == protocol.collection_hash and not is_other:
        raise FrozenError("Nothing has changed that raters meet, so there is nothing to amend.")
    if tx.assignments() and not is_same_plan(tx, make_plan(protocol)):
        raise FrozenError(
            "Raters have begun, and this change alters which items they rate or what the items hold. "
            "Put the old items back, or begin a new study in another folder."
        )
    if media is not None and is_other:
        tx.add_event(MEDIA, data={"files": dict(media)})
    return tx.add_protocol(protocol.collection_hash, protocol.analysis_hash, frozen_copy(protocol), reason)


def is_same_plan(tx: Tx, plan: Plan) -> bool:
    """Whether the store holds this plan: the same slots, and items with the same fields."""
    encode = msgspec.json.encode
    # What came to the plan later (a third rater, a second round, checks) stands behind it.
    return tx.slots()[: len(plan.slots)] == plan.slots and encode(tx.items()) == encode(plan.items)


def frozen_copy(protocol: Protocol) -> str:
    """The study file's content as text that reads back to the same protocol."""
    # Where the study runs is not part of it, and may hold a password.
    return as_yaml({name: part for name, part in protocol.source.items() if name != "settings"})
