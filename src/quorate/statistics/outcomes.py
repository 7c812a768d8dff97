"""What a comparison of two came to: win, tie or loss of the first, read from words or signs."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np

from ..errors import DataError, did_you_mean
from .columns import Floats, Ints, coded, dense, is_missing, listed, rows_of

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
    signs, sizes, wide = _signs(outcomes)
    labels = np.arange(len(sizes)) if clusters is None else clusters
    _, codes = coded(labels, "clusters")
    if len(codes) != len(sizes):
        raise DataError(f"clusters has {len(codes)} entries, but there are {len(sizes)} items. Give one for each.")
    groups = np.repeat(codes, sizes)
    answered = ~np.isnan(signs)
    if (groups[answered] < 0).any():
        raise DataError("clusters: an answered item has no cluster. Give every item a group, or leave the row out.")
    places = dense(groups[answered]) if answered.any() else np.zeros(0, np.int64)
    return signs[answered], places, int((~answered).sum()), wide or clusters is not None


def _signs(outcomes: Any) -> tuple[Floats, Ints, bool]:
    """The sign of every outcome, how many each item has, and whether the items are rows of a table."""
    if isinstance(outcomes, np.ndarray) and outcomes.dtype.kind in "iuf" and outcomes.ndim in (1, 2):
        wide = outcomes.ndim == 2
        return np.sign(outcomes.astype(float)).ravel(), np.full(len(outcomes), outcomes.shape[1] if wide else 1), wide
    rows = listed(outcomes, "outcomes") if isinstance(outcomes, str) else rows_of(outcomes, "outcomes")
    wide = bool(rows) and isinstance(rows[0], list | tuple | np.ndarray)
    if wide and not all(isinstance(row, list | tuple | np.ndarray) for row in rows):
        raise DataError("outcomes: some rows are lists and some are not; give one list for each item.")
    table = [list(row) for row in rows] if wide else [[value] for value in rows]
    known: dict[Any, float] = {}
    signs = []
    for place, row in enumerate(table):
        for value in row:
            key = (type(value), value) if isinstance(value, Hashable) else None
            if key not in known:
                sign = sign_of(value, f"outcomes[{place}]")
                if key is None:
                    signs.append(sign)
                    continue
                known[key] = sign
            signs.append(known[key])
    return np.array(signs, float), np.array([len(row) for row in table], np.int64), wide
