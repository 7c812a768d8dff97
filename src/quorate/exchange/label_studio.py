"""Label Studio, both ways: a study's items with their answers as the tool imports them, and what people answered in it.

Out: each item of a section with people's answers as annotations and judges' as predictions. Choices, ratings and texts
are what they are there; anything else (marks for each side, tags with their clip) is JSON in a text area. Who answered
stands in each result's `meta`, since the tool knows its own users alone. In: each annotator is a rater, all of it or
nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from quorate.collect.checks import drawn_items
from quorate.collect.links import places_left
from quorate.errors import CollectError, Complaint, StudyError, StudyFileError, did_you_mean
from quorate.exchange.imports import Imported, import_filled
from quorate.exchange.own_table.format import key_of
from quorate.exchange.own_table.read import Filled, filled_row
from quorate.exhibits.numbers import utc
from quorate.importers.label_studio import ITEM, SECTION, entries
from quorate.importers.tables import Row
from quorate.inquiries.tags import NO_TAG
from quorate.languages import say
from quorate.media import as_it_came
from quorate.protocol import Asks, Protocol, Section
from quorate.protocol.items import identified
from quorate.records import Answer, Collected, Item, Rater
from quorate.store import Tx

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


def _asked(protocol: Protocol, items: Sequence[Item]) -> Iterator[tuple[Section, Item]]:
    return ((section, item) for section in protocol.sections for item in items)


def _task(section: Section, item: Item, answers: list[Answer], number: int) -> dict[str, Any]:
    whose: dict[tuple[str, str, int, int], list[Answer]] = {}
    for answer in answers:
        whose.setdefault((answer.by, answer.rater, answer.round, answer.repeat), []).append(answer)
    made = [(by, rater, _results(section, item, mine), mine) for (by, rater, *_), mine in whose.items()]
    return {
        "id": number,
        "data": {**as_it_came(item.fields), ITEM: item.id, SECTION: section.id},
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
    """True where the points are 1, 2, 3, …, as the tool's stars are."""
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
    ElementTree.SubElement(view, "Text", name=OBJECT, value=f"${ITEM}")
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


PLATFORM = "label studio"


@dataclass(frozen=True, slots=True)
class Annotation:
    """One person's answers to one row: who, and the raw answer to each question by the name of its control."""

    row: Row
    annotator: str
    answers: Mapping[str, Any]
    at: str = ""


def import_label_studio(tx: Tx, protocol: Protocol, path: Path) -> list[Imported]:
    """Stores the answers of every annotator; a StudyFileError holds all complaints, and then nothing is stored.

    A control is the question of the same name. Who is who stays among the platforms' ids, which no export holds.
    """
    try:
        given = read_annotations(path)
    except OSError as error:
        raise StudyError(f"{path} cannot be read: {error.strerror}.") from error
    except StudyError as error:
        raise StudyFileError([Complaint(path.name, None, "", str(error))]) from error
    if not given:
        raise StudyFileError([Complaint(path.name, None, "", "nobody has annotated anything in this file.")])
    _check_names(protocol, given, path.name)
    items = {item.id: item for item in drawn_items(tx.items())}
    people = sorted({one.annotator for one in given}, key=_natural)
    found = {name: _filled(protocol, items, [one for one in given if one.annotator == name], path) for name in people}
    complaints = [complaint for one in found.values() for complaint in one.complaints]
    if complaints:
        raise StudyFileError(sorted(complaints, key=lambda complaint: complaint.line or 0))
    return [import_filled(tx, protocol, _rater(tx, protocol, name), found[name], path) for name in people]


def _check_names(protocol: Protocol, given: list[Annotation], file: str) -> None:
    asked = [ask.id for section in protocol.sections for ask in section.ask]
    controls = dict.fromkeys(name for one in given for name in one.answers)
    unknown = [name for name in controls if name not in asked]
    if unknown:
        sentences = [f"no question of the study is named '{name}'.{did_you_mean(name, asked)}" for name in unknown]
        raise StudyFileError([Complaint(file, None, "", sentence) for sentence in sentences])


