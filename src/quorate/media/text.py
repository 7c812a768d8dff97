"""A plain text, as it stands in the item."""

from __future__ import annotations

from typing import Any, ClassVar

from quorate.media.base import Medium
from quorate.records import Item


class TextMedium(Medium):
    """A text in a field of the item, shown as it is."""

    template: ClassVar[str] = "media/text.html"

    def as_content(self, item: Item, files: dict[str, bytes]) -> list[dict[str, Any]]:
        return [{"type": "text", "text": str(item[self.field])}]
