"""Puts the study's questions to its judges: the same stimulus, the same words, the same parse, the same rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from time import monotonic
from typing import Any

from quorate.collect.asking import Answered, Engine, Local, ask_batch, in_batches, no_reply
from quorate.collect.requests import Job, job, request_for
from quorate.collect.work import answer_row
from quorate.errors import AnswerError, JudgeError, did_you_mean
from quorate.judges import RECORD, Call, Judge, Reply, Request
from quorate.plan import is_gold
from quorate.protocol import Asks, Protocol, Section
from quorate.questions import Given
from quorate.records import Item, Reason, Shown
from quorate.store import Store, Tx


@dataclass
class Summary:
    """What came of asking one judge; `left` items are still due, and `stop` says why where it is one sentence."""

    judge: str
    due: int = 0
    asked: int = 0
    answered: int = 0
    #: How many of those asked have no question that applies to them.
    not_applicable: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    #: How many replies came to single questions, read or not.
    said: int = 0
    #: What judges noted where they gave no answer, with the items that it is about.
    notes: dict[str, list[str]] = field(default_factory=dict)
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None
    seconds: float = 0.0
    stop: str = ""

    @property
    def left(self) -> int:
        """How many are still due: not asked, or not reached."""
        return self.due - self.asked + self.reasons["again"]

    @property
    def is_whole(self) -> bool:
        """Whether every item has an answer, or a reason that asking again would not change."""
        return not self.stop and self.left == 0

    @property
    def failed(self) -> int:
        """How many questions have a reason where an answer was wanted."""
        return sum(n for reason, n in self.reasons.items() if reason not in ("again", Reason.SKIPPED))

    def count(self, item: str, reply: Reply, given: Mapping[str, Given]) -> None:
        """Counts one reply."""
        self.asked += 1
        self.answered += any(one.reason is None for one in given.values())
        self.not_applicable += all(one.reason is Reason.NOT_APPLICABLE for one in given.values())
        self.said += sum(one.reason in (None, Reason.UNREADABLE) for one in given.values())
        self.reasons.update(str(g.reason) for g in given.values() if g.reason not in (None, Reason.NOT_APPLICABLE))
        if reply.note and all(one.reason is not None for one in given.values()):
            self.notes.setdefault(reply.note, []).append(item)
        if reply.again:
            self.reasons["again"] += 1
        if reply.call is not None:
            self.tokens_in += reply.call.tokens_in or 0
            self.tokens_out += reply.call.tokens_out or 0
            if reply.call.cost is not None:
                self.cost = (self.cost or 0.0) + reply.call.cost


def ask_judges(tx: Tx, protocol: Protocol) -> int:
    """Asks the judges that answer from what is at hand what they have not answered yet; how many answers came."""
    n = 0
    for id, judge in judges_of(protocol).items():
        if not judge.at_hand:
            continue
        jobs = due(tx, protocol, id, judge)
        requests = [request_for(protocol, judge, one) for one in jobs]
        replies = ask_batch(judge, [one for one in requests if isinstance(one, Request)]).replies
        for one, reply in zip(jobs, _in_place(requests, replies), strict=True):
            keep(tx, protocol, judge, one, reply)
            n += one.purpose == RECORD
    return n


def judge_study(
    store: Store,
    protocol: Protocol,
    only: Sequence[str] = (),
    limit: int | None = None,
    engine: Engine | None = None,
    on_reply: Callable[[], None] = lambda: None,
) -> list[Summary]:
    """Asks every judge, or those named, about every item that is due; each reply is durable before the next is read.

    What is answered is not asked again, so a run that was stopped goes on where it was.
    """
    summaries = []
    for id, judge in judges_of(protocol, only).items():
        jobs = store.read(lambda tx, id=id, judge=judge: due(tx, protocol, id, judge))  # type: ignore[misc]
        summary = Summary(id, due=len(jobs))
        began = monotonic()
        for one, reply in _replies(protocol, judge, jobs[:limit], engine or Local(), summary):
            given = store.do(lambda tx, one=one, reply=reply, judge=judge: keep(tx, protocol, judge, one, reply))  # type: ignore[misc]
            summary.count(one.item.id, reply, given)
            on_reply()
        summary.seconds = monotonic() - began
        summaries.append(summary)
    return summaries


def judges_of(protocol: Protocol, only: Sequence[str] = ()) -> dict[str, Judge]:
    """The study's judges by id, or those that are named."""
    judges = {id: entry.judge for id, entry in protocol.file.judges.items()}
    for id in only:
        if id not in judges:
            hint = did_you_mean(id, judges) or f" There are: {', '.join(judges) or 'none'}."
            raise JudgeError(f"There is no judge '{id}' in the study file.{hint}")
    return {id: judge for id, judge in judges.items() if not only or id in only}


