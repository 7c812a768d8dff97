"""An open answer, typed; right when its canonical form matches the target or one of its variants."""

from __future__ import annotations

import codecs
from collections.abc import Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Literal, Self

import msgspec
from pydantic import Field

from quorate.encoders import text_encoder
from quorate.errors import AnswerError
from quorate.languages import Words, noted, say
from quorate.messages import Word
from quorate.questions.base import Decisions, Draw, Given, Question
from quorate.questions.canonical import Variants, canonical
from quorate.records import Item, Level, Shown

Step = Literal["lowercase", "no articles", "no punctuation"]

MOST_CHARACTERS = 20_000
"""What the texts of one page may hold in all: a posted form takes up to twelve bytes a character."""


class Text(Question):
    """What is it? In the rater's own words."""

    #: The field that holds the right answer. It never leaves the server.
    target: str | None = None
    canonical: tuple[Step, ...] = ("lowercase", "no articles", "no punctuation")
    #: A JSON file {form: [other forms]}, or that mapping itself.
    variants: str | dict[str, list[str]] = {}
    #: What to type where nothing can be recognised: an answer of its own kind, and not a right one.
    cannot_tell: str | None = None
    cannot_tell_label: Words = ""
    placeholder: Words = ""
    #: From this similarity (0–100) on, an answer that does not match goes to the team.
    near_miss: int = 84
    #: And from this cosine of sentence embeddings on (all-MiniLM-L6-v2): other words for the same. Without it, letters
    #: alone count; with it, the model has to be installed wherever results are computed.
    near_meaning: Annotated[float, Field(gt=0, le=1)] | None = None
    #: The page takes no more characters than this, and the server says so.
    max_length: int = Field(500, ge=1, le=MOST_CHARACTERS)
    lines: int = Field(1, ge=1, le=50)

    level: ClassVar[Level] = Level.TEXT
    template: ClassVar[str] = "questions/text.html"

    def read_form(self, form: Mapping[str, Sequence[str]]) -> Any:
        ticked = self.cannot_tell is not None and form.get("cannot_tell", [""])[0]
        return self.cannot_tell if ticked else form.get("", [""])[0]

    def blank_sentence(self) -> str:
        if self.cannot_tell is None:
            return noted("Please type an answer. A best guess is fine.")
        return noted("Please type an answer, or choose that you cannot tell. A best guess is fine.")

    def parse(
        self, raw: Any, shown: Shown, item: Item | None = None, given: Mapping[str, Given] = MappingProxyType({})
    ) -> Given:
        if not isinstance(raw, str):
            raise AnswerError(noted("The answer should be text."))
        # A posted form ends lines with two characters, where the page counts one.
        typed = raw.replace("\r\n", "\n").strip()
        if len(typed) > self.max_length:
            raise AnswerError(noted("This is longer than {n} characters. Please shorten it."), n=self.max_length)
        value = self.canonical_form(raw) if self.target else typed
        # "?" or "the" has nothing left to compare once it is in canonical form.
        if not value:
            raise AnswerError(self.blank_sentence())
        return Given(value, raw=raw)

    def longest(self) -> int:
        return self.max_length

    def canonical_form(self, text: str) -> str:
        """The text in the form in which it is compared."""
        return canonical(text, self.canonical)

    def canonical_steps(self) -> tuple[Word, ...]:
        return tuple(map(Word, self.canonical)) if self.target else ()

    def has_variants(self) -> bool:
        return bool(self.variants)

    def cannot_tell_words(self) -> str:
        return self.cannot_tell or ""

    def readings(self) -> tuple[str, ...]:
        return ("correctness", "responses") if self.target else ()

    def depends_on_item(self, reading: str) -> bool:
        return reading == "responses"

    def declared(self, reading: str) -> tuple[Any, ...]:
        return (False, True) if reading == "correctness" else ()

    def target_field(self) -> str:
        return self.target or ""

    def is_scored(self) -> bool:
        return self.target is not None

    def score(self, value: Any, item: Item, decisions: Decisions = ()) -> bool | None:
        if self.target is None:
            return None
        target = self.canonical_form(str(item[self.target]))
        if self._matches(value, target):
            return True
        return any(d.correct for d in decisions if d.canonical == value and d.target == target)

    def right_answer(self, item: Item) -> str:
        target = item[self.target] if self.target else None
        return "" if target is None else str(target)

    def close_by(self, value: str, item: Item) -> str:
        from rapidfuzz import fuzz

        if self.target is None or not value or self.is_cannot_tell(value):
            return ""
        target = self.canonical_form(str(item[self.target]))
        if self._matches(value, target):
            return ""
        forms = list(self._variants.forms(target))
        if any(max(fuzz.ratio(value, f), fuzz.token_sort_ratio(value, f)) >= self.near_miss for f in forms):
            return "letters"
        if self.near_meaning is not None:
            own, *others = text_encoder("minilm").encode([value, *forms])
            if max(float(own @ other) for other in others) >= self.near_meaning:
                return "meaning"
        return ""

    def is_cannot_tell(self, value: str) -> bool:
        """Whether the value says that nothing was recognised."""
        return self.cannot_tell is not None and value == self.canonical_form(self.cannot_tell)

    def blind_fields(self) -> tuple[str, ...]:
        return (self.target,) if self.target else ()

    def concept_fields(self) -> tuple[str, ...]:
        return self.blind_fields()

    def files(self) -> tuple[str, ...]:
        return (self.variants,) if isinstance(self.variants, str) else ()

    def with_files(self, contents: Mapping[str, bytes]) -> Self:
        if not isinstance(self.variants, str):
            return self
        try:
            content = contents[self.variants].removeprefix(codecs.BOM_UTF8)
            mapping = msgspec.json.decode(content, type=dict[str, list[str]])
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise ValueError(f"{self.variants} should hold {{form: [other forms]}}: {error}.") from error
        return self.model_copy(update={"variants": mapping})

    def as_prompt(self, item: Item, shown: Shown, language: str = "en") -> str:
        lines = [say(self.prompt, language)]
        if self.cannot_tell:
            lines.append(f'If you cannot tell, answer "{self.cannot_tell}".')
        return "\n".join(lines)

    def as_schema(self, item: Item, shown: Shown) -> dict[str, Any]:
        return {"type": "string", "maxLength": self.max_length}

    def simulate(self, item: Item, shown: Shown, accuracy: float, draw: Draw) -> Any:
        if self.target is None:
            return "A comment."
        target = str(item[self.target])
        if draw("right") < accuracy:
            forms = [target, target.capitalize(), f"{target}!", *self._variants.forms(self.canonical_form(target))]
            return forms[int(draw("form") * len(forms))]
        if self.cannot_tell is not None and draw("cannot tell") < 0.4:
            return self.cannot_tell
        # A wrong answer shares a word with the target, or is a common guess that several raters share.
        words = target.split()
        guesses = [f"{words[-1]} of the day", "actions speak louder than words", "out of the blue", f"like {words[-1]}"]
        if draw("near") < 0.15 and len(words) > 2:
            return " ".join(words[:-1])
        return guesses[int(draw("guess") * len(guesses))]

    def _matches(self, value: str, target: str) -> bool:
        return bool(value) and self._variants.same(value, target)

    @cached_property
    def _variants(self) -> Variants:
        return Variants(self.variants if isinstance(self.variants, dict) else {}, self.canonical)
