"""Rows of a table become items, one for each id; what is wrong with a row is a complaint with its line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from quorate.errors import Complaint, StudyError
from quorate.importers import Row
from quorate.patience import TooLongError, at_most
from quorate.records import Item

#: So many seconds a pattern may take for all rows of a table.
PATIENCE = 20
Take = Literal["last", "first"] | int


def with_every_field(rows: Sequence[Row]) -> list[Row]:
    """The rows, each with every field that any of them has: JSON lines may leave out what is empty."""
    names = {name: None for row in rows for name in row.fields}
    return [row if len(row.fields) == len(names) else Row(row.line, {**names, **row.fields}) for row in rows]


def with_derived(rows: Sequence[Row], patterns: Mapping[str, str]) -> Sequence[Row]:
    """The rows with the fields that patterns read out of others: a field for each named group, None where it is not."""
    for field, pattern in patterns.items():
        found = _found(pattern, [str(row.fields[field]) for row in rows], field)
        nothing = dict.fromkeys(re.compile(pattern).groupindex)
        rows = [
            Row(row.line, {**row.fields, **(match.groupdict() if match else nothing)})
            for row, match in zip(rows, found, strict=True)
        ]
    return rows


def _found(pattern: str, texts: Sequence[str], field: str) -> list[re.Match[str] | None]:
    """What a pattern finds in each text; some patterns try more ways to fit a text than anybody can wait for."""
    try:
        with at_most(PATIENCE):
            return [re.search(pattern, text) for text in texts]
    except TooLongError:
        raise StudyError(
            f"'{field}' is read by the pattern '{pattern}', which takes longer than {PATIENCE} seconds. Repeat nothing "
            "that is itself repeated, as in (a+)+, and say what stands before and after."
        ) from None


def one_iteration(
    rows: Iterable[Row], key: Sequence[str], field: str, take: Take, table: str
) -> tuple[list[Row], list[Complaint]]:
    """One row for each id: the last, the first or the stated iteration."""
    complaints: list[Complaint] = []
    found: dict[str, dict[float, Row]] = {}
    for row in rows:
        number = _number(row.fields[field])
        if number is None:
            sentence = f"{row.fields[field]!r} is not the number of an iteration."
            complaints.append(Complaint(table, row.line, field, sentence))
            continue
        rounds = found.setdefault(id_of(row, key), {})
        if number in rounds:
            sentence = f"this iteration of '{id_of(row, key)}' stands on line {rounds[number].line} already."
            complaints.append(Complaint(table, row.line, field, sentence))
        rounds.setdefault(number, row)
    if isinstance(take, int):
        complaints += _without(found, take, field, table)
        return [rounds[take] for rounds in found.values() if take in rounds], complaints
    choose = max if take == "last" else min
    return [rounds[choose(rounds)] for rounds in found.values()], complaints


def unique_items(rows: Iterable[Row], key: Sequence[str], table: str) -> tuple[tuple[Item, ...], list[Complaint]]:
    """An item for each row; an id that is empty or stands twice is a complaint."""
    complaints: list[Complaint] = []
    items: dict[str, Item] = {}
    lines: dict[str, int] = {}
    for row in rows:
        id = id_of(row, key)
        if not id.strip(" /"):
            complaints.append(Complaint(table, row.line, ", ".join(key), "this row has no id."))
        elif id in items:
            sentence = f"the id '{id}' stands on line {lines[id]} already. Every item needs an id of its own."
            sentence += _what_differs(items[id].fields, row.fields, key)
            complaints.append(Complaint(table, row.line, ", ".join(key), sentence))
        else:
            items[id] = Item(id, row.fields)
            lines[id] = row.line
    return tuple(items.values()), complaints


def _what_differs(one: Mapping[str, object], other: Mapping[str, object], key: Sequence[str]) -> str:
    """A hint where one more field, short enough for a name, would tell two rows apart."""
    for field, value in one.items():
        if str(value) != str(other[field]) and len(str(value)) <= 40 and field not in key:
            return f" With `id: [{', '.join((*key, field))}]` they differ."
    return ""


def identified(rows: Sequence[Row], key: Sequence[str], patterns: Mapping[str, str]) -> list[tuple[str, Row]]:
    """Each row as it came, with the id of its item; fields that patterns read out of others may be in the id."""
    whole = with_derived(with_every_field(rows), patterns)
    return [(id_of(full, key), row) for full, row in zip(whole, rows, strict=True)]


def id_of(row: Row, key: Sequence[str]) -> str:
    """The id that these fields make; several are joined by a slash."""
    values = (row.fields.get(field) for field in key)
    return " / ".join("" if value is None else str(value).strip() for value in values)


def _number(value: object) -> float | None:
    try:
        return float(str(value))
    except ValueError:
        return None


def _without(found: dict[str, dict[float, Row]], take: int, field: str, table: str) -> list[Complaint]:
    lacking = [(id, rounds) for id, rounds in found.items() if take not in rounds]
    if not lacking:
        return []
    id, rounds = lacking[0]
    more = f" (and {len(lacking) - 1} more)" if lacking[1:] else ""
    sentence = f"'{id}'{more} has no iteration {take}. Add it, or take the last one: `take: last`."
    return [Complaint(table, next(iter(rounds.values())).line, field, sentence)]
