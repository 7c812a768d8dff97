"""The bundle: one file from which every printed number can be derived again on another machine.

    README.md, codebook.md, manifest.json
    protocol/     the study file, every file that it names, and the media where they are included
    rows/         the database without what points to people, one table a file; and what media found out about items
    report/       the report, its data files and results.json

The same study gives the same bytes: entries have a fixed order and a fixed time.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from quorate.collect.gather import gather
from quorate.errors import StudyError, did_you_mean
from quorate.files import written_beside
from quorate.languages import say
from quorate.media import place_in_folder, source_of
from quorate.protocol import Protocol
from quorate.protocol.load import STUDY_FILE
from quorate.protocol.named import named_files
from quorate.protocol.yaml import Document
from quorate.records import Collected, Item
from quorate.report import write_report
from quorate.report.codebook import codebook
from quorate.report.data import versions
from quorate.report.html import environment
from quorate.store import Store, Tx
from quorate.store.published import PUBLISHED, published_rows
from quorate.store.verbs import VERSIONS

VERSION = 1
MANIFEST, README, CODEBOOK = "manifest.json", "README.md", "codebook.md"
PROTOCOL, ROWS, REPORT, FOUND = "protocol/", "rows/", "report/", "rows/found.json"
MEDIA = ("include", "hashes")
#: What another machine makes again to the byte; a PDF depends on the fonts that are there, and is not held to it.
CHECKED = ("html", "md", "latex")
FORMATS = (*CHECKED, "pdf")

_MOMENT = (1980, 1, 1, 0, 0, 0)
_ROWS_AT_ONCE = 2_000

Found = dict[str, dict[str, dict[str, Any]]]


@dataclass
class _Writing:
    """A zip file that is being written, and the hash of everything in it so far."""

    archive: zipfile.ZipFile
    files: dict[str, dict[str, Any]] = field(default_factory=dict)

    def add(self, name: str, parts: Iterable[bytes], compress: bool = True) -> None:
        if name in self.files:
            return
        info = zipfile.ZipInfo(name, _MOMENT)
        info.compress_type = zipfile.ZIP_DEFLATED if compress else zipfile.ZIP_STORED
        info.external_attr = 0o644 << 16
        info.create_system = 3  # else a bundle made on Windows would differ
        digest, size = sha256(), 0
        with self.archive.open(info, "w", force_zip64=True) as file:
            for part in parts:
                digest.update(part)
                size += len(part)
                file.write(part)
        self.files[name] = {"sha256": digest.hexdigest(), "bytes": size}


def write_bundle(
    protocol: Protocol, store: Store, path: Path | str, *, simulated: bool = False, media: str = "include"
) -> Path:
    """Writes a study's bundle; `media` says whether its media are in it, or only their hashes."""
    if media not in MEDIA:
        raise StudyError(f"Media can be {' or '.join(MEDIA)}, not '{media}'.{did_you_mean(media, MEDIA)}")
    path = Path(path)
    with written_beside(path) as part, zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
        store.read(lambda tx: _write(_Writing(archive), protocol, tx, simulated, media == "include"))
    return path


def published_secret(protocol: Protocol) -> str:
    """The word that names assignments in a bundle, in place of the study's own secret."""
    return f"published/{protocol.collection_hash}"


def media_sources(protocol: Protocol, items: Iterable[Item]) -> list[str]:
    """The files that these items show, in order, each once."""
    shows = [show.part for section in protocol.sections for show in section.show]
    return list(dict.fromkeys(source_of(path) for item in items for part in shows for path in part.paths(item)))


