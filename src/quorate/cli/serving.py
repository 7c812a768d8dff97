"""Where a study is served just now: the server leaves its address beside the study, and holds it as long as it lives.

A lock tells whether the address still holds: the system lets go of it with the process, however that ended.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

LOCAL = "127.0.0.1"
EVERY_ADDRESS = ("0.0.0.0", "::")
"""What a server listens on to be reached from other machines too; no address that a browser could open."""
DEFAULT_PORT = 8000
PORT = f"The port to listen on; 0 takes a free one. Without it {DEFAULT_PORT}, or a free one where that is taken."
_FILE = Path(".quorate") / "serving"


@contextmanager
def announced(folder: Path, base: str) -> Iterator[None]:
    """Leaves the address for other commands until the server ends; of two servers of one study that of the first."""
    path = folder / _FILE
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("a+", encoding="utf-8")
    except OSError:  # a folder that cannot be written to: the study is served all the same
        yield
        return
    with file:
        if _is_held(file):
            yield
            return
        file.seek(0)
        file.truncate()
        file.write(base)
        file.flush()
        yield
        file.truncate(0)


def address(folder: Path) -> str:
    """The address at which a server of this study can be reached now; "" where none is known."""
    try:
        with (folder / _FILE).open("r+", encoding="utf-8") as file:
            return file.read().strip() if _is_held(file) else ""
    except OSError:
        return ""


def _is_held(file: IO[str]) -> bool:
    """Whether another process holds the file; where nobody does, this one does until it closes it."""
    try:
        import fcntl
    except ImportError:  # Windows has no such locks: nothing is known there
        return False
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    return False
