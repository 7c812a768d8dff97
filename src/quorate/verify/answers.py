"""Does every answer belong where it stands, and does it say what its question makes of what was sent?"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from quorate.errors import AnswerError
from quorate.plan import shown_once
from quorate.protocol import Asks, Protocol
from quorate.questions import Given
from quorate.records import Answer, Item, Reason, Shown
from quorate.verify.claims import Replay
from quorate.verify.findings import Finding
from quorate.verify.plan import check_shown, section_of
from quorate.verify.rows import Rows, newest_answer, place_of

# What only a machine's reply can be.
_OF_JUDGES = (Reason.UNREADABLE, Reason.REFUSED, Reason.NOT_REACHED)


def where_of(answer: Answer) -> str:
    """An answer in words."""
    return f"answer {answer.seq} ({answer.rater}, {answer.section}, {answer.item}, {answer.question})"


def check_chain(rows: Rows) -> Iterator[Finding]:
    """Hashes fit from row to row, and the heads that claims and the close recorded are those of the rows."""
    for fault in rows.chain_faults:
        where, _, what = fault.partition(": ")
        yield Finding("chain", where, what) if what else Finding("chain", "answers", fault)


def check_places(protocol: Protocol, rows: Rows, replay: Replay) -> Iterator[Finding]:
    """A rater's answer belongs to an assignment of that rater, a judge's to a judge, a decision to a member."""
    for answer in rows.answers:
        where = where_of(answer)
        if answer.by == "rater":
            yield from _check_assigned(where, answer, rows, replay)
        elif answer.item not in rows.by_id:
            yield Finding("assignments", where, "there is no such item.")
        elif answer.by == "member" and answer.rater not in rows.members:
            yield Finding("assignments", where, "a decision by someone who is no member of the team.")
        elif answer.by == "judge" and answer.protocol == protocol.collection_hash:
            yield from _check_judge(where, answer, protocol, rows)


def _check_assigned(where: str, answer: Answer, rows: Rows, replay: Replay) -> Iterator[Finding]:
    mine = rows.by_position.get((answer.rater, answer.section, answer.position))
    if mine is None or place_of(mine) != place_of(answer):
        yield Finding("assignments", where, "there is no assignment of this rater that it belongs to.")
        return
    # An assignment that was changed since is told of once, and not of each of its answers, too.
    yield from check_shown(where, answer.shown, replay.expected.get(mine.id, mine).shown, "the answer")
    lost = replay.lost.get(mine.id)
    newest = None if lost is None else newest_answer(lost)
    if newest is not None and answer.seq > newest and answer.counted:
        yield Finding("times", where, "it came after its place had gone to another rater, and is counted.")
    if not answer.counted and (lost is None or (newest is not None and answer.seq <= newest)):
        yield Finding("times", where, "it came in time, and is not counted.")


def _check_judge(where: str, answer: Answer, protocol: Protocol, rows: Rows) -> Iterator[Finding]:
    section = section_of(protocol, answer.section)
    if answer.rater not in protocol.file.judges:
        yield Finding("assignments", where, "there is no such judge in the study file.")
    elif section is not None:
        drawn = shown_once(protocol, section, rows.by_id[answer.item], "judge", answer.rater)
        yield from check_shown(where, answer.shown, drawn, "the answer")


def check_hashes(rows: Rows) -> Iterator[Finding]:
    """Every answer names a protocol of this study in force, and they follow each other as amendments do."""
    versions = rows.protocols
    frozen = newest_answer(versions[0]) if versions else None
    at = 0
    for answer in rows.answers:
        known = [version for version in versions if version.collection_hash == answer.protocol]
        where = where_of(answer)
        if answer.by != "rater" and (frozen is None or answer.seq <= frozen):
            continue  # judges may be asked before anybody consents, when the study file is still a draft
        if not known:
            yield Finding("hash", where, f"it names the protocol {answer.protocol[:8]}, which this study never had.")
        elif answer.by == "rater" and answer.seq <= (newest_answer(known[0]) or 0):
            yield Finding("hash", where, f"it names protocol {known[0].number}, which was not in force yet.")
        elif answer.by == "rater":
            following = [version.number for version in known if version.number >= at]
            if not following:
                yield Finding("hash", where, f"it names protocol {known[-1].number}, after answers under a later one.")
            at = following[0] if following else at


def check_open(rows: Rows) -> Iterator[Finding]:
    """No rater's answer was taken while the study was closed."""
    closed: list[tuple[float, float]] = []
    for event in rows.of_kind("opened", "closed"):
        newest = newest_answer(event)
        if event.kind == "closed":
            closed.append((math.inf if newest is None else newest, math.inf))
        elif closed:
            since = closed[-1][0]
            closed[-1] = (since, since if newest is None else newest)
    for answer in rows.answers:
        by_page = answer.by == "rater" and answer.rater not in rows.imported
        if by_page and any(since < answer.seq <= until for since, until in closed):
            yield Finding("times", where_of(answer), "it was taken while the study was closed.")


