"""Media in a store of objects: staged, served, judged, audited and published as files of the folder are."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from PIL import Image, PngImagePlugin

import objects
from objects import Objects
from quorate import cli
from quorate.audit import audit, serving
from quorate.collect import links, way
from quorate.collect.requests import page_contents
from quorate.errors import StudyError, StudyFileError
from quorate.media import Originals
from quorate.plan import sample_items
from quorate.protocol import load
from quorate.records import Shown
from quorate.store import Tx
from quorate.study import Study
from quorate.verify.bundle import verify_bundle
from quorate.web.app import make_app
from studies import visual_puns
from studies_media import extraction


@pytest.fixture(scope="module")
def server() -> Iterator[Objects]:
    with objects.running() as running:
        yield running


@pytest.fixture
def store(server: Objects, monkeypatch: pytest.MonkeyPatch) -> Objects:
    """A store with one empty bucket, and the keys to it in the environment."""
    server.empty()
    for name, value in server.environment.items():
        monkeypatch.setenv(name, value)
    return server


@pytest.fixture
def puns(store: Objects, tmp_path: Path) -> Path:
    """A study whose pictures are in the store alone, each with a tag that tells the target."""
    return in_the_store(store, visual_puns(tmp_path / "study", pool=5, n=3))


def in_the_store(store: Objects, folder: Path) -> Path:
    """Moves the pictures of a study into the store, and says so in its tables."""
    for path in folder.glob("images/*.png"):
        info = PngImagePlugin.PngInfo()
        info.add_text("prompt", "a bull in a china shop")
        with Image.open(path) as image:
            image.save(path, pnginfo=info)
    store.put_folder(folder / "images")
    for path in folder.glob("images/*"):
        path.unlink()
    for name in ("idioms.csv", "practice.csv"):
        text = (folder / name).read_text()
        (folder / name).write_text(text.replace("images/", f"s3://{objects.BUCKET}/images/"))
    return folder


def setting(folder: Path, media: str) -> None:
    with (folder / "study.yaml").open("a") as file:
        file.write(f"settings: {{media: '{media}'}}\n")


def open_study(folder: Path) -> Study:
    study = Study(folder)
    study.prepare()
    return study


def test_objects_are_staged_under_opaque_names_without_metadata(puns: Path) -> None:
    study = open_study(puns)
    staged = study.prepare()
    study.close()
    assert len(staged.names) == 5  # three drawn items and the practice round share pictures
    assert all(path.startswith("s3://media/images/") for path in staged.names)
    for path, name in staged.names.items():
        assert b"bull" in study.protocol.originals.read(path)
        assert b"bull" not in staged.file(name).read_bytes()
        assert Path(path).stem not in name
        with Image.open(staged.file(name)) as image:
            assert image.size == (64, 64)


def test_staged_objects_are_served_whole_and_in_ranges(puns: Path) -> None:
    study = open_study(puns)
    name = next(iter(study.prepare().names.values()))
    with serving(make_app(study)) as port:
        whole = httpx.get(f"http://127.0.0.1:{port}/media/{name}", timeout=60)
        part = httpx.get(f"http://127.0.0.1:{port}/media/{name}", headers={"range": "bytes=0-7"}, timeout=60)
    study.close()
    assert part.status_code == 206
    assert part.content == whole.content[:8] == b"\x89PNG\r\n\x1a\n"


def test_a_setting_names_the_store_and_is_part_of_no_hash(store: Objects, tmp_path: Path) -> None:
    folder = visual_puns(tmp_path / "study", pool=5, n=3)
    before = load(folder)
    store.put_folder(folder / "images", "deep/")
    for path in folder.glob("images/*"):
        path.unlink()
    setting(folder, "s3://media/deep")
    study = open_study(folder)
    staged = study.prepare()
    study.close()
    assert study.protocol.collection_hash == before.collection_hash
    assert all(path.startswith("images/") for path in staged.names)


def test_a_file_of_the_folder_comes_before_the_store(store: Objects, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"here")
    (tmp_path / "objects" / "media").mkdir(parents=True)
    (tmp_path / "objects" / "media" / "b.txt").write_bytes(b"a copy")
    store.put("a.txt", b"there")
    store.put("b.txt", b"there")
    store.put("c.txt", b"there")
    originals = Originals(tmp_path, "s3://media")
    found = list(originals.read_all(["a.txt", "s3://media/b.txt", "c.txt", "c.txt"]))
    assert found == [b"here", b"a copy", b"there", b"there"]


def test_an_object_that_changes_is_staged_anew_until_the_first_consent(puns: Path, store: Objects) -> None:
    study = open_study(puns)
    path, name = next(iter(study.prepare().names.items()))
    picture = puns / "other.png"
    Image.new("RGB", (9, 9), "red").save(picture)
    store.put(path.removeprefix("s3://media/"), picture.read_bytes())
    again = study.prepare().names[path]
    assert again != name

    def begin(tx: Tx) -> None:
        way.open_study(tx)
        person = links.invite(tx, study.protocol, 1)[0].person
        way.consent(tx, study.protocol, person, agree=True)

    study.store.do(begin)
    store.remove(path.removeprefix("s3://media/"))
    assert study.prepare().names[path] == again
    study.close()


def test_a_model_gets_the_bytes_that_a_rater_gets(puns: Path) -> None:
    protocol = load(puns)
    contents = page_contents(protocol, protocol.sections[0], sample_items(protocol)[0], Shown())
    assert contents[0]["image_url"]["url"].startswith("data:image/png;base64,")


def test_a_study_with_its_pictures_in_a_store_passes_the_audit(puns: Path) -> None:
    found = audit(puns, most=2)
    assert found.ok, str(found)
    assert found.files > 3


def test_a_bundle_carries_the_objects_and_needs_no_store(
    puns: Path, store: Objects, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = Study(puns)
    study.rehearse()
    bundle = study.bundle(tmp_path / "study.zip")
    study.close()
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    found = verify_bundle(bundle)
    assert found.ok, str(found)
    assert any(name.startswith("protocol/objects/media/images/") for name in _names(bundle))


def _names(bundle: Path) -> list[str]:
    import zipfile

    with zipfile.ZipFile(bundle) as archive:
        return archive.namelist()


def test_pages_of_a_paper_in_a_store_are_found_with_one_download(store: Objects, tmp_path: Path) -> None:
    folder = extraction(tmp_path / "study")
    papers = sorted(folder.rglob("*.pdf"))
    for path in papers:
        store.put(path.relative_to(folder).as_posix(), path.read_bytes())
        path.unlink()
    setting(folder, "s3://media")
    before = load(folder)
    for path in papers:
        store.remove(path.relative_to(folder).as_posix())
    assert load(folder).pool == before.pool


def complaint(folder: Path) -> str:
    with pytest.raises(StudyFileError) as error:
        load(folder, objects=True)
    return str(error.value)


def test_check_tells_of_an_object_that_is_not_there_with_its_place(
    puns: Path, store: Objects, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    store.remove("images/0003_1.png")
    load(puns)  # nobody else looks
    monkeypatch.setattr(sys, "argv", ["quorate", "check", str(puns)])
    with pytest.raises(SystemExit):
        cli.main()
    said = capsys.readouterr().err
    assert re.search(
        r"study\.yaml:\d+: sections\[0\]\.show\[0\]: item 'img_0003': "
        r"there is no object 's3://media/images/0003_1\.png'\.",
        said,
    )


def test_staging_tells_of_an_object_that_is_not_there(puns: Path, store: Objects) -> None:
    for number in range(5):
        store.remove(f"images/{number:04d}_1.png")
    with pytest.raises(StudyError, match=r"s3://media/images/0\d+_\d\.png: there is no such object"):
        open_study(puns)


def test_a_bucket_that_keeps_you_out_is_told_without_the_keys(puns: Path, store: Objects) -> None:
    store.let_in(anybody=False)
    said = complaint(puns)
    assert "the store does not let you read this" in said
    assert "AWS_ACCESS_KEY_ID" in said
    assert not any(objects.ENVIRONMENT[name] in said for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"))


def test_a_bucket_that_is_not_there_is_told(puns: Path) -> None:
    path = puns / "idioms.csv"
    path.write_text(path.read_text().replace("s3://media/", "s3://nowhere/"))
    assert "there is no object 's3://nowhere/images/" in complaint(puns)


def test_a_store_that_does_not_answer_is_told(puns: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    assert "the store cannot be reached" in complaint(puns)


def test_a_study_without_keys_is_told_where_they_belong(puns: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    assert "there are no keys to the store. Set AWS_ACCESS_KEY_ID" in complaint(puns)


def test_a_driver_that_is_not_installed_is_told(puns: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "s3fs", None)
    assert "pip install 'quorate[s3]'" in complaint(puns)


@pytest.mark.parametrize(
    ("media", "says"),
    [
        ("s3://key:word@media/deep", "keys do not belong in a study"),
        ("gs://media", "is not the address of an object"),
        ("s3:///deep", "is not the address of an object"),
    ],
)
def test_an_address_that_is_none_is_told(tmp_path: Path, media: str, says: str) -> None:
    folder = visual_puns(tmp_path / "study", pool=3, n=1)
    setting(folder, media)
    assert says in complaint(folder)


def test_an_object_cannot_name_a_file_outside_the_folder(tmp_path: Path) -> None:
    folder = visual_puns(tmp_path / "study", pool=3, n=1)
    (folder / "objects").mkdir()
    Image.new("RGB", (9, 9), "red").save(tmp_path / "outside.png")
    path = folder / "idioms.csv"
    path.write_text(path.read_text().replace("images/0001_1.png", "s3://../../outside.png"))
    assert "outside the study's folder" in complaint(folder)
