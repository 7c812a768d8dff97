"""Copies media under opaque names, without metadata, and makes the sprite of thumbnails for a grid."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from io import BytesIO
from mimetypes import guess_type
from pathlib import Path
from typing import Any

import msgspec

from quorate.chance import opaque, order
from quorate.errors import Complaint, StudyError
from quorate.media import Medium, source_of
from quorate.private import make_private
from quorate.protocol import Protocol
from quorate.records import Item

THUMBNAIL = 72
COLUMNS = 10
_MANIFEST = "manifest.json"
FOLDER = Path(".quorate") / "media"
"""Where media lie under opaque names, in the study's folder."""


class Sprite(msgspec.Struct, frozen=True):
    """One picture that holds the thumbnails of all items of a section; a cell's number says where."""

    name: str
    cells: dict[str, int]
    columns: int = COLUMNS
    size: int = THUMBNAIL


class Staged(msgspec.Struct, frozen=True):
    """What was staged: opaque names by path, the sprites by section, and a hash of each original's content.

    Marks tell that an original has not changed since its hash was taken, so that it is read once.
    """

    folder: str
    names: dict[str, str] = {}
    marks: dict[str, str] = {}
    sprites: dict[str, Sprite] = {}
    digests: dict[str, str] = {}
    #: What each staged file is, by its opaque name, which has no ending: `image/png` beside `image/webp` in the
    #: addresses of a pair would tell systems apart.
    types: dict[str, str] = {}
    #: The collection hash of the protocol whose items these are.
    protocol: str = ""

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
    digests: dict[str, str] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)

    def files(self, wanted: Mapping[str, Medium]) -> None:
        """Names every file, and stages those that are not staged yet."""
        originals = self.protocol.originals
        marks = originals.marks(map(source_of, wanted))
        for path, medium in wanted.items():
            mark = marks[source_of(path)]
            self.marks[path] = mark
            self.names[path] = opaque(self.secret, "media", path, mark)
            self.types[self.names[path]] = guess_type(f"it{medium.suffix(path)}")[0] or "application/octet-stream"
            source = source_of(path)
            if source in self.old.digests and self.old.marks.get(path) == mark:
                self.digests[source] = self.old.digests[source]
        new = sorted((path for path in wanted if not self._is_known(path)), key=self._turn)
        for path, content in zip(new, originals.read_all(map(source_of, new)), strict=True):
            self.digests[source_of(path)] = sha256(content).hexdigest()
            self._put(path, wanted[path], content)

    def _turn(self, path: str) -> tuple[str, str]:
        """Its place in an order that the secret draws, since times tell the order; the pages of a file are together."""
        return opaque(self.secret, "staging", source_of(path)), self.names[path]

    def _is_known(self, path: str) -> bool:
        """Whether it is staged as it is now, and what it holds is known."""
        return source_of(path) in self.digests and (self.folder / self.names[path]).is_file()

    def _put(self, path: str, medium: Medium, content: bytes) -> None:
        try:
            served = medium.staged(content, path)
            medium.prove(served, path)
        except StudyError as error:
            raise StudyError(f"{path}: {error}") from error
        put(self.folder / self.names[path], served)


def put(target: Path, content: bytes) -> None:
    """Writes a staged file beside its place and moves it there, so that a crash leaves no half file that is served.

    All have one time: when and in which order they were staged would tell what the table's columns hold.
    """
    part = target.with_suffix(".part")
    try:
        part.write_bytes(content)
        os.utime(part, (0, 0))
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def stage(protocol: Protocol, items: Sequence[Item], secret: str, folder: Path) -> Staged:
    """Stages the media of these items and of the practice round; what is staged already is left alone."""
    folder.mkdir(parents=True, exist_ok=True)
    staging = _Staging(protocol, secret, folder, load_staged(folder) or Staged(str(folder)))
    staging.files(_wanted(protocol, items))
    sprites = {s.id: _sprite(staging, s.id, items) for s in protocol.sections if s.grid}
    names, marks, digests = staging.names, staging.marks, staging.digests
    types = {**staging.types, **{sprite.name: "image/webp" for sprite in sprites.values()}}
    staged = Staged(str(folder), names, marks, sprites, digests, types, protocol.collection_hash)
    make_private(folder / _MANIFEST)  # it says which name stands for which file
    (folder / _MANIFEST).write_bytes(msgspec.json.encode(staged))
    return staged


def unproven_media(protocol: Protocol, items: Sequence[Item]) -> dict[str, Medium]:
    """The files of the folder that nobody has read yet as they are now; what is staged was read, and is in order."""
    originals = protocol.originals
    shown = _wanted(protocol, items).items()
    wanted = {path: medium for path, medium in shown if not originals.address(source_of(path))}
    staged = load_staged(protocol.folder / FOLDER)
    if staged is None:
        return wanted
    marks = originals.marks(source_of(path) for path in wanted if path in staged.marks)
    return {path: medium for path, medium in wanted.items() if staged.marks.get(path) != marks.get(source_of(path), "")}


