"""Writes the study's own table: one rater's answers, what all amount to, or none, with guidelines."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from quorate.analyse.merged import merged_rows
from quorate.conditions import condition
from quorate.errors import StudyError
from quorate.exchange.own_table.format import cell, own_of, source_rows
from quorate.inquiries.item_means import item_means
from quorate.languages import say
from quorate.protocol import Asks, Protocol
from quorate.protocol.study_file import Own
from quorate.records import Answer, Collected, Item, Level, Shown
from quorate.sheets.case import SCALES
from quorate.sheets.sheet import EXCLUDED, WITHDRAWN, natural, sheets
from quorate.sheets.verdicts import ADJUDICATED, AGREED, AMBIGUOUS, THIRD, majority
from quorate.spreadsheets import csv_table

Values = Mapping[tuple[str, str], Any]
"""What is written for each (item, question); a None says that there were answers and they amount to nothing."""


def own_file(protocol: Protocol, collected: Collected, rater: str = "") -> tuple[str, str]:
    """Name and text of the file: one rater's answers, else what all of them amount to."""
    ids = [item.id for item in collected.items]
    if rater:
        known = {answer.rater for answer in collected.answers if answer.by == "rater"}
        if rater not in known:
            raise StudyError(f"Rater '{rater}' has given no answer. There are answers of: {', '.join(sorted(known))}.")
        return _file(protocol, ids, values_of(collected, rater))
    found = amounts(protocol, collected)
    # Where there is a reason and no answer, the cell stays as it came.
    return _file(protocol, ids, {key: one.value for key, one in found.items() if one.n or one.value is not None})


def own_files(protocol: Protocol, collected: Collected) -> dict[str, str]:
    """The file of what all answers amount to, and one beside it that says of every cell how it came about."""
    if protocol.file.export.own is None:
        return {}
    name, text = own_file(protocol, collected)
    return {name: text, f"{Path(name).stem}_status.csv": _status_file(protocol, collected)}


def template_files(protocol: Protocol, items: tuple[Item, ...]) -> dict[str, str]:
    """The file with nothing answered, and guidelines beside it; cells that came filled stay as they are.

    The guidelines are a file of their own: comment lines above a header would be rows to a spreadsheet, and would come
    back as such.
    """
    name, text = _file(protocol, [item.id for item in items], {})
    return {name: text, f"{Path(name).stem}_guidelines.txt": guidelines(protocol, items[0])}


def values_of(collected: Collected, rater: str) -> dict[tuple[str, str], Any]:
    """One rater's answers by item and question; what has a reason instead of a value is left empty."""
    return {(a.item, a.question): a.value for a in collected.answers if a.rater == rater and a.by == "rater"}


@dataclass(frozen=True, slots=True)
class Amount:
    """The value that the answers to one question about one item amount to, how it came about, and from how many."""

    value: Any
    status: str
    n: int = 0


def amounts(protocol: Protocol, collected: Collected) -> dict[tuple[str, str], Amount]:
    """The amount of all answers to each question about each item, by item and question."""
    asks = {ask.id: ask for section in protocol.sections for ask in section.ask}
    left = {person.rater for person in collected.participants if person.status in (WITHDRAWN, EXCLUDED)}
    given: dict[tuple[str, str], list[Answer]] = {}
    why: dict[tuple[str, str], str] = {}
    columns = set(own_of(protocol).columns.values())
    for answer in sorted(collected.answers, key=lambda answer: (natural(answer.rater), answer.seq)):
        is_counted = answer.by in ("rater", "member") and answer.rater not in left and answer.round == 1
        if is_counted and answer.question in columns:
            if answer.reason is None:
                given.setdefault((answer.item, answer.question), []).append(answer)
            else:
                why[answer.item, answer.question] = str(answer.reason)
    found = {key: Amount(None, reason) for key, reason in why.items() if key not in given}
    found |= {key: _amount(protocol, asks[key[1]], answers) for key, answers in given.items()}
    if own_of(protocol).holds in ("mean", "merged"):
        found |= _means(protocol, collected, columns)
    if own_of(protocol).holds == "merged":
        found |= _judges(protocol, collected, columns)
    return found


def _means(protocol: Protocol, collected: Collected, columns: set[str]) -> dict[tuple[str, str], Amount]:
    """The mean of the planned raters' numbers, which the report's means are means of."""
    found = {}
    for sheet in sheets(protocol, collected):
        is_number = sheet.question.level in SCALES and not sheet.question.rates_each() and not sheet.question.compares()
        if sheet.id in columns and is_number:
            n = np.bincount(sheet.people.item, minlength=sheet.n_items).tolist()
            for item, mean, k in zip(sheet.items, item_means(sheet).tolist(), n, strict=True):
                if k:
                    value = int(mean) if mean == int(mean) else mean
                    found[item.id, sheet.id] = Amount(value, f"mean of {k}" if k > 1 else "one rater", k)
    return found


def _judges(protocol: Protocol, collected: Collected, columns: set[str]) -> dict[tuple[str, str], Amount]:
    """The judge's score of what triage routed and no person scored, as the merged mean of the report has it."""
    found = {}
    for _, question, item, score, source, _, _, _, route, _ in merged_rows(
        protocol, tuple(sheets(protocol, collected))
    ):
        if question in columns and source == "ai":
            value = int(score) if score == int(score) else score
            found[item, question] = Amount(value, f"judge’s score ({route})")
    return found


