from __future__ import annotations

from pathlib import Path

from PIL import Image

from quorate.protocol import Protocol
from quorate.report.media import INLINE, inlined, pictures


def test_a_picture_that_is_missing_is_left_out(protocol: Protocol) -> None:
    item = protocol.pool[0]
    ((path, _),) = pictures(protocol, "recognise", item)
    (protocol.folder / path).unlink()
    assert list(pictures(protocol, "recognise", item)) == []


def test_a_large_picture_is_made_smaller_for_the_page(tmp_path: Path) -> None:
    noise = Image.effect_noise((1200, 1200), 90)
    noise.save(tmp_path / "large.png")
    content = (tmp_path / "large.png").read_bytes()
    assert len(content) > INLINE
    url = inlined("large.png", content)
    assert url.startswith("data:image/webp;base64,")
    assert len(url) < len(content)


def test_a_small_picture_stays_as_it_is(protocol: Protocol) -> None:
    ((path, content),) = pictures(protocol, "recognise", protocol.pool[0])
    assert inlined(path, content).startswith("data:image/png;base64,")
