"""What a judge is asked: the rater's page as contents, words and schemas, and one name for what was asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from hashlib import blake2b
from itertools import product
from typing import Any

import msgspec

from quorate.conditions import Comparison, Joined, condition
from quorate.errors import JudgeError, StudyError, did_you_mean
from quorate.judges import SWAPPED, Judge, Reply, Request
from quorate.languages import say
from quorate.media import source_of
from quorate.plan import shown_once
from quorate.protocol import Asks, Protocol, Section
from quorate.records import Item, Reason, Shown


@dataclass(frozen=True, slots=True)
class Job:
    """One question sheet for one judge: which judge, which section and item, in which order, for what."""

    judge: str
    section: Section
    item: Item
    shown: Shown
    purpose: str
    key: str


def job(protocol: Protocol, id: str, judge: Judge, section: Section, item: Item, purpose: str) -> Job:
    """The sheet with its order: drawn for the judge, or the other way round where that is the purpose."""
    shown = shown_once(protocol, section, item, "judge", id)
    if purpose == SWAPPED:
        shown = swapped(section, shown)
    mark = fingerprint(judge, section, item, shown)
    return Job(id, section, item, shown, purpose, f"judge/{id}/{section.id}/{item.id}/{purpose}/{mark}")


def swapped(section: Section, shown: Shown) -> Shown:
    """The same with sides exchanged and options the other way round; what is pinned stays last."""
    options = {}
    for ask in section.ask:
        if ask.id in shown.options:
            pinned = ask.question.pinned()
            free = [id for id in shown.options[ask.id] if id not in pinned]
            options[ask.id] = (*reversed(free), *(id for id in shown.options[ask.id] if id in pinned))
    mirrored = dict(zip(shown.sides, reversed(list(shown.sides.values())), strict=True))
    return Shown(mirrored, options)


def fingerprint(judge: Judge, section: Section, item: Item, shown: Shown) -> str:
    """One name for what is asked of whom: an amendment of something else asks nothing again."""
    asked = [
        type(judge).__name__,
        judge.model_dump(mode="json", exclude=set(judge.operational)),
        [show.model_dump(mode="json", exclude_none=True) for show in section.show],
        [ask.model_dump(mode="json", exclude_none=True) for ask in section.ask],
        item.fields,
        msgspec.to_builtins(shown),
    ]
    return blake2b(msgspec.json.encode(asked, order="deterministic", enc_hook=str), digest_size=12).hexdigest()


def request_for(protocol: Protocol, judge: Judge, one: Job) -> Request | Reply:
    """The request; a reply with the reason where what is shown cannot be read."""
    language = getattr(judge, "language", "en")
    asks = [ask for ask in one.section.ask if may_apply(ask, one.item)]
    wanted = judge.answers([ask.id for ask in asks])
    asks = [ask for ask in asks if ask.id in wanted]
    try:
        contents = page_contents(protocol, one.section, one.item, one.shown, language) if judge.looks else []
    except (OSError, StudyError, ValueError) as error:
        return Reply(reason=Reason.MEDIA_FAILED, note=_missing(error))
    read = getattr(judge, "instructions", False)
    return Request(
        with_table(protocol, judge, one.item),
        one.section.id,
        one.shown,
        contents,
        {ask.id: prompt_of(ask, one.item, one.shown, language) for ask in asks},
        {ask.id: ask.question.as_schema(one.item, one.shown.to(ask.id)) for ask in asks},
        frozenset(ask.id for ask in asks if not ask.question.required or _depends(ask, one.item)),
        protocol.text(protocol.raters.instructions, language) if read else "",
        one.purpose,
        partial(_simulate, one) if not judge.looks and judge.at_hand else None,
    )


def with_table(protocol: Protocol, judge: Judge, item: Item) -> Item:
    """The item with the fields that the judge's own table has for it."""
    table = judge.table()
    return Item(item.id, {**item.fields, **_rows(protocol, *table).get(item.id, {})}) if table else item


@lru_cache(maxsize=8)
def _rows(protocol: Protocol, file: str, id: str) -> Mapping[str, Mapping[str, Any]]:
    rows = protocol.tables[file]
    if rows and id not in rows[0].fields:
        raise JudgeError(f"{file} has no column '{id}' that names the items.{did_you_mean(id, rows[0].fields)}")
    return {str(row.fields[id]): row.fields for row in rows}


def prompt_of(ask: Asks, item: Item, shown: Shown, language: str = "en") -> str:
    """A question in the rater's words: the question, its options or anchors, and the help beside it."""
    parts = [ask.question.as_prompt(item, shown.to(ask.id), language), say(ask.question.help, language)]
    return "\n".join(part for part in parts if part)


def page_contents(
    protocol: Protocol, section: Section, item: Item, shown: Shown, language: str = "en"
) -> list[dict[str, Any]]:
    """Everything that a section shows of an item, each under its label, and the note that stands beside it."""
    contents: list[dict[str, Any]] = []
    for medium in (show.part for show in section.show if show.part.applies(item)):
        files = {path: _served(protocol, medium, path) for path in medium.paths(item)}
        parts = [part for part in medium.as_content(item, shown, files) if part.get("text") != ""]
        if parts and say(medium.label, language):
            contents.append({"type": "text", "text": f"{say(medium.label, language)}:"})
        contents += parts
    guide = protocol.guide(section, item, language)
    if guide:
        contents.append({"type": "text", "text": guide})
    if say(section.note, language):
        contents.append({"type": "text", "text": say(section.note, language)})
    return contents


def _served(protocol: Protocol, medium: Any, path: str) -> bytes:
    """The bytes that a rater gets: without metadata, pixels untouched."""
    return medium.staged(protocol.originals.read(source_of(path)), path)


def _missing(error: Exception) -> str:
    named = getattr(error, "filename", None)
    return f"{named} cannot be read ({error.strerror})" if isinstance(error, OSError) and named else str(error)


def may_apply(ask: Asks, item: Item) -> bool:
    """Whether a question can apply, as far as the item's fields tell."""
    if ask.applies_when is None:
        return True
    return True in _possible(condition(ask.applies_when).structure(), item)


def _depends(ask: Asks, item: Item) -> bool:
    """Whether it depends on other answers if the question applies."""
    return ask.applies_when is not None and len(_possible(condition(ask.applies_when).structure(), item)) > 1


def _possible(node: Comparison | Joined, item: Item) -> set[bool]:
    if isinstance(node, Comparison):
        return {node.holds(item.fields)} if all(name in item.fields for name in node.names) else {True, False}
    parts = [_possible(part, item) for part in node.parts]
    if node.by == "not":
        return {not value for value in parts[0]}
    join = all if node.by == "and" else any
    return {join(values) for values in product(*parts)}


def _simulate(one: Job, question: str, accuracy: float, draw: Any) -> Any:
    ask = next(ask for ask in one.section.ask if ask.id == question)
    return ask.question.simulate(one.item, one.shown.to(question), accuracy, draw)
