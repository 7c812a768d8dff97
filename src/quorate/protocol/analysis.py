"""What is computed: verdicts, agreement, accuracy, comparisons. It has a hash of its own."""

from __future__ import annotations

import re
from typing import Annotated, Literal, Self

from pydantic import Field, field_validator, model_validator

from quorate.conditions import condition
from quorate.parts import Part
from quorate.protocol.coefficients import Coefficient
from quorate.protocol.entries import Name
from quorate.protocol.hypotheses import Hypothesis, one_level_a_family


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

    @classmethod
    def more_than_half(cls, n: int) -> Self:
        """More than half of so many.

        >>> [Majority.more_than_half(n).of for n in (1, 2, 3, 4, 5)]
        ['1 of 1', '2 of 2', '2 of 3', '3 of 4', '3 of 5']
        """
        return cls(of=f"{n // 2 + 1} of {n}")

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

    #: Where it is not said, more than half of the raters planned an item; with `escalate`, of those that it may have.
    majority: Majority = Majority.more_than_half(3)


class Compare(Part):
    """Which judge is held against people."""

    judge: Name
    #: What an error analysis lists as disagreement between people and the judge.
    disagreements: tuple[Literal["people alone right", "judge alone right", "both wrong"], ...] = (
        "people alone right",
        "judge alone right",
    )


class Metrics(Part):
    """Automatic metrics from a second table, joined on a field; correlation is at the level where the metric lives."""

    from_: str = Field(alias="from")
    on: str
    columns: Annotated[tuple[str, ...], Field(min_length=1)]


class Power(Part):
    """The sample size as the protocol states it; the check recomputes it."""

    test: Literal["two-sample t test", "paired t test", "sign test"]
    alpha: Annotated[float, Field(gt=0, lt=1)] = 0.05
    power: Annotated[float, Field(gt=0, lt=1)] = 0.80
    #: Cohen's d of a t test; the share of decided pairs that one side wins, of a sign test.
    effect: Annotated[float, Field(gt=0)]
    n: Annotated[int, Field(ge=2)]
    #: Whether n is of each group (or condition), or of all of them together.
    per: Literal["group", "study"] = "group"

    @model_validator(mode="after")
    def _effect_fits(self) -> Self:
        if self.test == "sign test" and not 0.5 < self.effect < 1:
            raise ValueError("the `effect` of a sign test is a share of decided pairs above 0.5 and below 1.")
        return self


class Cut(Part):
    """One step of a recipe that turns a number into a score: `{when: similarity >= 0.8, gives: 2}`."""

    when: str
    gives: int | str
    #: Where the protocol says so.
    says: str = ""

    @field_validator("when")
    @classmethod
    def _is_a_condition(cls, given: str) -> str:
        condition(given)
        return given


class Population(Part):
    """Of what intervals and tests speak: always of new items like these; of these raters, or of new ones as well."""

    items: Literal["new"] = "new"
    raters: Literal["these", "new"] = "these"


class Stated(Part):
    """What the protocol's document says of itself, so that the check can hold it against the study."""

    #: How many items the table is said to have.
    items: Annotated[int, Field(ge=1)] | None = None
    #: How the order of items is said to be drawn, as written there; Quorate draws its own, keyed order.
    order: str = ""
    #: How numbers are said to become scores, every statement of it.
    cuts: tuple[Cut, ...] = ()


class Analysis(Part):
    """What is computed; it may change after the first consent, under a hash of its own."""

    verdict: VerdictRule = VerdictRule()
    #: Any coefficients that fit a question; answers on an ordered scale get Krippendorff's α for their level, too.
    agreement: tuple[Coefficient, ...] = ("fleiss kappa", "cohen kappa")
    #: What agreement is told by, among people and with judges; without it the first of `agreement` that is listed and
    #: fits, on ordered scales one that knows the order, else Fleiss' κ of categories and Krippendorff's α.
    primary: Coefficient | None = None
    accuracy: tuple[Literal["individual", "majority", "unanimous"], ...] = ("individual", "majority", "unanimous")
    compare: Compare | None = None
    #: Fields of the items by which results are broken down.
    by: str | tuple[str, ...] = ()
    metrics: Metrics | None = None
    #: What a tie counts for in win rates: it stays in the denominator, is half a win for each, or is left out.
    ties: Literal["denominator", "half", "drop"] | None = None
    power: Power | None = None
    #: Of which items and raters intervals and tests speak.
    population: Population = Population()
    #: What is expected before there are data; an empty list says that nothing is, and that every test is exploratory.
    hypotheses: tuple[Hypothesis, ...] = ()
    #: How the p-values of a family of hypotheses are corrected; families of exploratory tests are by Holm's method.
    correction: Literal["holm", "hochberg", "benjamini hochberg", "benjamini yekutieli"] = "holm"
    #: What becomes of a judge's answer that changes when the order is mirrored (`swap: true`): it stays the answer of
    #: record, counts as a tie (where a tie can be given, else it is left out), or is left out.
    inconsistent: Literal["record", "tie", "leave out"] = "record"
    #: What a judge's lower cost is worth in the alternative annotator test: 0.2 beside experts, 0.1 beside a crowd.
    epsilon: Annotated[float, Field(ge=0, lt=1)] = 0.2
    stated: Stated | None = None
    #: Questions from the most to the least important, for a finding of consistency; it never changes a vote.
    priority: tuple[Name, ...] = ()
    #: Above this share of ambiguous items a stratum is to be reassessed.
    ambiguity_alarm: Annotated[float, Field(gt=0, lt=1)] = 0.15
    #: Landis and Koch closed their bands at two decimals; some protocols write them half-open.
    bands: Literal["published", "half-open"] = "published"
    confidence: Annotated[float, Field(gt=0.5, lt=1)] = 0.95

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields of the items by which results are broken down, each once."""
        given = (self.by,) if isinstance(self.by, str) else self.by
        return tuple(dict.fromkeys(name for name in given if name))

    @field_validator("hypotheses")
    @classmethod
    def _has_one_level_a_family(cls, given: tuple[Hypothesis, ...]) -> tuple[Hypothesis, ...]:
        wrong = one_level_a_family(given)
        if wrong:
            raise ValueError(wrong)
        return given
