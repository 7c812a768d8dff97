"""A system that is the best of several generations: its table of scores, and whether the chosen ones are the best."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from quorate.errors import did_you_mean
from quorate.importers import Row
from quorate.protocol.named import Place
from quorate.protocol.study_file import BestOf, StudyFile

FROM: Place = ("items", "best_of", "from")
#: What a table writes beside the one that was chosen.
YES = ("true", "1", "yes")


@dataclass(frozen=True, slots=True)
class Generations:
    """The generations of one item: the score of each, and which were chosen, by their places."""

    scores: tuple[float, ...]
    chosen: tuple[int, ...]

    @property
    def is_best(self) -> bool:
        """Whether one was chosen, and none has a higher score."""
        return len(self.chosen) == 1 and self.scores[self.chosen[0]] == max(self.scores)


def generations(rule: BestOf, tables: Mapping[str, Sequence[Row]]) -> dict[str, Generations]:
    """The generations of each item, in the order of the table."""
    found: dict[str, tuple[list[float], list[int]]] = {}
    for row in tables[rule.from_ or ""]:
        scores, chosen = found.setdefault(str(row.fields[rule.id]), ([], []))
        if str(row.fields[rule.chosen]).strip().lower() in YES:
            chosen.append(len(scores))
        scores.append(float(str(row.fields[rule.score])))
    return {item: Generations(tuple(scores), tuple(chosen)) for item, (scores, chosen) in found.items()}


def wrong_in_generations(
    study: StudyFile, tables: Mapping[str, Sequence[Row]], systems: Sequence[str]
) -> Iterator[tuple[Place, str]]:
    """What a table of scores lacks, so that nobody could tell which generation was the best."""
    rule = study.items.best_of
    if rule is None or rule.from_ is None or rule.from_ not in tables:
        return
    rows = tables[rule.from_]
    if not rows:
        yield FROM, f"{rule.from_} has no rows."
        return
    for name, key in ((rule.id, "id"), (rule.score, "score"), (rule.chosen, "chosen")):
        if name not in rows[0].fields:
            yield (*FROM[:2], key), f"{rule.from_} has no column '{name}'.{did_you_mean(name, rows[0].fields)}"
            return
    if rule.system and rule.system not in systems:
        yield (*FROM[:2], "system"), f"no section shows a system '{rule.system}'.{did_you_mean(rule.system, systems)}"
    for row in rows:
        if not _is_number(row.fields[rule.score]):
            yield FROM, f"{rule.from_}: a score of '{row.fields[rule.id]}' is no number: {row.fields[rule.score]!r}."
            return


def _is_number(value: Any) -> bool:
    try:
        return isfinite(float(str(value)))
    except ValueError:
        return False