def wrong_media(
    protocol: Protocol, wanted: Mapping[str, Medium], on_file: Callable[[], None] = lambda: None
) -> list[Complaint]:
    """A complaint for each of these files that cannot be shown to raters, such as a clip that is cut off."""
    found = []
    for path, medium in wanted.items():
        on_file()
        try:
            medium.prove(medium.staged(protocol.originals.read(source_of(path)), path), path)
        except StudyError as error:
            found.append(Complaint(path, None, "", str(error)))
    return found


def digests_now(
    staged: Staged | None, protocol: Protocol, sources: Sequence[str], *, objects: bool = False
) -> dict[str, str]:
    """A hash of the content of each of these originals that is there; those that have not changed are not read.

    Without `staged` every one is read; with `objects` those of a store are, too.
    """
    originals = protocol.originals
    there = [one for one in sources if originals.file(one).is_file() or (objects and originals.address(one))]
    marks = originals.marks(there) if staged else {}
    known = {source_of(path): mark for path, mark in staged.marks.items()} if staged else {}
    found = {}
    for source in there:
        if staged and source in staged.digests and known.get(source) == marks[source]:
            found[source] = staged.digests[source]
        else:
            digest = sha256()
            for part in originals.parts(source):
                digest.update(part)
            found[source] = digest.hexdigest()
    return found


def load_staged(folder: Path) -> Staged | None:
    """What was staged before in this folder."""
    try:
        staged = msgspec.json.decode((folder / _MANIFEST).read_bytes(), type=Staged)
    except (OSError, msgspec.DecodeError, msgspec.ValidationError):
        return None
    # An earlier version staged under names with endings: those tell too much, and are made anew.
    return msgspec.structs.replace(staged, folder=str(folder)) if staged.types or not staged.names else None


def is_current(staged: Staged | None, protocol: Protocol, items: Sequence[Item], *, objects: bool = True) -> bool:
    """Whether every file is staged as it is now; without `objects`, those of a store are taken as they were staged."""
    if staged is None:
        return False
    ids = {item.id for item in items}
    grids = [staged.sprites.get(section.id) for section in protocol.sections if section.grid]
    if not all(sprite is not None and ids <= sprite.cells.keys() for sprite in grids):
        return False
    paths = _wanted(protocol, items)
    return all(path in staged.names for path in paths) and is_untouched(staged, protocol, objects=objects)


def is_untouched(staged: Staged, protocol: Protocol, *, objects: bool = True) -> bool:
    """Whether everything that was staged is there, and is of files that have not changed since."""
    if not set(staged.names.values()) <= {entry.name for entry in os.scandir(staged.folder)}:
        return False
    try:
        marks = protocol.originals.marks(map(source_of, staged.names), objects=objects)
    except FileNotFoundError:  # what an earlier plan showed may be gone
        return False
    return all(mark == marks.get(source_of(path), mark) for path, mark in staged.marks.items())


def _wanted(protocol: Protocol, items: Sequence[Item]) -> dict[str, Medium]:
    """Every path that raters are shown, with the medium that shows it; that of two is the first."""
    wanted: dict[str, Medium] = {}
    for section in protocol.sections:
        for show in section.show:
            for item in (*items, *protocol.practice):
                for path in show.part.paths(item):
                    wanted.setdefault(path, show.part)
    return wanted


def _sprite(staging: _Staging, section: str, items: Sequence[Item]) -> Sprite:
    """Thumbnails in an order that the secret draws, so that the sprite tells nothing about the table."""
    from PIL import Image

    drawn = order(items, staging.secret, "sprite", section, key=lambda item: item.id)
    cells = {item.id: number for number, item in enumerate(drawn)}
    media = [show.part for show in staging.protocol.section(section).show]
    paths = [thumbnail_of(media, item) for item in drawn]
    marks = [staging.marks[path] if path else "" for path in paths]
    name = opaque(staging.secret, "sprite", section, *marks)
    target = staging.folder / name
    if not target.is_file():
        rows = -(-len(drawn) // COLUMNS) or 1
        sheet = Image.new("RGB", (COLUMNS * THUMBNAIL, rows * THUMBNAIL), "white")
        for number, path in enumerate(paths):
            if path:  # an item without a picture leaves its cell empty
                sheet.paste(_thumbnail(staging, path), _corner(number))
        buffer = BytesIO()
        sheet.save(buffer, "WEBP", quality=70, method=4)
        put(target, buffer.getvalue())
    return Sprite(name, cells)


def thumbnail_of(media: Sequence[Medium], item: Item) -> str:
    """The first file that is shown of an item, and of which a grid may show a small picture; "" for none."""
    found = (medium.thumbnail(item) for medium in media if medium.applies(item))
    return next(filter(None, found), "")


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
