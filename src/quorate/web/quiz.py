"""The quiz that decides who takes part, as a candidate meets it: all questions on one page, no word of the score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from quorate.collect.screening import QuizQuestion, quiz
from quorate.collect.way import Where, move_on
from quorate.protocol import Protocol
from quorate.store import Tx
from quorate.web.asks import sentence
from quorate.web.replies import Fields, first
from quorate.web.visits import Visit


@dataclass(frozen=True, slots=True)
class Asked:
    """One question of the quiz on a page; `chosen` is the place of the option that was chosen before, as `@2`."""

    field: str
    text: str
    options: tuple[str, ...]
    chosen: str
    error: str


def quiz_page(here: Visit, form: Fields | None, errors: Mapping[str, Any] | None) -> dict[str, Any]:
    """What the page of the quiz holds."""
    site, session = here.site, here.session
    rule = site.protocol.raters.screening

    def found(tx: Tx) -> tuple[str, tuple[QuizQuestion, ...], int]:
        person = tx.rater(session.person)
        assert person is not None, "who has a session is a rater"
        attempt = len(tx.events(rater=session.person, kinds=["screening"])) + 1
        return person.panel, quiz(site.protocol, person), attempt

    panel, questions, attempt = site.read(session, found)
    return {
        "panel": panel,
        "questions": [_asked(question, form or {}, errors or {}, session.language) for question in questions],
        "attempt": attempt,
        "attempts": rule.attempts if rule else 1,
    }


def _asked(question: QuizQuestion, form: Fields, errors: Mapping[str, Any], language: str) -> Asked:
    field = f"quiz.{question.id}"
    wrong = sentence(errors[field], language) if field in errors else ""
    return Asked(field, question.text, question.options, first(form, field), wrong)


def let_in(tx: Tx, protocol: Protocol, rater: str) -> Where:
    """In a preview nobody waits for a cut: who tries the study goes on."""
    tx.add_event("selected", rater)
    return move_on(tx, protocol, rater)
