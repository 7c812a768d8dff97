"""Remembers which media were read to their end and were in order, so that `check` reads each of them once.

It is kept in the user's cache and not in the study's folder, which `check` leaves as it was. Everything in it can be
made again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from hashlib import blake2b
from pathlib import Path

import msgspec

from quorate.encoders.places import cache_folder
from quorate.media import Medium, source_of
from quorate.protocol import Protocol

EDITION = 1
"""Another number where more is looked at than before, so that all media are read anew."""


def not_proven(protocol: Protocol, wanted: Mapping[str, Medium]) -> dict[str, Medium]:
    """Those of these files that nobody has read yet as they are now."""
    known = _known(protocol)
    marks = _marks(protocol, [path for path in wanted if path in known])
    return {path: medium for path, medium in wanted.items() if known.get(path) != _name(medium, marks.get(path))}


def remember(protocol: Protocol, proven: Mapping[str, Medium]) -> None:
    """Keeps that these files were read and are in order; where it cannot be kept, they are read again next time."""
    if not proven:
        return
    marks = _marks(protocol, proven)
    known = {**_known(protocol), **{path: _name(medium, marks[path]) for path, medium in proven.items()}}
    path = _path(protocol)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        part.write_bytes(msgspec.json.encode(known))
        part.replace(path)
    except OSError:
        return


def _known(protocol: Protocol) -> dict[str, str]:
    try:
        return msgspec.json.decode(_path(protocol).read_bytes(), type=dict[str, str])
    except (OSError, msgspec.DecodeError):
        return {}


def _marks(protocol: Protocol, paths: Collection[str]) -> dict[str, str]:
    marks = protocol.originals.marks(map(source_of, paths))
    return {path: marks[source_of(path)] for path in paths}


def _name(medium: Medium, mark: str | None) -> str:
    return f"{type(medium).__name__}/{mark}"


def _path(protocol: Protocol) -> Path:
    study = blake2b(str(protocol.folder.resolve()).encode(), digest_size=12).hexdigest()
    return cache_folder() / f"media-{EDITION}" / f"{study}.json"
