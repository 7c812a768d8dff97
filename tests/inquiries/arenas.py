"""Small studies in which systems compete, with answers that a formula gives: which of them is better is known."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import yaml

from quorate.plan import make_plan
from quorate.protocol import Protocol, load
from quorate.records import Answer, Collected, Participant

#: Names that end a sentence, a cell, a list or a line where nobody holds them together.
HOSTILE = (
    "gpt-4.1", "claude 3.5, tuned", "🙂 against 🙂.1", "a | b & c", "שלום", "a<b>&\"q\" 'x'", "“x” and “y”",
    "a name of eighty characters that goes on and on, so that no figure has room for it",
)  # fmt: skip
SHOWN = [{"pair": {"text": {}, "systems": ["one", "other"], "outputs": ["first", "second"]}}]


def arena(
    folder: Path, names: Sequence[str], times: int, ask: Sequence[Mapping[str, Any]], per_item: int = 1,
    fields: Callable[[int], Mapping[str, str]] = lambda k: {}, **rest: Any,
) -> Protocol:  # fmt: skip
    """Every two of the systems meet so many times, an item each."""
    met = [pair for _ in range(times) for pair in combinations(names, 2)]
    rows = [
        {"id": f"i{k:03d}", "one": one, "other": other, "first": f"text {k}", "second": f"words {k}", **fields(k)}
        for k, (one, other) in enumerate(met)
    ]
    return written(folder, rows, SHOWN, ask, per_item, **rest)


def written(
    folder: Path, rows: Sequence[Mapping[str, str]], show: Sequence[Mapping[str, Any]],
    ask: Sequence[Mapping[str, Any]], per_item: int, **rest: Any,
) -> Protocol:  # fmt: skip
    """A study of one section over these items."""
    folder.mkdir()
    out = io.StringIO()
    table = csv.DictWriter(out, list(rows[0]))
    table.writeheader()
    table.writerows(rows)
    study = {
        "quorate": 1, "title": "Arena", "seed": 5, "items": {"from": "items.csv", "id": "id", **rest.pop("items", {})},
        "sections": [{"id": "arena", "show": show, "ask": list(ask), **rest.pop("section", {})}],
        "raters": {"per_item": per_item, "roster": per_item, "consent": "text.md", "instructions": "text.md"}, **rest,
    }  # fmt: skip
    texts = {"items.csv": out.getvalue(), "text.md": "# Text\n\nPlease read.\n"}
    for name, text in {**texts, "study.yaml": yaml.safe_dump(study, allow_unicode=True)}.items():
        (folder / name).write_text(text, encoding="utf-8")
    return load(folder)


def answered(protocol: Protocol, say: Callable[[str, int, Mapping[str, str], str], Any]) -> Collected:
    """Every slot answered by `say(item, who, sides, question)`; None leaves a question out."""
    answers: list[Answer] = []
    plan = make_plan(protocol)
    for place, slot in enumerate(plan.slots):
        for ask in protocol.section(slot.section).ask:
            value = say(slot.item, slot.repeat, slot.shown.sides, ask.id)
            if value is not None:
                answers.append(Answer(
                    len(answers) + 1, "rater", f"R{slot.repeat + 1}", section=slot.section, item=slot.item,
                    question=ask.id, value=value, reason=None, raw=value, at="2026-03-01T10:00:00+00:00",
                    position=place, repeat=slot.repeat, shown=slot.shown, seconds=10.0,
                ))  # fmt: skip
    people = [Participant(name, "finished", {}, {"consent": "t", "finished": "t"}) for name in _raters(answers)]
    return Collected(tuple(plan.items), tuple(answers), tuple(people))


def _raters(answers: Sequence[Answer]) -> Iterator[str]:
    return iter(sorted({answer.rater for answer in answers}))


def imported(collected: Collected) -> Collected:
    """The same answers, but out of files: nobody knows what stood on which side."""
    people = tuple(replace(one, events={"imported": "t"}) for one in collected.participants)
    return replace(collected, participants=people)


def by_place(names: Sequence[str], upsets: int) -> Callable[[str, int, Mapping[str, str], str], str]:
    """The system that stands first in the names wins, but for one in so many of the meetings of neighbours."""
    met: dict[frozenset[str], int] = {}

    def say(item: str, who: int, sides: Mapping[str, str], question: str) -> str:
        pair = frozenset(sides.values())
        met[pair] = met.get(pair, 0) + 1
        better, worse = sorted(pair, key=names.index)
        gap = names.index(worse) - names.index(better)
        return worse if met[pair] % (upsets * gap) == 0 else better

    return say
