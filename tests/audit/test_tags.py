"""A tagged file has the marker in its tags and every pixel as it was."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

import quorate
from quorate.audit.tags import tagged

CLIPS = Path(quorate.__file__).parent / "templates" / "media-preference" / "clips"
TEXT = "qxmarkermarker000001"


def picture(format: str) -> bytes:
    out = BytesIO()
    image = Image.linear_gradient("L").resize((40, 30)).convert("P" if format == "GIF" else "RGB")
    image.save(out, format)
    return out.getvalue()


@pytest.mark.parametrize("format", ["PNG", "JPEG", "WEBP", "GIF"])
def test_pictures_keep_their_pixels(format: str) -> None:
    plain = picture(format)
    marked = tagged(plain, f".{format.lower()}", TEXT)
    assert marked is not None
    assert TEXT.encode() in marked
    with Image.open(BytesIO(plain)) as before, Image.open(BytesIO(marked)) as after:
        assert before.convert("RGB").tobytes() == after.convert("RGB").tobytes()


@pytest.mark.parametrize("format", ["PNG", "JPEG"])
def test_readers_of_exif_find_the_text(format: str) -> None:
    marked = tagged(picture(format), f".{format.lower()}", TEXT)
    with Image.open(BytesIO(marked or b"")) as image:
        assert image.getexif()[0x010E] == TEXT


def test_clips_have_it_in_their_containers_tags() -> None:
    import av

    path = next(CLIPS.glob("*.mp4"))
    marked = tagged(path.read_bytes(), ".mp4", TEXT)
    with av.open(BytesIO(marked or b"")) as clip:
        assert TEXT in clip.metadata.values()


def test_a_kind_without_tags_is_said_to_have_none() -> None:
    assert tagged(b"%PDF-1.7", ".pdf", TEXT) is None
