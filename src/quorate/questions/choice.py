"""One of several options: fixed ones, or ones built for each item from a target and its distractors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from quorate.errors import AnswerError
from quorate.languages import Words, noted, say
from quorate.messages import Message, Text
from quorate.parts import Part
from quorate.questions.base import Decisions, Draw, Given, Question
from quorate.records import Item, Level, Shown

NONE = "none"
TARGET = "target"
LITERAL = "literal"


@dataclass(frozen=True, slots=True)
class Option:
    """One option: what is stored, what is shown, and its role, which never leaves the server."""

    id: str
    text: Words
    role: str = ""


class Semantic(Part):
    """Distractors near the target in meaning, taken from a list of concepts."""

    n: int = Field(2, ge=1, le=10)
    #: A table of concepts; without it, the concepts of the items themselves.
    from_: str | None = Field(None, alias="from")
    #: The field that holds the concept in that table, and the field that both have to share.
    field: str
    within: str | None = None
    #: Fields that hold authored distractors, for items that have them (a practice round has no list of its own).
    fields: tuple[str, ...] = ()
    #: `lexical` compares letters and is always there; `minilm`, or a model's id on the Hugging Face hub, compares
    #: meaning and has to be installed. What is installed never chooses: the plan is the same on every machine, or none.
    encoder: Annotated[str, Field(pattern=r"^(lexical|minilm|[\w.-]+/[\w./-]+)$")] = "lexical"
    #: Above this similarity a concept counts as a synonym of the target and is not used.
    ceiling: float = Field(0.9, gt=0, le=1)

    def in_words(self) -> Message:
        """How many distractors there are, and where each comes from."""
        how = Message("by letters")
        if self.encoder != "lexical":
            how = Message("by the sentence embeddings of {encoder}", encoder=self.encoder)
        parts: dict[str, Any] = {"n": self.n, "how": how, "ceiling": f"{self.ceiling:g}"}
        if self.within:
            return Message(
                "{n} distractor (the concepts of the same {field} closest to the target {how}, at most {ceiling} "
                "alike)",
                "{n} distractors (the concepts of the same {field} closest to the target {how}, at most {ceiling} "
                "alike)", field=_named(self.within), **parts,
            )  # fmt: skip
        return Message(
            "{n} distractor (the concepts closest to the target {how}, at most {ceiling} alike)",
            "{n} distractors (the concepts closest to the target {how}, at most {ceiling} alike)", **parts,
        )  # fmt: skip


class Choice(Question):
    """Which one is it?"""

    options: tuple[Words, ...] = ()
    #: Options built for each item: the field of the right one, and its distractors.
    target: str | None = None
    semantic: Semantic | None = None
    literal: str | None = None
    #: The pinned last option, such as "None of the above / Unrecognizable": an answer, and never the right one.
    none: Words | None = None
    order: Literal["as written", "drawn"] | None = None

    level: ClassVar[Level] = Level.NOMINAL
    template: ClassVar[str] = "questions/choice.html"

    @model_validator(mode="after")
    def _has_options(self) -> Self:
        if bool(self.options) == bool(self.target):
            raise ValueError("a choice needs either `options`, or a `target` field with distractors.")
        if self.target and not (self.semantic or self.literal):
            raise ValueError("a choice with a `target` needs `semantic` or `literal` distractors.")
        return self

    def offered(self, item: Item | None = None) -> tuple[Option, ...]:
        """The options in the order in which they are written: the target first, the pinned one last."""
        if self.target is None or item is None:
            fixed = [Option(say(option), option) for option in self.options]
            return (*fixed, *self._none())
        built = [Option(TARGET, str(item[self.target]), TARGET)]
        built += [Option(f"semantic_{k}", text, "semantic") for k, text in enumerate(self.distractors(item), start=1)]
        if self.literal:
            built.append(Option(LITERAL, str(item[self.literal]), LITERAL))
        return (*built, *self._none())

    def distractors(self, item: Item) -> list[str]:
        """The semantic distractors that the plan chose for an item."""
        if self.semantic is None:
            return []
        chosen = item.fields.get(DISTRACTORS, {}).get(self.target)
        if chosen is not None:
            return [entry["text"] for entry in chosen]
        return [str(item.fields[name]) for name in self.semantic.fields if item.fields.get(name)]

    def _none(self) -> list[Option]:
        return [Option(NONE, self.none, NONE)] if self.none is not None else []

    def option_ids(self, item: Item | None = None) -> tuple[str, ...]:
        return tuple(option.id for option in self.offered(item))

    def built_of(self) -> tuple[Text, ...]:
        if self.target is None:
            return ()
        parts = [Message("the target ({field})", field=_named(self.target))]
        if self.semantic is not None:
            parts.append(self.semantic.in_words())
        if self.literal is not None:
            parts.append(Message("the literal reading ({field})", field=_named(self.literal)))
        if self.none is not None:
            parts.append(Message("“{option}”", option=self.none))
        return tuple(parts)

    def is_drawn(self) -> bool:
        """Whether the order is drawn for each slot; built options always are, unless the study file says otherwise."""
        return self.order == "drawn" or (self.order is None and self.target is not None)

    def pinned(self) -> tuple[str, ...]:
        return (NONE,) if self.none is not None else ()

    def arranged(self, shown: Shown, item: Item | None = None) -> list[Option]:
        """The options as they stand on the page."""
        options = {option.id: option for option in self.offered(item)}
        return [options[id] for id in shown.order or options]

    def option_words(self, shown: Shown, item: Item | None = None) -> tuple[tuple[str, ...], ...]:
        texts = [option.text for option in self.arranged(shown, item)]
        return tuple(tuple(text.values()) if isinstance(text, dict) else (text,) for text in texts)

    def same_options(self, read: Callable[[str], str], item: Item | None = None) -> tuple[str, str] | None:
        texts = [option.text if isinstance(option.text, dict) else {"": option.text} for option in self.offered(item)]
        pairs = ((one, other, language) for one, other in combinations(texts, 2) for language in one)
        alike = (
            (one[language], other[language])
            for one, other, language in pairs
            if language in other and read(one[language]) == read(other[language])
        )
        return next(alike, None)

    def parse(
        self, raw: Any, shown: Shown, item: Item | None = None, given: Mapping[str, Given] = MappingProxyType({})
    ) -> Given:
        options = self.arranged(shown, item)
        said = str(raw).strip()
        for option in options:
            if said in (say(option.text), *(option.text.values() if isinstance(option.text, dict) else ())):
                return Given(option.id, raw=raw)
        # A page sends the place on the page (`@2`), so that no role is in its bytes; a judge may answer with a number.
        place = said.removeprefix("@")
        if place.isdecimal() and len(place) < 9 and 1 <= int(place) <= len(options):
            return Given(options[int(place) - 1].id, raw=raw)
        raise AnswerError(self.blank_sentence())

    def sent(self, place: int, option: Option) -> str:
        """What a page sends for the option at this place: its own text where it is fixed, else the place alone."""
        return f"@{place}" if self.target else option.id

    def outcomes(self, shown: Shown, item: Item | None = None) -> dict[str, Any] | None:
        options = self.arranged(shown, item)
        return {self.sent(place, option): option.id for place, option in enumerate(options, start=1)}

    def accept(self, stored: Any, shown: Shown, item: Item | None = None) -> Given:
        if stored in self.option_ids(item):
            return Given(stored, raw=stored)
        return self.parse(stored, shown, item)

    def describe(self, value: Any, shown: Shown, item: Item | None = None, language: str = "en") -> str:
        return next((say(option.text, language) for option in self.offered(item) if option.id == value), "")

    def blank_sentence(self) -> str:
        return noted("Please choose one of the options.")

    def readings(self) -> tuple[str, ...]:
        return ("concept", "role") if self.target else ("responses",)

    def verdict_on(self) -> str:
        # Within an item the same concept is the same option; by option the verdict says its role.
        return "role" if self.target else "responses"

    def depends_on_item(self, reading: str) -> bool:
        return reading == "concept"

    def category(self, reading: str, value: Any, item: Item | None = None) -> Any:
        if reading != "concept" or item is None or value == NONE:
            return value
        if value in (TARGET, LITERAL):
            field = self.target if value == TARGET else self.literal
            return str(item[field]) if field else value
        place = int(value.removeprefix("semantic_")) - 1
        texts = self.distractors(item)
        return texts[place] if place < len(texts) else value

    def declared(self, reading: str) -> tuple[Any, ...]:
        if reading == "responses":
            return self.option_ids()
        if reading != "role":
            return ()
        semantic = [f"semantic_{k}" for k in range(1, (self.semantic.n if self.semantic else 0) + 1)]
        literal = [LITERAL] if self.literal else []
        return (TARGET, *semantic, *literal, *self.pinned())

    def target_field(self) -> str:
        return self.target or ""

    def is_scored(self) -> bool:
        return self.target is not None

    def score(self, value: Any, item: Item, decisions: Decisions = ()) -> bool | None:
        return value == TARGET if self.target else None

    def right_answer(self, item: Item) -> str:
        return str(item[self.target]) if self.target else ""

    def blind_fields(self) -> tuple[str, ...]:
        # The target is shown among the options on purpose: hidden is what marks it.
        return ()

    def fields(self) -> tuple[str, ...]:
        return tuple(field for field in (self.target, self.literal) if field)

    def shown_fields(self) -> tuple[str, ...]:
        return (*self.fields(), DISTRACTORS, *(self.semantic.fields if self.semantic else ()))

    def concept_fields(self) -> tuple[str, ...]:
        return self.fields()

    def concept_tables(self) -> tuple[tuple[str, str], ...]:
        return ((self.semantic.from_, self.semantic.field),) if self.semantic and self.semantic.from_ else ()

    def files(self) -> tuple[str, ...]:
        return (self.semantic.from_,) if self.semantic and self.semantic.from_ else ()

    def as_prompt(self, item: Item, shown: Shown, language: str = "en") -> str:
        lines = [say(self.prompt, language)]
        lines += [f"{n}. {say(option.text, language)}" for n, option in enumerate(self.arranged(shown, item), start=1)]
        return "\n".join(lines)

    def as_schema(self, item: Item, shown: Shown) -> dict[str, Any]:
        return {"type": "string", "enum": [say(option.text) for option in self.arranged(shown, item)]}

    def simulate(self, item: Item, shown: Shown, accuracy: float, draw: Draw) -> Any:
        options = self.arranged(shown, item)
        places = {option.id: place for place, option in enumerate(options, start=1)}
        if TARGET in places and draw("right") < accuracy:
            return f"@{places[TARGET]}"
        wrong = [place for id, place in places.items() if id != TARGET]
        return f"@{wrong[int(draw('option') * len(wrong))]}"


DISTRACTORS = "quorate_distractors"
"""The field of an item that holds, by target field, the distractors which the plan chose and where they come from."""


def _named(field: str) -> str:
    return field.replace("_", " ")
