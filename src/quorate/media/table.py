"""A table that stands as text in a field, shown as a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from quorate.media.base import Contents, FieldMedium
from quorate.records import Item, Shown
from quorate.tables import Rows, read_table


class Table(FieldMedium):
    """A table in a field of the item: its cells where it can be read as one, else the text as it stands."""

    template: ClassVar[str] = "media/table.html"

    def text(self, item: Item) -> str:
        """What the field holds."""
        return str(item.fields.get(self.field) or "")

    def rows(self, item: Item) -> Rows | None:
        """The cells, or None where the text is no table."""
        return read_table(self.text(item))

    def as_content(self, item: Item, shown: Shown, files: Mapping[str, bytes]) -> Contents:
        return [{"type": "text", "text": self.text(item)}]
