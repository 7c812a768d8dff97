"""Comparisons of two systems as rows: the pair, the sign of the first, and the side on which it stood."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from quorate.protocol import Protocol
from quorate.records import Estimate
from quorate.sheets.case import Case
from quorate.sheets.columns import Bools, Ints, Rows
from quorate.sheets.sheet import Sheet
from quorate.sheets.verdicts import Verdicts


@dataclass(frozen=True, eq=False)
class Compared:
    """Rows of comparisons: for each the pair of systems, the sign of the first, and where the first stood."""

    pairs: tuple[tuple[str, str], ...]
    pair: Ints
    sign: Ints
    on_left: Bools
    item: Ints
    who: Ints

    def of(self, place: int) -> Compared:
        """The comparisons of one pair of systems."""
        return self.only(self.pair == place)

    def only(self, kept: Bools) -> Compared:
        """Some of the comparisons."""
        parts = (getattr(self, name)[kept] for name in ("pair", "sign", "on_left", "item", "who"))
        return Compared(self.pairs, *parts)


def compared(case: Case) -> Compared:
    """The comparisons that planned raters made; answers without two systems are left out."""
    return of_sheet(case.sheet)


def of_sheet(sheet: Sheet) -> Compared:
    """The comparisons of one sheet."""
    if "compared" not in sheet.held:
        sheet.held["compared"] = _compared(sheet)
    found: Compared = sheet.held["compared"]
    return found


def _compared(sheet: Sheet) -> Compared:
    table = sheet.aligned("compared", "people", lambda rows: _read(sheet.whole, rows))
    found = table[:, 0] >= 0
    pair, sign, on_left = table[found].T
    names: list[tuple[str, str]] = sheet.whole.held["pairs"]
    # The pairs of these items alone, in the order of their names.
    counts = np.bincount(pair, minlength=len(names))
    pairs = tuple(names[code] for code in np.flatnonzero(counts))
    who = sheet.people
    return Compared(pairs, (np.cumsum(counts > 0) - 1)[pair], sign, on_left == 1, who.item[found], who.who[found])


def sides_taken(sheet: Sheet) -> Ints:
    """Which side each answer takes, in the order of the rows: 1 the left one, −1 the right one, 0 neither."""
    _, sign, on_left = sheet.aligned("compared", "people", lambda rows: _read(sheet.whole, rows)).T
    return np.where(on_left == 1, sign, -sign)


def _read(sheet: Sheet, rows: Rows) -> Ints:
    """For each row the place of its pair of systems (−1: none), the sign of the first, and whether it stood left."""
    keys = [
        (value, shown.sides.get("left", ""), shown.sides.get("right", ""))
        for value, shown in zip(rows.column("value"), rows.column("shown"), strict=True)
    ]
    an_example = dict(zip(keys, rows.column("shown"), strict=True))
    known = {key: sheet.question.compared(key[0], shown) for key, shown in an_example.items()}
    names = sorted({one[:2] for one in known.values() if one is not None})
    places = {pair: place for place, pair in enumerate(names)}
    sheet.held["pairs"] = names
    coded = {
        key: (-1, 0, 0) if one is None else (places[one[:2]], one[2], int(key[1] == one[0]))
        for key, one in known.items()
    }
    return np.array(list(map(coded.__getitem__, keys)), np.int64).reshape(-1, 3)


def prefers(case: Case) -> bool:
    """Whether systems compete in the case's question."""
    return case.sheet.question.compares() and not case.sheet.question.is_scored()


def may_tie(protocol: Protocol) -> bool:
    """Whether any question of the study that compares systems takes an answer of neither."""
    return any(
        ask.question.tie_value() is not None
        for section in protocol.sections for ask in section.ask if ask.question.compares()
    )  # fmt: skip


def verdict_signs(verdicts: Verdicts, ratings: Compared, first: str, second: str) -> tuple[Ints, Bools]:
    """What each item's verdict says of the first system: 1, 0 (a tie, or no verdict) or −1; and which were compared."""
    among = np.zeros(len(verdicts.code), bool)
    among[ratings.item] = True
    signs = {"win": 1, "loss": -1, first: 1, second: -1}
    told = np.array([signs.get(label, 0) for label in verdicts.labels] or [0])
    return np.where(verdicts.code >= 0, told[verdicts.code], 0), among


def part_of(found: Any, name: str) -> Estimate:
    """One of the estimates that were found together; itself where they could not be computed."""
    return found if isinstance(found, Estimate) else replace(getattr(found, name))
