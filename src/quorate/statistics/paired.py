"""Paired comparisons in every form people have them, read once into counts of wins, ties and losses by pair."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.messages import Message

from ..errors import DataError
from .columns import Floats, Ints, coded, dense, is_missing, rows_of
from .outcomes import sign_of


@dataclass(frozen=True)
class Comparisons:
    """`first` and `second` of each distinct ordered pair, and how often each cell (pair, outcome) was seen.

    `counts` is clusters x pairs x (win, tie, loss of the first); without clusters it has one row, all comparisons.
    """

    names: tuple[Hashable, ...]
    first: Ints
    second: Ints
    counts: Floats
    clustered: bool
    ordered: bool  # whether "first" means shown first, or only written first
    left_out: int = 0

    @property
    def total(self) -> Floats:
        """Pairs x (win, tie, loss) over all clusters."""
        return self.counts.sum(axis=0)

    @property
    def beats(self) -> NDArray[np.bool_]:
        """Who ever beat or tied whom."""
        table = np.zeros((len(self.names), len(self.names)), bool)
        win, tie, loss = self.total.T
        np.logical_or.at(table, (self.first, self.second), win + tie > 0)
        np.logical_or.at(table, (self.second, self.first), loss + tie > 0)
        return table


def read_comparisons(
    data: Any, *, names: Iterable[Any] | None = None, tied: Any = None, clusters: Iterable[Any] | None = None
) -> Comparisons:
    """Comparisons from rows (winner, loser), rows (first, second, outcome[, count]), a frame, or a table of wins.

    >>> read_comparisons([("a", "b", "a"), ("b", "a", "tie")]).total
    array([[1., 0., 0.],
           [0., 1., 0.]])
    """
    if hasattr(data, "columns") or isinstance(data, Mapping):
        data, names = _rows_of_frame(data), None
    elif _is_square(data, named=names is not None):
        if clusters is not None:
            raise DataError("A table of wins cannot be clustered; give the comparisons one by one.")
        return _from_table(np.array(data, float), names, tied)
    listed = rows_of(data, "comparisons")
    if not all(isinstance(row, list | tuple | np.ndarray) for row in listed):
        raise DataError("Each comparison must be a row such as (winner, loser) or (first, second, outcome).")
    rows = [tuple(row) for row in listed]
    if tied is not None:
        raise DataError("tied= goes with a table of wins; in rows, the outcome 'tie' says it.")
    if not rows:
        raise DataError(Message("There is no comparison to read"))
    lengths = {len(row) for row in rows}
    if len(lengths) > 1 or not lengths <= {2, 3, 4}:
        raise DataError(
            "Each comparison must be (winner, loser) or (first, second, outcome) or (first, second, outcome, count)."
        )
    ordered = lengths != {2}
    if not ordered:
        rows = [(winner, loser, 1) for winner, loser in rows]
        signs = np.ones(len(rows))
    else:
        signs = _signs(rows)
    return _from_rows(rows, signs, ordered, clusters)


def _rows_of_frame(frame: Any) -> list[tuple[Any, ...]]:
    found = {str(name).lower(): frame[name] for name in (frame.columns if hasattr(frame, "columns") else frame)}
    for wanted in (("winner", "loser"), ("first", "second", "outcome"), ("a", "b", "outcome")):
        if all(name in found for name in wanted):
            columns = [list(found[name]) for name in (*wanted, *(("count",) if "count" in found else ()))]
            rows = list(zip(*columns, strict=True))
            if wanted[0] == "winner" and "count" in found:
                raise DataError("Counts need the columns first, second, outcome and count.")
            return rows
    raise DataError(
        f"The comparisons need columns first, second and outcome, or winner and loser; these are {', '.join(found)}."
    )


def _is_square(data: Any, named: bool) -> bool:
    """Whether this is a table of wins: square, of numbers, and with names, as an array, or with an empty diagonal."""
    if not isinstance(data, list | tuple | np.ndarray) or len(data) < 2:
        return False
    if isinstance(data, np.ndarray):
        square = data.ndim == 2 and data.shape[0] == data.shape[1] and data.dtype.kind in "iuf"
    else:
        square = all(isinstance(row, list | tuple | np.ndarray) and len(row) == len(data) for row in data)
        square = square and all(isinstance(v, int | float | np.number | None) for row in data for v in row)
    if not square or named or isinstance(data, np.ndarray):
        return square
    diagonal = [data[i][i] for i in range(len(data))]
    return all(is_missing(v) or v == 0 for v in diagonal)


def _from_table(wins: Floats, names: Iterable[Any] | None, tied: Any) -> Comparisons:
    m = len(wins)
    wins = np.nan_to_num(wins)
    np.fill_diagonal(wins, 0)  # against itself nothing can be learnt
    ties = np.zeros((m, m)) if tied is None else np.nan_to_num(np.asarray(tied, float))
    labels = tuple(range(1, m + 1)) if names is None else tuple(names)
    if len(labels) != m or ties.shape != wins.shape:
        raise DataError(f"The table of wins is {m} x {m}; names and tied must have the same size.")
    if (wins < 0).any() or (ties < 0).any() or np.isinf(wins).any():
        raise DataError("A table of wins holds counts of 0 or more.")
    if np.diag(ties).any() or (
        ties.any() and np.triu(ties).any() and np.tril(ties).any() and not (ties == ties.T).all()
    ):
        raise DataError(
            "tied= must be symmetric (each pair's ties written twice) or one triangle, with an empty diagonal."
        )
    ties = np.maximum(ties, ties.T)
    first, second = np.triu_indices(m, 1)
    counts = np.stack([wins[first, second], ties[first, second], wins[second, first]], axis=1)
    seen = counts.sum(axis=1) > 0
    return Comparisons(labels, first[seen], second[seen], counts[seen][None], False, False)


def _signs(rows: list[tuple[Any, ...]]) -> Floats:
    """+1, 0 or -1 for each row, whether its outcome names the winner or says win, tie or loss of the first."""
    named: list[float | None] = []
    signed: list[float | None] = []
    for place, (first, second, outcome, *_) in enumerate(rows):
        named.append(_named(first, second, outcome))
        try:
            signed.append(sign_of(outcome, f"comparison {place + 1}"))
        except DataError:
            signed.append(None)
    by_name = None not in named
    by_sign = None not in signed
    if by_name and by_sign and not np.array_equal(np.array(named, float), np.array(signed, float), equal_nan=True):
        written_as_numbers = {row[2] for row in rows if not isinstance(row[2], str) and not is_missing(row[2])}
        if written_as_numbers and written_as_numbers <= {-1, 0, 1}:
            raise DataError(
                "The outcomes can be read as names and as signs, which disagree. Write 'first', 'second' or 'tie'."
            )
        return np.array(named, float)
    if not by_name and not by_sign:
        # Words for ties may stand beside the winners' names, and the reverse.
        mixed = [name if name is not None else sign for name, sign in zip(named, signed, strict=True)]
        if None in mixed:
            first, second, outcome, *_ = rows[mixed.index(None)]
            where = f"comparison {mixed.index(None) + 1}"
            raise DataError(f"{where}: the outcome {outcome!r} is neither {first!r}, {second!r} nor 'tie'.")
        return np.array(mixed, float)
    return np.array(named if by_name else signed, float)


def _named(first: Any, second: Any, outcome: Any) -> float | None:
    if is_missing(outcome):
        return np.nan
    if isinstance(outcome, str) and outcome.strip().lower() in ("tie", "tied", "draw", "same", "equal"):
        return 0.0
    if outcome == first:
        return 1.0
    return -1.0 if outcome == second else None


def _from_rows(
    rows: list[tuple[Any, ...]], signs: Floats, ordered: bool, clusters: Iterable[Any] | None
) -> Comparisons:
    names, codes = coded([row[0] for row in rows] + [row[1] for row in rows], "comparisons")
    if (codes < 0).any():
        raise DataError(f"comparison {int(np.argmax(codes < 0)) % len(rows) + 1}: one of the two has no name.")
    first, second = codes[: len(rows)], codes[len(rows) :]
    if (first == second).any():
        place = int(np.argmax(first == second))
        raise DataError(f"comparison {place + 1}: {rows[place][0]!r} is compared with itself.")
    times = np.array([_count(row, place) for place, row in enumerate(rows)])
    groups = np.zeros(len(rows), np.int64)
    if clusters is not None:
        _, groups = coded(clusters, "clusters")
        if len(groups) != len(rows) or (groups < 0).any():
            raise DataError(f"clusters: give one label for each of the {len(rows)} comparisons.")
    known = ~np.isnan(signs) & (times > 0)
    if not known.any():
        raise DataError(Message("No comparison has an outcome"))
    pairs, place = np.unique(first[known] * len(names) + second[known], return_inverse=True)
    groups = dense(groups[known])
    counts = np.zeros((int(groups.max()) + 1, len(pairs), 3))
    np.add.at(counts, (groups, place, 1 - signs[known].astype(int)), times[known])
    return Comparisons(
        tuple(names),
        pairs // len(names),
        pairs % len(names),
        counts,
        clusters is not None,
        ordered,
        int(np.isnan(signs).sum()),
    )


def _count(row: tuple[Any, ...], place: int) -> float:
    times = row[3] if len(row) == 4 else 1
    try:
        value = float(times)
    except (TypeError, ValueError):
        value = -1.0
    if not (value >= 0 and np.isfinite(value)):
        raise DataError(f"comparison {place + 1}: the count {times!r} is not a number of 0 or more.")
    return value
