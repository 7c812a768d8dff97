"""Answers → verdicts → estimates: everything that the report prints, computed once. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from quorate.analyse.accuracy import accuracy, judges_accuracy
from quorate.analyse.agreement import on_correctness, on_responses, on_scale
from quorate.analyse.changes import changes
from quorate.analyse.comparison import against_judge, compare
from quorate.analyse.decisions import borderline
from quorate.analyse.flow import annotators, flow
from quorate.analyse.inquiry import Case, Inquiry
from quorate.analyse.limits import limits
from quorate.analyse.results import Finding, Results
from quorate.analyse.sheets import EXCLUDED, Sheet, sheets
from quorate.protocol import Protocol
from quorate.protocol.study_file import Analysis
from quorate.records import Collected, Level

CATEGORIES = (Level.NOMINAL, Level.ORDINAL)
SCALES = (Level.ORDINAL, Level.INTERVAL, Level.RATIO)


def _scored(sheet: Sheet, analysis: Analysis) -> bool:
    return sheet.question.is_scored()


def _comparable(sheet: Sheet, analysis: Analysis) -> bool:
    """Two answers can be the same answer: categories, or texts that have a right form."""
    return sheet.question.is_scored() or sheet.question.level in CATEGORIES


def _ordered(sheet: Sheet, analysis: Analysis) -> bool:
    return sheet.question.level in SCALES


def _judged(sheet: Sheet, analysis: Analysis) -> bool:
    return sheet.question.is_scored() and analysis.compare is not None


#: What is computed, in the order of the report; each row fits every question that has what it needs.
INQUIRIES: tuple[Inquiry, ...] = (
    Inquiry("agreement on correctness", _scored, on_correctness),
    Inquiry("agreement on a scale", _ordered, on_scale),
    Inquiry("agreement on responses", _comparable, on_responses),
    Inquiry("accuracy", _scored, accuracy),
    Inquiry("judges' accuracy", _scored, judges_accuracy),
    Inquiry("people against a judge", _judged, against_judge),
)


def analyse(protocol: Protocol, collected: Collected) -> Results:
    """The study's results: the same rows give the same results, whoever computes them and in whatever order."""
    found = _results(protocol, collected)
    if not collected.votes:
        return found
    undecided = _results(protocol, replace(collected, votes=()))
    return replace(found, changes=changes(protocol, collected, undecided.findings, found.findings))


def _results(protocol: Protocol, collected: Collected) -> Results:
    filled = list(sheets(protocol, collected))
    cases = [Case(sheet, protocol.analysis, protocol.raters.per_item) for sheet in filled]
    findings = tuple(_findings(cases))
    found = Results(
        findings=findings,
        verdicts=tuple(
            verdict for case in cases if _comparable(case.sheet, case.analysis) for verdict in case.verdicts
        ),
        comparisons=tuple(compare(case, protocol.seed) for case in cases if _judged(case.sheet, case.analysis)),
        annotators=annotators(protocol, collected, filled),
        flow=flow(protocol, collected, filled),
        borderline=borderline(protocol, collected),
        with_excluded=_before_exclusions(protocol, collected),
        simulated=collected.simulated,
    )
    return replace(found, notes=limits(protocol, found))


def _findings(cases: Sequence[Case]) -> Iterator[Finding]:
    for case in cases:
        for inquiry in INQUIRIES:
            if inquiry.fits(case.sheet, case.analysis):
                yield from inquiry.find(case)


def _before_exclusions(protocol: Protocol, collected: Collected) -> tuple[Finding, ...]:
    if not any(person.status == EXCLUDED for person in collected.participants):
        return ()
    kept = sheets(protocol, collected, keep=(EXCLUDED,))
    return tuple(_findings([Case(sheet, protocol.analysis, protocol.raters.per_item) for sheet in kept]))
