"""Screening: a quiz without feedback, a wait until recruitment closes, and a cut that can be re-derived."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from quorate.chance import draw, order
from quorate.collect.forms import Form, FormError
from quorate.collect.places import has_cut
from quorate.collect.way import Step, Where, move_on, where
from quorate.errors import AnswerError, CollectError, StaleError
from quorate.languages import noted
from quorate.protocol import Protocol
from quorate.records import Rater
from quorate.store import Tx


@dataclass(frozen=True, slots=True)
class QuizQuestion:
    """One question as a candidate sees it; the options stand in an order drawn for the candidate."""

    id: str
    text: str
    options: tuple[str, ...]
    answer: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """How a candidate did on the attempt that counts: the first where a cut ranks them, else the newest."""

    rater: str
    panel: str
    right: int
    n: int
    passed: bool


@dataclass(frozen=True, slots=True)
class Selection:
    """Who takes part, who does not, and which panels have too few: an alarm, never a lower bar."""

    selected: tuple[Candidate, ...]
    not_selected: tuple[Candidate, ...]
    alarms: tuple[str, ...] = ()
    unfinished: tuple[str, ...] = field(default=())


def quiz(protocol: Protocol, rater: Rater) -> tuple[QuizQuestion, ...]:
    """The questions of a candidate's panel, the first n of them, with their options in the candidate's own order."""
    rule = protocol.raters.screening
    if rule is None:
        return ()
    rows = [row.fields for row in protocol.tables[rule.from_]]
    if rule.by and rater.panel:
        rows = [row for row in rows if str(row[rule.by]) == rater.panel]
    return tuple(_question(protocol, rater, row) for row in rows[: rule.n])


def _question(protocol: Protocol, rater: Rater, row: Mapping[str, Any]) -> QuizQuestion:
    rule = protocol.raters.screening
    assert rule is not None
    id = str(row[rule.id])
    options = dict.fromkeys(str(row[name]) for name in (rule.answer, *rule.options) if row.get(name))
    drawn = order(list(options), protocol.seed, "quiz", rater.id, id)
    return QuizQuestion(id, str(row[rule.question]), tuple(drawn), str(row[rule.answer]))


def screening_answer(tx: Tx, protocol: Protocol, rater: str, form: Form) -> Where:
    """Records one attempt at the quiz; fields are named `quiz.<id>` and hold an option or its place (`@2`)."""
    if where(tx, protocol, rater).step is not Step.SCREENING:
        raise StaleError(noted("This page was sent already, perhaps from another tab. You can go on from here."))
    person = tx.rater(rater)
    assert person is not None, "who answers a quiz is a rater"
    questions = quiz(protocol, person)
    given = {question.id: _chosen(question, form) for question in questions}
    missing = {
        f"quiz.{id}": AnswerError(noted("Please choose one of the options.")) for id, c in given.items() if not c
    }
    if missing:
        raise FormError(missing)
    right = sum(given[question.id] == question.answer for question in questions)
    attempt = len(tx.events(rater=rater, kinds=["screening"])) + 1
    tx.add_event("screening", rater, {"attempt": attempt, "right": right, "n": len(questions), "answers": given})
    _decide_at_once(tx, protocol, rater, attempt, passes(protocol, right, len(questions)))
    return move_on(tx, protocol, rater)


def _chosen(question: QuizQuestion, form: Form) -> str:
    said = (form.get(f"quiz.{question.id}") or [""])[0]
    place = said.removeprefix("@")
    if said.startswith("@") and place.isdecimal() and 1 <= int(place) <= len(question.options):
        return question.options[int(place) - 1]
    return said if said in question.options else ""


def _decide_at_once(tx: Tx, protocol: Protocol, rater: str, attempt: int, passed: bool) -> None:
    """Without a cut to wait for, who passes takes part, and who has no attempt left is thanked."""
    rule = protocol.raters.screening
    if rule is None or has_cut(protocol):
        return
    if passed:
        tx.add_event("selected", rater)
    elif attempt >= rule.attempts:
        tx.add_event("not_selected", rater)


def passes(protocol: Protocol, right: int, n: int) -> bool:
    """Whether so many right answers exceed the bar."""
    rule = protocol.raters.screening
    return rule is not None and n > 0 and right / n > rule.above


def candidates(tx: Tx, protocol: Protocol) -> list[Candidate]:
    """Everyone who finished an attempt, ranked within the panel; ties are settled by a keyed draw."""
    counts: dict[str, Any] = {}
    for event in tx.events(kinds=["screening"]):
        if has_cut(protocol):
            counts.setdefault(event.rater or "", event.data)
        else:
            counts[event.rater or ""] = event.data
    found = []
    for rater in tx.raters():
        if rater.id in counts:
            right, n = counts[rater.id]["right"], counts[rater.id]["n"]
            found.append(Candidate(rater.id, rater.panel, right, n, passes(protocol, right, n)))
    return sorted(found, key=lambda c: (c.panel, -c.right, draw(protocol.seed, "screening", c.rater)))


def select(tx: Tx, protocol: Protocol) -> Selection:
    """Closes recruitment: the best of those who passed take part, all others are thanked.

    Without a cut everyone who has passed takes part already, and what was decided stays.
    """
    rule = protocol.raters.screening
    if rule is None:
        raise CollectError("This study has no screening: raters.screening is not in its study file.")
    if tx.last_event("recruitment_closed"):
        raise CollectError("Recruitment is closed already, and the cut is made once.")
    ranked = [c for c in candidates(tx, protocol) if not tx.last_event(["withdrawn", "excluded"], rater=c.rater)]
    chosen: list[Candidate] = []
    alarms = []
    for panel in _panels(protocol, ranked):
        passed = [c for c in ranked if c.panel == panel and c.passed]
        kept = passed[: rule.top] if rule.top else passed
        chosen += kept
        if rule.top and len(kept) < rule.top:
            name = f"Panel {panel}" if panel else "The study"
            alarms.append(
                f"{name} has {len(kept)} of {rule.top} raters: {len(passed)} passed, and the bar is not lowered. The "
                "cut is made once: its items will have fewer raters than planned, and the report counts them."
            )
    rest = [c for c in ranked if c not in chosen]
    done = {c.rater for c in ranked}
    unfinished = tuple(rater.id for rater in tx.raters() if rater.id not in done)
    tx.add_event("recruitment_closed", data={"selected": [c.rater for c in chosen], "alarms": alarms})
    decided = {event.rater for event in tx.events(kinds=["selected", "not_selected"])}
    for kind, people in (("selected", [c.rater for c in chosen]), ("not_selected", [c.rater for c in rest])):
        for rater in (one for one in people if one not in decided):
            tx.add_event(kind, rater)
            move_on(tx, protocol, rater)
    return Selection(tuple(chosen), tuple(rest), tuple(alarms), unfinished)


def _panels(protocol: Protocol, ranked: Sequence[Candidate]) -> list[str]:
    field_name = protocol.raters.panels
    known = {str(item[field_name]) for item in protocol.pool} if field_name else {""}
    return sorted(known | {candidate.panel for candidate in ranked})
