"""Vectors kept by the content of their text: what was encoded once is never encoded again.

One file a model, of records of one length (the hash of the text, then its vector), only ever added to. A record that a
crash cut short is overwritten by the next one.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quorate.encoders.places import cache_folder

if TYPE_CHECKING:
    import numpy as np

KEY = 16


class Cached:
    """An encoder that remembers."""

    def __init__(self, encoder: Any, folder: Path | None = None):
        self.encoder = encoder
        self.method, self.model = encoder.method, encoder.model
        name = blake2b(str(encoder.identity).encode(), digest_size=12).hexdigest()
        self._path = (folder or cache_folder()) / f"{name}.vectors"
        self._known: dict[bytes, int] = {}
        self._vectors: np.ndarray | None = None
        self._read = 0
        self._width = 0

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """One row a text, each of length one; only texts that are not known yet reach the encoder."""
        import numpy as np

        self._load()
        keys = [blake2b(text.encode("utf-8", "surrogatepass"), digest_size=KEY).digest() for text in texts]
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        if new:
            self._add(list(new), self.encoder.encode(list(new.values())))
        if self._vectors is None:
            return np.zeros((0, 0), dtype=np.float32)
        return self._vectors[[self._known[key] for key in keys]]

    def _load(self) -> None:
        """Reads what came to the file since it was last read, by this process or by another."""
        import numpy as np

        if not self._path.is_file():
            return
        with self._path.open("rb") as file:
            head = file.read(4)
            self._width = int.from_bytes(head, "little") if len(head) == 4 else 0
            size = self._record
            whole = (self._path.stat().st_size - 4) // size if self._width else 0
            if whole <= self._read:
                return
            file.seek(4 + self._read * size)
            records = np.frombuffer(file.read((whole - self._read) * size), dtype=np.uint8).reshape(-1, size)
        vectors = np.ascontiguousarray(records[:, KEY:]).view("<f4")
        first = 0 if self._vectors is None else len(self._vectors)
        self._vectors = vectors if self._vectors is None else np.concatenate([self._vectors, vectors])
        for row, record in enumerate(records[:, :KEY]):
            self._known.setdefault(record.tobytes(), first + row)
        self._read = whole

    def _add(self, keys: Sequence[bytes], vectors: np.ndarray) -> None:
        import numpy as np

        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._width = vectors.shape[1]
        rows = np.ascontiguousarray(vectors, dtype="<f4").view(np.uint8).reshape(len(keys), -1)
        names = np.frombuffer(b"".join(keys), dtype=np.uint8).reshape(len(keys), KEY)
        with os.fdopen(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644), "r+b") as file:
            _lock(file.fileno())
            end = file.seek(0, os.SEEK_END)
            if end < 4:
                file.seek(0)
                file.write(self._width.to_bytes(4, "little"))
                end = 4
            file.seek(4 + (end - 4) // self._record * self._record)
            file.write(np.concatenate([names, rows], axis=1).tobytes())
        self._load()

    @property
    def _record(self) -> int:
        return KEY + 4 * self._width


def _lock(file: int) -> None:
    """Lets nobody else write until the file is closed."""
    try:
        import fcntl
    except ImportError:  # Windows, where one process at a time is the usual case
        return
    fcntl.flock(file, fcntl.LOCK_EX)
