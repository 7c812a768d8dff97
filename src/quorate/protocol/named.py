"""What a study file names: files of its folder and fields of its items, each with its place in the study file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from quorate.protocol.study_file import StudyFile

Place = tuple[str | int, ...]

_TABLES = {"from", "variants"}
_TEXTS = {("raters", "consent"), ("raters", "instructions"), ("raters", "reference"), ("raters", "debrief", "text")}


def named_fields(study: StudyFile) -> Iterator[tuple[tuple[str, ...], Place]]:
    """The item fields that a study names."""
    for s, section in enumerate(study.sections):
        for m, show in enumerate(section.show):
            yield show.part.fields(), ("sections", s, "show", m, show.kind)
            yield show.part.condition_fields(), ("sections", s, "show", m, show.kind, "applies_when")
        for a, ask in enumerate(section.ask):
            yield ask.part.fields(), ("sections", s, "ask", a, ask.kind)
        yield section.hide, ("sections", s, "hide")
    for name, judge in study.judges.items():
        yield judge.part.fields(), ("judges", name)
    if study.items.exclude:
        yield (study.items.exclude.field,), ("items", "exclude", "field")
    sample = study.items.sample
    for field, place in (
        (sample and sample.by, ("items", "sample", "by")),
        (sample and sample.balance, ("items", "sample", "balance")),
        (study.items.best_of and study.items.best_of.n, ("items", "best_of")),
        (study.items.cluster, ("items", "cluster")),
        (study.raters.panels, ("raters", "panels")),
    ):
        if field:
            yield (field,), place
    yield study.export.fields, ("export", "fields")


def named_files(data: Mapping[str, Any]) -> Iterator[tuple[str, Place]]:
    """The files that a study file names: known keys, wherever they stand."""
    yield from _files_in(data, ())


def is_text(place: Place) -> bool:
    """Whether the file named here is a text that raters read."""
    return place in _TEXTS or place[:-1] in _TEXTS


def is_table(place: Place) -> bool:
    """Whether the file named here has rows; a map of variants has none, though it may be JSON too."""
    return "variants" not in place[-2:]


def _files_in(node: Any, place: Place) -> Iterator[tuple[str, Place]]:
    if isinstance(node, Mapping):
        for key, value in node.items():
            is_file = key in _TABLES or (*place, key) in _TEXTS
            if is_file and isinstance(value, str):
                yield value, (*place, key)
            elif is_file and isinstance(value, Mapping) and key != "variants":
                # One file a language.
                yield from (
                    (name, (*place, key, language)) for language, name in value.items() if isinstance(name, str)
                )
            else:
                yield from _files_in(value, (*place, key))
    elif isinstance(node, list):
        for number, value in enumerate(node):
            yield from _files_in(value, (*place, number))
