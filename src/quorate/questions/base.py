"""What a question promises: all that the rest of the code knows of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Self

from quorate.languages import Words, noted, say
from quorate.messages import Text
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

    def describe(self, value: Any, shown: Shown, item: Item | None = None, language: str = "en") -> str:
        """The value in the words of the page that a rater saw, by side, never by system; "" where the raw says it.

        The study's own words come in this language; the interface's ("Tie", "Yes") in English, for the catalogue.
        """
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

    def longest(self) -> int:
        """How many characters a rater may type; 0 where answers are clicked."""
        return 0

    def right_answer(self, item: Item) -> str:
        """The right answer in words: `score` depends on the item through it alone."""
        return ""

    def target_field(self) -> str:
        """The field of an item that holds the right answer; empty where there is none."""
        return ""

    def canonical_form(self, text: str) -> str:
        """A text in the form in which it is compared."""
        return text

    def canonical_steps(self) -> tuple[Text, ...]:
        """What brings a text into that form, in words."""
        return ()

    def has_variants(self) -> bool:
        """Whether other words than the target's own are listed as right."""
        return False

    def is_near_miss(self, value: Any, item: Item) -> bool:
        """Whether the answer is close enough to the target, without matching it, for the team to look at it."""
        return bool(self.close_by(value, item))

    def close_by(self, value: Any, item: Item) -> str:
        """What brings an answer close to the target that it does not match: "letters", "meaning", or nothing."""
        return ""

    def cannot_tell_words(self) -> str:
        """What a rater answers who recognises nothing; empty where that is not offered."""
        return ""

    def readings(self) -> tuple[str, ...]:
        """The ways in which two answers can be the same answer, the primary one first; none where they cannot be."""
        return ("responses",) if self.level in (Level.NOMINAL, Level.ORDINAL) else ()

    def verdict_on(self) -> str:
        """The reading on which answers become one verdict; empty where they do not."""
        return next(iter(self.readings()), "")

    def category(self, reading: str, value: Any, item: Item | None = None) -> Any:
        """The answer as a category of a reading; `item` is given where the reading depends on it."""
        return value

    def depends_on_item(self, reading: str) -> bool:
        """Whether the same value may be different categories for different items."""
        return False

    def declared(self, reading: str) -> tuple[Any, ...]:
        """Every category of a reading that could be given, in order; none where they cannot be listed."""
        return ()

    def scale(self) -> tuple[Any, ...]:
        """The points from worst to best; none where answers have no such order."""
        return ()

    def as_number(self, value: Any) -> float | None:
        """The value as a number of which a mean can be taken; None where it is none."""
        return None

    def ends(self) -> tuple[float, float]:
        """The lowest and the highest number that an answer can be; without bounds where there are none."""
        return float("-inf"), float("inf")

    def rates_each(self) -> bool:
        """Whether an answer holds a number for each system of a pair."""
        return False

    def marks(self, value: Any) -> Mapping[str, float]:
        """Numbers given to each system of a pair; none where the question does not ask for them."""
        return {}

    def compares(self) -> bool:
        """Whether an answer says which of two systems is better."""
        return False

    def compared(self, value: Any, shown: Shown) -> tuple[str, str, int] | None:
        """Two systems and the sign of the first against the second: 1 better, 0 the same, −1 worse."""
        return None

    def means_alike(self, pairs: Collection[tuple[str, str]]) -> bool:
        """Whether a category means the same in each of these pairs of systems; pairs are in the order of the names."""
        return True

    def turned(self, reading: str) -> Mapping[Any, Any]:
        """The choices within a pair, in order: each with what it is called when the two systems change places."""
        return {}

    def choice(self, category: Any, pair: tuple[str, str]) -> Any:
        """A category as a choice within the pair."""
        return category

    def tie_value(self) -> Any:
        """The answer that says that two systems are equally good; None where it cannot be given."""
        return None

    def tagged(self, value: Any) -> Sequence[tuple[str, bool, str]]:
        """The tags of an answer: each with whether it is a main one, and the system that it describes."""
        return ()

    def whose_loser(self) -> str:
        """The question whose loser an answer describes unless it says otherwise; nothing where there is none."""
        return ""

    def option_ids(self, item: Item | None = None) -> tuple[str, ...]:
        """The options whose order is drawn for each slot, in the order in which they are written; none by default."""
        return ()

    def option_words(self, shown: Shown, item: Item | None = None) -> tuple[tuple[str, ...], ...]:
        """The options as they stand on the page, each as it reads in every language; none by default."""
        return ()

    def same_options(self, read: Callable[[str], str], item: Item | None = None) -> tuple[str, str] | None:
        """Two options that are one and the same when they are read in this way; None where all of them differ."""
        return None

    def built_of(self) -> tuple[Text, ...]:
        """What the options of each item are built of, in words; none where they are the same for every item."""
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

    def shown_fields(self) -> tuple[str, ...]:
        """The fields of an item that decide what the question's own part of the page shows."""
        blind = self.blind_fields()
        return tuple(field for field in self.fields() if field not in blind)

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
