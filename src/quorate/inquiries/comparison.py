"""People's majority against a judge: agreement, the 2 × 2, and an example of each cell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from quorate import statistics
from quorate.chance import order
from quorate.findings.names import judge_name
from quorate.findings.results import CLASSES, Comparison, Example, Finding, Given, Listing
from quorate.inquiries.agreement import ON, band
from quorate.records import Answer, Estimate, Item
from quorate.sheets.case import JUDGED, RAW, SUMMARY, Case, computed, named
from quorate.sheets.choices import choices, is_by_pair, read_as
from quorate.sheets.columns import Bools, Ints, Reading
from quorate.sheets.sheet import Sheet
from quorate.sheets.verdicts import tally

CELLS = tuple(CLASSES.values())


def against_judge(case: Case) -> Iterator[Finding]:
    """How often majority and judge come to the same verdict, and Cohen's κ; where answers can be right, who is."""
    judge = compared_judge(case)
    name, sheet = judge_name(judge), case.sheet
    human, machine, both, left_out = paired(case, judge)
    yield _rate(case, human, machine, both, left_out)
    reading = case.verdicts.reading
    on_correctness = reading == "correctness"
    rows = f"{SUMMARY}: majority_correct and {judge}_correct" if on_correctness else f"{SUMMARY}: verdict and {judge}"
    kappa = _kappa(case, human, machine, both, case.verdicts.labels, reading)
    yield case.finding(
        f"judge.{judge}.cohen_kappa", replace(kappa, left_out=left_out), statistic="cohen kappa",
        judge=judge, reading=reading, **read_as(case.sheet, rows), label=f"Cohen’s κ (human majority vs {name})",
        band=band(kappa, case),
        group="comparison",
    )  # fmt: skip
    if case.by:
        return
    for other in sheet.question.readings():
        if other != reading:
            yield _labels(case, judge, other)
    if sheet.question.is_scored():
        yield from _who_is_right(case, judge)


def compared_judge(case: Case) -> str:
    """The judge that the study holds against people."""
    assert case.analysis.compare is not None
    return case.analysis.compare.judge


def paired(case: Case, judge: str) -> tuple[Ints, Ints, Bools, Mapping[str, int]]:
    """Verdict and judge as codes, which items have both, and what was left out, why."""
    human = case.verdicts.code
    machine = np.full(case.sheet.n_items, -1)
    given = case.sheet.of_judge(judge, case.verdicts.reading)
    machine[given.item] = given.code
    unknown = (human < 0) & case.sheet.asked
    left_out = {
        "no majority": unknown & (case.verdicts.n > 0),
        "no answer of a rater": unknown & (case.verdicts.n == 0),
        "no answer of the judge": (human >= 0) & (machine < 0),
    }
    found = {why: int(which.sum()) for why, which in left_out.items() if which.any()}
    return human, machine, (human >= 0) & (machine >= 0), found


def _rate(case: Case, human: Ints, machine: Ints, both: Bools, left_out: Mapping[str, int]) -> Finding:
    judge = compared_judge(case)
    name = judge_name(judge)
    rate = replace(case.share(human == machine, both), left_out=left_out)
    if rate.value is None:
        rate = replace(rate, note=f"no item has both a majority and an answer of {name}")
    return case.finding(
        f"judge.{judge}.agreement_rate", rate, statistic="agreement rate", label="Agreement rate", unit="%",
        primary=True, counted=(int((human == machine)[both].sum()), int(both.sum())), group="comparison",
        rows=f"{SUMMARY}: human_{judge}_agree", judge=judge,
    )  # fmt: skip


