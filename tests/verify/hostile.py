"""Verifies one tampered bundle after the other, in a process of its own: `python hostile.py BUNDLE EVERY`.

Every one ends with a finding or a sentence. A limit on memory and on the size of files is set beforehand.
"""

from __future__ import annotations

import io
import json
import resource
import stat
import struct
import sys
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from quorate.cli import app
from quorate.errors import StudyError

Files = dict[str, bytes]
WRONG: tuple[Any, ...] = (None, [], {}, "x", -1, 10**400, [[["deep"]]], True)
RUBBISH = (b"", b"null", b"[]", b"7", b'"x"', b'{"a": \xff}', b"[" * 100_000, b"9" * 6000, b'{"a":' * 5000)
BOMB = b"a0: &a0 [x, x, x, x]\n" + b"".join(
    b"a%d: &a%d [%s]\n" % (n, n, b", ".join([b"*a%d" % (n - 1)] * 9)) for n in range(1, 30)
)


def mended(files: Files) -> Files:
    """With a manifest that fits, as somebody would who means it."""
    manifest = json.loads(files["manifest.json"])
    manifest["files"] = {
        name: {"sha256": sha256(content).hexdigest(), "bytes": len(content)}
        for name, content in files.items()
        if name != "manifest.json"
    }
    return files | {"manifest.json": json.dumps(manifest).encode()}


def packed(files: Files, compress: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compress) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def repacked(files: Files, name: str, content: bytes) -> bytes:
    return packed(mended(files | {name: content}))


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a JSON value; of many alike the first, as far as four levels down."""
    if path:
        yield path
    if len(path) < 4 and isinstance(value, dict):
        for key in list(value)[:12]:
            yield from places(value[key], (*path, key))
    elif len(path) < 4 and isinstance(value, list) and value:
        yield from places(value[0], (*path, 0))


def without(value: Any, path: tuple[Any, ...]) -> Any:
    return put(value, path, None, take_out=True)


def put(value: Any, path: tuple[Any, ...], other: Any, take_out: bool = False) -> Any:
    """A copy with something else at a place."""
    if not path:
        return other
    copy = dict(value) if isinstance(value, dict) else list(value)
    if take_out and len(path) == 1:
        del copy[path[0]]
    else:
        copy[path[0]] = put(copy[path[0]], path[1:], other, take_out)
    return copy


def changed_json(name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    """What a JSON file, or the first row of one of JSON lines, may be changed to."""
    first, _, rest = content.partition(b"\n") if name.endswith(".jsonl") else (content, b"", b"")
    value = json.loads(first)
    for number, rubbish in enumerate(RUBBISH):
        yield f"rubbish {number}", rubbish + b"\n" + rest
    yield "nothing at all", b"{}\n" + rest
    yield "cut short", first[: len(first) // 2]
    for number, path in enumerate(places(value)):
        yield f"nothing at {path}", json.dumps(without(value, path)).encode() + b"\n" + rest
        other = WRONG[number % len(WRONG)]
        yield f"{str(other)[:9]} at {path}", json.dumps(put(value, path, other)).encode() + b"\n" + rest


def tampered(files: Files) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Bundles that are none, by what was done to them."""
    for name, content in files.items():
        if name == "manifest.json":
            for what, other in changed_json(name, content):
                yield f"{name}: {what}", partial(packed, files | {name: other})
        elif name in ("rows/found.json", "report/results.json") or (name.startswith("rows/") and content.strip()):
            for what, other in changed_json(name, content):
                yield f"{name}: {what}", partial(repacked, files, name, other)
    study = files["protocol/study.yaml"]
    for what, text in {
        "aliases": BOMB, "brackets": b"a: " + b"[" * 50_000, "dashes": b"- " * 20_000, "braces": b"{a: " * 5000,
        "a long number": study + b"\nseed: " + b"9" * 5000, "no text": bytes(100), "a 13th month": b"a: 2024-13-01",
        "tag": b"!!python/object/apply:os.system [ls]", "words": b"hello", "nothing": b"",
        "many raters": study.replace(b"per_item: 3", b"per_item: 1000000000"),
    }.items():  # fmt: skip
        yield f"study.yaml: {what}", partial(repacked, files, "protocol/study.yaml", text)
    for what, content in tampered_zip(files):
        yield what, partial(bytes, content)


def tampered_zip(files: Files) -> Iterator[tuple[str, bytes]]:
    """The same files in zips that lie."""
    bomb = dict(files) | {"protocol/zeros": bytes(400_000_000)}
    manifest = json.loads(mended(files | {"protocol/zeros": b"abc"})["manifest.json"])
    yield "a bomb of 3 bytes", packed(bomb | {"manifest.json": json.dumps(manifest).encode()})
    yield "a bomb that is stated", packed(mended(bomb))
    for name in ("protocol/../../was-here", "protocol/study.yaml/x", "protocol/", "x\0y"):
        yield f"a file named {name!r}", packed(mended(files | {name: b"x"}))
    out = io.BytesIO(packed(files))
    with zipfile.ZipFile(out, "a") as archive:
        archive.writestr("protocol/study.yaml", b"title: another")
    yield "two of one name", out.getvalue()
    out = io.BytesIO(packed({name: content for name, content in files.items() if name != "protocol/study.yaml"}))
    with zipfile.ZipFile(out, "a") as archive:
        link = zipfile.ZipInfo("protocol/study.yaml")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    yield "a link", out.getvalue()
    content = packed(files, zipfile.ZIP_STORED)
    directory = content.index(b"PK\x01\x02")
    for what, at, value in (
        ("encrypted", 8, 1), ("another method", 10, 99), ("another checksum", 16, 7),
        ("a size that lies", 24, 0xFFFFFFF0),
        ("zip64 that is none", 24, 0xFFFFFFFF), ("an offset beyond the end", 42, 0xFFFFFFF0),
    ):  # fmt: skip
        lie = bytearray(content)
        lie[directory + at : directory + at + 2] = struct.pack("<H", value & 0xFFFF)
        if value > 0xFFFF:
            lie[directory + at : directory + at + 4] = struct.pack("<I", value)
        yield f"the first entry has {what}", bytes(lie)
    for share in (0.1, 0.5, 0.99):
        yield f"cut to {share}", content[: int(len(content) * share)]


def main(bundle: Path, every: int) -> None:
    """Verifies every so manieth change of a row, and all else; ends with those that did not end well."""
    with zipfile.ZipFile(bundle) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    # What is mapped and not used (the figures' V8 maps gigabytes) is not counted.
    resource.setrlimit(resource.RLIMIT_DATA, (3 << 30, 3 << 30))
    resource.setrlimit(resource.RLIMIT_FSIZE, (300 << 20, 300 << 20))
    bad, tried = [], 0
    for number, (what, content) in enumerate(tampered(files)):
        if ".json" in what and number % every:
            continue
        tried += 1
        path = bundle.with_name("tampered.zip")
        path.write_bytes(content())
        done = CliRunner().invoke(app, ["verify", str(path)])
        # A sentence is raised as it is to `main`, which prints it. What was changed together with the manifest may
        # mean nothing: then nothing is found.
        told = str(done.exception) if isinstance(done.exception, StudyError) else done.output
        ends_well = isinstance(done.exception, (StudyError, SystemExit)) or (done.exit_code == 0 and " at " in what)
        if not ends_well or not told.strip() or "Traceback" in told:
            bad.append(f"{what}: {done.exit_code} {done.exception!r} {told[-300:]!r}")
    print(f"{tried} were tried, and {len(bad)} ended badly", *bad, sep="\n")
    sys.exit(bool(bad))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
