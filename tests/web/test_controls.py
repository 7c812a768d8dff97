"""Nothing of the page covers what is judged, and answers stay within reach, at every size."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page
from rooms import Room, resize

from clips import video
from papers import paper
from studies_media import STUDIES

pytestmark = pytest.mark.browser
Open = Callable[..., tuple[Room, Any]]
#: Windows, and what is left of them for the page at a zoom of 200 %.
SIZES = [(1440, 900), (1280, 720), (1024, 768), (768, 1024), (720, 450), (640, 360), (512, 384), (375, 800), (320, 640)]

#: Pairs of a control and of something judged that share room on the screen; what is scrolled away has none.
OVERLAPS = """() => {
  const judged = ".stimulus :is(.frame, .screen, blockquote, .words .text, .cells, .said, .turn .text)";
  const ours = `.bar, .grid, .drawer-text, .zoom, .player, .passes, .pages, .item-name, figcaption, .pair-label,
    .guide, .section-note, .answers, .question, .controls, .buttons, .notice, .warned, .failed, .unloaded`;
  const seen = (element) => {
    let { left, top, right, bottom } = element.getBoundingClientRect();
    for (let box = element.parentElement; box; box = box.parentElement) {
      if (box !== document.documentElement && box !== document.body && getComputedStyle(box).overflowY !== "visible") {
        const frame = box.getBoundingClientRect();
        [left, top] = [Math.max(left, frame.left), Math.max(top, frame.top)];
        [right, bottom] = [Math.min(right, frame.right), Math.min(bottom, frame.bottom)];
      }
    }
    return { left, top, right, bottom };
  };
  const visible = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
  const shown = (selector) => visible(selector).map((one) => [one, seen(one)]);
  const name = (one) => one.className || one.tagName;
  const found = [];
  for (const [one, a] of shown(judged)) for (const [other, b] of shown(ours)) {
    if (one.contains(other) || other.contains(one)) continue;
    const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (width > 1 && height > 1) found.push(`${name(other)} on ${name(one)}`);
  }
  return found;
}"""

#: What cannot be brought into sight, or is covered there.
FIELD = ".answers :is(input:not([hidden], [data-cannot]), textarea)"
UNREACHABLE = """(field) => ["[data-submit]", field].filter((selector) => {
  const element = document.querySelector(selector);
  element.scrollIntoView({ block: "nearest" });
  const { left, top, width, height } = element.getBoundingClientRect();
  const at = document.elementFromPoint(left + width / 2, top + height / 2);
  const label = element.closest("label");
  return !at || !(element.contains(at) || label?.contains(at));
})"""


def pictures(folder: Path) -> Path:
    """Pictures with thumbnails of all, a note beside the questions, and more questions than one screen holds."""
    (folder / "made").mkdir(parents=True)
    ratings = "".join(
        f"\n      - id: q{n}\n        rating: {{prompt: Trait {n}?, points: [1, 2, 3, 4, 5]}}" for n in range(6)
    )
    (folder / "study.yaml").write_text(
        "quorate: 1\ntitle: How many bicycles?\nseed: 3\nitems: {from: pictures.csv, id: id}\nsections:\n"
        "  - id: count\n    grid: true\n    note: Count whole bicycles first, then parts; leave out what is painted.\n"
        "    show: [{image: {field: picture, label: The street}}]\n"
        f"    ask:\n      - id: bicycles\n        text: {{prompt: How many bicycles?}}{ratings}\n"
        "raters: {per_item: 1, roster: 1, consent: consent.md, instructions: instructions.md}\n"
    )
    for n in range(24):
        Image.new("RGB", (320, 240), f"#{n * 9:02x}8866").save(folder / "made" / f"{n}.png")
    (folder / "pictures.csv").write_text("id,picture\n" + "".join(f"p{n},made/{n}.png\n" for n in range(24)))
    for name in ("consent.md", "instructions.md"):
        (folder / name).write_text("# Streets\n\nCount the bicycles.\n")
    return folder


def pictures_and_texts(folder: Path) -> Path:
    """Two pictures with texts between them, thumbnails, two languages, and a reference at hand."""
    text = "Some words about what is seen here and more of them. "
    folder.mkdir(parents=True)
    (folder / "study.yaml").write_text(
        "quorate: 1\ntitle: {en: 'What is seen in these streets of a town, and what is said of it: a study in two "
        "languages', zh: 街道}\nseed: 3\nitems: {from: streets.csv, id: the id}\nsections:\n"
        "  - id: s\n    grid: true\n    show:\n      - image: {field: seen, label: {en: The street, zh: 街道}}\n"
        "      - text: {field: said, label: {en: The caption, zh: 标题}}\n      - image: {field: also}\n"
        "      - markdown: said\n    ask:\n      - id: n\n        text: {prompt: {en: How many?, zh: 多少？}}\n"
        "raters: {per_item: 1, roster: 1, consent: text.md, instructions: text.md, reference: text.md}\n"
    )
    for n in range(30):
        Image.new("RGB", (900, 500), f"#{n * 8:02x}8866").save(folder / f"wide{n}.png")
    Image.new("RGB", (200, 900), "#664488").save(folder / "high.png")
    rows = "".join(f"i{n},wide{n}.png,high.png,{text * (1 + 11 * (n % 2))}\n" for n in range(30))
    (folder / "streets.csv").write_text("the id,seen,also,said\n" + rows)
    (folder / "text.md").write_text("# Streets\n\nCount.\n")
    return folder


def four_and_an_original(folder: Path) -> Path:
    """Four pictures of one thing, beside the original of it."""
    folder.mkdir(parents=True)
    (folder / "study.yaml").write_text(
        "quorate: 1\ntitle: Which is nearest?\nseed: 3\nitems: {from: sets.csv, id: id}\nsections:\n"
        "  - id: s\n    show:\n      - text: said\n      - set:\n          systems: {a: a, b: b, c: c, d: d}\n"
        "          image: {}\n          reference: a\n          reference_label: The original\n"
        "    ask:\n      - id: q\n        slider: {prompt: How near?, low: 0, high: 100, each: side}\n"
        "raters: {per_item: 1, roster: 1, consent: text.md, instructions: text.md}\n"
    )
    for n, name in enumerate("abcd"):
        Image.new("RGB", (500, 300 + 100 * n), f"#{n * 60:02x}8866").save(folder / f"{name}.png")
    (folder / "sets.csv").write_text("id,said,a,b,c,d\nx,Words,a.png,b.png,c.png,d.png\n")
    (folder / "text.md").write_text("# Pictures\n\nLook.\n")
    return folder


def clip_and_text(folder: Path) -> Path:
    return _beside_a_long_text(folder, "video: clip")


def page_and_text(folder: Path) -> Path:
    return _beside_a_long_text(folder, "page: {pdf: pdf, page: page}")


def talk_and_pictures(folder: Path) -> Path:
    return _beside_a_long_text(folder, "page: {pdf: pdf, page: page}}, {video: clip}, {conversation: {messages: talk}")


def _beside_a_long_text(folder: Path, shown: str) -> Path:
    """Something to look at, and a text that is longer than the window."""
    folder.mkdir(parents=True)
    (folder / "study.yaml").write_text(
        "quorate: 1\ntitle: Much to read\nseed: 3\nitems: {from: all.jsonl, id: id}\nsections:\n  - id: s\n"
        f"    show: [{{{shown}}}, {{markdown: said}}]\n    ask: [{{id: q, yes_no: {{prompt: Right?}}}}]\n"
        "raters: {per_item: 1, roster: 1, consent: text.md, instructions: text.md}\n"
    )
    (folder / "a.mp4").write_bytes(video())
    (folder / "a.pdf").write_bytes(paper(["One page"]))
    talk = [{"role": "user", "content": "Why? " * 30}, {"role": "assistant", "content": "Because. " * 200}]
    item = {"id": "x", "clip": "a.mp4", "pdf": "a.pdf", "page": 1, "talk": talk, "said": "Some words. " * 300}
    (folder / "all.jsonl").write_text(json.dumps(item) + "\n")
    (folder / "text.md").write_text("# Much\n\nRead.\n")
    return folder


def pictures_in_turns(folder: Path) -> Path:
    """A conversation in which several pictures and longer words come in one message, of either side."""
    folder.mkdir(parents=True)
    (folder / "study.yaml").write_text(
        "quorate: 1\ntitle: Streets\nseed: 3\nitems: {from: talks.jsonl, id: id}\nsections:\n  - id: s\n"
        "    show: [{conversation: {messages: talk}}]\n    ask: [{id: q, yes_no: {prompt: Right?}}]\n"
        "raters: {per_item: 1, roster: 1, consent: text.md, instructions: text.md}\n"
    )
    names = [f"wide{n}.png" for n in range(4)]
    for n, name in enumerate(names):
        Image.new("RGB", (900, 500), f"#{n * 60:02x}8866").save(folder / name)
    talk = [
        {"role": "user", "content": "Which street has the most bicycles? " * 3, "images": names},
        {"role": "assistant", "content": "The second, https" + "ofoneword" * 20, "images": names[:2]},
        {"role": "user", "content": "Are you sure of https" + "ofoneword" * 20, "images": names[:3]},
        {"role": "assistant", "content": "Yes. " * 40},
    ]
    (folder / "talks.jsonl").write_text(json.dumps({"id": "x", "talk": talk}) + "\n")
    (folder / "text.md").write_text("# Streets\n\nRead.\n")
    return folder


#: Pictures that are too small to be judged, and parts of the bar that lie on each other.
TOO_SMALL = """() => [
  ...document.querySelectorAll(".stimulus :is(.frame, .clip.video .screen, .chat)")
].flatMap((frame) => {
  frame.scrollIntoView({ block: "nearest" });
  const { width, height } = frame.getBoundingClientRect();
  const isSmall = width < 60 || height < Math.min(120, innerHeight / 5);
  return isSmall ? [`a picture has ${Math.round(width)} x ${Math.round(height)} pixels`] : [];
})"""
BAR = """() => {
  const parts = [...document.querySelectorAll(".bar :is(a, button, .count, .title)")];
  const name = (one) => one.className || one.textContent;
  const boxes = parts.filter((one) => one.checkVisibility()).map((one) => [name(one), one.getBoundingClientRect()]);
  return boxes.flatMap(([name, a], k) => boxes.slice(k + 1).flatMap(([other, b]) => {
    const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    return width > 1 && height > 1 ? [`${name} on ${other} in the bar`] : [];
  }));
}"""

#: Parts that are broader than what holds them, and parts of a player that lie on each other.
SPILT = """() => [...document.querySelectorAll(".stimulus :is(.chat, .turn, .clip, .player)")].flatMap((holder) => {
  const found = holder.scrollWidth > holder.clientWidth + 1 ? [`${holder.className} is cut off at its side`] : [];
  if (!holder.matches(".player")) return found;
  const boxes = [...holder.children].filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect());
  return found.concat(boxes.flatMap((a, k) => boxes.slice(k + 1).flatMap((b) => {
    const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    return width > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1 ? ["parts of a player overlap"] : [];
  })), boxes.some((box) => box.width < 20) ? ["a part of a player is too small to be used"] : []);
})"""


def look(page: Page, where: str) -> list[str]:
    page.evaluate("scrollTo(0, 0)")
    found = [f"{where}: {one}" for one in page.evaluate(OVERLAPS)]
    found += [f"{where}: {one} is out of reach" for one in page.evaluate(UNREACHABLE, FIELD)]
    found += [f"{where}: {one} (scrolled)" for one in page.evaluate(OVERLAPS)]
    found += [f"{where}: {one}" for seen in (TOO_SMALL, BAR, SPILT) for one in page.evaluate(seen)]
    if page.evaluate("document.documentElement.scrollWidth") > page.viewport_size["width"]:
        found.append(f"{where}: scrolls sideways")
    return found


OF_PICTURES = (pictures, pictures_and_texts, four_and_an_original)
BESIDE_TEXTS = (clip_and_text, page_and_text, talk_and_pictures)
OF_TURNS = (pictures_in_turns,)


@pytest.mark.parametrize(
    "study", [*STUDIES, *OF_PICTURES, *BESIDE_TEXTS, *OF_TURNS], ids=lambda study: getattr(study, "__name__", study)
)
def test_no_control_covers_what_is_judged_and_answers_are_in_reach(at_work: Open, study: Any) -> None:
    _, page = at_work(study)
    page.wait_for_load_state("networkidle")
    found = []
    for width, height in [*SIZES, *reversed(SIZES)]:
        resize(page, width, height)
        found += look(page, f"{width} x {height}")
        if page.locator("[data-grid-switch]:visible").count():
            page.locator("[data-grid-switch]").click()
            found += look(page, f"{width} x {height}, all pictures switched")
            page.locator("[data-grid-switch]").click()
        instructions = page.locator(".bar a[data-drawer]").last
        if instructions.is_visible():
            instructions.click()
            page.locator(".drawer-text").wait_for()
            found += look(page, f"{width} x {height}, instructions open")
            page.locator(".drawer-text > button").click()
    zoom = page.locator(".zoom [data-zoom=in]:visible")
    if zoom.count():
        zoom.first.click()
        found += look(page, "zoomed in")
    assert not found, "\n".join(dict.fromkeys(found))


def test_a_window_that_gets_narrower_with_the_pictures_open_hides_no_answer(at_work: Open) -> None:
    _, page = at_work(pictures)
    grid = page.locator("#grid")
    grid.wait_for()
    page.set_viewport_size({"width": 720, "height": 450})
    grid.wait_for(state="hidden")
    page.get_by_role("textbox").fill("3")
    page.locator("[data-submit]").click(trial=True)
    page.set_viewport_size({"width": 1440, "height": 900})
    grid.wait_for()


def test_the_name_of_an_item_is_there_and_comes_last(at_work: Open) -> None:
    _, page = at_work(pictures)
    assert page.locator(".item-name").inner_text()
    assert page.locator(".stimulus > :last-child").get_attribute("class") == "item-name"


def long_words(folder: Path) -> Path:
    """Texts with an address in them that no line is long enough for, also in a label, a prompt and an option."""
    address = "https" + "ofoneword" * 20
    return _texts(
        folder,
        f"Some words that make a paragraph. {address} And some more of them. " * 3,
        f"    show: [{{text: {{field: said, label: Said at {address}}}}}]\n"
        f"    ask:\n      - id: kind\n        choice: {{prompt: Like {address}?, options: [No, Like {address}]}}\n",
    )


def _texts(folder: Path, text: str, section: str) -> Path:
    folder.mkdir(parents=True)
    (folder / "study.yaml").write_text(
        "quorate: 1\ntitle: Texts\nseed: 3\nitems: {from: texts.csv, id: id}\nsections:\n  - id: s\n" + section
        + "raters: {per_item: 1, roster: 1, consent: text.md, instructions: text.md}\n"
    )  # fmt: skip
    (folder / "texts.csv").write_text("id,said\n" + "".join(f"t{n},{text}\n" for n in range(3)))
    (folder / "text.md").write_text("# Texts\n\nRead each text, and say how it is.\n")
    return folder


#: Words that stand out of the figure or the question that they belong to.
CUT_OFF = """() => [...document.querySelectorAll(".words, .question")].flatMap((frame) => {
  const range = document.createRange();
  range.selectNodeContents(frame);
  const room = frame.getBoundingClientRect().right + 1;
  const isOut = ({ right, width }) => width > 60 && right > room + 12;
  return [...range.getClientRects()].some(isOut) ? [frame.className] : [];
})"""


def test_a_word_that_no_line_is_long_enough_for_cuts_nothing_off(at_work: Open) -> None:
    _, page = at_work(long_words)
    for width, height in SIZES:
        resize(page, width, height)
        assert page.evaluate(CUT_OFF) == [], (width, height)


def wide_tables(folder: Path) -> Path:
    """A table of fourteen columns, as a medium and in Markdown."""
    head, row = (",".join(f"{word} {k}" for k in range(14)) for word in ("column", "several"))
    lines = [f"| {line.replace(',', ' | ')} |" for line in (head, ",".join("-" * 14), row)]
    _texts(folder, "x", "    show: [{table: cells}, {markdown: said}]\n    ask: [{id: q, yes_no: {prompt: Right?}}]\n")
    rows = [{"id": f"t{n}", "cells": f"{head}\n{row}", "said": "\n".join(lines)} for n in range(3)]
    (folder / "texts.jsonl").write_text("".join(json.dumps(one) + "\n" for one in rows))
    study = folder / "study.yaml"
    study.write_text(study.read_text().replace("texts.csv", "texts.jsonl"))
    return folder


#: Words of tables that stand in more than one line, and tables that nothing scrolls and that stand out of the page.
BROKEN = """() => [...document.querySelectorAll(".stimulus :is(th, td)")].flatMap((cell) => {
  const range = document.createRange();
  const found = [...cell.textContent.matchAll(/\\w+/g)].filter(({ 0: word, index }) => {
    range.setStart(cell.firstChild, index);
    range.setEnd(cell.firstChild, index + word.length);
    return range.getClientRects().length > 1;
  });
  return found.map(([word]) => word);
}).concat(document.documentElement.scrollWidth > innerWidth ? ["the page scrolls sideways"] : [])"""


def test_words_in_tables_are_not_broken_into_letters(at_work: Open) -> None:
    _, page = at_work(wide_tables)
    assert page.locator(".stimulus td").count() == 28
    for width, height in SIZES:
        resize(page, width, height)
        assert page.evaluate(BROKEN) == [], (width, height)
        for table in page.locator(".stimulus table").all():
            last = table.locator("td").last
            last.scroll_into_view_if_needed()
            box = last.bounding_box()
            assert box["x"] + box["width"] <= width + 1, (width, height)
