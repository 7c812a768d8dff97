"""Posted forms → answers, through each question's own `parse`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

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
    """What was given to each question, in order; a FormError holds all that is wrong at once."""
    given: dict[str, Given] = {}
    errors: dict[str, AnswerError] = {}
    values: dict[str, Any] = {**item.fields} if item else {}
    for ask in asks:
        try:
            given[ask.id] = _read(ask, fields_of(form, ask.id), shown.to(ask.id), item, given, values)
            values[ask.id] = ask.question.plain(given[ask.id].value)
        except AnswerError as error:
            errors[ask.id] = error
    if errors:
        raise FormError(errors)
    return given


def _read(
    ask: Asks,
    fields: Mapping[str, Sequence[str]],
    shown: Shown,
    item: Item | None,
    given: Mapping[str, Given],
    values: Mapping[str, Any],
) -> Given:
    question = ask.question
    if not ask.applies(values):
        return Given(None, Reason.NOT_APPLICABLE)
    if fields.get("media_failed", [""])[0]:
        return Given(None, Reason.MEDIA_FAILED)
    if question.cannot_judge and fields.get("cannot_judge", [""])[0]:
        return Given(None, Reason.CANNOT_JUDGE)
    raw = question.read_form(fields)
    if not question.is_blank(raw):
        return question.parse(raw, shown, item, given)
    if ask.is_required(values):
        raise AnswerError(question.blank_sentence())
    return Given(None, Reason.SKIPPED, raw)


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
