"""Did browsers show what was assigned? Their reports name the files they showed, in the order of the page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from quorate.media import Medium, PairBase
from quorate.protocol import Protocol
from quorate.records import Assignment, Item
from quorate.verify.claims import of
from quorate.verify.findings import Finding
from quorate.verify.plan import section_of
from quorate.verify.rows import Rows


def check_presented(protocol: Protocol, rows: Rows) -> Iterator[Finding]:
    """Every reported file is one of the item's, and the sides of a pair stand as they were drawn."""
    assignments = {one.id: one for one in rows.assignments}
    for report in rows.presentations:
        if report.assignment is None:
            continue
        where = f"report {report.seq} of {report.rater}"
        mine = assignments.get(report.assignment)
        if mine is None or mine.rater != report.rater:
            yield Finding("presented", where, "it is about an assignment that this rater never had.")
        elif isinstance(report.evidence, dict):
            yield from _check_report(f"{where} ({of(mine)})", protocol, rows, mine, report.evidence)


def _check_report(
    where: str, protocol: Protocol, rows: Rows, mine: Assignment, evidence: dict[str, Any]
) -> Iterator[Finding]:
    section, item = section_of(protocol, mine.section), rows.by_id.get(mine.item)
    entries = evidence.get("media")
    if section is None or item is None or not isinstance(entries, list):
        return
    shown = [entry["path"] for entry in entries if isinstance(entry, dict) and "path" in entry]
    drawn = [path for show in section.show for path in in_page_order(show.part, item, mine)]
    for path in dict.fromkeys(shown):
        if path not in drawn:
            yield Finding("presented", where, f"it showed {path}, which is not of {mine.item}.")
    # A simulated rater plays everything and looks at no page.
    if evidence.get("simulated"):
        return
    for show in section.show:
        sides = in_page_order(show.part, item, mine) if mine.shown.sides else []
        found = [path for path in dict.fromkeys(shown) if path in sides]
        if found != [path for path in dict.fromkeys(sides) if path in found]:
            yield Finding("presented", where, f"from left to right it showed {', '.join(found)}.")


def in_page_order(medium: Medium, item: Item, mine: Assignment) -> list[str]:
    """The files that a medium shows, from left to right."""
    if not isinstance(medium, PairBase):
        return list(medium.paths(item))
    sides = [path for side in medium.sides(item, mine.shown) for path in side.medium.paths(item)]
    return [*(path for path in medium.paths(item) if path not in sides), *sides]
