"""What the browser reports of media: by opaque name on the wire, by path in the store, and enough of it or not.

A browser's report is a list of entries under `media`, each with the opaque `name` of a file. The path of the study is
added when it arrives: the store is read where opaque names mean nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quorate.collect.forms import FormError
from quorate.errors import AnswerError
from quorate.protocol import Section
from quorate.records import Item, Shown

MEDIA = "_media"
"""What a FormError names where an answer is refused for what was not played, and not for a question."""


def with_paths(evidence: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """The evidence with the path of each file that it names; `names` are the opaque names by path.

    >>> with_paths({"media": [{"name": "k3v.mp4", "full_plays": 2}, {"name": "other"}]}, {"clips/a.mp4": "k3v.mp4"})
    {'media': [{'name': 'k3v.mp4', 'full_plays': 2, 'path': 'clips/a.mp4'}]}
    """
    if "media" not in evidence:
        return dict(evidence)
    paths = {name: path for path, name in names.items()}
    reported = evidence["media"] if isinstance(evidence["media"], list) else []
    entries = [entry for entry in reported if isinstance(entry, dict) and str(entry.get("name")) in paths]
    return {**evidence, "media": [{**entry, "path": paths[str(entry["name"])]} for entry in entries]}


def by_path(evidence: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The entries of a report by the path of the study; a file that is shown twice keeps its best count."""
    found: dict[str, Mapping[str, Any]] = {}
    for entry in evidence.get("media") or ():
        path = entry.get("path")
        if path not in found or _plays(entry) > _plays(found[path]):
            found[path] = entry
    return found


def _plays(entry: Mapping[str, Any]) -> int:
    count = entry.get("full_plays", 0)
    return count if isinstance(count, int) else 0


def check_owed(section: Section, item: Item, shown: Shown, evidence: Mapping[str, Any]) -> None:
    """Refuses an answer before the media of its section were played as the protocol asks; `evidence` is by path."""
    for show in section.show:
        owed = show.part.owed(item, shown, evidence) if show.part.applies(item) else ""
        if owed:
            raise FormError({MEDIA: AnswerError(owed)})


def all_done(section: Section, item: Item) -> dict[str, Any]:
    """The report of a rater who did everything that the media of a section ask for."""
    done = {path: entry for show in section.show for path, entry in show.part.done(item).items()}
    return {"media": [{**entry, "path": path} for path, entry in done.items()]} if done else {}
