"""Posted forms → answers, through each question's own `parse`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from quorate.errors import AnswerError
from quorate.protocol import Asks
from quorate.questions import Given
from quorate.records import Item, Reason, Shown

Form = Mapping[str, Sequence[str]]
"""A posted form: `idiom` is the question's main field, `idiom.cannot_tell` one of its others."""


class FormError(AnswerError):
    """The answers that cannot be taken, by question; nothing of the form was stored."""

    def __init__(self, errors: Mapping[str, AnswerError]):
        self.errors = dict(errors)
        first = next(iter(errors.values()))
        super().__init__(first.sentence, **first.details)


def read_answers(asks: Iterable[Asks], form: Form, shown: Shown, item: Item | None = None) -> dict[str, Given]:
    """What was given to each question; a FormError holds all that is wrong at once."""
    given: dict[str, Given] = {}
    errors: dict[str, AnswerError] = {}
    for ask in asks:
        fields = fields_of(form, ask.id)
        try:
            if fields.get("media_failed", [""])[0]:
                given[ask.id] = Given(None, Reason.MEDIA_FAILED)
            else:
                given[ask.id] = ask.question.parse(ask.question.read_form(fields), shown, item)
        except AnswerError as error:
            errors[ask.id] = error
    if errors:
        raise FormError(errors)
    return given


def fields_of(form: Form, question: str) -> dict[str, Sequence[str]]:
    """The form's fields of one question, named relative to it.

    >>> fields_of({"idiom": ["x"], "idiom.cannot_tell": ["1"], "other": ["y"]}, "idiom")
    {'': ['x'], 'cannot_tell': ['1']}
    """
    prefix = question + "."
    fields = {name.removeprefix(prefix): value for name, value in form.items() if name.startswith(prefix)}
    if question in form:
        fields = {"": form[question], **fields}
    return fields
