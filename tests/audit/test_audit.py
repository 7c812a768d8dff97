"""The audit passes on every template, and finds each leak that is planted for it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import quorate
from quorate.audit import Audit, audit
from quorate.chance import opaque
from quorate.collect import staging
from quorate.questions import Choice
from quorate.records import Item, Shown
from quorate.web import files, fragments, work
from quorate.web.site import Site
from studies import visual_puns
from words import words

TEMPLATES = Path(quorate.__file__).parent / "templates"
ONE_RATER = "per_item: 1\nroster: 1"

Leaks = Callable[[Site, Any, Item, Shown], str]


@pytest.mark.parametrize("template", sorted(path.name for path in TEMPLATES.iterdir() if path.is_dir()))
def test_no_byte_of_a_template_tells_a_blind_value(template: str) -> None:
    found = audit(TEMPLATES / template, most=2)
    assert str(found).startswith("No blind value leaked")
    assert found.ok
    assert found.replies > 30
    assert found.files > 5
    assert found.markers > 20


def test_the_study_is_only_read(study_folder: Path) -> None:
    before = sorted((path, path.stat().st_mtime_ns) for path in study_folder.rglob("*"))
    audit(study_folder, most=1)
    assert sorted((path, path.stat().st_mtime_ns) for path in study_folder.rglob("*")) == before


@pytest.fixture
def telling(monkeypatch: pytest.MonkeyPatch) -> Callable[[Leaks], None]:
    """Makes the page and the JSON of every item tell something more."""

    def tell(more: Leaks) -> None:
        made = fragments.fragment

        def fragment(site: Site, section: Any, item: Item, shown: Shown, *rest: Any, **named: Any) -> str:
            return made(site, section, item, shown, *rest, **named) + more(site, section, item, shown)

        for module in (work, fragments):
            monkeypatch.setattr(module, "fragment", fragment)

    return tell


def what(found: Audit) -> str:
    assert not found.ok
    return "\n".join(str(leak) for leak in found.leaks)


def test_a_target_in_a_page_is_found(study_folder: Path, telling: Callable[[Leaks], None]) -> None:
    telling(lambda site, section, item, shown: f"<!-- {item['target_idiom']} -->")
    found = audit(study_folder, most=2)
    assert "target_idiom of item 'img_" in what(found)
    assert {leak.part for leak in found.leaks} == {"body"}
    assert any("/work/" in leak.reply for leak in found.leaks)


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (lambda site, section, item, shown: f'<i data-x="{item["target_idiom"].title()}">', "target_idiom of item"),
        (lambda site, section, item, shown: item["target_idiom"][:16], "a part of some blind value"),
        (lambda site, section, item, shown: item.id, "the id of item"),
        (lambda site, section, item, shown: item["image"], "the file name"),
        (lambda site, section, item, shown: item["idiom_id"], "idiom_id of item"),
        (lambda site, section, item, shown: next(iter(site.protocol.file.judges)), "the judge 'mllm'"),
    ],
)
def test_other_blind_values_in_a_page_are_found(
    study_folder: Path, telling: Callable[[Leaks], None], more: Leaks, sentence: str
) -> None:
    telling(more)
    assert sentence in what(audit(study_folder, most=1))


def test_a_file_name_in_a_header_is_found(study_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    served = files.media

    async def with_name(request: Any) -> Any:
        reply = await served(request)
        names = request.app.state.site.staged.names
        path = next((path for path, name in names.items() if name == request.path_params["name"]), "")
        reply.headers["content-disposition"] = f'inline; filename="{Path(path).name}"'
        return reply

    monkeypatch.setattr(files, "media", with_name)
    found = audit(study_folder, most=1)
    assert "the file name 'images/" in what(found)
    assert {leak.part for leak in found.leaks} == {"headers"}


@pytest.mark.parametrize("format", ["PNG", "JPEG", "WEBP", "GIF"])
def test_a_tag_that_survives_staging_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format: str) -> None:
    from PIL import Image

    folder = visual_puns(tmp_path / "s", pool=3, n=1)
    for path in folder.glob("images/*.png"):
        with Image.open(path) as image:
            image.convert("P" if format == "GIF" else "RGB").save(path, format)
    assert audit(folder).ok
    monkeypatch.setattr("quorate.media.image.without_metadata", lambda content: content)
    assert "a tag of the file 'images/" in what(audit(folder))


def test_a_tag_in_a_clip_that_survives_staging_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quorate.media.clip.without_tags", lambda content, path, track: content)
    assert "a tag of the file 'clips/" in what(audit(TEMPLATES / "media-preference", most=1))


def judged(folder: Path) -> Path:
    words(folder, ONE_RATER, n=3)
    with (folder / "study.yaml").open("a") as file:
        file.write("judges:\n  ai: {recorded: field}\n")
    return folder


@pytest.mark.parametrize("by", ["judge", "rater"])
def test_a_score_of_a_judge_or_of_another_rater_in_a_json_field_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    made = work.as_data

    def as_data(site: Site, section: Any, place: Any, session: Any) -> dict[str, Any]:
        answers = site.store.read(lambda tx: tx.latest_answers(by=by))
        scores = [a.value for a in answers if a.item == place.item.id and a.rater != session.person]
        return {**made(site, section, place, session), "score": scores[0]}

    monkeypatch.setattr(work, "as_data", as_data)
    whose = "a judge's answer" if by == "judge" else "another rater's answer"
    found = what(audit(judged(tmp_path / "s")))
    # The item has the name that the researcher knows it by.
    assert f"{whose} about item 'w001' (score)" in found


def test_the_role_of_an_option_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Choice, "sent", lambda self, place, option: option.id)
    found = what(audit(TEMPLATES / "abstract-visual", most=1))
    assert "the role 'semantic_1' of an option of concept" in found
    assert "the role 'target' of an option of concept" in found


def test_a_system_in_a_page_is_found(telling: Callable[[Leaks], None]) -> None:
    telling(lambda site, section, item, shown: "".join(f"<img alt='{s}'>" for s in shown.sides.values()))
    found = what(audit(TEMPLATES / "abstract-visual", most=1))
    assert "the system 'refined'" in found
    assert "the system 'baseline'" in found


TWO_SECTIONS = """\
  - id: guess
    show:
      - text: {field: field}
    ask:
      - id: what
        text: {prompt: Which word?, target: word}
  - id: judge
