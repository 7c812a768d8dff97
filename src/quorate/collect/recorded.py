"""Reads recorded replies before anybody is asked, exactly as judging will read them, and says which cannot be read."""

from __future__ import annotations

import re
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
    [
        *("true", "false", "yes", "no", "t", "f", "y", "n", "0", "1", "0.0", "1.0"),
        *("right", "wrong", "correct", "incorrect", "✓", "✗", "✔", "✘", "√", "×"),
        *("对", "错", "是", "否", "真", "假", "正确", "错误", "不正确"),
    ]
)
EXAMPLES = 3
#: From so many replies on it is told that none of them is right.
FEW = 5


@dataclass
class _Read:
    """What a judge's file says to one question."""

    ask: Asks
    said: list[tuple[Item, Shown, Any]] = field(default_factory=list)
    unread: list[tuple[Item, Shown, Any]] = field(default_factory=list)
    missing: int = 0
    right: int = 0


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
        place = ("judges", id, entry.kind)
        if misnamed := [*_misnamed(protocol, judge)]:
            wrong += [document.complaint(place, sentence) for sentence in misnamed]
            continue
        wrong += _twice(protocol, judge, items)
        found = list(_read(protocol, id, judge, items))
        if not any(one.said for one in found):
            if (table := judge.table()) and not _names_any(protocol, table, items):
                sentence = (
                    f"no reply is recorded: the column '{table[1]}' of {table[0]} names none of the study's items."
                )
                wrong.append(document.complaint(place, sentence))
            else:
                few.append(f"judge '{id}': no reply is recorded yet for any item.")
            continue
        for one in found:
            verdicts = _verdicts(one)
            if one.said and len(verdicts) / len(one.said) > judge.most_unread:
                wrong.append(document.complaint(place, f"{_told(protocol, judge, one, verdicts)} {_OF_VERDICTS}"))
            elif one.said and len(one.unread) / len(one.said) > judge.most_unread:
                sentence = f"{_told(protocol, judge, one, one.unread)} {_advice(judge, one)}"
                wrong.append(document.complaint(place, sentence))
            else:
                few += [f"judge '{id}': {sentence}" for sentence in _notes(protocol, judge, one)]
    return wrong, few


def _notes(protocol: Protocol, judge: Recorded, read: _Read) -> Iterator[str]:
    """What may be meant, and should be known before anybody is asked."""
    n, question = len(read.said), read.ask.id
    if read.missing:
        yield f"{read.missing} of {n + read.missing} items have no recorded reply to '{question}'."
    if read.unread:
        yield _told(protocol, judge, read, read.unread)
    elif n >= FEW and read.ask.question.is_scored() and not read.right:
        column = judge.field if isinstance(judge.field, str) else judge.field[question]
        yield f"none of {n} recorded replies to '{question}' is right; check that '{column}' holds the replies."


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
                if question not in found:
                    continue
                read = found[question]
                read.missing += given.reason is Reason.NOT_REACHED
                if given.reason in (None, Reason.UNREADABLE) and given.raw is not None:
                    row = (item, one.shown.to(question), given.raw)
                    read.said.append(row)
                    if given.reason:
                        read.unread.append(row)
                    else:
                        read.right += bool(read.ask.question.score(given.value, item))
        yield from found.values()


