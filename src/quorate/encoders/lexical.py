"""Similarity by letters: no weights, no model, the same on every machine.

Texts are counted in groups of two to four letters, hashed into a fixed number of columns. It finds words that look
alike, not words that mean alike, and says so by its name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from zlib import crc32

if TYPE_CHECKING:
    import numpy as np

COLUMNS = 4096


class Lexical:
    """Counts of letter groups."""

    method = "letters"
    model = "2–4 letter groups"

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """One row of counts a text, of length one."""
        import numpy as np

        vectors = np.zeros((len(texts), COLUMNS), dtype=np.float32)
        for row, text in enumerate(texts):
            for group in _groups(text):
                vectors[row, crc32(group.encode()) % COLUMNS] += 1
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.divide(vectors, lengths, out=vectors, where=lengths > 0)


def _groups(text: str) -> list[str]:
    """
    >>> _groups("ab")
    [' a', 'ab', 'b ', ' ab', 'ab ', ' ab ']
    """
    padded = f" {' '.join(text.casefold().split())} "
    return [padded[k : k + n] for n in (2, 3, 4) for k in range(len(padded) - n + 1)] if text.strip() else []
