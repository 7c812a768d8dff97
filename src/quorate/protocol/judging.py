"""AI-assisted scoring with people in charge: which of a judge's scores people look at."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, field_validator, model_validator

from quorate.chance import uniform
from quorate.conditions import condition
from quorate.parts import Part
from quorate.protocol.entries import Name


class TriageRule(Part):
    """People look at what the rule names, at what the judge could not score, and at a random share of the rest.

    It is collection: raters are not given what the judge settles.
    """

    judge: Name | tuple[Name, ...]
    #: An item goes to people where this holds of any of the judge's answers: `score <= 1 or confidence < 0.7`.
    review: str
    #: The share of accepted items that people look at all the same; without it nothing about them can be known.
    audit: Annotated[float, Field(ge=0, le=1)]
    #: Allows an audit share of 0; the report then says that the accepted part was not verified.
    unverified: bool = False
    #: In which share of a rater's items the judge's score is shown: 0 never, 1 to verify it, between as an arm that
    #: measures anchoring.
    show_score: Annotated[float, Field(ge=0, le=1)] = 0

    @field_validator("review")
    @classmethod
    def _is_a_condition(cls, given: str) -> str:
        condition(given)
        return given

    @model_validator(mode="after")
    def _is_audited(self) -> Self:
        if self.audit == 0 and not self.unverified:
            raise ValueError(
                "an audit share of 0 leaves the judge's accepted scores unverified. State a share, such as "
                "`audit: 0.1`, or write `unverified: true`, and the report will say so."
            )
        return self

    def is_shown(self, seed: int, section: str, item: str, rater: str) -> bool:
        """Whether this rater is drawn to see the judge's score with this item: a keyed draw, the same everywhere."""
        return uniform(seed, "anchor", section, item, rater) < self.show_score

    @property
    def is_verifying(self) -> bool:
        """Whether everybody sees the judge's score, so that no answer is independent of it."""
        return self.show_score == 1

    @property
    def judges(self) -> tuple[str, ...]:
        """The judges whose scores are triaged."""
        return (self.judge,) if isinstance(self.judge, str) else self.judge
