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
from typing import Any

import msgspec

from quorate.collect.gather import gather
from quorate.errors import StudyError
from quorate.protocol import Protocol, load
from quorate.records import Collected
from quorate.report import write_report
from quorate.report.bundle import CHECKED, FOUND, MANIFEST, PROTOCOL, REPORT, ROWS, VERSION
from quorate.report.data import RESULTS, versions
from quorate.store import Store
from quorate.store.published import PUBLISHED, restore
from quorate.verify import verify_rows
from quorate.verify.findings import Finding, Verification
from quorate.verify.numbers import count, differences
from quorate.verify.rows import read_rows

# What zipfile raises at bytes that are no zip file, or no longer the ones that were written.
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError)
_BLOCK = 1 << 20


@dataclass(frozen=True)
class Bundle:
    """An opened bundle: its files and what its manifest says of them."""

    path: Path
    archive: zipfile.ZipFile
    manifest: Mapping[str, Any]

    @property
    def files(self) -> Mapping[str, Mapping[str, Any]]:
        """The hash and the size of every file, by name."""
        return self.manifest["files"]

    def read(self, name: str) -> bytes:
        """The content of a file."""
        return self.archive.read(name)

    def blocks(self, name: str) -> Iterator[bytes]:
        """The content of a file, some at a time."""
        with self.archive.open(name) as file:
            while part := file.read(_BLOCK):
                yield part

    def rows(self, table: str) -> Iterator[Any]:
        """The rows of a table, one after the other."""
        with self.archive.open(f"{ROWS}{table}.jsonl") as file:
            for line in file:
                yield msgspec.json.decode(line)


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
        yield Bundle(path, archive, _manifest(path, archive))


def _manifest(path: Path, archive: zipfile.ZipFile) -> Mapping[str, Any]:
    try:
        manifest = json.loads(archive.read(MANIFEST))
        number, _ = manifest["bundle"], [manifest[name] for name in ("files", "versions", "names", "protocol")]
    except (*_DAMAGED, KeyError, TypeError) as error:
        raise StudyError(
            f"{path}: this zip file has no {MANIFEST} of a bundle, or a damaged one. "
            f"Bundles are made with: quorate export DIR --bundle study.zip"
        ) from error
    if number != VERSION:
        raise StudyError(f"{path}: a bundle of kind {number}, and this Quorate reads kind {VERSION}. Update Quorate.")
    return manifest


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
            yield Finding("files", name, f"it is damaged ({error}).")
            continue
        if digest.hexdigest() != known["sha256"]:
            yield Finding("files", name, "it was changed: its SHA-256 is not the one in the manifest.")


def _verify_content(bundle: Bundle) -> Verification:
    simulated = bool(bundle.manifest.get("simulated"))
    with TemporaryDirectory() as folder:
        try:
            protocol = _protocol(bundle, Path(folder) / "study")
            store = Store.open(Path(folder) / "rows.sqlite")
        except (*_DAMAGED, KeyError, StudyError, msgspec.MsgspecError) as error:
            what = f"the protocol cannot be read, so nothing else was checked ({error})."
            return Verification((Finding("files", PROTOCOL, what),), simulated=simulated)
        with store:
            try:
                _restore(bundle, store)
            except (*_DAMAGED, KeyError, StudyError, msgspec.MsgspecError) as error:
                what = f"the rows cannot be read, so no number was made again ({error})."
                return Verification((Finding("unreadable", ROWS, what),), simulated=simulated)
            return _verify_restored(bundle, protocol, store, simulated, Path(folder) / "report")


def _verify_restored(bundle: Bundle, protocol: Protocol, store: Store, simulated: bool, folder: Path) -> Verification:
    of_rows = verify_rows(protocol, store.read(read_rows), simulated=simulated)
    findings = [*_check_hashes(bundle, protocol), *of_rows.findings]
    looked_at = dict(of_rows.looked_at)
    if not of_rows.of("unreadable"):
        collected = store.read(lambda tx: gather(tx, simulated, protocol))
        numbers, n = _check_numbers(bundle, protocol, collected, folder)
        findings += numbers
        looked_at["numbers"] = n
    return Verification(tuple(findings), looked_at, simulated, notes=tuple(_notes(bundle)))


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
    return load(folder, found=json.loads(bundle.read(FOUND)))


def _restore(bundle: Bundle, store: Store) -> None:
    restore(store, {table.name: bundle.rows(table.name) for table in PUBLISHED}, bundle.manifest["names"])


def _check_hashes(bundle: Bundle, protocol: Protocol) -> Iterator[Finding]:
    known = bundle.manifest["protocol"]
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
    same_draws = bundle.manifest["versions"].get("numpy") == versions()["numpy"]
    found = [Finding("numbers", one.where, str(one)) for one in differences(printed, again, same_draws)]
    # Another version may say the same in other words: then the numbers alone are held against each other.
    if bundle.manifest["versions"] == versions():
        found += _check_texts(bundle, made)
    return found, count(printed)


def _check_texts(bundle: Bundle, made: Mapping[str, Path]) -> Iterator[Finding]:
    """The report's own files, byte for byte; pages with pictures only where the media are in the bundle."""
    with_media = bundle.manifest["media"]["included"]
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
    before, now = bundle.manifest["versions"], versions()
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
    if not bundle.manifest["media"]["included"]:
        yield "The media are not in the bundle, only their hashes: what they show was not checked."
