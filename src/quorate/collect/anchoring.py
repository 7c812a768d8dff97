"""An arm of raters sees the judge's score: who is in it, what was shown, and to whom.

What is shown is settled when the rater claims the item and kept as an event. A score that a judge gives later is not
shown, so that an answer is anchored where such an event says so, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from quorate.protocol import Protocol
from quorate.records import Answer, Assignment
from quorate.store import Tx

ANCHORED = "anchored"

Scores = Mapping[str, Any]
"""A judge's values by question."""


def is_anchored(protocol: Protocol, rater: str, section: str, item: str) -> bool:
    """Whether this rater is drawn to see the judge's score with this item."""
    rule = protocol.file.triage
    return rule is not None and rule.is_shown(protocol.seed, section, item, rater)


def pin_scores(tx: Tx, protocol: Protocol, rater: str, claimed: Iterable[Assignment]) -> None:
    """Settles what the rater is shown with each of these assignments, from what the judge has said by now."""
    drawn = [one for one in claimed if is_anchored(protocol, rater, one.section, one.item)]
    shown = [{"assignment": one.id, "section": one.section, "item": one.item, "scores": scores}
             for one in drawn if (scores := judged(tx, protocol, one.section, one.item))]  # fmt: skip
    if shown:
        tx.add_event(ANCHORED, rater, {"shown": shown})


def shown_scores(tx: Tx, protocol: Protocol, rater: str) -> dict[str, Scores]:
    """The scores that a rater is shown, by assignment: none, unless the protocol says so."""
    rule = protocol.file.triage
    if rule is None or not rule.show_score:
        return {}
    events = tx.events(rater=rater, kinds=ANCHORED)
    return {one["assignment"]: one["scores"] for event in events for one in event.data["shown"]}


def anchored(tx: Tx) -> frozenset[tuple[str, str, str]]:
    """Who saw a judge's score with what: section, item and rater."""
    return frozenset(
        (one["section"], one["item"], event.rater or "")
        for event in tx.events(kinds=ANCHORED)
        for one in event.data["shown"]
    )


def judged(tx: Tx, protocol: Protocol, section: str, item: str) -> dict[str, Any]:
    """What the judges of the triage rule say of one item so far, by question."""
    rule = protocol.file.triage
    found: dict[str, Any] = {}
    for judge in rule.judges if rule else ():
        its = Assignment("", judge, section, item, repeat=0, position=0)
        found |= {answer.question: answer.value for answer in tx.answers_of(its) if _can_be_shown(protocol, answer)}
    return found


def _can_be_shown(protocol: Protocol, answer: Answer) -> bool:
    """Marks by system and lists of tags stay hidden: they would name the systems."""
    question = protocol.ask(answer.section, answer.question).question
    return answer.reason is None and isinstance(answer.value, str | int | float) and not question.rates_each()
