"""A plain text, as it stands in the item."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from quorate.media.base import Contents, FieldMedium
from quorate.records import Item, Shown


class TextMedium(FieldMedium):
    """A text in a field of the item, shown as it is."""

    template: ClassVar[str] = "media/text.html"

    def as_content(self, item: Item, shown: Shown, files: Mapping[str, bytes]) -> Contents:
        return [{"type": "text", "text": str(item.fields.get(self.field) or "")}]
