"""What must stay hidden from the played rater: another rater's answers and judges' answers about every item.

An arm that sees a judge's scores may see just those, with the items that it is drawn to see them with.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from quorate.audit.copy import MarkedCopy
from quorate.audit.markers import Markers
from quorate.collect.anchoring import is_anchored
from quorate.collect.claiming import claim
from quorate.collect.forms import read_answers
from quorate.collect.rehearsal import Simulated
from quorate.plan import is_gold, panel_of, shown_once
from quorate.protocol import Protocol, Section
from quorate.questions import Question
from quorate.records import Item, Shown
from quorate.store import Tx

_SOMEONE = Simulated(seed=1, accuracy=0.6)


def add_hidden_answers(tx: Tx, protocol: Protocol, copy: MarkedCopy, panel: str, played: str) -> None:
    """A rater of this panel who has answered everything, and every judge's answers; what they said are markers."""
    other = tx.add_rater(panel=panel, prefix=protocol.raters.prefix).id
    for section in protocol.sections:
        while claimed := claim(tx, protocol, other, section):
            for mine in claimed:
                item = tx.item(mine.item)
                assert item is not None
                what = f"another rater's answer about item '{copy.ids[item.id]}'"
                rows = _rows(section, item, mine.shown, copy.markers, what)
                tx.add_submission(f"other/{mine.id}", other, mine, rows, protocol=protocol.collection_hash)
    seen = protocol.file.triage.judges if protocol.file.triage else ()
    for judge in copy.judges:
        for section in protocol.sections:
            for item in (one for one in tx.items() if is_gold(one) or panel_of(protocol, one) == panel):
                shown = shown_once(protocol, section, item, "judge", judge)
                may_see = judge in seen and is_anchored(protocol, played, section.id, item.id)
                what = f"a judge's answer about item '{copy.ids[item.id]}'"
                rows = _rows(section, item, shown, copy.markers, what, (section.id,) if may_see else ())
                placed = [row | {"section": section.id, "item": item.id, "shown": shown} for row in rows]
                key = f"{judge}/{section.id}/{item.id}"
                tx.add_submission(key, judge, None, placed, by="judge", protocol=protocol.collection_hash)


def _rows(
    section: Section, item: Item, shown: Shown, markers: Markers, what: str, allowed: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """Answers that the store keeps like any others, in whose values and words there are markers."""
    given = read_answers(section.ask, _SOMEONE.fill(section.ask, item, shown), shown, item)
    return [
        {
            "question": ask.id,
            "value": _hidden(ask.question, given[ask.id].value, markers, f"{what} ({ask.id})", allowed),
            "reason": given[ask.id].reason,
            "raw": markers.make(f"{what} ({ask.id}, as it was sent)"),
        }
        for ask in section.ask
    ]


def _hidden(question: Question, value: Any, markers: Markers, what: str, allowed: Sequence[str]) -> Any:
    marked = markers.in_place_of(value, what, allowed)
    try:
        question.plain(marked)  # what the rules of escalation compare
    except (KeyError, TypeError, ValueError):
        return value
    return marked
