"""Puts the study's questions to its judges: the same stimulus, the same words, the same parse, the same rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from quorate.collect.work import answer_row
from quorate.errors import AnswerError
from quorate.judges import Judge, Reply, Request
from quorate.plan import shown_once
from quorate.protocol import Asks, Protocol, Section
from quorate.questions import Given
from quorate.records import Item, Reason, Shown
from quorate.store import Tx


def ask_judges(tx: Tx, protocol: Protocol) -> int:
    """Asks every judge about every drawn item that it has not answered yet; returns how many answers came."""
    n = 0
    for id, entry in protocol.file.judges.items():
        for section in protocol.sections:
            for item in tx.items():
                n += _ask(tx, protocol, id, entry.judge, section, item)
    return n


def _ask(tx: Tx, protocol: Protocol, id: str, judge: Judge, section: Section, item: Item) -> int:
    # The key names what was asked under which protocol, so that nothing is asked twice and nothing stale is kept.
    key = f"judge/{id}/{section.id}/{item.id}/{protocol.collection_hash}"
    if tx.has_submission(key):
        return 0
    shown = shown_once(protocol, section, item, "judge", id)
    reply = judge.ask(_request(section, item, shown))
    place = {"section": section.id, "item": item.id, "shown": shown}
    rows = [answer_row(question, given) | place for question, given in read_reply(section, item, shown, reply)]
    tx.add_submission(key, id, None, rows, {"note": reply.note}, by="judge", protocol=protocol.collection_hash)
    return 1


def _request(section: Section, item: Item, shown: Shown) -> Request:
    prompts = {ask.id: ask.question.as_prompt(item, shown.to(ask.id)) for ask in section.ask}
    schemas = {ask.id: ask.question.as_schema(item, shown.to(ask.id)) for ask in section.ask}
    return Request(item, section.id, shown, [], prompts, schemas)


def read_reply(section: Section, item: Item, shown: Shown, reply: Reply) -> Iterator[tuple[str, Given]]:
    """What a judge's reply says to each question; what cannot be read is an answer with that reason."""
    given: dict[str, Given] = {}
    values: dict[str, Any] = dict(item.fields)
    for ask in section.ask:
        given[ask.id] = _read(ask, reply, shown.to(ask.id), item, given, values)
        values[ask.id] = ask.question.plain(given[ask.id].value)
        yield ask.id, given[ask.id]


def _read(
    ask: Asks, reply: Reply, shown: Shown, item: Item, given: Mapping[str, Given], values: Mapping[str, Any]
) -> Given:
    raw = reply.raw.get(ask.id)
    if not ask.applies(values):
        return Given(None, Reason.NOT_APPLICABLE)
    if reply.reason is not None or ask.id not in reply.raw:
        return Given(None, reply.reason or Reason.NOT_REACHED, raw)
    if ask.question.is_blank(raw) and not ask.is_required(values):
        return Given(None, Reason.SKIPPED, raw)
    try:
        if reply.by_identity:
            return ask.question.accept(raw, shown, item)
        return ask.question.parse(raw, shown, item, given)
    except AnswerError:
        return Given(None, Reason.UNREADABLE, raw)
