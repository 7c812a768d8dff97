"""A judge for rehearsals: right as often as stated, with a stated lean, and the same on every machine."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from quorate.chance import uniform
from quorate.judges.base import RECORD, SWAPPED, Judge, Reply, Request
from quorate.messages import Message
from quorate.records import Reason

Share = Annotated[float, Field(ge=0, le=1)]


class Simulated(Judge):
    """Draws its answers as simulated raters do; nothing in them is a judgement, and the report says so."""

    shorthand: ClassVar[str] = "accuracy"
    at_hand: ClassVar[bool] = True
    by_chance: ClassVar[bool] = True
    told: ClassVar[Message] = Message(
        "{name} is a stand-in whose answers are drawn by chance: no figure about it is a finding."
    )

    #: How often it is right where there is a right answer.
    accuracy: Share = 0.7
    #: How often it takes the option that stands first (or last), or the left (or right) side, whatever it is.
    bias: Share = 0
    toward: Literal["first", "last"] = "first"
    #: How often there is no reply that can be read.
    unreadable: Share = 0
    #: Whether each item is asked once more with sides and options the other way round, so that `bias` shows.
    swap: bool = False
    seed: int = 0

    def purposes(self) -> tuple[str, ...]:
        return (RECORD, SWAPPED) if self.swap else (RECORD,)

    def weaknesses(self) -> tuple[str, ...]:
        return ("this judge is simulated: its answers are drawn, and mean nothing outside a rehearsal.",)

    def ask(self, request: Request) -> Reply:
        item = request.item.id
        if uniform(self.seed, "unreadable", request.section, item) < self.unreadable:
            return Reply(reason=Reason.UNREADABLE, note="simulated")
        raw = {question: self._answer(request, question) for question in request.prompts}
        sure = {question: round(uniform(self.seed, "sure", item, question), 3) for question in raw}
        return Reply(raw, confidence=sure, note="simulated")

    def _answer(self, request: Request, question: str) -> Any:
        draw = partial(_draw, self.seed, request.section, request.item.id, question)
        options = request.schemas[question].get("enum", [])
        if options and draw("bias") < self.bias:
            return options[0 if self.toward == "first" else -1]
        assert request.simulate is not None, "collect builds requests with a way to draw replies"
        return request.simulate(question, self.accuracy, draw)


def _draw(seed: int, section: str, item: str, question: str, purpose: str) -> float:
    return uniform(seed, purpose, section, item, question)
