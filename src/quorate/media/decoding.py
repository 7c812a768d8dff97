"""Reads a picture to its end, as a browser will: what is cut off, damaged or too large is found before that."""

from __future__ import annotations

import struct
import warnings
from io import BytesIO
from zlib import crc32

from quorate.errors import StudyError

MOST_PIXELS = 80_000_000
"""A browser needs four bytes for each pixel, whatever the file weighs."""
_ADVICE = "Save the picture again, or replace it."
_PNG = b"\x89PNG\r\n\x1a\n"


def check_decodes(content: bytes) -> None:
    """A StudyError where a picture cannot be shown whole."""
    from PIL import Image, ImageSequence

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(BytesIO(content)) as image:
                _check_size(*image.size)
                _check_sums(content)
                left = MOST_PIXELS
                for frame in ImageSequence.Iterator(image):
                    frame.load()
                    left -= frame.width * frame.height
                    if left < 0:  # of a very long animation the beginning has been seen
                        break
    except Image.DecompressionBombError:
        # Pillow reads no further than the header of what is far too large.
        raise StudyError(f"the picture is far too large: {_most()}") from None
    except (OSError, ValueError, SyntaxError, EOFError, IndexError, struct.error) as error:
        why = str(error).strip(". ") or type(error).__name__
        raise StudyError(f"the picture is damaged or cut off ({why}). {_ADVICE}") from error


def _check_size(width: int, height: int) -> None:
    if width * height > MOST_PIXELS:
        raise StudyError(f"the picture has {width:,} × {height:,} pixels: {_most()}")


def _most() -> str:
    return f"at most {MOST_PIXELS // 1_000_000} million pixels are shown to raters. Make it smaller."


def _check_sums(content: bytes) -> None:
    """Each chunk of a PNG carries a checksum, which browsers look at and Pillow does not where pixels are concerned."""
    at = len(_PNG)
    while content.startswith(_PNG) and at + 12 <= len(content):
        (length,) = struct.unpack_from(">I", content, at)
        kind, end = content[at + 4 : at + 8], at + 8 + length
        if kind[:1].isupper() and content[end : end + 4] != struct.pack(">I", crc32(content[at + 4 : end])):
            raise StudyError(
                f"the picture is damaged: the checksum of its {kind.decode('latin-1')} is wrong. {_ADVICE}"
            )
        if kind == b"IEND":
            return
        at = end + 4
