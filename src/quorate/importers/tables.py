"""Tables: CSV, TSV, JSON lines and Parquet, with the line of every row kept for complaints."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

from quorate.errors import StudyError
from quorate.files import read_bounded

#: How many bytes a table may have, and how many rows and cells: each row is in memory, with every field of any of them.
LARGEST_TABLE, MOST_ROWS, MOST_CELLS = 500_000_000, 10_000_000, 20_000_000
# A field may hold a whole document; the reader's own limit of 128 kB is for other uses.
csv.field_size_limit(256 * 1024 * 1024)

_MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_ADVICE = "Save the file as UTF-8."
_HALVES = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table: its line in the file and its fields."""

    line: int
    fields: dict[str, Any]


def decode(content: bytes) -> str:
    """The text of a file, whatever its encoding; a StudyError names the first line that is broken."""
    for mark, encoding in _MARKS.items():
        if content.startswith(mark):
            return _decoded(content.removeprefix(mark), encoding)
    # A NUL is good UTF-8, and never meant: so does UTF-16 look that does not say what it is.
    if b"\0" in content:
        line = content.count(b"\n", 0, content.index(b"\0")) + 1
        raise StudyError(f"line {line}: this is not a text file, or it is UTF-16 without a mark. {_ADVICE}")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        pass
    # Windows-1252 leaves five bytes undefined: text that is really something else is likely to hold one.
    try:
        return content.decode("cp1252")
    except UnicodeDecodeError:
        return _decoded(content, "utf-8")


def _decoded(content: bytes, encoding: str) -> str:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content[: error.start].decode(encoding, errors="ignore").count("\n") + 1
        name = encoding.upper().removesuffix("-LE").removesuffix("-BE")
        raise StudyError(f"line {line}: byte 0x{content[error.start]:02x} is not {name}. {_ADVICE}") from error


def read_csv(path: Path) -> list[Row]:
    """The rows of a CSV or TSV file; a row with too many or too few cells is named by its line."""
    text = decode(read_bounded(path, LARGEST_TABLE))
    delimiter = "\t" if path.suffix.lower() == ".tsv" else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows: list[Row] = []
    ragged: list[tuple[int, int]] = []
    try:
        header = [name.strip() for name in next(reader, [])]
        _check_header(header)
        start = reader.line_num + 1
        for cells in reader:
            if any(cells) and len(cells) != len(header):
                ragged.append((start, len(cells)))
            elif any(cells):
                rows.append(Row(start, dict(zip(header, cells, strict=True))))
            start = reader.line_num + 1
    except csv.Error as error:
        what = "a quote is opened and never closed" if "end of data" in str(error) else str(error)
        advice = "A cell in quotes ends with one; inside it, a quote is written twice."
        raise StudyError(f"line {start}: {what}. {advice}") from error
    if ragged:
        line, n = ragged[0]
        more = f" (and {_lines(len(ragged) - 1)} like it)" if ragged[1:] else ""
        raise StudyError(f"line {line}: {n} cells where the header has {len(header)}{more}. "
                         "A cell that holds a comma stands in quotes.")  # fmt: skip
    return rows


def unkept(text: str) -> str:
    """What of a text no database keeps, in words; "" for nothing.

    >>> unkept("a\\0b"), unkept("plain")
    ('the character NUL', '')
    """
    if "\0" in text:
        return "the character NUL"
    return "" if text.isascii() or not _HALVES.search(text) else "half a character (a lone surrogate)"


def refuse_unkept(rows: Sequence[Row]) -> None:
    """Raise a StudyError that names the first row with a text that no database keeps."""

    def found(value: Any) -> str:
        if isinstance(value, str):
            return unkept(value)
        parts = [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else ()
        return next(filter(None, map(found, parts)), "")

    for row in rows:
        if what := found(row.fields):
            raise StudyError(f"line {row.line}: a text holds {what}. Take it out.")


def refuse_too_many(rows: int, columns: int) -> None:
    """Raise a StudyError for a table that fills the memory."""
    if rows > MOST_ROWS or rows * columns > MOST_CELLS:
        raise StudyError(
            f"it has {rows:,} rows, and {columns:,} columns in all; a table can have {MOST_ROWS:,} rows and "
            f"{MOST_CELLS:,} cells. Leave out what is not needed."
        )


def _lines(n: int) -> str:
    return "1 more line" if n == 1 else f"{n} more lines"


def _check_header(header: list[str]) -> None:
    if not header:
        raise StudyError("line 1: the table is empty. Its first line should name the columns.")
    repeated = sorted(name for name, n in Counter(header).items() if n > 1)
    if repeated:
        raise StudyError(f"line 1: two columns are named '{repeated[0]}'.")
    if "" in header:
        raise StudyError(f"line 1: column {header.index('') + 1} has no name.")


def read_jsonl(path: Path) -> list[Row]:
    """The rows of a JSON-lines file: one object a line."""
    rows, broken = [], []
    # Only line feeds end a row: `splitlines` would also cut at U+2028, which JSON allows inside a text.
    for number, line in enumerate(decode(read_bounded(path, LARGEST_TABLE)).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            fields = msgspec.json.decode(line)
        except (msgspec.DecodeError, RecursionError) as error:
            broken.append(f"line {number}: this is not JSON: {error}")
            continue
        if not isinstance(fields, dict):
            broken.append(f"line {number}: this is no object {{…}}")
        else:
            rows.append(Row(number, fields))
    if broken:
        more = f" (and {_lines(len(broken) - 1)} like it)" if broken[1:] else ""
        raise StudyError(f'{broken[0]}{more}. Every line is one object: {{"name": value, …}}.')
    return rows


def parquet() -> ModuleType:
    """The package that reads and writes Parquet: it is large, and comes as an extra."""
    try:
        return import_module("polars")
    except ImportError as error:
        raise StudyError("Parquet files need: pip install 'quorate[parquet]'") from error


def read_parquet(path: Path) -> list[Row]:
    """The rows of a Parquet file, numbered from 1."""
    polars = parquet()
    try:
        # A file of a few bytes may stand for any number of rows.
        refuse_too_many(polars.scan_parquet(path).select(polars.len()).collect().item(), 1)
        frame = polars.read_parquet(path)
        refuse_too_many(*frame.shape)
        # What repeats is kept once in the file and in the frame, and once for each row from here on.
        if frame.estimated_size() > LARGEST_TABLE:
            raise StudyError(
                f"it holds {frame.estimated_size() / 1e6:,.0f} MB once it is unpacked, and a table can have "
                f"{LARGEST_TABLE / 1e6:,.0f} MB. Leave out what is not needed."
            )
    except polars.exceptions.PolarsError as error:
        raise StudyError(f"this is not a Parquet file: {error}.") from error
    return [Row(number, fields) for number, fields in enumerate(frame.iter_rows(named=True), start=1)]
