"""What a judge promises: a request in, a reply out; everything else is `collect`'s."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from quorate.errors import JudgeError
from quorate.messages import Message
from quorate.parts import Part
from quorate.records import Item, Reason, Shown

RECORD = "record"
"""The purpose of the request whose reply is the judge's answer; the others measure order effects and stability."""

SWAPPED = "swapped"
"""The purpose of a request with sides and options the other way round."""


@dataclass(frozen=True, slots=True)
class Request:
    """What a judge is asked: the same stimulus, the same words, the same options as a rater's."""

    item: Item
    section: str
    shown: Shown
    contents: list[dict[str, Any]] = field(default_factory=list)
    prompts: dict[str, str] = field(default_factory=dict)
    schemas: dict[str, dict[str, Any]] = field(default_factory=dict)
    #: Questions that may be left out: not required, or asked only after certain answers.
    optional: frozenset[str] = frozenset()
    #: What raters read before the questions, where the judge is to read it too.
    instructions: str = ""
    purpose: str = RECORD
    #: A drawn reply to a question, for simulated judges: `simulate(question, accuracy, draw)`.
    simulate: Callable[..., Any] | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a model, as it is kept: what was sent, what came back, and what it took."""

    model: str
    prompt: str = ""
    prompt_hash: str = ""
    parameters: dict[str, Any] = field(default_factory=dict)
    reply: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost: float | None = None
    seconds: float | None = None
    attempts: int = 1


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back: a raw reply for each question, or the reason there is none."""

    raw: dict[str, Any] = field(default_factory=dict)
    reason: Reason | None = None
    note: str = ""
    by_identity: bool = False
    #: Whether asking again another day may help: then the reason is stored, and the item stays due.
    again: bool = False
    #: How sure the judge is of each answer, from 0 to 1, in the judge's own sense of it.
    confidence: dict[str, float] = field(default_factory=dict)
    #: The numbers behind the answers: a cosine, the parts of a score.
    details: dict[str, Any] = field(default_factory=dict)
    #: Questions that have a reason of their own.
    reasons: dict[str, Reason] = field(default_factory=dict)
    call: Call | None = None


class TryAgainError(JudgeError):
    """The judge could not be reached just now; `wait` says for how long to leave it alone, where it said so."""

    def __init__(self, sentence: str, wait: float | None = None):
        super().__init__(sentence)
        self.wait = wait


class Judge(Part):
    """A machine that answers the same questions; a kind is a subclass, one a file, with a row in the table."""

    #: Whether it answers from what is at hand, without a model or a network: it is asked whenever results are read.
    at_hand: ClassVar[bool] = False
    #: Whether its answers are drawn by chance, and mean nothing outside a rehearsal.
    by_chance: ClassVar[bool] = False
    #: Whether it looks at the media as a rater does; contents are not even built for one that reads fields alone.
    looks: ClassVar[bool] = False
    #: How many requests are put to it in one go.
    batch: ClassVar[int] = 64
    #: How it answers, as the methods section tells it of its `name`.
    told: ClassVar[Message] = Message(
        "{name} was put the same questions about the same items; the answer of record is its reply in its own drawn "
        "order."
    )
    #: Fields that say where and how fast it is asked, and not what: changing them asks nothing anew.
    operational: ClassVar[frozenset[str]] = frozenset({"own"})

    #: The system whose outputs come from this judge's own model or family: whether it favours it is then measured.
    own: str | None = None

    @property
    def is_offline(self) -> bool:
        """Whether it computes its answers without a network and without a model's weights: a rehearsal asks it, too."""
        return False

    @property
    def workers(self) -> int:
        """How many batches may be under way at once."""
        return 1

    def fields(self) -> tuple[str, ...]:
        """The fields of an item that this judge reads; they are blind to raters."""
        return ()

    def table(self) -> tuple[str, str] | None:
        """A file of the study with further fields, and its column that names the item; None where there is none."""
        return None

    def answers(self, questions: Sequence[str]) -> tuple[str, ...]:
        """Those of a section's questions that this judge is put; where it is none, the section is not judged."""
        return tuple(questions)

    def purposes(self) -> tuple[str, ...]:
        """What each item is asked for: the record, and beside it the swapped order and further samples."""
        return (RECORD,)

    def weaknesses(self) -> tuple[str, ...]:
        """What a reviewer would object to, each a sentence for the methodology check."""
        return ()

    def ask(self, request: Request) -> Reply:
        """The judge's reply, or a failure with a reason; `TryAgainError` where it is worth another try."""
        raise NotImplementedError

    def ask_all(self, requests: Sequence[Request]) -> list[Reply]:
        """The replies to several requests, in their order."""
        return [self.ask(request) for request in requests]
