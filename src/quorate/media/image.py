"""A picture, centred and zoomable."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from mimetypes import guess_type
from pathlib import Path
from typing import ClassVar

from quorate.languages import Words
from quorate.media.base import Contents, FileMedium
from quorate.media.decoding import check_decodes
from quorate.media.metadata import without_metadata
from quorate.records import Item, Shown


class Image(FileMedium):
    """A picture, named by a path in a field of the item."""

    #: What a screen reader says. It must not tell what the picture shows where that is the question.
    alt: Words = ""

    template: ClassVar[str] = "media/image.html"

    def thumbnail(self, item: Item) -> str:
        return next(iter(self.paths(item)), "")

    def staged(self, content: bytes, path: str) -> bytes:
        return without_metadata(content)

    def prove(self, content: bytes, path: str) -> None:
        check_decodes(content)

    def outward(self, path: str, file: Path) -> dict[str, str]:
        from PIL import Image as Picture

        try:
            with Picture.open(file) as picture:
                width, height = picture.size
                return {"format": picture.format or "", "dimensions": f"{width} × {height}"}
        except (OSError, ValueError, SyntaxError, Picture.DecompressionBombError):
            return super().outward(path, file)

    def as_content(self, item: Item, shown: Shown, files: Mapping[str, bytes]) -> Contents:
        return [image_content(path, files[path]) for path in self.paths(item)]


def image_content(path: str, content: bytes) -> dict[str, object]:
    """A picture as a part of a chat message."""
    kind = guess_type(path.split("#")[0])[0] or "image/png"
    return {"type": "image_url", "image_url": {"url": f"data:{kind};base64,{b64encode(content).decode()}"}}
