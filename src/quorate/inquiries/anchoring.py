"""What seeing a judge's answer does to people's: whether they give it too, and how near they come to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from quorate import statistics
from quorate.exhibits.blocks import Block
from quorate.exhibits.numbers import in_text
from quorate.findings.results import Finding, first
from quorate.inquiries.base import Inquiry, Part, Told, resting
from quorate.inquiries.item_means import is_number
from quorate.inquiries.means import mean
from quorate.messages import Message, Sentences
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
        is_same, words = bool(case.sheet.question.verdict_on()), {"question": case.title}
        if is_same:
            same = _arms(case, _same)
            for name, (hits, item) in same.items():
                found = case.share_of_answers(hits > 0, item) if len(hits) else _nobody(case)
                yield case.finding(
                    f"anchoring.{name}", found, statistic=CONTRASTS["anchoring"], unit="%", rows=ROWS, what=name,
                    label=SAME[name].having(**words), counted=(int(hits.sum()), len(hits)),
                )  # fmt: skip
            yield case.finding(
                "anchoring.difference", _difference(case, same), statistic="anchoring", unit="points", primary=True,
                rows=ROWS, label=SAME["gap"].having(**words),
            )  # fmt: skip
        if is_number(case):
            apart = _arms(case, _apart)
            for name, (numbers, item) in apart.items():
                groups = case.sheet.clusters[item] if len(item) else item
                found = mean(numbers, clusters=groups, confidence=case.confidence) if len(numbers) else _nobody(case)
                yield case.finding(
                    f"anchoring.distance.{name}", found, statistic=CONTRASTS["pull to the judge"], rows=ROWS,
                    what=name, label=APART[name].having(**words),
                )  # fmt: skip
            yield case.finding(
                "anchoring.distance.difference", _difference(case, apart), statistic="pull to the judge", rows=ROWS,
                label=APART["gap"].having(**words), primary=not is_same,
            )  # fmt: skip

    def headline(self, part: Part) -> Iterator[Message]:
        """What seeing the judge's answer does, question by question."""
        return _told(part)

    def exhibits(self, part: Part) -> Iterator[Block]:
        """One table: a row each arm, and the difference."""
        found = part.of(self.name)
        told = tuple(_told(part))
        caption = Message("What seeing the judge’s answer does to people’s cannot be told: there is one arm only.")
        beside = Message("Answers given beside it stand apart, and are in no other figure.")
        yield part.table("anchoring", self.title, Sentences((*told, beside)) if told else caption, found)

    def methods(self, told: Told) -> Iterator[Message]:
        """What is compared."""
        arms = Message(
            "Answers of raters who saw the judge’s are held against it and against those of raters who did not see it; "
            "answers about one item go together in the interval."
        )
        yield from resting(arms, told.known(inquiry=self.name))


def _told(part: Part) -> Iterator[Message]:
    """How often people give the judge's answer, or how far they are from it, in both arms."""
    for one in part.of(Anchoring.name):
        if one.statistic not in CONTRASTS or not one.is_known:
            continue
        arms = [first(part.of(Anchoring.name, question=one.question), statistic=CONTRASTS[one.statistic], what=arm)
                for arm in ("shown", "hidden")]  # fmt: skip
        shown, hidden = arms
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
        of = {"shown": in_text(shown), "hidden": in_text(hidden), "gap": in_text(one)}
        yield part.about(one, told.having(**of).because(shown, hidden))


#: Each difference of the arms, and what it is the difference of.
CONTRASTS = {"anchoring": "agreement with the judge", "pull to the judge": "distance to the judge"}


#: What each figure is called: of those who saw the judge's answer, of the others, and their difference.
SAME = {
    "shown": Message("{question}: people give the judge’s answer, those who saw it"),
    "hidden": Message("{question}: people give the judge’s answer, those who did not see it"),
    "gap": Message("{question}: anchoring (seen minus not seen)"),
}
APART = {
    "shown": Message("{question}: mean distance to the judge’s score, those who saw it"),
    "hidden": Message("{question}: mean distance to the judge’s score, those who did not see it"),
    "gap": Message("{question}: distance to the judge’s score (seen minus not seen)"),
}


def _arms(case: Case, measure: Callable[[Case, str], Arm]) -> dict[str, Arm]:
    """Who saw the score and who did not; where everybody does, all answers stand among people's."""
    rule = case.protocol.file.triage
    seen, hidden = ("people", "anchored") if rule is not None and rule.is_verifying else ("anchored", "people")
    return {"shown": measure(case, seen), "hidden": measure(case, hidden)}


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
        codes = case.sheet.codes_of(judge, case.verdicts.reading)
        machine = np.where(codes >= 0, codes, machine)
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
