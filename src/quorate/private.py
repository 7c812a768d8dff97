"""Files that hold secrets: who runs the study may read them, and nobody else on the machine."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def make_private(path: Path) -> None:
    """Makes an empty file for its owner alone, where there is none; where it cannot be made, its writer says so."""
    with suppress(OSError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
