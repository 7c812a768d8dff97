"""A judge whose answers were recorded before: in fields of the items, or in a table of replies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from pydantic import Field

from quorate.judges.base import Judge, Reply, Request
from quorate.messages import Message
from quorate.records import Reason


class Recorded(Judge):
    """Fields that hold the answers: one field, or one a question `{idiom: mllm_response}`.

    With `from`, they are columns of a table of their own (CSV or JSON lines) whose column `id` names the item.
    """

    shorthand: ClassVar[str] = "field"
    at_hand: ClassVar[bool] = True
    operational: ClassVar[frozenset[str]] = frozenset({"own", "most_unread"})
    told: ClassVar[Message] = Message(
        "The answers of {name} were recorded before the study and are read from its files."
    )

    field: str | dict[str, str]
    #: `identity`: the field holds what is stored (an option's id, a system's name), not a reply in words.
    holds: Literal["words", "identity"] = "words"
    #: The share of replies that may be unreadable before `quorate check` complains.
    most_unread: float = Field(0.2, ge=0, le=1)
    from_: str | None = Field(None, alias="from")
    id: str = "id"

    def fields(self) -> tuple[str, ...]:
        return () if self.from_ else self.columns

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that hold replies."""
        return (self.field,) if isinstance(self.field, str) else tuple(self.field.values())

    def table(self) -> tuple[str, str] | None:
        return (self.from_, self.id) if self.from_ else None

    def answers(self, questions: Sequence[str]) -> tuple[str, ...]:
        if isinstance(self.field, str):
            return tuple(questions[:1])
        return tuple(question for question in questions if question in self.field)

    def ask(self, request: Request) -> Reply:
        fields = request.item.fields
        named = self.field if isinstance(self.field, dict) else dict.fromkeys(list(request.prompts)[:1], self.field)
        raw = {question: fields[name] for question, name in named.items() if fields.get(name) not in (None, "")}
        if not raw:
            return Reply(reason=Reason.NOT_REACHED, note="no reply was recorded for this item")
        return Reply(raw, by_identity=self.holds == "identity")
