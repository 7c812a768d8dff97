"""The rows that pass between rooms: frozen, plain, and the same for people and judges.

Those that every submission makes are structs of msgspec, which come to be in a tenth of a dataclass's time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from string import ascii_lowercase
from typing import Any

import msgspec

from quorate.estimates import Estimate as Estimate

RATER, JUDGE, MEMBER = "rater", "judge", "member"
#: People with one of these statuses leave the analysis; their number stays in the flow.
WITHDRAWN, EXCLUDED = "withdrawn", "excluded"


class Reason(StrEnum):
    """Why there is no value. A reason is never counted as an answer."""

    NOT_APPLICABLE = "not applicable"
    CANNOT_JUDGE = "cannot judge"
    SKIPPED = "skipped"
    MEDIA_FAILED = "media failed"
    NOT_REACHED = "not reached"
    WITHDRAWN = "withdrawn"
    UNREADABLE = "unreadable reply"
    REFUSED = "refused reply"


class Level(StrEnum):
    """A question's level of measurement; `analyse` chooses statistics by it."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"
    RATIO = "ratio"
    TEXT = "text"


class Item(msgspec.Struct, frozen=True):
    """One thing to be judged: an id and its fields as they came from the table."""

    id: str
    fields: Mapping[str, Any]

    def __getitem__(self, name: str) -> Any:
        return self.id if name == "id" else self.fields[name]


class Shown(msgspec.Struct, frozen=True):
    """What one assignment puts where: drawn by the plan, undone by `parse`.

    `sides` maps the shown side ("left" and "right"; of more than two "a", "b", "c", …) to a system; `options` holds,
    for each question, the option ids in the order they stand on the page.
    """

    sides: Mapping[str, str] = {}
    options: Mapping[str, tuple[str, ...]] = {}

    def to(self, question: str) -> Shown:
        """What is shown to one question: its own option order alone."""
        return Shown(self.sides, {"": self.options[question]} if question in self.options else {})

    @property
    def order(self) -> tuple[str, ...]:
        """The option order of the question that this was narrowed to."""
        return self.options.get("", ())

    def side_of(self, system: str) -> str:
        """The side on which a system stands."""
        return next(side for side, shown in self.sides.items() if shown == system)


SIDES = ("left", "right")


def side_names(n: int) -> tuple[str, ...]:
    """The sides on which so many outputs stand, in the order of the page.

    >>> side_names(2), side_names(4)
    (('left', 'right'), ('a', 'b', 'c', 'd'))
    """
    return SIDES if n == len(SIDES) else tuple(ascii_lowercase[:n])


def side_label(side: str) -> str:
    """The letter above a side.

    >>> side_label("left"), side_label("right"), side_label("c")
    ('A', 'B', 'C')
    """
    return {"left": "A", "right": "B"}.get(side, side.upper())


NOWHERE = Shown()
"""Nothing has a side or an order."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One place in the plan: this item of this section, for the nth time."""

    section: str
    item: str
    repeat: int
    stratum: str = ""
    shown: Shown = NOWHERE
    round: int = 1


@dataclass(frozen=True, slots=True)
class Rater:
    """A person, known by a place in the plan (R1, R2, …) and nothing else."""

    id: str
    place: int
    panel: str = ""


class Assignment(msgspec.Struct, frozen=True):
    """One item of one section for one rater or judge: a claimed slot with its position (1, 2, …).

    `lost` says that the slot went back to the plan (its lease ran out and another rater took it, or it was released).
    """

    id: str
    rater: str
    section: str
    item: str
    repeat: int
    position: int
    shown: Shown = NOWHERE
    round: int = 1
    answered: bool = False
    revision: int = 0
    lost: bool = False
    lease_until: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back to one question: a value, or the reason there is none.

    `raw` is what was typed or clicked, `value` what `parse` made of it. `by` is "rater", "judge" or "member". One that
    came after its slot had gone to another rater is not `counted`: it is kept, and leaves the analysis.
    """

    seq: int
    by: str
    rater: str
    section: str
    item: str
    question: str
    value: Any
    reason: Reason | None
    raw: Any
    at: str
    position: int = 0
    repeat: int = 0
    seconds: float | None = None
    revision: int = 0
    protocol: str = ""
    shown: Shown = NOWHERE
    round: int = 1
    counted: bool = True


@dataclass(frozen=True, slots=True)
class Vote:
    """One member's vote on one borderline answer; target and answer in canonical form."""

    member: str
    section: str
    question: str
    target: str
    canonical: str
    correct: bool
    reason: str = ""
    at: str = ""


