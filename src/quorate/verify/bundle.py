"""Checks a bundle on a machine that has nothing else of the study: files, plan, answers, and every printed number.

A file that does not fit the manifest was changed or damaged. Rows that do not fit the protocol, the claims or the chain
were changed by somebody who mended the manifest; so were numbers that the rows do not give.
"""

from __future__ import annotations

import json
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import msgspec

from quorate.collect.gather import gather
from quorate.errors import StudyError
from quorate.files import NO_ROOM
from quorate.protocol import Protocol, load
from quorate.records import Collected
from quorate.report import write_report
from quorate.report.bundle import CHECKED, FOUND, MANIFEST, PROTOCOL, REPORT, ROWS, VERSION, Found
from quorate.report.data import RESULTS, versions
from quorate.store import Store
from quorate.store.published import PUBLISHED, restore
from quorate.store.sqlite import is_of_the_machine
from quorate.verify import verify_rows
from quorate.verify.again import computed_again, printed_as_held
from quorate.verify.findings import Finding, Verification
from quorate.verify.numbers import count, differences
from quorate.verify.rows import read_rows

# What zipfile raises at bytes that are no zip file, or no longer the ones that were written.
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError)
# What rows and results may raise that somebody else has written: they are read as if Quorate had.
_NOT_OURS = (
    *_DAMAGED,
    StudyError,
    TypeError,
    AttributeError,
    LookupError,
    ArithmeticError,
    AssertionError,
    MemoryError,
)
_BLOCK = 1 << 20
_LARGEST_MANIFEST = 256 * _BLOCK
#: What a bundle may unpack to: so much whatever it is, and so many times its own size. Rows pack to a tenth or so.
_ALWAYS_FITS, _MOST_TIMES, _MOST_FILES = 256_000_000, 100, 1_000_000


class _Kind(msgspec.Struct, frozen=True):
    bundle: int


class Stated(msgspec.Struct, frozen=True):
    """What the manifest says of a file."""

    sha256: str
    bytes: Annotated[int, msgspec.Meta(ge=0)]


class Media(msgspec.Struct, frozen=True):
    """Whether the media are in the bundle, and what each holds."""

    included: bool
    files: dict[str, Any]


class Manifest(msgspec.Struct, frozen=True):
    """The manifest, as `report.bundle` writes it."""

    bundle: int
    names: str
    protocol: dict[str, str]
    versions: dict[str, str]
    media: Media
    files: dict[str, Stated]
    simulated: bool = False


@dataclass(frozen=True)
class Bundle:
    """An opened bundle: its files and what its manifest says of them; nothing is read that it does not say."""

    path: Path
    archive: zipfile.ZipFile
    manifest: Manifest

    @property
    def files(self) -> Mapping[str, Stated]:
        """The hash and the size of every file, by name."""
        return self.manifest.files

    def read(self, name: str) -> bytes:
        """The content of a file."""
        return b"".join(self.blocks(name))

    def blocks(self, name: str) -> Iterator[bytes]:
        """The content of a file, some at a time, and not a byte more than the manifest says."""
        left = self.files[name].bytes
        with self.archive.open(name) as file:
            while part := file.read(min(_BLOCK, left + 1)):
                left -= len(part)
                if left < 0:
                    raise ValueError(f"'{name}' is larger than the manifest says")
                yield part

    def lines(self, name: str) -> Iterator[bytes]:
        """The lines of a file."""
        rest = b""
        for part in self.blocks(name):
            *whole, rest = (rest + part).split(b"\n")
            yield from whole
        if rest:
            yield rest

    def rows(self, table: str) -> Iterator[Any]:
        """The rows of a table, one after the other."""
        return (msgspec.json.decode(line) for line in self.lines(f"{ROWS}{table}.jsonl"))


def is_bundle(path: Path) -> bool:
    """Whether this is a file to be opened as a bundle, and not a study's folder."""
    return path.is_file()


@contextmanager
def open_bundle(path: Path) -> Iterator[Bundle]:
    """The bundle in a file; a StudyError says why it is none."""
    try:
        archive = zipfile.ZipFile(path)
    except _DAMAGED as error:
        raise StudyError(f"{path}: this is not a bundle, or it was cut short ({error}). Get it again.") from error
    with archive:
        manifest = _manifest(path, archive)
        _refuse_bombs(path, archive, manifest)
        yield Bundle(path, archive, manifest)


