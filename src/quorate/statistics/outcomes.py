"""What a comparison of two came to: win, tie or loss of the first, read from words or signs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..errors import DataError, did_you_mean
from .columns import Floats, Ints, coded, is_missing

WIN = ("win", "won", "wins", "better", "much better", "a", "first", "left", "model a")
TIE = ("tie", "tied", "same", "equal", "draw", "about the same", "no preference", "both")
LOSS = ("loss", "lost", "lose", "loses", "worse", "much worse", "b", "second", "right", "model b")
_SIGN = {word: sign for words, sign in ((WIN, 1.0), (TIE, 0.0), (LOSS, -1.0)) for word in words}


def sign_of(value: Any, where: str) -> float:
    """+1 for a win of the first, 0 for a tie, -1 for a loss, NaN where there is no answer; numbers go by their sign.

    >>> [sign_of(v, "outcomes") for v in ("Win", "same", "much worse", 2, -1, True, False)]
    [1.0, 0.0, -1.0, 1.0, -1.0, 1.0, -1.0]
    """
    if is_missing(value):
        return np.nan
    if isinstance(value, bool | np.bool_):
        return 1.0 if value else -1.0
    if isinstance(value, str):
        word = " ".join(value.lower().replace("_", " ").split())
        if word not in _SIGN:
            hint = did_you_mean(word, _SIGN)
            raise DataError(f"{where}: {value!r} is not an outcome. Use 'win', 'tie', 'loss' or a signed number.{hint}")
        return _SIGN[word]
    try:
        return float(np.sign(float(value)))
    except (TypeError, ValueError):
        raise DataError(f"{where}: {value!r} is not an outcome. Use 'win', 'tie', 'loss' or a number.") from None


def read_outcomes(outcomes: Iterable[Any], clusters: Iterable[Any] | None) -> tuple[Floats, Ints, int, bool]:
    """Signs and groups of the answered rows, how many had no answer, and whether a group may hold several.

    A table (rows = items, columns = raters) is grouped by item, or by the item's cluster where those are given.
    """
    rows = outcomes.tolist() if hasattr(outcomes, "tolist") else list(outcomes)
    wide = bool(rows) and isinstance(rows[0], list | tuple | np.ndarray)
    table = [list(row) for row in rows] if wide else [[value] for value in rows]
    labels = range(len(table)) if clusters is None else clusters
    _, codes = coded(labels, "clusters")
    if len(codes) != len(table):
        raise DataError(f"clusters has {len(codes)} entries, but there are {len(table)} items. Give one for each.")
    signs = np.array([sign_of(v, f"outcomes[{i}]") for i, row in enumerate(table) for v in row])
    groups = np.repeat(codes, [len(row) for row in table])
    answered = ~np.isnan(signs)
    if (groups[answered] < 0).any():
        raise DataError("clusters: an answered item has no cluster. Give every item a group, or leave the row out.")
    places = np.unique(groups[answered], return_inverse=True)[1] if answered.any() else np.zeros(0, np.int64)
    return signs[answered], places, int((~answered).sum()), wide or clusters is not None
