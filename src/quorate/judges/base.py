"""What a judge promises: a request in, a reply out; everything else is `collect`'s."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from quorate.parts import Part
from quorate.records import Item, Reason, Shown


@dataclass(frozen=True, slots=True)
class Request:
    """What a judge is asked: the same stimulus, the same words, the same options as a rater's."""

    item: Item
    section: str
    shown: Shown
    contents: list[dict[str, Any]] = field(default_factory=list)
    prompts: dict[str, str] = field(default_factory=dict)
    schemas: dict[str, dict[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back: a raw reply for each question, or the reason there is none."""

    raw: dict[str, Any] = field(default_factory=dict)
    reason: Reason | None = None
    note: str = ""
    by_identity: bool = False


class Judge(Part):
    """A machine that answers the same questions; a kind is a subclass, one a file, with a row in the table."""

    def fields(self) -> tuple[str, ...]:
        """The fields of an item that this judge reads; they are blind to raters."""
        return ()

    def ask(self, request: Request) -> Reply:
        """The judge's reply, or a failure with a reason."""
        raise NotImplementedError