def _manifest(path: Path, archive: zipfile.ZipFile) -> Manifest:
    try:
        with archive.open(MANIFEST) as file:
            text = file.read(_LARGEST_MANIFEST + 1)
        if len(text) > _LARGEST_MANIFEST:
            raise ValueError("it is too large")
        number = msgspec.json.decode(text, type=_Kind).bundle
        if number == VERSION:
            return msgspec.json.decode(text, type=Manifest)
    except (*_DAMAGED, KeyError) as error:
        raise StudyError(
            f"{path}: this zip file has no {MANIFEST} of a bundle, or a damaged one ({_first_line(error)}). "
            f"Bundles are made with: quorate export DIR --bundle study.zip"
        ) from error
    raise StudyError(f"{path}: a bundle of kind {number}, and this Quorate reads kind {VERSION}. Update Quorate.")


def _refuse_bombs(path: Path, archive: zipfile.ZipFile, manifest: Manifest) -> None:
    """A StudyError where unpacking would fill memory or disk with what nobody can have packed honestly."""
    packed = path.stat().st_size
    most = _ALWAYS_FITS + _MOST_TIMES * packed
    stated = sum(file.bytes for file in manifest.files.values())
    if len(archive.infolist()) > _MOST_FILES or max(stated, sum(one.file_size for one in archive.infolist())) > most:
        raise StudyError(
            f"{path}: it would unpack to more than a bundle of its size can hold (at most {_MOST_FILES:,} files, and "
            f"{most // 1_000_000:,} MB from {packed:,} bytes), so it is not opened."
        )


def _first_line(error: BaseException) -> str:
    return str(error).split("\n", 1)[0][:200] or type(error).__name__


def verify_bundle(path: Path | str) -> Verification:
    """Everything that is wrong with a bundle, and how much was looked at."""
    with open_bundle(Path(path)) as bundle:
        faults = tuple(check_files(bundle))
        rest = _verify_content(bundle)
    looked_at = {"files": len(bundle.files), **rest.looked_at}
    return replace(rest, findings=(*faults, *rest.findings), looked_at=looked_at)


def check_files(bundle: Bundle) -> Iterator[Finding]:
    """Every file is there, once, and is the one of the manifest; and there is no other."""
    names = Counter(bundle.archive.namelist())
    for name in sorted(name for name, n in names.items() if n > 1):
        yield Finding("files", name, "it is in the bundle twice.")
    for name in sorted(names.keys() - bundle.files.keys() - {MANIFEST}):
        yield Finding("files", name, "it is in the bundle, and not in the manifest.")
    for name, known in bundle.files.items():
        if name not in names:
            yield Finding("files", name, "it is in the manifest, and not in the bundle.")
            continue
        digest = sha256()
        try:
            for part in bundle.blocks(name):
                digest.update(part)
        except _DAMAGED as error:
            yield Finding("files", name, f"it is damaged ({_first_line(error)}).")
            continue
        if digest.hexdigest() != known.sha256:
            yield Finding("files", name, "it was changed: its SHA-256 is not the one in the manifest.")


def _verify_content(bundle: Bundle) -> Verification:
    simulated = bundle.manifest.simulated
    with TemporaryDirectory() as folder:
        try:
            protocol = _protocol(bundle, Path(folder) / "study")
            store = Store.open(Path(folder) / "rows.sqlite")
        except _NOT_OURS as error:
            _refuse_if_full(bundle.path, error)
            what = f"the protocol cannot be read, so nothing else was checked ({_first_line(error)})."
            return Verification((Finding("files", PROTOCOL, what),), simulated=simulated)
        with store:
            try:
                _restore(bundle, store)
                return _verify_restored(bundle, protocol, store, simulated, Path(folder) / "report")
            except _NOT_OURS as error:
                _refuse_if_full(bundle.path, error)
                what = f"the rows cannot be read as a study's, so no number was made again ({_first_line(error)})."
                return Verification((Finding("unreadable", ROWS, what),), simulated=simulated)


def _refuse_if_full(path: Path, error: BaseException | None) -> None:
    """A StudyError where this machine could not look, which says nothing about the bundle."""
    while error is not None:
        if (isinstance(error, OSError) and error.errno in NO_ROOM) or is_of_the_machine(error):
            raise StudyError(
                f"{path}: there is no room here to unpack and check it ({_first_line(error)}), so nothing was found "
                "out about it. Make room in the folder for temporary files, or name another one in TMPDIR."
            ) from error
        error = error.__cause__


def _verify_restored(bundle: Bundle, protocol: Protocol, store: Store, simulated: bool, folder: Path) -> Verification:
    of_rows = verify_rows(protocol, store.read(read_rows), simulated=simulated)
    findings = [*_check_hashes(bundle, protocol), *of_rows.findings]
    looked_at, notes = dict(of_rows.looked_at), list[str]()
    if not of_rows.of("unreadable"):
        collected = store.read(lambda tx: gather(tx, simulated, protocol))
        numbers, n = _check_numbers(bundle, protocol, collected, folder)
        findings += numbers
        looked_at["numbers"] = n
        # What was changed is told by then; what is as it was made may still have been made wrong.
        if n and not numbers:
            again, notes = _read_again(bundle, protocol, collected, folder.with_name("again"))
            findings += again
    return Verification(tuple(findings), looked_at, simulated, notes=(*_notes(bundle), *notes))