"""


def test_what_a_later_section_names_must_not_be_told_in_an_earlier_one(
    tmp_path: Path, telling: Callable[[Leaks], None]
) -> None:
    folder = words(tmp_path / "s", ONE_RATER, n=3)
    path = folder / "study.yaml"
    path.write_text(path.read_text().replace("  - id: judge\n", TWO_SECTIONS))
    assert audit(folder).ok
    telling(lambda site, section, item, shown: item["word"] if section.id == "guess" else "")
    found = audit(folder)
    assert "word of item 'w0" in what(found)
    assert {leak.at for leak in found.leaks} == {"guess"}


def test_a_right_answer_before_the_practice_round_is_over_is_found(
    study_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from quorate.web import practice

    made = practice.fragment
    monkeypatch.setattr(
        practice, "fragment", lambda site, s, item, *rest: made(site, s, item, *rest) + item["explanation"]
    )
    found = audit(study_folder, most=1)
    assert "explanation of item 'p0'" in what(found)
    assert {leak.at for leak in found.leaks} == {"practice"}


@pytest.mark.parametrize("page", ["instructions", "reference"])
def test_a_leak_in_a_text_that_stays_at_hand_is_found(
    study_folder: Path, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    from quorate.web import raters

    (study_folder / "reference.md").write_text("# What to look at\n")
    path = study_folder / "study.yaml"
    path.write_text(path.read_text().replace("  break_after:", "  reference: reference.md\n  break_after:"))
    assert audit(study_folder, most=1).ok
    made = raters._read_again

    def telling(request: Any, here: Any, wanted: str) -> Any:
        reply = made(request, here, wanted)
        if wanted == page:
            reply.headers["x-of"] = here.site.protocol.pool[0]["target_idiom"]
        return reply

    monkeypatch.setattr(raters, "_read_again", telling)
    found = audit(study_folder, most=1)
    assert "target_idiom of item 'img_" in what(found)
    assert any(f"/{page}" in leak.reply for leak in found.leaks)


def test_a_page_that_fails_is_no_page_without_leaks(study_folder: Path, telling: Callable[[Leaks], None]) -> None:
    telling(lambda site, section, item, shown: item["no such field"])
    with pytest.raises(quorate.StudyError, match="The audit cannot go on"):
        audit(study_folder, most=1)


def test_a_name_that_is_keyed_by_the_secret_tells_nothing(study_folder: Path, telling: Callable[[Leaks], None]) -> None:
    telling(lambda site, section, item, shown: opaque(site.secret, "other", item.id))
    assert audit(study_folder, most=1).ok


def leak_in_headers(monkeypatch: pytest.MonkeyPatch, add: Callable[[Any, str], None]) -> None:
    """Makes every reply with a file tell something more."""
    served = files.media

    async def telling(request: Any) -> Any:
        reply = await served(request)
        add(reply, request.path_params["name"])
        return reply

    monkeypatch.setattr(files, "media", telling)


def staged_at(reply: Any) -> None:
    """Headers as Starlette makes them of a file and its time."""
    for name in ("etag", "last-modified"):
        del reply.headers[name]


@pytest.mark.parametrize(
    ("add", "sentence"),
    [
        (lambda reply, name: staged_at(reply), "a time of a file (Last-Modified)"),
        (lambda reply, name: staged_at(reply), "an ETag that does not follow from the address"),
        (lambda reply, name: reply.headers.update({"x-order": name}), "the header 'x-order', which differs"),
        (lambda reply, name: reply.set_cookie("seen", name), "the header 'set-cookie', which differs"),
    ],
)
def test_what_headers_of_files_tell_is_found(
    study_folder: Path, monkeypatch: pytest.MonkeyPatch, add: Callable[[Any, str], None], sentence: str
) -> None:
    put = staging.put

    def put_now(target: Path, content: bytes) -> None:
        put(target, content)
        os.utime(target)

    monkeypatch.setattr(staging, "put", put_now)
    leak_in_headers(monkeypatch, add)
    found = audit(study_folder, most=2)
    assert sentence in what(found)
    assert {leak.part for leak in found.leaks} == {"headers"}


def test_an_ending_in_the_address_of_a_file_is_found(study_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Site, "media", lambda site, path: f"/media/{site.staged.name(path)}.png")
    routes = files.media

    async def served(request: Any) -> Any:
        request.path_params["name"] = request.path_params["name"].split(".")[0]
        return await routes(request)

    monkeypatch.setattr(files, "media", served)
    found = audit(study_folder, most=1)
    assert "more than an opaque name" in what(found)
    assert {leak.part for leak in found.leaks} == {"address"}


def test_formats_and_sizes_that_tell_systems_are_a_warning(tmp_path: Path) -> None:
    folder = shutil.copytree(TEMPLATES / "abstract-visual", tmp_path / "study")
    assert not any("dimensions" in sentence for sentence in audit(folder, most=1).outward)
    for path in (folder / "baselines").glob("*.png"):
        with Image.open(path) as image:
            small = image.convert("RGB").resize((16, 16))
        small.save(path)
    found = audit(folder, most=2)
    assert found.ok
    assert any("the dimensions of files can tell which system made them" in sentence for sentence in found.outward)
    assert any("is larger than that of 'baseline' in" in sentence for sentence in found.outward)
    assert "Files that may tell which system made them" in str(found)
