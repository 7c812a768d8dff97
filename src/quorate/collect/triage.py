"""AI-assisted scoring with people in charge: what a judge scored is sent to people, audited, or accepted.

Inclusion probabilities are stored with each route, since what people then see is not a random sample.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from quorate.chance import uniform
from quorate.collect.judging import due, judges_of
from quorate.conditions import condition
from quorate.judges import RECORD
from quorate.protocol import Protocol, Section
from quorate.protocol.judging import TriageRule
from quorate.records import Answer, Reason, Route
from quorate.store import CallRow, Tx

REVIEW, AUDIT, ACCEPTED = "review", "audit", "accepted"
TRIAGED = "triaged"

Sure = Mapping[tuple[str, str, str], float]
"""A judge's confidence by section, item and question."""


@dataclass(frozen=True, slots=True)
class Triaged:
    """What one triage did: how many items went where."""

    review: int
    audit: int
    accepted: int
    waiting: int

    def sentence(self) -> str:
        """For people."""
        routed = self.review + self.audit + self.accepted
        waits = f" {self.waiting} wait for the judge." if self.waiting else ""
        return (
            f"Triage: of {routed} scored, {self.review} go to people by the rule, {self.audit} are audited, "
            f"{self.accepted} are accepted.{waits}"
        )

    def as_dict(self) -> dict[str, int]:
        """For programs."""
        return asdict(self)


def triage(tx: Tx, protocol: Protocol) -> Triaged | None:
    """Routes what the judges have scored since the last time; raters are no longer given what is accepted.

    None where the study has no triage rule. A route is never changed: people may have begun on it.
    """
    rule = protocol.file.triage
    if rule is None:
        return None
    known = {(route.section, route.item) for route in routes(tx)}
    waiting = _waiting(tx, protocol, rule)
    made: list[Route] = []
    for section in protocol.sections:
        scored = _scored(tx, rule, section)
        sure = confidences(tx, protocol, rule)
        for item, answers in scored.items():
            if (section.id, item) not in known | waiting:
                made.append(route(protocol, rule, section, item, answers, sure))
    for section in protocol.sections:
        mine = [one for one in made if one.section == section.id]
        if mine:
            tx.add_event(TRIAGED, data={"section": section.id, "routes": [asdict(one) for one in mine]})
            tx.withhold(section.id, [one.item for one in mine if one.to == ACCEPTED], "accepted by the judge")
    count = Counter(one.to for one in routes(tx))
    return Triaged(count[REVIEW], count[AUDIT], count[ACCEPTED], len(waiting))


def routes(tx: Tx) -> tuple[Route, ...]:
    """Where everything went so far."""
    return tuple(Route(**one) for event in tx.events(kinds=TRIAGED) for one in event.data["routes"])


def route(
    protocol: Protocol, rule: TriageRule, section: Section, item: str, answers: Iterable[Answer], sure: Sure
) -> Route:
    """Where one item goes, by the judge's answers to it; the audit is a keyed draw, the same on every machine."""
    mine = {answer.question: sure[key] for answer in answers if (key := (section.id, item, answer.question)) in sure}
    for answer in answers:
        why = _why(rule, answer, section, mine.get(answer.question))
        if why:
            return Route(section.id, item, REVIEW, 1.0, why, mine)
    audited = uniform(protocol.seed, "audit", section.id, item) < rule.audit
    return Route(section.id, item, AUDIT if audited else ACCEPTED, rule.audit, "", mine)


def _why(rule: TriageRule, answer: Answer, section: Section, sure: float | None) -> str:
    """Why people look at an answer, or nothing."""
    if answer.reason is Reason.NOT_APPLICABLE or answer.reason is Reason.SKIPPED:
        return ""
    if answer.reason is not None:
        return f"{answer.question}: {answer.reason}"
    review = condition(rule.review)
    if "confidence" in review.names and sure is None:
        return f"{answer.question}: no confidence"
    ask = next(ask for ask in section.ask if ask.id == answer.question)
    value = ask.question.plain(answer.value)
    holds = review.holds({"score": value, "confidence": sure, answer.question: value, "question": answer.question})
    return f"{answer.question}: {rule.review}" if holds else ""


def _scored(tx: Tx, rule: TriageRule, section: Section) -> dict[str, list[Answer]]:
    found: dict[str, list[Answer]] = {}
    for judge in rule.judges:
        for answer in tx.latest_answers(judge, section.id, "judge"):
            found.setdefault(answer.item, []).append(answer)
    return found


def _waiting(tx: Tx, protocol: Protocol, rule: TriageRule) -> set[tuple[str, str]]:
    """What a judge of the rule has still to score."""
    return {
        (one.section.id, one.item.id)
        for id, judge in judges_of(protocol, rule.judges).items()
        for one in due(tx, protocol, id, judge)
        if one.purpose == RECORD
    }


def confidences(tx: Tx, protocol: Protocol, rule: TriageRule) -> dict[tuple[str, str, str], float]:
    """How sure the judges are: what they said or measured, or the share of samples that say the same."""
    found: dict[tuple[str, str, str], float] = {}
    for id, judge in judges_of(protocol, rule.judges).items():
        calls = tx.calls(id)
        if getattr(judge, "confidence", "") == "samples":
            found |= _by_samples(calls)
            continue
        for call in calls:
            if call.purpose == RECORD:
                found |= {(call.section, call.item, q): sure for q, sure in (call.confidence or {}).items()}
    return found


def _by_samples(calls: Iterable[CallRow]) -> dict[tuple[str, str, str], float]:
    """The share of all samples, the record among them, that say what the record says."""
    samples: dict[tuple[str, str, str], list[Any]] = {}
    records: dict[tuple[str, str, str], Any] = {}
    for call in calls:
        for question, value in (call.said or {}).items():
            key = (call.section, call.item, question)
            if call.purpose == RECORD:
                records[key] = value
            if call.purpose == RECORD or call.purpose.startswith("sample"):
                samples.setdefault(key, []).append(value)
    return {key: samples[key].count(value) / len(samples[key]) for key, value in records.items()}
