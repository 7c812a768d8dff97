"""Agreement where items compare different pairs of systems: on the choice within an item's own pair.

A name that is an answer to one item and cannot be one to the next is no category that chance could give to both: chance
agreement over names comes out far too low. What raters choose from is one, the other, or a tie. Which of the two is the
one would be a convention, and κ would change with it; so each item is counted together with its mirror image.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from quorate.sheets.columns import Ints, Reading
from quorate.sheets.sheet import PARTS, Sheet


def is_by_pair(sheet: Sheet) -> bool:
    """Whether the question compares systems that differ by item, so that its answers mean something else in each."""
    if not sheet.question.compares():
        return False
    whole = sheet.whole
    if "is_by_pair" not in whole.held:
        whole.held["is_by_pair"] = not sheet.question.means_alike(set(_pairs(whole).values()))
    found: bool = whole.held["is_by_pair"]
    return found


def comparable(sheet: Sheet, name: str, of: str = "people") -> Reading:
    """A reading of the answers whose categories mean the same in every item."""
    reading = sheet.reading(name, of)
    if not is_by_pair(sheet):
        return reading
    mirror = sheet.question.turned(name)
    code = choices(sheet, name, reading.item, reading.code, reading.labels)
    return replace(reading, code=code, labels=tuple(mirror), declared=True, mirror=mirror)


def choices(sheet: Sheet, name: str, item: Ints, code: Ints, labels: tuple[object, ...]) -> Ints:
    """Codes of labels as codes of the choices within each item's pair."""
    pairs = _pairs(sheet.whole)
    known = sorted(set(pairs.values()))
    places = {pair: place for place, pair in enumerate(known)}
    of_item = np.array([places.get(pairs.get(one.id, ("", "")), -1) for one in sheet.items], np.int64)
    names = {label: place for place, label in enumerate(sheet.question.turned(name))}
    # Where no tie may be given, a system of other items' pairs is no choice within this one.
    table = np.array(
        [[names.get(sheet.question.choice(label, pair), -1) for label in labels] for pair in known], np.int64
    )
    return table[of_item[item], code] if len(code) else code


def read_as(sheet: Sheet, rows: str) -> dict[str, Any]:
    """The rows that give a coefficient beyond chance, and what it is of where answers are not taken as they are."""
    return {"rows": rows, "by_pair": True} if is_by_pair(sheet) else {"rows": rows}


def _pairs(sheet: Sheet) -> Mapping[str, tuple[str, str]]:
    """The two systems of each item, in the order of their names."""
    if "pairs_of_items" not in sheet.held:
        found: dict[str, tuple[str, str]] = {}
        for part in PARTS:
            for answer in getattr(sheet, part).answers:
                if answer.item not in found and len(systems := set(answer.shown.sides.values())) == 2:
                    first, second = sorted(systems)
                    found[answer.item] = (first, second)
        sheet.held["pairs_of_items"] = found
    known: dict[str, tuple[str, str]] = sheet.held["pairs_of_items"]
    return known
