"""Yes or no."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar

from quorate.errors import AnswerError
from quorate.languages import noted
from quorate.questions.base import Draw, Given, Question
from quorate.records import Item, Level, Shown


class YesNo(Question):
    """Does it hold? The value is "Yes" or "No"; where a rule or the rater says neither, there is a reason."""

    level: ClassVar[Level] = Level.NOMINAL
    template: ClassVar[str] = "questions/yes_no.html"

    def parse(
        self, raw: Any, shown: Shown, item: Item | None = None, given: Mapping[str, Given] = MappingProxyType({})
    ) -> Given:
        said = ("yes" if raw else "no") if isinstance(raw, bool) else str(raw).strip().lower()
        if said not in ("yes", "no"):
            raise AnswerError(self.blank_sentence())
        return Given(said.capitalize(), raw=raw)

    def outcomes(self, shown: Shown, item: Item | None = None) -> dict[str, Any] | None:
        return {"Yes": "Yes", "No": "No"}

    def declared(self, reading: str) -> tuple[Any, ...]:
        return ("Yes", "No")

    def blank_sentence(self) -> str:
        return noted("Please choose yes or no.")

    def as_schema(self, item: Item, shown: Shown) -> dict[str, Any]:
        return {"type": "string", "enum": ["Yes", "No"]}

    def simulate(self, item: Item, shown: Shown, accuracy: float, draw: Draw) -> Any:
        return "Yes" if draw("yes") < accuracy else "No"
