from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from own_files import TEMPLATES
from quorate.exhibits.pictures import INLINE, Picture, inlined, pictures
from quorate.protocol import Protocol, load


@pytest.fixture
def protocol(study_folder: Path) -> Protocol:
    return load(study_folder)


def test_a_picture_that_is_missing_is_left_out(protocol: Protocol) -> None:
    item = protocol.pool[0]
    (picture,) = pictures(protocol, "recognise", item)
    (protocol.folder / picture.path).unlink()
    assert list(pictures(protocol, "recognise", item)) == []


def test_a_large_picture_is_made_smaller_for_the_page(tmp_path: Path) -> None:
    noise = Image.effect_noise((1200, 1200), 90)
    noise.save(tmp_path / "large.png")
    content = (tmp_path / "large.png").read_bytes()
    assert len(content) > INLINE
    url = inlined(Picture("large.png", ".png", content))
    assert url.startswith("data:image/webp;base64,")
    assert len(url) < len(content)


def test_a_small_picture_stays_as_it_is(protocol: Protocol) -> None:
    (picture,) = pictures(protocol, "recognise", protocol.pool[0])
    assert inlined(picture).startswith("data:image/png;base64,")


def test_a_page_of_a_pdf_is_a_picture() -> None:
    protocol = load(TEMPLATES / "document-extraction")
    (picture,) = pictures(protocol, "score", protocol.pool[0])
    assert (picture.path.partition("#")[0][-4:], picture.suffix) == (".pdf", ".png")
    assert inlined(picture).startswith(("data:image/png;", "data:image/webp;"))
