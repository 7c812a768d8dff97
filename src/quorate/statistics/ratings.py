"""Ratings in every form people have them, read once into one compact form.

>>> Ratings.read([["y", "y"], ["y", "n"], [None, "n"]])
Ratings(3 items, 2 raters, 5 ratings, categories n, y)
>>> Ratings.from_counts([[3, 0], [1, 2]], categories=["yes", "no"]).n_ratings
6
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import DataError
from quorate.messages import Message

from .coding import NONE, Codes, as_array, code, smallest_type
from .columns import coded, dense, is_missing, listed
from .patterns import Patterns, distinct_columns

LONG = ("item", "rater", "value")
CELLS = 2_000_000_000


@dataclass(frozen=True, eq=False)
class Ratings:
    """Who rated what, how: one line of small integers a rater; items without any rating are left out.

    `codes` is raters × items (−1: no rating), or None where a table of counts does not say who rated. `clusters`
    holds a group for each item, or None where every item stands for itself.
    """

    categories: tuple[Any, ...]
    codes: Codes | None
    tally: NDArray[np.int64] | None = None
    raters: tuple[Any, ...] = ()
    clusters: NDArray[np.int64] | None = None
    declared: bool = False
    empty_items: int = 0
    single_items: int = 0
    unpaired_items: int = 0
    #: How often each item stands here: twice, where its mirror image stands beside it.
    copies: int = 1

    @classmethod
    def read(cls, data: Any, categories: Iterable[Any] | None = None, clusters: Any = None) -> Ratings:
        """Ratings from a matrix (rows are items, columns raters), a long table, or ratings already read.

        A mapping or frame with the columns item, rater and value is a long table; any other is one column a rater,
        apart from a column named item or item_id. A list of (item, rater, value) tuples is recognised where the ids
        cannot be ratings; `from_long` is sure.
        """
        if isinstance(data, Ratings):
            return data._again(categories, clusters)
        if isinstance(data, str) or not (isinstance(data, Iterable) or hasattr(data, "__array__")):
            raise DataError("the ratings are not a table; give a row for each item and a column for each rater.")
        if hasattr(data, "columns") or isinstance(data, Mapping):
            columns = _columns(data)
            lower = {str(name).lower(): name for name in columns}
            if all(name in lower for name in LONG):
                return cls.from_long(*(columns[lower[name]] for name in LONG), categories=categories, clusters=clusters)
            wide = {name: column for name, column in columns.items() if str(name).lower() not in ("item", "item_id")}
            table = as_array([listed(column, str(name)) for name, column in wide.items()])
            return cls._from_codes(_two_dimensions(table), categories, clusters, tuple(wide))
        if _is_long(data):
            return cls.from_long(data, categories=categories, clusters=clusters)
        return cls.from_matrix(data, categories=categories, clusters=clusters)

    @classmethod
    def from_matrix(cls, data: Any, categories: Iterable[Any] | None = None, clusters: Any = None) -> Ratings:
        """Ratings from rows of items and columns of raters; None, NaN and empty text are no rating."""
        array = as_array(data if isinstance(data, np.ndarray | list | tuple) else list(data))
        return cls._from_codes(_two_dimensions(array).T, categories, clusters, ())

    @classmethod
    def from_pair(cls, a: Any, b: Any, categories: Iterable[Any] | None = None, clusters: Any = None) -> Ratings:
        """Two raters' columns, item by item."""
        numeric = all(isinstance(c, np.ndarray) and c.ndim == 1 and c.dtype.kind in "iufb" for c in (a, b))
        left, right = (a, b) if numeric else (listed(a, "a"), listed(b, "b"))
        if len(left) != len(right):
            raise DataError(f"the first rater has {len(left)} ratings and the second {len(right)}; they must match.")
        table = np.stack([left, right]) if numeric else [left, right]
        return cls._from_codes(as_array(table), categories, clusters, ("a", "b"))

    @classmethod
    def from_long(
        cls,
        items: Any,
        raters: Any = None,
        values: Any = None,
        *,
        categories: Iterable[Any] | None = None,
        clusters: Any = None,
    ) -> Ratings:
        """Ratings from one row a rating: three columns, or one table of (item, rater, value).

        `clusters` is a mapping from item to group, one label a row, or one label an item in order of appearance.
        """
        if raters is None:
            items, raters, values = _three_columns(items)
        item_names, item = coded(items, "item")
        rater_names, rater = coded(raters, "rater")
        answers = listed(values, "value")
        if not len(item) == len(rater) == len(answers):
            raise DataError(f"the long table has {len(item)} items, {len(rater)} raters and {len(answers)} values.")
        if (item < 0).any() or (rater < 0).any():
            raise DataError(f"row {int(np.argmax((item < 0) | (rater < 0))) + 1} names no item or no rater.")
        if len(item_names) * len(rater_names) > CELLS:
            raise DataError(
                Message("the table has too many items × raters to hold; compare groups of raters, or use counts")
            )
        given, names = code(as_array(answers), categories)
        codes = np.full((len(rater_names), len(item_names)), NONE, given.dtype)
        rated = given != NONE
        cells = rater[rated].astype(np.int64) * len(item_names) + item[rated]
        _refuse_twice(cells, item_names, rater_names)
        codes.ravel()[cells] = given[rated]
        labels = _long_clusters(clusters, item_names, item)
        order = sorted(range(len(rater_names)), key=lambda at: str(rater_names[at]))
        whole = cls(names, codes[order], raters=tuple(rater_names[at] for at in order), declared=categories is not None)
        return whole._finish(labels)

    @classmethod
    def from_counts(cls, table: Any, categories: Iterable[Any] | None = None, clusters: Any = None) -> Ratings:
        """Ratings from a row for each item and a column for each category: how many raters chose it."""
        counts = _whole_numbers(table, "table of counts")
        names = tuple(range(1, counts.shape[1] + 1)) if categories is None else tuple(categories)
        if len(names) != counts.shape[1]:
            raise DataError(f"the table of counts has {counts.shape[1]} columns for {len(names)} categories.")
        return cls(names, None, tally=np.ascontiguousarray(counts), declared=True)._finish(clusters)

    @classmethod
    def from_contingency(cls, table: Any, categories: Iterable[Any] | None = None) -> Ratings:
        """Two raters' ratings from a square table: rows are the first rater's categories, columns the second's."""
        counts = _whole_numbers(table, "contingency table")
        if counts.shape[0] != counts.shape[1]:
            raise DataError(f"the contingency table is {counts.shape[0]} × {counts.shape[1]}; it must be square.")
        q = len(counts)
        names = tuple(range(1, q + 1)) if categories is None else tuple(categories)
        if len(names) != q:
            raise DataError(f"the contingency table has {q} categories and categories= names {len(names)}.")
        cells = np.repeat(np.arange(q * q), counts.ravel())
        codes = np.stack([cells // q, cells % q]).astype(smallest_type(q))
        return cls(names, codes, raters=("a", "b"), declared=True)

    @classmethod
    def _from_codes(cls, lines: NDArray[Any], categories: Any, clusters: Any, raters: tuple[Any, ...]) -> Ratings:
        codes, names = code(lines, categories)
        raters = raters or tuple(range(1, len(codes) + 1))
        present = [at for at, line in enumerate(codes) if (line >= 0).any()]
        if len(present) < len(codes):
            codes, raters = codes[present], tuple(raters[at] for at in present)
        codes = np.ascontiguousarray(codes)
        return cls(names, codes, raters=raters, declared=categories is not None)._finish(clusters)

    def _finish(self, clusters: Any) -> Ratings:
        """Check the clusters and leave out the items that nobody rated."""
        n = self.n_items
        labels = None
        if clusters is not None:
            _, labels = coded(clusters, "clusters")
            if len(labels) != n:
                raise DataError(f"clusters= has {len(labels)} labels for {n} items; give one label for each item.")
        rated = self.per_item > 0
        if rated.all():
            kept = self
        else:
            codes = None if self.codes is None else np.ascontiguousarray(self.codes[:, rated])
            tally = None if self.tally is None else self.tally[rated]
            kept = replace(self, codes=codes, tally=tally, empty_items=int(n - rated.sum()))
        if labels is None:
            return kept
        if (labels[rated] < 0).any():
            raise DataError("clusters= has no label for a rated item; give every item a group.")
        return replace(kept, clusters=dense(labels[rated]))

    def _again(self, categories: Iterable[Any] | None, clusters: Any) -> Ratings:
        if categories is not None and tuple(categories) != self.categories:
            raise DataError("these ratings already have their categories; declare them where the ratings are read.")
        return self if clusters is None else replace(self, clusters=None)._finish(clusters)

    @property
    def n_items(self) -> int:
        return self.codes.shape[1] if self.codes is not None else len(self.tally)  # type: ignore[arg-type]

    @property
    def n_raters(self) -> int:
        return len(self.by_rater)

    @property
    def by_rater(self) -> Codes:
        """Raters × items, for coefficients that ask who rated."""
        if self.codes is None:
            raise DataError("a table of counts does not say who gave which rating; give a row for each item instead.")
        return self.codes

    @cached_property
    def per_item(self) -> NDArray[np.int64]:
        """How many ratings each item has."""
        if self.codes is None:
            assert self.tally is not None
            return self.tally.sum(axis=1)
        total: NDArray[Any] = np.zeros(self.n_items, np.int16 if len(self.codes) < 32_000 else np.int64)
        for line in self.codes:
            total += line >= 0
        return total

    @cached_property
    def n_ratings(self) -> int:
        return int(self.per_item.sum(dtype=np.int64))

    @cached_property
    def numbers(self) -> NDArray[np.float64]:
        """The categories as numbers, for statistics that calculate with them."""
        for category in self.categories:
            if not isinstance(category, Real):
                raise DataError(
                    Message(
                        "the category {category} is not a number; this statistic needs numeric ratings",
                        category=repr(category),
                    )
                )
        return np.array(self.categories, float)

    @property
    def ordered(self) -> bool:
        """Whether the order of the categories is known: they were declared, or they are numbers."""
        return self.declared or all(isinstance(c, Real) for c in self.categories)

    @cached_property
    def rater_patterns(self) -> Patterns:
        """The different rows of who said what: codes + 1, with 0 for no rating."""
        return distinct_columns(self.by_rater + 1, len(self.categories) + 1)

    @cached_property
    def count_patterns(self) -> Patterns:
        """The different rows of how many raters chose each category."""
        if self.tally is not None:
            return distinct_columns(self.tally.T, int(self.tally.max(initial=0)) + 1)
        raw = self.rater_patterns
        if len(raw.rows) * 2 > self.n_items:
            return distinct_columns(self._counts(self.by_rater), self.n_raters + 1)
        counts = distinct_columns(self._counts(raw.rows.T - 1), self.n_raters + 1)
        place = counts.index()
        total = np.bincount(place, weights=raw.count, minlength=len(counts.rows)).astype(np.int64)
        return replace(counts, count=total)

    def _counts(self, codes: NDArray[Any]) -> NDArray[np.int64]:
        q = len(self.categories)
        if q * codes.shape[1] > CELLS // 10:
            raise DataError(
                Message(
                    "{n} different values in {items} items are too many to count as categories", n=q,
                    items=codes.shape[1],
                )
            )  # fmt: skip
        at = np.arange(codes.shape[1])
        cells = np.concatenate([line[line >= 0].astype(np.int64) * codes.shape[1] + at[line >= 0] for line in codes])
        return np.bincount(cells, minlength=q * codes.shape[1]).reshape(q, codes.shape[1])

    def item_patterns(self, patterns: Patterns) -> NDArray[np.int64]:
        """For each item, its place among the patterns (the rater patterns or the count patterns)."""
        if len(patterns.keys) == self.n_items:
            return patterns.index()
        return patterns.index()[self.rater_patterns.index()]

    def mirrored(self, image: Mapping[Any, Any]) -> Ratings:
        """Each item beside its mirror image, in which every category is its `image`; the two are one unit.

        For categories that name one of two things at will, such as the first and the second system of a pair: whatever
        is computed does not change when the two change places in some of the items.

        >>> Ratings.read([["one", "one"], ["other", "one"]]).mirrored({"one": "other", "other": "one"})
        Ratings(4 items, 2 raters, 8 ratings, categories one, other)
        """
        places = {category: place for place, category in enumerate(self.categories)}
        to = np.array([places[image.get(category, category)] for category in self.categories], self.by_rater.dtype)
        turned = np.where(self.by_rater >= 0, to[self.by_rater], NONE).astype(self.by_rater.dtype)
        units = np.arange(self.n_items) if self.clusters is None else self.clusters
        return replace(
            self,
            codes=np.ascontiguousarray(np.concatenate([self.by_rater, turned], axis=1)),
            clusters=np.tile(units, 2),
            empty_items=2 * self.empty_items,
            single_items=2 * self.single_items,
            unpaired_items=2 * self.unpaired_items,
            copies=2 * self.copies,
        )

    @property
    def is_clustered(self) -> bool:
        """Whether some items go together."""
        return self.clusters is not None and int(self.clusters.max(initial=-1)) + 1 < self.n_items // self.copies

    def pairable(self) -> Ratings:
        """The items with two ratings or more."""
        several = self.per_item >= 2
        groups = None if self.clusters is None else dense(self.clusters[several])
        return replace(
            self,
            codes=None if self.codes is None else np.ascontiguousarray(self.codes[:, several]),
            tally=None if self.tally is None else self.tally[several],
            clusters=groups,
            single_items=int((~several).sum()),
        )

    def pair(self, first: int, second: int) -> Ratings:
        """Two of the raters, and the items that both have rated."""
        codes = self.by_rater[[first, second]]
        both = (codes >= 0).all(axis=0)
        groups = None if self.clusters is None else dense(self.clusters[both])
        return replace(
            self,
            codes=np.ascontiguousarray(codes[:, both]),
            raters=(self.raters[first], self.raters[second]),
            clusters=groups,
            unpaired_items=self.unpaired_items + self.n_items - int(both.sum()),
        )

    def without_rater(self, place: int) -> Ratings:
        """Everybody else's ratings, each item on its own."""
        codes = np.delete(self.by_rater, place, axis=0)
        raters = self.raters[:place] + self.raters[place + 1 :]
        return replace(self, codes=codes, raters=raters, clusters=None)._finish(None)

    def __repr__(self) -> str:
        who = "" if self.codes is None else f"{self.n_raters} raters, "
        names = ", ".join(map(str, self.categories[:8])) + (", …" if len(self.categories) > 8 else "")
        return f"Ratings({self.n_items} items, {who}{self.n_ratings} ratings, categories {names})"


def _two_dimensions(array: NDArray[Any]) -> NDArray[Any]:
    if array.size == 0:
        return array.reshape(0, 0)
    if array.ndim != 2:
        raise DataError(
            f"the ratings have {array.ndim} dimension{'' if array.ndim == 1 else 's'}; "
            "give a table with a row for each item and a column for each rater."
        )
    return array


def _columns(data: Any) -> dict[Any, Any]:
    if isinstance(data, Mapping):
        return dict(data)
    return {name: data[name] for name in data.columns}


def _is_long(data: Any) -> bool:
    """Whether these are (item, rater, value) tuples: item ids repeat, rater ids repeat, and neither is a rating."""
    if not isinstance(data, list | tuple) or len(data) < 2:
        return False
    if not all(isinstance(row, tuple) and len(row) == 3 for row in data):
        return False
    try:
        items, raters, values = (set(column) for column in zip(*data, strict=True))
        pairs = {row[:2] for row in data}
    except TypeError:
        return False
    apart = not (items & raters or raters & values or items & values)
    return apart and len(pairs) == len(data) and len(raters) < len(data)


def _three_columns(table: Any) -> Sequence[Any]:
    if hasattr(table, "columns") or isinstance(table, Mapping):
        columns = list(_columns(table).values())
    else:
        rows = [tuple(row) for row in table]
        if any(len(row) != 3 for row in rows):
            raise DataError("a long table has three columns: item, rater, value.")
        columns = [list(column) for column in zip(*rows, strict=True)] or [[], [], []]
    if len(columns) != 3:
        raise DataError(f"a long table has three columns (item, rater, value); this one has {len(columns)}.")
    return columns


def _refuse_twice(cells: NDArray[np.int64], items: list[Any], raters: list[Any]) -> None:
    found, times = np.unique(cells, return_counts=True)
    if (times > 1).any():
        rater, item = divmod(int(found[np.argmax(times > 1)]), len(items))
        raise DataError(f"rater {raters[rater]!r} rated item {items[item]!r} more than once; keep one rating of each.")


def _long_clusters(clusters: Any, names: list[Any], item: NDArray[np.int64]) -> list[Any] | None:
    if clusters is None:
        return None
    if isinstance(clusters, Mapping):
        return [clusters.get(name) for name in names]
    labels = listed(clusters, "clusters")
    if len(labels) != len(item) or len(labels) == len(names):
        return labels
    first: list[Any] = [None] * len(names)
    for place, label in zip(item, labels, strict=True):
        if first[place] is None:
            first[place] = label
        elif first[place] != label and not is_missing(label):
            raise DataError(f"item {names[place]!r} is in clusters {first[place]!r} and {label!r}; it can be in one.")
    return first


def _whole_numbers(table: Any, what: str) -> NDArray[np.int64]:
    array = as_array(table)
    if array.ndim != 2 or array.dtype.kind not in "iuf":
        raise DataError(f"the {what} must be a table of whole numbers.")
    if array.dtype.kind == "f" and not (np.isfinite(array).all() and (array == np.round(array)).all()):
        raise DataError(f"the {what} holds something that is not a whole number.")
    if (array < 0).any():
        raise DataError(f"the {what} holds a negative number.")
    return array.astype(np.int64)
