"""What is said to readers: sentences and names as templates with parts, translated first and filled afterwards.

A report, a page or a note says a `Message`. Its template is English and stands in the catalogue of each language; its
parts are the study's own words, numbers, or other messages. So nothing is ever found by searching a finished text, and
a name that holds a dot, a comma or a brace is a name like any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from quorate.languages import say, translation

#: What a reader is told: our words as a message, or a text or name of the study (in each language that it has).
Text = Any


class Sayable(Protocol):
    """A part of a message that knows how it is said."""

    def text(self, language: str = "en") -> str:
        """It as words of the language."""
        ...


@dataclass(frozen=True, init=False, slots=True)
class Message:
    """A sentence or a name: a template, its parts, and what makes it true.

    `rests_on` names the findings (by id) and the facts of the study without which it must not be said. With a `plural`
    the part `n` chooses the form.

    >>> Message("{system} won {n} comparisons", system="gpt-4.1", n=1200).text()
    'gpt-4.1 won 1,200 comparisons'
    >>> Message("{n} item", "{n} items", n=1).text(), Message("{n} item", "{n} items", n=3).text()
    ('1 item', '3 items')
    """

    template: str
    plural: str
    parts: tuple[tuple[str, Any], ...]
    rests_on: tuple[str, ...]

    def __init__(self, template: str, plural: str = "", /, *, rests_on: Iterable[str] = (), **parts: Any):
        own = (*rests_on, *(reason for part in parts.values() for reason in getattr(part, "rests_on", ())))
        for name, value in (
            ("template", template),
            ("plural", plural),
            ("parts", tuple(parts.items())),
            ("rests_on", tuple(dict.fromkeys(own))),
        ):
            object.__setattr__(self, name, value)

    def because(self, *reasons: str) -> Message:
        """The same message, resting on these findings or facts as well."""
        return Message(self.template, self.plural, rests_on=(*self.rests_on, *reasons), **dict(self.parts))

    def text(self, language: str = "en") -> str:
        """It in the language; English where the catalogue does not hold it."""
        known, parts = translation(language), dict(self.parts)
        if self.plural:
            template = known.ngettext(self.template, self.plural, parts["n"])
        else:
            template = known.gettext(self.template) if self.template else ""
        return template.format(**{name: said(part, language) for name, part in parts.items()})

    def __str__(self) -> str:
        return self.text()


@dataclass(frozen=True, slots=True)
class Joints:
    """What a language puts between two sentences, between the parts of a list, and before the last of them."""

    sentence: str
    comma: str
    last: str


JOINTS: Mapping[str, Joints] = {"en": Joints(" ", ", ", " and "), "zh": Joints("", "、", "和")}


@dataclass(frozen=True, slots=True)
class Listed:
    """Several parts as one: "a, b and c".

    >>> Listed(("film", "cities", "idioms")).text()
    'film, cities and idioms'
    """

    parts: tuple[Any, ...]

    @property
    def rests_on(self) -> tuple[str, ...]:
        """What its parts rest on."""
        return tuple(reason for part in self.parts for reason in getattr(part, "rests_on", ()))

    def text(self, language: str = "en") -> str:
        """The parts with the language's comma between them and its "and" before the last."""
        *first, last = [said(part, language) for part in self.parts] or [""]
        if not first:
            return last
        joints = JOINTS.get(language, JOINTS["en"])
        return f"{joints.comma.join(first)}{joints.last}{last}"


@dataclass(frozen=True, slots=True)
class Word:
    """A word of ours that is data before it is read, such as a status: kept in English, said in the reader's language.

    It is marked by `noted(…)` where it is written, so that the catalogue holds it.

    >>> Word("agreed").text()
    'agreed'
    """

    word: str

    def text(self, language: str = "en") -> str:
        """It in the language."""
        return translation(language).gettext(self.word) if self.word else ""

    def __str__(self) -> str:
        return self.word


@dataclass(frozen=True, slots=True)
class Together:
    """Several texts as one, with nothing or a mark that every language has between them.

    >>> Together(("0.43", "[0.38, 0.48]"), " · ").text()
    '0.43 · [0.38, 0.48]'
    """

    parts: tuple[Any, ...]
    between: str = ""

    @property
    def rests_on(self) -> tuple[str, ...]:
        """What its parts rest on."""
        return tuple(reason for part in self.parts for reason in getattr(part, "rests_on", ()))

    def text(self, language: str = "en") -> str:
        """The parts that say something, one after the other."""
        return self.between.join(filter(None, (said(part, language) for part in self.parts)))

    def __str__(self) -> str:
        return self.text()


def said(part: Any, language: str = "en") -> str:
    """A part of a message in the language: a whole number with commas, a text of the study in the language it has.

    A number with decimals has to say first how many of them are told.

    >>> said(1200), said({"en": "Which?", "zh": "哪个？"}, "zh")
    ('1,200', '哪个？')
    """
    if isinstance(part, str | dict):
        return say(part, language)
    if isinstance(part, bool | float):
        raise TypeError(f"{part!r} cannot be a part of a message: say it as a text, a count or a figure.")
    if isinstance(part, int):
        return f"{part:,}"
    return part.text(language)


@dataclass(frozen=True, slots=True)
class Sentences:
    """Sentences one after the other, with the space that the language puts between them.

    >>> Sentences((Message("One."), Message("Two."))).text()
    'One. Two.'
    """

    parts: tuple[Any, ...]

    @property
    def rests_on(self) -> tuple[str, ...]:
        """What its sentences rest on."""
        return tuple(reason for part in self.parts for reason in getattr(part, "rests_on", ()))

    def text(self, language: str = "en") -> str:
        """All of them."""
        return joined(self.parts, language)

    def __str__(self) -> str:
        return self.text()


def joined(sentences: Iterable[Any], language: str = "en") -> str:
    """Sentences one after the other, with the space that the language puts between them.

    >>> joined([Message("One."), Message("Two.")])
    'One. Two.'
    """
    return JOINTS.get(language, JOINTS["en"]).sentence.join(said(one, language) for one in sentences)
