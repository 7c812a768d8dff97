"""A table in text → its rows: HTML, Markdown, delimited or aligned by spaces, whichever it is.

Raters see what this reads and judges compare it, so that both speak of the same cells.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from html.parser import HTMLParser
from io import StringIO
from itertools import pairwise

Rows = list[list[str]]

MOST = 500_000
"""Longer texts are no tables that anybody reads."""
_RULES = ("--", "==", "––", "——")
_GAP = re.compile(r"\t+| {2,}")
_CELL = re.compile(r"\S+(?: \S+)*")


def read_table(text: str) -> Rows | None:
    """The rows of a table, all of one length; None where the text is no table.

    >>> read_table("| a | b |\\n|---|---|\\n| 1 | 2 |")
    [['a', 'b'], ['1', '2']]
    >>> read_table("Year  Mean\\n2019   1.5\\n2020   1.7")
    [['Year', 'Mean'], ['2019', '1.5'], ['2020', '1.7']]
    >>> read_table("Just a sentence, with a comma.") is None
    True
    """
    rows = read_uneven(text)
    return None if rows is None else _even(rows)


def read_uneven(text: str) -> Rows | None:
    """The same with rows as long as they stand there, which tells how well a table was kept.

    >>> read_uneven("a,b\\n1,2\\n3,4\\n5,6\\n7")
    [['a', 'b'], ['1', '2'], ['3', '4'], ['5', '6'], ['7']]
    """
    text = text.strip("\n\r \ufeff")
    if not text or len(text) > MOST:
        return None
    for read in (_html, _piped, _delimited, _aligned):
        rows = read(text)
        if rows is not None:
            return rows
    return None


def _even(rows: Rows) -> Rows:
    width = max(map(len, rows))
    return [row + [""] * (width - len(row)) for row in rows]


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines() if line.strip()]


def _is_rule(line: str) -> bool:
    """Whether a line only parts rows, such as `|---|:-:|`."""
    return any(rule in line for rule in _RULES) and not line.strip(" \t|:+=-–—")


def _is_table(rows: Rows) -> bool:
    """Two rows and two columns at least."""
    return len(rows) > 1 and max(map(len, rows)) > 1


class _HtmlTable(HTMLParser):
    """The first table of a piece of HTML; a cell over several columns leaves the others empty."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.rows: Rows = []
        self._cell: list[str] | None = None
        self._depth = 0
        self._over = 1
        self._is_done = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self._depth += 1
        if self._is_done or self._depth != 1:
            return
        if tag == "tr":
            self._end_cell()
            self.rows.append([])
        elif tag in ("td", "th"):
            self._end_cell()
            if not self.rows:
                self.rows.append([])
            self._cell = []
            self._over = _span(dict(attrs).get("colspan"))
        elif tag == "br" and self._cell is not None:
            self._cell.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if self._depth == 1 and tag in ("td", "th", "tr", "table"):
            self._end_cell()
        if tag == "table":
            self._depth -= 1
            self._is_done = self._is_done or self._depth == 0

    def handle_data(self, data: str) -> None:
        if self._cell is not None:
            self._cell.append(data)

    def _end_cell(self) -> None:
        if self._cell is not None:
            self.rows[-1] += [" ".join("".join(self._cell).split())] + [""] * (self._over - 1)
        self._cell = None


def _span(given: str | None) -> int:
    return min(int(given), 100) if given and given.isdecimal() and int(given) else 1


def _html(text: str) -> Rows | None:
    if "<table" not in text.lower() and "<tr" not in text.lower():
        return None
    parser = _HtmlTable()
    parser.feed(text if "<table" in text.lower() else f"<table>{text}</table>")
    parser.close()
    rows = [row for row in parser.rows if row]
    return rows if rows and _is_table(rows) else None


def _piped(text: str) -> Rows | None:
    """Markdown, and text with bars between its cells."""
    lines = [line for line in _lines(text) if not _is_rule(line)]
    bars = [line for line in lines if "|" in line]
    if len(bars) < 2 or len(bars) < 0.8 * len(lines):
        return None
    rows = [_split_bars(line) for line in bars]
    return rows if rows and _is_table(rows) and _is_even(rows) else None


def _split_bars(line: str) -> list[str]:
    line = line.strip().removeprefix("|")
    if line.endswith("|") and not line.endswith("\\|"):
        line = line[:-1]
    return [cell.replace("\\|", "|").strip() for cell in re.split(r"(?<!\\)\|", line)]


def _delimited(text: str) -> Rows | None:
    """Tabs, semicolons or commas: the one that gives the most columns on evenly long rows."""
    found = []
    for mark in "\t;,":
        if mark not in text:
            continue
        try:
            rows = [row for row in csv.reader(StringIO(text), delimiter=mark, skipinitialspace=True) if any(row)]
        except csv.Error:
            continue
        rows = [[cell.strip() for cell in row] for row in rows]
        # Sentences have commas too: cells of a table are short.
        if rows and _is_table(rows) and _is_even(rows) and _are_short(rows):
            found.append(rows)
    return max(found, key=lambda rows: len(rows[0]), default=None)


def _is_even(rows: Rows) -> bool:
    """Whether nearly all rows have the same length."""
    length, n = Counter(map(len, rows)).most_common(1)[0]
    return length > 1 and n >= 0.8 * len(rows)


def _are_short(rows: Rows) -> bool:
    cells = [cell for row in rows for cell in row]
    return sum(map(len, cells)) <= 40 * len(cells)


def _aligned(text: str) -> Rows | None:
    """Columns that two spaces or more part, line after line."""
    lines = [line for line in _lines(text) if not _is_rule(line)]
    rows = [_GAP.split(line.strip()) for line in lines]
    if not rows or not _is_table(rows) or not _are_short(rows):
        return None
    return rows if _is_even(rows) else _by_place(lines)


Cell = tuple[int, int, str]
"""Where a cell begins and ends on its line, and its text."""


def _by_place(lines: list[str]) -> Rows | None:
    """Lines with cells left empty: each cell belongs to the column under which it stands.

    Columns are those of the most frequent number of cells; None where a line does not keep to them.
    """
    cells = [[(found.start(), found.end(), found[0]) for found in _CELL.finditer(line.expandtabs())] for line in lines]
    width, n = Counter(map(len, cells)).most_common(1)[0]
    if width < 2 or n < max(2, len(lines) / 2):
        return None
    whole = [row for row in cells if len(row) == width]
    columns = [(min(row[k][0] for row in whole), max(row[k][1] for row in whole)) for k in range(width)]
    if any(one[1] > other[0] for one, other in pairwise(columns)):
        return None
    placed = [_placed(row, columns) for row in cells]
    return [row for row in placed if row] if all(placed) else None


def _placed(row: list[Cell], columns: list[tuple[int, int]]) -> list[str]:
    """The cells of one line in their columns; nothing where two stand in one column, or one under none."""
    made = [""] * len(columns)
    for start, end, text in row:
        under = [k for k, (first, last) in enumerate(columns) if start < last and end > first]
        if len(under) != 1 or made[under[0]]:
            return []
        made[under[0]] = text
    return made
