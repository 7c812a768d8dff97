"""A picture that cannot be shown whole is found before anybody sees it, whatever is wrong with it."""

from __future__ import annotations

import struct
from io import BytesIO
from zlib import compress, crc32

import pytest
from PIL import Image

from quorate.errors import StudyError
from quorate.media.decoding import MOST_PIXELS, check_decodes


def picture(kind: str, size: int = 200, **options: object) -> bytes:
    image = Image.effect_noise((size, size), 80).convert("RGB")
    out = BytesIO()
    image.save(out, kind, **options)  # type: ignore[arg-type]
    return out.getvalue()


def png_chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", crc32(kind + content))


def png(width: int, height: int, pixels: bytes) -> bytes:
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", head) + png_chunk(b"IDAT", pixels) + png_chunk(b"IEND", b"")


def with_one_byte_changed(content: bytes, behind: bytes) -> bytes:
    at = content.index(behind) + 200
    return content[:at] + bytes([content[at] ^ 0xFF]) + content[at + 1 :]


@pytest.mark.parametrize(
    "content",
    [
        picture("PNG"), picture("JPEG"), picture("JPEG", progressive=True), picture("WEBP"), picture("GIF"),
        png(3, 2, compress(bytes(2 * 10))),
        picture("GIF", save_all=True, append_images=[Image.effect_noise((200, 200), 30)]),
    ],
)  # fmt: skip
def test_a_whole_picture_is_in_order(content: bytes) -> None:
    check_decodes(content)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (picture("JPEG")[: len(picture("JPEG")) // 3], "damaged or cut off"),
        (picture("WEBP")[:4000], "damaged or cut off"),
        (png(30, 20, compress(bytes(7))), "damaged or cut off"),
        (png(30, 20, b"no pixels at all"), "damaged or cut off"),
        (with_one_byte_changed(picture("PNG"), b"IDAT"), "the checksum of its IDAT is wrong"),
        (png(60_000, 60_000, b""), "far too large"),
        (png(10_000, 9_000, b""), "10,000 × 9,000 pixels: at most 80 million"),
    ],
)
def test_a_picture_that_is_cut_off_damaged_or_too_large_is_refused(content: bytes, says: str) -> None:
    with pytest.raises(StudyError, match=says) as caught:
        check_decodes(content)
    assert "\n" not in str(caught.value)


def test_what_is_too_large_is_not_decoded_first() -> None:
    assert MOST_PIXELS < 10_000 * 9_000
    with pytest.raises(StudyError, match="pixels"):
        check_decodes(png(10_000, 9_000, b"that is no picture"))
