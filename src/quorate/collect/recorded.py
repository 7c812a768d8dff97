"""Reads recorded replies before anybody is asked, exactly as judging will read them, and says which cannot be read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from quorate.collect.judging import read_reply
from quorate.collect.requests import job, request_for
from quorate.errors import AnswerError, Complaint, did_you_mean
from quorate.judges import RECORD, Request
from quorate.judges.recorded import Recorded
from quorate.plan import is_gold
from quorate.protocol import STUDY_FILE, Asks, Protocol
from quorate.protocol.items import identified
from quorate.protocol.yaml import Document
from quorate.records import Answer, Item, Reason, Shown

VERDICTS = frozenset(
    ("true", "false", "yes", "no", "t", "f", "y", "n", "0", "1", "0.0", "1.0", "right", "wrong", "correct", "incorrect")
)
EXAMPLES = 3


@dataclass
class _Read:
    """What a judge's file says to one question."""

    ask: Asks
    said: list[tuple[Item, Shown, Any]] = field(default_factory=list)
    unread: list[tuple[Item, Shown, Any]] = field(default_factory=list)


def wrong_replies(protocol: Protocol, items: Sequence[Item]) -> tuple[list[Complaint], list[str]]:
    """Complaints about recorded replies of which too many cannot be read, and sentences where it is a few.

    From which share on it is a complaint the study file may say (`most_unread`).
    """
    document = Document(protocol.folder / STUDY_FILE)
    wrong, few = [], []
    for id, entry in protocol.file.judges.items():
        judge = entry.judge
        if not isinstance(judge, Recorded):
            continue
        found = list(_read(protocol, id, judge, items))
        place = ("judges", id, entry.kind)
        if not any(one.said for one in found):
            sentence = _unfound(protocol, judge)
            wrong += [document.complaint(place, sentence)] if sentence else []
            few += [] if sentence else [f"judge '{id}': no reply is recorded yet for any item."]
        for one in found:
            if one.said and (why := _verdicts(one)):
                wrong.append(document.complaint(place, f"{_told(protocol, judge, one, one.said)} {why}"))
            elif one.said and len(one.unread) / len(one.said) > judge.most_unread:
                sentence = f"{_told(protocol, judge, one, one.unread)} {_advice(judge, one)}"
                wrong.append(document.complaint(place, sentence))
            elif one.unread:
                few.append(f"judge '{id}': {_told(protocol, judge, one, one.unread)}")
    return wrong, few


def unread_shares(answers: Iterable[Answer]) -> Iterator[str]:
    """A sentence for each judge and question with replies that could not be read."""
    said: dict[tuple[str, str], list[bool]] = {}
    for answer in answers:
        if answer.by == "judge" and (answer.reason in (None, Reason.UNREADABLE)):
            said.setdefault((answer.rater, answer.question), []).append(answer.reason is Reason.UNREADABLE)
    for (judge, question), unread in said.items():
        if n := sum(unread):
            yield f"{n} of {len(unread)} replies of '{judge}' to '{question}' cannot be read ({n / len(unread):.0%})."


def _read(protocol: Protocol, id: str, judge: Recorded, items: Sequence[Item]) -> Iterator[_Read]:
    for section in protocol.sections:
        wanted = judge.answers([ask.id for ask in section.ask])
        found = {ask.id: _Read(ask) for ask in section.ask if ask.id in wanted}
        for item in items if found else ():
            if is_gold(item):
                continue
            one = job(protocol, id, judge, section, item, RECORD)
            request = request_for(protocol, judge, one)
            if not isinstance(request, Request):
                continue
            for question, given in read_reply(section, item, one.shown, judge.ask(request)):
                if question in found and given.reason in (None, Reason.UNREADABLE) and given.raw is not None:
                    row = (item, one.shown.to(question), given.raw)
                    found[question].said.append(row)
                    if given.reason:
                        found[question].unread.append(row)
        yield from found.values()


