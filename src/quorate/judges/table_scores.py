"""How good a table is: by its own structure, or by its cells and their neighbours against the right table."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from quorate.tables import Rows

_AROUND_NUMBERS = re.compile(r"[\d\s.,:+±~<>≤≥=()\[\]%‰°×*/^·\-−–—]")


def structure(rows: Rows) -> dict[str, float]:
    """Header, rows of one length, columns of one kind, filled cells: each a share, and their mean as the score.

    >>> structure([["Year", "Mean"], ["2019", "1.5"], ["2020", "1.7"]])["score"]
    1.0
    """
    width = Counter(map(len, rows)).most_common(1)[0][0]
    body = rows[1:]
    cells = [cell for row in body for cell in row]
    columns = [[row[place] for row in body if place < len(row) and row[place]] for place in range(width)]
    parts = {
        "header": _header(rows[0]),
        "rectangular": sum(len(row) == width for row in rows) / len(rows),
        "pattern": _mean([_one_kind(column) for column in columns if column]),
        "filled": _mean([bool(cell) for cell in cells]),
    }
    return {"score": _mean(list(parts.values())), **parts}


def against(rows: Rows, right: Rows) -> dict[str, float]:
    """F1 of the cells' texts, F1 of neighbouring cells (right of and below each other), and their mean as the score.

    Cells alone would not notice a table whose rows are mixed up; neighbours do (Göbel et al. 2012, table structure by
    adjacency relations).

    >>> against([["a", "b"], ["1", "2"]], [["a", "b"], ["1", "3"]])["cells"]
    0.75
    """
    cells, neighbours = _f1(_cells(rows), _cells(right)), _f1(_neighbours(rows), _neighbours(right))
    return {"score": (cells + neighbours) / 2, "cells": cells, "neighbours": neighbours}


def is_number(cell: str) -> bool:
    """Whether a cell is a number, with its unit, error or range.

    >>> [is_number(cell) for cell in ("1.5", "12 ± 3", "85 %", "3.2 mg", "Year", "Table 2")]
    [True, True, True, True, False, False]
    """
    return any(letter.isdigit() for letter in cell) and len(_AROUND_NUMBERS.sub("", cell)) <= 3


def _header(first: list[str]) -> float:
    """The share of the first row's cells that name something; an empty corner is usual."""
    named = [cell for place, cell in enumerate(first) if cell or place]
    return _mean([bool(cell) and not is_number(cell) for cell in named])


def _one_kind(column: list[str]) -> float:
    share = _mean([is_number(cell) for cell in column])
    return max(share, 1 - share)


def _mean(values: list[Any]) -> float:
    return sum(values) / len(values) if values else 0.0


def _same(cell: str) -> str:
    return " ".join(cell.casefold().replace("−", "-").replace("–", "-").split())


def _cells(rows: Rows) -> Counter[Any]:
    return Counter(_same(cell) for row in rows for cell in row if cell)


def _neighbours(rows: Rows) -> Counter[Any]:
    return Counter(_pairs(rows))


def _pairs(rows: Rows) -> Iterator[tuple[str, str, str]]:
    for r, row in enumerate(rows):
        for c, cell in enumerate(row):
            if cell and c + 1 < len(row) and row[c + 1]:
                yield "right", _same(cell), _same(row[c + 1])
            if cell and r + 1 < len(rows) and c < len(rows[r + 1]) and rows[r + 1][c]:
                yield "below", _same(cell), _same(rows[r + 1][c])


def _f1(found: Counter[Any], right: Counter[Any]) -> float:
    if not found and not right:
        return 1.0
    return 2 * (found & right).total() / (found.total() + right.total())
