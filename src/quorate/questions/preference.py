"""Which side is better? Shown by side, stored by the identity of the system."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Self

from pydantic import model_validator

from quorate.errors import AnswerError
from quorate.languages import Words, noted, say
from quorate.questions.base import Decisions, Draw, Given, Question
from quorate.records import Item, Level, Shown

TIE = "tie"
#: A choice within a pair whose systems differ by item: which of the two is the one does not matter.
ONE, OTHER = "one", "other"
#: What a verdict on a preference says of the system that the scale speaks of, by the sign of the value.
OUTCOMES = {1: "win", 0: "same", -1: "loss"}


class Winner(Question):
    """Left, right, or a tie where the study file allows one; the value is the name of the system."""

    tie: bool = True
    tie_label: Words = ""
    #: Stands beside the tie: when it may be chosen.
    tie_help: Words = ""
    #: The field that names the right system, where one of the two is right (which of them is X?). It stays here.
    target: str | None = None

    level: ClassVar[Level] = Level.NOMINAL
    template: ClassVar[str] = "questions/winner.html"

    def choices(self) -> tuple[str, ...]:
        """What can be chosen, as the page sends it."""
        return ("left", "right", TIE) if self.tie else ("left", "right")

    def parse(
        self, raw: Any, shown: Shown, item: Item | None = None, given: Mapping[str, Given] = MappingProxyType({})
    ) -> Given:
        choice = str(raw).strip().lower()
        if choice not in self.choices():
            raise AnswerError(self.blank_sentence())
        return Given(TIE if choice == TIE else shown.sides[choice], raw=raw)

    def outcomes(self, shown: Shown, item: Item | None = None) -> dict[str, Any] | None:
        return {choice: shown.sides.get(choice, choice) for choice in self.choices()}

    def accept(self, stored: Any, shown: Shown, item: Item | None = None) -> Given:
        if stored in shown.sides.values():
            return Given(stored, raw=stored)
        return self.parse(stored, shown, item)

    def describe(self, value: Any, shown: Shown, item: Item | None = None, language: str = "en") -> str:
        tie = say(self.tie_label, language) or "Tie"
        sides = {shown.sides.get("left"): "A", shown.sides.get("right"): "B", TIE: tie}
        return sides.get(value, "")

    def target_field(self) -> str:
        return self.target or ""

    def is_scored(self) -> bool:
        return self.target is not None

    def score(self, value: Any, item: Item, decisions: Decisions = ()) -> bool | None:
        return value == self.right_answer(item) if self.target else None

    def right_answer(self, item: Item) -> str:
        right = item[self.target] if self.target else None
        return "" if right is None else str(right)

    def blind_fields(self) -> tuple[str, ...]:
        return (self.target,) if self.target else ()

    def compares(self) -> bool:
        return True

    def compared(self, value: Any, shown: Shown) -> tuple[str, str, int] | None:
        if len(set(shown.sides.values())) != 2:
            return None
        first, second = sorted(shown.sides.values())
        return first, second, {first: 1, second: -1}.get(value, 0)

    def means_alike(self, pairs: Collection[tuple[str, str]]) -> bool:
        # An answer is a name, and that of a system that is in other items only says nothing of this one.
        return len(pairs) <= 1

    def turned(self, reading: str) -> dict[Any, Any]:
        return {ONE: OTHER, OTHER: ONE, **({TIE: TIE} if self.tie else {})}

    def choice(self, category: Any, pair: tuple[str, str]) -> Any:
        return {pair[0]: ONE, pair[1]: OTHER}.get(category, TIE)

    def tie_value(self) -> Any:
        return TIE if self.tie else None

    def blank_sentence(self) -> str:
        return noted("Please choose a side.") if not self.tie else noted("Please choose a side, or a tie.")

    def as_prompt(self, item: Item, shown: Shown, language: str = "en") -> str:
        return (
            f"{say(self.prompt, language)}\nAnswer one of: {', '.join(self.choices())}. {say(self.tie_help, language)}"
        )

    def as_schema(self, item: Item, shown: Shown) -> dict[str, Any]:
        return {"type": "string", "enum": list(self.choices())}

    def simulate(self, item: Item, shown: Shown, accuracy: float, draw: Draw) -> Any:
        if self.tie and draw("tie") < 0.15:
            return TIE
        # Without a right one it is the system whose name comes last: something that raters can agree on.
        right = self.right_answer(item)
        best = right if right in shown.sides.values() else max(shown.sides.values())
        better = shown.side_of(best)
        return better if draw("side") < accuracy else {"left": "right", "right": "left"}[better]


class Preference(Question):
    """An ordered scale from much worse to much better of one side against the other.

    The value counts from the middle of the scale: +2 is much better for the system named by `of`, −2 much worse.
    Without `of` it speaks of the system whose name comes first in the alphabet.
    """

    points: tuple[Words, ...] = ("Much worse", "Worse", "Same", "Better", "Much better")
    of: str | None = None

    level: ClassVar[Level] = Level.ORDINAL
    template: ClassVar[str] = "questions/preference.html"

    @model_validator(mode="after")
    def _has_a_middle(self) -> Self:
        if len(self.points) < 3 or len(self.points) % 2 == 0:
            raise ValueError("`points` should be an odd number of points, with the same quality in the middle.")
        return self

    @property
    def reach(self) -> int:
        """How far the scale goes from its middle."""
        return len(self.points) // 2

    def parse(
        self, raw: Any, shown: Shown, item: Item | None = None, given: Mapping[str, Given] = MappingProxyType({})
    ) -> Given:
        """The page's scale speaks of the left side, from −reach to +reach."""
        texts = [say(point) for point in self.points]
        if isinstance(raw, str) and raw.strip() in texts:
            place = texts.index(raw.strip()) - self.reach
        else:
            try:
                place = int(raw)
            except (TypeError, ValueError, OverflowError) as error:
                raise AnswerError(self.blank_sentence()) from error
        if abs(place) > self.reach:
            raise AnswerError(self.blank_sentence())
        return Given(place if shown.sides["left"] == self.speaks_of(shown) else -place, raw=raw)

    def accept(self, stored: Any, shown: Shown, item: Item | None = None) -> Given:
        """A stored value counts for the system that the scale speaks of, whatever the sides."""
        upright = Shown({"left": self.speaks_of(shown)} | {"right": self.speaks_of(shown)})
        return self.parse(stored, upright, item)

    def describe(self, value: Any, shown: Shown, item: Item | None = None, language: str = "en") -> str:
        """The point of the scale that stood on this page, where it speaks of the left side."""
        try:
            place = int(value) if shown.sides["left"] == self.speaks_of(shown) else -int(value)
        except (TypeError, ValueError):
            return ""
        return say(self.points[place + self.reach], language) if abs(place) <= self.reach else ""

    def speaks_of(self, shown: Shown) -> str:
        """The system that a positive value favours."""
        return self.of if self.of and self.of in shown.sides.values() else min(shown.sides.values())

    def readings(self) -> tuple[str, ...]:
        return ("points", "outcome")

    def verdict_on(self) -> str:
        return "outcome"

    def category(self, reading: str, value: Any, item: Item | None = None) -> Any:
        return value if reading == "points" else OUTCOMES[(value > 0) - (value < 0)]

    def declared(self, reading: str) -> tuple[Any, ...]:
        return self.scale() if reading == "points" else tuple(OUTCOMES[sign] for sign in (-1, 0, 1))

    def scale(self) -> tuple[Any, ...]:
        return tuple(range(-self.reach, self.reach + 1))

    def compares(self) -> bool:
        return True

    def compared(self, value: Any, shown: Shown) -> tuple[str, str, int] | None:
        if len(set(shown.sides.values())) != 2:
            return None
        first = self.speaks_of(shown)
        second = next(system for system in shown.sides.values() if system != first)
        return first, second, (value > 0) - (value < 0)

    def means_alike(self, pairs: Collection[tuple[str, str]]) -> bool:
        # Without `of`, or in pairs without it, the sign speaks of the name that comes first.
        return len(pairs) <= 1 or all(self.of in pair for pair in pairs)

    def turned(self, reading: str) -> dict[Any, Any]:
        if reading == "points":
            return {point: -point for point in self.scale()}
        return {OUTCOMES[sign]: OUTCOMES[-sign] for sign in (-1, 0, 1)}

    def tie_value(self) -> Any:
        return 0

    def outcomes(self, shown: Shown, item: Item | None = None) -> dict[str, Any] | None:
        return {str(place): self.parse(place, shown).value for place in range(-self.reach, self.reach + 1)}

    def blank_sentence(self) -> str:
        return noted("Please choose a point of the scale.")

    def as_prompt(self, item: Item, shown: Shown, language: str = "en") -> str:
        scale = " | ".join(say(point, language) for point in self.points)
        return f"{say(self.prompt, language)}\nThe left one (A), compared with the right one (B), is … {scale}"

    def as_schema(self, item: Item, shown: Shown) -> dict[str, Any]:
        return {"type": "string", "enum": [say(point) for point in self.points]}

    def simulate(self, item: Item, shown: Shown, accuracy: float, draw: Draw) -> Any:
        lean = (draw("a") + draw("b")) - 1 + (accuracy - 0.5)
        value = max(-self.reach, min(self.reach, round(lean * (self.reach + 0.5))))
        return value if shown.sides["left"] == self.speaks_of(shown) else -value
