"""A study as a Hugging Face dataset: a folder that `datasets.load_dataset` reads and that can be pushed as it is.

README.md                the card, whose head names a configuration for each table
data/*.parquet           items, answers, verdicts
media/                   what was shown, with metadata.csv as ImageFolder, VideoFolder and AudioFolder read it
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from jinja2 import StrictUndefined, Template

from quorate.analyse import analyse, decide
from quorate.exhibits.numbers import utc
from quorate.exhibits.pictures import pictures
from quorate.importers import parquet
from quorate.languages import say
from quorate.media import as_it_came
from quorate.protocol import Protocol
from quorate.records import Answer, Collected, Item, Verdict
from quorate.spreadsheets import csv_table

if TYPE_CHECKING:
    import polars

README, METADATA = "README.md", "media/metadata.csv"
_CARD = Template(
    files("quorate.exchange").joinpath("huggingface_readme.md").read_text("utf-8"),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)
#: Programs read these: they find the files by what stands here.
_METADATA = ("file_name", "item", "section", "path", "sha256")

#: What each column means, by table, in order; items have the columns of their own table behind these.
COLUMNS: Mapping[str, Mapping[str, str]] = {
    "answers": {
        "section": "Part of the study",
        "question": "Question that was answered",
        "item": "The item's id",
        "rater": "The rater's, judge's or member's id",
        "by": "`rater`, `judge`, or `member` for a decision of the team",
        "value": "The answer; JSON where it is more than a text or a number",
        "number": "The answer as a number, where it is one",
        "correct": "Whether it is right, where there is a right answer",
        "reason": "Why there is no answer, where there is none",
        "raw": "The reply as it was typed or clicked; JSON where it is more than a text or a number",
        "at": "When, in UTC",
        "position": "Place in the order of the rater's work, from 1",
        "seconds": "How long the item was in sight",
        "revision": "How many times it was answered; this is the newest",
        "repeat": "Which of the item's slots, from 0",
        "round": "Which round of ratings",
        "left": "The system that stood on the left, where two were compared",
        "right": "The system that stood on the right",
        "options": "The options in the order of the page, as JSON",
        "check": "Whether it was a check, which enters no estimate",
        "status": "How far the rater came; estimates leave the excluded and the withdrawn out",
    },
    "items": {"item": "The item's id"},
    "verdicts": {
        "section": "Part of the study",
        "question": "Question",
        "item": "The item's id",
        "verdict": "What the answers amount to; JSON where it is more than a text or a number",
        "status": "How the verdict came about",
        "votes": "How many answers each value has, as JSON",
        "n": "How many answers there were",
    },
}


def huggingface_files(protocol: Protocol, collected: Collected) -> Iterator[tuple[str, bytes]]:
    """Every file of the dataset by its name in the folder; the same rows give the same bytes."""
    frames = {
        "answers": _frame(COLUMNS["answers"], _answers(protocol, collected), _TYPES),
        "items": _items(collected.items),
        "verdicts": _frame(COLUMNS["verdicts"], map(_verdict, analyse(protocol, collected).verdicts), {"n": int}),
    }
    yield README, _card(protocol, collected, frames).encode()
    for name, frame in frames.items():
        out = io.BytesIO()
        frame.write_parquet(out)
        yield f"data/{name}.parquet", out.getvalue()
    rows = []
    for name, item, section, path, content in _media(protocol, collected.items):
        yield f"media/{name}", content
        rows.append([name, item, section, path, sha256(content).hexdigest()])
    if rows:
        yield METADATA, csv_table(_METADATA, rows, as_they_came=_METADATA).encode()


_TYPES: Mapping[str, type] = {
    **dict.fromkeys(("number", "seconds"), float),
    **dict.fromkeys(("correct", "check"), bool),
    **dict.fromkeys(("position", "revision", "repeat", "round"), int),
}


def _frame(columns: Iterable[str], rows: Iterable[Iterable[Any]], types: Mapping[str, type]) -> polars.DataFrame:
    polars = parquet()
    kinds: Mapping[type, Any] = {float: polars.Float64, int: polars.Int64, bool: polars.Boolean, str: polars.String}
    schema = {name: kinds[types.get(name, str)] for name in columns}
    return polars.DataFrame([list(row) for row in rows], schema=schema, orient="row")


def _answers(protocol: Protocol, collected: Collected) -> Iterator[list[Any]]:
    items = {item.id: item for item in (*collected.items, *collected.gold)}
    status = {person.rater: person.status for person in collected.participants}
    asks = {(section.id, ask.id): ask.question for section in protocol.sections for ask in section.ask}
    decided = {where: decide(collected.votes, *where) for where in asks}
    rows = [(answer, False) for answer in collected.answers] + [(answer, True) for answer in collected.checks]
    for answer, check in sorted(rows, key=lambda row: row[0].seq):
        where = (answer.section, answer.question)
        question = asks.get(where)
        known = question is not None and answer.value is not None and answer.item in items
        yield [
            *(answer.section, answer.question, answer.item, answer.rater, answer.by, _plain(answer.value)),
            question.as_number(answer.value) if known and question else None,
            question.score(answer.value, items[answer.item], decided[where]) if known and question else None,
            *(answer.reason and answer.reason.value, _plain(answer.raw), utc(answer.at), answer.position),
            *(answer.seconds, answer.revision, answer.repeat, answer.round),
            *(answer.shown.sides.get("left"), answer.shown.sides.get("right"), _options(answer)),
            *(check, status.get(answer.rater)),
        ]


def _options(answer: Answer) -> str | None:
    order = answer.shown.options.get(answer.question)
    return json.dumps(order, ensure_ascii=False) if order else None


def _verdict(verdict: Verdict) -> list[Any]:
    votes = json.dumps({str(value): n for value, n in verdict.votes.items()}, ensure_ascii=False)
    known = (verdict.section, verdict.question, verdict.item, _plain(verdict.value))
    return [*known, verdict.status, votes, verdict.n]


def _items(items: Iterable[Item]) -> polars.DataFrame:
    """One row an item; a field has the type that all its values have, and is text where they have several."""
    items = list(items)
    fields = list(dict.fromkeys(name for item in items for name in as_it_came(item.fields)))
    kinds = {name: _kind([item.fields.get(name) for item in items]) for name in fields}
    columns = {"item": "item", **{name: name if name != "item" else "item.item" for name in fields}}
    rows = ([item.id, *(_as(kinds[name], item.fields.get(name)) for name in fields)] for item in items)
    return _frame(columns.values(), rows, {columns[name]: kind for name, kind in kinds.items()})


def _kind(values: Iterable[Any]) -> type:
    kinds = {type(value) for value in values if value is not None}
    if kinds <= {int, float} and float in kinds:
        return float
    return kinds.pop() if len(kinds) == 1 and kinds <= {int, bool, str} else str


def _as(kind: type, value: Any) -> Any:
    return _plain(value) if kind is str or value is None else kind(value)


def _plain(value: Any) -> str | None:
    """A value as text: as it is where it is a text, else JSON."""
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, default=str)


def _media(protocol: Protocol, items: Iterable[Item]) -> Iterator[tuple[str, str, str, str, bytes]]:
    """What each section shows of each item, without metadata: name, item, section, path in the study, content."""
    taken: set[str] = set()
    items = list(items)
    for section in protocol.sections:
        for item in items:
            for place, (path, suffix, content) in enumerate(pictures(protocol, section.id, item), start=1):
                stem = re.sub(r"[^\w.-]", "_", f"{section.id}_{item.id}_{place}")
                name = stem + suffix
                while name in taken:  # two ids may be the same but for signs that no file name has
                    name = f"_{name}"
                taken.add(name)
                yield name, item.id, section.id, path, content


def _card(protocol: Protocol, collected: Collected, frames: Mapping[str, polars.DataFrame]) -> str:
    title = say(protocol.file.title)
    return _CARD.render(
        title=title,
        quoted=json.dumps(title, ensure_ascii=False),
        simulated=collected.simulated,
        languages=protocol.languages,
        frames=frames,
        columns={name: _told(name, frame) for name, frame in frames.items()},
        sections=[(section.id, [(ask.id, say(ask.question.prompt)) for ask in section.ask])
                  for section in protocol.sections],
    )  # fmt: skip


def _told(name: str, frame: polars.DataFrame) -> dict[str, str]:
    return {column: COLUMNS[name].get(column) or "A field of the items' table" for column in frame.columns}
