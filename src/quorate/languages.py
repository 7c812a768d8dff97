"""Texts in several languages: those of a study file, and those of the rater's interface.

A text in a study file is either a plain string or one string a language: `{en: Which idiom …, zh: 这幅图 …}`.
The interface's own texts are English in the code and go through gettext.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

Words = str | dict[str, str]

LANGUAGES: Mapping[str, str] = {"en": "English", "zh": "中文"}
_CATALOGUES = Path(__file__).parent / "locale"


def say(words: Words, language: str = "en") -> str:
    """The text in this language, else in English, else in the first language it has.

    >>> say("Which idiom?", "zh")
    'Which idiom?'
    >>> say({"en": "Which idiom?", "zh": "哪个成语？"}, "zh")
    '哪个成语？'
    """
    if isinstance(words, str):
        return words
    return words.get(language) or words.get("en") or next(iter(words.values()), "")


def without_stop(words: Words) -> Words:
    """A text of the study without the stop at its end, to stand inside a sentence.

    >>> without_stop("One is better."), without_stop({"zh": "更好。"})
    ('One is better', {'zh': '更好'})
    """
    if isinstance(words, str):
        return words.rstrip(".。 ")
    return {language: text.rstrip(".。 ") for language, text in words.items()}


def capital(name: str) -> str:
    """A name as it stands at the head of a column: its other letters stay as they are.

    >>> capital("model"), capital("LP"), capital("iPhone")
    ('Model', 'LP', 'IPhone')
    """
    return name[:1].upper() + name[1:]


def languages_of(texts: Iterable[Words]) -> tuple[str, ...]:
    """The languages that these texts are written in, English alone where none is named."""
    named = {language: None for words in texts if not isinstance(words, str) for language in words}
    return tuple(named) or ("en",)


@cache
def translation(language: str) -> gettext.NullTranslations:
    """The interface's catalogue for a language; English is the text in the code."""
    return gettext.translation("quorate", _CATALOGUES, languages=[language], fallback=True)


def choose(accepted: str, offered: Sequence[str]) -> str:
    """The first offered language that a browser's Accept-Language header asks for, else the first offered.

    >>> choose("zh-CN,zh;q=0.9,en;q=0.8", ["en", "zh"])
    'zh'
    >>> choose("fr", ["en", "zh"])
    'en'
    """
    wishes = []
    for part in accepted.split(","):
        tag, _, quality = part.replace(" ", "").partition(";q=")
        try:
            wishes.append((float(quality or 1), tag.split("-")[0].lower()))
        except ValueError:
            continue
    wishes = [wish for wish in wishes if wish[0] > 0]  # 0 means: not this one
    for _, language in sorted(wishes, key=lambda wish: -wish[0]):
        if language in offered:
            return language
    return offered[0]


def noted(text: str) -> str:
    """Marks a text for the catalogue where it is written; it is translated where it is shown."""
    return text
