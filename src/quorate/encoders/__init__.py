"""Models behind one function each: text → vectors, image + text → score.

An encoder is always named, so that the same study gives the same plan and the same scores on every machine; what was
used is part of the result.
"""

from __future__ import annotations

from functools import lru_cache

from quorate.encoders.base import TextEncoder
from quorate.encoders.cached import Cached
from quorate.encoders.lexical import Lexical
from quorate.encoders.places import cache_folder
from quorate.encoders.sentences import minilm, named


def text_encoder(name: str) -> TextEncoder:
    """`minilm`, `lexical`, or the model of this id; a StudyError says how to install one that is not there."""
    if name == "lexical":
        return Lexical()
    return _sentences(name, str(cache_folder()))


@lru_cache(maxsize=4)
def _sentences(name: str, _cache: str) -> TextEncoder:
    # One a process: the model takes a second to load and a hundred megabytes to hold.
    return Cached(minilm() if name == "minilm" else named(name))


__all__ = ["TextEncoder", "text_encoder"]
