"""What a medium promises: people and judges see the same thing, and its bytes tell nothing else."""

from __future__ import annotations

from typing import Any, ClassVar

from quorate.languages import Words
from quorate.parts import Part
from quorate.records import Item


class Medium(Part):
    """One thing shown. Kinds are subclasses, one a file, with a row in the table of this folder."""

    shorthand: ClassVar[str] = "field"
    template: ClassVar[str] = ""

    #: The field of the item that holds it: a text, or a path relative to the study's folder.
    field: str
    label: Words = ""

    def fields(self) -> tuple[str, ...]:
        """The fields of an item that this medium shows."""
        return (self.field,)

    def paths(self, item: Item) -> tuple[str, ...]:
        """The files of an item that have to be staged, relative to the study's folder."""
        return ()

    def clean(self, content: bytes, path: str) -> bytes:
        """The file's bytes without metadata, its pixels or samples untouched."""
        return content

    def as_content(self, item: Item, files: dict[str, bytes]) -> list[dict[str, Any]]:
        """The same thing as content for a model: parts of a chat message."""
        raise NotImplementedError
