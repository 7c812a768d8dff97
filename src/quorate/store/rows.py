"""The rows that only the store gives out, beside those of `records`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from quorate.records import Assignment, Shown


class Outcome(StrEnum):
    """What became of a submission."""

    STORED = "stored"
    REPEATED = "repeated"


class Submitted(NamedTuple):
    """The outcome of a submission, and which revision of its assignment it is."""

    outcome: Outcome
    revision: int


class Head(NamedTuple):
    """How many answers there were up to a number of the server's sequence, and a hash over all of them."""

    seq: int
    answers: int
    hash: str


class CallRow(NamedTuple):
    """One call of a judge's model: what was sent, what came back, what it took, and what it was read as (`said`)."""

    key: str
    judge: str
    section: str
    item: str
    purpose: str
    at: str
    model: str
    parameters: dict[str, Any]
    prompt_hash: str
    prompt: str
    reply: str
    shown: Shown
    said: dict[str, Any] | None
    confidence: dict[str, float] | None
    details: dict[str, Any] | None
    note: str
    attempts: int
    tokens_in: int | None
    tokens_out: int | None
    cost: float | None
    seconds: float | None


class Spent(NamedTuple):
    """How many calls were answered, their tokens, and their cost where a price was stated."""

    calls: int
    tokens_in: int
    tokens_out: int
    cost: float | None


class PlanSize(NamedTuple):
    """How many items and slots the plan has; false while there is none."""

    items: int
    slots: int

    def __bool__(self) -> bool:
        return self.slots > 0


class Counts(NamedTuple):
    """How many of a rater's assignments in a section are answered, and how many there are."""

    answered: int
    total: int


class Link(NamedTuple):
    """Whom a link belongs to, and whether it was revoked."""

    role: str
    person: str
    revoked: bool


class LinkRow(NamedTuple):
    """A link as it is listed; its token is known by its hash alone."""

    token_hash: str
    role: str
    person: str
    at: str
    revoked_at: str | None


class Member(NamedTuple):
    """A member of the research team (M1, M2, …)."""

    id: str
    name: str
    at: str


class ProtocolRow(NamedTuple):
    """A protocol as it was frozen: number 0, then amendments 1, 2, … with their reasons.

    `after_event` and `after_answer` are the newest ones of that moment; None where an older version did not keep them.
    """

    number: int
    collection_hash: str
    analysis_hash: str
    text: str
    reason: str
    at: str
    after_event: int | None = None
    after_answer: int | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, in the server's order; `after_answer` is the newest answer of that moment."""

    seq: int
    at: str
    rater: str | None
    kind: str
    data: Any
    after_answer: int | None = None


@dataclass(frozen=True, slots=True)
class Presentation:
    """What the browser says was really shown."""

    seq: int
    rater: str
    assignment: str | None
    at: str
    evidence: Any


class Report(NamedTuple):
    """What came with one submission: which one, what it is about, and what the browser reports (None once erased)."""

    seq: int
    rater: str
    assignment: str
    at: str
    evidence: Any
    section: str
    item: str
    repeat: int
    round: int
    position: int


@dataclass(frozen=True, slots=True)
class Decision:
    """What a member of the team decided about an open answer."""

    seq: int
    at: str
    member: str
    section: str
    question: str
    target: str
    canonical: str
    vote: Any
    reason: str


class Progress(NamedTuple):
    """Where a rater is on the way; the counts are those of the section the rater is in."""

    rater: str
    step: str
    section: str
    answered: int
    total: int
    status: str


class Standing(NamedTuple):
    """Everything that decides what becomes of a submission, in one look.

    `link_works` is about the link that the rater came in by; `is_open` says whether the study takes answers; `last` is
    the number and the hash of the rater's newest answer, behind which the next one is chained.
    """

    assignment: Assignment
    link_works: bool
    is_open: bool
    progress: Progress | None
    last: tuple[int, str]
