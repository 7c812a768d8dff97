"""What a protocol expects of one rater's answers to one item: scores made of several answers, and consistency rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic import Field, field_validator, model_validator

from quorate.conditions import condition
from quorate.languages import Words
from quorate.parts import Part
from quorate.protocol.entries import Name
from quorate.records import Item

if TYPE_CHECKING:
    from quorate.protocol.study_file import Section


class Score(Part):
    """A weighted mean of several answers, over those that apply; Yes and No count as stated."""

    id: Name
    weights: Annotated[dict[Name, Annotated[float, Field(gt=0)]], Field(min_length=1)]
    yes: float = 5
    no: float = 1

    @property
    def shared_id(self) -> str:
        """The id of the score over the parts that apply to every item: only those compare across kinds of items."""
        return f"{self.id}_shared"

    def of(self, values: Mapping[str, Any]) -> float | None:
        """The weighted mean over the answers that are there; None where there is none.

        >>> score = Score(id="weighted", weights={"correctness": 40, "reasoning": 30, "resists": 20})
        >>> score.of({"correctness": 4, "reasoning": 2, "resists": "Yes"}), score.of({"correctness": 4})
        (3.5555555555555554, 4.0)
        """
        found = [(weight, self._number(values.get(name))) for name, weight in self.weights.items()]
        counted = [(weight, number) for weight, number in found if number is not None]
        total = sum(weight for weight, _ in counted)
        return sum(weight * number for weight, number in counted) / total if counted else None

    def _number(self, value: Any) -> float | None:
        said = str(value).strip().lower() if isinstance(value, str | bool) else ""
        if said in ("yes", "true"):
            return self.yes
        if said in ("no", "false"):
            return self.no
        return _number(value)


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

    def is_broken(self, values: Mapping[str, Any]) -> bool:
        """Whether what should hold does not, given fields, answers and scores by name."""
        if not self.applies(values) or self.is_excepted(values):
            return False
        if self.expect is not None:
            return not condition(self.expect).holds(values)
        return self._is_far(values)

    def applies(self, values: Mapping[str, Any]) -> bool:
        """Whether the rule speaks of these values at all."""
        return self.when is None or condition(self.when).holds(values)

    def is_excepted(self, values: Mapping[str, Any]) -> bool:
        """Whether the rule's own exception holds."""
        return self.unless is not None and condition(self.unless).holds(values)

    def _is_far(self, values: Mapping[str, Any]) -> bool:
        if self.distance is None:
            return False
        one, other = (_number(values.get(name)) for name in self.distance.between)
        # Sums of weights are not exact in binary: 1.5 must not be "more than 1.5" by a rounding error.
        return one is not None and other is not None and abs(one - other) > self.distance.more_than + 1e-9


def known_values(section: Section, item: Item, answers: Mapping[str, Any]) -> dict[str, Any]:
    """The item's fields, the answers as conditions compare them, and the section's scores, by name."""
    plain = {ask.id: ask.question.plain(answers.get(ask.id)) for ask in section.ask}
    return {**item.fields, **plain, **scores(section, plain)}


def scores(section: Section, values: Mapping[str, Any]) -> dict[str, float | None]:
    """The section's weighted scores over the answers that are there; None where none of them is."""
    return {score.id: score.of(values) for score in section.scores}


def _number(value: Any) -> float | None:
    try:
        return None if value is None or isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        return None
