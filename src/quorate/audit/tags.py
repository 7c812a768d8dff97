"""Puts a marker into the metadata of a media file, as generators and cameras do; pixels and samples stay."""

from __future__ import annotations

import struct
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from zlib import crc32

from quorate.errors import StudyError

_CLIPS = {".mp4", ".m4v", ".mov", ".webm", ".mkv", ".mp3", ".wav", ".flac", ".ogg", ".oga", ".opus", ".m4a"}


def tagged(content: bytes, suffix: str, text: str) -> bytes | None:
    """The file with the text in its tags; None where this kind of file has none that we know."""
    tag = text.encode()
    if content.startswith(b"\x89PNG"):
        return _png(content, tag)
    if content.startswith(b"\xff\xd8"):
        exif = b"Exif\0\0" + _exif(tag)
        return content[:2] + _segment(0xE1, exif) + _segment(0xFE, tag) + content[2:]
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return _webp(content, tag)
    if content[:3] == b"GIF":
        flags = content[10]
        at = 13 + (3 << ((flags & 7) + 1) if flags & 0x80 else 0)
        return content[:at] + b"\x21\xfe" + bytes([len(tag)]) + tag + b"\0" + content[at:]
    return _clip(content, suffix.lower(), text) if suffix.lower() in _CLIPS else None


def _png(content: bytes, tag: bytes) -> bytes:
    chunks = [(b"tEXt", b"prompt\0" + tag), (b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0" + tag), (b"eXIf", _exif(tag))]
    # Behind the first chunk, which is always the header of 25 bytes.
    return content[:33] + b"".join(_chunk(kind, body) for kind, body in chunks) + content[33:]


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", crc32(kind + body))


def _segment(marker: int, body: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, marker, len(body) + 2) + body


def _webp(content: bytes, tag: bytes) -> bytes:
    exif = _exif(tag)
    body = content[8:] + (b"\0" if len(content) % 2 else b"") + b"EXIF" + struct.pack("<I", len(exif)) + exif
    return b"RIFF" + struct.pack("<I", len(body)) + body


def _exif(tag: bytes) -> bytes:
    """EXIF with the text as the picture's description (0x010E)."""
    text = tag + b"\0"
    return struct.pack(">2sHIHHHIII", b"MM", 42, 8, 1, 0x010E, 2, len(text), 26, 0) + text + b"\0" * (len(text) % 2)


def _clip(content: bytes, suffix: str, text: str) -> bytes:
    import av

    with TemporaryDirectory() as folder:
        target = Path(folder) / f"tagged{suffix}"
        try:
            with av.open(BytesIO(content), "r") as source, av.open(str(target), "w") as out:
                out.metadata.update({"title": text, "comment": text, "artist": text})
                streams = [stream for stream in source.streams if stream.type in ("video", "audio")]
                ways = {stream.index: out.add_stream_from_template(stream) for stream in streams}
                for packet in source.demux(streams):
                    if packet.dts is not None:
                        packet.stream = ways[packet.stream.index]
                        out.mux(packet)
        except (av.FFmpegError, ValueError) as error:
            raise StudyError(f"this clip cannot be read: {error}.") from error
        return target.read_bytes()
