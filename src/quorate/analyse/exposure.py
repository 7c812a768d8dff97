"""What raters had seen of one system in an earlier section before they held it against others that they had not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from operator import itemgetter

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
        if answer.by == RATER and answer.reason is not Reason.MEDIA_FAILED:
            did[answer.section].add((answer.rater, answer.item))
    # Almost always nobody's answers came from files, and every item is known.
    strange = {one for rows in did.values() for one in rows if one[0] in from_files} if from_files else set()
    did = {id: rows - strange for id, rows in did.items()} if strange else did
    found = []
    for place, later in enumerate(protocol.sections):
        for earlier in protocol.sections[:place]:
            seen: Counter[str] = Counter()
            both = did[earlier.id] & did[later.id]
            for item, times in Counter(map(itemgetter(1), both)).items():
                for system in _known(earlier, later, items[item]) if item in items else ():
                    seen[system] += times
            n = {system: (count, len(did[later.id])) for system, count in seen.items()}
            found += [Exposure(earlier.id, later.id, n)] if n else []
    return tuple(found)


def _known(earlier: Section, later: Section, item: Item) -> Iterator[str]:
    """The systems whose output an earlier section shows of an item, where it does not show all that are compared.

    It is the same that is shown where it stands in the same field, or is the same file in whichever field.
    """
    fields: set[str] = set()
    files: set[str] = set()
    for medium in _media(earlier, item):
        fields.update(medium.fields())
        files.update(medium.paths(item))
    for medium in _media(later, item):
        sides = medium.fields_by_system(item)
        paths = medium.paths_by_system(item) if sides else {}
        known = [
            name for name, field in sides.items()
            if (field in fields and item.fields.get(field)) or not files.isdisjoint(paths[name])
        ]  # fmt: skip
        if len(known) < len(sides):
            yield from known


def _media(section: Section, item: Item) -> list[Medium]:
    return [entry.part for entry in section.show if entry.part.applies(item)]
