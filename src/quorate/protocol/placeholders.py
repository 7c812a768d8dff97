"""Places that the author of a study has not filled yet: raters must not be asked to consent to them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from quorate.errors import Complaint
from quorate.protocol.load import STUDY_FILE
from quorate.protocol.protocol import Protocol
from quorate.protocol.yaml import Document

PLACEHOLDER = re.compile(
    r"""replace\W+this\W+line                                 # as our templates write it
      | \[(?:your|insert|name\s+of)\s+\w[^\]\n]*\]           # [your name], [insert the amount]
      | 请?[将把](?:本|此|这)一?[行段句].{0,2}替换 | 待(?:填写|补充)
      | ^[\W_]*(?:TODO|TBD)\b                               # at the beginning of a line
      | lorem\s+ipsum\s+dolor""",
    re.IGNORECASE | re.VERBOSE | re.MULTILINE,
)
"""What stands where only the author knows what belongs there, in whatever text."""
IN_A_CONSENT = re.compile(
    PLACEHOLDER.pattern
    + r"""
      | replace\W+(?:this\W+(?:text|sentence|paragraph)|these\W+(?:lines|words))
      | [(<](?:your|insert|name\s+of)\s+\w[^)>\n]*[)>] | \{\{[^}\n]*\}\}
      | (?-i:\[(?:NAME|INSTITUTION|UNIVERSITY|BOARD|AMOUNT|DATE|CONTACT|E-?MAIL|ADDRESS|NUMBER)\b[^\]\n]*\])
      | [:：]\s*(?-i:TODO|TBD|TBA|X{3,})\b
      | 替换(?:本|此|这)一?[行段句] | (?:此处|在此|这里)(?:填写|填入) | [【（(\[]请?填[写入][^】）)\]\n]*[】）)\]]
      | lorem\s+ipsum""",
    re.IGNORECASE | re.VERBOSE | re.MULTILINE,
)
"""The same where nobody writes of texts and of blanks in them: a rater may well be asked to replace this sentence."""
#: The parts of the study file with texts that raters read, and those that speak of the study and not of the work.
READ_BY_RATERS = ("title", "sections", "raters")
OF_THE_STUDY = ("title", "compensation", "contact")
Path = tuple[str | int, ...]


def placeholders(protocol: Protocol) -> Iterator[Complaint]:
    """A complaint for each place, with its file and line."""
    for name, text in protocol.texts.items():
        for found in (IN_A_CONSENT if name in _consents(protocol) else PLACEHOLDER).finditer(text):
            yield Complaint(name, text.count("\n", 0, found.start()) + 1, "", _sentence(found))
    left = [
        (place, first)
        for part in READ_BY_RATERS
        for place, text in _texts((part,), protocol.source.get(part))
        if (first := (IN_A_CONSENT if set(OF_THE_STUDY) & set(place) else PLACEHOLDER).search(text))
    ]
    if left:
        document = Document(protocol.folder / STUDY_FILE)
        yield from (document.complaint(place, _sentence(first)) for place, first in left)


def _consents(protocol: Protocol) -> Collection[str]:
    """The files that raters agree to."""
    consent = protocol.raters.consent
    return consent.values() if isinstance(consent, Mapping) else (consent,)


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
