"""A judge's answers beside people's verdicts, item by item: how often they are the same, and who is right."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from quorate import statistics
from quorate.findings.names import judge_name
from quorate.findings.results import CLASSES, Finding
from quorate.inquiries.basis import basis
from quorate.inquiries.coefficients import READINGS, band, id_of_row
from quorate.inquiries.leanings import paired_gap
from quorate.languages import noted
from quorate.messages import Message
from quorate.protocol.study_file import Majority
from quorate.records import Estimate
from quorate.sheets.case import JUDGED, RAW, SUMMARY, Case, computed, named, told
from quorate.sheets.choices import choices, is_by_pair, read_as
from quorate.sheets.columns import Bools, Ints
from quorate.sheets.verdicts import ADJUDICATED, tally

RATE, CLASS, LABELS = "agreement rate", "error class", "label agreement"


@dataclass(frozen=True, slots=True)
class People:
    """What stands for people, named as what it is: in a sentence, in a label, and right or wrong."""

    the: Message
    short: Message
    right: Message
    wrong: Message


RATER = People(Message("the rater"), Message("rater"), Message("Rater correct"), Message("Rater incorrect"))
MAJORITY = People(
    Message("the human majority"), Message("human majority"), Message("Human majority correct"),
    Message("Human majority incorrect"),
)  # fmt: skip
VERDICT = People(
    Message("people’s verdict"), Message("people’s verdict"), Message("People’s verdict correct"),
    Message("People’s verdict incorrect"),
)  # fmt: skip


def people(rule: Majority, adjudicated: bool) -> People:
    """One rater's answer, what most of them say, or verdicts of which the team made some (or which need everybody)."""
    if rule.out_of == 1:
        return RATER
    return VERDICT if adjudicated or rule.out_of == 2 else MAJORITY


def judges_of(case: Case) -> tuple[str, ...]:
    """The judges that are held against people: the one that the study names, then the others that answered."""
    compare, sheet = case.analysis.compare, case.sheet
    if compare is None or not sheet.question.verdict_on():
        return ()
    named_one = (compare.judge,) if sheet.question.is_scored() or compare.judge in sheet.judges else ()
    return tuple(dict.fromkeys((*named_one, *sheet.judges)))


def paired(case: Case, judge: str) -> tuple[Ints, Ints, Bools, Mapping[str, int]]:
    """Verdict and judge as codes, which items have both, and what was left out, why."""
    human, machine = case.verdicts.code, case.sheet.codes_of(judge, case.verdicts.reading)
    unknown = (human < 0) & case.sheet.asked
    none = noted("no majority") if people_of(case) is MAJORITY else noted("no verdict")
    left_out = {
        none: unknown & (case.verdicts.n > 0),
        noted("no answer of a rater"): unknown & (case.verdicts.n == 0),
        noted("no answer of the judge"): (human >= 0) & (machine < 0),
    }
    found = {why: int(which.sum()) for why, which in left_out.items() if which.any()}
    return human, machine, (human >= 0) & (machine >= 0), found


def people_of(case: Case) -> People:
    """What stands for people in the verdicts of a case."""
    return people(case.rule, bool((case.verdicts.known & case.verdicts.came(ADJUDICATED)).any()))


def against(case: Case, judge: str) -> Iterator[Finding]:
    """How often verdict and judge are the same, what agreement is told by, and Cohen's κ beside it."""
    human, machine, both, left_out = paired(case, judge)
    who: dict[str, Any] = {"people": people_of(case).short, "judge": judge_name(judge)}
    reading, is_named = case.verdicts.reading, case.analysis.compare and judge == case.analysis.compare.judge
    why = Message("no item has both a verdict of people and an answer of {judge}", judge=who["judge"])
    rate = told(replace(case.share(human == machine, both), left_out=left_out), why)
    rows = f"{SUMMARY}: verdict; {JUDGED}: {judge}"
    yield case.finding(
        f"judge.{judge}.agreement_rate", rate, statistic=RATE, unit="%", primary=True, judge=judge,
        label=Message("Agreement rate ({people} vs {judge})", **who), short=Message("Agreement rate"),
        counted=(int((human == machine)[both].sum()), int(both.sum())),
        rows=f"{SUMMARY}: human_{judge}_agree" if is_named else rows,
    )  # fmt: skip
    if is_named:
        rows = f"{SUMMARY}: verdict, {judge}"
        if reading == "correctness":
            rows = f"{SUMMARY}: majority_correct, {judge}_correct"
    own, read = basis(case), _columns(case, human, machine, both, case.verdicts.labels, reading)
    of: dict[str, Any] = {"judge": judge, "reading": reading, **read_as(case.sheet, rows)}
    if own is not None and own.row.name not in ("cohen kappa", "percent agreement", "full agreement"):
        found = _coefficient(case, both, lambda: own.of(read, case.confidence))
        yield case.finding(
            f"judge.{judge}.agreement.{id_of_row(own.row)}", replace(found, left_out=left_out),
            statistic=own.row.found_as, what=own.level, primary=True, short=own.name,
            label=Message("{coefficient} ({people} vs {judge})", coefficient=own.name, **who),
            band=band(found, case) if own.row.banded else "", **of,
        )  # fmt: skip
    kappa = _coefficient(case, both, lambda: computed(statistics.cohen_kappa, read, confidence=case.confidence))
    yield case.finding(
        f"judge.{judge}.cohen_kappa", replace(kappa, left_out=left_out), statistic="cohen kappa",
        label=Message("Cohen’s κ ({people} vs {judge})", **who), short=Message("Cohen’s κ"), band=band(kappa, case),
        primary=own is not None and own.row.name == "cohen kappa", **of,
    )  # fmt: skip


