"""Tables: CSV, TSV, JSON lines and Parquet, with the line of every row kept for complaints."""

from __future__ import annotations

import codecs
import csv
import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from quorate.errors import StudyError

# A field may hold a whole document; the reader's own limit of 128 kB is for other uses.
csv.field_size_limit(256 * 1024 * 1024)


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table: its line in the file and its fields."""

    line: int
    fields: dict[str, Any]


def decode(content: bytes) -> str:
    """The text of a file, whatever its encoding; a StudyError names the first line that is broken."""
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if content.startswith(mark):
            return content.decode(encoding).removeprefix("\ufeff")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        return _guess(content, error)


def _guess(content: bytes, error: UnicodeDecodeError) -> str:
    line = content.count(b"\n", 0, error.start) + 1
    advice = "Save the file as UTF-8."
    if b"\0" in content[:1000]:
        raise StudyError(f"line {line}: this is not a text file, or it is UTF-16 without a mark. {advice}") from error
    # Windows-1252 leaves five bytes undefined: text that is really something else is likely to hold one.
    try:
        text = content.decode("cp1252")
    except UnicodeDecodeError:
        raise StudyError(f"line {line}: byte 0x{content[error.start]:02x} is not UTF-8. {advice}") from error
    return text


def read_csv(path: Path) -> list[Row]:
    """The rows of a CSV or TSV file; a row with too many or too few cells is named by its line."""
    text = decode(path.read_bytes())
    delimiter = "\t" if path.suffix.lower() == ".tsv" else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows: list[Row] = []
    try:
        header = [name.strip() for name in next(reader, [])]
        _check_header(header)
        start = reader.line_num + 1
        for cells in reader:
            if any(cells):
                if len(cells) != len(header):
                    raise StudyError(f"line {start}: {len(cells)} cells where the header has {len(header)}.")
                rows.append(Row(start, dict(zip(header, cells, strict=True))))
            start = reader.line_num + 1
    except csv.Error as error:
        raise StudyError(f"line {reader.line_num}: {error}.") from error
    return rows


def _check_header(header: list[str]) -> None:
    if not header:
        raise StudyError("line 1: the table is empty. Its first line should name the columns.")
    repeated = sorted({name for name in header if header.count(name) > 1})
    if repeated:
        raise StudyError(f"line 1: two columns are named '{repeated[0]}'.")
    if "" in header:
        raise StudyError(f"line 1: column {header.index('') + 1} has no name.")


def read_jsonl(path: Path) -> list[Row]:
    """The rows of a JSON-lines file: one object a line."""
    rows = []
    for number, line in enumerate(decode(path.read_bytes()).splitlines(), start=1):
        if not line.strip():
            continue
        try:
            fields = msgspec.json.decode(line)
        except msgspec.DecodeError as error:
            raise StudyError(f"line {number}: this is not JSON: {error}.") from error
        if not isinstance(fields, dict):
            raise StudyError(f"line {number}: each line should be an object {{…}}.")
        rows.append(Row(number, fields))
    return rows


def read_parquet(path: Path) -> list[Row]:
    """The rows of a Parquet file, numbered from 1."""
    import polars

    try:
        frame = polars.read_parquet(path)
    except polars.exceptions.PolarsError as error:
        raise StudyError(f"this is not a Parquet file: {error}.") from error
    return [Row(number, fields) for number, fields in enumerate(frame.iter_rows(named=True), start=1)]
