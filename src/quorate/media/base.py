"""What a medium promises: people and judges see the same thing, and its bytes tell nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

from pydantic import field_validator

from quorate.conditions import condition
from quorate.languages import Words
from quorate.parts import Part
from quorate.records import Item, Shown

Contents = list[dict[str, Any]]
"""Parts of a chat message, as OpenAI-compatible endpoints take them."""


class ToPlay(NamedTuple):
    """A file that has to be played in full so many times; `system` made it, where a medium compares any.

    `together` says whether plays in step with another count too.
    """

    path: str
    times: int
    together: bool = False
    system: str = ""

    def is_done(self, alone: int, together: int) -> bool:
        """Whether so many full plays, on its own and in step with another, are enough."""
        return alone + self.together * together >= self.times


class Medium(Part):
    """One thing shown. Kinds are subclasses, one a file, with a row in the table of this folder."""

    label: Words = ""
    #: A condition on fields of the item: what does not apply is not shown.
    applies_when: str | None = None

    template: ClassVar[str] = ""
    #: The template of what two of them side by side have in common, such as playing both in step.
    joint: ClassVar[str] = ""

    @field_validator("applies_when")
    @classmethod
    def _is_a_condition(cls, given: str | None) -> str | None:
        if given is not None:
            condition(given)
        return given

    def applies(self, item: Item) -> bool:
        """Whether it is shown for an item."""
        return self.applies_when is None or condition(self.applies_when).holds(item.fields)

    def condition_fields(self) -> tuple[str, ...]:
        """The fields that decide whether it is shown."""
        return tuple(sorted(condition(self.applies_when).names)) if self.applies_when else ()

    def fields(self) -> tuple[str, ...]:
        """The fields of an item that this medium reads."""
        return ()

    def blind_fields(self) -> tuple[str, ...]:
        """The fields among them that no page may show, such as those that name the systems."""
        return ()

    def prepared(self, items: Sequence[Item], read: Callable[[str], bytes]) -> Sequence[Item]:
        """The items with what this medium finds out from the whole table or from its files, in reserved fields."""
        return items

    def unreadable(self, item: Item) -> str:
        """What of an item is in no form in which it can be shown, as a sentence; "" where all of it is."""
        return ""

    def paths(self, item: Item) -> tuple[str, ...]:
        """The files of an item that have to be staged, relative to the study's folder.

        A part of a file is named behind a `#`: `paper.pdf#3` is the third page.
        """
        return ()

    def on_page(self, item: Item, shown: Shown) -> tuple[str, ...]:
        """The same files in the order in which they stand on the page."""
        return self.paths(item)

    def thumbnail(self, item: Item) -> str:
        """The file of an item of which a grid may show a small picture; "" where none is a picture, or it would tell
        which side is which system's."""
        return ""

    def staged(self, content: bytes, path: str) -> bytes:
        """What is served for a path: the file without metadata, its pixels or samples untouched."""
        return content

    def prove(self, content: bytes, path: str) -> None:
        """Reads the file to its end, as a browser will; a StudyError says why it cannot be shown whole."""

    def suffix(self, path: str) -> str:
        """The ending of what is served for a path."""
        return "." + path.rsplit(".", 1)[-1].lower()

    def outward(self, path: str, file: Path) -> dict[str, str]:
        """What anybody sees of a served file without looking at what it shows: its format, its dimensions."""
        return {"format": self.suffix(path).removeprefix(".").upper().replace("JPG", "JPEG")}

    @property
    def n_sides(self) -> int:
        """How many outputs stand side by side; 0 where a medium compares none."""
        return 0

    def systems(self, item: Item) -> tuple[str, ...]:
        """The systems that stand side by side, where a medium compares any."""
        return ()

    def fields_by_system(self, item: Item) -> dict[str, str]:
        """The field that holds each system's output, where a medium compares any."""
        return {}

    def paths_by_system(self, item: Item) -> dict[str, tuple[str, ...]]:
        """The files of each system's output, where a medium compares any."""
        return {}

    def owed(self, item: Item, shown: Shown, evidence: Mapping[str, Any]) -> str:
        """What the rater still has to do with this medium before an answer counts, as a sentence; "" for nothing.

        `evidence` is what the browser reports by path of the study, such as `{"clips/a.mp4": {"full_plays": 2}}`.
        """
        return ""

    @property
    def asks_for_plays(self) -> bool:
        """Whether anything has to be played in full before an answer counts."""
        return False

    def to_play(self, item: Item) -> tuple[ToPlay, ...]:
        """The files that have to be played in full, and how often."""
        return ()

    def done(self, item: Item) -> dict[str, dict[str, Any]]:
        """The evidence, by path, of a rater who did all that this medium asks for."""
        return {one.path: {"full_plays": one.times} for one in self.to_play(item)}

    def as_content(self, item: Item, shown: Shown, files: Mapping[str, bytes]) -> Contents:
        """The same thing as content for a model, in the order in which a rater sees it."""
        raise NotImplementedError


class FieldMedium(Medium):
    """A medium that one field of the item holds."""

    shorthand: ClassVar[str] = "field"

    #: The field of the item: a text, or a path relative to the study's folder.
    field: str

    def for_reference(self) -> Self:
        """The same as something to compare with: nothing is asked of the rater but to look at it."""
        return self

    def fields(self) -> tuple[str, ...]:
        return (self.field,)


class FileMedium(FieldMedium):
    """A medium whose field names a file."""

    def paths(self, item: Item) -> tuple[str, ...]:
        path = str(item.fields.get(self.field) or "")
        return (path,) if path else ()


def source_of(path: str) -> str:
    """The file that a path names, without the part of it.

    >>> source_of("papers/one.pdf#3")
    'papers/one.pdf'
    """
    return path.split("#", 1)[0]


def to_play(media: Sequence[Medium], item: Item) -> tuple[ToPlay, ...]:
    """Every file that has to be played before an item is answered."""
    return tuple(one for medium in media if medium.applies(item) for one in medium.to_play(item))


def contents_of(media: Sequence[Medium], item: Item, shown: Shown, files: Mapping[str, bytes]) -> Contents:
    """Everything that a section shows, as content for a model."""
    shown_media = [medium for medium in media if medium.applies(item)]
    return [part for medium in shown_media for part in medium.as_content(item, shown, files)]
