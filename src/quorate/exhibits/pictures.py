"""Pictures of items, for the report's pages and for the released folder."""

from __future__ import annotations

import io
from base64 import b64encode
from collections.abc import Iterator
from mimetypes import guess_type
from typing import NamedTuple

from quorate.media import source_of
from quorate.media.base import Medium
from quorate.protocol import Protocol
from quorate.records import Item

WIDEST = 720
INLINE = 150_000


class Picture(NamedTuple):
    """One file as raters are shown it: a page of a PDF, say, is a picture, and has the ending of one."""

    path: str
    suffix: str
    content: bytes


def pictures(protocol: Protocol, section: str, item: Item) -> Iterator[Picture]:
    """The files that a section shows of an item, without their metadata; a missing file is left out."""
    for show in protocol.section(section).show:
        medium = show.part
        for path in medium.paths(item):
            content = protocol.originals.read_if_there(source_of(path))
            if content is not None:
                yield Picture(path, medium.suffix(path), medium.staged(content, path))


def is_image(picture: Picture) -> bool:
    """Whether a browser shows it as a picture: a clip is none."""
    return (guess_type(f"it{picture.suffix}")[0] or "").startswith("image/")


def inlined(picture: Picture) -> str:
    """A picture as a data URL, made smaller where it is large."""
    content = picture.content
    kind = guess_type(f"it{picture.suffix}")[0] or "application/octet-stream"
    if len(content) > INLINE and kind != "image/svg+xml":
        kind, content = "image/webp", _smaller(content)
    return f"data:{kind};base64,{b64encode(content).decode()}"


def _smaller(content: bytes) -> bytes:
    from PIL import Image

    with Image.open(io.BytesIO(content)) as picture:
        picture.thumbnail((WIDEST, WIDEST))
        out = io.BytesIO()
        picture.convert("RGBA" if "A" in picture.getbands() else "RGB").save(out, "WEBP", quality=82)
    return out.getvalue()


#: A thumbnail is no wider and no higher than this.
THUMBNAIL = 240


def thumbnail(protocol: Protocol, medium: Medium, path: str) -> str:
    """A small picture of a file as a data URL; "" where the file is not there or cannot be read as a picture."""
    from PIL import Image, UnidentifiedImageError

    content = protocol.originals.read_if_there(source_of(path))
    if content is None:
        return ""
    try:
        with Image.open(io.BytesIO(medium.staged(content, path))) as picture:
            picture.draft("RGB", (THUMBNAIL, THUMBNAIL))
            picture.thumbnail((THUMBNAIL, THUMBNAIL))
            out = io.BytesIO()
            picture.convert("RGBA" if "A" in picture.getbands() else "RGB").save(out, "WEBP", quality=70)
    except (UnidentifiedImageError, OSError):
        return ""
    return f"data:image/webp;base64,{b64encode(out.getvalue()).decode()}"