def _protocol(bundle: Bundle, folder: Path) -> Protocol:
    """The protocol, read from a folder that holds what the bundle has of the study's own."""
    for name in bundle.files:
        if name.startswith(PROTOCOL):
            target = folder / PurePosixPath(name).relative_to(PROTOCOL)
            if not target.resolve().is_relative_to(folder.resolve()):
                raise StudyError(f"'{name}' points outside the bundle.")
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("wb") as file:
                file.writelines(bundle.blocks(name))
    return load(folder, found=msgspec.json.decode(bundle.read(FOUND), type=Found))


def _restore(bundle: Bundle, store: Store) -> None:
    restore(store, {table.name: bundle.rows(table.name) for table in PUBLISHED}, bundle.manifest.names)


def _check_hashes(bundle: Bundle, protocol: Protocol) -> Iterator[Finding]:
    known = bundle.manifest.protocol
    for name in ("collection_hash", "analysis_hash"):
        if known.get(name) != getattr(protocol, name):
            what = f"its {name.replace('_', ' ')} is {getattr(protocol, name)[:8]}, and the manifest says"
            yield Finding("protocol", "study.yaml", f"{what} {str(known.get(name))[:8]}.")


def _check_numbers(bundle: Bundle, protocol: Protocol, collected: Collected, folder: Path) -> tuple[list[Finding], int]:
    """What is printed against what the rows give, and how many numbers there were."""
    made = {file.relative_to(folder).as_posix(): file for file in write_report(protocol, collected, folder, CHECKED)}
    try:
        printed = json.loads(bundle.read(REPORT + RESULTS))
    except (*_DAMAGED, KeyError) as error:
        return [Finding("numbers", RESULTS, f"it cannot be read ({error}).")], 0
    again = json.loads(made.pop(RESULTS).read_bytes())
    if not isinstance(printed, dict):
        return [Finding("numbers", RESULTS, "it is no object {…}.")], 0
    same_draws = bundle.manifest.versions.get("numpy") == versions()["numpy"]
    try:
        found = [Finding("numbers", one.where, str(one)) for one in differences(printed, again, same_draws)]
        n = count(printed)
    except (TypeError, ArithmeticError, RecursionError) as error:
        return [Finding("numbers", RESULTS, f"it is not what Quorate writes ({_first_line(error)}).")], 0
    # Another version may say the same in other words: then the numbers alone are held against each other.
    if bundle.manifest.versions == versions():
        found += _check_texts(bundle, made)
    return found, n


def _read_again(
    bundle: Bundle, protocol: Protocol, collected: Collected, folder: Path
) -> tuple[list[Finding], list[str]]:
    """What readers find that share nothing with the report: on its page, and in its numbers."""
    results = json.loads(bundle.read(REPORT + RESULTS))
    names = [name.removeprefix(REPORT) for name in bundle.files if name.startswith(REPORT)]

    def read(name: str) -> bytes:
        return bundle.read(REPORT + name)

    found, notes = computed_again(protocol, collected, folder, names, read)
    return [*found, *printed_as_held(results, names, read)], notes


def _check_texts(bundle: Bundle, made: Mapping[str, Path]) -> Iterator[Finding]:
    """The report's own files, byte for byte; pages with pictures only where the media are in the bundle."""
    with_media = bundle.manifest.media.included
    for name, file in made.items():
        if REPORT + name not in bundle.files:
            yield Finding("numbers", name, "the report of these rows has this file, and the bundle does not.")
        elif with_media or not name.endswith(".html"):
            printed, again = bundle.read(REPORT + name).splitlines(), file.read_bytes().splitlines()
            if printed != again:
                line = next((k for k, (a, b) in enumerate(zip(printed, again, strict=False)) if a != b), None)
                where = min(len(printed), len(again)) if line is None else line
                yield Finding("numbers", name, f"line {where + 1} is not what is made again.")


def _notes(bundle: Bundle) -> Iterator[str]:
    before, now = bundle.manifest.versions, versions()
    different = [f"{name} {before.get(name)} (here {now[name]})" for name in now if before.get(name) != now[name]]
    if different:
        yield (
            f"Made with {', '.join(different)}: numbers were compared, the words of the report were not"
            + (
                "; ends of bootstrap intervals within Monte-Carlo error."
                if before.get("numpy") != now["numpy"]
                else "."
            )
        )
    if not bundle.manifest.media.included:
        yield "The media are not in the bundle, only their hashes: what they show was not checked."
