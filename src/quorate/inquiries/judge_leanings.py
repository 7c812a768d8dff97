"""Where each judge of a study leans, as findings: to the order shown, to longer texts, to its own kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from quorate.findings.names import judge_name
from quorate.findings.results import Finding
from quorate.inquiries.leanings import length_lean, order_effect, self_preference, stability
from quorate.judges import SWAPPED
from quorate.media import PairBase
from quorate.records import Estimate, Item, Shown
from quorate.sheets.case import JUDGED, RAW, Case

CALLS = "rows/calls.jsonl of the bundle"
Winners = Mapping[str, str | None]
"""The system that won each item; None where it is a tie."""


def is_judged(case: Case) -> bool:
    """A judge answered the question."""
    return bool(case.sheet.judges)


def judge_leanings(case: Case) -> Iterator[Finding]:
    """Every lean that the study's rows let one measure, judge by judge."""
    for judge in case.sheet.judges:
        yield from _order(case, judge)
        yield from _stability(case, judge)
        if case.sheet.question.compares():
            yield from _length(case, judge)
            yield from _own_kind(case, judge)


def _finding(case: Case, judge: str, name: str, estimate: Estimate, words: str, rows: str, unit: str = "%") -> Finding:
    return case.finding(
        f"leaning.{judge}.{name}", estimate, statistic=f"leaning: {name.replace('_', ' ')}", group="leanings",
        judge=judge, what=name,
        label=f"{judge_name(judge)}: {words}", unit=unit, rows=rows,
    )  # fmt: skip


def _order(case: Case, judge: str) -> Iterator[Finding]:
    id, question = case.sheet.id, case.sheet.question
    items = {item.id for item in case.sheet.items}
    mirrored = {r.item: r for r in case.sheet.repeated if r.judge == judge and r.purpose == SWAPPED and r.item in items}
    record = {answer.item: answer for answer in case.sheet.recorded if answer.rater == judge}
    asked = [item for item in mirrored if item in record and stood_first(id, record[item].shown) is not None]
    if not asked:
        return

    def said(value: Any, shown: Shown) -> Any:
        return winner(question.compared(value, shown)) if question.compares() else value

    effect = order_effect(
        {item: said(record[item].value, record[item].shown) for item in asked},
        {item: said(mirrored[item].said[id], mirrored[item].shown) for item in asked},
        {item: stood_first(id, record[item].shown) for item in asked},
        case.confidence,
    )
    yield _finding(case, judge, "consistent", effect.consistent, "the same answer in the mirrored order", CALLS)
    words = "where the order changes it, takes what stands first"
    yield _finding(case, judge, "first", effect.first, words, CALLS)


def stood_first(question: str, shown: Shown) -> str | None:
    """What stood first: the left system, or the first option; None where there is no order."""
    if shown.sides:
        return next(iter(shown.sides.values()))
    return next(iter(shown.options.get(question, ())), None)


def winner(found: tuple[str, str, int] | None) -> str | None:
    """The system that won; None where there is none, or a tie."""
    if found is None or found[2] == 0:
        return None
    return found[0] if found[2] > 0 else found[1]


def _stability(case: Case, judge: str) -> Iterator[Finding]:
    samples: dict[str, list[Any]] = {}
    items = {item.id for item in case.sheet.items}
    for one in case.sheet.repeated:
        if one.judge == judge and one.purpose.startswith("sample") and one.item in items:
            samples.setdefault(one.item, []).append(one.said[case.sheet.id])
    for answer in case.sheet.recorded:
        if answer.rater == judge and answer.item in samples:
            samples[answer.item].append(answer.value)
    if samples:
        found = stability({item: [repr(value) for value in said] for item, said in samples.items()}, case.confidence)
        yield _finding(case, judge, "stability", found, "two samples of one item say the same", CALLS)


def _length(case: Case, judge: str) -> Iterator[Finding]:
    lengths = {item.id: both for item in case.sheet.items if (both := text_lengths(case, item))}
    if not lengths:
        return
    sides = (
        ("length", _of_judge(case, judge), "takes the longer text"),
        ("length_people", of_people(case), "takes the longer text (people, beside it)"),
    )
    for name, won, words in sides:
        known = [item for item in won if item in lengths and won[item] is not None]
        found = length_lean([won[item] for item in known], [lengths[item] for item in known], case.confidence)
        yield _finding(case, judge, name, found, words, f"{RAW} and {JUDGED}: response_normalized")


def text_lengths(case: Case, item: Item) -> tuple[str, int, str, int] | None:
    """The two systems of an item with the lengths of their texts; None where outputs are files, or there is no pair."""
    for show in case.protocol.section(case.sheet.section).show:
        part = show.part
        if part.n_sides == 2 and isinstance(part, PairBase) and part.applies(item) and not part.paths(item):
            (one, first), (other, second) = part.fields_by_system(item).items()
            return one, len(str(item.fields.get(first) or "")), other, len(str(item.fields.get(second) or ""))
    return None


def _own_kind(case: Case, judge: str) -> Iterator[Finding]:
    entry = case.protocol.file.judges.get(judge)
    own = entry.judge.own if entry is not None else None
    if not own:
        return
    machine, people = _of_judge(case, judge), of_people(case)
    both = [item for item in machine if item in people]
    found = self_preference([machine[i] for i in both], [people[i] for i in both], own, case.confidence)
    words = f"takes {own}, its own kind, more often than people do"
    yield _finding(case, judge, "own_kind", found, words, f"{RAW} and {JUDGED}: response_normalized", "points")


def _of_judge(case: Case, judge: str) -> Winners:
    question = case.sheet.question
    return {
        answer.item: winner(question.compared(answer.value, answer.shown))
        for answer in case.sheet.machines.answers
        if answer.rater == judge
    }


def of_people(case: Case) -> Winners:
    """The system that most people prefer, by item; None where it is a tie or as many prefer the other."""
    votes: dict[str, Counter[str | None]] = {}
    for answer in case.sheet.people.answers:
        won = winner(case.sheet.question.compared(answer.value, answer.shown))
        votes.setdefault(answer.item, Counter())[won] += 1
    return {item: _most(count) for item, count in votes.items()}


def _most(count: Counter[str | None]) -> str | None:
    ranked = count.most_common(2)
    return None if len(ranked) == 2 and ranked[0][1] == ranked[1][1] else ranked[0][0]
