"""Does the page print what its numbers are? Every printed number is read and held against results.json.

This reads the page as a stranger would: it knows HTML and numbers, and shares nothing with what wrote the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import unquote

_NUMBER = re.compile(r"[+-]?\d[\d,]*(?:\.\d+)?")
_P = re.compile(r"< \.001|\.\d{3}|1\.000")
_INTERVAL = re.compile(r"\[(.+), (.+)\]")
_COUNT = re.compile(r"([\d,]+)(?:/([\d,]+))?")
#: The least that a table of one finding a row has: its name, its value, its interval and its n.
_VALUE, _SPAN, _N = 1, 2, 3


@dataclass
class PrintedCell:
    """One cell of a table: its text, what stands small in it, and the id of the number that it leads to."""

    text: str = ""
    small: str = ""
    id: str = ""


@dataclass
class PrintedTable:
    """A table of the page."""

    id: str
    columns: list[str] = field(default_factory=list)
    rows: list[list[PrintedCell]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Misprint:
    """A number of the page that is not what results.json holds."""

    table: str
    id: str
    printed: str
    held: str

    def __str__(self) -> str:
        return f"{self.table} prints {self.printed} for {self.id}, and results.json holds {self.held}."


def misprints(page: str, results: Mapping[str, Any]) -> Iterator[Misprint]:
    """Every number of the page's tables that is not the one of its id in results.json, its interval and n included."""
    known = {finding["id"]: finding for finding in results["estimates"]}
    for table in tables(page):
        for row in table.rows:
            for place, cell in enumerate(row):
                if not cell.id:
                    continue
                if cell.id not in known:
                    yield Misprint(table.id, cell.id, cell.text, "no such number")
                    continue
                for printed, held in _wrong(row, place, known[cell.id]):
                    yield Misprint(table.id, cell.id, printed, held)


def tables(page: str) -> list[PrintedTable]:
    """The tables of a page."""
    reader = _Reader()
    reader.feed(page)
    return reader.tables


def _wrong(row: list[PrintedCell], place: int, finding: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    cell = row[place]
    is_p = bool(_P.fullmatch(cell.text))
    if is_p:
        if not any(_is_p(cell.text, finding.get(name)) for name in ("p", "p_adjusted")):
            yield cell.text, f"p = {finding.get('p')}, corrected {finding.get('p_adjusted')}"
        return
    if not _is_value(cell.text, finding["value"], _times(finding)):
        yield cell.text, f"{finding['value']}"
    beside = [cell.small, *([row[_SPAN].text, row[_N].text] if place == _VALUE and len(row) > _N else [])]
    for text in beside:
        yield from _wrong_beside(text, finding)


def _wrong_beside(text: str, finding: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """An interval or a count that stands beside a value."""
    span = _INTERVAL.search(text)
    if span:
        ends = (finding["low"], finding["high"])
        if not all(_is_value(printed, end, _times(finding)) for printed, end in zip(span.groups(), ends, strict=True)):
            yield span[0], f"[{ends[0]}, {ends[1]}]"
    rest = text.replace(span[0], "") if span else text
    count = _COUNT.fullmatch(rest.strip(" ·"))
    if count and not _is_count(count, finding):
        yield count[0], _counts(finding)


def _times(finding: Mapping[str, Any]) -> int:
    return 100 if finding["unit"] in ("%", "points") else 1


def _is_value(text: str, value: float | None, times: int) -> bool:
    """Whether a text is the value, to as many digits as it prints."""
    found = _NUMBER.search(text.replace("−", "-"))
    if value is None or found is None:
        return value is None and found is None
    digits = len(found[0].partition(".")[2])
    # What is half-way may be rounded to either side, as computers hold decimals.
    return abs(float(found[0].replace(",", "")) - times * value) <= 0.5 * 10**-digits * (1 + 1e-9) + 1e-12


def _is_p(text: str, p: float | None) -> bool:
    if p is None:
        return False
    return (
        p < 0.001 if text.startswith("<") else _is_value(text.replace(".", "0.", 1) if text[0] == "." else text, p, 1)
    )


def _is_count(count: re.Match[str], finding: Mapping[str, Any]) -> bool:
    first, of = (None if part is None else int(part.replace(",", "")) for part in count.groups())
    if of is not None:
        return (first, of) == (finding.get("count"), finding.get("of"))
    return first in (finding["n_items"], finding["n_ratings"]) or (first == 0 and finding["n_items"] is None)


def _counts(finding: Mapping[str, Any]) -> str:
    if "of" in finding:
        return f"{finding['count']}/{finding['of']}"
    return f"{finding['n_items']} items, {finding['n_ratings']} ratings"


class _Reader(HTMLParser):
    """Reads the tables of a page with the ids that their cells lead to."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tables: list[PrintedTable] = []
        self._figure = ""
        self._table: PrintedTable | None = None
        self._cell: PrintedCell | None = None
        self._in_head = self._in_small = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "figure":
            self._figure = given.get("id") or ""
        elif tag == "table":
            self._table = PrintedTable(self._figure or "the list of all numbers")
            self.tables.append(self._table)
        elif tag == "thead":
            self._in_head = True
        elif tag == "tr" and self._table is not None and not self._in_head:
            self._table.rows.append([])
        elif tag in ("td", "th") and self._table is not None:
            self._cell = PrintedCell()
            if not self._in_head:
                self._table.rows[-1].append(self._cell)
        elif tag == "a" and self._cell is not None and (given.get("href") or "").startswith("#"):
            self._cell.id = unquote((given.get("href") or "").removeprefix("#"))
        elif tag == "span" and given.get("class") == "small":
            self._in_small = True

    def handle_endtag(self, tag: str) -> None:
        if tag == "thead":
            self._in_head = False
        elif tag == "table":
            self._table = None
        elif tag in ("td", "th"):
            if self._in_head and self._table is not None and self._cell is not None:
                self._table.columns.append(self._cell.text.strip())
            self._cell = None
        elif tag == "span":
            self._in_small = False

    def handle_data(self, data: str) -> None:
        if self._cell is not None and self._in_small:
            self._cell.small += data
        elif self._cell is not None:
            self._cell.text += data
