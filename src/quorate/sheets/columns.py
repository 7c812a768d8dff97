"""Answers in columns: a million rows are read once, and every statistic works on arrays of places."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.records import Answer

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Rows:
    """Answers that have a value: `item` and `who` are places among the sheet's items and these names."""

    answers: NDArray[Any]
    item: Ints
    who: Ints
    names: tuple[str, ...]
    #: The values where they are not the answers' own: a score made of several answers.
    values: Floats | None = None

    def __len__(self) -> int:
        return len(self.answers)

    def where(self, kept: Bools, places: Ints | None = None) -> Rows:
        """Some of the rows; `places` gives each item's new place."""
        item = self.item[kept]
        values = None if self.values is None else self.values[kept]
        return Rows(self.answers[kept], item if places is None else places[item], self.who[kept], self.names, values)

    def column(self, name: str) -> list[Any]:
        """One field of every answer."""
        if name == "value" and self.values is not None:
            return self.values.tolist()
        held = self._columns
        if name not in held:
            held[name] = list(map(attrgetter(name), self.answers.tolist()))
        return held[name]

    @cached_property
    def _columns(self) -> dict[str, list[Any]]:
        return {}


@dataclass(frozen=True, eq=False)
class Reading:
    """Answers as categories: `code` is a place among the labels; `declared` says that the labels are all there are."""

    item: Ints
    who: Ints
    code: Ints
    labels: tuple[Any, ...]
    declared: bool = False
    #: The label that each label is when the two systems of an item change places; empty where that means nothing.
    mirror: Mapping[Any, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.code)

    def where(self, kept: Bools, places: Ints | None = None) -> Reading:
        """Some of the rows; `places` gives each item's new place."""
        item = self.item[kept]
        item = item if places is None else places[item]
        return Reading(item, self.who[kept], self.code[kept], self.labels, self.declared, self.mirror)

    def joined(self, other: Reading) -> Reading:
        """The rows of both; the labels have to be the same."""
        assert self.labels == other.labels
        pairs = ((self.item, other.item), (self.who, other.who), (self.code, other.code))
        item, who, code = (np.concatenate(pair) for pair in pairs)
        return Reading(item, who, code, self.labels, self.declared)

    def table(self, n_items: int) -> Floats:
        """Rows of items and as many columns as an item has answers at most: codes, or NaN where there is none.

        A column is a place, not a rater: for coefficients that do not ask who rated.
        """
        order = np.lexsort((self.who, self.item))
        item = self.item[order]
        starts = np.searchsorted(item, np.arange(n_items))
        place = np.arange(len(item)) - starts[item] if len(item) else item
        table = np.full((n_items, int(place.max(initial=-1)) + 1), np.nan)
        table[item, place] = self.code[order]
        return table

    def by_rater(self, n_items: int, n_raters: int) -> Floats:
        """Rows of items and columns of raters: codes, or NaN where there is none."""
        table = np.full((n_items, n_raters), np.nan)
        table[self.item, self.who] = self.code
        return table


def rows_of(answers: Sequence[Answer], places: dict[str, int], names: Iterable[str]) -> Rows:
    """The answers as rows, by item and then by name; of two by one rater on one item the newest counts."""
    listed = tuple(names)
    known = {name: place for place, name in enumerate(listed)}
    item = np.array(list(map(places.__getitem__, map(attrgetter("item"), answers))), np.int64)
    who = np.array(list(map(known.__getitem__, map(attrgetter("rater"), answers))), np.int64)
    held = np.empty(len(answers), object)
    held[:] = answers
    order = np.lexsort((np.arange(len(answers)), who, item))
    last = np.ones(len(answers), bool)
    if len(answers):
        cell = (item * max(len(listed), 1) + who)[order]
        last[:-1] = cell[1:] != cell[:-1]
    order = order[last]
    return Rows(held[order], item[order], who[order], listed)


def in_order(answers: Sequence[Answer]) -> Sequence[Answer]:
    """By the server's sequence; nothing is moved where they come in order."""
    numbers = np.array(list(map(attrgetter("seq"), answers)), np.int64)
    if bool((numbers[1:] >= numbers[:-1]).all()):
        return answers
    return [answers[place] for place in np.argsort(numbers, kind="stable")]


def coded(values: Iterable[Hashable], declared: Sequence[Any] = ()) -> tuple[Ints, tuple[Any, ...]]:
    """Each value's place among the labels: the declared ones in order, then others, sorted.

    >>> coded(["b", "a", "b"])
    (array([1, 0, 1]), ('a', 'b'))
    """
    listed = list(values)
    rest: set[Any] = set(listed) - set(declared)
    # Texts alone sort as they are, and a hundred thousand of them need no key each.
    others = sorted(rest) if all(type(label) is str for label in rest) else sorted(rest, key=_sorting)
    labels = (*declared, *others)
    places = {label: place for place, label in enumerate(labels)}
    return np.array(list(map(places.__getitem__, listed)), np.int64), labels


def mapped(values: Iterable[Any], function: Callable[[Any], Any]) -> list[Any]:
    """The function of each value, called once for each different value."""
    known: dict[Any, Any] = {}
    listed = list(values)
    try:
        for value in dict.fromkeys(listed):
            known[value] = function(value)
    except TypeError:
        # Values with parts (tags, marks by system) have no hash; their text has.
        keys = [repr(value) for value in listed]
        known = {key: function(value) for key, value in dict(zip(keys, listed, strict=True)).items()}
        return [known[key] for key in keys]
    return list(map(known.__getitem__, listed))


def _sorting(label: Any) -> tuple[int, float, str]:
    number = isinstance(label, int | float)
    return (0, float(label), "") if number else (1, 0.0, str(label))
