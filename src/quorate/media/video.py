"""A video clip."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from pydantic import Field

from quorate.media.base import Contents
from quorate.media.clip import Clip
from quorate.media.clips import frames_of
from quorate.media.image import image_content
from quorate.records import Item, Shown


class Video(Clip):
    """A video, named by a path in a field of the item."""

    #: How many frames a judge sees that cannot play videos.
    frames: int = Field(default=8, ge=1, le=64)

    track: ClassVar[str] = "video"

    def as_content(self, item: Item, shown: Shown, files: Mapping[str, bytes]) -> Contents:
        contents: Contents = []
        for path in self.paths(item):
            frames = frames_of(files[path], self.frames)
            seconds = ", ".join(f"{second:.1f}" for second, _ in frames)
            contents.append({"type": "text", "text": f"A video as {len(frames)} frames, at these seconds: {seconds}."})
            contents += [image_content("frame.jpg", content) for _, content in frames]
        return contents