def _write(writing: _Writing, protocol: Protocol, tx: Tx, simulated: bool, with_media: bool) -> None:
    collected = gather(tx, simulated, protocol)
    columns = {table.name: [column.name for column in table.columns] for table in PUBLISHED}
    shown = media_sources(protocol, (*collected.items, *collected.gold, *protocol.practice))
    known = {place_in_folder(path): _digest(protocol.originals.parts(path)) for path in shown}
    writing.add(README, [_readme(protocol, simulated, with_media).encode()])
    writing.add(CODEBOOK, [codebook(protocol, columns).encode()])
    for name, content in _protocol_files(protocol):
        writing.add(PROTOCOL + name, [content])
    for path in shown if with_media else ():
        writing.add(PROTOCOL + place_in_folder(path), protocol.originals.parts(path), compress=False)
    writing.add(FOUND, [_json(_found(protocol))])
    for table, rows in published_rows(tx, published_secret(protocol)):
        writing.add(f"{ROWS}{table}.jsonl", _lines(rows))
    for name, content in _report(protocol, collected):
        writing.add(REPORT + name, [content])
    manifest = {
        "bundle": VERSION,
        "title": say(protocol.file.title),
        "simulated": simulated,
        "protocol": {"collection_hash": protocol.collection_hash, "analysis_hash": protocol.analysis_hash},
        "versions": versions(),
        "schema": VERSIONS[-1],
        "names": published_secret(protocol),
        "media": {"included": with_media, "files": known},
        "files": dict(writing.files),
    }
    writing.add(MANIFEST, [_json(manifest)])


def _protocol_files(protocol: Protocol) -> Iterator[tuple[str, bytes]]:
    yield STUDY_FILE, _without_settings(protocol)
    for name in sorted({name for name, _ in named_files(protocol.source)}):
        yield name, (protocol.folder / name).read_bytes()


def _without_settings(protocol: Protocol) -> bytes:
    """The study file as it is, less the part that says where the study runs: it may hold a password."""
    path = protocol.folder / STUDY_FILE
    content = path.read_bytes()
    if "settings" not in protocol.source:
        return content
    wanted = {name: part for name, part in protocol.source.items() if name != "settings"}
    kept, inside = [], False
    for line in content.splitlines(keepends=True):
        begins = line[:1].strip() not in (b"", b"#")
        inside = line.startswith(b"settings:") if begins else inside
        kept += [] if inside else [line]
    with TemporaryDirectory() as folder:
        trial = Path(folder) / STUDY_FILE
        trial.write_bytes(b"".join(kept))
        try:
            if Document(trial).data == wanted:
                return trial.read_bytes()
        except StudyError:
            pass
    return _json(wanted)  # JSON is YAML


def _found(protocol: Protocol) -> Found:
    """What media found out about the items, beyond the columns of their tables."""
    practice, checks = protocol.raters.practice, protocol.raters.checks
    sources = {
        "pool": protocol.file.items.from_,
        "practice": practice.from_ if practice else "",
        "gold": checks.gold.from_ if checks and checks.gold else "",
    }
    return {which: _found_of(protocol, table, getattr(protocol, which)) for which, table in sources.items()}


def _found_of(protocol: Protocol, table: str, items: Iterable[Item]) -> dict[str, dict[str, Any]]:
    columns = {name for row in protocol.tables.get(table, ())[:1] for name in row.fields}
    more = {item.id: {name: value for name, value in item.fields.items() if name not in columns} for item in items}
    return {id: fields for id, fields in more.items() if fields}


def _report(protocol: Protocol, collected: Collected) -> Iterator[tuple[str, bytes]]:
    with TemporaryDirectory() as folder:
        for file in sorted(write_report(protocol, collected, folder, FORMATS)):
            yield file.relative_to(folder).as_posix(), file.read_bytes()


def _readme(protocol: Protocol, simulated: bool, with_media: bool) -> str:
    template = environment().get_template("bundle_readme.md")
    return template.render(title=say(protocol.file.title), simulated=simulated, with_media=with_media)


def _lines(rows: Iterable[Mapping[str, Any]]) -> Iterator[bytes]:
    """Rows as JSON, some at a time: a study may have millions."""
    kept: list[bytes] = []
    for row in rows:
        kept.append(msgspec.json.encode(row))
        if len(kept) == _ROWS_AT_ONCE:
            yield b"\n".join(kept) + b"\n"
            kept.clear()
    if kept:
        yield b"\n".join(kept) + b"\n"


def _json(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=1, default=msgspec.to_builtins) + "\n").encode()


def _digest(parts: Iterable[bytes]) -> dict[str, Any]:
    digest, size = sha256(), 0
    for part in parts:
        digest.update(part)
        size += len(part)
    return {"sha256": digest.hexdigest(), "bytes": size}
