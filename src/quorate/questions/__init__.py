"""What can be asked: one kind a file, and a row in this table."""

from __future__ import annotations

from collections.abc import Mapping

from quorate.questions.base import Decision, Decisions, Draw, Given, Question
from quorate.questions.choice import Choice
from quorate.questions.text import Text

QUESTIONS: Mapping[str, type[Question]] = {
    "text": Text,
    "choice": Choice,
}

__all__ = ["QUESTIONS", "Choice", "Decision", "Decisions", "Draw", "Given", "Question", "Text"]
