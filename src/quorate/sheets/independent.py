"""Which answers stand for themselves: not those given beside a judge's score, nor a judge's that go with the order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from quorate.judges import SWAPPED
from quorate.protocol import Protocol
from quorate.protocol.analysis import Analysis
from quorate.questions import Question
from quorate.records import Answer, Collected, Repeated

Arm = frozenset[tuple[str, str, str]]
"""Section, item and rater of answers given beside a judge's score."""


def arm(protocol: Protocol, collected: Collected) -> Arm:
    """Whose answers stand apart since they saw a judge's score; nobody's where everybody saw it."""
    rule = protocol.file.triage
    return collected.anchored if rule is not None and not rule.is_verifying else frozenset()


def consistent(
    answers: list[Answer], repeated: Sequence[Repeated], question: Question, analysis: Analysis
) -> tuple[list[Answer], Mapping[str, int]]:
    """Judges' answers after the study's rule for those that change with the order, and how many it touched, by judge.

    A reply in the mirrored order that cannot be read shows no change: the answer of record stays.
    """
    mirrored = {(one.judge, one.item): one for one in repeated if one.purpose == SWAPPED}
    if analysis.inconsistent == "record" or not mirrored:
        return answers, {}
    kept, touched = [], Counter[str]()
    for answer in answers:
        other = mirrored.get((answer.rater, answer.item))
        if other is None or other.said[answer.question] == answer.value:
            kept.append(answer)
            continue
        touched[answer.rater] += 1
        tie = question.tie_value() if analysis.inconsistent == "tie" else None
        if tie is not None:
            kept.append(replace(answer, value=tie))
    return kept, dict(touched)
