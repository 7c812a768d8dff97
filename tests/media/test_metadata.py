"""Metadata is cut out of pictures, and no pixel changes."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO
from typing import Any

import pytest
from PIL import Image, ImageCms, ImageDraw, ImageOps, PngImagePlugin

from quorate.errors import StudyError
from quorate.media.metadata import without_metadata

MARK = b"a-bull-in-a-china-shop"
WORDS = MARK.decode()
XMP = b'<x:xmpmeta xmlns:x="adobe:ns:meta/">' + MARK + b"</x:xmpmeta>"
ORIENTATION = 0x0112


def picture(mode: str = "RGB", shade: int = 0) -> Image.Image:
    drawn = Image.new("RGB", (40, 24), (200, 220, 30 + shade))
    ImageDraw.Draw(drawn).polygon([(2, 2), (37, 8), (12, 21)], fill=(20, 60, 120))
    return drawn.convert(mode)


def exif(orientation: int = 1) -> Image.Exif:
    made = Image.Exif()
    made[ORIENTATION] = orientation
    made[0x010E] = WORDS  # ImageDescription
    made[0x0131] = WORDS  # Software
    return made


def saved(image: Image.Image, kind: str, **options: Any) -> bytes:
    buffer = BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def frames(content: bytes) -> list[tuple[bytes, Any]]:
    """Every frame as a browser would show it, with how long it stays."""
    found = []
    with Image.open(BytesIO(content)) as image:
        for number in range(getattr(image, "n_frames", 1)):
            image.seek(number)
            found.append((ImageOps.exif_transpose(image).convert("RGBA").tobytes(), image.info.get("duration")))
    return found


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png() -> bytes:
    info = PngImagePlugin.PngInfo()
    info.add_text("parameters", WORDS)
    info.add_text("zipped", WORDS, zip=True)
    info.add_itxt("XML:com.adobe.xmp", WORDS)
    content = saved(picture(), "PNG", pnginfo=info, exif=exif(), dpi=(300, 300))
    before_end = content.rindex(b"IEND") - 4
    extra = chunk(b"tIME", b"\x07\xea\x01\x01\x00\x00\x00") + chunk(b"prVt", MARK)
    return content[:before_end] + extra + content[before_end:] + MARK


def jpeg(orientation: int = 6, **options: Any) -> bytes:
    content = saved(
        picture(), "JPEG", exif=exif(orientation), xmp=XMP, comment=MARK, quality=85, dpi=(72, 72), **options
    )
    made_by = b"\xff\xed" + struct.pack(">H", len(MARK) + 2) + MARK  # APP13, Photoshop's
    hidden = b"\xff\xe0" + struct.pack(">H", len(MARK) + 2) + MARK  # an APP0 that is not JFIF's
    return content[:2] + made_by + hidden + content[2:] + jpeg_trailer()


def jpeg_trailer() -> bytes:
    """A second picture behind the end of the first, as phones write it, with EXIF of its own."""
    return saved(picture(shade=90), "JPEG", exif=exif())


def webp(orientation: int = 1, **options: Any) -> bytes:
    content = saved(picture(), "WEBP", exif=exif(orientation), xmp=XMP, **options)
    private = b"PRVT" + struct.pack("<I", len(MARK)) + MARK
    grown = struct.pack("<I", len(content) - 8 + len(private))
    return content[:4] + grown + content[8:] + private + MARK


def gif() -> bytes:
    others = [picture(shade=shade) for shade in (60, 120)]
    content = saved(picture(), "GIF", save_all=True, append_images=others, duration=[50, 70, 90], loop=0, comment=MARK)
    application = b"\x21\xff\x0bXMP DataXMP" + bytes([len(MARK)]) + MARK + b"\x00"
    return content[:-1] + application + b"\x3b" + MARK


PICTURES = {
    "png": png(),
    "jpeg": jpeg(),
    "progressive jpeg": jpeg(progressive=True),
    "webp": webp(),
    "webp lossless": webp(lossless=True),
    "gif": gif(),
}


@pytest.mark.parametrize("kind", PICTURES)
def test_the_picture_to_be_cleaned_holds_what_should_go(kind: str) -> None:
    assert PICTURES[kind].count(MARK) >= 2


@pytest.mark.parametrize("kind", PICTURES)
def test_no_byte_of_the_metadata_is_left(kind: str) -> None:
    clean = without_metadata(PICTURES[kind])
    assert MARK not in clean
    with Image.open(BytesIO(clean)) as image:
        image.load()
        words = {
            key: value for key, value in image.info.items() if isinstance(value, str | bytes) and WORDS in str(value)
        }
        assert not words
        assert set(image.getexif()) <= {ORIENTATION}


@pytest.mark.parametrize("kind", PICTURES)
def test_every_pixel_of_every_frame_is_as_it_was(kind: str) -> None:
    assert frames(without_metadata(PICTURES[kind])) == frames(PICTURES[kind])


@pytest.mark.parametrize("kind", PICTURES)
def test_cleaning_twice_changes_nothing_more(kind: str) -> None:
    clean = without_metadata(PICTURES[kind])
    assert without_metadata(clean) == clean


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("make", [jpeg, webp, lambda turn: saved(picture(), "PNG", exif=exif(turn))])
def test_a_turned_picture_stays_turned(make: Any, orientation: int) -> None:
    content = make(orientation)
    clean = without_metadata(content)
    with Image.open(BytesIO(clean)) as image:
        assert image.getexif().get(ORIENTATION, 1) == orientation
    assert frames(clean) == frames(content)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_a_colour_profile_stays(kind: str) -> None:
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    clean = without_metadata(saved(picture(), kind, icc_profile=profile, exif=exif()))
    with Image.open(BytesIO(clean)) as image:
        assert image.info["icc_profile"] == profile


@pytest.mark.parametrize("mode", ["RGBA", "P", "L", "1", "LA"])
def test_transparency_palettes_and_greys_stay(mode: str) -> None:
    content = saved(picture(mode), "PNG", exif=exif())
    assert frames(without_metadata(content)) == frames(content)


def test_a_jpeg_in_printers_colours_keeps_them() -> None:
    content = saved(picture("CMYK"), "JPEG", exif=exif())
    assert frames(without_metadata(content)) == frames(content)


@pytest.mark.parametrize("kind", ["png", "jpeg", "webp", "gif"])
def test_a_file_that_is_cut_off_gives_a_sentence_or_a_picture_but_no_bug(kind: str) -> None:
    content = PICTURES[kind]
    sentences = []
    for length in range(0, len(content), 7):
        try:
            without_metadata(content[:length])
        except StudyError as error:
            sentences.append(str(error))
    assert sentences
    assert all(sentence.endswith(".") for sentence in sentences)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "not a PNG, JPEG, WebP or GIF"),
        (b"%PDF-1.7", "not a PNG, JPEG, WebP or GIF"),
        (PICTURES["png"][:40], "PNG file"),
        (b"\xff\xd8\xff\xd9", "no picture in it"),
        (b"\xff\xd8\x00\x00\x00\x00", "is damaged. Save the picture again"),
        (PICTURES["webp"][:30], "ends too early"),
        (b"GIF89a", "ends too early"),
        (PICTURES["gif"][:-60], "ends too early"),
    ],
)
def test_a_broken_file_is_refused_with_a_sentence(content: bytes, says: str) -> None:
    with pytest.raises(StudyError, match=says):
        without_metadata(content)