def _amount(protocol: Protocol, ask: Asks, answers: Sequence[Answer]) -> Amount:
    """The planned raters' verdict, else with those who were called in, else what a member of the team decided.

    Texts have no verdict: different ones stand side by side with the rater's name.
    """
    question, rule, per_item = ask.question, protocol.analysis.verdict.majority, protocol.raters.per_item
    people = [answer for answer in answers if answer.by == "rater"]
    if people and question.level is Level.TEXT and not question.is_scored():
        texts = {answer.rater: str(answer.value) for answer in people}
        if len(set(texts.values())) == 1:
            return Amount(people[0].value, "one rater" if len(people) == 1 else AGREED, len(people))
        return Amount(" | ".join(f"{rater}: {text}" for rater, text in texts.items()), "side by side", len(people))
    if people and per_item == 1:
        return Amount(people[0].value, "one rater", 1)
    values = {str(question.plain(answer.value)): answer.value for answer in answers}
    planned = [answer for answer in people if answer.repeat < per_item]
    for voters, status in ((planned, AGREED), (people, THIRD)):
        label = majority((str(question.plain(answer.value)) for answer in voters), rule)
        if label is not None:
            return Amount(values[label], status, len(voters))
    members = [answer for answer in answers if answer.by == "member"]
    if members:
        return Amount(max(members, key=lambda answer: answer.seq).value, ADJUDICATED, len(people))
    return Amount(None, AMBIGUOUS, len(people))


def _status_file(protocol: Protocol, collected: Collected) -> str:
    """One row for each cell that answers stand in: what it holds, how that came about, and from how many answers."""
    own, source, found = own_of(protocol), source_rows(protocol), amounts(protocol, collected)
    rows = []
    for item in collected.items:
        for column, question in own.columns.items():
            came = cell(source[item.id], column)
            one = found.get((item.id, question), Amount(None, "no answer" if came in (None, "") else "as it came"))
            value = one.value if one.n or one.value is not None else came
            rows.append([item.id, column, question, _text(value), one.status, one.n])
    return csv_table([protocol.file.export.item_id, "column", "question", "value", "status", "n_answers"], rows)


def _file(protocol: Protocol, ids: list[str], values: Values) -> tuple[str, str]:
    own, source = own_of(protocol), source_rows(protocol)
    rows = [_filled(id, source[id], own, values) for id in ids]
    if Path(own.file).suffix == ".jsonl":
        return own.file, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    names = list(dict.fromkeys(name for row in rows for name in row))
    cells = ([_text(row.get(name)) for name in names] for row in rows)
    return own.file, csv_table(names, cells, set(names) - set(own.columns), names_as_they_came=True)


def _filled(id: str, source: Mapping[str, Any], own: Own, values: Values) -> dict[str, Any]:
    row = {name: value for name, value in source.items() if name not in own.without}
    for column, question in own.columns.items():
        *path, last = column.split(".")
        inner = row
        for part in path:
            inner[part] = dict(inner.get(part) or {})
            inner = inner[part]
        if (id, question) in values and (values[id, question] is not None or inner.get(last) != ""):
            inner[last] = values[id, question]
        else:
            # What nobody answered stays as it came, an empty text too.
            inner.setdefault(last, None)
    return row


def _text(value: Any) -> Any:
    if value is None:
        return ""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value


def guidelines(protocol: Protocol, item: Item) -> str:
    """A text that says what to write into each column, in the words of the study file."""
    own = own_of(protocol)
    nothing = "null" if Path(own.file).suffix == ".jsonl" else "nothing"
    asks = {ask.id: ask for section in protocol.sections for ask in section.ask}
    lines = [f"{say(protocol.file.title)}: how to fill {own.file}", ""]
    for column, question in own.columns.items():
        lines += [*_guideline(column, asks[question], item, nothing, set(own.columns.values())), ""]
    lines += [
        "Leave everything else as it is; the file can be saved half-way and taken up again.",
        f"Bring it back with: quorate import DIR {own.file} --rater ID",
    ]
    return "\n".join(lines) + "\n"


def _guideline(column: str, ask: Asks, item: Item, nothing: str, columns: set[str]) -> Iterator[str]:
    first, *rest = ask.question.as_prompt(item, Shown()).splitlines()
    yield f"{column}: {first}"
    if ask.question.help:
        yield f"    {say(ask.question.help)}"
    yield from (f"    {line}" for line in rest)
    if ask.applies_when:
        yield f"    Only where {ask.applies_when}; write {nothing} elsewhere."
    if ask.question.cannot_judge:
        yield f"    Write {nothing} where you cannot judge it."
    if ask.required_when:
        # What decides it may be asked in the browser alone, such as a tag for edge cases.
        in_file = condition(ask.required_when).names <= {*columns, *item.fields}
        yield f"    Has to be filled where {ask.required_when}." if in_file else "    Has to be filled in edge cases."
    elif not ask.question.required:
        yield "    May be left empty."
