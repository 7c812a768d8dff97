"""How good is it, on an ordered scale with a text for its points, or on a slider?"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, Literal, Self

from pydantic import model_validator

from quorate.errors import AnswerError
from quorate.languages import Words, noted, say
from quorate.questions.base import Draw, Given, Question
from quorate.records import SIDES, Item, Level, Shown, side_label

Point = int | str

_NUMBER = re.compile(r"\s*\+?([-−]?\d+(?:[.,]\d+)?)")

#: More steps than this from one end of a slider to the other are no scale, and beyond what numbers hold.
MOST_STEPS = 10**12

BOTH = noted("Please rate both sides.")
EACH = noted("Please rate each of them.")


class Scale(Question):
    """One mark on a scale; beside a pair or a set, one for each side where the study file asks for that."""

    #: `side` asks once for each side of a pair or a set; stored by system, shown by side.
    each: Literal["item", "side"] = "item"

    def mark(self, raw: Any) -> Any:
        """The mark that one reply means, or an AnswerError."""
        raise NotImplementedError

    def mark_schema(self) -> dict[str, Any]:
        """The JSON Schema of one mark."""
        raise NotImplementedError

    def drawn_mark(self, share: float) -> Any:
        """The mark at this share (0 to 1) of the scale."""
        raise NotImplementedError

    def read_form(self, form: Mapping[str, Sequence[str]]) -> Any:
        if self.each == "item":
            return form.get("", [""])[0]
        return {side: given[0] for side, given in form.items() if side not in ("", "cannot_judge")}

    def is_blank(self, raw: Any) -> bool:
        return not any(raw.values()) if isinstance(raw, Mapping) else super().is_blank(raw)

    def parse(
        self, raw: Any, shown: Shown, item: Item | None = None, given: Mapping[str, Given] = MappingProxyType({})
    ) -> Given:
        if self.each == "item":
            return Given(self.mark(raw), raw=raw)
        if not isinstance(raw, Mapping) or any(super(Scale, self).is_blank(raw.get(side)) for side in shown.sides):
            raise AnswerError(BOTH if len(shown.sides) == 2 else EACH)
        return Given({system: self.mark(raw[side]) for side, system in shown.sides.items()}, raw=raw)

    def readings(self) -> tuple[str, ...]:
        return super().readings() if self.each == "item" else ()

    def number_of(self, mark: Any) -> float:
        """A mark as a number: itself, or its place on a scale of words."""
        return float(mark)

    def as_number(self, value: Any) -> float | None:
        return self.number_of(value) if self.each == "item" else None

    def rates_each(self) -> bool:
        return self.each == "side"

    def marks(self, value: Any) -> Mapping[str, float]:
        return {system: self.number_of(mark) for system, mark in value.items()} if self.each == "side" else {}

    def accept(self, stored: Any, shown: Shown, item: Item | None = None) -> Given:
        """Marks that come by the name of the system."""
        if self.each == "side" and isinstance(stored, Mapping) and set(stored) == set(shown.sides.values()):
            return Given({system: self.mark(mark) for system, mark in stored.items()}, raw=stored)
        return self.parse(stored, shown, item)

    def describe(self, value: Any, shown: Shown, item: Item | None = None, language: str = "en") -> str:
        if not isinstance(value, Mapping):
            return ""
        marks = [(side_label(side), value[system]) for side, system in shown.sides.items() if system in value]
        return ", ".join(f"{letter}: {mark:g}" if isinstance(mark, float) else f"{letter}: {mark}"
                         for letter, mark in marks)  # fmt: skip

    def form_of(self, raw: Any, shown: Shown) -> dict[str, list[str]]:
        if isinstance(raw, Mapping):
            return {side: [str(mark)] for side, mark in raw.items()}
        return {"": [str(raw)]}

    def as_schema(self, item: Item, shown: Shown) -> dict[str, Any]:
        one = self.mark_schema()
        if self.each == "item":
            return one
        sides = list(shown.sides or SIDES)
        properties = dict.fromkeys(sides, one)
        return {"type": "object", "properties": properties, "required": sides, "additionalProperties": False}

    def simulate(self, item: Item, shown: Shown, accuracy: float, draw: Draw) -> Any:
        def drawn(system: str) -> Any:
            # Two draws are averaged, so that the middle of the scale is the most frequent, as with people.
            return self.drawn_mark((draw(f"high/{system}") + draw(f"low/{system}")) / 2)

        return {side: drawn(system) for side, system in shown.sides.items()} if self.each == "side" else drawn("")


class Rating(Scale):
    """A point of an ordered scale."""

    #: Worst to best: the order is the measurement.
    points: tuple[Point, ...]
    #: A text for some or all of the points.
    anchors: dict[Point, Words] = {}

    level: ClassVar[Level] = Level.ORDINAL
    template: ClassVar[str] = "questions/rating.html"

    @model_validator(mode="after")
    def _is_a_scale(self) -> Self:
        if len(self.points) < 2 or len(set(self.points)) < len(self.points):
            raise ValueError("`points` should be two or more different points, from worst to best.")
        strange = [point for point in self.anchors if point not in self.points]
        if strange:
            raise ValueError(f"`anchors` has a text for {strange[0]!r}, which is no point of the scale.")
        return self

    def blank_sentence(self) -> str:
        return noted("Please choose a point of the scale.")

    def mark(self, raw: Any) -> Point:
        for point in self.points:
            if str(raw).strip() == str(point):
                return point
        raise AnswerError(self.blank_sentence())

    def declared(self, reading: str) -> tuple[Any, ...]:
        return self.points

    def scale(self) -> tuple[Any, ...]:
        return self.points

    def ends(self) -> tuple[float, float]:
        numbers = [self.number_of(point) for point in self.points]
        return min(numbers), max(numbers)

    def number_of(self, mark: Any) -> float:
        numeric = all(isinstance(point, int) for point in self.points)
        return float(mark) if numeric else float(self.points.index(mark) + 1)

    def mark_schema(self) -> dict[str, Any]:
        return {"enum": list(self.points)}

    def drawn_mark(self, share: float) -> Point:
        return self.points[min(int(share * len(self.points)), len(self.points) - 1)]

    def outcomes(self, shown: Shown, item: Item | None = None) -> dict[str, Any] | None:
        return {str(point): point for point in self.points} if self.each == "item" else None

    def keys(self) -> tuple[str, ...]:
        """The key that chooses each point, "" where none does: its number if each has one, else its place.

        >>> Rating(prompt="p", points=(0, 1, 2)).keys(), Rating(prompt="p", points=("no", "so so", "yes")).keys()
        (('0', '1', '2'), ('1', '2', '3'))
        >>> Rating(prompt="p", points=(-1, 0, 1)).keys(), Rating(prompt="p", points=(8, 9, 10)).keys()
        (('', '0', '1'), ('8', '9', ''))
        """
        found = [_NUMBER.match(str(point)) for point in self.points]
        numbers = [one.group(1) if one else "" for one in found]
        are_numbered = all(numbers) and len(set(numbers)) == len(numbers)
        texts = numbers if are_numbered else [str(place) for place in range(1, len(self.points) + 1)]
        return tuple(text if len(text) == 1 else "" for text in texts)

    def anchor(self, point: Point) -> Words:
        """The text of a point, or nothing."""
        return self.anchors.get(point, "")

    def as_prompt(self, item: Item, shown: Shown, language: str = "en") -> str:
        texts = (f"{point}: {say(text, language)}" for point, text in self.anchors.items())
        each = " Rate each side." if self.each == "side" else ""
        return "\n".join([say(self.prompt, language) + each, *texts])


class Slider(Scale):
    """A number on a continuous scale, such as 0 to 100."""

    low: float = 0
    high: float = 100
    step: float = 1
    #: Texts for some values, such as {0: Bad, 100: Excellent}.
    anchors: dict[float, Words] = {}

    level: ClassVar[Level] = Level.INTERVAL
    template: ClassVar[str] = "questions/slider.html"

    @model_validator(mode="after")
    def _is_a_range(self) -> Self:
        if not self.low < self.high or self.step <= 0:
            raise ValueError("`low` should be below `high`, and `step` above 0.")
        if not (self.high - self.low) / self.step <= MOST_STEPS:
            raise ValueError(f"from `low` to `high` there should be at most {MOST_STEPS:,} steps.")
        return self

    def blank_sentence(self) -> str:
        return noted("Please move the slider to your answer.")

    def mark(self, raw: Any) -> float:
        try:
            number = float(raw)
        except (TypeError, ValueError, OverflowError):
            number = float("nan")
        if not self.low <= number <= self.high:
            raise AnswerError(noted("Please give a number from {low} to {high}."), low=self.low, high=self.high)
        return number

    def ends(self) -> tuple[float, float]:
        return self.low, self.high

    def mark_schema(self) -> dict[str, Any]:
        return {"type": "number", "minimum": self.low, "maximum": self.high}

    def drawn_mark(self, share: float) -> float:
        return self.low + self.step * int(share * (self.high - self.low) / self.step)
