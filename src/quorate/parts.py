"""What every part is: a frozen type whose fields are what the study file may say, in a table of kinds.

A part is named by its kind as the key: `- image: {field: image}`. `one_of` turns a table of kinds into the type of
such an entry, so that a new kind is one file and one row.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, create_model, model_validator

P = TypeVar("P", bound="Part")


class Part(BaseModel):
    """A frozen piece of the study file; an unknown key is a complaint."""

    # What nobody reads is not built: the study file's own type holds all the others, once.
    model_config = ConfigDict(frozen=True, extra="forbid", strict=False, defer_build=True)

    #: The field that a bare value stands for: `image: picture` is `image: {field: picture}`.
    shorthand: ClassVar[str] = ""

    @model_validator(mode="before")
    @classmethod
    def _from_shorthand(cls, given: Any) -> Any:
        if cls.shorthand and not isinstance(given, Mapping | Part):
            return {cls.shorthand: given}
        return given


class Entry(Part, Generic[P]):
    """One entry of a list in the study file that names its kind as a key."""

    kinds: ClassVar[Mapping[str, type[Part]]] = {}

    @cached_property
    def kind(self) -> str:
        """The kind's name, as the study file writes it."""
        return next(kind for kind in self.kinds if getattr(self, kind) is not None)

    @property
    def part(self) -> P:
        """The part itself."""
        return getattr(self, self.kind)

    @model_validator(mode="after")
    def _exactly_one_kind(self) -> Entry[P]:
        given = [kind for kind in self.kinds if getattr(self, kind) is not None]
        if len(given) != 1:
            known = ", ".join(self.kinds)
            named = f"it names {' and '.join(given)}" if given else "it names none"
            raise ValueError(f"an entry needs exactly one kind ({known}); {named}.")
        return self


def one_of(name: str, base: type[Entry[P]], kinds: Mapping[str, type[P]]) -> type[Entry[P]]:
    """The type of an entry that is one of these kinds."""
    fields: dict[str, Any] = {kind: (part | None, None) for kind, part in kinds.items()}
    model = create_model(name, __base__=base, **fields)
    model.kinds = dict(kinds)
    return model
