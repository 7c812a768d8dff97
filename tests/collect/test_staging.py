"""Media lie under opaque names without metadata, and a sprite holds every thumbnail."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, PngImagePlugin

from clips import video
from quorate.collect import staging
from quorate.collect.staging import (
    COLUMNS,
    THUMBNAIL,
    Staged,
    is_current,
    load_staged,
    stage,
    unproven_media,
    wrong_media,
)
from quorate.errors import StudyError
from quorate.plan import sample_items
from quorate.protocol import Protocol, load
from quorate.records import Item


@pytest.fixture
def protocol(study_folder: Path) -> Protocol:
    return load(study_folder)


def staged_in(protocol: Protocol, folder: Path, secret: str = "a secret") -> Staged:
    return stage(protocol, sample_items(protocol), secret, folder)


def pixels(content: bytes) -> bytes:
    with Image.open(BytesIO(content)) as image:
        return image.convert("RGB").tobytes()


def test_every_picture_of_the_work_and_of_practice_is_staged(protocol: Protocol, tmp_path: Path) -> None:
    staged = staged_in(protocol, tmp_path / "media")
    items = (*sample_items(protocol), *protocol.practice)
    assert set(staged.names) == {item["image"] for item in items}
    for path, name in staged.names.items():
        assert pixels(staged.file(name).read_bytes()) == pixels((protocol.folder / path).read_bytes())


def test_pictures_that_were_not_drawn_are_not_staged(protocol: Protocol, tmp_path: Path) -> None:
    staged = staged_in(protocol, tmp_path / "media")
    assert len(staged.names) < len(list((protocol.folder / "images").iterdir()))


def test_names_tell_nothing_and_depend_on_the_secret(protocol: Protocol, tmp_path: Path) -> None:
    one = staged_in(protocol, tmp_path / "one")
    other = staged_in(protocol, tmp_path / "other", "another secret")
    assert set(one.names.values()).isdisjoint(other.names.values())
    assert not any(Path(path).stem in name for path, name in one.names.items())
    assert len(set(one.names.values())) == len(one.names)


def test_metadata_does_not_reach_a_staged_file(protocol: Protocol, tmp_path: Path) -> None:
    path = protocol.folder / sample_items(protocol)[0]["image"]
    info = PngImagePlugin.PngInfo()
    info.add_text("prompt", "a bull in a china shop")
    Image.open(path).save(path, pnginfo=info)
    assert b"bull" in path.read_bytes()
    staged = staged_in(protocol, tmp_path / "media")
    assert not any(b"bull" in file.read_bytes() for file in (tmp_path / "media").iterdir())
    assert staged.names


def test_the_sprite_has_one_cell_for_each_item_in_an_order_of_its_own(protocol: Protocol, tmp_path: Path) -> None:
    sprite = staged_in(protocol, tmp_path / "media").sprites["recognise"]
    ids = [item.id for item in sample_items(protocol)]
    assert sorted(sprite.cells) == sorted(ids)
    assert sorted(sprite.cells.values()) == list(range(8))
    assert list(sorted(sprite.cells, key=sprite.cells.__getitem__)) != ids
    with Image.open(tmp_path / "media" / sprite.name) as sheet:
        assert sheet.size == (COLUMNS * THUMBNAIL, THUMBNAIL)


def test_a_thumbnail_shows_its_own_picture(protocol: Protocol, tmp_path: Path) -> None:
    staged = staged_in(protocol, tmp_path / "media")
    sprite = staged.sprites["recognise"]
    with Image.open(tmp_path / "media" / sprite.name) as sheet:
        for item in sample_items(protocol):
            row, column = divmod(sprite.cells[item.id], COLUMNS)
            # A corner of the drawing has the colour of its background, which is the item's own.
            seen = sheet.convert("RGB").getpixel((column * THUMBNAIL + 3, row * THUMBNAIL + 3))
            with Image.open(protocol.folder / item["image"]) as image:
                meant = image.convert("RGB").getpixel((2, 2))
            assert max(abs(a - b) for a, b in zip(seen, meant, strict=True)) < 25


def test_a_hundred_items_make_a_sheet_of_ten_by_ten(protocol: Protocol, tmp_path: Path) -> None:
    items = [Item(f"i{n}", protocol.pool[n % 12].fields) for n in range(100)]
    sprite = stage(protocol, items, "a secret", tmp_path / "media").sprites["recognise"]
    with Image.open(tmp_path / "media" / sprite.name) as sheet:
        assert sheet.size == (10 * THUMBNAIL, 10 * THUMBNAIL)


def test_what_is_staged_is_found_again_and_left_alone(protocol: Protocol, tmp_path: Path) -> None:
    staged = staged_in(protocol, tmp_path / "media")
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "media").iterdir() if path.name != "manifest.json"}
    assert load_staged(tmp_path / "media") == staged
    assert staged_in(protocol, tmp_path / "media") == staged
    assert before == {path: path.stat().st_mtime_ns for path in before}


def test_staging_is_current_until_a_picture_or_the_items_change(protocol: Protocol, tmp_path: Path) -> None:
    items = sample_items(protocol)
    staged = staged_in(protocol, tmp_path / "media")
    assert is_current(staged, protocol, items)
    assert not is_current(None, protocol, items)
    assert not is_current(staged, protocol, protocol.pool)
    path = protocol.folder / items[0]["image"]
    Image.new("RGB", (90, 90), "red").save(path)
    assert not is_current(staged, protocol, items)
    assert is_current(staged_in(protocol, tmp_path / "media"), protocol, items)


def test_items_that_share_their_pictures_still_need_cells_of_their_own(protocol: Protocol, tmp_path: Path) -> None:
    items = sample_items(protocol)
    staged = staged_in(protocol, tmp_path / "media")
    renamed = [Item(f"new_{item.id}", item.fields) for item in items]
    assert not is_current(staged, protocol, renamed)


def test_a_staged_file_that_was_deleted_is_made_again(protocol: Protocol, tmp_path: Path) -> None:
    staged = staged_in(protocol, tmp_path / "media")
    name = next(iter(staged.names.values()))
    staged.file(name).unlink()
    assert not is_current(staged, protocol, sample_items(protocol))
    assert staged_in(protocol, tmp_path / "media").file(name).is_file()


def test_a_half_written_manifest_is_no_manifest(protocol: Protocol, tmp_path: Path) -> None:
    staged_in(protocol, tmp_path / "media")
    manifest = tmp_path / "media" / "manifest.json"
    manifest.write_bytes(manifest.read_bytes()[:50])
    assert load_staged(tmp_path / "media") is None
    assert load_staged(tmp_path / "nowhere") is None


@pytest.mark.parametrize(
    ("content", "says"),
    [(b"not a picture", "not a PNG, JPEG, WebP or GIF"), (b"", "not a PNG, JPEG, WebP or GIF")],
)
def test_a_file_that_is_no_picture_is_named(protocol: Protocol, tmp_path: Path, content: bytes, says: str) -> None:
    path = sample_items(protocol)[0]["image"]
    (protocol.folder / path).write_bytes(content)
    with pytest.raises(StudyError, match=rf"{path}: .*{says}"):
        staged_in(protocol, tmp_path / "media")


def test_a_picture_whose_pixels_are_broken_is_named(protocol: Protocol, tmp_path: Path) -> None:
    path = sample_items(protocol)[0]["image"]
    content = (protocol.folder / path).read_bytes()
    at = content.index(b"IDAT") + 8
    (protocol.folder / path).write_bytes(content[:at] + bytes(40) + content[at + 40 :])
    with pytest.raises(StudyError, match=rf"{path}: the picture is damaged"):
        staged_in(protocol, tmp_path / "media")


def test_a_file_that_cannot_be_shown_is_a_complaint_before_anybody_is_asked(study_folder: Path) -> None:
    protocol = load(study_folder)
    items = sample_items(protocol)
    assert wrong_media(protocol, unproven_media(protocol, items)) == []
    path = str(items[0]["image"])
    content = (study_folder / path).read_bytes()
    (study_folder / path).write_bytes(content[: len(content) // 2])
    (complaint,) = wrong_media(protocol, unproven_media(protocol, items))
    assert complaint.file == path
    assert (study_folder / path).read_bytes() == content[: len(content) // 2]


def test_the_order_of_staging_follows_the_secret_and_not_the_table(
    protocol: Protocol, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    orders, made = [], staging.put
    for secret in ("one", "two"):
        written: list[Path] = []

        def noting(target: Path, content: bytes, written: list[Path] = written) -> None:
            written.append(target)
            made(target, content)

        with monkeypatch.context() as patch:
            patch.setattr(staging, "put", noting)
            staged = staged_in(protocol, tmp_path / secret, secret)
        paths = {name: path for path, name in staged.names.items()}
        orders.append([paths[path.name] for path in written if path.name in paths])
    assert sorted(orders[0]) == sorted(orders[1])
    assert orders[0] != orders[1]
    table = [item["image"] for item in (*sample_items(protocol), *protocol.practice)]
    assert orders[0] != list(dict.fromkeys(table))


def test_what_an_earlier_version_staged_is_staged_anew(protocol: Protocol, tmp_path: Path) -> None:
    staged = staged_in(protocol, tmp_path / "media")
    manifest = tmp_path / "media" / "manifest.json"
    old = json.loads(manifest.read_text())
    del old["types"]
    manifest.write_text(json.dumps(old))
    assert load_staged(tmp_path / "media") is None
    assert staged_in(protocol, tmp_path / "media") == staged


SETS = """\
quorate: 1
title: Which is nearest?
seed: 3
items: {from: sets.csv, id: id}
sections:
  - id: s
    grid: true
    show: [%s]
    ask: [{id: q, yes_no: {prompt: Is it?}}]
