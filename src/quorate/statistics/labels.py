"""Labels that may repeat: one rater may label an item more than once, as in Dawid and Skene's own data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from quorate.messages import Message, Text

from ..errors import DataError
from ..estimates import Estimate
from .coding import as_array, code
from .columns import Floats, Ints, coded, listed, rows_of, same_length
from .ratings import LONG
from .resampling import bootstrap_values

BOOTSTRAP_UP_TO = (
    2_000  # labels of different items: above this, refitting hundreds of times takes longer than a reader would wait
)


@dataclass(frozen=True)
class Labels:
    """One row a label: the item's, the rater's and the category's place in their lists of names."""

    items: tuple[Any, ...]
    raters: tuple[Any, ...]
    categories: tuple[Any, ...]
    item: Ints
    rater: Ints
    value: Ints
    left_out: dict[str, int]

    @property
    def votes(self) -> Floats:
        """Items x categories: how many labels of each kind an item has."""
        q = len(self.categories)
        cells = np.bincount(self.item * q + self.value, minlength=len(self.items) * q)
        return cells.reshape(len(self.items), q).astype(float)

    def patterns(self) -> tuple[Labels, Ints, Ints]:
        """The different items (alike when the same raters gave the same labels), how many of each, each item's kind.

        Items of one kind have the same posterior and the same weight in every step of EM, so only kinds are worked on.
        """
        q = len(self.categories)
        rng = np.random.default_rng(0)
        # Two random words for each (rater, label): items with the same labels, and only they, have the same sums.
        words = rng.integers(0, 2**63, (2, len(self.raters) * q), dtype=np.uint64)
        sums = np.zeros((2, len(self.items)), np.uint64)
        for total, word in zip(sums, words, strict=True):
            np.add.at(total, self.item, word[self.rater * q + self.value])
        keys = np.rec.fromarrays([sums[0], sums[1]])
        _, first, kind, count = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
        order = np.argsort(first)
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        kept = np.full(len(self.items), -1)
        kept[first[order]] = np.arange(len(order))
        rows = kept[self.item] >= 0
        fewer = Labels(
            tuple(self.items[i] for i in first[order]),
            self.raters,
            self.categories,
            kept[self.item[rows]],
            self.rater[rows],
            self.value[rows],
            self.left_out,
        )
        return fewer, count[order], place[kind]


def read_labels(
    ratings: Any, raters: Iterable[Any] | None = None, values: Iterable[Any] | None = None, *, categories: Any = None
) -> Labels:
    """Labels from three columns (items, raters, values), a long table, a mapping, or a matrix.

    A list of 3-tuples or a frame with columns item, rater and value is a long table; {item: {rater: label or labels}}
    is a mapping; any other table has a row for each item and a column for each rater.

    >>> read_labels([("x", "ann", "y"), ("x", "ann", "n"), ("z", "bob", "y")]).votes
    array([[1., 1.],
           [0., 1.]])
    """
    columns = _three_columns(ratings, raters, values)
    item_names, item = coded(columns[0], "items")
    rater_names, rater = coded(columns[1], "raters")
    given = listed(columns[2], "values")
    same_length(items=item, raters=rater, values=given)
    codes, names = code(as_array(given), categories)
    known = (codes >= 0) & (item >= 0) & (rater >= 0)
    if ((codes >= 0) & ~known).any():
        raise DataError(Message("A label names no item or no rater"))
    if not known.any():
        raise DataError(Message("There is no label to learn from"))
    # Sorted, so that the order of rows changes nothing, not even the last digit.
    seen_items, seen_raters = set(item[known].tolist()), set(rater[known].tolist())
    order_items = [i for i in range(len(item_names)) if i in seen_items]
    order_raters = sorted(seen_raters, key=lambda i: (str(type(rater_names[i])), rater_names[i]))
    place_item, place_rater = np.full(len(item_names), -1), np.full(len(rater_names), -1)
    place_item[order_items] = np.arange(len(order_items))
    place_rater[order_raters] = np.arange(len(order_raters))
    empty = len(item_names) - len(order_items)
    return Labels(
        tuple(item_names[i] for i in order_items),
        tuple(rater_names[i] for i in order_raters),
        names,
        place_item[item[known]],
        place_rater[rater[known]],
        codes[known].astype(np.int64),
        {"items without a label": empty} if empty else {},
    )


