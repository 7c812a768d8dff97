"""What of the analysis was changed after the protocol was frozen: every entry with what it was and what it is."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from quorate.errors import StudyError
from quorate.messages import Message, Text
from quorate.protocol import Protocol
from quorate.protocol.analysis import Analysis
from quorate.protocol.yaml import from_yaml
from quorate.records import ProtocolVersion

#: What hypotheses were and are is told of each of them.
TOLD_APART = "hypotheses"


@dataclass(frozen=True, slots=True)
class Amended:
    """One entry of the analysis, by its place in the study file; None where it is not stated."""

    place: str
    before: str | None
    now: str | None

    @property
    def sentence(self) -> Text:
        """It as a clause."""
        place, before, now = self.place, self.before, self.now
        if before is None:
            return Message("“{place}” was not stated and is now “{now}”", place=place, now=now)
        if now is None:
            return Message("“{place}” was “{before}” and is no longer stated", place=place, before=before)
        return Message("“{place}” was “{before}” and is now “{now}”", place=place, before=before, now=now)


def frozen_analysis(versions: Sequence[ProtocolVersion]) -> Mapping[str, Any] | None:
    """What the copy that the first consent froze says of the analysis; None where no copy can be read."""
    if not versions:
        return None
    try:
        file = from_yaml(min(versions, key=lambda version: version.number).text)
    except StudyError:
        return None
    return (file.get("analysis") or {}) if isinstance(file, Mapping) else None


def amended_analysis(protocol: Protocol, versions: Sequence[ProtocolVersion]) -> tuple[Amended, ...]:
    """Every entry that was changed since; other words for the same are no change."""
    frozen = frozen_analysis(versions)
    if frozen is None:
        return ()
    present = protocol.source.get("analysis") or {}
    before, now = dict(_entries(frozen)), dict(_entries(present))
    moved = _moved(frozen, present)
    return tuple(
        Amended(f"analysis.{place}", before.get(place), now.get(place))
        for place in dict.fromkeys((*before, *now))
        if before.get(place) != now.get(place) and place.split(".")[0] in moved
    )


def _moved(frozen: Mapping[str, Any], present: Mapping[str, Any]) -> set[str]:
    """The parts that mean something else now: a default that is written out means the same."""
    names = {*frozen, *present} - {TOLD_APART}
    try:
        read = [
            Analysis.model_validate({name: part for name, part in one.items() if name != TOLD_APART})
            for one in (frozen, present)
        ]
    except ValidationError:  # written for an older Quorate
        return names
    known = {field.alias or name: name for name, field in Analysis.model_fields.items()}
    before, now = read
    return {name for name in names if name not in known or getattr(before, known[name]) != getattr(now, known[name])}


def _entries(part: Mapping[str, Any], place: str = "") -> Iterator[tuple[str, str]]:
    for name, inner in part.items():
        if isinstance(inner, Mapping):
            yield from _entries(inner, f"{place}{name}.")
        else:
            yield f"{place}{name}", inner if isinstance(inner, str) else json.dumps(inner, ensure_ascii=False)
