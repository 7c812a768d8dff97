"""What can be asked: one kind a file, and a row in this table."""

from __future__ import annotations

from collections.abc import Mapping

from quorate.questions.base import Decision, Decisions, Draw, Given, Question
from quorate.questions.choice import DISTRACTORS, Choice, Option
from quorate.questions.preference import TIE, Preference, Winner
from quorate.questions.rating import Rating, Slider
from quorate.questions.tags import Tags
from quorate.questions.text import Text
from quorate.questions.yes_no import YesNo

QUESTIONS: Mapping[str, type[Question]] = {
    "text": Text,
    "choice": Choice,
    "rating": Rating,
    "slider": Slider,
    "winner": Winner,
    "preference": Preference,
    "tags": Tags,
    "yes_no": YesNo,
}

__all__ = [
    "DISTRACTORS",
    "QUESTIONS",
    "TIE",
    "Choice",
    "Decision",
    "Decisions",
    "Draw",
    "Given",
    "Option",
    "Preference",
    "Question",
    "Rating",
    "Slider",
    "Tags",
    "Text",
    "Winner",
    "YesNo",
]
