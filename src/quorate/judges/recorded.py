"""A judge whose answers were recorded before: fields of the items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from quorate.judges.base import Judge, Reply, Request
from quorate.records import Reason


class Recorded(Judge):
    """Fields of the items that hold the answers: one field, or one a question `{idiom: mllm_response}`."""

    shorthand: ClassVar[str] = "field"
    at_hand: ClassVar[bool] = True

    field: str | dict[str, str]
    #: `identity`: the field holds what is stored (an option's id, a system's name), not a reply in words.
    holds: Literal["words", "identity"] = "words"

    def fields(self) -> tuple[str, ...]:
        return (self.field,) if isinstance(self.field, str) else tuple(self.field.values())

    def answers(self, questions: Sequence[str]) -> tuple[str, ...]:
        if isinstance(self.field, str):
            return tuple(questions[:1])
        return tuple(question for question in questions if question in self.field)

    def ask(self, request: Request) -> Reply:
        questions = list(request.prompts)
        named = self.field if isinstance(self.field, dict) else dict.fromkeys(questions[:1], self.field)
        raw = {question: request.item[name] for question, name in named.items() if request.item[name] not in (None, "")}
        if not raw:
            return Reply(reason=Reason.NOT_REACHED, note="no reply was recorded for this item")
        return Reply(raw, by_identity=self.holds == "identity")
