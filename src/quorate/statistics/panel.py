"""A judge beside a panel of people: the same items, the same categories, read once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.messages import Message

from ..errors import DataError
from .coding import Codes, as_array, code
from .columns import Bools, Floats, Ints, coded, dense, listed, rows_of
from .engine import Sums

NOTHING_SHARED = Message("no item was answered by the judge, this person and another")


@dataclass(frozen=True)
class Panel:
    """Codes (-1: no answer) of the judge and of each person, item by item, and each item's group."""

    categories: tuple[Any, ...]
    judge: Codes
    people: Codes  # people x items
    names: tuple[Any, ...]
    groups: Ints

    @cached_property
    def votes(self) -> Floats:
        """Items x categories: how many of all people chose each."""
        return np.stack([(self.people == k).sum(axis=0) for k in range(len(self.categories))], axis=1).astype(float)

    def rest(self, place: int) -> Floats:
        """Items x categories: how many of the other people chose each."""
        # All votes without one person's: counting the others anew for everybody would cost people squared.
        others, own = self.votes.copy(), self.people[place]
        answered = np.flatnonzero(own >= 0)
        others[answered, own[answered]] -= 1
        return others

    def clear(self) -> Bools:
        """Items on which more than half of the people gave one answer."""
        return np.asarray(self.votes.max(axis=1, initial=0) * 2 > self.votes.sum(axis=1))

    def only(self, items: Bools) -> Panel:
        """The same panel on some of the items."""
        return Panel(self.categories, self.judge[items], self.people[:, items], self.names, self.groups[items])

    def numbers(self) -> Floats:
        """The categories as numbers."""
        try:
            return np.array([float(c) for c in self.categories])
        except (TypeError, ValueError):
            raise DataError("These answers are not numbers; compare them by scoring='accuracy'.") from None


def read_panel(judge: Any, people: Any, categories: Iterable[Any] | None = None, clusters: Any = None) -> Panel:
    """A panel from a column and a table (rows = items, columns = people), or from mappings by item.

    The mappings are {item: answer} for the judge and {person: {item: answer}} for the people.

    >>> read_panel({"x": "y", "z": "n"}, {"ann": {"x": "y"}, "bob": {"x": "n", "z": "n"}}).people.tolist()
    [[1, -1], [0, 0]]
    """
    if isinstance(judge, Mapping):
        items, column, table, names = _by_item(judge, people)
        if isinstance(clusters, Mapping):
            clusters = [clusters.get(item) for item in items]
    else:
        column = listed(judge, "judge")
        table, names = _by_person(people, len(column))
    codes, found = code(as_array([column, *table]), categories)
    groups = np.arange(len(column))
    if clusters is not None:
        _, groups = coded(clusters, "clusters")
        if len(groups) != len(column) or (groups < 0).any():
            raise DataError(f"clusters: give one label for each of the {len(column)} items.")
    return Panel(found, codes[0], codes[1:], names, groups)


def _by_item(judge: Mapping[Any, Any], people: Any) -> tuple[list[Any], list[Any], list[list[Any]], tuple[Any, ...]]:
    if not (isinstance(people, Mapping) and all(isinstance(answers, Mapping) for answers in people.values())):
        raise DataError("The judge's answers are by item, so the people's must be too: {person: {item: answer}}.")
    items = list(dict.fromkeys([*judge, *(item for answers in people.values() for item in answers)]))
    table = [[answers.get(item) for item in items] for answers in people.values()]
    return items, [judge.get(item) for item in items], table, tuple(people)


def _by_person(people: Any, n: int) -> tuple[list[list[Any]], tuple[Any, ...]]:
    if hasattr(people, "columns") or isinstance(people, Mapping):
        names = tuple(people.columns if hasattr(people, "columns") else people)
        table = [listed(people[name], str(name)) for name in names]
    else:
        rows = rows_of(people, "people")
        if not rows or not all(isinstance(row, list | tuple | np.ndarray) for row in rows):
            raise DataError("The people's answers are not a table; give a row for each item, a column for each person.")
        if len({len(row) for row in rows}) > 1:
            raise DataError("The rows of the people's answers differ in length; put None where a person gave none.")
        table = [list(column) for column in zip(*rows, strict=True)]
        names = tuple(range(1, len(table) + 1))
    if any(len(column) != n for column in table):
        raise DataError(f"The judge answered {n} items and the people {len(table[0])}; they must be the same items.")
    if len(table) < 2:
        raise DataError("One person cannot be compared with the rest; the panel needs at least two people.")
    return table, names


def by_group(table: Floats, groups: Ints, value: Any) -> Sums:
    """A function of column sums, resampled by the groups of its rows."""
    places = dense(groups)
    plain = Sums(table, np.ones(len(table), np.int64), value)
    return plain if len(np.unique(places)) == len(places) else plain.by_cluster(np.arange(len(places)), places)


def mean_of_ratios(totals: NDArray, people: int) -> NDArray:
    """The mean over people of (their sum / their number), from totals laid out as all sums, then all numbers."""
    return (totals[..., :people] / totals[..., people:]).mean(axis=-1)
