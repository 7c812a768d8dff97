"""Texts as lines of a page hold them: long names may break, and names from right to left turn nothing beside them."""

from __future__ import annotations

import re

#: A run of more letters than this without a space would not fit a column; it may break after so many.
LONGEST_RUN, BREAKS_AFTER = 24, 10
#: Hebrew, Arabic and their like, with the spaces between their words.
RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+(?: [\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+)*")
#: Letters one after the other, but for Chinese ones, between which any line may break.
UNBROKEN = re.compile(rf"(?:(?![\u2e80-\u9fff\uf900-\ufaff])\w){{{LONGEST_RUN + 1},}}")
FIRST_STRONG_ISOLATE, POP_ISOLATE, MAY_BREAK = "\u2068", "\u2069", "\u200b"


def isolated(text: str) -> str:
    """A text in which what is read from right to left leaves the order of all beside it as it is.

    >>> isolated("first")
    'first'
    >>> isolated("דגם (1.29)") == "\u2068דגם\u2069 (1.29)"
    True
    """
    return RIGHT_TO_LEFT.sub(lambda found: f"{FIRST_STRONG_ISOLATE}{found[0]}{POP_ISOLATE}", text)


def breakable(text: str) -> str:
    """A text whose runs of letters may break where none would fit a line.

    >>> len(breakable("x" * 80)), breakable("a name of some words")
    (87, 'a name of some words')
    """
    return UNBROKEN.sub(lambda found: _in_parts(found[0]), text)


def unbroken(text: str) -> bool:
    """Whether a text has a run of letters that would not fit a column.

    >>> unbroken("x" * 80), unbroken("a name of some words")
    (True, False)
    """
    return UNBROKEN.search(text) is not None


def _in_parts(run: str) -> str:
    return MAY_BREAK.join(run[at : at + BREAKS_AFTER] for at in range(0, len(run), BREAKS_AFTER))
