"""Open answers in one form: named, ordered steps, and a variant map read in both directions."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence

from quorate.languages import noted


def lowercase(text: str) -> str:
    """
    >>> lowercase("Break The Ice")
    'break the ice'
    """
    return text.casefold()


def no_articles(text: str) -> str:
    """
    >>> no_articles("a bull in a china shop")
    'bull in china shop'
    """
    return _ARTICLES.sub("", text)


def no_punctuation(text: str) -> str:
    """Removes punctuation; a hyphen or dash between words becomes a space.

    >>> no_punctuation("it's raining cats-and-dogs!")
    'its raining cats and dogs'
    """
    return text.translate(_WITHOUT_PUNCTUATION)


_ARTICLES = re.compile(r"\b(a|an|the)\b(?!['’])\s*", re.IGNORECASE)
_DASH = re.compile(r"[-‐-―/_]")


class _WithoutPunctuation(dict[int, str]):
    """What becomes of each character; looked up once for each that ever comes."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        is_punctuation = unicodedata.category(character)[0] in "PS"
        self[code] = " " if _DASH.match(character) else "" if is_punctuation else character
        return self[code]


_WITHOUT_PUNCTUATION = _WithoutPunctuation()


STEPS: Mapping[str, Callable[[str], str]] = {
    noted("lowercase"): lowercase,
    noted("no articles"): no_articles,
    noted("no punctuation"): no_punctuation,
}


def canonical(text: str, steps: Sequence[str]) -> str:
    """The text after each step in turn; white space always becomes one space.

    >>> canonical("  The Ball is in YOUR court! ", ["lowercase", "no articles", "no punctuation"])
    'ball is in your court'
    """
    # Two texts that look the same should be the same: full-width letters, ligatures, composed accents.
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    for step in steps:
        text = STEPS[step](text)
    return " ".join(text.split())


def as_seen(text: str) -> str:
    """The text without what an eye cannot see: two texts that give the same look the same on a page.

    >>> as_seen("Cafe\\u0301  Noir ") == as_seen("Caf\\u00e9 Noir"), as_seen("C") == as_seen("C#")
    (True, False)
    """
    visible = "".join(character for character in text if unicodedata.category(character) != "Cf")
    return " ".join(unicodedata.normalize("NFC", visible).split())


def as_read(text: str) -> str:
    """The text without what is easily overlooked: its case, a leading article, and the punctuation at a word's end.

    >>> as_read("The Ball is in your court!") == as_read("ball is in Your Court"), as_read("< 10") == as_read(">= 10")
    (True, False)
    """
    words = [word.strip('.,;:!?"“”…') or word for word in as_seen(text).casefold().split()]
    return " ".join(words[1:] if words[:1] in (["a"], ["an"], ["the"]) and words[1:] else words)


class Variants:
    """Which phrasings stand for the same idiom: {form: [other forms]}, read in both directions.

    >>> variants = Variants({"the ball is in your court": ["ball is in someone's court"]}, ["lowercase", "no articles"])
    >>> variants.same("ball is in your court", "ball is in someone's court")
    True
    """

    def __init__(self, mapping: Mapping[str, Sequence[str]], steps: Sequence[str]):
        self._group: dict[str, str] = {}
        for form, others in mapping.items():
            names = [canonical(name, steps) for name in (form, *others)]
            # Lists that share a form are one group.
            groups = {self._group.get(name, name) for name in names}
            head = min(groups)
            for name in (*names, *(known for known, group in self._group.items() if group in groups)):
                self._group[name] = head

    def same(self, one: str, other: str) -> bool:
        """Whether two canonical forms stand for the same thing."""
        return self._group.get(one, one) == self._group.get(other, other)

    def forms(self, form: str) -> list[str]:
        """Every canonical form that stands for the same thing, itself included."""
        group = self._group.get(form, form)
        return sorted({form, *(name for name, head in self._group.items() if head == group)})