def _told(protocol: Protocol, judge: Recorded, read: _Read, rows: Sequence[tuple[Item, Shown, Any]]) -> str:
    """How many it is, and the first of them with their lines."""
    lines = _lines(protocol, judge)
    named = [f"'{_short(raw)}' ({lines.get(item.id) or f'item {item.id}'})" for item, _, raw in rows[:EXAMPLES]]
    more = ", …" if rows[EXAMPLES:] else ""
    how = f"{len(rows)} of {len(read.said)} recorded replies to '{read.ask.id}'"
    return f"{how} {'cannot be read' if rows is read.unread else 'were read'}: {', '.join(named)}{more}."


def _lines(protocol: Protocol, judge: Recorded) -> Mapping[str, str]:
    """Where each item's reply stands, as file and line."""
    items = protocol.file.items
    if table := judge.table():
        name, key = table
        return {str(row.fields.get(key)): f"{name}:{row.line}" for row in protocol.tables[name]}
    known = {item.id: item.fields for item in protocol.pool}
    rows = identified(
        protocol.tables[items.from_], (items.id,) if isinstance(items.id, str) else items.id, items.derive
    )
    taken = items.iteration
    return {
        id: f"{items.from_}:{row.line}"
        for id, row in rows
        if id in known and (taken is None or row.fields.get(taken) == known[id].get(taken))
    }


def _advice(judge: Recorded, read: _Read) -> str:
    """What to do about replies that cannot be read."""
    if all(_is_verdict(raw) for _, _, raw in read.unread):
        return _OF_VERDICTS
    by_identity = sum(_is_accepted(read.ask, *row) for row in read.unread)
    if judge.holds == "words" and 2 * by_identity > len(read.unread):
        return (
            "The column holds what is stored (a system's name, an option's id), and no reply: write `holds: identity`."
        )
    asked = next(iter(read.ask.question.outcomes(read.unread[0][1], read.unread[0][0]) or {}), "")
    example = f" such as '{asked}'" if asked and judge.holds == "words" else ""
    one_column = isinstance(judge.field, str)
    of_one = f" A column for one question alone is named with it: `field: {{{read.ask.id}: …}}`." if one_column else ""
    return (
        f"More than {judge.most_unread:.0%} is a complaint: check that this is the column with the judge's replies, as "
        f"a page would send them{example}.{of_one} Where a judge really replied so, say how much may be unread: "
        "`most_unread: 1`."
    )


_OF_VERDICTS = (
    "The column looks like verdicts (true or false), and not like replies. Quorate reads what the judge said and finds "
    "out by itself whether that is right: name the column with the replies."
)


def _verdicts(read: _Read) -> str:
    """What to do where a free answer was expected and every reply says true or false; "" where that may be meant."""
    question = read.ask.question
    item, shown, _ = read.said[0]
    if question.outcomes(shown, item) is not None or not question.is_scored():
        return ""
    if any(_is_verdict(question.right_answer(item)) for item, _, _ in read.said):
        return ""
    return _OF_VERDICTS if all(_is_verdict(raw) for _, _, raw in read.said) else ""


def _is_verdict(raw: Any) -> bool:
    return str(raw).strip().casefold() in VERDICTS


def _is_accepted(ask: Asks, item: Item, shown: Shown, raw: Any) -> bool:
    try:
        return ask.question.accept(raw, shown, item).reason is None
    except AnswerError:
        return False


def _unfound(protocol: Protocol, judge: Recorded) -> str:
    """What is wrong where a table of replies has none for any item; "" where a column of the items is still empty."""
    if judge.from_ is None:
        return ""
    columns = protocol.tables[judge.from_][0].fields if protocol.tables[judge.from_] else {}
    missing = [name for name in judge.columns if name not in columns]
    if missing:
        return f"{judge.from_} has no column '{missing[0]}'.{did_you_mean(missing[0], columns)}"
    return f"no reply is recorded: the column '{judge.id}' of {judge.from_} names none of the study's items."


def _short(raw: Any) -> str:
    text = " ".join(str(raw).split())
    return text if len(text) <= 40 else text[:39] + "…"
