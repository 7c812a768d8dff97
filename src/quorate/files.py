"""Files are whole or not there: written beside their place, made durable, and moved into it."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from quorate.errors import StudyError

#: What is written is called so until it has its name.
PART = ".part"
#: So many bytes of one file are read at once: more than any table or clip of a study that people look through.
LARGEST = 2_000_000_000
#: Errors of the machine that say that there is no room.
NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def write_files(folder: Path, files: Mapping[str, bytes], stale: Iterable[Path] = ()) -> list[Path]:
    """Write files into a folder, all of them or none; what is stale goes when they have come.

    Nothing that lies there is touched before everything is written beside it.
    """
    targets = [folder / name for name in files]
    parts = [target.with_name(target.name + PART) for target in targets]
    with told(folder):
        try:
            for target, part, content in zip(targets, parts, files.values(), strict=True):
                target.parent.mkdir(parents=True, exist_ok=True)
                _write(part, content)
            for part, target in zip(parts, targets, strict=True):
                part.replace(target)
        finally:
            for part in parts:
                part.unlink(missing_ok=True)
        for path in stale:
            path.unlink(missing_ok=True)
    return targets


def read_bounded(path: Path, most: int = LARGEST) -> bytes:
    """The content of a file; a StudyError where it is larger than what is read into memory at once."""
    with path.open("rb") as file:
        # Looked at before it is read: a file with holes may say terabytes and hold nothing.
        if os.fstat(file.fileno()).st_size > most:
            raise StudyError(f"it is larger than {most // 1_000_000:,} MB, which is more than is read of such a file.")
        return file.read()


@contextmanager
def written_beside(path: Path) -> Iterator[Path]:
    """A place beside the file, which gets its name when what is written there is whole."""
    part = path.with_name(path.name + PART)
    with told(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            yield part
            with part.open("rb") as file:
                os.fsync(file.fileno())
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)


@contextmanager
def told(path: Path) -> Iterator[None]:
    """What the machine says against writing here, as a sentence."""
    try:
        yield
    except OSError as error:
        raise StudyError(sentence(error, path)) from error


def sentence(error: OSError, path: Path | str = "") -> str:
    """What an error of the machine means, and what to do."""
    where = path or error.filename or "a file"
    if error.errno in NO_ROOM:
        return f"{where}: the disk is full. Nothing of this was written; make room, and try again."
    return f"{where}: it cannot be written ({error.strerror or error}). Nothing of this was changed."


def _write(part: Path, content: bytes) -> None:
    with part.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
