"""Notices when the files of a database are no longer those that are open.

A file that is deleted or replaced goes on for whoever has it open, and is gone when they let go of it. SQLite does not
look: without this, a server would acknowledge answers into it until it stops.
"""

from __future__ import annotations

import logging
import os
import stat
import struct
import threading
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from quorate.errors import StoreError

#: Where SQLite's header says how large pages are, how often it was changed (at least), how many pages there are, and
#: which database this is (`store.sqlite.mark`).
_MAGIC, _PAGE_SIZE, _CHANGES, _PAGES, _MARK = (
    b"SQLite format 3\0", slice(16, 18), slice(24, 28), slice(28, 32), slice(68, 72)
)  # fmt: skip
#: The index of the log (-shm) begins with its header, twice: whether there is one, how large pages are, how many frames
#: are committed, the checksum of the last of them, and the salt of the log.
_INDEX = struct.Struct("=12xBxHI4x2I8s8x")
#: The headers of the log (-wal) and of each frame in it; both hold the salt, and a frame its checksum.
_LOG_HEADER, _FRAME_HEADER, _LOG_SALT, _FRAME_SALT, _FRAME_CHECKSUM = 32, 24, slice(16, 24), slice(8, 16), slice(16, 24)
_log = logging.getLogger(__name__)


class Watch:
    """The files of an open database, as they were when it was opened.

    `mark` is the number by which it is told from other databases. `rescue` writes what is still open to another file,
    and gives back its path; it is called once.
    """

    def __init__(self, path: Path, mark: int, rescue: Callable[[], Path | None]):
        self._path = os.fspath(path)
        self._rescue = rescue
        self._rescued: Path | None = None
        self._looking = threading.RLock()
        self._file: tuple[int, int] | None = None
        self._header = _Opened.of(self._path)
        # SQLite puts them beside the file itself, not beside a link to it.
        real = os.path.realpath(path)
        self._beside: dict[str, tuple[int, int] | None] = {f"{real}-wal": None, f"{real}-shm": None}
        self._log: _Log | None = None
        self._size = self._time = self._changes = 0
        #: What its header may say: nothing, until the mark has come from the log into the file.
        self._marks = {0, mark}
        self._wrong = ""

    def close(self) -> None:
        """Let go of the file, once nothing of this process has it open in SQLite any more."""
        self._header.close()
        if self._log:
            self._log.close()

    def look(self) -> None:
        """Raise a StoreError unless the files are those that are open; a few microseconds where they are."""
        # One thread at a time: what another found a moment earlier is no news, and one copy is enough.
        with self._looking:
            wrong = self._find()
            if wrong != self._wrong:
                self._wrong = wrong
                self._tell()
        if wrong:
            raise StoreError(self._sentence())

    def _find(self) -> str:
        """What has become of the files, or "" for nothing."""
        try:
            found = os.lstat(self._path)
            file = (found.st_dev, found.st_ino)
            self._file = self._file or file
            if file != self._file:  # a link to where it was moved, too: others would look for its log over there
                return "another file lies in its place"
            if stat.S_ISLNK(found.st_mode):
                found = os.stat(self._path)
            if found.st_mtime_ns != self._time and (wrong := self._find_in_header(found.st_size)):
                return wrong
            self._size, self._time = found.st_size, found.st_mtime_ns
            for name, known in self._beside.items():
                if known is None:
                    self._beside[name] = _identity(name)
                elif _identity(name) != known:
                    return f"{os.path.basename(name)}, which belongs to it, was deleted or replaced"
            if None not in self._beside.values():
                self._log = self._log or _Log(*self._beside)
                if not self._log.is_whole():
                    return f"{self._log.name}, which belongs to it, was cut short or written over"
        except FileNotFoundError:
            return "it was deleted or moved away"
        except OSError as error:
            return f"it cannot be looked at ({error.strerror})"
        return ""

    def _find_in_header(self, size: int) -> str:
        """What has been written over the file, which SQLite itself writes to now and then."""
        header = self._header.read(100)
        page = int.from_bytes(header[_PAGE_SIZE]) or 1
        pages = int.from_bytes(header[_PAGES])
        # One that was packed is smaller, and has all the pages that it counts.
        if size < self._size and size < (65536 if page == 1 else page) * max(pages, 1):
            return "it was cut short"
        if size and not header.startswith(_MAGIC):
            return "something else was written over it"
        mark = int.from_bytes(header[_MARK])
        if mark not in self._marks:
            return "another database was copied over it"
        changes = int.from_bytes(header[_CHANGES])
        # Counted with 32 bits, so that it begins anew at some time.
        if 0 < (self._changes - changes) % 2**32 < 2**31:
            return "an older copy was written over it"
        self._changes = changes
        if mark:
            self._marks = {mark}
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


class _Log:
    """What was committed last, as the index of the log has it, against the log itself."""

    def __init__(self, log: str, index: str):
        self.name = os.path.basename(log)
        self._log, self._index = _Opened.of(log), _Opened.of(index)

    def close(self) -> None:
        self._log.close()
        self._index.close()

    def is_whole(self) -> bool:
        """Whether the log has the last frame of its index; those before it were there when it was written."""
        while not self._has_last(index := self._index.read(2 * _INDEX.size)):
            # Somebody may have begun the log anew between the two looks.
            if index == self._index.read(2 * _INDEX.size):
                return False
        return True

    def _has_last(self, index: bytes) -> bool:
        one, other = index[: _INDEX.size], index[_INDEX.size :]
        if len(other) < _INDEX.size or one != other:  # about to be written
            return True
        is_there, page, frames, *checksum, salt = _INDEX.unpack(one)
        if not (is_there and frames):
            return True
        last = _LOG_HEADER + (frames - 1) * (_FRAME_HEADER + (65536 if page == 1 else page))
        frame = self._log.read(_FRAME_HEADER, last)
        of_log = self._log.read(_LOG_HEADER)[_LOG_SALT]
        return of_log == frame[_FRAME_SALT] == salt and frame[_FRAME_CHECKSUM] == struct.pack(">2I", *checksum)


class _Opened:
    """A file of a database, read where it is open already.

    Whoever closes a file gives up all locks that the process has on it, SQLite's too: so one is open for all who look
    at the same file, until the last of them lets go.
    """

    _open: ClassVar[dict[tuple[int, int], _Opened]] = {}
    _opening: ClassVar[threading.Lock] = threading.Lock()

    def __init__(self, key: tuple[int, int], path: str):
        self._key, self._file, self._users = key, os.open(path, os.O_RDONLY | os.O_CLOEXEC), 0

    @classmethod
    def of(cls, path: str) -> _Opened:
        """The file that lies there."""
        with cls._opening:
            found = os.stat(path)
            key = found.st_dev, found.st_ino
            opened = cls._open.get(key) or cls._open.setdefault(key, cls(key, path))
            opened._users += 1
            return opened

    def read(self, size: int, place: int = 0) -> bytes:
        """What stands there now."""
        return os.pread(self._file, size, place)

    def close(self) -> None:
        """One fewer who looks at it."""
        with self._opening:
            self._users -= 1
            if not self._users:
                del self._open[self._key]
                os.close(self._file)
