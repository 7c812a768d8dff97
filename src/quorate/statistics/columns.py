"""Columns of values as they come from people: told apart from what is missing, and never guessed at."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.languages import noted
from quorate.messages import Message, Text, Word

from ..errors import DataError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

#: What values that go together are called: `messages.naming` says what they are in a study.
CLUSTERS: dict[str, Text] = {"group": Word(noted("cluster")), "groups": Word(noted("clusters"))}
#: How an interval is made that speaks of new raters as well: `crossed.crossed_mean`.
NEW_RATERS = Message("for new raters and new {groups}, t with {df} degrees of freedom", **CLUSTERS)
LARGEST = 1e100  # its square is still a number; no rating, score or time comes near


def is_missing(value: Any) -> bool:
    """No value: None, NaN (or a table's NA), or an empty text.

    >>> [is_missing(v) for v in (None, float("nan"), "", " ", 0, False, "no")]
    [True, True, True, True, False, False, False]
    """
    if value is None:
        return True
    if isinstance(value, str):
        return not value.strip()
    try:
        return bool(value != value)
    except (TypeError, ValueError):  # pandas.NA refuses to be true or false, and that is its way of being missing
        return True


def listed(values: Iterable[Any], name: str) -> list[Any]:
    """A column as a list; a table or a single value in its place is refused with a sentence."""
    if isinstance(values, str):
        return list(values)  # "yyn" is a column of three letters, as in the docs' examples
    if not isinstance(values, Iterable):
        raise DataError(f"{name}: expected a column of values, got {values!r}. Put it in a list.")
    column = values.tolist() if hasattr(values, "tolist") else list(values)
    if column and isinstance(column[0], list | tuple):
        raise DataError(f"{name}: expected one column of values, got a table with {len(column[0])} columns.")
    return column


def rows_of(table: Any, name: str) -> list[Any]:
    """A table's rows (or a column's values) as a list; what cannot be gone through is refused with a sentence."""
    if isinstance(table, str | bytes) or not isinstance(table, Iterable):
        raise DataError(f"{name}: expected a table or a list, got {table!r}.")
    return table.tolist() if hasattr(table, "tolist") else list(table)


def numbers(values: Iterable[Any], name: str) -> Floats:
    """A column of numbers with NaN where there is no value; text and infinities are refused.

    >>> numbers([1, None, 2.5], "x")
    array([1. , nan, 2.5])
    """
    column: Any = values if _plain_numbers(values) else listed(values, name)
    try:
        out = np.array(column, dtype=float)
    except (TypeError, ValueError, OverflowError):
        out = np.array([_number(value, f"{name}[{place}]") for place, value in enumerate(column)])
    if (np.abs(out) > LARGEST).any():
        place = int(np.argmax(np.abs(out) > LARGEST))
        raise DataError(
            Message(
                "{column}: {value} is too large to calculate with; leave it empty if unknown",
                column=f"{name}[{place}]", value=repr(column[place]),
            )
        )  # fmt: skip
    return out


def _plain_numbers(values: Any) -> bool:
    return isinstance(values, np.ndarray) and values.ndim == 1 and values.dtype.kind in "iufb"


def _number(value: Any, where: str) -> float:
    if is_missing(value):
        return np.nan
    try:
        return float(value)
    except (TypeError, ValueError):
        raise DataError(f"{where}: {value!r} is not a number.") from None


def same_length(**columns: Sequence[Any] | NDArray[Any]) -> int:
    """How many rows the columns have; they must all have as many."""
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name} has {n}" for name, n in lengths.items())
        raise DataError(f"The columns must be equally long: {told}.")
    return next(iter(lengths.values()))


def coded(labels: Iterable[Any], name: str) -> tuple[list[Hashable], Ints]:
    """The distinct labels in order of appearance, and each row's place among them (-1 where there is none).

    >>> coded(["b", "a", None, "b"], "group")
    (['b', 'a'], array([ 0,  1, -1,  0]))
    """
    if _plain_numbers(labels):
        return _coded_numbers(np.asarray(labels))
    places: dict[Hashable, int] = {}
    column = listed(labels, name)
    codes = np.array([-1 if is_missing(v) else places.setdefault(v, len(places)) for v in column], dtype=np.int64)
    return list(places), codes


def coded_in_order(labels: Iterable[Any], name: str) -> tuple[list[Hashable], Ints]:
    """As `coded`, with the labels sorted, so that the order of rows does not show.

    >>> coded_in_order(["b", "a", None, "b"], "group")
    (['a', 'b'], array([ 1,  0, -1,  1]))
    """
    names, codes = coded(labels, name)
    order = sorted(range(len(names)), key=lambda place: (str(type(names[place])), names[place]))
    rank = np.full(len(names) + 1, -1)
    rank[order] = np.arange(len(names))
    return [names[place] for place in order], rank[codes]


def dense(codes: NDArray[Any]) -> Ints:
    """Each code's place among those that occur, in order: whole numbers in a small range need no sorting.

    >>> dense(np.array([7, 3, 7, 4]))
    array([2, 0, 2, 1])
    """
    span = _span(codes)
    if span is None:
        return np.unique(codes, return_inverse=True)[1]
    low, width = span
    shifted = codes.astype(np.int64) - low
    seen = np.zeros(width, bool)
    seen[shifted] = True
    return (np.cumsum(seen) - 1)[shifted]


def distinct(codes: NDArray[Any]) -> NDArray[Any]:
    """The codes that occur, in order.

    >>> distinct(np.array([7, 3, 7, 4]))
    array([3, 4, 7])
    """
    span = _span(codes)
    if span is None:
        return np.unique(codes)
    seen = np.zeros(span[1], bool)
    seen[codes.astype(np.int64) - span[0]] = True
    return np.flatnonzero(seen) + span[0]


def _span(codes: NDArray[Any]) -> tuple[int, int] | None:
    """The least code and how many there could be, where that is no more than a few for each row."""
    if codes.dtype.kind not in "iu" or not len(codes):
        return None
    low, high = int(codes.min()), int(codes.max())
    return (low, high - low + 1) if high - low <= 4 * len(codes) + 1000 else None


def _coded_numbers(labels: NDArray[Any]) -> tuple[list[Hashable], Ints]:
    span = _span(labels)
    if span is not None:
        return _coded_in_span(labels, *span)
    known = ~np.isnan(labels) if labels.dtype.kind == "f" else np.ones(len(labels), bool)
    values, first, place = np.unique(labels[known], return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    codes = np.full(len(labels), -1, np.int64)
    codes[known] = rank[place]
    return values[order].tolist(), codes


def _coded_in_span(labels: NDArray[Any], low: int, width: int) -> tuple[list[Hashable], Ints]:
    shifted, rows = labels.astype(np.int64) - low, np.arange(len(labels))
    first = np.empty(width, np.int64)
    # Backwards, so that of several writes to one place the first row's stays.
    first[shifted[::-1]] = rows[::-1]
    values = shifted[first[shifted] == rows]
    rank = np.empty(width, np.int64)
    rank[values] = np.arange(len(values))
    return (values + low).tolist(), rank[shifted]


def grouped(clusters: Iterable[Any] | None, kept: Bools) -> Ints:
    """Each kept row's group: its own when no clusters are given, else its cluster's place."""
    if clusters is None:
        return np.arange(int(kept.sum()))
    names, codes = coded(clusters, "clusters")
    same_length(clusters=codes, values=kept)
    if (codes[kept] < 0).any():
        raise DataError("clusters: a row with values has no cluster. Give every item a group, or leave the row out.")
    del names
    return dense(codes[kept])


def of_groups(statistic: Callable[[Floats], Floats], groups: Ints) -> Callable[[Floats], Floats]:
    """The statistic as a function of the groups' weights, given it as one of the rows' weights."""

    def of_group_weights(weights: Floats) -> Floats:
        step = max(1, 4_000_000 // max(1, len(groups)))  # at most 32 MB of row weights at once
        return np.concatenate(
            [statistic(weights[start : start + step, groups]) for start in range(0, len(weights), step)]
        )

    return of_group_weights


def jackknife_se(left_out_one: Floats) -> float:
    """Standard error from leave-one-group-out values: sqrt((n - 1) / n sum (v - mean)^2); NaN if one is undefined."""
    n = len(left_out_one)
    return float(np.sqrt((n - 1) / n * np.sum((left_out_one - left_out_one.mean()) ** 2)))
