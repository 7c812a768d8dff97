"""Notices when the files of a database are no longer those that are open.

A file that is deleted or replaced goes on for whoever has it open, and is gone when they let go of it. SQLite does not
look: without this, a server would acknowledge answers into it until it stops.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from pathlib import Path

from quorate.errors import StoreError

#: Where SQLite's header says how large pages are, and how many.
_MAGIC, _PAGE_SIZE, _PAGES = b"SQLite format 3\0", slice(16, 18), slice(28, 32)
_log = logging.getLogger(__name__)


class Watch:
    """The files of an open database, as they were when it was opened.

    `rescue` writes what is still open to another file, and gives back its path; it is called once.
    """

    def __init__(self, path: Path, rescue: Callable[[], Path | None]):
        self._path = os.fspath(path)
        self._rescue = rescue
        self._rescued: Path | None = None
        self._file: tuple[int, int] | None = None
        # SQLite puts them beside the file itself, not beside a link to it.
        real = os.path.realpath(path)
        self._beside: dict[str, tuple[int, int] | None] = {f"{real}-wal": None, f"{real}-shm": None}
        self._size = 0
        self._wrong = ""

    def look(self) -> None:
        """Raise a StoreError unless the files are those that are open; a few microseconds where they are."""
        wrong = self._find()
        if wrong != self._wrong:
            self._wrong = wrong
            self._tell()
        if wrong:
            raise StoreError(self._sentence())

    def _find(self) -> str:
        """What has become of the files, or "" for nothing."""
        try:
            found = os.stat(self._path)
            file = (found.st_dev, found.st_ino)
            self._file = self._file or file
            if file != self._file:
                return "another file lies in its place"
            if found.st_size < self._size and not _is_whole(self._path, found.st_size):
                return "it was cut short"
            self._size = found.st_size
            for name, known in self._beside.items():
                if known is None:
                    self._beside[name] = _identity(name)
                elif _identity(name) != known:
                    return f"{os.path.basename(name)}, which belongs to it, was deleted or replaced"
        except FileNotFoundError:
            return "it was deleted or moved away"
        except OSError as error:
            return f"it cannot be looked at ({error.strerror})"
        return ""

    def _tell(self) -> None:
        if not self._wrong:
            _log.warning("%s: the database is back, and answers are stored again.", self._path)
            return
        self._rescued = self._rescued or self._rescue()
        _log.critical("%s", self._sentence())

    def _sentence(self) -> str:
        kept = f"What was stored until then was copied to {self._rescued.name} beside it. " if self._rescued else ""
        return (
            f"{self._path}: {self._wrong} while it was in use, so nothing is stored now; browsers keep what is sent. "
            f"{kept}Put the same file back, or stop the server, put a copy in its place (with no -wal or -shm file "
            "beside it), and start again."
        )


def _identity(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def _is_whole(path: str, size: int) -> bool:
    """Whether a file has all the pages that its header counts: one that was packed is smaller, too."""
    with open(path, "rb") as file:
        header = file.read(100)
    page = int.from_bytes(header[_PAGE_SIZE]) or 1
    return header.startswith(_MAGIC) and size >= (65536 if page == 1 else page) * int.from_bytes(header[_PAGES])
