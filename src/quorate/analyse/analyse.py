"""Answers → verdicts → estimates: everything that the report prints, computed once. Pure."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from quorate.analyse.changes import changes
from quorate.analyse.exposure import exposures
from quorate.analyse.families import adjusted
from quorate.analyse.flow import annotators, exclusions, flow
from quorate.analyse.hypotheses import marked, tested
from quorate.analyse.limits import limits
from quorate.findings.results import Finding, Results
from quorate.inquiries.base import Inquiry, Told
from quorate.inquiries.derived import derived
from quorate.inquiries.error_analysis import compared
from quorate.inquiries.table import INQUIRIES
from quorate.protocol import Protocol
from quorate.records import Collected
from quorate.sheets.case import Case
from quorate.sheets.decisions import borderline
from quorate.sheets.sheet import EXCLUDED, Sheet, sheets
from quorate.sheets.verdicts import VerdictRows


def analyse(protocol: Protocol, collected: Collected) -> Results:
    """The study's results: the same rows give the same results, whoever computes them and in whatever order."""
    with without_collecting():
        return _analyse(protocol, collected)


@contextmanager
def without_collecting() -> Iterator[None]:
    """Holds the garbage collector: it would walk a million rows again and again, and none of them is garbage."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _analyse(protocol: Protocol, collected: Collected) -> Results:
    filled = tuple(sheets(protocol, collected))
    cases = make_cases(protocol, filled)
    found_first = [*find(cases), *_later_rounds(protocol, collected)]
    hypotheses = tested(protocol, collected.protocols, found_first)
    findings = adjusted(list(marked(found_first, hypotheses)))
    found = Results(
        findings=findings,
        verdicts=VerdictRows(tuple(case.verdicts for case in cases if case.sheet.question.verdict_on())),
        comparisons=tuple(one for case in cases for one in compared(case)),
        annotators=annotators(protocol, collected, filled),
        flow=flow(protocol, collected, filled),
        borderline=borderline(protocol, collected),
        with_excluded=_before_exclusions(protocol, collected),
        exclusions=exclusions(collected),
        simulated=collected.simulated,
        exposures=exposures(protocol, collected),
        listings=(
            *(one for case in cases for inquiry in INQUIRIES if inquiry.fits(case) for one in inquiry.listings(case)),
            *(one for inquiry in INQUIRIES for one in inquiry.recorded(protocol, collected)),
        ),
        hypotheses=hypotheses,
        versions=collected.protocols,
    )
    if collected.votes:
        undecided = make_cases(protocol, [replace(sheet, votes=()) for sheet in filled])
        found = replace(found, changes=changes(filled, list(find(undecided)), findings))
    told = Told(protocol, found)
    mine = [sentence for inquiry in INQUIRIES for sentence in inquiry.limits(told)]
    return replace(found, notes=(*limits(protocol, found), *mine))


def make_cases(protocol: Protocol, filled: Sequence[Sheet]) -> list[Case]:
    """A case for each question over the items that it is asked of, and for each score made of several answers."""
    held = {(sheet.section, sheet.id): sheet for sheet in filled}
    return [
        Case(sheet, protocol, held)
        if sheet.asked.all()
        else Case(sheet.only(sheet.asked), protocol, held, within=sheet.asked)
        for sheet in (*filled, *derived(protocol, held))
    ]


def find(cases: Sequence[Case]) -> Iterator[Finding]:
    """Every finding: question by question over all items, then in each stratum; then what a section amounts to."""
    for case in cases:
        yield from _found(case, INQUIRIES)
    for section in dict.fromkeys(case.sheet.section for case in cases):
        mine = [case for case in cases if case.sheet.section == section]
        for inquiry in INQUIRIES:
            yield from _of(inquiry, inquiry.whole([case for case in mine if inquiry.fits(case)]))


def _found(case: Case, inquiries: Iterable[Inquiry]) -> Iterator[Finding]:
    fitting = [inquiry for inquiry in inquiries if inquiry.fits(case)]
    for inquiry in fitting:
        yield from _of(inquiry, inquiry.find(case))
    for part in case.strata():
        for inquiry in fitting:
            yield from _of(inquiry, inquiry.each(part))


def _of(inquiry: Inquiry, found: Iterable[Finding]) -> Iterator[Finding]:
    return (replace(one, inquiry=inquiry.name, names_question=inquiry.names_questions) for one in found)


def _later_rounds(protocol: Protocol, collected: Collected) -> Iterator[Finding]:
    """What was found of items that other raters assessed again, of each round by itself."""
    told_again = [inquiry for inquiry in INQUIRIES if inquiry.in_later_rounds]
    for round in sorted({answer.round for answer in collected.answers if answer.round > 1}):
        for case in make_cases(protocol, list(sheets(protocol, collected, round=round))):
            rated = np.bincount(case.sheet.people.item, minlength=case.sheet.n_items) > 0
            if rated.any():
                yield from _found(case.part("", "", rated), told_again)


def _before_exclusions(protocol: Protocol, collected: Collected) -> tuple[Finding, ...]:
    if not any(person.status == EXCLUDED for person in collected.participants):
        return ()
    return adjusted(list(find(make_cases(protocol, list(sheets(protocol, collected, keep=(EXCLUDED,)))))))