def submissions(answers: Iterable[Answer]) -> dict[tuple[Any, ...], dict[int, list[Answer]]]:
    """The answers by what they are about and by revision."""
    found: dict[tuple[Any, ...], dict[int, list[Answer]]] = defaultdict(lambda: defaultdict(list))
    for answer in answers:
        found[answer.by, answer.rater, *place_of(answer), answer.position][answer.revision].append(answer)
    return found


def check_revisions(protocol: Protocol, rows: Rows) -> Iterator[Finding]:
    """Revisions are 1, 2, 3, …, each whole and each after the one before it; the count of an assignment is theirs."""
    groups = submissions(rows.answers)
    for (by, rater, section, item, *_), revisions in groups.items():
        where = f"{rater}, {section}, {item}"
        if by == "rater" and sorted(revisions) != list(range(1, len(revisions) + 1)):
            numbers = ", ".join(map(str, sorted(revisions)))
            yield Finding("revisions", where, f"the revisions are {numbers}, not 1, 2, 3, ….")
        last = 0
        for number in sorted(revisions):
            rows_of = revisions[number]
            if rows_of[0].seq < last:
                yield Finding("revisions", where, f"revision {number} was stored before the one before it.")
            last = rows_of[-1].seq
            if len({answer.at for answer in rows_of}) > 1:
                yield Finding("revisions", where, f"the answers of revision {number} came at different times.")
            yield from _check_whole(where, number, rows_of, protocol)
        known = section_of(protocol, section)
        # What could not be shown was no answer, and may be tried again.
        final = [number for number in sorted(revisions)[:-1] if not _is_unshown(revisions[number])]
        if by == "rater" and known and not known.revise and final:
            yield Finding("revisions", where, "it was revised, and answers of this section are final.")
    for one in rows.assignments:
        sent = groups.get(("rater", one.rater, *place_of(one), one.position), {})
        n = len(sent)
        is_erased = one.rater in rows.erased
        is_answered = n > 0 and not _is_unshown(sent[max(sent)])
        if n != one.revision or (one.answered != is_answered and not (is_erased and n > 0)):
            where = f"{one.rater}, {one.section}, position {one.position}"
            yield Finding("revisions", where, f"{one.item} was answered {one.revision} times, and {n} are stored.")


def _is_unshown(answers: Iterable[Answer]) -> bool:
    """Whether a submission says that something did not load."""
    return any(answer.reason is Reason.MEDIA_FAILED for answer in answers)


def _check_whole(where: str, number: int, answers: Sequence[Answer], protocol: Protocol) -> Iterator[Finding]:
    """One submission answers every question of its section once; what an earlier protocol asked is not known."""
    section = section_of(protocol, answers[0].section)
    if answers[0].by != "rater" or section is None or answers[0].protocol != protocol.collection_hash:
        return
    asked, said = [ask.id for ask in section.ask], [answer.question for answer in answers]
    for question in asked:
        if question not in said:
            yield Finding("revisions", where, f"revision {number} has no row for the question {question}.")
    for question in dict.fromkeys(said):
        if question not in asked:
            yield Finding("values", where, f"revision {number} answers {question}, which the section does not ask.")


