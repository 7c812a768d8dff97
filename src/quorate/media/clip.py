"""What is played: the plays that a protocol asks for, and the evidence that they took place."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Self

from pydantic import Field, model_validator

from quorate.languages import Words, noted
from quorate.media.base import FileMedium, ToPlay
from quorate.media.clips import coded, served_suffix, without_tags
from quorate.parts import Part
from quorate.records import Item, Shown


class Plays(Part):
    """How often a clip has to be played in full before an answer counts.

    A full play covers 98 % of the clip's time while the page is visible, at no more than the clip's own speed.
    """

    shorthand: ClassVar[str] = "full"

    full: int = Field(default=0, ge=0, le=20)
    #: What each play is for, such as adherence and consistency; shown as the rater's progress.
    passes: tuple[Words, ...] = ()
    #: Whether playing both sides of a pair in step counts for each of them.
    together: bool = False

    @model_validator(mode="after")
    def _is_a_pass_a_play(self) -> Self:
        if self.passes and len(self.passes) != self.full:
            raise ValueError(f"`passes` names {len(self.passes)}, and `full` asks for {self.full} plays.")
        return self

    def are_done(self, evidence: Mapping[str, Any]) -> bool:
        """Whether this evidence of one clip shows as many full plays as are asked for."""
        return _count(evidence, "full_plays") + self.together * _count(evidence, "full_plays_together") >= self.full


def _count(evidence: Mapping[str, Any], name: str) -> int:
    count = evidence.get(name, 0)
    return count if isinstance(count, int) and not isinstance(count, bool) and count > 0 else 0


class Clip(FileMedium):
    """A clip that is played: a video or a sound, named by a path in a field of the item."""

    plays: Plays = Plays()

    #: What it must have to be played: "video" or "audio".
    track: ClassVar[str] = ""
    template: ClassVar[str] = "media/clip.html"
    joint: ClassVar[str] = "media/together.html"

    def for_reference(self) -> Self:
        return self.model_copy(update={"plays": Plays()})

    def staged(self, content: bytes, path: str) -> bytes:
        return without_tags(content, path, self.track)

    def suffix(self, path: str) -> str:
        return served_suffix(path)

    def outward(self, path: str, file: Path) -> dict[str, str]:
        return {**super().outward(path, file), **coded(file)}

    def owed(self, item: Item, shown: Shown, evidence: Mapping[str, Any]) -> str:
        if all(self.plays.are_done(evidence.get(path, {})) for path in self.paths(item)):
            return ""
        return OWED

    @property
    def asks_for_plays(self) -> bool:
        return self.plays.full > 0

    def to_play(self, item: Item) -> tuple[ToPlay, ...]:
        times, together = self.plays.full, self.plays.together
        return tuple(ToPlay(path, times, together) for path in self.paths(item)) if times else ()


OWED = noted("Please play each clip to its end as often as the marks below it ask for, then send your answer.")
