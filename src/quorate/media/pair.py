"""Outputs side by side, each under the letter of its side; which system made which is drawn and never shown.

A pair has two of them. A set has more, as in a listening test with a hidden reference and an anchor.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Self, cast

from pydantic import Field, create_model, model_validator

from quorate.languages import Words
from quorate.media.base import Contents, FieldMedium, Medium, ToPlay
from quorate.records import Item, Shown, side_label, side_names


@dataclass(frozen=True, slots=True)
class Side:
    """One side: where it stands, the letter above it, and what is shown there."""

    name: str
    label: str
    medium: FieldMedium


class PairBase(Medium):
    """Two outputs of one kind. Kinds are added as fields by `pair_of`, named as in `show`."""

    kinds: ClassVar[tuple[str, ...]] = ()
    template: ClassVar[str] = "media/pair.html"

    #: Names of systems with the fields of their outputs; or two fields that hold the names, with `outputs`.
    systems_: dict[str, str] | tuple[str, str] = Field(alias="systems")
    outputs: tuple[str, str] | None = None
    #: A third output of the same kind, shown above both: the source of an edit, the reference of a sound.
    reference: str | None = None
    reference_label: Words = ""

    @model_validator(mode="after")
    def _is_a_pair(self) -> Self:
        self._has_a_kind()
        if isinstance(self.systems_, dict):
            if len(self.systems_) != 2 or self.outputs is not None:
                raise ValueError("`systems` should name two systems with the field of each; `outputs` is not needed.")
        elif self.outputs is None:
            raise ValueError("`systems` names the fields of the systems; `outputs` should name those of their outputs.")
        return self

    def _has_a_kind(self) -> None:
        given = [kind for kind in self.kinds if getattr(self, kind) is not None]
        if len(given) != 1:
            raise ValueError(f"it needs exactly one kind of medium ({', '.join(self.kinds)}), such as image: {{}}.")
        if getattr(self, given[0]).field:
            raise ValueError("the fields of its outputs stand in `systems` or `outputs`, not in its kind.")

    @property
    def n_sides(self) -> int:
        return 2

    @property
    def kind(self) -> FieldMedium:
        """What stands on each side, without its field."""
        return next(medium for kind in self.kinds if (medium := getattr(self, kind)) is not None)

    def one(self, field: str) -> FieldMedium:
        """The medium that shows one field."""
        if field not in self.known:
            self.known[field] = self.kind.model_copy(update={"field": field})
        return self.known[field]

    @cached_property
    def known(self) -> dict[str, FieldMedium]:
        """A cache of the media by the fields that they show: each is asked for with every item."""
        return {}

    def fields(self) -> tuple[str, ...]:
        if isinstance(self.systems_, dict):
            named = tuple(self.systems_.values())
        else:
            named = (*self.systems_, *(self.outputs or ()))
        return (*named, self.reference) if self.reference else named

    def blind_fields(self) -> tuple[str, ...]:
        return () if isinstance(self.systems_, dict) else self.systems_

    def fields_by_system(self, item: Item) -> dict[str, str]:
        if isinstance(self.systems_, dict):
            return dict(self.systems_)
        return dict(zip(self.systems(item), self.outputs or (), strict=True))

    def systems(self, item: Item) -> tuple[str, ...]:
        if isinstance(self.systems_, dict):
            return tuple(self.systems_)
        return tuple(str(item.fields.get(field) or "") for field in self.systems_)

    def media(self, item: Item) -> list[FieldMedium]:
        """Everything that is shown: the reference first, where this item has one."""
        fields = list(self.fields_by_system(item).values())
        return [self.one(field) for field in (([self.reference] if self.has_reference(item) else []) + fields) if field]

    def has_reference(self, item: Item) -> bool:
        """Whether this item has a reference."""
        return self.reference is not None and bool(item.fields.get(self.reference))

    def sides(self, item: Item, shown: Shown) -> list[Side]:
        """From left to right."""
        fields = self.fields_by_system(item)
        systems = shown.sides or dict(zip(side_names(len(fields)), fields, strict=True))
        return [Side(side, side_label(side), self.one(fields[systems[side]])) for side in side_names(len(fields))]

    def paths(self, item: Item) -> tuple[str, ...]:
        return tuple(path for medium in self.media(item) for path in medium.paths(item))

    def on_page(self, item: Item, shown: Shown) -> tuple[str, ...]:
        above = self.one(self.reference).paths(item) if self.reference and self.has_reference(item) else ()
        return (*above, *(path for side in self.sides(item, shown) for path in side.medium.paths(item)))

    def thumbnail(self, item: Item) -> str:
        # A small picture of one side, the same system's for every item, would name that side.
        return self.one(self.reference).thumbnail(item) if self.reference and self.has_reference(item) else ""

    def staged(self, content: bytes, path: str) -> bytes:
        return self.kind.staged(content, path)

    def prove(self, content: bytes, path: str) -> None:
        self.kind.prove(content, path)

    def suffix(self, path: str) -> str:
        return self.kind.suffix(path)

    def outward(self, path: str, file: Path) -> dict[str, str]:
        return self.kind.outward(path, file)

    def paths_by_system(self, item: Item) -> dict[str, tuple[str, ...]]:
        return {system: self.one(field).paths(item) for system, field in self.fields_by_system(item).items()}

    def owed(self, item: Item, shown: Shown, evidence: Mapping[str, Any]) -> str:
        # The reference may be played as often as one likes; what is asked for is asked of both sides.
        owed = [side.medium.owed(item, shown, evidence) for side in self.sides(item, shown)]
        return next((sentence for sentence in owed if sentence), "")

    @property
    def asks_for_plays(self) -> bool:
        return self.kind.asks_for_plays

    def to_play(self, item: Item) -> tuple[ToPlay, ...]:
        fields = self.fields_by_system(item).items() if self.asks_for_plays else ()
        return tuple(one._replace(system=system) for system, field in fields for one in self.one(field).to_play(item))

    def as_content(self, item: Item, shown: Shown, files: Mapping[str, bytes]) -> Contents:
        contents: Contents = []
        if self.reference and self.has_reference(item):
            contents += [_words("The reference:"), *self.one(self.reference).as_content(item, shown, files)]
        for side in self.sides(item, shown):
            where = f" ({side.name})" if self.n_sides == 2 else ""
            contents += [_words(f"{side.label}{where}:"), *side.medium.as_content(item, shown, files)]
        return contents


class SetBase(PairBase):
    """Three outputs or more. Kinds are added as fields by `set_of`."""

    #: Names of systems with the fields of their outputs; a hidden reference is one of them.
    systems_: dict[str, str] = Field(alias="systems", min_length=3, max_length=26)

    @model_validator(mode="after")
    def _is_a_pair(self) -> Self:
        self._has_a_kind()
        if self.outputs is not None:
            raise ValueError("`systems` names the field of each output; `outputs` is for pairs.")
        return self

    @property
    def n_sides(self) -> int:
        return len(self.systems_)


def _words(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def pair_of(kinds: Mapping[str, type[FieldMedium]], base: type[PairBase] = PairBase) -> type[PairBase]:
    """The type of a pair, or of a set, whose sides may be of these kinds, written without their field."""
    fields: dict[str, Any] = {}
    for kind, medium in kinds.items():
        side = create_model(f"Side{medium.__name__}", __base__=medium, field=(str, ""))
        fields[kind] = (side | None, None)
    made = cast(type[PairBase], create_model(base.__name__.removesuffix("Base"), __base__=base, **fields))
    made.kinds = tuple(kinds)
    return made
