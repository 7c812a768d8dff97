"""The entries of a study file's lists: one thing shown, one thing asked, one judge, each named by its kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, field_validator

from quorate.conditions import condition
from quorate.judges import JUDGES, Judge
from quorate.media import MEDIA, Medium
from quorate.parts import Entry, one_of
from quorate.questions import QUESTIONS, Question

Name = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_]*$", max_length=60)]
Count = Annotated[int, Field(ge=1, le=1_000_000_000)]


class Shows(Entry[Medium]):
    """An entry of `show`: one medium."""


class Asks(Entry[Question]):
    """An entry of `ask`: one question with its id."""

    id: Name
    #: A condition on fields of the item and on answers before this one; what does not apply is stored as such.
    applies_when: str | None = None
    #: An optional question becomes required where this holds.
    required_when: str | None = None

    @field_validator("applies_when", "required_when")
    @classmethod
    def _is_a_condition(cls, given: str | None) -> str | None:
        if given is not None:
            condition(given)
        return given

    @property
    def question(self) -> Question:
        """The question itself."""
        return self.part

    def applies(self, values: Mapping[str, Any]) -> bool:
        """Whether the question is asked, given the item's fields and the answers so far."""
        return self.applies_when is None or condition(self.applies_when).holds(values)

    def item_fields(self) -> tuple[str, ...]:
        """Every field of the item on which it depends whether and how the question is asked."""
        texts = [text for text in (self.applies_when, self.required_when) if text]
        named = {name for text in texts for name in condition(text).names}
        return (*sorted(named), *self.question.shown_fields())

    def is_required(self, values: Mapping[str, Any]) -> bool:
        """Whether it has to be answered."""
        if self.required_when is not None:
            return condition(self.required_when).holds(values)
        return self.question.required


class AsksEligibility(Asks):
    """A question that decides who may take part: any answer but an accepted one ends the session with thanks."""

    accept: Annotated[tuple[str, ...], Field(min_length=1)]


class AsksJudge(Entry[Judge]):
    """An entry of `judges`: one machine that answers the same questions."""

    @property
    def judge(self) -> Judge:
        """The judge itself."""
        return self.part


if TYPE_CHECKING:
    Show = Shows
    Ask = Asks
    AskEligibility = AsksEligibility
    JudgeEntry = AsksJudge
else:
    Show = one_of("Show", Shows, MEDIA)
    Ask = one_of("Ask", Asks, QUESTIONS)
    AskEligibility = one_of("AskEligibility", AsksEligibility, QUESTIONS)
    JudgeEntry = one_of("JudgeEntry", AsksJudge, JUDGES)