raters: {per_item: 1, roster: 1, consent: text.md, instructions: text.md}
"""


def of_three_colours(folder: Path, show: str) -> Protocol:
    """Items with a red, a green and a blue picture, a clip, and a word."""
    folder.mkdir()
    for name, colour in {"red": "#ff0000", "green": "#00ff00", "blue": "#0000ff"}.items():
        Image.new("RGB", (90, 90), colour).save(folder / f"{name}.png")
    (folder / "clip.mp4").write_bytes(video())
    (folder / "sets.csv").write_text("id,a,b,c,clip,word\nx,red.png,green.png,blue.png,clip.mp4,no\n")
    (folder / "text.md").write_text("# Pictures\n")
    (folder / "study.yaml").write_text(SETS % show)
    return load(folder)


@pytest.mark.parametrize(
    ("show", "seen"),
    [
        ("{pair: {image: {}, systems: {one: a, two: b}}}", "white"),
        ("{set: {image: {}, systems: {one: a, two: b, three: c}}}", "white"),
        ("{pair: {image: {}, systems: {one: a, two: b}, reference: c}}", "blue"),
        ("{video: {field: clip}}", "white"),
        ("{video: {field: clip}}, {image: c}", "blue"),
        ("{text: word}, {image: b}", "green"),
        ("{image: {field: a, applies_when: word == 'yes'}}, {image: b}", "green"),
    ],
)
def test_a_thumbnail_is_of_a_picture_that_is_shown_and_of_no_systems_output(
    tmp_path: Path, show: str, seen: str
) -> None:
    protocol = of_three_colours(tmp_path / "study", show)
    sprite = staged_in(protocol, tmp_path / "media").sprites["s"]
    with Image.open(tmp_path / "media" / sprite.name) as sheet:
        colour = sheet.convert("RGB").getpixel((THUMBNAIL // 2, THUMBNAIL // 2))
    meant = {"white": (255, 255, 255), "green": (0, 255, 0), "blue": (0, 0, 255)}[seen]
    assert max(abs(a - b) for a, b in zip(colour, meant, strict=True)) < 25
