"""Which fields of the items are blind, where each may be seen, and which the protocol's own rules read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from quorate.audit.markers import FEEDBACK, PRACTICE
from quorate.conditions import condition
from quorate.protocol import Protocol, Section

_CONDITIONS = {"applies_when", "required_when", "when", "unless", "expect"}


def visible(section: Section) -> set[str]:
    """The fields that a section's pages show: by its media, and as options of its questions."""
    shown: set[str] = set()
    for show in section.show:
        shown |= set(show.part.fields()) - set(show.part.blind_fields())
    for ask in section.ask:
        shown |= set(ask.question.shown_fields())
    return shown


def blind_somewhere(protocol: Protocol) -> set[str]:
    """The fields that some section must not show."""
    return {field for section in protocol.sections for field in protocol.blind_fields(section)}


def read_by_rules(protocol: Protocol) -> set[str]:
    """The fields on whose values the course of the study depends: they cannot be replaced by markers."""
    named = {protocol.raters.panels} if protocol.raters.panels else set()
    named |= {name for text in _conditions(protocol.source["sections"]) for name in condition(text).names}
    named |= {section.guide.on for section in protocol.sections if section.guide}
    named |= set(_keys(protocol.source.get("sections"), "within"))
    return {str(name) for name in named}


def may_be_marked(protocol: Protocol, fields: Mapping[str, Any]) -> set[str]:
    """The fields whose values markers stand for: all that is blind in some section, and all that none shows."""
    shown = {field for section in protocol.sections for field in visible(section)}
    return {
        field
        for field in fields
        if (field in blind_somewhere(protocol) or field not in shown)
        and field not in read_by_rules(protocol)
        and not field.startswith("quorate_")
    }


def places_of(protocol: Protocol, field: str, *, practice: bool = False) -> set[str]:
    """Where a field of an item may be seen; of a practice item, the right answer only after the round."""
    if not practice:
        return {s.id for s in protocol.sections if field in visible(s) and field not in protocol.blind_fields(s)}
    rule, section = protocol.raters.practice, protocol.practice_section
    is_seen = field in visible(section) and field not in protocol.blind_fields(section)
    after = {target for ask in section.ask for target in ask.question.concept_fields()}
    after |= {rule.explanation} if rule and rule.explanation else set()
    return ({PRACTICE, FEEDBACK} if is_seen else set()) | ({FEEDBACK} if field in after else set())


def _conditions(node: Any) -> Iterator[str]:
    for key, value in _entries(node):
        if key in _CONDITIONS and isinstance(value, str):
            yield value


def _keys(node: Any, wanted: str) -> Iterator[str]:
    return (str(value) for key, value in _entries(node) if key == wanted)


def _entries(node: Any) -> Iterator[tuple[Any, Any]]:
    """Every key with its value, wherever it stands in the study file."""
    if isinstance(node, Mapping):
        for key, value in node.items():
            yield key, value
            yield from _entries(value)
    elif isinstance(node, list):
        for value in node:
            yield from _entries(value)
