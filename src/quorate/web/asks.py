"""Questions as a page shows them: those that apply to the item, with earlier answers and with what is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from quorate.collect.forms import fields_of
from quorate.errors import AnswerError
from quorate.protocol import Asks
from quorate.questions import Question
from quorate.records import SIDES, Item, Reason, Shown
from quorate.web.live import Page, Tree
from quorate.web.pages import gettext


@dataclass(frozen=True, slots=True)
class ShownAsk:
    """One question on a page: its field names begin with its id; `form` is what its fields hold.

    `applies` and `required` are what the script needs to show, hide and require it while answers change.
    """

    id: str
    question: Question
    shown: Shown
    item: Item | None = None
    form: Mapping[str, Sequence[str]] = field(default_factory=dict)
    error: str = ""
    applies: Tree = True
    required: Tree = True

    @property
    def value(self) -> str | None:
        """What the main field holds."""
        return next(iter(self.form.get("", ())), None)

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides of which the question may ask."""
        return tuple(self.shown.sides) or SIDES

    def has(self, name: str, value: object) -> bool:
        """Whether a field holds this value."""
        return str(value) in self.form.get(name, ())


def shown_asks(
    asks: Iterable[Asks],
    shown: Shown,
    raw: Mapping[str, Any],
    language: str,
    errors: Mapping[str, AnswerError] | None = None,
    item: Item | None = None,
) -> list[ShownAsk]:
    """The questions of a page; one that the item alone rules out is not among them."""
    found: list[ShownAsk] = []
    for ask in asks:
        # What is not on the page has no answer: a condition on it is settled.
        page = Page(item, shown, {one.id: one.question for one in found})
        applies = page.tree(ask.applies_when) if ask.applies_when else True
        if applies is False:
            continue
        found.append(
            ShownAsk(
                ask.id,
                ask.question,
                shown.to(ask.id),
                item,
                _form(ask.question, raw.get(ask.id), shown.to(ask.id)),
                sentence(errors[ask.id], language) if errors and ask.id in errors else "",
                applies,
                page.tree(ask.required_when) if ask.required_when else ask.question.required,
            )
        )
    return found


def _form(question: Question, raw: Any, shown: Shown) -> Mapping[str, Sequence[str]]:
    if raw is None:
        return {}
    if raw is Reason.CANNOT_JUDGE:
        return {"cannot_judge": ["1"]}
    return question.form_of(raw, shown)


def typed(asks: Iterable[Asks], form: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """What a posted form holds for each question, to be shown again beside what is wrong with it."""
    raw: dict[str, Any] = {}
    for ask in asks:
        fields = fields_of(form, ask.id)
        cannot = ask.question.cannot_judge and any(fields.get("cannot_judge", ()))
        raw[ask.id] = Reason.CANNOT_JUDGE if cannot else ask.question.read_form(fields)
    return raw


def sentence(error: AnswerError, language: str) -> str:
    """What is wrong, in the rater's language."""
    return gettext(language)(error.sentence).format(**error.details)
