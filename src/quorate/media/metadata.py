"""Cuts metadata out of image files and leaves every pixel as it was.

Metadata names systems, prompts and authors: generators write them into PNG text chunks and EXIF tags. The pieces
are cut from the container, so that nothing is encoded anew. What decides how the pixels look stays: colour
profiles, gamma, transparency, animation, and the EXIF orientation alone.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from zlib import crc32

from quorate.errors import StudyError

_PNG = b"\x89PNG\r\n\x1a\n"
_PNG_KEPT = {
    *(b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"cHRM", b"gAMA", b"iCCP", b"sBIT", b"sRGB", b"cICP"),
    *(b"bKGD", b"pHYs", b"acTL", b"fcTL", b"fdAT"),
}
_WEBP_KEPT = {b"VP8X", b"VP8 ", b"VP8L", b"ALPH", b"ANIM", b"ANMF", b"ICCP"}
_ORIENTATION = 0x0112
# In a JPEG's pixels 0xff is followed by 0, by a restart marker, or by the marker of the next segment.
_ADVICE = "Save the picture again, or replace it."
_JPEG_MARKER = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")


def without_metadata(content: bytes) -> bytes:
    """The same picture without text, EXIF, XMP, comments or times; other formats are refused with a sentence."""
    if content.startswith(_PNG):
        return _PNG + b"".join(_png(content))
    if content.startswith(b"\xff\xd8"):
        return b"".join(_jpeg(content))
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return _webp(content)
    if content[:6] in (b"GIF87a", b"GIF89a"):
        try:
            return b"".join(_gif(content))
        except IndexError as error:
            raise StudyError(f"the GIF file ends too early. {_ADVICE}") from error
    raise StudyError("it is not a PNG, JPEG, WebP or GIF picture. Convert it to one of these.")


def _png(content: bytes) -> Iterator[bytes]:
    for kind, chunk in _png_chunks(content):
        if kind in _PNG_KEPT:
            yield chunk
        elif kind == b"eXIf" and (tiff := _orientation_alone(chunk[8:-4])):
            yield struct.pack(">I", len(tiff)) + kind + tiff + struct.pack(">I", crc32(kind + tiff))


def _png_chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(_PNG)
    while at + 12 <= len(content):
        (length,) = struct.unpack_from(">I", content, at)
        kind = content[at + 4 : at + 8]
        if at + 12 + length > len(content):
            raise StudyError(f"the PNG file ends too early. {_ADVICE}")
        yield kind, content[at : at + 12 + length]
        at += 12 + length
        if kind == b"IEND":
            return
    raise StudyError(f"the PNG file ends too early. {_ADVICE}")


def _jpeg(content: bytes) -> Iterator[bytes]:
    yield content[:2]
    at, has_pixels = 2, False
    while at + 2 <= len(content):
        marker = content[at + 1]
        if content[at] != 0xFF:
            raise StudyError(f"the JPEG file is damaged. {_ADVICE}")
        if marker == 0xFF:
            at += 1
            continue
        if marker == 0xD9:  # what stands behind the end of the picture is not part of it
            yield b"\xff\xd9"
            break
        length = int.from_bytes(content[at + 2 : at + 4], "big")
        yield _jpeg_segment(marker, content[at : at + 2 + length])
        at += 2 + length
        if marker == 0xDA:
            has_pixels = True
            following = _JPEG_MARKER.search(content, at)
            end = following.start() if following else len(content)
            yield content[at:end]
            at = end
    if not has_pixels:
        raise StudyError(f"the JPEG file has no picture in it. {_ADVICE}")


def _jpeg_segment(marker: int, segment: bytes) -> bytes:
    if marker == 0xE1 and segment[4:10] == b"Exif\0\0":
        tiff = _orientation_alone(segment[10:])
        return b"\xff\xe1" + struct.pack(">H", len(tiff) + 8) + b"Exif\0\0" + tiff if tiff else b""
    if marker == 0xE0 and segment[4:9] == b"JFIF\0":
        return b"\xff\xe0\x00\x10" + segment[4:16] + b"\0\0"  # without its thumbnail
    if marker == 0xEE and segment[4:9] == b"Adobe":  # says how colours are coded
        return b"\xff\xee\x00\x0e" + segment[4:16]
    is_profile = marker == 0xE2 and segment[4:15] == b"ICC_PROFILE"
    is_metadata = 0xE0 <= marker <= 0xEF or marker == 0xFE
    return segment if is_profile or not is_metadata else b""


def _exif_orientation(tiff: bytes) -> int | None:
    order = {b"II": "<", b"MM": ">"}.get(tiff[:2])
    if order is None or len(tiff) < 10:
        return None
    (start,) = struct.unpack_from(order + "I", tiff, 4)
    if start + 2 > len(tiff):
        return None
    (count,) = struct.unpack_from(order + "H", tiff, start)
    for at in range(start + 2, min(start + 2 + 12 * count, len(tiff) - 11), 12):
        tag, _, _, value = struct.unpack_from(order + "HHIH", tiff, at)
        if tag == _ORIENTATION:
            return value
    return None


def _orientation_alone(tiff: bytes) -> bytes:
    """EXIF that says how the picture is turned, and nothing else; nothing at all where it is not turned."""
    orientation = _exif_orientation(tiff)
    if orientation not in range(2, 9):
        return b""
    return struct.pack(">2sHIHHHIHHI", b"MM", 42, 8, 1, _ORIENTATION, 3, 1, orientation, 0, 0)


def _webp(content: bytes) -> bytes:
    kept: list[bytes] = []
    at, end = 12, 8 + int.from_bytes(content[4:8], "little")
    if end > len(content) + 1:  # some encoders count a last byte of padding that they do not write
        raise StudyError(f"the WebP file ends too early. {_ADVICE}")
    while at + 8 <= end:
        kind, length = content[at : at + 4], int.from_bytes(content[at + 4 : at + 8], "little")
        chunk = content[at : at + 8 + length + (length & 1)]
        if kind in _WEBP_KEPT:
            kept.append(chunk)
        elif kind == b"EXIF" and (tiff := _orientation_alone(chunk[8:].removeprefix(b"Exif\0\0"))):
            kept.append(kind + struct.pack("<I", len(tiff)) + tiff)
        at += 8 + length + (length & 1)
    body = b"WEBP" + b"".join(_with_flags(chunk, kept) for chunk in kept)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def _with_flags(chunk: bytes, kept: list[bytes]) -> bytes:
    """The chunk; the first one's flags say whether EXIF (8) and XMP (4) follow."""
    if chunk[:4] != b"VP8X":
        return chunk
    exif = 8 if any(other[:4] == b"EXIF" for other in kept) else 0
    return chunk[:8] + bytes([chunk[8] & ~0x0C | exif]) + chunk[9:]


def _gif(content: bytes) -> Iterator[bytes]:
    flags = content[10]
    at = 13 + (3 << ((flags & 7) + 1) if flags & 0x80 else 0)
    yield content[:at]
    while at < len(content) and content[at] != 0x3B:
        end = _gif_block_end(content, at)
        is_text = content[at : at + 2] in (b"\x21\xfe", b"\x21\x01")
        is_application = content[at : at + 2] == b"\x21\xff" and content[at + 3 : at + 14] != b"NETSCAPE2.0"
        if not (is_text or is_application):
            yield content[at:end]
        at = end
    yield b"\x3b"


def _gif_block_end(content: bytes, at: int) -> int:
    if content[at] == 0x2C:
        flags = content[at + 9]
        at += 10 + (3 << ((flags & 7) + 1) if flags & 0x80 else 0) + 1
    elif content[at] == 0x21:
        at += 2
    else:
        raise StudyError(f"the GIF file is damaged. {_ADVICE}")
    while content[at]:
        at += content[at] + 1
    return at + 1
