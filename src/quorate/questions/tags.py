"""Why? Tags in groups: so many primary ones, so many secondary ones, each with the side it describes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Self

from pydantic import Field, model_validator

from quorate.conditions import condition
from quorate.errors import AnswerError
from quorate.languages import Words, noted, say
from quorate.parts import Part
from quorate.questions.base import Draw, Given, Question
from quorate.records import Item, Level, Shown


class Group(Part):
    """Tags that belong together; a group may apply by a condition on the item."""

    name: Words
    tags: tuple[Words, ...] = Field(min_length=1)
    applies_when: str | None = None

    def applies(self, item: Item | None) -> bool:
        """Whether this group is offered for an item."""
        return self.applies_when is None or item is None or condition(self.applies_when).holds(item.fields)


class Bounds(Part):
    """At least and at most so many; a bare number means exactly."""

    shorthand: ClassVar[str] = "exactly"

    least: Annotated[int, Field(ge=0)] = 0
    most: Annotated[int, Field(ge=0)] = 100
    exactly: int | None = None

    def range(self) -> tuple[int, int]:
        """The smallest and the largest number."""
        return (self.exactly, self.exactly) if self.exactly is not None else (self.least, self.most)


class Tags(Question):
    """Which of these hold? The value is {primary: […], secondary: […], of: {tag: system}}."""

    groups: tuple[Group, ...] = Field(min_length=1)
    #: How many are chosen as the main reason, and how many beside it.
    primary: Bounds = Bounds(exactly=0)
    secondary: Bounds = Bounds(least=0, most=100)
    #: Beside a pair: the question whose loser a tag describes unless the rater says otherwise; on a tie it is asked.
    loser_of: str | None = None

    level: ClassVar[Level] = Level.NOMINAL
    template: ClassVar[str] = "questions/tags.html"

    @model_validator(mode="after")
    def _is_readable(self) -> Self:
        for group in self.groups:
            if group.applies_when is not None:
                condition(group.applies_when)
        tags = [say(tag) for group in self.groups for tag in group.tags]
        repeated = next((tag for tag in tags if tags.count(tag) > 1), None)
        if repeated:
            raise ValueError(f"the tag '{repeated}' stands in the groups twice.")
        return self

    def fields(self) -> tuple[str, ...]:
        conditions = [condition(group.applies_when) for group in self.groups if group.applies_when]
        return tuple(sorted({name for found in conditions for name in found.names}))

    def offered(self, item: Item | None = None) -> Iterator[str]:
        """The tags that may be chosen for an item."""
        for group in self.groups:
            if group.applies(item):
                yield from (say(tag) for tag in group.tags)

    def read_form(self, form: Mapping[str, Sequence[str]]) -> Any:
        sides = {name.removeprefix("of."): values[0] for name, values in form.items() if name.startswith("of.")}
        return {
            "primary": [tag for tag in form.get("primary", []) if tag],
            "secondary": [tag for tag in form.get("secondary", form.get("", [])) if tag],
            "of": sides,
        }

    def is_blank(self, raw: Any) -> bool:
        return not raw or (isinstance(raw, Mapping) and not raw.get("primary") and not raw.get("secondary"))

    def blank_sentence(self) -> str:
        return noted("Please choose a tag.")

    def parse(
        self, raw: Any, shown: Shown, item: Item | None = None, given: Mapping[str, Given] = MappingProxyType({})
    ) -> Given:
        if not isinstance(raw, Mapping):
            raise AnswerError(self.blank_sentence())
        primary = _list(raw.get("primary"))
        # A tag that is chosen as the main reason need not be chosen again.
        secondary = [tag for tag in _list(raw.get("secondary")) if tag not in primary]
        self._check(primary, secondary, item)
        value: dict[str, Any] = {"primary": primary, "secondary": secondary}
        if self.loser_of is not None:
            value["of"] = self._described([*primary, *secondary], raw.get("of") or {}, shown, given)
        return Given(value, raw=raw)

    def _check(self, primary: Sequence[str], secondary: Sequence[str], item: Item | None) -> None:
        known = set(self.offered(item))
        if any(tag not in known for tag in (*primary, *secondary)):
            raise AnswerError(noted("Please choose among the tags on this page."))
        least, most = self.primary.range()
        if not least <= len(primary) <= most:
            one = noted("Please choose exactly one main reason.")
            some = noted("Please choose from {least} to {most} main reasons.")
            raise AnswerError(one if least == most == 1 else some, least=least, most=most)
        least, most = self.secondary.range()
        if not least <= len(secondary) <= most:
            raise AnswerError(noted("Please choose from {least} to {most} further tags."), least=least, most=most)

    def _described(
        self, tags: Sequence[str], sides: Mapping[str, str], shown: Shown, given: Mapping[str, Given]
    ) -> dict[str, str]:
        winner = given[self.loser_of].value if self.loser_of and self.loser_of in given else None
        loser = next(
            (system for system in shown.sides.values() if winner in shown.sides.values() and system != winner), None
        )
        described = {}
        for tag in tags:
            side = sides.get(tag, "")
            if side in shown.sides:
                described[tag] = shown.sides[side]
            elif side == "both":
                described[tag] = "both"
            elif loser is not None:
                described[tag] = loser
            else:
                raise AnswerError(noted("On a tie, please say which side each tag describes."))
        return described

    def readings(self) -> tuple[str, ...]:
        return ("primary",) if self.primary.range() == (1, 1) else ()

    def verdict_on(self) -> str:
        return ""

    def category(self, reading: str, value: Any, item: Item | None = None) -> Any:
        return value["primary"][0]

    def tagged(self, value: Any) -> Sequence[tuple[str, bool, str]]:
        of = value.get("of") or {}
        return [(tag, main, of.get(tag, "")) for key, main in _KINDS for tag in value[key]]

    def whose_loser(self) -> str:
        return self.loser_of or ""

    def accept(self, stored: Any, shown: Shown, item: Item | None = None) -> Given:
        """Tags that name the system they describe."""
        if not isinstance(stored, Mapping):
            return self.parse(stored, shown, item)
        sides = {system: side for side, system in shown.sides.items()}
        of = {tag: sides.get(system, system) for tag, system in (stored.get("of") or {}).items()}
        return self.parse({**stored, "of": of}, shown, item)

    def describe(self, value: Any, shown: Shown, item: Item | None = None, language: str = "en") -> str:
        if not isinstance(value, Mapping):
            return ""
        words = {say(tag): say(tag, language) for group in self.groups for tag in group.tags}
        return "; ".join(words.get(tag, tag) for key, _ in _KINDS for tag in _list(value.get(key)))

    def plain(self, value: Any) -> Any:
        return [*value["primary"], *value["secondary"]] if isinstance(value, Mapping) else value

    def outcomes(self, shown: Shown, item: Item | None = None) -> dict[str, Any] | None:
        return {tag: [tag] for tag in self.offered(item)}

    def form_of(self, raw: Any, shown: Shown) -> dict[str, list[str]]:
        sides = {f"of.{tag}": [side] for tag, side in raw.get("of", {}).items()}
        return {"primary": list(raw["primary"]), "secondary": list(raw["secondary"]), **sides}

    def as_prompt(self, item: Item, shown: Shown, language: str = "en") -> str:
        return f"{say(self.prompt, language)}\nTags: {'; '.join(self.offered(item))}"

    def as_schema(self, item: Item, shown: Shown) -> dict[str, Any]:
        tag = {"type": "string", "enum": list(self.offered(item))}
        (least, most), (few, many) = self.primary.range(), self.secondary.range()
        return {
            "type": "object",
            "properties": {
                "primary": {"type": "array", "items": tag, "minItems": least, "maxItems": most},
                "secondary": {"type": "array", "items": tag, "minItems": few, "maxItems": many},
                "of": {"type": "object", "additionalProperties": {"enum": ["left", "right", "both"]}},
            },
            "required": ["primary", "secondary"],
        }

    def simulate(self, item: Item, shown: Shown, accuracy: float, draw: Draw) -> Any:
        tags = list(self.offered(item))
        least, most = self.primary.range()
        few, many = self.secondary.range()
        drawn = sorted(tags, key=lambda tag: draw(f"tag/{tag}"))
        n = least + int(draw("primary") * (min(most, len(tags)) - least + 1))
        m = few + int(draw("secondary") * (min(many, 2, len(tags) - n) - few + 1))
        if self.required and n + m == 0:  # a page on which nothing is chosen was not answered
            n, m = (0, 1) if many else (1, 0)
        chosen = drawn[:n], drawn[n : n + m]
        sides = {tag: "left" if draw(f"side/{tag}") < 0.5 else "right" for tag in (*chosen[0], *chosen[1])}
        return {"primary": chosen[0], "secondary": chosen[1], "of": sides if self.loser_of else {}}


_KINDS = (("primary", True), ("secondary", False))


def _list(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [str(tag) for tag in value or []]
