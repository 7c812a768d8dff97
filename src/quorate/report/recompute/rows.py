"""The rows of the published files, as Python values."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

# A cell that a spreadsheet would run as a formula is written with an apostrophe before it.
_INERT = re.compile("'+[=+\\-@\t\r\n\uff0b\uff0d\uff1d\uff20]")


def meant(cell: str) -> str:
    """What stood in a cell before it was made inert."""
    return cell[1:] if _INERT.match(cell) else cell


def read(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file; none where there is no such file."""
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [{meant(name): meant(cell) for name, cell in row.items()} for row in csv.DictReader(file)]


@dataclass(frozen=True)
class Answer:
    """One answer that has a value: of a person, of a judge, or of the team."""

    section: str
    question: str
    item: str
    who: str
    value: str
    label: str
    right: bool | None
    by: str = "rater"
    round: int = 1


def answers(rows: Iterable[dict[str, str]], item: str, only: tuple[str, str], by: str = "rater") -> Iterator[Answer]:
    """The answers of a file; `only` is the section and question of a study that asks one thing."""
    for row in rows:
        yield Answer(
            row.get("section", only[0]),
            row.get("question", only[1]),
            row[item],
            row["annotator_id"],
            row["response_normalized"],
            row.get("response_label", ""),
            {"True": True, "False": False}.get(row["is_correct"]),
            row.get("by", by),
            int(row.get("round", 1)),
        )
