"""What raters had seen of one system in an earlier section before they held it against others that they had not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from quorate.analyse.outcomes import is_imported
from quorate.findings.results import Exposure
from quorate.media import Medium
from quorate.protocol import Protocol, Section
from quorate.records import Collected, Item, Reason
from quorate.sheets.sheet import RATER


def exposures(protocol: Protocol, collected: Collected) -> tuple[Exposure, ...]:
    """Each section with each later one that compares: the systems of which raters had seen the output, and how often.

    The order in which answers out of files were given is not known, and nothing is said of them.
    """
    if len(protocol.sections) < 2:
        return ()
    from_files = {person.rater for person in collected.participants if is_imported(person)}
    items = {item.id: item for item in collected.items}
    did: dict[str, set[tuple[str, str]]] = {section.id: set() for section in protocol.sections}
    for answer in collected.answers:
        if (
            answer.by == RATER
            and answer.reason is not Reason.MEDIA_FAILED
            and answer.rater not in from_files
            and answer.item in items
        ):
            did[answer.section].add((answer.rater, answer.item))
    found = []
    for place, later in enumerate(protocol.sections):
        for earlier in protocol.sections[:place]:
            seen: Counter[str] = Counter()
            for item, times in Counter(item for _, item in did[earlier.id] & did[later.id]).items():
                seen.update(dict.fromkeys(_known(earlier, later, items[item]), times))
            n = {system: (count, len(did[later.id])) for system, count in seen.items()}
            found += [Exposure(earlier.id, later.id, n)] if n else []
    return tuple(found)


def _known(earlier: Section, later: Section, item: Item) -> Iterator[str]:
    """The systems whose output an earlier section shows of an item, where it does not show all that are compared."""
    shown = {one for medium in _media(earlier, item) for one in _of(item, medium, medium.fields())}
    for medium in _media(later, item):
        sides = medium.fields_by_system(item)
        known = [name for name, field in sides.items() if shown & set(_of(item, medium, (field,), name))]
        if len(known) < len(sides):
            yield from known


def _media(section: Section, item: Item) -> Iterator[Medium]:
    return (entry.part for entry in section.show if entry.part.applies(item))


def _of(item: Item, medium: Medium, fields: tuple[str, ...], system: str = "") -> Iterator[tuple[str, Any]]:
    """What tells that the same was shown: its field, or its file in whichever field."""
    yield from (("field", field) for field in fields if item.fields.get(field))
    files = medium.paths_by_system(item)[system] if system else medium.paths(item)
    yield from (("file", path) for path in files)
