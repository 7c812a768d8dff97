"""Places that the author of a study has not filled yet: raters must not be asked to consent to them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from quorate.errors import Complaint
from quorate.protocol.load import STUDY_FILE
from quorate.protocol.protocol import Protocol
from quorate.protocol.yaml import Document

PLACEHOLDER = re.compile(
    r"""replace\s+this\s+(?:line|text|sentence|paragraph)   # as our templates write it
      | \[(?:your|insert|name\s+of)\b[^\]\n]*\]             # [your name], [insert the amount]
      | 请?[将把](?:本|此|这)一?[行段句].{0,2}替换 | 待(?:填写|补充)
      | ^[\W_]*(?:TODO|TBD)\b                               # at the beginning of a line
      | lorem\s+ipsum""",
    re.IGNORECASE | re.VERBOSE | re.MULTILINE,
)
"""What stands where only the author knows what belongs there."""
#: The parts of the study file with texts that raters read.
READ_BY_RATERS = ("title", "sections", "raters")
Path = tuple[str | int, ...]


def placeholders(protocol: Protocol) -> Iterator[Complaint]:
    """A complaint for each place, with its file and line."""
    for name, text in protocol.texts.items():
        for found in PLACEHOLDER.finditer(text):
            yield Complaint(name, text.count("\n", 0, found.start()) + 1, "", _sentence(found))
    left = [
        (place, first)
        for part in READ_BY_RATERS
        for place, text in _texts((part,), protocol.source.get(part))
        if (first := PLACEHOLDER.search(text))
    ]
    if left:
        document = Document(protocol.folder / STUDY_FILE)
        yield from (document.complaint(place, _sentence(first)) for place, first in left)


def _texts(place: Path, value: Any) -> Iterator[tuple[Path, str]]:
    """Every text below a place of the study file."""
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, Mapping):
        for name, part in value.items():
            yield from _texts((*place, name), part)
    elif isinstance(value, list | tuple):
        for number, part in enumerate(value):
            yield from _texts((*place, number), part)


def _sentence(found: re.Match[str]) -> str:
    words = " ".join(found.group().split())
    return f"“{words} …” is still to be written, and raters would read it. Write what belongs there."
