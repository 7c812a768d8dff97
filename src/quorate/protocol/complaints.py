"""Turns what pydantic found in a study file into sentences with a place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from difflib import get_close_matches
from typing import Any, get_args, get_origin

from pydantic import BaseModel, ValidationError

from quorate.errors import Complaint, did_you_mean
from quorate.protocol.yaml import Document

_KINDS = {
    "string_type": "should be a text",
    "int_type": "should be a whole number",
    "int_parsing": "should be a whole number",
    "int_from_float": "should be a whole number",
    "float_parsing": "should be a number",
    "float_type": "should be a number",
    "bool_parsing": "should be true or false",
    "bool_type": "should be true or false",
    "list_type": "should be a list",
    "tuple_type": "should be a list",
    "dict_type": "should be keys and values",
    "model_type": "should be keys and values",
    "model_attributes_type": "should be keys and values",
}


#: How alike a key has to be to one that may stand there, so that it is taken for a slip of the pen.
ALIKE = 0.7


def complaints_about(error: ValidationError, document: Document, model: type[BaseModel]) -> list[Complaint]:
    """Every error once, where it stands, with a suggestion where there is one."""
    found: dict[tuple[Any, ...], Complaint] = {}
    for e, place in _deepest(error, document.data):
        found.setdefault(place, document.complaint(place, _sentence(e, place, document.data, model)))
    return sorted(found.values(), key=lambda complaint: complaint.line or 0)


def places_of(error: ValidationError, data: Any) -> list[tuple[str | int, ...]]:
    """Where the errors stand in the file."""
    return [place for _, place in _deepest(error, data)]


def _deepest(error: ValidationError, data: Any) -> list[tuple[Any, tuple[str | int, ...]]]:
    """The errors that a reader can mend, with their places.

    A list whose entries are wrong is also "too short" for pydantic, and a text in a wrong place of a mapping makes the
    mapping "not a text": only what stands deepest is left.
    """
    found = [(e, _place(e, data)) for e in error.errors()]
    return [
        (e, place)
        for e, place in found
        if not (e["type"] == "too_short" or e["type"] in _KINDS)
        or not any(len(p) > len(place) and p[: len(place)] == place for _, p in found)
    ]


def respelt(
    error: ValidationError, data: Mapping[str, Any], model: type[BaseModel]
) -> tuple[dict[str, Any], dict[Sequence[str | int], str]]:
    """A copy of the data with misspelt keys under the names that were meant, and how those were spelt, by place.

    What stands under a misspelt key can then be looked at in the same round, and what it stands for is not missing.
    """
    rest = deepcopy(dict(data))
    misspelt: dict[Sequence[str | int], str] = {}
    for e, place in _deepest(error, data):
        node: Any = rest
        for key in place[:-1]:
            known = key in node if isinstance(node, dict) else isinstance(node, list) and isinstance(key, int)
            node = node[key] if known else None
        if e["type"] == "extra_forbidden" and isinstance(node, dict) and place[-1] in node:
            meant = get_close_matches(str(place[-1]), _free_keys(model, place[:-1], node), n=1, cutoff=ALIKE)
            if meant:
                node[meant[0]] = node.pop(place[-1])
                misspelt[(*place[:-1], meant[0])] = str(place[-1])
    return rest, misspelt


def without(data: Mapping[str, Any], places: Iterable[tuple[str | int, ...]]) -> dict[str, Any]:
    """A copy of the data without the keys that these places name."""
    rest = deepcopy(dict(data))
    for place in places:
        # An entry of a list cannot go alone: the places behind it would shift.
        keys = [depth for depth, key in enumerate(place) if isinstance(key, str)]
        node: Any = rest
        for key in place[: keys[-1]] if keys else ():
            is_known = key in node if isinstance(node, dict) else isinstance(key, int) and key < len(node)
            node = node[key] if is_known else {}
        if keys and isinstance(node, dict):
            node.pop(place[keys[-1]], None)
    return rest


def _place(error: Any, data: Any) -> tuple[str | int, ...]:
    """The part of pydantic's location that is in the file: union members are named in it, too."""
    place: list[str | int] = []
    location = error["loc"]
    for depth, key in enumerate(location):
        is_missing = error["type"] == "missing" and depth == len(location) - 1
        if isinstance(data, Mapping) and (key in data or is_missing):
            data = data.get(key)
        elif isinstance(data, list) and isinstance(key, int) and key < len(data):
            data = data[key]
        else:
            continue
        place.append(key)
    return tuple(place)


def _sentence(error: Any, place: tuple[str | int, ...], data: Any, model: type[BaseModel]) -> str:
    kind, key = error["type"], place[-1] if place else ""
    if kind == "extra_forbidden":
        hint = did_you_mean(str(key), _free_keys(model, place[:-1], _at(data, place[:-1])), ALIKE)
        return f"there is no key '{key}' here.{hint or _list(_known_keys(model, place[:-1]))}"
    if kind == "missing":
        return "this is missing, and the study needs it."
    if kind in ("literal_error", "enum"):
        expected = error["ctx"]["expected"]
        return f"{error['input']!r} should be {expected}.{did_you_mean(str(error['input']), _quoted(expected))}"
    if kind == "value_error":
        return str(error["ctx"]["error"])
    if kind in _KINDS:
        return f"{_KINDS[kind]}, not {_short(error['input'])}."
    if kind == "string_pattern_mismatch":
        return f"{_short(error['input'])} should match {error['ctx']['pattern']} (a letter, then letters, digits or _)."
    return f"{error['msg'][0].lower()}{error['msg'][1:]}, not {_short(error['input'])}."


def _free_keys(model: Any, place: Sequence[str | int], node: Any) -> list[str]:
    """The keys that may still be written at this place: what stands there already was not meant by another name."""
    return [key for key in _known_keys(model, place) if not isinstance(node, Mapping) or key not in node]


def _known_keys(model: Any, place: Sequence[str | int]) -> list[str]:
    """The keys that the file may have at this place."""
    for key in place:
        model = _inside(model, key)
    found = _model_in(model)
    return [field.alias or name for name, field in found.model_fields.items()] if found else []


def _at(data: Any, place: Iterable[str | int]) -> Any:
    """What the file has at this place, None where it has nothing there."""
    for key in place:
        is_there = key in data if isinstance(data, Mapping) else isinstance(data, list) and isinstance(key, int)
        data = data[key] if is_there else None
    return data


def _inside(annotation: Any, key: str | int) -> Any:
    """The type of what stands under a key of a model, of `dict[str, Model]`, of `tuple[Model, ...]` and the like."""
    if _is_model(annotation):
        field = next((f for name, f in annotation.model_fields.items() if key in (name, f.alias)), None)
        return field.annotation if field else None
    inner = get_args(annotation)
    if get_origin(annotation) in (list, tuple):
        return inner[0] if isinstance(key, int) else None
    if get_origin(annotation) is dict:
        return inner[1] if isinstance(key, str) else None
    return next((found for one in inner if (found := _inside(one, key)) is not None), None)


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """The model in `Model | None` and the like; what lists and names hold has a place of its own."""
    if _is_model(annotation):
        return annotation
    if get_origin(annotation) in (list, tuple, dict):
        return None
    return next((found for inner in get_args(annotation) if (found := _model_in(inner)) is not None), None)


def _is_model(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


def _list(known: Iterable[str]) -> str:
    names = ", ".join(known)
    return f" It may have: {names}." if names else ""


def _quoted(expected: str) -> list[str]:
    return [part.strip(" '") for part in expected.replace(" or ", ", ").split(",")]


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"
