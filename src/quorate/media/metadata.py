"""Cuts metadata out of image files and leaves every pixel as it was.

Metadata names systems, prompts and authors: generators write them into PNG text chunks and EXIF tags. The pieces
are cut from the container, so that nothing is encoded anew. What decides how the pixels look stays: colour
profiles, gamma, transparency, animation, and the EXIF orientation alone.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from quorate.errors import StudyError

_PNG = b"\x89PNG\r\n\x1a\n"
_PNG_KEPT = {
    *(b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"cHRM", b"gAMA", b"iCCP", b"sBIT", b"sRGB", b"cICP"),
    *(b"bKGD", b"pHYs", b"acTL", b"fcTL", b"fdAT"),
}
_WEBP_DROPPED = {b"EXIF", b"XMP "}
_ORIENTATION = 0x0112


def without_metadata(content: bytes) -> bytes:
    """The same picture without text, EXIF, XMP, comments or times; other formats are refused with a sentence."""
    if content.startswith(_PNG):
        return _PNG + b"".join(chunk for kind, chunk in _png_chunks(content) if kind in _PNG_KEPT)
    if content.startswith(b"\xff\xd8"):
        return _jpeg(content)
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return _webp(content)
    if content[:6] in (b"GIF87a", b"GIF89a"):
        return b"".join(_gif(content))
    raise StudyError("it is not a PNG, JPEG, WebP or GIF picture. Convert it to one of these.")


def _png_chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(_PNG)
    while at + 12 <= len(content):
        (length,) = struct.unpack_from(">I", content, at)
        kind = content[at + 4 : at + 8]
        if at + 12 + length > len(content):
            raise StudyError("the PNG file ends in the middle of a chunk.")
        yield kind, content[at : at + 12 + length]
        at += 12 + length
        if kind == b"IEND":
            return
    raise StudyError("the PNG file has no end.")


def _jpeg(content: bytes) -> bytes:
    kept = [content[:2]]
    at = 2
    while at + 4 <= len(content):
        if content[at] != 0xFF:
            raise StudyError("the JPEG file has a broken segment.")
        marker = content[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        if marker == 0xDA:  # the scan: pixels up to the end of the image
            end = content.rfind(b"\xff\xd9")
            kept.append(content[at : end + 2] if end > at else content[at:])
            return b"".join(kept)
        (length,) = struct.unpack_from(">H", content, at + 2)
        segment = content[at : at + 2 + length]
        kept.append(_jpeg_segment(marker, segment))
        at += 2 + length
    raise StudyError("the JPEG file has no picture in it.")


def _jpeg_segment(marker: int, segment: bytes) -> bytes:
    if marker == 0xE1 and segment[4:10] == b"Exif\0\0":
        orientation = _exif_orientation(segment[10:])
        return _orientation_segment(orientation) if orientation not in (None, 1) else b""
    is_colour = (marker == 0xE2 and segment[4:15] == b"ICC_PROFILE") or marker in (0xE0, 0xEE)
    is_metadata = (0xE0 <= marker <= 0xEF and not is_colour) or marker == 0xFE
    return b"" if is_metadata else segment


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


def _orientation_segment(orientation: int | None) -> bytes:
    tiff = struct.pack(">2sHIHHHIHHI", b"MM", 42, 8, 1, _ORIENTATION, 3, 1, orientation or 1, 0, 0)
    body = b"Exif\0\0" + tiff
    return b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body


def _webp(content: bytes) -> bytes:
    kept = []
    at = 12
    while at + 8 <= len(content):
        kind, length = content[at : at + 4], struct.unpack_from("<I", content, at + 4)[0]
        chunk = content[at : at + 8 + length + (length & 1)]
        if kind == b"VP8X":  # its flags say which chunks follow
            flags = chunk[8] & ~0x0C
            chunk = chunk[:8] + bytes([flags]) + chunk[9:]
        if kind not in _WEBP_DROPPED:
            kept.append(chunk)
        at += 8 + length + (length & 1)
    body = b"WEBP" + b"".join(kept)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def _gif(content: bytes) -> Iterator[bytes]:
    flags = content[10]
    at = 13 + (3 << ((flags & 7) + 1) if flags & 0x80 else 0)
    yield content[:at]
    while at < len(content) and content[at] != 0x3B:
        end = _gif_block_end(content, at)
        is_comment = content[at : at + 2] == b"\x21\xfe"
        is_application = content[at : at + 2] == b"\x21\xff" and content[at + 3 : at + 14] != b"NETSCAPE2.0"
        if not (is_comment or is_application):
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
        raise StudyError("the GIF file has a broken block.")
    while at < len(content) and content[at]:
        at += content[at] + 1
    return at + 1
