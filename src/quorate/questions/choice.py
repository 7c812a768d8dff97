"""One of several options, in an order drawn for each rater."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from quorate.errors import AnswerError
from quorate.languages import Words, noted, say
from quorate.questions.base import Draw, Given, Question
from quorate.records import Item, Level, Shown


class Choice(Question):
    """Which one is it?"""

    options: tuple[Words, ...]
    order: Literal["as written", "drawn"] = "as written"
    required: bool = True

    level: ClassVar[Level] = Level.NOMINAL
    template: ClassVar[str] = "questions/choice.html"

    def option_ids(self) -> tuple[str, ...]:
        """The options as they are stored: in English, whatever the page's language."""
        return tuple(say(option) for option in self.options)

    def parse(self, raw: Any, shown: Shown, item: Item | None = None) -> Given:
        if raw in (None, "") and not self.required:
            return Given("", raw=raw)
        if raw not in self.option_ids():
            raise AnswerError(noted("Please choose one of the options."))
        return Given(raw, raw=raw)

    def as_schema(self, item: Item, shown: Shown) -> dict[str, Any]:
        return {"type": "string", "enum": list(self.option_ids())}

    def simulate(self, item: Item, shown: Shown, accuracy: float, draw: Draw) -> Any:
        options = self.option_ids()
        return options[int(draw("option") * len(options))]
