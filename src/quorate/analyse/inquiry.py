"""What one inquiry works with: a sheet, the study's rules, and a way to name what it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from quorate.analyse.results import Finding
from quorate.analyse.sheets import Sheet
from quorate.analyse.verdicts import verdicts
from quorate.errors import DataError
from quorate.protocol.study_file import Analysis, Majority
from quorate.records import Estimate, Verdict

RAW, SUMMARY, JUDGED = "annotations_raw.csv", "annotations_summary.csv", "judge_responses.csv"


@dataclass(frozen=True, slots=True)
class Inquiry:
    """One row of the table of inquiries: what it needs of a sheet, and what it finds there."""

    name: str
    fits: Callable[[Sheet, Analysis], bool]
    find: Callable[[Case], Iterable[Finding]]


@dataclass(frozen=True)
class Case:
    """One sheet with the rules of the study."""

    sheet: Sheet
    analysis: Analysis
    per_item: int

    @property
    def rule(self) -> Majority:
        """How answers become a verdict."""
        return self.analysis.verdict.majority

    @property
    def confidence(self) -> float:
        """Of every interval."""
        return self.analysis.confidence

    @property
    def target_column(self) -> str:
        """The column of the data files that holds the right answer."""
        return self.sheet.target_field or "response_normalized"

    @cached_property
    def verdicts(self) -> tuple[Verdict, ...]:
        """One an item, in the order of items."""
        return verdicts(self.sheet, self.rule)

    def finding(self, parts: str, estimate: Estimate, **rest: Any) -> Finding:
        """A finding of this sheet; its id begins with the section and the question."""
        id = f"{self.sheet.section}.{self.sheet.id}.{parts}"
        return Finding(id=id, section=self.sheet.section, question=self.sheet.id, estimate=estimate, **rest)


def computed(statistic: Callable[..., Estimate], *data: Any, confidence: float, **options: Any) -> Estimate:
    """The statistic of these data; data that it cannot use give an undefined estimate that says why."""
    try:
        return statistic(*data, confidence=confidence, **options)
    except DataError as error:
        return Estimate.undefined(str(error), confidence=confidence)


def pairs(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Every two of the names, in order.

    >>> list(pairs(["A1", "A2", "A3"]))
    [('A1', 'A2'), ('A1', 'A3'), ('A2', 'A3')]
    """
    listed = list(names)
    for place, first in enumerate(listed):
        for second in listed[place + 1 :]:
            yield first, second