def check_values(protocol: Protocol, rows: Rows) -> Iterator[Finding]:
    """Each stored value is what its question makes of what was sent; a reason stands only where it may."""
    for revisions in submissions(rows.answers).values():
        for answers in revisions.values():
            first = answers[0]
            item = rows.by_id.get(first.item)
            if first.by == "rater" and first.rater in rows.erased:
                yield from _check_erased(answers)
            elif item is not None and first.protocol == protocol.collection_hash:
                yield from _check_submission(protocol, item, answers, first.rater in rows.imported)


def _check_erased(answers: Iterable[Answer]) -> Iterator[Finding]:
    for answer in answers:
        if answer.value is not None or answer.raw is not None or answer.reason is not Reason.WITHDRAWN:
            yield Finding("erasure", where_of(answer), "the rater asked for erasure, and this is still there.")


def _check_submission(
    protocol: Protocol, item: Item, answers: Sequence[Answer], is_imported: bool
) -> Iterator[Finding]:
    section = section_of(protocol, answers[0].section)
    by_question = {answer.question: answer for answer in answers}
    given: dict[str, Given] = {}
    values: dict[str, Any] = dict(item.fields)
    for ask in section.ask if section else ():
        answer = by_question.get(ask.id)
        if answer is None:
            continue
        # A member decides some questions only, so that nothing can be said of conditions on the others.
        applies = ask.applies(values) if answer.by != "member" else answer.reason is not Reason.NOT_APPLICABLE
        by_page = answer.by != "judge" and not is_imported
        if answer.reason is not None:
            what = _wrong_reason(ask, answer, applies, by_page, ask.is_required(values))
        else:
            what = _wrong_value(ask, answer, item, given, applies, by_page)
        if what:
            yield Finding("values" if answer.reason is None else "reasons", where_of(answer), what)
        given[ask.id] = Given(answer.value, answer.reason, answer.raw)
        values[ask.id] = ask.question.plain(answer.value)


def _wrong_value(
    ask: Asks, answer: Answer, item: Item, given: Mapping[str, Given], applies: bool, by_page: bool
) -> str:
    """What is wrong with a value, or "" for nothing."""
    if not applies:
        return "the question does not apply here, and has an answer."
    raw = answer.raw.get("raw") if answer.by == "member" and isinstance(answer.raw, dict) else answer.raw
    read = list(_readings(ask, raw, answer.shown.to(ask.id), item, given, by_page))
    if answer.value in read:
        return ""
    made = f"makes {_short(read[0])} of it" if read else "does not take it"
    return f"{_short(raw)} was sent, {_short(answer.value)} is stored, and the question {made}."


def _wrong_reason(ask: Asks, answer: Answer, applies: bool, by_page: bool, is_required: bool) -> str:
    """What is wrong with a reason, or "" for nothing."""
    reason = answer.reason
    if answer.value is not None:
        return f"it has a value and the reason '{reason}'."
    if reason is Reason.WITHDRAWN:
        return "it was erased, and no withdrawal with erasure is recorded."
    if (reason is Reason.NOT_APPLICABLE) == applies:
        return (
            "the question applies here." if applies else f"the question does not apply, and the reason is '{reason}'."
        )
    if not by_page:
        return ""
    if reason in _OF_JUDGES:
        return f"the reason '{reason}' is for machines alone."
    if reason is Reason.CANNOT_JUDGE and not ask.question.cannot_judge:
        return "the question does not offer 'cannot judge'."
    if reason is Reason.SKIPPED and (is_required or not ask.question.is_blank(answer.raw)):
        return "it counts as skipped, and was answered or had to be."
    return ""


def _readings(
    ask: Asks, raw: Any, shown: Shown, item: Item, given: Mapping[str, Given], by_page: bool
) -> Iterator[Any]:
    """What the question makes of a reply; one of a judge or a file may also be by identity."""
    for read in (lambda: ask.question.parse(raw, shown, item, given), lambda: ask.question.accept(raw, shown, item)):
        try:
            made = read()
        except (AnswerError, KeyError, TypeError, ValueError):
            continue
        if made.reason is None:
            yield msgspec.json.decode(msgspec.json.encode(made.value))  # as the store keeps it
        if by_page:
            return


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"
