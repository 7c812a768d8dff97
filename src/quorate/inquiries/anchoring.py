"""What seeing a judge's answer does to people's: whether they give it too, and how near they come to it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from quorate import statistics
from quorate.exhibits.blocks import Block
from quorate.exhibits.numbers import in_text
from quorate.findings.results import Finding, first
from quorate.inquiries.base import Inquiry, Part, Told
from quorate.inquiries.means import mean
from quorate.inquiries.scores import is_number
from quorate.messages import Message, Sentences, Text
from quorate.records import Estimate
from quorate.sheets.case import JUDGED, RAW, Case, computed
from quorate.sheets.columns import Floats, Ints

ROWS = f"{RAW} + {JUDGED}: response_normalized"
NOBODY = Message("no answer is in this arm")

Arm = tuple[Floats, Ints]
"""What is measured of each answer, and the place of its item."""


class Anchoring(Inquiry):
    """Agreement with the judge, and the distance to its score, of those who see it, of the others, and the difference.

    A slider's answers are seldom the same number, so that only the distance says anything about them.
    """

    name = "anchoring"
    title = Message("Anchoring")
    names_questions = True

    def fits(self, case: Case) -> bool:
        """An arm sees the judge's answers, and two answers can be the same, or be so far apart."""
        rule = case.protocol.file.triage
        return rule is not None and rule.show_score > 0 and bool(case.sheet.question.verdict_on() or is_number(case))

    def find(self, case: Case) -> Iterator[Finding]:
        """Of each arm, and of the one minus the other."""
        if case.sheet.question.verdict_on():
            yield from _agreement(case)
        if is_number(case):
            yield from _distance(case)

    def headline(self, part: Part) -> Iterator[Message]:
        """What seeing the judge's answer does, question by question."""
        return _told(part)

    def exhibits(self, part: Part) -> Iterator[Block]:
        """One table: a row each arm, and the difference."""
        found = part.of(self.name)
        if found:
            told = tuple(_told(part))
            one_arm = Message("What seeing the judge’s answer does to people’s cannot be told: there is one arm only.")
            caption = Sentences(
                (*told, Message("Answers given beside it stand apart, and are in no other figure.")) if told
                else (one_arm,)
            )  # fmt: skip
            yield part.table("anchoring", self.title, caption, found)

    def methods(self, told: Told) -> Iterator[Message]:
        """What is compared."""
        if known := told.known(inquiry=self.name):
            yield Message(
                "Answers of raters who saw the judge’s are held against it and against those of raters who did not see "
                "it; answers about one item go together in the interval.",
                rests_on=known,
            )


def _told(part: Part) -> Iterator[Message]:
    """How often people give the judge's answer, or how far they are from it, in both arms."""
    for one in part.of(Anchoring.name):
        if one.statistic not in CONTRASTS or not one.is_known:
            continue
        beside = (first(part.of(Anchoring.name, question=one.question), statistic=CONTRASTS[one.statistic], what=arm)
                  for arm in ("shown", "hidden"))  # fmt: skip
        shown, hidden = beside
        if shown is None or hidden is None:
            continue
        told = Message(
            "Those who saw the judge’s answer were {shown} from it on average, those who did not see it {hidden}: a "
            "difference of {gap}."
        )
        if one.statistic == "anchoring":
            told = Message(
                "Those who saw the judge’s answer gave it {shown} of the time, those who did not see it {hidden}: a "
                "difference of {gap}."
            )
        of: dict[str, Any] = {"shown": in_text(shown), "hidden": in_text(hidden), "gap": in_text(one)}
        yield part.about(one, told.having(**of).because(shown, hidden))


#: Each difference of the arms, and what it is the difference of.
CONTRASTS = {"anchoring": "agreement with the judge", "pull to the judge": "distance to the judge"}


def _agreement(case: Case) -> Iterator[Finding]:
    arms = _arms(case, {of: _same(case, of) for of in ("people", "anchored")})
    labels: dict[str, Text] = {
        "shown": Message("{question}: people give the judge’s answer, those who saw it", question=case.title),
        "hidden": Message("{question}: people give the judge’s answer, those who did not see it", question=case.title),
    }
    for name, (hits, item) in arms.items():
        found = case.share_of_answers(hits > 0, item) if len(hits) else _nobody(case)
        yield case.finding(
            f"anchoring.{name}", found, statistic="agreement with the judge", unit="%", rows=ROWS, what=name,
            label=labels[name], counted=(int(hits.sum()), len(hits)),
        )  # fmt: skip
    yield case.finding(
        "anchoring.difference", _difference(case, arms), statistic="anchoring", unit="points", primary=True, rows=ROWS,
        label=Message("{question}: anchoring (seen minus not seen)", question=case.title),
    )  # fmt: skip


def _distance(case: Case) -> Iterator[Finding]:
    arms = _arms(case, {of: _apart(case, of) for of in ("people", "anchored")})
    labels: dict[str, Text] = {
        "shown": Message("{question}: mean distance to the judge’s score, those who saw it", question=case.title),
        "hidden": Message(
            "{question}: mean distance to the judge’s score, those who did not see it", question=case.title
        ),
    }
    for name, (apart, item) in arms.items():
        groups = case.sheet.clusters[item] if len(item) else item
        found = mean(apart, clusters=groups, confidence=case.confidence) if len(apart) else _nobody(case)
        yield case.finding(
            f"anchoring.distance.{name}", found, statistic="distance to the judge", rows=ROWS, what=name,
            label=labels[name],
        )  # fmt: skip
    yield case.finding(
        "anchoring.distance.difference", _difference(case, arms), statistic="pull to the judge", rows=ROWS,
        label=Message("{question}: distance to the judge’s score (seen minus not seen)", question=case.title),
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
        why = Message("one arm has no answers: the score was shown to everybody, or to nobody")
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
