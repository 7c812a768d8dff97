"""Places of a template that the author of a study has not filled yet: raters must not be asked to consent to them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from quorate.errors import Complaint
from quorate.protocol.protocol import Protocol

PLACEHOLDER = re.compile(r"replace\s+this\s+line", re.IGNORECASE)
"""What our templates write where only the author knows what belongs there."""


def placeholders(protocol: Protocol) -> Iterator[Complaint]:
    """A complaint for each place, with its file and line."""
    for name, text in protocol.texts.items():
        for found in PLACEHOLDER.finditer(text):
            line = text.count("\n", 0, found.start()) + 1
            sentence = (
                f"“{found.group()} …” is left of the template, and raters would read it. Write what belongs there."
            )
            yield Complaint(name, line, "", " ".join(sentence.split()))