def _three_columns(ratings: Any, raters: Any, values: Any) -> tuple[Any, Any, Any]:
    if (raters is None) != (values is None):
        raise DataError("Give the three columns items, raters and values together, or one table.")
    if raters is not None:
        return ratings, raters, values
    if isinstance(ratings, Mapping) and ratings and all(isinstance(row, Mapping) for row in ratings.values()):
        return _from_mapping(ratings)
    if hasattr(ratings, "columns") or isinstance(ratings, Mapping):
        frame = {str(n).lower(): ratings[n] for n in (ratings.columns if hasattr(ratings, "columns") else ratings)}
        if all(name in frame for name in LONG):
            return tuple(listed(frame[name], name) for name in LONG)  # type: ignore[return-value]
        by_rater = {name: listed(column, name) for name, column in frame.items()}
        return _from_matrix([list(row) for row in zip(*by_rater.values(), strict=True)], list(by_rater))
    rows = rows_of(ratings, "labels")
    if rows and all(isinstance(row, tuple) and len(row) == 3 for row in rows):
        return tuple(list(column) for column in zip(*rows, strict=True))  # type: ignore[return-value]
    if not rows or not all(isinstance(row, list | tuple | np.ndarray) for row in rows):
        raise DataError("The labels are not a table; give rows (item, rater, value), or a row for each item.")
    if len({len(row) for row in rows}) > 1:
        raise DataError("The rows of the labels differ in length; put None where a rater gave no label.")
    return _from_matrix(rows, list(range(1, len(rows[0]) + 1)))


def _from_matrix(rows: list[Any], raters: list[Any]) -> tuple[list[Any], list[Any], list[Any]]:
    items = [i + 1 for i in range(len(rows)) for _ in raters]
    return items, raters * len(rows), [value for row in rows for value in row]


def _from_mapping(answers: Mapping[Any, Mapping[Any, Any]]) -> tuple[list[Any], list[Any], list[Any]]:
    flat = [
        (item, rater, label)
        for item, row in answers.items()
        for rater, given in row.items()
        for label in (given if isinstance(given, list | tuple) else [given])
    ]
    return [a for a, _, _ in flat], [b for _, b, _ in flat], [c for _, _, c in flat]


def resampled_parameters(refit: Callable[[Floats], Floats], count: Ints, replicates: int, seed: int) -> Floats:
    """The parameters refitted to resampled items, one row a replicate; `count` says how many items are of each kind."""
    return bootstrap_values(
        lambda weights: np.stack([refit(row) for row in weights]),
        len(count),
        count=count,
        replicates=replicates,
        seed=seed,
    )


def wants_bootstrap(interval: str | None, n_labels: int) -> bool:
    """Whether to resample: asked for, or left to "auto" with few enough labels."""
    if interval not in ("auto", "bootstrap", None):
        raise DataError(f"interval={interval!r}: choose 'auto', 'bootstrap' or None.")
    return interval == "bootstrap" or (interval == "auto" and n_labels <= BOOTSTRAP_UP_TO)


def why_no_interval(interval: str | None) -> Message:
    """Why an estimate from labels has no interval, where it has none."""
    if interval is None:
        return Message("no interval asked for")
    return Message("no interval by default for so much data: ask for 'bootstrap'")


def of_items(draws: Floats | None) -> Text:
    """How the interval of these resamples is made."""
    if draws is None:
        return ""
    return Message("percentile bootstrap of items, {k} replicates", k=str(len(draws)))


def with_draws(value: float, draws: Floats | None, confidence: float, why_none: Text, **rest: Any) -> Estimate:
    """An estimate with the percentile interval of its resamples, or a note that says why it has none."""
    if draws is None:
        return Estimate(value, confidence=confidence, note=why_none, **rest)
    low, high = np.quantile(draws, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Estimate(value, float(low), float(high), confidence, se=float(draws.std(ddof=1)), **rest)
