"""What an encoder promises: texts in, vectors of length one out, and a name for what was used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np


class TextEncoder(Protocol):
    """Turns texts into vectors whose dot product is their similarity."""

    #: How the vectors come about ("sentence embeddings", "letters") and by which model.
    method: str
    model: str

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """One row a text, each of length one (a text without content is all zeros)."""
        ...