def _told(protocol: Protocol, judge: Recorded, read: _Read, rows: Sequence[tuple[Item, Shown, Any]]) -> str:
    """How many it is, and the first of them with their lines."""
    lines = _lines(protocol, judge)
    named = [f"'{_short(raw)}' ({lines.get(item.id) or f'item {item.id}'})" for item, _, raw in rows[:EXAMPLES]]
    more = ", …" if rows[EXAMPLES:] else ""
    how = f"{len(rows)} of {len(read.said)} recorded replies to '{read.ask.id}'"
    are = "cannot be read" if rows is read.unread else "are" if len(rows) > 1 else "is"
    return f"{how} {are}: {', '.join(named)}{more}."


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
    by_identity = sum(_is_accepted(read.ask, *row) for row in read.unread)
    if judge.holds == "words" and 2 * by_identity > len(read.unread):
        return (
            "The column holds what is stored (a system's name, an option's id), and no reply: write `holds: identity`."
        )
    item, shown, _ = read.unread[0]
    outcomes = read.ask.question.outcomes(shown, item) or {}
    if judge.holds == "words":
        how, asked = "as a page would send them", next(iter(outcomes), "")
    else:
        how, asked = "as they are stored", next(iter(outcomes.values()), "")
    example = f", such as '{asked}'" if asked != "" else ""
    one_column = isinstance(judge.field, str)
    of_one = f" A column for one question alone is named with it: `field: {{{read.ask.id}: …}}`." if one_column else ""
    return (
        f"More than {judge.most_unread:.0%} is a complaint: check that this is the column with the judge's replies, "
        f"{how}{example}.{of_one} Where a judge really replied so, say how much may be unread: "
        "`most_unread: 1`."
    )


_OF_VERDICTS = (
    "The column looks like verdicts (true or false), and not like replies. Quorate reads what the judge said and finds "
    "out by itself whether that is right: name the column with the replies."
)


def _verdicts(read: _Read) -> list[tuple[Item, Shown, Any]]:
    """The replies that say true or false where something else is asked for; none where that may be meant."""
    if not read.said:
        return []
    question, (item, shown, _) = read.ask.question, read.said[0]
    found = [row for row in read.said if _is_verdict(row[2])]
    outcomes = question.outcomes(shown, item)
    if outcomes is not None:
        of_two = sum(map(_is_verdict, outcomes)) > 1  # yes and no; `right` alone is a side
        return found if len(found) == len(read.said) and not of_two else []
    meant = any(_is_verdict(question.right_answer(item)) for item, _, _ in read.said)
    return found if question.is_scored() and not meant else []


def _is_verdict(raw: Any) -> bool:
    return str(raw).strip().casefold() in VERDICTS


def _is_accepted(ask: Asks, item: Item, shown: Shown, raw: Any) -> bool:
    try:
        return ask.question.accept(raw, shown, item).reason is None
    except AnswerError:
        return False


def _misnamed(protocol: Protocol, judge: Recorded) -> Iterator[str]:
    """Questions that nobody is asked, and columns that the table of replies does not have."""
    asked = [ask.id for section in protocol.sections for ask in section.ask]
    named = judge.field if isinstance(judge.field, dict) else {}
    yield from (f"no section asks '{id}'.{did_you_mean(id, asked)}" for id in named if id not in asked)
    if (table := judge.table()) and protocol.tables[table[0]]:
        columns = protocol.tables[table[0]][0].fields
        for name in (table[1], *judge.columns):
            if name not in columns:
                yield f"{table[0]} has no column '{name}'.{did_you_mean(name, columns)}"


def _names_any(protocol: Protocol, table: tuple[str, str], items: Sequence[Item]) -> bool:
    return not {item.id for item in items}.isdisjoint(
        str(row.fields.get(table[1])) for row in protocol.tables[table[0]]
    )


def _twice(protocol: Protocol, judge: Recorded, items: Sequence[Item]) -> Iterator[Complaint]:
    """Rows of a table of replies that say something else of an item than a row before."""
    if (table := judge.table()) is None:
        return
    name, key = table
    known = {item.id for item in items}
    seen: dict[str, tuple[int, list[Any]]] = {}
    for row in protocol.tables[name]:
        id, said = str(row.fields.get(key)), [row.fields.get(column) for column in judge.columns]
        first, before = seen.setdefault(id, (row.line, said))
        if id in known and said != before:
            sentence = f"the item '{id}' has a reply already (line {first}), and another one here. Keep one of them."
            yield Complaint(name, row.line, "", sentence)


def _short(raw: Any) -> str:
    text = re.sub(r"[\r\n\t]+", " ", str(raw))  # other spaces may be why it cannot be read
    return text if len(text) <= 40 else text[:39] + "…"
