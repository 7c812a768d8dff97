"""What must stay hidden from the played rater: another rater's answers and judges' answers about every item."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from quorate.audit.markers import Markers
from quorate.collect.claiming import claim
from quorate.collect.forms import read_answers
from quorate.collect.rehearsal import Simulated
from quorate.plan import shown_once
from quorate.protocol import Protocol, Section
from quorate.questions import Question
from quorate.records import Item, Shown
from quorate.store import Tx

_SOMEONE = Simulated(seed=1, accuracy=0.6)


def add_hidden_answers(tx: Tx, protocol: Protocol, markers: Markers, judges: Sequence[str], panel: str) -> None:
    """A rater of this panel who has answered everything, and every judge's answers; what they said are markers."""
    other = tx.add_rater(panel=panel, prefix=protocol.raters.prefix).id
    for section in protocol.sections:
        while claimed := claim(tx, protocol, other, section):
            for mine in claimed:
                item = tx.item(mine.item)
                assert item is not None
                rows = _rows(section, item, mine.shown, markers, f"another rater's answer about item '{item.id}'")
                tx.add_submission(f"other/{mine.id}", other, mine, rows, protocol=protocol.collection_hash)
    for judge in judges:
        for section in protocol.sections:
            for item in tx.items():
                shown = shown_once(protocol, section, item, "judge", judge)
                rows = _rows(section, item, shown, markers, f"a judge's answer about item '{item.id}'")
                placed = [row | {"section": section.id, "item": item.id, "shown": shown} for row in rows]
                key = f"{judge}/{section.id}/{item.id}"
                tx.add_submission(key, judge, None, placed, by="judge", protocol=protocol.collection_hash)


def _rows(section: Section, item: Item, shown: Shown, markers: Markers, what: str) -> list[dict[str, Any]]:
    """Answers that the store keeps like any others, in whose values and words there are markers."""
    given = read_answers(section.ask, _SOMEONE.fill(section.ask, item, shown), shown, item)
    return [
        {
            "question": ask.id,
            "value": _hidden(ask.question, given[ask.id].value, markers, f"{what} ({ask.id})"),
            "reason": given[ask.id].reason,
            "raw": markers.make(f"{what} ({ask.id}, as it was sent)"),
        }
        for ask in section.ask
    ]


def _hidden(question: Question, value: Any, markers: Markers, what: str) -> Any:
    marked = markers.in_place_of(value, what)
    try:
        question.plain(marked)  # what the rules of escalation compare
    except (KeyError, TypeError, ValueError):
        return value
    return marked
