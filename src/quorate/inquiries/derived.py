"""Scores made of several answers, as sheets like any other: what is computed of an answer is computed of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from quorate.findings.names import plain
from quorate.languages import LANGUAGES, Words, capital
from quorate.messages import Message
from quorate.protocol import Protocol
from quorate.protocol.rules import Score
from quorate.questions import Slider
from quorate.sheets.columns import Floats, Rows, mapped
from quorate.sheets.sheet import NOBODY, Sheet

Sheets = Mapping[tuple[str, str], Sheet]


def derived(protocol: Protocol, sheets: Sheets) -> Iterator[Sheet]:
    """A sheet for each declared score, and one over the parts that all items share where parts apply by rule."""
    for section in protocol.sections:
        always = {ask.id for ask in section.ask if ask.applies_when is None}
        for score in section.scores:
            yield _sheet(sheets, section.id, score, score.id, list(score.weights))
            shared = [name for name in score.weights if name in always]
            if shared and len(shared) < len(score.weights):
                yield _sheet(sheets, section.id, score, score.shared_id, shared)


def title_of(score: Score, is_shared: bool = False) -> Words:
    """What a score is called in each language: by the name that the study gives it."""
    name = capital(plain(score.id))
    told = Message("{name} score, shared parts", name=name) if is_shared else Message("{name} score", name=name)
    return {language: told.text(language) for language in LANGUAGES}


def _sheet(sheets: Sheets, section: str, score: Score, id: str, parts: list[str]) -> Sheet:
    held = {name: sheets[section, name] for name in parts}
    first = held[parts[0]]
    names = tuple(dict.fromkeys(rater for sheet in held.values() for rater in sheet.raters))
    # A judge that was never asked one of the parts has no such score: over the rest it would be another score.
    judges = tuple(judge for judge in first.judges if all(judge in sheet.judges for sheet in held.values()))
    words = ", ".join(f"{score.weights[name]:g} {name.replace('_', ' ')}" for name in parts)
    low, high = _ends(held, score)
    return replace(
        first,
        id=id,
        is_shared=id != score.id,
        question=Slider(prompt=title_of(score, id != score.id), help=words, low=low, high=high, step=0.01),
        people=_rows(held, score, names, "people"),
        more=_rows(held, score, names, "more"),
        machines=_rows(held, score, judges, "machines"),
        # It is of every item to which any of its parts applies.
        asked=np.logical_or.reduce([sheet.asked for sheet in held.values()]),
        members=first.members.where(np.zeros(len(first.members), bool)),
        made_of=tuple(parts),
        missing={},
        passed=NOBODY,
        anchored=first.anchored.where(np.zeros(len(first.anchored), bool)),
    )


def _ends(held: Mapping[str, Sheet], score: Score) -> tuple[float, float]:
    scales = [sheet.question.scale() for sheet in held.values()]
    ends = [float(number) for scale in scales for number in (scale[:1] + scale[-1:]) if isinstance(number, int)]
    ends += [] if all(scales) else [score.no, score.yes]
    return (float(min(ends)), float(max(ends))) if ends and min(ends) < max(ends) else (0.0, 1.0)


def _rows(held: Mapping[str, Sheet], score: Score, names: tuple[str, ...], part: str) -> Rows:
    n_items = next(iter(held.values())).n_items
    places = {name: place for place, name in enumerate(names)}
    width = max(len(names), 1)
    total, weight = np.zeros(n_items * width), np.zeros(n_items * width)
    sample = np.empty(n_items * width, object)
    for name, sheet in held.items():
        rows: Rows = getattr(sheet, part)
        rows = rows.where(np.array([name in places for name in rows.names], bool)[rows.who]) if len(rows) else rows
        if not len(rows):
            continue
        who = np.array([places.get(name, 0) for name in rows.names], np.int64)[rows.who]
        cells = rows.item * width + who
        total[cells] += score.weights[name] * _numbers(sheet, rows, score)
        weight[cells] += score.weights[name]
        sample[cells] = rows.answers
    found = np.flatnonzero(weight > 0)
    return Rows(sample[found], found // width, found % width, names, total[found] / weight[found])


def _numbers(sheet: Sheet, rows: Rows, score: Score) -> Floats:
    words = {"Yes": score.yes, "No": score.no}

    def number(value: Any) -> float | None:
        return words[value] if value in words else sheet.question.as_number(value)

    return np.array(mapped(rows.column("value"), number), float)
