"""What is computed: verdicts, agreement, accuracy, comparisons. It has a hash of its own."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import Field, field_validator

from quorate.parts import Part
from quorate.protocol.entries import Name


class Majority(Part):
    """So many equal answers of so many decide."""

    shorthand = "of"
    of: str

    @field_validator("of")
    @classmethod
    def _is_a_share(cls, given: str) -> str:
        match = re.fullmatch(r"(\d+) of (\d+)", given.strip())
        if not match or not 0 < int(match[1]) <= int(match[2]) < 2 * int(match[1]):
            raise ValueError("should be like '2 of 3': more than half.")
        return given

    @property
    def needed(self) -> int:
        """How many equal answers decide."""
        return int(self.of.split(" of ")[0])

    @property
    def out_of(self) -> int:
        """Of how many."""
        return int(self.of.split(" of ")[1])


class VerdictRule(Part):
    """How the answers to one question about one item become one."""

    majority: Majority = Majority(of="2 of 3")


class Compare(Part):
    """Which judge is held against people."""

    judge: Name


class Metrics(Part):
    """Automatic metrics from a second table, joined on a field; correlation is at the level where the metric lives."""

    from_: str = Field(alias="from")
    on: str
    columns: Annotated[tuple[str, ...], Field(min_length=1)]


class Analysis(Part):
    """What is computed; it may change after the first consent, under a hash of its own."""

    verdict: VerdictRule = VerdictRule()
    agreement: tuple[Literal["fleiss kappa", "cohen kappa"], ...] = ("fleiss kappa", "cohen kappa")
    accuracy: tuple[Literal["individual", "majority", "unanimous"], ...] = ("individual", "majority", "unanimous")
    compare: Compare | None = None
    #: Fields of the items by which results are broken down.
    by: str | tuple[str, ...] = ()
    metrics: Metrics | None = None
    #: Questions from the most to the least important, for a finding of consistency; it never changes a vote.
    priority: tuple[Name, ...] = ()
    #: Above this share of ambiguous items a stratum is to be reassessed.
    ambiguity_alarm: Annotated[float, Field(gt=0, lt=1)] = 0.15
    #: Landis and Koch closed their bands at two decimals; some protocols write them half-open.
    bands: Literal["published", "half-open"] = "published"
    confidence: Annotated[float, Field(gt=0.5, lt=1)] = 0.95
