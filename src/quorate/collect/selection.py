"""The best of n generations by CLIP score, for a stochastic baseline; every score and the choice are kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quorate.encoders.clip import VIT_L_14, clip
from quorate.errors import StudyError, did_you_mean
from quorate.importers import Row, read_rows
from quorate.spreadsheets import csv_table

SCORE, RANK, CHOSEN, MODEL = "clip_score", "clip_rank", "chosen", "clip_model"
BATCH = 16


@dataclass(frozen=True, slots=True)
class Selection:
    """Every candidate with its score, its rank among those of its item, and whether it was chosen."""

    rows: tuple[Mapping[str, Any], ...]
    #: Items whose number of candidates is not the one that their table states, with both numbers.
    uneven: Mapping[str, tuple[int, int]]

    def table(self, only_chosen: bool = False) -> str:
        """CSV: every candidate, or only the chosen one of each item."""
        columns = list(self.rows[0])
        kept = (list(row.values()) for row in self.rows if row[CHOSEN] or not only_chosen)
        return csv_table(columns, kept, as_they_came=columns)


def select_best(
    table: Path,
    id: str,
    image: str,
    text: str,
    model: str = VIT_L_14,
    n: str = "",
    on_scored: Callable[[], None] = lambda: None,
) -> Selection:
    """Scores every row of a table of candidates, and chooses the best of each item; of equals, the first in the table.

    `n` names a column with how many candidates an item should have: as many as its refinement had iterations.
    """
    candidates = list(read_rows(table))
    if not candidates:
        raise StudyError(f"{table} has no rows: there is nothing to choose from.")
    for name in (id, image, text, *((n,) if n else ())):
        if name not in candidates[0].fields:
            hint = did_you_mean(name, candidates[0].fields)
            raise StudyError(f"{table} has no column '{name}'.{hint}")
    scores = _scores(table.parent, candidates, image, text, model, on_scored)
    places: dict[str, list[int]] = {}
    for place, row in enumerate(candidates):
        places.setdefault(str(row.fields[id]), []).append(place)
    ranks: dict[int, int] = {}
    for mine in places.values():
        ranked = sorted(mine, key=lambda place: (-scores[place], place))
        ranks |= {place: rank for rank, place in enumerate(ranked, start=1)}
    rows = tuple(
        {**row.fields, SCORE: scores[k], RANK: ranks[k], CHOSEN: ranks[k] == 1, MODEL: model}
        for k, row in enumerate(candidates)
    )
    return Selection(rows, _uneven(candidates, places, n) if n else {})


def _scores(
    folder: Path, rows: Sequence[Row], image: str, text: str, model: str, on_scored: Callable[[], None]
) -> list[float]:
    scorer = clip(model)
    found: list[float] = []
    for start in range(0, len(rows), BATCH):
        some = rows[start : start + BATCH]
        pictures = [_read(folder / str(row.fields[image])) for row in some]
        found += scorer.score(pictures, [str(row.fields[text]) for row in some])
        for _ in some:
            on_scored()
    return found


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise StudyError(f"{path}: the picture cannot be read ({error.strerror}).") from error


def _uneven(rows: Sequence[Row], places: Mapping[str, Sequence[int]], n: str) -> dict[str, tuple[int, int]]:
    found = {}
    for item, mine in places.items():
        stated = str(rows[mine[0]].fields[n])
        if not stated.isdecimal() or int(stated) != len(mine):
            found[item] = (len(mine), int(stated) if stated.isdecimal() else 0)
    return found