def _filled(protocol: Protocol, items: dict[str, Item], given: list[Annotation], path: Path) -> Filled:
    """One annotator's answers as rows of a filled file; an entry may be of one section alone."""
    found = Filled(path.name)
    for one in given:
        id = _item_id(protocol, one.row)
        if id not in items:
            found.complain(one.row.line, "", f"'{id}' is not among the study's items.{did_you_mean(id, items)}")
            continue
        section = one.row.fields.get(SECTION)
        parts = [part for part in protocol.sections if section in (None, part.id)]
        # Sections of which nothing was answered were not reached.
        reached = [part for part in parts if any(ask.id in one.answers for ask in part.ask)]
        columns = {ask.id: ask.id for part in reached for ask in part.ask}
        row = filled_row(protocol, items[id], Row(one.row.line, dict(one.answers)), columns, {}, found)
        found.untouched += not reached
        found.rows += [replace(row, given={part.id: row.given[part.id] for part in reached})] if reached else []
    return found


def _item_id(protocol: Protocol, row: Row) -> str:
    if ITEM in row.fields:
        return str(row.fields[ITEM])
    return identified([row], key_of(protocol), protocol.file.items.derive)[0][0]


def _rater(tx: Tx, protocol: Protocol, annotator: str) -> Rater:
    """The rater of an annotator: as before, the one of that id, or the next place of the plan."""
    known = tx.platform_rater(PLATFORM, annotator) or annotator
    rater = tx.rater(known)
    if rater is None:
        if protocol.raters.panels or not places_left(tx, protocol):
            raise CollectError(
                f"There is no place left for the annotator '{annotator}': "
                f"the study has {len(tx.raters())} raters. Raise `roster` in the study file, or invite into the panels."
            )
        rater = tx.add_rater(prefix=protocol.raters.prefix)
    tx.add_platform_id(rater.id, PLATFORM, annotator)
    return rater


def _natural(name: str) -> list[tuple[int, str]]:
    """R2 before R10."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name)]


def read_annotations(path: Path) -> list[Annotation]:
    """The newest answers of each person to each row of an export; what was cancelled is no answer."""
    newest: dict[tuple[int, str], Annotation] = {}
    for row, entry in entries(path):
        for given in entry.get("annotations") or entry.get("completions") or ():
            if isinstance(given, Mapping) and not given.get("was_cancelled"):
                made = Annotation(row, _annotator(given), dict(_answers(row, given)), _moment(given))
                known = newest.get((row.line, made.annotator))
                if known is None or known.at <= made.at:
                    newest[row.line, made.annotator] = made
    return list(newest.values())


def _annotator(given: Mapping[str, Any]) -> str:
    """The rater that Quorate wrote, else the tool's user who answered."""
    for result in given.get("result") or ():
        meta = result.get("meta") if isinstance(result, Mapping) else None
        if isinstance(meta, Mapping) and meta.get("rater"):
            return str(meta["rater"])
    by = given.get("completed_by")
    if isinstance(by, Mapping):
        return str(by.get("email") or by.get("id") or "")
    return "" if by is None else str(by)


def _moment(given: Mapping[str, Any]) -> str:
    return str(given.get("updated_at") or given.get("created_at") or "")


def _answers(row: Row, given: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for result in given.get("result") or ():
        if not isinstance(result, Mapping) or not isinstance(result.get("value"), Mapping):
            raise StudyError(f"entry {row.line}: an annotation has a result without a value.")
        name, kind = str(result.get("from_name", "")), str(result.get("type", ""))
        if kind not in _CONTROLS:
            known = ", ".join(_CONTROLS)
            raise StudyError(f"entry {row.line}: '{name}' is of the kind '{kind}'; what can be read is {known}.")
        yield name, _CONTROLS[kind](result["value"])


def _one(values: Any) -> Any:
    """One choice is itself, several are a list."""
    return values[0] if isinstance(values, list) and len(values) == 1 else values


def _text(values: Any) -> Any:
    return "\n".join(map(str, values)) if isinstance(values, list) else values


_CONTROLS = {
    "choices": lambda value: _one(value.get("choices")),
    "rating": lambda value: value.get("rating"),
    "number": lambda value: value.get("number"),
    "textarea": lambda value: _text(value.get("text")),
}
