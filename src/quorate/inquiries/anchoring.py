"""What seeing a judge's answer does to people's: whether they give it too, and how near they come to it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from quorate import statistics
from quorate.findings.results import Finding
from quorate.inquiries.means import mean
from quorate.inquiries.scores import is_number
from quorate.messages import said
from quorate.records import Estimate
from quorate.sheets.case import JUDGED, RAW, Case, computed
from quorate.sheets.columns import Floats, Ints

ROWS = f"{RAW} and {JUDGED}: response_normalized, by item"
NOBODY = "no answer is in this arm"
ARMS = {"shown": "those who saw it", "hidden": "those who did not see it"}

Arm = tuple[Floats, Ints]
"""What is measured of each answer, and the place of its item."""


def is_shown(case: Case) -> bool:
    """An arm sees the judge's answers, and two answers can be the same, or be so far apart."""
    rule = case.protocol.file.triage
    return rule is not None and rule.show_score > 0 and bool(case.sheet.question.verdict_on() or is_number(case))


def anchoring(case: Case) -> Iterator[Finding]:
    """Agreement with the judge, and the distance to its score, of those who see it, of the others, and the difference.

    A slider's answers are seldom the same number, so that only the distance says anything about them.
    """
    if case.sheet.question.verdict_on():
        yield from _agreement(case)
    if is_number(case):
        yield from _distance(case)


def _agreement(case: Case) -> Iterator[Finding]:
    title = said(case.title)
    arms = _arms(case, {of: _same(case, of) for of in ("people", "anchored")})
    for name, (hits, item) in arms.items():
        found = case.share_of_answers(hits > 0, item) if len(hits) else _nobody(case)
        yield case.finding(
            f"anchoring.{name}", found, statistic="agreement with the judge", group="anchoring", unit="%", rows=ROWS,
            label=f"{title}: people give the judge’s answer, {ARMS[name]}", counted=(int(hits.sum()), len(hits)),
        )  # fmt: skip
    yield case.finding(
        "anchoring.difference", _difference(case, arms), statistic="anchoring", group="anchoring",
        unit="points", label=f"{title}: anchoring (seen minus not seen)", primary=True, rows=ROWS,
    )  # fmt: skip


def _distance(case: Case) -> Iterator[Finding]:
    title = said(case.title)
    arms = _arms(case, {of: _apart(case, of) for of in ("people", "anchored")})
    for name, (apart, item) in arms.items():
        groups = case.sheet.clusters[item] if len(item) else item
        found = mean(apart, clusters=groups, confidence=case.confidence) if len(apart) else _nobody(case)
        yield case.finding(
            f"anchoring.distance.{name}", found, statistic="distance to the judge", group="anchoring", rows=ROWS,
            label=f"{title}: mean distance to the judge’s score, {ARMS[name]}",
        )  # fmt: skip
    yield case.finding(
        "anchoring.distance.difference", _difference(case, arms), statistic="pull to the judge", group="anchoring",
        label=f"{title}: distance to the judge’s score (seen minus not seen)", rows=ROWS,
        primary=not case.sheet.question.verdict_on(),
    )  # fmt: skip


def _arms(case: Case, measured: dict[str, Arm]) -> dict[str, Arm]:
    """Who saw the score and who did not; where everybody does, all answers stand among people's."""
    rule = case.protocol.file.triage
    everybody = rule is not None and rule.is_verifying
    seen, hidden = ("people", "anchored") if everybody else ("anchored", "people")
    return {"shown": measured[seen], "hidden": measured[hidden]}


def _nobody(case: Case) -> Estimate:
    return Estimate.undefined(NOBODY, n_items=0, confidence=case.confidence)


def _difference(case: Case, arms: dict[str, Arm]) -> Estimate:
    """Seen minus not seen; answers about one item (or of one cluster) go together."""
    seen, hidden = arms["shown"], arms["hidden"]
    if not len(seen[0]) or not len(hidden[0]):
        why = "one arm has no answers: the score was shown to everybody, or to nobody"
        return Estimate.undefined(why, confidence=case.confidence)
    values = np.concatenate([seen[0], hidden[0]])
    names = np.repeat(["a seen", "b hidden"], [len(seen[0]), len(hidden[0])])
    clusters = case.sheet.clusters[np.concatenate([seen[1], hidden[1]])]
    return computed(partial(statistics.difference, values, names), clusters=clusters, confidence=case.confidence)


def _same(case: Case, of: str) -> Arm:
    """Whether each answer is the judge's, as a code of the verdicts' reading; items without a judge's are left out."""
    machine = np.full(case.sheet.n_items, -1)
    for judge in _judges(case):
        given = case.sheet.of_judge(judge, case.verdicts.reading)
        machine[given.item] = given.code
    reading = case.sheet.reading(case.verdicts.reading, of)
    known = machine[reading.item] >= 0
    return (reading.code == machine[reading.item])[known].astype(float), reading.item[known]


def _apart(case: Case, of: str) -> Arm:
    """How far each answer is from the judge's, as numbers; items without a judge's are left out."""
    sheet = case.sheet
    machine = np.full(sheet.n_items, np.nan)
    names, scores = sheet.machines.names, sheet.numbers("machines")
    for judge in _judges(case):
        mine = np.array([names[who] == judge for who in sheet.machines.who.tolist()], bool)
        machine[sheet.machines.item[mine]] = scores[mine]
    rows: Any = getattr(sheet, of)
    apart = np.abs(sheet.numbers(of) - machine[rows.item])
    known = ~np.isnan(apart)
    return apart[known], rows.item[known]


def _judges(case: Case) -> tuple[str, ...]:
    rule = case.protocol.file.triage
    return tuple(rule.judges) if rule else ()
