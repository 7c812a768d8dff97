"""What a question promises: all that the rest of the code knows of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Self

from quorate.languages import Words, noted, say
from quorate.parts import Part
from quorate.records import Item, Level, Reason, Shown

Draw = Callable[..., float]
"""`draw(purpose)` → a number in [0, 1) that belongs to one rater and one item; see `chance.uniform`."""


@dataclass(frozen=True, slots=True)
class Given:
    """What `parse` made of a reply: a value, or the reason there is none; and the reply as it came."""

    value: Any
    reason: Reason | None = None
    raw: Any = None


@dataclass(frozen=True, slots=True)
class Decision:
    """What the team decided about one borderline answer; it holds alike for every rater and judge."""

    target: str
    canonical: str
    correct: bool


Decisions = Sequence[Decision]


class Question(Part):
    """One thing asked. Kinds are subclasses, one a file, with a row in the table of this folder."""

    prompt: Words = ""
    help: Words = ""
    #: Whether an answer has to be given; one that need not be and is not is kept as skipped.
    required: bool = True
    #: Offers "I cannot judge this": a reason, never an answer.
    cannot_judge: bool = False

    level: ClassVar[Level] = Level.NOMINAL
    template: ClassVar[str] = ""

    def read_form(self, form: Mapping[str, Sequence[str]]) -> Any:
        """The raw reply in a posted form: field names are relative to the question ("" is its main field)."""
        return form.get("", [""])[0]

    def is_blank(self, raw: Any) -> bool:
        """Whether the reply says nothing at all."""
        return raw is None or raw == "" or (isinstance(raw, str) and not raw.strip())

    def blank_sentence(self) -> str:
        """What a rater is told who left a required question open."""
        return noted("Please answer this question.")

    def parse(
        self, raw: Any, shown: Shown, item: Item | None = None, given: Mapping[str, Given] = MappingProxyType({})
    ) -> Given:
        """A value, or an AnswerError that says what to do; undoes sides and option order.

        `shown` is narrowed to this question; `given` holds what was answered to the questions before it.
        """
        raise NotImplementedError

    def accept(self, stored: Any, shown: Shown, item: Item | None = None) -> Given:
        """An answer that comes by identity (a recorded option id, a system's name), not from a page."""
        return self.parse(stored, shown, item)

    def describe(self, value: Any, shown: Shown, item: Item | None = None) -> str:
        """The value in the words of the page that a rater saw, by side, never by system; "" where the raw says it."""
        return ""

    def plain(self, value: Any) -> Any:
        """The value as conditions compare it: a text, a number or a list of texts."""
        return value

    def outcomes(self, shown: Shown, item: Item | None = None) -> dict[str, Any] | None:
        """What each reply that a page can send means to a condition; None where they cannot be counted."""
        return None

    def form_of(self, raw: Any, shown: Shown) -> dict[str, list[str]]:
        """The posted form that `read_form` reads as this raw reply."""
        return {"": [str(raw)]}

    def is_scored(self) -> bool:
        """Whether an answer can be right or wrong."""
        return False

    def score(self, value: Any, item: Item, decisions: Decisions = ()) -> bool | None:
        """Whether the value is right; None where the question has no right answer."""
        return None

    def right_answer(self, item: Item) -> str:
        """The right answer in words, for feedback after practice."""
        return ""

    def option_ids(self, item: Item | None = None) -> tuple[str, ...]:
        """The options whose order is drawn for each slot, in the order in which they are written; none by default."""
        return ()

    def is_drawn(self) -> bool:
        """Whether the order of the options is drawn for each slot."""
        return False

    def pinned(self) -> tuple[str, ...]:
        """Option ids that stay last, whatever is drawn."""
        return ()

    def blind_fields(self) -> tuple[str, ...]:
        """The fields of an item that this question must not show."""
        return ()

    def fields(self) -> tuple[str, ...]:
        """The fields of an item that this question reads."""
        return self.blind_fields()

    def concept_fields(self) -> tuple[str, ...]:
        """The fields whose values are what the question is about; quiz and practice must not give them away."""
        return ()

    def concept_tables(self) -> tuple[tuple[str, str], ...]:
        """Files and fields that hold further such concepts."""
        return ()

    def files(self) -> tuple[str, ...]:
        """The files that this question names."""
        return ()

    def with_files(self, contents: Mapping[str, bytes]) -> Self:
        """The question with what its files say in place of their names; a ValueError says what is wrong in them."""
        return self

    def as_prompt(self, item: Item, shown: Shown, language: str = "en") -> str:
        """The same words for a judge."""
        return say(self.prompt, language)

    def as_schema(self, item: Item, shown: Shown) -> dict[str, Any]:
        """The JSON Schema of a judge's reply."""
        raise NotImplementedError

    def simulate(self, item: Item, shown: Shown, accuracy: float, draw: Draw) -> Any:
        """A raw reply of a simulated rater who is right with this probability where there is a right answer."""
        raise NotImplementedError
