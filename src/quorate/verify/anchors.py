"""Did a judge's scores go to those who were drawn to see them, and were they the judge's?"""

from __future__ import annotations

from collections.abc import Iterator

from quorate.collect.anchoring import ANCHORED, is_anchored
from quorate.protocol import Protocol
from quorate.verify.claims import of
from quorate.verify.findings import Finding
from quorate.verify.rows import Rows


def check_anchored(protocol: Protocol, rows: Rows) -> Iterator[Finding]:
    """Everybody who saw a judge's score was drawn to see it, and it is what the judge said."""
    assignments = {one.id: one for one in rows.assignments}
    said = {(a.rater, a.section, a.item, a.question, repr(a.value)) for a in rows.answers if a.by == "judge"}
    judges = protocol.file.triage.judges if protocol.file.triage else ()
    for event in rows.of_kind(ANCHORED):
        for one in event.data["shown"]:
            mine = assignments.get(one["assignment"])
            if mine is None or (mine.rater, mine.section, mine.item) != (event.rater, one["section"], one["item"]):
                where = f"event {event.seq} ({event.kind} of {event.rater})"
                yield Finding("anchors", where, f"it is about an assignment of {one['item']} that nobody had.")
            elif not is_anchored(protocol, mine.rater, mine.section, mine.item):
                yield Finding("anchors", of(mine), f"a judge's score of {mine.item} was shown, and not drawn for it.")
            else:
                place = (mine.section, mine.item)
                for question, value in one["scores"].items():
                    if not any((judge, *place, question, repr(value)) in said for judge in judges):
                        yield Finding("anchors", of(mine), f"{question}: {value} was shown, which no judge said.")
