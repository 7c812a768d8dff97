"""What agreement on a question is told by: one coefficient, the study's own or that of the question's level."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from quorate.findings.results import Finding
from quorate.messages import Message, Text, Word
from quorate.protocol.coefficients import fits, knows_order, level_of
from quorate.records import Estimate, Level
from quorate.sheets.case import Case, computed
from quorate.statistics import Statistic, statistic
from quorate.statistics.table import TWO_RATERS

ALPHA, FLEISS = "krippendorff alpha", "fleiss kappa"
#: With more raters than this a table of pairs is no longer read; the coefficients of all raters remain.
MOST_PAIRED = 12


@dataclass(frozen=True, slots=True)
class Basis:
    """The coefficient that agreement is told by, the same for people and for judges; `level` is that of α."""

    row: Statistic
    level: str = ""

    @property
    def name(self) -> Text:
        """What it is called."""
        if not self.level:
            return self.row.title
        return Message("Krippendorff’s α ({level})", level=Word(self.level))

    @property
    def is_of_two(self) -> bool:
        """Whether it is of two raters, so that more of them have one for each pair."""
        return self.row.shape == TWO_RATERS

    def of(self, ratings: Any, confidence: float, **options: Any) -> Estimate:
        """It, of ratings or of scores; undefined, with the reason, where they do not give it."""
        own = {"level": self.level} if self.level else {}
        found: Estimate = computed(self.row, ratings, confidence=confidence, **own, **options)
        return found

    def is_that_of(self, finding: Finding) -> bool:
        """Whether a finding is this coefficient, of whatever people or judges."""
        return finding.statistic == self.row.found_as and finding.what in ("", self.level)


def basis(case: Case) -> Basis | None:
    """What agreement on the case's question is told by; None where two answers cannot agree.

    It is the study's `primary` where that fits, else the first of the coefficients that the study lists and that fits;
    on an ordered scale one that knows the order. Where nothing is said it is Fleiss' κ of categories, else α.
    """
    question = case.sheet.question
    level = level_of(question)
    if not level:
        return None
    analysis, is_nominal = case.analysis, level == Level.NOMINAL.value
    listed = map(statistic, analysis.agreement if "agreement" in analysis.model_fields_set else ())
    candidates = [
        *([statistic(analysis.primary)] if analysis.primary else ()),
        *(row for row in listed if is_nominal or knows_order(row)),
        statistic(FLEISS if is_nominal else ALPHA),
    ]
    of_two_is_told = len(case.sheet.whole.raters) <= MOST_PAIRED
    row = next(row for row in candidates if fits(row, question) and (of_two_is_told or row.shape != TWO_RATERS))
    return Basis(row, level if row.name == ALPHA else "")


def asked(case: Case) -> tuple[str, ...]:
    """The coefficients that are computed of the case's question: what agreement is told by, then those listed."""
    own = basis(case)
    return tuple(dict.fromkeys((*((own.row.name,) if own else ()), *case.analysis.agreement)))
