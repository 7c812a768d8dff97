"""Markers: texts that stand for blind values, and the search for them in whatever was served."""

from __future__ import annotations

import re
import secrets
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

#: Places that are no section: the pages of the practice round before and after its right answers.
PRACTICE, FEEDBACK = "practice", "feedback after practice"


@dataclass(frozen=True, slots=True)
class Marker:
    """What a marker stands for, and the places where raters may see it."""

    what: str
    allowed: frozenset[str] = frozenset()


@dataclass
class Markers:
    """The markers of one audit: a lead that nothing else contains, and a number.

    >>> markers = Markers()
    >>> text = markers.make("the target of item 'a'")
    >>> list(markers.found(f"<p>{text}</p>".encode(), "recognise"))
    ["the target of item 'a'"]
    """

    # Letters and digits alone: no escaping of HTML, JSON or addresses changes them.
    lead: str = field(default_factory=lambda: "qx" + "".join(secrets.choice("bcdfghjklmnpqrstvwz") for _ in range(12)))
    #: The lead of those that stand for numbers: together they are exact in every language's numbers.
    digits: str = field(default_factory=lambda: str(10**8 + secrets.randbelow(8 * 10**8)))
    made: list[Marker] = field(default_factory=list)

    def make(self, what: str, allowed: Iterable[str] = ()) -> str:
        """A new marker."""
        self.made.append(Marker(what, frozenset(allowed)))
        return f"{self.lead}{len(self.made) - 1:06d}"

    def in_place_of(self, value: Any, what: str, allowed: Iterable[str] = ()) -> Any:
        """The same value with a marker for every text and every number in it."""
        if isinstance(value, Mapping):
            return {key: self.in_place_of(part, what, allowed) for key, part in value.items()}
        if isinstance(value, list | tuple):
            return [self.in_place_of(part, what, allowed) for part in value]
        if isinstance(value, bool) or value is None:
            return value
        text = self.make(what, allowed)
        return int(self.digits + text.removeprefix(self.lead)) if isinstance(value, int | float) else text

    def found(self, content: bytes, place: str) -> Iterator[str]:
        """What the content tells that must not be told at this place."""
        # Canonical forms are in lower case, and a text may be cut: the lead alone is enough to be found.
        for match in re.finditer(rf"(?:{self.lead}|{self.digits})(\d{{6}})?".encode(), content.lower()):
            number = int(match[1]) if match[1] else -1
            if not 0 <= number < len(self.made):
                yield "a part of some blind value"
            elif place not in self.made[number].allowed:
                yield self.made[number].what
        if any(form in content for form in self._disguised()):
            yield "some blind value, encoded"

    def _disguised(self) -> Iterator[bytes]:
        """The lead as UTF-16, as base64 at each of its three alignments, as hexadecimal digits, and turned around."""
        plain = self.lead.encode()
        yield self.lead.encode("utf-16-le")
        yield self.lead.encode("utf-16-be")
        for shift in range(3):
            # The first and last digits depend on what stands beside the text.
            yield b64encode(b"\0" * shift + plain)[4 if shift else 0 :].rstrip(b"=")[:-1]
        yield plain.hex().encode()
        yield plain[::-1]
