"""Small PDF files for tests, set on the spot."""

from __future__ import annotations

from collections.abc import Sequence

import typst


def paper(texts: Sequence[str]) -> bytes:
    """A PDF with one page a text."""
    pages = "\n#pagebreak()\n".join(f'#text("{text}")' for text in texts)
    return typst.compile(f"#set document(date: none)\n{pages}\n".encode())