def _columns(case: Case, human: Ints, machine: Ints, both: Bools, labels: tuple[Any, ...], reading: str) -> Any:
    """Verdict and judge as ratings of two; where systems differ by item, the choices within the item's pair."""
    sheet, item = case.sheet, np.flatnonzero(both)
    said = [human[both], machine[both]]
    mirror: Mapping[Any, Any] = {}
    if is_by_pair(sheet):
        mirror = sheet.question.turned(reading)
        said = [choices(sheet, reading, item, codes, labels) for codes in said]
        labels = tuple(mirror)
    is_whole = bool(mirror) or sheet.reading(reading).declared
    seen = np.arange(len(labels)) if is_whole else np.unique(np.concatenate(said))
    codes = np.stack([np.searchsorted(seen, one) for one in said], axis=1).astype(float)
    return named(codes, tuple(labels[code] for code in seen), True, sheet.clusters_of(both), mirror)


def _coefficient(case: Case, both: Bools, found: Callable[[], Estimate]) -> Estimate:
    """A coefficient; undefined where no item has both."""
    if both.any():
        return found()
    return Estimate.undefined(Message("no item has both answers"), confidence=case.confidence, n_items=0)


def same_label(case: Case, judge: str, reading: str) -> Finding:
    """How often the answer of enough raters and the judge's are the same answer, right or wrong."""
    sheet, name = case.sheet, judge_name(judge)
    ours = tally(sheet.reading(reading), sheet.n_items).decided(case.rule)
    theirs = sheet.codes_of(judge, reading)
    both = (ours >= 0) & (theirs >= 0)
    unknown = {
        noted("no answer that enough raters gave"): int(((ours < 0) & sheet.asked).sum()),
        noted("no answer of the judge"): int(((ours >= 0) & (theirs < 0)).sum()),
    }
    left_out = {why: n for why, n in unknown.items() if n}
    if reading == "responses":
        share = case.share(ours == theirs, both)
        note = Message("no item has both an answer that enough raters gave and one of {judge}", judge=name)
        share = replace(share, note="" if both.any() else note, left_out=left_out)
        return case.finding(
            f"judge.{judge}.label_agreement", share, statistic=LABELS, judge=judge, reading=reading, unit="%",
            label=Message("Label agreement with {judge} (the same answer)", judge=name),
            counted=(int((ours == theirs)[both].sum()), int(both.sum())),
            rows=f"{RAW} + {JUDGED}: {case.target_column} [is_correct], response_normalized",
        )  # fmt: skip
    read = _columns(case, ours, theirs, both, sheet.reading(reading).labels, reading)
    kappa = _coefficient(case, both, lambda: computed(statistics.cohen_kappa, read, confidence=case.confidence))
    # What enough planned raters say: no member of the team has a part in it.
    who = people(case.rule, adjudicated=False).short
    words: dict[str, Any] = {"reading": READINGS.get(reading, reading), "people": who, "judge": name}
    return case.finding(
        f"judge.{judge}.cohen_kappa.{reading}", replace(kappa, left_out=left_out), statistic="cohen kappa",
        band=band(kappa, case), judge=judge, reading=reading, **read_as(sheet, f"{RAW} + {JUDGED}: {reading}"),
        label=Message("Cohen’s κ on {reading} ({people} vs {judge})", **words),
    )  # fmt: skip


def who_is_right(case: Case, judge: str) -> Iterator[Finding]:
    """The shares of the 2 × 2 of right and wrong, and how much more often people are right."""
    human, machine, both = right_and_wrong(case, judge)
    h, m = human[both], machine[both]
    name, compare = judge_name(judge), case.analysis.compare
    rows = f"{SUMMARY}: majority_correct, {judge}_correct"
    if compare is None or judge != compare.judge:
        rows = f"{SUMMARY}: majority_correct; {JUDGED}: is_correct [annotator_id = {judge}]"
    for kind, (one, other) in CLASSES.items():
        cell = (human == one) & (machine == other)
        slug = kind.replace(", ", "_").replace(" ", "_")
        yield case.finding(
            f"judge.{judge}.class.{slug}", case.share(cell, both), statistic=CLASS, unit="%", judge=judge, what=kind,
            label=KINDS[kind].having(judge=name), counted=(int(cell[both].sum()), int(both.sum())), rows=rows,
        )  # fmt: skip
    gap = _coefficient(case, both, lambda: paired_gap(h, m, case.sheet.clusters_of(both), case.confidence))
    yield case.finding(
        f"judge.{judge}.difference", gap, statistic="difference" if case.sheet.cluster_field else "mcnemar",
        label=Message("Accuracy of {people} minus that of {judge}", people=people_of(case).the, judge=name),
        rows=rows, judge=judge, unit="points",
    )  # fmt: skip


#: The cells of the 2 × 2.
KINDS = {
    "both correct": Message("People and {judge} both correct"),
    "human correct, judge incorrect": Message("Human correct, {judge} incorrect"),
    "human incorrect, judge correct": Message("Human incorrect, {judge} correct"),
    "both incorrect": Message("People and {judge} both incorrect"),
}


def right_and_wrong(case: Case, judge: str) -> tuple[Bools, Bools, Bools]:
    """Verdict and judge as right or wrong, and which items have both."""
    rows = case.sheet.machines
    its = rows.who == (case.sheet.judges.index(judge) if judge in case.sheet.judges else -1)
    machine, answered = np.zeros(case.sheet.n_items, bool), np.zeros(case.sheet.n_items, bool)
    machine[rows.item[its]] = case.sheet.right("machines")[its]
    answered[rows.item[its]] = True
    return case.verdicts.right(), machine, case.verdicts.known & answered
