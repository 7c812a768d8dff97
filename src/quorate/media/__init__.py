"""What can be shown: one kind a file, and a row in this table."""

from __future__ import annotations

from collections.abc import Mapping

from quorate.media.base import Medium
from quorate.media.image import Image
from quorate.media.text import TextMedium

MEDIA: Mapping[str, type[Medium]] = {
    "image": Image,
    "text": TextMedium,
}

__all__ = ["MEDIA", "Image", "Medium", "TextMedium"]
