"""Scores an extracted table by its structure: it is really parsed, and compared with a reference where there is one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar, Literal

from quorate.judges.base import Call, Judge, Reply, Request
from quorate.judges.table_scores import against, structure
from quorate.judges.thresholds import Point, Thresholds, text_of
from quorate.messages import Message
from quorate.records import Reason
from quorate.tables import read_uneven

_KEYWORDS = re.compile(r"\b(column|row|value|score|id|type|mean)\b")


class TableParser(Judge):
    """A table in a field of the item → a score.

    `structure` parses it and scores header, rows of one length, columns of one kind and filled cells; with `reference`,
    its cells and their neighbours are held against those of the reference table instead. `keywords` is the published
    heuristic: words such as "column" or "mean", and the share of digits.
    """

    batch: ClassVar[int] = 256
    told: ClassVar[Message] = Message("{name} scores extracted tables by parsing them, and answers nothing else.")

    question: str = "table_score"
    field: str = "content"
    #: A field with the right table; without it, or where it is empty, the structure alone is scored.
    reference: str | None = None
    method: Literal["structure", "keywords"] = "structure"
    thresholds: Thresholds = Thresholds(least={2: 0.85, 1: 0.60}, otherwise=0)

    @property
    def is_offline(self) -> bool:
        return True

    def fields(self) -> tuple[str, ...]:
        return (self.field, *((self.reference,) if self.reference else ()))

    def answers(self, questions: Sequence[str]) -> tuple[str, ...]:
        return (self.question,) if self.question in questions else ()

    def weaknesses(self) -> tuple[str, ...]:
        if self.method == "keywords":
            return ('words such as "mean" and digits say little about layout: a sentence can have both.',)
        if self.reference is None:
            return ("without a reference, a well-formed table with wrong cells scores as high as a right one.",)
        return ()

    def ask(self, request: Request) -> Reply:
        if self.question not in request.prompts:
            return Reply()
        if self.method == "keywords":
            score = keyword_score(text_of(request.item[self.field]))
            return Reply({self.question: score}, call=Call(model="keywords and digits"))
        # Line breaks are part of a table, so the field is taken as it is.
        text = "" if not text_of(request.item[self.field]) else str(request.item[self.field])
        rows = read_uneven(text)
        if rows is None:
            why = f"{self.field} is empty" if not text else f"{self.field} cannot be read as a table"
            return Reply(reason=Reason.CANNOT_JUDGE, note=why, call=Call(model="table parser"))
        right = read_uneven(str(request.item[self.reference] or "")) if self.reference else None
        parts = against(rows, right) if right else structure(rows)
        return self._scored(parts)

    def _scored(self, parts: dict[str, float]) -> Reply:
        number = parts["score"]
        return Reply(
            {self.question: self.thresholds.point(number)},
            confidence={self.question: self.thresholds.confidence(number)},
            details={self.question: {name: round(value, 6) for name, value in parts.items()}},
            call=Call(model="table parser"),
        )


def keyword_score(text: str) -> Point:
    """The published heuristic, figure for figure: 0 for 20 letters or fewer.

    >>> keyword_score("id value mean: 1 2 3 4 5"), keyword_score("some words and 1234 more"), keyword_score("short")
    (2, 1, 0)
    """
    if len(text) <= 20:
        return 0
    words = len(_KEYWORDS.findall(text.lower()))
    digits = len(re.findall(r"\d", text)) / len(text)
    if words > 1 and digits > 0.05:
        return 2
    return 1 if digits > 0.02 else 0