def _kappa(case: Case, human: Ints, machine: Ints, both: Bools, labels: tuple[Any, ...], reading: str) -> Estimate:
    """Cohen's κ over the items that have both; where systems differ by item, on the choice within the item's pair."""
    sheet, item = case.sheet, np.flatnonzero(both)
    groups = sheet.item_clusters
    clusters = None if groups is None else groups[both]
    if not len(item):
        return Estimate.undefined("no item has both answers", confidence=case.confidence, n_items=0)
    said = [human[both], machine[both]]
    mirror: Mapping[Any, Any] = {}
    if is_by_pair(sheet):
        mirror = sheet.question.turned(reading)
        said = [choices(sheet, reading, item, codes, labels) for codes in said]
        labels = tuple(mirror)
    seen = np.unique(np.concatenate(said)) if not mirror else np.arange(len(labels))
    codes = np.stack([np.searchsorted(seen, one) for one in said], axis=1).astype(float)
    read = named(codes, tuple(labels[code] for code in seen), True, clusters, mirror)
    return computed(statistics.cohen_kappa, read, confidence=case.confidence)


def _who_is_right(case: Case, judge: str) -> Iterator[Finding]:
    human, machine, both = right_and_wrong(case, judge)
    h, m = human[both], machine[both]
    rows = f"{SUMMARY}: majority_correct and {judge}_correct"
    for name, (first, second) in CLASSES.items():
        cell = (human == first) & (machine == second)
        slug = name.replace(", ", "_").replace(" ", "_")
        yield case.finding(
            f"judge.{judge}.class.{slug}", case.share(cell, both), statistic="error class", label=name.capitalize(),
            unit="%", group="classes", judge=judge, what=name, counted=(int(cell[both].sum()), int(both.sum())),
            rows=rows,
        )  # fmt: skip
    label = f"Majority accuracy minus {judge_name(judge)} accuracy"
    groups = case.sheet.item_clusters
    test = "mcnemar" if groups is None else "difference"
    if not len(h):
        gap = Estimate.undefined("no item has both answers", confidence=case.confidence, n_items=0)
    elif groups is None:
        gap = computed(statistics.mcnemar, h, m, confidence=case.confidence)
    else:
        who = np.repeat(["a majority", "b judge"], len(h))
        gap = computed(
            statistics.difference, np.concatenate([h, m]).astype(float), who,
            clusters=np.tile(groups[both], 2), confidence=case.confidence,
        )  # fmt: skip
    yield case.finding(
        f"judge.{judge}.difference", gap, statistic=test, label=label, unit="points", group="comparison more",
        rows=rows, judge=judge,
    )  # fmt: skip


def right_and_wrong(case: Case, judge: str) -> tuple[Bools, Bools, Bools]:
    """Verdict and judge as right or wrong, and which items have both."""
    rows = case.sheet.machines
    its = rows.who == (case.sheet.judges.index(judge) if judge in case.sheet.judges else -1)
    machine, answered = np.zeros(case.sheet.n_items, bool), np.zeros(case.sheet.n_items, bool)
    machine[rows.item[its]] = case.sheet.right("machines")[its]
    answered[rows.item[its]] = True
    return case.verdicts.right(), machine, case.verdicts.known & answered


def _labels(case: Case, judge: str, reading: str) -> Finding:
    """How often the majority's answer and the judge's are the same answer, right or wrong."""
    ours = tally(case.sheet.reading(reading), case.sheet.n_items).decided(case.rule)
    given: Reading = case.sheet.of_judge(judge, reading)
    theirs = np.full(case.sheet.n_items, -1)
    theirs[given.item] = given.code
    both = (ours >= 0) & (theirs >= 0)
    none = int(case.sheet.n_items - both.sum())
    if reading == "responses":
        share = case.share(ours == theirs, both)
        note = "" if both.any() else "no item has both an answer that most raters gave and one of the judge"
        share = replace(share, note=note, left_out={"no answer that most raters gave": none} if none else {})
        return case.finding(
            f"judge.{judge}.label_agreement", share, statistic="label agreement", judge=judge, reading=reading,
            label="Label agreement (the same answer)", unit="%", group="comparison more",
            counted=(int((ours == theirs)[both].sum()), int(both.sum())),
            rows=f"{RAW} and {JUDGED}: {case.target_column} where is_correct, else response_normalized",
        )  # fmt: skip
    kappa = _kappa(case, ours, theirs, both, case.sheet.reading(reading).labels, reading)
    kappa = replace(kappa, left_out={"no majority or no answer": none} if none else {})
    return case.finding(
        f"judge.{judge}.cohen_kappa.{reading}", kappa,
        statistic="cohen kappa", band=band(kappa, case), group="comparison more",
        label=f"Cohen’s κ on {ON.get(reading, reading)} (human majority vs {judge_name(judge)})",
        judge=judge, reading=reading, **read_as(case.sheet, f"{RAW} and {JUDGED}: {reading}"),
    )  # fmt: skip


