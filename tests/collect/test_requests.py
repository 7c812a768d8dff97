"""A judge sees what a rater sees: the same bytes, words and options; the swapped order is its mirror."""

from __future__ import annotations

import re
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest

from asked import judge, judged_by
from openai_server import answers
from quorate.collect.requests import job, prompt_of, request_for, swapped
from quorate.collect.staging import stage
from quorate.judges import RECORD, SWAPPED, OpenAI, Reply, Request
from quorate.media import contents_of
from quorate.plan import make_plan
from quorate.protocol import Protocol, Section, load
from quorate.records import Item, Shown
from quorate.web.asks import shown_asks
from quorate.web.fragments import media_of
from quorate.web.pages import render

TEMPLATES = Path(__file__).parents[2] / "src" / "quorate" / "templates"
MODEL = OpenAI(model="m")


@pytest.fixture(scope="module")
def study() -> tuple[Protocol, tuple[Item, ...]]:
    protocol = load(TEMPLATES / "abstract-visual")
    return protocol, make_plan(protocol).items[:6]


def request(protocol: Protocol, section: Section, item: Item, purpose: str = RECORD) -> Request:
    made = request_for(protocol, MODEL, job(protocol, "mllm", MODEL, section, item, purpose))
    assert not isinstance(made, Reply), made.note
    return made


def words(text: str) -> list[str]:
    """A page's or a prompt's words, without markup and without the numbers and bars between options."""
    plain = re.sub(r"(?m)^\d+\. ", "", re.sub(r"<[^>]+>", " ", text))
    return plain.replace("|", " ").replace("&#39;", "'").replace("&amp;", "&").split()


def test_the_prompt_is_the_raters_question_word_for_word(study: Any) -> None:
    protocol, items = study
    for section in protocol.sections:
        for item in items:
            made = request(protocol, section, item)
            page = render("asks.html", "en", asks=shown_asks(section.ask, made.shown, {}, "en", item=item))
            assert words(" ".join(made.prompts.values())) == words(page)


CONTROLS = "− + The picture does not load. Your answers are safe. Try again Go on without it"
"""What stands at every picture of a page, and says nothing about it."""


def test_the_words_beside_the_pictures_are_those_of_the_page(study: Any) -> None:
    protocol, items = study
    for section in protocol.sections:
        for item in items:
            made = request(protocol, section, item)
            page = "".join(
                render(medium.template, "en", item=item, shown=made.shown, medium=medium, address=lambda path: "x")
                for medium in media_of(section)
                if medium.applies(item)
            )
            said = " ".join(part["text"] for part in made.contents if part["type"] == "text")
            plain = re.sub(r" \((left|right)\)", "", said).replace(":", "")
            assert " ".join(words(page)).replace(CONTROLS, "").replace(":", "").split() == plain.split()


def test_the_model_gets_the_bytes_that_a_rater_gets(study: Any, tmp_path: Path) -> None:
    protocol, items = study
    staged = stage(protocol, items, "secret", tmp_path / "media")
    for section in protocol.sections:
        for item in items[:2]:
            made = request(protocol, section, item)
            pictures = [part["image_url"]["url"] for part in made.contents if part["type"] == "image_url"]
            media = [show.part for show in section.show]
            paths = {path for medium in media for path in medium.paths(item)}
            files = {path: staged.file(staged.name(path)).read_bytes() for path in paths}
            shown = [p for p in contents_of(media, item, made.shown, files) if p["type"] == "image_url"]
            assert pictures
            assert [b64decode(url.split(",")[1]) for url in pictures] == [
                b64decode(part["image_url"]["url"].split(",")[1]) for part in shown
            ]


def test_no_request_tells_a_system_a_role_or_the_name_of_a_file(study: Any) -> None:
    protocol, items = study
    for section in protocol.sections:
        systems = {system for show in section.show for item in items for system in show.part.systems(item)}
        for item in items:
            made = request(protocol, section, item)
            said = repr([made.prompts, made.schemas, [part for part in made.contents if part["type"] == "text"]])
            for secret in (*systems, "semantic_", "literal", item.id, ".png", ".webp"):
                assert secret not in said


def test_the_swapped_order_is_the_mirror_and_what_is_pinned_stays_last(study: Any) -> None:
    protocol, items = study
    for section in protocol.sections:
        shown = request(protocol, section, items[0]).shown
        mirror = request(protocol, section, items[0], SWAPPED).shown
        assert swapped(section, mirror) == shown
        assert mirror != shown
        for id, order in shown.options.items():
            assert mirror.options[id] == (*order[:-1][::-1], "none")
        if shown.sides:
            assert mirror.sides == {"left": shown.sides["right"], "right": shown.sides["left"]}


def test_a_question_that_an_item_rules_out_is_not_asked() -> None:
    protocol = load(TEMPLATES / "document-extraction")
    section = protocol.sections[0]
    figure, table = (next(item for item in protocol.pool if item["type"] == kind) for kind in ("figure", "table"))
    assert list(request(protocol, section, table).prompts) == ["table_score", "correct_format"]
    made = request(protocol, section, figure)
    assert "table_score" not in made.prompts
    # What depends on another answer may be left out.
    assert {"correct_caption", "correct_vlm_description"} <= made.optional
    assert "caption_score" not in made.optional


def test_the_help_beside_a_question_is_read_by_the_judge_too() -> None:
    protocol = load(TEMPLATES / "document-extraction")
    ask = protocol.ask("score", "caption_score")
    prompt = prompt_of(ask, protocol.pool[0], Shown())
    assert "How closely does the extracted caption match" in prompt
    assert "0: Incorrect (misaligned or unrelated)" in prompt


def test_further_samples_and_the_swapped_order_are_kept_and_are_no_answers(study_folder: Path) -> None:
    said = iter(range(1000))

    def script(body: dict[str, Any], n: int) -> Any:
        return answers(idiom=f"idiom {next(said)}")

    with judged_by(study_folder, script, samples=3, swap="true", temperature=0.7, at_once=1) as (running, server):
        summary = judge(running)
        rows = running.answers("mllm")
        calls = running.read(lambda tx: tx.calls("mllm"))
        assert judge(running).due == 0
    assert summary.due == len(server.requests) == 8 * 4
    assert len(rows) == 8
    assert sorted({call.purpose for call in calls}) == ["record", "sample 2", "sample 3", "swapped"]
    records = {call.item: call.said["idiom"] for call in calls if call.purpose == RECORD and call.said}
    assert records == {row.item: row.value for row in rows}
