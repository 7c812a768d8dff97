"""People's majority against a judge: agreement, the 2 × 2, and an example of each cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from quorate import statistics
from quorate.analyse.accuracy import judge_name
from quorate.analyse.agreement import CORRECTNESS, band
from quorate.analyse.inquiry import JUDGED, RAW, SUMMARY, Case, computed
from quorate.analyse.results import CLASSES, Comparison, Example, Finding, Given
from quorate.analyse.sheets import Sheet
from quorate.analyse.verdicts import majority
from quorate.chance import order
from quorate.records import Item

CELLS = tuple(CLASSES.values())


def against_judge(case: Case) -> Iterator[Finding]:
    """Agreement rate and Cohen's κ of majority and judge, the error classes, and who is right more often."""
    assert case.analysis.compare is not None
    judge = case.analysis.compare.judge
    name = judge_name(judge)
    human, machine, left_out = paired(case, judge)
    at, words = f"judge.{judge}", {"group": "comparison", "rows": f"{SUMMARY}: majority_correct and {judge}_correct"}
    same = sum(h == m for h, m in zip(human, machine, strict=True))
    rate = replace(statistics.wilson(same, len(human), confidence=case.confidence), left_out=left_out)
    rate = (
        rate if rate.value is not None else replace(rate, note=f"no item has both a majority and an answer of {name}")
    )
    yield case.finding(
        f"{at}.agreement_rate", rate, statistic="agreement rate", label="Agreement rate", unit="%", primary=True,
        counted=(same, len(human)), group="comparison", rows=f"{SUMMARY}: human_{judge}_agree",
    )  # fmt: skip
    kappa = computed(statistics.cohen_kappa, human, machine, categories=CORRECTNESS, confidence=case.confidence)
    yield case.finding(
        f"{at}.cohen_kappa", replace(kappa, left_out=left_out), statistic="cohen kappa",
        label=f"Cohen’s κ (human majority vs {name})", band=band(kappa, case), **words,
    )  # fmt: skip
    yield _labels(case, judge, at)
    yield from _classes(case, human, machine, at, words["rows"])
    gap = computed(statistics.mcnemar, human, machine, confidence=case.confidence)
    yield case.finding(
        f"{at}.difference", gap, statistic="mcnemar", label=f"Majority accuracy minus {name} accuracy", unit="points",
        group="comparison more", rows=words["rows"],
    )  # fmt: skip


def _classes(case: Case, human: list[bool], machine: list[bool], at: str, rows: str) -> Iterator[Finding]:
    cells = Counter(zip(human, machine, strict=True))
    for name, cell in CLASSES.items():
        share = statistics.wilson(cells[cell], len(human), confidence=case.confidence)
        slug = name.replace(", ", "_").replace(" ", "_")
        yield case.finding(
            f"{at}.class.{slug}", share, statistic="error class", label=name.capitalize(), unit="%",
            group="classes", counted=(cells[cell], len(human)), rows=rows,
        )  # fmt: skip


def _labels(case: Case, judge: str, at: str) -> Finding:
    """How often the majority's answer and the judge's are the same answer, right or wrong."""
    sheet, same, n, none = case.sheet, 0, 0, 0
    for item in sheet.items:
        theirs = sheet.category(item, judge)
        given = [sheet.category(item, rater) for rater in sheet.raters if (item.id, rater) in sheet.answers]
        ours = majority(given, case.rule)
        if theirs is None or ours is None:
            none += 1
            continue
        n, same = n + 1, same + (ours == theirs)
    share = statistics.wilson(same, n, confidence=case.confidence)
    note = "" if n else "no item has both an answer that most raters gave and one of the judge"
    share = replace(share, note=note, left_out={"no answer that most raters gave": none} if none else {})
    return case.finding(
        f"{at}.label_agreement", share, statistic="label agreement", label="Label agreement (the same answer)",
        unit="%", group="comparison more", counted=(same, n),
        rows=f"{RAW} and {JUDGED}: {case.target_column} where is_correct, else response_normalized",
    )  # fmt: skip


def paired(case: Case, judge: str) -> tuple[list[bool], list[bool], Mapping[str, int]]:
    """Majority and judge as right or wrong, over the items that have both; and what was left out, why."""
    human, machine, left_out = [], [], Counter[str]()
    for verdict in case.verdicts:
        judged = case.sheet.correct.get((verdict.item, judge))
        if verdict.value is None:
            left_out["no majority" if verdict.n else "no answer of a rater"] += 1
        elif judged is None:
            left_out["no answer of the judge"] += 1
        else:
            human.append(verdict.value)
            machine.append(judged)
    return human, machine, dict(left_out)


def compare(case: Case, seed: int) -> Comparison:
    """The 2 × 2 with its examples."""
    assert case.analysis.compare is not None
    judge, sheet = case.analysis.compare.judge, case.sheet
    cells: dict[tuple[bool, bool], list[Item]] = {cell: [] for cell in CELLS}
    for item, verdict in zip(sheet.items, case.verdicts, strict=True):
        judged = sheet.correct.get((item.id, judge))
        if verdict.value is not None and judged is not None:
            cells[verdict.value, judged].append(item)
    examples = tuple(_example(sheet, judge, cell, items, seed) for cell, items in cells.items())
    counts = {cell: len(items) for cell, items in cells.items()}
    return Comparison(sheet.section, sheet.id, judge, counts, examples, paired(case, judge)[2])


def _example(sheet: Sheet, judge: str, cell: tuple[bool, bool], items: list[Item], seed: int) -> Example:
    if not items:
        return Example(*cell, None)
    item = order(items, seed, "example", sheet.section, sheet.id, *cell, key=lambda item: item.id)[0]
    people = tuple(given(sheet, item, rater) for rater in sheet.raters if (item.id, rater) in sheet.answers)
    return Example(*cell, item.id, sheet.question.right_answer(item), people, given(sheet, item, judge), len(items))


def given(sheet: Sheet, item: Item, who: str) -> Given:
    """One answer as it was typed, and whether it is right."""
    answer = sheet.answers.get((item.id, who)) or sheet.judged[item.id, who]
    return Given(who, str(answer.raw), sheet.correct.get((item.id, who)))
