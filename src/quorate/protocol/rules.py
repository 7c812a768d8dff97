"""What a protocol expects of one rater's answers to one item: scores made of several answers, and consistency rules."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, field_validator, model_validator

from quorate.conditions import condition
from quorate.languages import Words
from quorate.parts import Part
from quorate.protocol.entries import Name


class Score(Part):
    """A weighted mean of several answers, over those that apply; Yes and No count as stated."""

    id: Name
    weights: Annotated[dict[Name, Annotated[float, Field(gt=0)]], Field(min_length=1)]
    yes: float = 5
    no: float = 1


class Distance(Part):
    """Two of the answers or scores that lie further apart than this."""

    between: tuple[Name, Name]
    more_than: Annotated[float, Field(ge=0)]


class Rule(Part):
    """One thing that should hold; where it does not, that is a finding, never a change.

    `when` says where it applies, `expect` what should hold there; or `distance` says how far apart two numbers may be.
    """

    id: Name
    says: Words
    when: str | None = None
    unless: str | None = None
    expect: str | None = None
    distance: Distance | None = None
    #: Warns the rater before the answer is stored; the first answer is then kept and analysed, too.
    live: bool = False

    @field_validator("when", "unless", "expect")
    @classmethod
    def _is_a_condition(cls, given: str | None) -> str | None:
        if given is not None:
            condition(given)
        return given

    @model_validator(mode="after")
    def _expects_one_thing(self) -> Self:
        if (self.expect is None) == (self.distance is None):
            raise ValueError("a rule needs either `expect` or `distance`.")
        return self

    def names(self) -> frozenset[str]:
        """Everything that the rule speaks of."""
        texts = [text for text in (self.when, self.unless, self.expect) if text]
        named = {name for text in texts for name in condition(text).names}
        return frozenset(named | set(self.distance.between if self.distance else ()))
