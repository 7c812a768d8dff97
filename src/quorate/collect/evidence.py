"""What the browser reports: by opaque name on the wire, by path in the store, and enough of it or not.

A browser's report says for how long the item was in sight (`visible_seconds`), which one it was (`item`, by its opaque
name, and `position`), in which order options stood (`options`), and what became of each file: a list of entries under
`media`, in the order of the page, each with the opaque `name` of a file. The path of the study is added when it
arrives: the store is read where opaque names mean nothing. A page without a script reports nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from sys import intern
from typing import Any

import msgspec

from quorate.collect.forms import FormError
from quorate.errors import AnswerError
from quorate.languages import noted
from quorate.plan import CHECKS
from quorate.protocol import Protocol, Section
from quorate.records import Evidence, Item, Shown
from quorate.store import Report, Tx

DAY = 86_400
"""More seconds than this are no time that somebody looked at an item."""
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


def check_failed(evidence: Mapping[str, Any]) -> None:
    """Refuses to go on without what the browser itself says is shown; a page without a script says nothing."""
    media = evidence.get("media")
    if media and all(entry.get("ok") is True for entry in media):
        raise FormError({MEDIA: AnswerError(noted("Everything is shown here, so please answer."))})


def all_done(section: Section, item: Item) -> dict[str, Any]:
    """The report of a rater who did everything that the media of a section ask for."""
    done = {path: entry for show in section.show for path, entry in show.part.done(item).items()}
    return {"media": [{**entry, "path": path} for path, entry in done.items()]} if done else {}


SHORT = 60
"""How many letters of an option a page reports."""


def as_drawn(section: Section, item: Item, shown: Shown) -> dict[str, Any]:
    """The report of a page that shows what is drawn to a rater who does everything that is asked for."""
    options = {
        ask.id: [" ".join(words[0].split())[:SHORT] for words in standing]
        for ask in section.ask if (standing := ask.question.option_words(shown.to(ask.id), item))
    }  # fmt: skip
    media = [show.part for show in section.show if show.part.applies(item)]
    done = {path: entry for medium in media for path, entry in medium.done(item).items()}
    paths = [path for medium in media for path in medium.on_page(item, shown)]
    entries = [{"path": path, "ok": True, "failures": 0, **done.get(path, {})} for path in paths]
    return {"options": options, "media": entries}


class _File(msgspec.Struct, gc=False):
    """What a report says of one file, as far as it is counted."""

    path: str = ""
    failures: int = 0
    seeks: int = 0
    full_plays: int = 0
    full_plays_together: int = 0


class _Told(msgspec.Struct, gc=False):
    """What a report says, as far as it is counted."""

    visible_seconds: float | None = None
    hidden: int = 0
    media: list[_File] = []

    def __bool__(self) -> bool:
        return self.visible_seconds is not None or bool(self.media)


_decode = msgspec.json.Decoder(_Told).decode


def asks_for_plays(protocol: Protocol) -> bool:
    """Whether any clip has to be played in full."""
    return any(show.part.asks_for_plays for section in protocol.sections for show in section.show)


def read_evidence(tx: Tx, times: int = 1) -> tuple[Evidence, ...]:
    """What browsers report of each answered assignment, checks aside; nothing where none reported anything.

    `times` leaves out assignments that were answered less often.
    """
    found: dict[str, Evidence] = {}
    for report in tx.reports(_told, times):
        if report.round != CHECKS and report.evidence:
            before = found.get(report.assignment)
            found[report.assignment] = _evidence(report, report.evidence, before)
    return tuple(found.values())


def _told(text: str) -> _Told:
    """A stored report; what is no number in it, since any program may send one, counts as nothing."""
    try:
        return _decode(text)
    except msgspec.ValidationError:
        given = msgspec.json.decode(text)
        return _leniently(given) if isinstance(given, dict) else _Told()


def _leniently(given: Mapping[str, Any]) -> _Told:
    seconds, media = given.get("visible_seconds"), given.get("media")
    entries = [entry for entry in media if isinstance(entry, dict)] if isinstance(media, list) else []
    counts = ("failures", "seeks", "full_plays", "full_plays_together")
    files = [_File(str(entry.get("path", "")), *(_whole(entry.get(name)) for name in counts)) for entry in entries]
    visible = float(seconds) if isinstance(seconds, int | float) else None
    return _Told(visible, _whole(given.get("hidden")), files)


def _whole(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _evidence(report: Report, told: _Told, before: Evidence | None) -> Evidence:
    """One report with those before it: times add up; a page may have gone on with its counts, so the most count."""
    visible = told.visible_seconds
    if visible is not None and not 0 <= visible < DAY:
        visible = None
    failures = seeks = 0
    plays: Mapping[str, tuple[int, int]] = _NO_PLAYS
    for file in told.media:
        failures += max(file.failures, 0)
        seeks += max(file.seeks, 0)
        if file.full_plays > 0 or file.full_plays_together > 0:
            plays = {**plays, file.path: (max(file.full_plays, 0), max(file.full_plays_together, 0))}
    hidden = max(told.hidden, 0)
    if before is not None:
        known = [seconds for seconds in (visible, before.visible) if seconds is not None]
        visible = sum(known) if known else None
        failures, seeks, hidden = max(failures, before.failures), max(seeks, before.seeks), hidden + before.hidden
        plays = _most(plays, before.plays)
    # A name stands in thousands of reports: one text for all of them.
    names = intern(report.rater), intern(report.section), intern(report.item)
    return Evidence(*names, report.round, visible, hidden, failures, seeks, plays)


_NO_PLAYS: Mapping[str, tuple[int, int]] = {}


def _most(one: Mapping[str, tuple[int, int]], other: Mapping[str, tuple[int, int]]) -> Mapping[str, tuple[int, int]]:
    if not one or not other:
        return one or other
    found = dict(other)
    for path, (alone, together) in one.items():
        before = other.get(path, (0, 0))
        found[path] = (max(alone, before[0]), max(together, before[1]))
    return found