@dataclass(frozen=True, slots=True)
class Participant:
    """A rater as the report knows one: an id, how far they came, and what they said of themselves."""

    rater: str
    status: str
    background: Mapping[str, Any] = field(default_factory=dict)
    #: When each kind of thing last happened to the rater.
    events: Mapping[str, str] = field(default_factory=dict)
    #: Why the rater was excluded or replaced, in the words of whoever did it.
    reason: str = ""
    #: Each attempt at the quiz: right answers, and questions.
    quiz: tuple[tuple[int, int], ...] = ()
    panel: str = ""
    #: The place that the rater was given after the quiz: its round, because of what, instead of whom and why.
    place: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Warned:
    """A rater who was told, before going on, that the answers to one item break a rule.

    `first` are the answers as they were before; `changed` are the questions that were answered otherwise after it, none
    where the answers were kept, and None where the rater has not sent them again.
    """

    section: str
    item: str
    rater: str
    round: int
    rules: tuple[str, ...]
    changed: tuple[str, ...] | None
    first: tuple[Answer, ...] = ()


@dataclass(frozen=True, slots=True)
class Route:
    """Where a judge's scores of one item went: `review` and `audit` to people, `accepted` to nobody.

    `inclusion` is the probability with which people look at it: 1 where the rule sends it, else the audit share.
    """

    section: str
    item: str
    to: str
    inclusion: float
    why: str = ""
    confidence: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ProtocolVersion:
    """The protocol as it was frozen at the first consent (number 0), or an amendment (1, 2, …) with its reason."""

    number: int
    reason: str
    at: str
    collection_hash: str
    analysis_hash: str
    #: The study file as it was.
    text: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """What browsers report of one answered assignment, over all the times that it was sent.

    `visible` are the seconds for which it was in sight, None where no browser said so; `hidden` is how often it went
    out of sight. `plays` holds the full plays of each clip by its path: on its own, and in step with another.
    """

    rater: str
    section: str
    item: str
    round: int = 1
    visible: float | None = None
    hidden: int = 0
    #: How often a file failed to load, and how often a rater jumped to another place of a clip.
    failures: int = 0
    seeks: int = 0
    plays: Mapping[str, tuple[int, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Repeated:
    """What a judge said when it was asked once more: in the mirrored order (`swapped`), or for another sample.

    It is no answer: it shows how far the answer of record goes with the order, and with the draw.
    """

    judge: str
    section: str
    item: str
    purpose: str
    said: Mapping[str, Any]
    shown: Shown


@dataclass(frozen=True, slots=True)
class Collected:
    """Everything that `analyse` needs, as it came out of the store: newest answers, people and judges alike."""

    items: tuple[Item, ...]
    answers: tuple[Answer, ...]
    participants: tuple[Participant, ...] = ()
    votes: tuple[Vote, ...] = ()
    simulated: bool = False
    #: Answers to checks: items with a known answer, and items that came a second time. They enter no estimate.
    checks: tuple[Answer, ...] = ()
    #: How many answers came after their slot had gone to another rater, and are not among the answers.
    late: int = 0
    #: The items of the checks.
    gold: tuple[Item, ...] = ()
    #: What a judge's scores sent to people and what they settled, where the study has a triage rule.
    routes: tuple[Route, ...] = ()
    #: What browsers report of answered assignments, in the order of the first answer; nothing for imported ones.
    evidence: tuple[Evidence, ...] = ()
    #: Who saw a judge's score with what (section, item, rater): their answers are not independent of it.
    anchored: frozenset[tuple[str, str, str]] = frozenset()
    #: What judges said beside their answers of record.
    repeated: tuple[Repeated, ...] = ()
    #: Live warnings, each with the answers before it; the answers after it are among the others.
    warnings: tuple[Warned, ...] = ()
    #: What was frozen, and what was amended; nothing before the first consent and in a rehearsal.
    protocols: tuple[ProtocolVersion, ...] = ()
    #: The panels in which every place after the quiz is taken ("" where there are no panels).
    full: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the answers to one question about one item amount to: agreed, adjudicated or ambiguous."""

    section: str
    item: str
    question: str
    value: Any
    status: str
    votes: Mapping[str, int]
    n: int
