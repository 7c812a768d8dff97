"""What the answers about one item amount to: agreed, settled by a further rater, adjudicated, or ambiguous."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

import numpy as np

from quorate.languages import noted
from quorate.protocol.study_file import Majority
from quorate.records import Verdict
from quorate.sheets.columns import Bools, Ints, Reading
from quorate.sheets.sheet import Sheet

AGREED, THIRD = noted("agreed"), noted("third rater")
ADJUDICATED, AMBIGUOUS = noted("adjudicated"), noted("ambiguous")
STATUSES = (AGREED, THIRD, ADJUDICATED, AMBIGUOUS)
NONE = -1


def majority(values: Iterable[Any], rule: Majority) -> Any:
    """The value that enough of the answers share, and more than half of those that are there; or None.

    >>> rule = Majority(of="2 of 3")
    >>> majority([True, False, True], rule), majority([True], rule), majority(["a", "b", "c"], rule)
    (True, None, None)
    """
    given = Counter(values)
    value, most = next(iter(given.most_common(1)), (None, 0))
    return value if most >= rule.needed and 2 * most > given.total() else None


@dataclass(frozen=True, eq=False)
class Tally:
    """How many answers each item has, which is the most frequent, and how many those are."""

    n: Ints
    top: Ints
    most: Ints
    cells: tuple[Ints, Ints]

    def decided(self, rule: Majority) -> Ints:
        """The code that enough answers share, and more than half of all that there are; or −1."""
        enough = (self.most >= rule.needed) & (2 * self.most > self.n)
        return np.where(enough, self.top, NONE)


def tally(reading: Reading, n_items: int) -> Tally:
    """The answers of each item, counted."""
    q = max(len(reading.labels), 1)
    cells, counts = _counted(reading.item * q + reading.code, n_items * q)
    item, code = cells // q, cells % q
    # By item, the most frequent first.
    order = np.lexsort((code, -counts, item))
    item, code, ranked = item[order], code[order], counts[order]
    starts = np.searchsorted(item, np.arange(n_items))
    found = starts < np.searchsorted(item, np.arange(n_items), side="right")
    top, most = np.full(n_items, NONE), np.zeros(n_items, np.int64)
    top[found], most[found] = code[starts[found]], ranked[starts[found]]
    return Tally(np.bincount(reading.item, minlength=n_items), top, most, (cells, counts))


def _counted(cells: Ints, most: int) -> tuple[Ints, Ints]:
    """The cells that occur, in order, and how often; without sorting where there could not be many more than rows."""
    if most > 16 * len(cells) + 1000:
        return np.unique(cells, return_counts=True)
    counts = np.bincount(cells, minlength=1)
    found = np.flatnonzero(counts)
    return found, counts[found]


@dataclass(frozen=True, eq=False)
class Verdicts:
    """One verdict an item, in columns: the code of its label (−1: none) and the place of its status."""

    sheet: Sheet
    reading: str
    labels: tuple[Any, ...]
    code: Ints
    status: Ints
    n: Ints
    counted: Tally

    @property
    def known(self) -> Bools:
        """Which items have a verdict."""
        return self.code >= 0

    def came(self, status: str) -> Bools:
        """Which verdicts came about so."""
        return self.status == STATUSES.index(status)

    @cached_property
    def asked(self) -> Bools:
        """Which items the question was asked of."""
        return self.sheet.asked

    def values(self) -> list[Any]:
        """The label of each item's verdict, or None."""
        return [None if code < 0 else self.labels[code] for code in self.code.tolist()]

    def right(self) -> Bools:
        """Whether each verdict is the right answer; False too where there is none."""
        if self.reading == "correctness":
            return self.code == self.labels.index(True)
        return self._right

    @cached_property
    def _right(self) -> Bools:
        # The same label may be right of one item and wrong of another, such as the side that is X.
        keys = list(zip(self.code.tolist(), self.sheet.targets, strict=True))
        an_item = dict(zip(keys, self.sheet.items, strict=True))
        score = self.sheet.question.score
        known = {key: key[0] >= 0 and bool(score(self.labels[key[0]], item)) for key, item in an_item.items()}
        return np.array(list(map(known.__getitem__, keys)), bool)

    def records(self) -> tuple[Verdict, ...]:
        """The verdicts as rows, those of items to which the question does not apply left out."""
        section, question = self.sheet.section, self.sheet.id
        votes = self._votes()
        values, statuses, counts = self.values(), self.status.tolist(), self.n.tolist()
        return tuple(
            Verdict(section, item.id, question, values[at], STATUSES[statuses[at]], votes[at], counts[at])
            for at, item in enumerate(self.sheet.items)
            if self.asked[at]
        )

    def _votes(self) -> list[Mapping[str, int]]:
        """How many answers each label has, by item; items with the same votes share one mapping."""
        q = max(len(self.labels), 1)
        cells, counts = self.counted.cells
        per_item: list[list[tuple[int, int]]] = [[] for _ in self.sheet.items]
        for cell, count in zip(cells.tolist(), counts.tolist(), strict=True):
            per_item[cell // q].append((cell % q, count))
        names = [str(label) for label in self.labels]
        known: dict[tuple[tuple[int, int], ...], Mapping[str, int]] = {}
        found = []
        for pairs in map(tuple, per_item):
            if pairs not in known:
                known[pairs] = dict(sorted((names[code], count) for code, count in pairs))
            found.append(known[pairs])
        return found


def verdicts(sheet: Sheet, rule: Majority) -> Verdicts:
    """The verdict on every item: of the planned raters, else with those called in, else of a member of the team."""
    name = sheet.question.verdict_on()
    planned = sheet.reading(name)
    alone = tally(planned, sheet.n_items)
    code = alone.decided(rule)
    status = np.where(code >= 0, STATUSES.index(AGREED), STATUSES.index(AMBIGUOUS))
    together = alone
    more = sheet.reading(name, "more")
    if len(more):
        together = tally(planned.joined(more), sheet.n_items)
        settled = np.where(code >= 0, NONE, together.decided(rule))
        status[settled >= 0] = STATUSES.index(THIRD)
        code = np.where(settled >= 0, settled, code)
    decided = sheet.reading(name, "members")
    if len(decided):
        newest = np.full(sheet.n_items, NONE)
        newest[decided.item] = decided.code
        taken = (code < 0) & (newest >= 0)
        status[taken] = STATUSES.index(ADJUDICATED)
        code = np.where(taken, newest, code)
    return Verdicts(sheet, name, planned.labels, code, status, together.n, together)


@dataclass(frozen=True, eq=False)
class VerdictRows(Sequence[Verdict]):
    """The verdicts of several questions as rows, made when somebody reads one: numbers need none of them."""

    of: tuple[Verdicts, ...] = ()

    @cached_property
    def _rows(self) -> tuple[Verdict, ...]:
        return tuple(row for verdicts in self.of for row in verdicts.records())

    def __len__(self) -> int:
        return sum(int(verdicts.asked.sum()) for verdicts in self.of)

    @overload
    def __getitem__(self, place: int) -> Verdict: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Verdict, ...]: ...
    def __getitem__(self, place: Any) -> Any:
        return self._rows[place]

    def __iter__(self) -> Iterator[Verdict]:
        return iter(self._rows)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, VerdictRows | tuple) and self._rows == tuple(other)

    __hash__ = None  # type: ignore[assignment]
