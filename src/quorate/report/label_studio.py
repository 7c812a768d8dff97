"""A study for Label Studio: each item of a section with people's answers as annotations and judges' as predictions.

Choices, ratings and texts are what they are there; anything else (marks for each side, tags with their clip) is JSON
in a text area. Who answered stands in each result's `meta`, since the tool knows its own users alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any
from xml.etree import ElementTree

from quorate.exhibits.numbers import utc
from quorate.inquiries.tags import NO_TAG
from quorate.languages import say
from quorate.media import as_it_came
from quorate.protocol import Asks, Protocol, Section
from quorate.records import Answer, Collected, Item

OBJECT = "item"
"""What a result is about: the name of the element that shows the item."""


def label_studio_json(protocol: Protocol, collected: Collected) -> str:
    """Every item of every section as the tool imports it."""
    answered: dict[tuple[str, str], list[Answer]] = {}
    for answer in collected.answers:
        answered.setdefault((answer.section, answer.item), []).append(answer)
    tasks = [
        _task(section, item, answered.get((section.id, item.id), []), n)
        for n, (section, item) in enumerate(_asked(protocol, collected.items), start=1)
    ]
    return json.dumps(tasks, ensure_ascii=False, indent=1, default=str) + "\n"


def _asked(protocol: Protocol, items: Iterable[Item]) -> Iterator[tuple[Section, Item]]:
    items = list(items)
    return ((section, item) for section in protocol.sections for item in items)


def _task(section: Section, item: Item, answers: list[Answer], number: int) -> dict[str, Any]:
    whose: dict[tuple[str, str, int, int], list[Answer]] = {}
    for answer in answers:
        whose.setdefault((answer.by, answer.rater, answer.round, answer.repeat), []).append(answer)
    made = [(by, rater, _results(section, item, mine), mine) for (by, rater, *_), mine in whose.items()]
    return {
        "id": number,
        "data": {**as_it_came(item.fields), "quorate_item": item.id, "quorate_section": section.id},
        "annotations": [_annotation(rater, by, results, mine) for by, rater, results, mine in made if by != "judge"],
        "predictions": [{"model_version": rater, "result": results} for by, rater, results, _ in made if by == "judge"],
    }


def _annotation(rater: str, by: str, results: list[dict[str, Any]], answers: list[Answer]) -> dict[str, Any]:
    seconds = next((answer.seconds for answer in answers if answer.seconds is not None), None)
    return {
        "result": [{**result, "meta": {"rater": rater, "by": by}} for result in results],
        "was_cancelled": False,
        "ground_truth": by == "member",
        "created_at": utc(answers[0].at),
        "lead_time": seconds,
    }


def _results(section: Section, item: Item, answers: Iterable[Answer]) -> list[dict[str, Any]]:
    asks = {ask.id: ask for ask in section.ask}
    found = []
    for answer in answers:
        if answer.value is not None and answer.question in asks:
            kind, value = _control(asks[answer.question], answer.value)
            id = f"{answer.question}_{answer.seq}"
            found.append({"id": id, "from_name": answer.question, "to_name": OBJECT, "type": kind, "value": value})
    return found


def _control(ask: Asks, value: Any) -> tuple[str, dict[str, Any]]:
    """The control that holds such an answer, and the answer in it."""
    if _is_rating(ask) and isinstance(value, int):
        return "rating", {"rating": value}
    if _choices(ask) and isinstance(value, str | int | float):
        return "choices", {"choices": [str(value)]}
    return "textarea", {"text": [value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)]}


def _is_rating(ask: Asks) -> bool:
    """Whether the points are 1, 2, 3, …, as the tool's stars are."""
    scale = ask.question.scale()
    return bool(scale) and list(scale) == list(range(1, len(scale) + 1)) and not ask.question.rates_each()


def _choices(ask: Asks) -> tuple[str, ...]:
    """The answers that can be chosen, where one is chosen and they are the same for every item."""
    question = ask.question
    if question.rates_each() or question.tagged(NO_TAG) or (question.compares() and not question.scale()):
        return ()
    known = question.scale() or question.declared("role") or question.option_ids() or question.declared("responses")
    return tuple(map(str, known))


def label_studio_config(protocol: Protocol) -> str:
    """The labelling configuration of a project that shows such a file: every question, and what is shown as text.

    Media are named, not shown: where they lie for that server, nobody here knows.
    """
    view = ElementTree.Element("View")
    ElementTree.SubElement(view, "Text", name=OBJECT, value="$quorate_item")
    for section in protocol.sections:
        for show in section.show:
            for field in show.part.fields():
                ElementTree.SubElement(view, "Header", value=f"{field}: ${field}")
        for ask in section.ask:
            view.extend(_elements(ask))
    ElementTree.indent(view)
    return ElementTree.tostring(view, encoding="unicode") + "\n"


def _elements(ask: Asks) -> list[ElementTree.Element]:
    header = ElementTree.Element("Header", value=say(ask.question.prompt))
    name = {"name": ask.id, "toName": OBJECT}
    if _is_rating(ask):
        return [header, ElementTree.Element("Rating", {**name, "maxRating": str(len(ask.question.scale()))})]
    if not _choices(ask):
        return [header, ElementTree.Element("TextArea", {**name, "maxSubmissions": "1"})]
    choices = ElementTree.Element("Choices", {**name, "choice": "single"})
    for option in _choices(ask):
        ElementTree.SubElement(choices, "Choice", value=option)
    return [header, choices]
