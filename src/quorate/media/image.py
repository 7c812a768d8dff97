"""A picture, centred and zoomable."""

from __future__ import annotations

from base64 import b64encode
from mimetypes import guess_type
from typing import Any, ClassVar

from quorate.languages import Words
from quorate.media.base import Medium
from quorate.media.metadata import without_metadata
from quorate.records import Item


class Image(Medium):
    """A picture, named by a path in a field of the item."""

    #: What a screen reader says. It must not tell what the picture shows where that is the question.
    alt: Words = ""

    template: ClassVar[str] = "media/image.html"

    def paths(self, item: Item) -> tuple[str, ...]:
        return (str(item[self.field]),)

    def clean(self, content: bytes, path: str) -> bytes:
        return without_metadata(content)

    def as_content(self, item: Item, files: dict[str, bytes]) -> list[dict[str, Any]]:
        path = str(item[self.field])
        kind = guess_type(path)[0] or "image/png"
        url = f"data:{kind};base64,{b64encode(files[path]).decode()}"
        return [{"type": "image_url", "image_url": {"url": url}}]
