"""What came with an item, without what media noted on it for themselves: a found page, the turns before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quorate.media.conversation import HISTORY
from quorate.media.page import PAGES

NOTED = (PAGES, HISTORY)


def as_it_came(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of the items' own table.

    >>> as_it_came({"pdf": "a.pdf", "quorate_pages": {"pdf": {"page": 2}}})
    {'pdf': 'a.pdf'}
    """
    return {name: value for name, value in fields.items() if name not in NOTED}