def due(tx: Tx, protocol: Protocol, id: str, judge: Judge) -> list[Job]:
    """What a judge has not answered yet: records first, so that a limit leaves whole answers."""
    found = []
    items = [item for item in tx.items() if not is_gold(item)]
    for purpose in judge.purposes():
        for section in protocol.sections:
            if not judge.answers([ask.id for ask in section.ask]):
                continue
            for item in items:
                one = job(protocol, id, judge, section, item, purpose)
                if not (tx.has_submission(one.key) if purpose == RECORD else tx.has_call(one.key)):
                    found.append(one)
    return found


def _replies(
    protocol: Protocol, judge: Judge, jobs: Sequence[Job], engine: Engine, summary: Summary
) -> Iterator[tuple[Job, Reply]]:
    """Each job with its reply, as they come, until a limit is reached or the judge cannot be asked."""
    batches: list[list[Job]] = []
    unfit: list[tuple[Job, Reply]] = []
    begun: set[str] = set()

    def coming() -> Iterator[list[Request]]:
        for batch in in_batches(jobs, engine.size(judge)):
            summary.stop = summary.stop or _limit(judge, summary, began)
            if summary.stop:
                return
            requests = {one.key: request_for(protocol, judge, one) for one in batch}
            begun.update(requests)
            unfit.extend((one, found) for one in batch if isinstance(found := requests[one.key], Reply))
            batches.append([one for one in batch if isinstance(requests[one.key], Request)])
            if batches[-1]:
                yield [requests[one.key] for one in batches[-1]]  # type: ignore[misc]
            else:
                batches.pop()

    began = monotonic()
    for number, answered in engine.run(judge, coming()):
        yield from zip(batches[number], answered.replies, strict=True)
        while unfit:
            yield unfit.pop()
        if answered.stop:
            # Nothing more can come of this judge: the rest has the same reason, and stays due.
            summary.stop = answered.stop
    yield from unfit
    if summary.stop and not summary.stop.startswith(_LIMIT):
        yield from ((one, no_reply(summary.stop)) for one in jobs if one.key not in begun)


_LIMIT = "The limit of"


def _limit(judge: Judge, summary: Summary, began: float) -> str:
    """The sentence that ends a run, once as much is spent as the study file allows."""
    cost, minutes = getattr(judge, "most_cost", None), getattr(judge, "most_minutes", None)
    if cost is not None and (summary.cost or 0.0) >= cost:
        return f"{_LIMIT} {cost:g} is reached: {summary.cost:.4g} was spent. Run it again to go on."
    if minutes is not None and monotonic() - began >= 60 * minutes:
        return f"{_LIMIT} {minutes:g} minutes is reached. Run it again to go on."
    return ""


def _in_place(requests: Iterable[Request | Reply], replies: Iterable[Reply]) -> Iterator[Reply]:
    coming = iter(replies)
    return (one if isinstance(one, Reply) else next(coming) for one in requests)


def keep(tx: Tx, protocol: Protocol, judge: Judge, one: Job, reply: Reply) -> dict[str, Given]:
    """Stores a reply: the record as answers, and what was sent and came back as a call. What was given comes back."""
    wanted = judge.answers([ask.id for ask in one.section.ask])
    given = {id: g for id, g in read_reply(one.section, one.item, one.shown, reply) if id in wanted}
    # A reason that may pass is stored under a key of its own: the item's own key stays free for the answer.
    failed = f"/failed/{tx.failures(one.judge, one.section.id, one.item.id, one.purpose)}" if reply.again else ""
    if one.purpose == RECORD:
        place = {"section": one.section.id, "item": one.item.id, "shown": one.shown}
        rows = [answer_row(question, g) | place for question, g in given.items()]
        seconds = reply.call.seconds if reply.call else None
        tx.add_submission(
            one.key + failed, one.judge, None, rows, {"note": reply.note}, by="judge",
            protocol=protocol.collection_hash, seconds=seconds,
        )  # fmt: skip
    if reply.call or reply.details or reply.again or reply.confidence or one.purpose != RECORD:
        _keep_call(tx, one, reply, given, one.key + failed)
    return given


def _keep_call(tx: Tx, one: Job, reply: Reply, given: Mapping[str, Given], key: str) -> None:
    call = asdict(reply.call or Call(model=""))
    tx.add_call(
        key, one.judge, one.section.id, one.item.id, one.purpose, **call, shown=one.shown, note=reply.note,
        said={id: g.value for id, g in given.items() if g.reason is None},
        confidence=reply.confidence or None, details=reply.details or None,
    )  # fmt: skip


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
    if reply.reason is not None or ask.id in reply.reasons:
        return Given(None, reply.reasons.get(ask.id) or reply.reason, raw)
    if ask.question.is_blank(raw) and not ask.is_required(values):
        return Given(None, Reason.SKIPPED, raw)
    if ask.id not in reply.raw:
        return Given(None, Reason.NOT_REACHED if not reply.call else Reason.UNREADABLE, raw)
    try:
        if reply.by_identity:
            return ask.question.accept(raw, shown, item)
        return ask.question.parse(raw, shown, item, given)
    except AnswerError:
        return Given(None, Reason.UNREADABLE, raw)


__all__ = ["Answered", "Summary", "ask_judges", "due", "judge_study", "judges_of", "keep", "read_reply"]
