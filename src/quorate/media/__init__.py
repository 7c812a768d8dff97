"""What can be shown: one kind a file, and a row in this table."""

from __future__ import annotations

from collections.abc import Mapping

from quorate.media.base import Contents, FieldMedium, FileMedium, Medium, contents_of, source_of
from quorate.media.image import Image
from quorate.media.text import TextMedium

MEDIA: Mapping[str, type[Medium]] = {
    "image": Image,
    "text": TextMedium,
}

__all__ = [
    "MEDIA",
    "Contents",
    "FieldMedium",
    "FileMedium",
    "Image",
    "Medium",
    "TextMedium",
    "contents_of",
    "source_of",
]
