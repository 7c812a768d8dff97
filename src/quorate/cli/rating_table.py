"""A table of ratings from a CSV file, wide (a column a rater) or long (a row a rating)."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quorate.errors import DataError, did_you_mean
from quorate.statistics.ratings import Ratings

ITEM = ("item", "item_id", "id", "unit", "image_id", "question_id")
RATER = ("rater", "rater_id", "annotator", "annotator_id", "worker", "worker_id", "coder", "judge")
VALUE = ("value", "rating", "answer", "label", "score", "category")


@dataclass(frozen=True, slots=True)
class RatingTable:
    """The ratings in a file, and in words how the file was read."""

    ratings: Ratings
    how: str


def read_rating_table(
    path: Path,
    *,
    item: str | None = None,
    rater: str | None = None,
    value: str | None = None,
    raters: list[str] | None = None,
    categories: list[str] | None = None,
    clusters: str | None = None,
) -> RatingTable:
    """The ratings in a CSV file; columns are recognised by their names or named by the options."""
    columns = _read(path)
    for name in (item, rater, value, clusters, *(raters or [])):
        if name is not None and name not in columns:
            raise DataError(f"{path}: there is no column '{name}'.{did_you_mean(name, columns)}")
    item = item or _named(columns, ITEM)
    rater = rater or _named(columns, RATER)
    value = value or _named(columns, VALUE)
    labels = columns[clusters] if clusters else None
    declared = None if categories is None else _numbers_or_texts(categories)
    if item and rater and value and not raters:
        values = _numbers_or_texts(columns[value])
        read = Ratings.from_long(columns[item], columns[rater], values, categories=declared, clusters=labels)
        return RatingTable(read, f"long table: items in '{item}', raters in '{rater}', ratings in '{value}'")
    names = raters or [n for n in columns if n not in (item, clusters) and not _is_id(n, columns[n])]
    if len(names) < 2:
        raise DataError(
            f"{path}: fewer than two columns of ratings. A wide table has a column for each rater (name them with "
            "--raters a,b,c); a long one has the columns item, rater and value."
        )
    flat = _numbers_or_texts([cell for name in names for cell in columns[name]])
    rows = len(flat) // len(names)
    wide = {name: flat[at * rows : (at + 1) * rows] for at, name in enumerate(names)}
    read = Ratings.read(wide, declared, labels)
    return RatingTable(read, f"wide table: raters {', '.join(names)}" + (f"; items in '{item}'" if item else ""))


def _read(path: Path) -> dict[str, list[str]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = [row for row in csv.reader(file, dialect=_dialect(file.read(4096), file)) if any(row)]
    except FileNotFoundError:
        raise DataError(f"{path}: there is no such file.") from None
    except (UnicodeDecodeError, IsADirectoryError, csv.Error) as error:
        raise DataError(f"{path}: this is not a CSV file in UTF-8 ({error}).") from None
    if len(rows) < 2:
        raise DataError(f"{path}: the file has no rows below its header.")
    header = [name.strip() for name in rows[0]]
    if len(set(header)) < len(header):
        twice = next(name for name in header if header.count(name) > 1)
        raise DataError(f"{path}:1: the column '{twice}' occurs twice; give each column its own name.")
    for line, row in enumerate(rows[1:], start=2):
        if len(row) != len(header):
            raise DataError(f"{path}:{line}: {len(row)} cells where the header has {len(header)}.")
    return {name: [row[at].strip() for row in rows[1:]] for at, name in enumerate(header)}


def _dialect(start: str, file: Any) -> Any:
    file.seek(0)
    first = start.splitlines()[0] if start.strip() else ""
    excel: Any = csv.excel
    return csv.excel_tab if first.count("\t") > first.count(",") else excel


def _named(columns: dict[str, list[str]], known: tuple[str, ...]) -> str | None:
    lower = {name.lower().replace(" ", "_"): name for name in columns}
    return next((lower[name] for name in known if name in lower), None)


def _is_id(name: str, column: list[str]) -> bool:
    """Whether a column of a wide table names the items: no header, or '…id', and no value twice."""
    plain = name.lower()
    return (not plain or plain.endswith("id") or plain in ITEM) and len(set(column)) == len(column)


def _numbers_or_texts(cells: list[str]) -> list[Any]:
    """All cells as numbers where every one is a number, else all as they are; empty cells are no rating."""
    try:
        numbers = [float(cell) if cell else None for cell in cells]
    except ValueError:
        return [cell or None for cell in cells]
    return [int(n) if n is not None and n.is_integer() else n for n in numbers]
