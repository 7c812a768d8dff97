"""Copies media under opaque names, without metadata, and makes the sprite of thumbnails for a grid."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec

from quorate.chance import opaque, order
from quorate.errors import StudyError
from quorate.media import Medium, source_of
from quorate.protocol import Protocol
from quorate.records import Item

THUMBNAIL = 72
COLUMNS = 10
_MANIFEST = "manifest.json"


class Sprite(msgspec.Struct, frozen=True):
    """One picture that holds the thumbnails of all items of a section; a cell's number says where."""

    name: str
    cells: dict[str, int]
    columns: int = COLUMNS
    size: int = THUMBNAIL


class Staged(msgspec.Struct, frozen=True):
    """What was staged: opaque names by path, and the sprites by section. Knows nothing of the originals' content."""

    folder: str
    names: dict[str, str] = {}
    marks: dict[str, str] = {}
    sprites: dict[str, Sprite] = {}

    def name(self, path: str) -> str:
        """The opaque name of a file of the study."""
        return self.names[path]

    def file(self, name: str) -> Path:
        """Where a staged file lies."""
        return Path(self.folder) / name


@dataclass
class _Staging:
    protocol: Protocol
    secret: str
    folder: Path
    old: Staged
    names: dict[str, str] = field(default_factory=dict)
    marks: dict[str, str] = field(default_factory=dict)

    def file(self, medium: Medium, path: str) -> None:
        if path in self.names:
            return
        source = self.protocol.folder / source_of(path)
        mark = _mark(source)
        name = opaque(self.secret, "media", path, mark) + medium.suffix(path)
        self.names[path], self.marks[path] = name, mark
        target = self.folder / name
        if target.is_file():
            return
        try:
            content = medium.staged(source.read_bytes(), path)
        except StudyError as error:
            raise StudyError(f"{path}: {error}") from error
        # Written beside and moved, so that a crash leaves no half file under a name that is served.
        part = target.with_suffix(".part")
        part.write_bytes(content)
        part.replace(target)


def stage(
    protocol: Protocol, items: Sequence[Item], secret: str, folder: Path, on_file: Callable[[], None] = lambda: None
) -> Staged:
    """Stages the media of these items and of the practice round; what is staged already is left alone."""
    folder.mkdir(parents=True, exist_ok=True)
    staging = _Staging(protocol, secret, folder, load_staged(folder) or Staged(str(folder)))
    for section in protocol.sections:
        for show in section.show:
            for item in (*items, *protocol.practice):
                for path in show.part.paths(item):
                    staging.file(show.part, path)
                on_file()
    sprites = {s.id: _sprite(staging, s.id, items) for s in protocol.sections if s.grid}
    staged = Staged(str(folder), staging.names, staging.marks, sprites)
    (folder / _MANIFEST).write_bytes(msgspec.json.encode(staged))
    return staged


def load_staged(folder: Path) -> Staged | None:
    """What was staged before in this folder."""
    try:
        staged = msgspec.json.decode((folder / _MANIFEST).read_bytes(), type=Staged)
    except (OSError, msgspec.DecodeError, msgspec.ValidationError):
        return None
    return msgspec.structs.replace(staged, folder=str(folder))


def is_current(staged: Staged | None, protocol: Protocol, items: Iterable[Item]) -> bool:
    """Whether every file is staged as it is now."""
    if staged is None:
        return False
    shows = [(section, show.part) for section in protocol.sections for show in section.show]
    items = tuple(items)
    paths = {path for _, medium in shows for item in (*items, *protocol.practice) for path in medium.paths(item)}
    ids = {item.id for item in items}
    grids = [staged.sprites.get(section.id) for section in protocol.sections if section.grid]
    return all(sprite is not None and ids <= sprite.cells.keys() for sprite in grids) and all(
        staged.marks.get(path) == _mark(protocol.folder / source_of(path)) and staged.file(staged.names[path]).is_file()
        for path in paths
    )


def _sprite(staging: _Staging, section: str, items: Sequence[Item]) -> Sprite:
    """Thumbnails in an order that the secret draws, so that the sprite tells nothing about the table."""
    from PIL import Image

    drawn = order(items, staging.secret, "sprite", section, key=lambda item: item.id)
    cells = {item.id: number for number, item in enumerate(drawn)}
    first = staging.protocol.section(section).show[0].part
    marks = [staging.marks[path] for item in drawn for path in first.paths(item)]
    name = opaque(staging.secret, "sprite", section, *marks) + ".webp"
    target = staging.folder / name
    if not target.is_file():
        rows = -(-len(drawn) // COLUMNS) or 1
        sheet = Image.new("RGB", (COLUMNS * THUMBNAIL, rows * THUMBNAIL), "white")
        for number, item in enumerate(drawn):
            for path in first.paths(item)[:1]:  # an item without a picture leaves its cell empty
                sheet.paste(_thumbnail(staging, path), _corner(number))
        buffer = BytesIO()
        sheet.save(buffer, "WEBP", quality=70, method=4)
        target.write_bytes(buffer.getvalue())
    return Sprite(name, cells)


def _thumbnail(staging: _Staging, path: str) -> Any:
    from PIL import Image, ImageOps

    try:
        with Image.open(staging.folder / staging.names[path]) as image:
            upright = ImageOps.exif_transpose(image).convert("RGB")
            return ImageOps.fit(upright, (THUMBNAIL, THUMBNAIL))
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise StudyError(f"{path}: the picture cannot be opened ({error}). Save it again, or replace it.") from error


def _corner(number: int) -> tuple[int, int]:
    return number % COLUMNS * THUMBNAIL, number // COLUMNS * THUMBNAIL


def _mark(path: Path) -> str:
    """Tells whether a file has changed without reading it."""
    stat = path.stat()
    return blake2b(f"{stat.st_size}/{stat.st_mtime_ns}".encode(), digest_size=8).hexdigest()