def compare(case: Case) -> Comparison:
    """The 2 × 2 with its examples."""
    judge, sheet = compared_judge(case), case.sheet
    human, machine, both = right_and_wrong(case, judge)
    cells: dict[tuple[bool, bool], list[Item]] = {}
    for cell in CELLS:
        places = np.flatnonzero((human == cell[0]) & (machine == cell[1]) & both)
        cells[cell] = [sheet.items[place] for place in places]
    examples = tuple(_example(sheet, judge, cell, items, case.protocol.seed) for cell, items in cells.items())
    counts = {cell: len(items) for cell, items in cells.items()}
    return Comparison(sheet.section, sheet.id, judge, counts, examples, paired(case, judge)[3])


def confusion(case: Case) -> Iterator[Listing]:
    """The verdicts against the judge's answers, category by category."""
    judge = compared_judge(case)
    human, machine, both, _ = paired(case, judge)
    labels = case.verdicts.labels
    if case.verdicts.reading == "correctness" or not both.any() or len(labels) > 12:
        return
    q = len(labels)
    counts = np.bincount(human[both] * q + machine[both], minlength=q * q).reshape(q, q).tolist()
    rows = tuple((str(label), *row) for label, row in zip(labels, counts, strict=True))
    name, n = judge_name(judge), int(both.sum())
    same = sum(counts[k][k] for k in range(q))
    yield Listing(
        f"{case.sheet.section}.{case.sheet.id}.judge.{judge}.confusion", "confusion", case.sheet.section,
        case.sheet.id, f"Human majority against {name}",
        f"What the human majority says (rows) against {name} (columns): the same on {same} of {n} items.",
        ("Human majority", *map(str, labels)), rows, "matrix",
    )  # fmt: skip


def _example(sheet: Sheet, judge: str, cell: tuple[bool, bool], items: list[Item], seed: int) -> Example:
    if not items:
        return Example(*cell, None)
    item = order(items, seed, "example", sheet.section, sheet.id, *cell, key=lambda item: item.id)[0]
    people = tuple(given(sheet, answer) for answer in sheet.people.answers if answer.item == item.id)
    machine = next(answer for answer in sheet.machines.answers if answer.item == item.id and answer.rater == judge)
    return Example(*cell, item.id, sheet.question.right_answer(item), people, given(sheet, machine), len(items))


def given(sheet: Sheet, answer: Answer) -> Given:
    """One answer as it was typed, or in the words of the page where it was clicked; and whether it is right."""
    item = next(item for item in sheet.items if item.id == answer.item)
    if sheet.question.compares():
        # On the page a system is a letter that means another one to each rater.
        words = str(answer.value)
    else:
        words = sheet.question.describe(answer.value, answer.shown.to(sheet.id), item) or str(answer.raw)
    is_right = sheet.question.score(answer.value, item, decisions_of(sheet)) if sheet.question.is_scored() else None
    return Given(answer.rater, words, is_right)


def decisions_of(sheet: Sheet) -> Any:
    """What the team decided about this question's borderline answers."""
    from quorate.sheets.decisions import decide

    return decide(sheet.votes, sheet.section, sheet.id)
