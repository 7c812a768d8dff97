"""Marks that raters give to each system: a column for each of them, read once."""

from __future__ import annotations

import numpy as np

from quorate.sheets.case import Case
from quorate.sheets.columns import Floats, Ints, Rows
from quorate.sheets.sheet import Sheet

Marks = tuple[Floats, Ints, Ints]
"""One system's marks: the numbers, their items and their raters."""


def marks(sheet: Sheet, system: str) -> Marks:
    """One system's marks."""
    table = marks_table(sheet)
    numbers = table[:, sheet.whole.held["systems"].index(system)]
    at = ~np.isnan(numbers)
    return numbers[at], sheet.people.item[at], sheet.people.who[at]


def systems(sheet: Sheet) -> list[str]:
    """Every system that was rated."""
    counts = (~np.isnan(marks_table(sheet))).sum(axis=0)
    return [name for name, n in zip(sheet.whole.held["systems"], counts, strict=True) if n]


def marks_table(sheet: Sheet) -> Floats:
    """A row for each answer and a column for each system of the study: its mark, or NaN."""
    return sheet.aligned("marks", "people", lambda rows: _read(sheet.whole, rows))


def _read(sheet: Sheet, rows: Rows) -> Floats:
    # Marks have few different values: each is read once.
    keys = [tuple(value.items()) for value in rows.column("value")]
    known = {key: sheet.question.marks(dict(key)) for key in dict.fromkeys(keys)}
    names = sorted({name for given in known.values() for name in given})
    sheet.held["systems"] = names
    lines = {key: [given.get(name, np.nan) for name in names] for key, given in known.items()}
    return np.array(list(map(lines.__getitem__, keys)), float).reshape(len(keys), len(names))


def held_marks(case: Case) -> dict[str, Marks]:
    """The marks of every system that was rated."""
    return {name: marks(case.sheet, name) for name in systems(case.sheet)}


def by_unit(units: Ints, numbers: Floats, item: Ints) -> Floats:
    """The mean of each unit that items are in, NaN where the system has none."""
    unit, k = units[item], int(units.max(initial=-1)) + 1
    n = np.bincount(unit, minlength=k)
    return np.where(n > 0, np.bincount(unit, weights=numbers, minlength=k) / np.maximum(n, 1), np.nan)
