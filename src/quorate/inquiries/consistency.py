"""Do one rater's answers to one item fit together? What should hold and does not is a finding, never a change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from quorate.languages import say
from quorate.protocol import Protocol, Section
from quorate.protocol.rules import Rule, known_values
from quorate.questions import TIE
from quorate.records import Item

PRIORITY, UNEQUAL_TIE = "priority", "unequal_tie"
"""What is looked for beside the section's own rules, where a study asks for it or shows pairs."""


@dataclass(frozen=True, slots=True)
class Inconsistency:
    """One rule that one rater's answers to one item break, with the values it speaks of."""

    rule: str
    section: str
    item: str
    rater: str
    values: Mapping[str, Any]


def inconsistencies(
    protocol: Protocol, section: Section, item: Item, answers: Mapping[str, Any]
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """What does not fit in the answers to one item: the rule's id, its sentence, and the values it speaks of."""
    known = known_values(section, item, answers)
    for rule in section.rules:
        if rule.is_broken(known):
            yield rule.id, say(rule.says), _named(rule, section, known)
    yield from _against_priority(protocol.analysis.priority, answers)


def _named(rule: Rule, section: Section, known: Mapping[str, Any]) -> dict[str, Any]:
    """The values that a rule speaks of; a score brings the answers that it is made of."""
    names = set(rule.names())
    for score in section.scores:
        names |= set(score.weights) if score.id in names else set()
    values = {name: known.get(name) for name in sorted(names)}
    return {name: round(value, 2) if isinstance(value, float) else value for name, value in values.items()}


def _against_priority(priority: Sequence[str], answers: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """A winner that is worse on the first dimension, by priority, on which the two differ; a tie of unequal sides."""
    rated = {name: answers[name] for name in priority if isinstance(answers.get(name), Mapping)}
    unequal = [name for name, marks in rated.items() if len(set(marks.values())) > 1]
    if not unequal:
        return
    systems = set(rated[unequal[0]])
    for question, winner in answers.items():
        if winner == TIE:
            yield (
                UNEQUAL_TIE,
                "A tie, and the two are rated differently.",
                {question: winner, **{name: rated[name] for name in unequal}},
            )
        elif isinstance(winner, str) and winner in systems:
            marks = rated[unequal[0]]
            if marks[winner] < max(marks.values()):
                says = "The winner is worse on the first dimension, by priority, on which the two differ."
                yield PRIORITY, says, {question: winner, unequal[0]: marks}
