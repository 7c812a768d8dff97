"""CSV files that people open in spreadsheets: one writer, which lets no text become a formula.

A spreadsheet runs a cell that begins with `=`, `+`, `-`, `@`, a tab or a line break. Such a text is written with an
apostrophe before it, and one that has apostrophes before such a beginning gets one more: so every text can be had back
exactly, by taking one apostrophe away. Numbers are written as they are, with their signs.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterable, Sequence
from types import SimpleNamespace
from typing import Any

_RUNS = re.compile(r"'*[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20]")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def inert(value: Any) -> Any:
    """A value as a cell that a spreadsheet shows and does not run.

    >>> inert('=HYPERLINK("http://x","y")'), inert("-3"), inert(-3), inert("- none")
    ('\\'=HYPERLINK("http://x","y")', '-3', -3, "'- none")
    """
    is_formula = isinstance(value, str) and _RUNS.match(value) and not _NUMBER.fullmatch(value)
    return f"'{value}" if is_formula else value


def meant(cell: Any) -> Any:
    """What stood there before `inert`.

    >>> meant("'- none"), meant("'tis"), meant(inert("'=1"))
    ('- none', "'tis", "'=1")
    """
    is_inert = isinstance(cell, str) and cell.startswith("'") and _RUNS.match(cell)
    return cell[1:] if is_inert else cell


def csv_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    as_they_came: Collection[str] = (),
    *,
    names_as_they_came: bool = False,
) -> str:
    """A CSV file as text: UTF-8, LF, True/False, empty where there is nothing, and nothing in it is a formula.

    `as_they_came` are columns of the study's own table: theirs are the cells that the researcher wrote; with
    `names_as_they_came` so are the names of all columns.

    >>> csv_table(["a", "b"], [["x, y", True], [None, "=1+1"]])
    'a,b\\n"x, y",True\\n,\\'=1+1\\n'
    """
    lines: list[str] = []
    # A return alone ends a row for most readers, and is put in quotes only where it is in the end of a line.
    writer = csv.writer(SimpleNamespace(write=lambda line: lines.append(f"{line[:-2]}\n")), lineterminator="\r\n")
    keeps = [column in as_they_came for column in columns]
    named = zip(columns, keeps, strict=True)
    writer.writerow([column if keep or names_as_they_came else inert(column) for column, keep in named])
    for row in rows:
        cells = ["" if value is None else value for value in row]
        writer.writerow([value if keep else inert(value) for value, keep in zip(cells, keeps, strict=True)])
    return "".join(lines)
