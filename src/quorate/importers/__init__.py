"""Where items come from: one kind of source a file, and a row in this table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from quorate.errors import StudyError, did_you_mean
from quorate.importers.label_studio import read_json
from quorate.importers.tables import Row, parquet, read_csv, read_jsonl, read_parquet, refuse_too_many, refuse_unkept

READERS: Mapping[str, Callable[[Path], list[Row]]] = {
    ".csv": read_csv,
    ".tsv": read_csv,
    ".jsonl": read_jsonl,
    ".json": read_json,
    ".parquet": read_parquet,
}


def read_rows(path: Path) -> list[Row]:
    """Every row of a table with its line in the file; a StudyError says what is wrong with it."""
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        known = ", ".join(READERS)
        hint = did_you_mean(path.suffix.lower(), READERS)
        raise StudyError(f"'{path.suffix}' is not a kind of table that can be read ({known}).{hint}")
    rows = reader(path)
    refuse_too_many(len(rows), len({name for row in rows for name in row.fields}))
    refuse_unkept(rows)
    return rows


__all__ = ["READERS", "Row", "parquet", "read_rows"]
