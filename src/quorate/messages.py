"""What is said to readers: sentences and names as templates with parts, translated first and filled afterwards.

A report, a page or a note says a `Message`. Its template is English and stands in the catalogue of each language; its
parts are the study's own words, numbers, or other messages. So nothing is ever found by searching a finished text, and
a name that holds a dot, a comma or a brace is a name like any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
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

    `rests_on` are the findings and the facts of the study without which it must not be said; of findings it keeps the
    ids. With a `plural` the part `n` chooses the form.

    >>> Message("{system} won {n} comparisons", system="gpt-4.1", n=1200).text()
    'gpt-4.1 won 1,200 comparisons'
    >>> Message("{n} item", "{n} items", n=1).text(), Message("{n} item", "{n} items", n=3).text()
    ('1 item', '3 items')
    """

    template: str
    plural: str
    parts: tuple[tuple[str, Any], ...]
    rests_on: tuple[str, ...]

    def __init__(self, template: str, plural: str = "", /, *, rests_on: Iterable[Any] = (), **parts: Any):
        reasons = (getattr(reason, "id", reason) for reason in rests_on)
        own = (*reasons, *(reason for part in parts.values() for reason in getattr(part, "rests_on", ())))
        for name, value in (
            ("template", template),
            ("plural", plural),
            ("parts", tuple(parts.items())),
            ("rests_on", tuple(dict.fromkeys(own))),
        ):
            object.__setattr__(self, name, value)

    def __hash__(self) -> int:
        # A part may be a text in several languages, which has no hash.
        return hash((self.template, self.plural))

    def because(self, *reasons: Any) -> Message:
        """The same message, resting on these findings or facts as well."""
        return Message(self.template, self.plural, rests_on=(*self.rests_on, *reasons), **dict(self.parts))

    def having(self, **parts: Any) -> Message:
        """The same message with these parts."""
        return Message(self.template, self.plural, rests_on=self.rests_on, **{**dict(self.parts), **parts})

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
    """What a language puts between sentences, between clauses, in a list, and before the last of a list."""

    sentence: str
    clause: str
    comma: str
    last: str


JOINTS: Mapping[str, Joints] = {"en": Joints(" ", "; ", ", ", " and "), "zh": Joints("", "；", "、", "和")}


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


#: Small counts as English writes them in a sentence.
SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


@dataclass(frozen=True, slots=True)
class Spelled:
    """A small count as a word where the language writes it so, else as a figure.

    >>> Spelled(3).text(), Spelled(100).text(), Spelled(3).text("zh")
    ('three', '100', '3')
    """

    n: int

    def text(self, language: str = "en") -> str:
        """It in the language."""
        return SMALL[self.n] if language == "en" and self.n < len(SMALL) else said(self.n, language)


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


@dataclass(frozen=True, slots=True)
class Clauses:
    """Several clauses as one, with a semicolon between them; `clauses` makes one of those that say something.

    >>> Clauses((Message("One"), Message("Two"))).text()
    'One; Two'
    """

    parts: tuple[Any, ...]

    @property
    def rests_on(self) -> tuple[str, ...]:
        """What its clauses rest on."""
        return tuple(reason for part in self.parts for reason in getattr(part, "rests_on", ()))

    def text(self, language: str = "en") -> str:
        """All of them."""
        return JOINTS.get(language, JOINTS["en"]).clause.join(said(part, language) for part in self.parts)

    def __str__(self) -> str:
        return self.text()


def clauses(*parts: Text) -> Text:
    """Those clauses that say something as one text; nothing where none does."""
    told = tuple(filter(None, parts))
    return Clauses(told) if len(told) > 1 else told[0] if told else ""


def clauses_of(text: Text) -> tuple[Text, ...]:
    """The clauses that a text is made of.

    >>> [str(one) for one in clauses_of(clauses(Message("One"), "", Message("Two")))]
    ['One', 'Two']
    """
    if isinstance(text, Clauses):
        return tuple(inner for part in text.parts for inner in clauses_of(part))
    return (text,) if text else ()


def inside(text: Text) -> Iterator[Message]:
    """Every message that a text is made of: itself, and what its parts are."""
    if isinstance(text, Message):
        yield text
        for _, part in text.parts:
            yield from inside(part)
    elif not isinstance(text, str | dict | int):
        for part in getattr(text, "parts", ()):
            yield from inside(part)


def naming(text: Text, **parts: Any) -> Text:
    """The same text, with these parts in every message of it that has parts of these names.

    >>> str(naming(clauses(Message("One"), Message("by {group}", group="cluster")), group="item"))
    'One; by item'
    """
    if isinstance(text, Message):
        own = {name: parts.get(name, naming(part, **parts)) for name, part in text.parts}
        return text.having(**own)
    if isinstance(text, Listed | Together | Sentences | Clauses):
        return replace(text, parts=tuple(naming(part, **parts) for part in text.parts))
    return text


def speaks(text: Text, *of: Message) -> bool:
    """Whether a text says one of these messages, whatever their parts are.

    >>> speaks(clauses(Message("One"), Message("{n} of {all}", n=1, all=2)), Message("{n} of {all}"))
    True
    """
    templates = {message.template for message in of}
    return any(one.template in templates for one in inside(text))


def joined(sentences: Iterable[Any], language: str = "en") -> str:
    """Sentences one after the other, with the space that the language puts between them.

    >>> joined([Message("One."), Message("Two.")])
    'One. Two.'
    """
    return JOINTS.get(language, JOINTS["en"]).sentence.join(said(one, language) for one in sentences)
