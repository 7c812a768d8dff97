"""The practice round: answers on items of its own, and the right answers after it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from quorate.collect.evidence import by_path, check_owed
from quorate.collect.forms import Form, read_answers
from quorate.collect.way import SEEN, Step, Where, move_on, practice_items, where
from quorate.errors import StaleError
from quorate.languages import Words, noted
from quorate.plan import shown_once
from quorate.protocol import Protocol
from quorate.records import Item, Reason, Shown
from quorate.store import Tx

NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Feedback:
    """One practice answer beside the right one."""

    item: Item
    question: str
    raw: Any
    right: str
    correct: bool | None
    explanation: Words = ""


def practice_answer(
    tx: Tx, protocol: Protocol, rater: str, position: int, form: Form, evidence: Mapping[str, Any] = NOTHING
) -> Where:
    """Records the answers to one practice item; the first ones count, and a later send changes nothing.

    Clips have to be played as in the work. `evidence` is what the browser reports of the page, by path.
    """
    now = where(tx, protocol, rater)
    if now.step is not Step.PRACTICE or position > now.position:
        raise StaleError(noted("This page was sent already, perhaps from another tab. You can go on from here."))
    if position == now.position:
        item, section = practice_items(protocol)[position - 1], protocol.practice_section
        shown = practice_shown(protocol, item, rater)
        given = read_answers(section.ask, form, shown, item)
        if not any(answer.reason is Reason.MEDIA_FAILED for answer in given.values()):
            check_owed(section, item, shown, by_path(evidence))
        if evidence:
            tx.add_presentation(rater, None, {**evidence, "practice": item.id})
        raw = {question: answer.raw for question, answer in given.items() if answer.reason is None}
        tx.add_event("practice_answer", rater, {"position": position, "item": item.id, "raw": raw})
    return move_on(tx, protocol, rater)


def answer_seen(tx: Tx, protocol: Protocol, rater: str, position: int) -> Where:
    """The rater has seen what is right for one practice item, and goes on."""
    now = where(tx, protocol, rater)
    if now.step is Step.ANSWER and now.position == position:
        tx.add_event(SEEN, rater, {"position": position})
    return move_on(tx, protocol, rater)


def practice_done(tx: Tx, protocol: Protocol, rater: str) -> Where:
    """The rater has seen the right answers."""
    if where(tx, protocol, rater).step is Step.FEEDBACK:
        tx.add_event("practiced", rater)
    return move_on(tx, protocol, rater)


def practice_round(tx: Tx, protocol: Protocol, rater: str, language: str = "en") -> list[Feedback]:
    """What was answered in practice beside what is right, in the order of the round and in the rater's language."""
    events = tx.events(rater=rater, kinds=["practice_answer"])
    answers: dict[str, Mapping[str, Any]] = {}
    for event in events:
        answers.setdefault(event.data["item"], event.data["raw"])
    stated = protocol.raters.practice.answers if protocol.raters.practice else {}
    rows = []
    for item in practice_items(protocol):
        for ask in protocol.practice_section.ask:
            raw = answers.get(item.id, {}).get(ask.id)
            if raw is not None and (ask.question.is_scored() or ask.id in stated):
                rows.append(_feedback(protocol, item, rater, ask.id, raw, language))
    return rows


def stated_answer(item: Item, path: str) -> Any:
    """What a practice item states as the right answer; a dot goes into an object of a JSON line."""
    found: Any = item.fields
    for part in path.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found


def practice_shown(protocol: Protocol, item: Item, rater: str) -> Shown:
    """What a practice page puts where, drawn for each rater."""
    return shown_once(protocol, protocol.practice_section, item, "practice", rater)


def _feedback(protocol: Protocol, item: Item, rater: str, question: str, raw: Any, language: str) -> Feedback:
    asked = protocol.ask(protocol.practice_section.id, question).question
    shown = practice_shown(protocol, item, rater).to(question)
    given = asked.parse(raw, shown, item)
    practice = protocol.raters.practice
    assert practice is not None, "feedback is given on a practice round"
    explanation = item[practice.explanation] if practice.explanation else ""
    words = asked.describe(given.value, shown, item, language) or str(raw)
    if question in practice.answers:
        right = stated_answer(item, practice.answers[question])
        correct = str(given.value) == str(right)
        stated = asked.describe(right, shown, item, language) or ("" if right is None else str(right))
        return Feedback(item, question, words, stated, correct, explanation)
    # A system is told by its side.
    right = asked.describe(asked.right_answer(item), shown, item, language) or asked.right_answer(item)
    return Feedback(item, question, words, right, asked.score(given.value, item), explanation)
