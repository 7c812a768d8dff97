"""Models behind one function each: text → vectors, image + text → score.

`text_encoder("auto")` takes sentence embeddings where their weights are installed, else letters; what was used is
part of the result, so that a plan can record it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from quorate.encoders.base import TextEncoder
from quorate.encoders.cached import Cached
from quorate.encoders.lexical import Lexical
from quorate.encoders.places import cache_folder
from quorate.encoders.sentences import is_minilm_here, minilm, named

Name = Literal["auto", "minilm", "lexical"]


def text_encoder(name: Name | str = "auto") -> TextEncoder:
    """The encoder of this name, or the model of this id; a StudyError says how to install one that is not there."""
    if name == "lexical" or (name == "auto" and not is_minilm_here()):
        return Lexical()
    return _sentences(name, str(cache_folder()))


@lru_cache(maxsize=4)
def _sentences(name: str, _cache: str) -> TextEncoder:
    # One a process: the model takes a second to load and a hundred megabytes to hold.
    return Cached(minilm() if name in ("auto", "minilm") else named(name))


__all__ = ["Name", "TextEncoder", "text_encoder"]
