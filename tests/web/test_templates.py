"""A real browser goes the whole way of each template, and axe-core finds nothing on any page of it, light or dark."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from rooms import Room, open_room, resize, serving, wait_for_scripts
from test_browser_access import complaints
from walks import NAMES, Walker, short

pytestmark = pytest.mark.browser

#: Whether the words of the title and the menu beside it stand on each other.
OVERLAP = """() => {
  const words = document.createRange();
  words.selectNodeContents(document.querySelector(".bar .title"));
  const title = words.getBoundingClientRect();
  return [...document.querySelectorAll(".bar-end > *")].map((one) => one.getBoundingClientRect()).some((one) =>
    one.width && one.left < title.right && one.right > title.left && one.top < title.bottom && one.bottom > title.top);
}"""

#: What raters of each template meet, each kind of page once.
WAYS = {
    "abstract-visual": "consent screening selection instructions practice feedback work debrief done",
    "dialogue": "consent instructions practice answer work debrief done",
    "document-extraction": "consent instructions practice feedback work debrief done",
    "media-preference": "consent instructions practice answer work debrief done",
    "visual-puns": "consent eligibility background instructions practice feedback work break debrief done",
}


@pytest.fixture
def browse(chrome: Any, tmp_path: Path, empty_database: Path) -> Iterator[Callable[..., tuple[Page, Room]]]:
    """A shortened template behind a server, and a page of a real browser in front of it."""
    opened: list[Any] = []
    errors: list[str] = []

    def made(name: str, **options: Any) -> tuple[Page, Room]:
        room = open_room(short(name, tmp_path / "study"), empty_database)
        server = serving(room)
        server.__enter__()
        # Colours that fade into each other would be measured half-way.
        options = {"reduced_motion": "reduce", "viewport": {"width": 1440, "height": 900}, **options}
        context = chrome.new_context(base_url=room.base, **options)
        context.set_default_timeout(60_000)
        opened.append((context, server, room))
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        return page, room

    yield made
    for context, server, room in opened:
        context.close()
        server.__exit__(None, None, None)
        room.study.close()
    assert not errors, errors


def kind(step: str) -> str:
    """The kind of a page: its step without numbers and names."""
    return "answer" if step.endswith("/answer") else step.split("/")[0]


def looker(page: Page, found: list[str]) -> Callable[[str], None]:
    """Looks at the first page of each kind, and at two items at work, in both themes and on a phone."""
    seen: dict[str, int] = {}

    def look(step: str) -> None:
        seen[kind(step)] = seen.get(kind(step), 0) + 1
        if seen[kind(step)] > (2 if kind(step) == "work" else 1):
            return
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
            found.extend(f"{theme} {one}" for one in complaints(page))
        resize(page, 375, 800)
        assert page.evaluate("document.documentElement.scrollWidth") <= 375, step
        assert page.evaluate(OVERLAP) is False, f"{step}: the title runs into the menu"
        found.extend(f"phone {one}" for one in complaints(page))
        resize(page, 1440, 900)

    return look


@pytest.mark.parametrize(("name", "locale"), [*((name, "en-GB") for name in NAMES), ("dialogue", "zh-CN")])
def test_the_whole_way_of_a_template(browse: Callable[..., tuple[Page, Room]], name: str, locale: str) -> None:
    page, room = browse(name, locale=locale)
    found: list[str] = []
    steps = Walker(page, room, looker(page, found)).go(room.raters[0])
    assert list(dict.fromkeys(map(kind, steps))) == WAYS[name].split()
    assert page.locator("html").get_attribute("lang") == locale[:2]
    mine = room.rows(lambda tx: tx.raters())[0].id
    asked = {(one.section, one.item) for one in room.rows(lambda tx: tx.assignments(mine))}
    assert {(answer.section, answer.item) for answer in room.answers()} == asked
    assert len(asked) >= 2
    assert found == []


def test_a_reference_stays_beside_the_work(browse: Callable[..., tuple[Page, Room]]) -> None:
    page, room = browse("media-preference")
    Walker(page, room).go(room.raters[0], until="practice/1")
    page.get_by_role("link", name="Reference").click()
    drawer = page.get_by_role("complementary", name="At hand")
    expect(drawer.get_by_role("heading", name="Human Evaluation Rubric")).to_be_visible()
    expect(drawer).to_be_focused()
    page.locator("[data-question=winner] input").first.check()
    assert complaints(page) == []
    page.keyboard.press("Escape")
    expect(drawer).to_be_visible()  # the work has the focus: Escape belongs to it
    drawer.get_by_role("button", name="Close").click()
    expect(drawer).to_be_hidden()
    expect(page.get_by_role("link", name="Reference")).to_be_focused()
    page.get_by_role("link", name="Instructions").click()
    expect(drawer.get_by_role("heading").first).to_be_visible()
    expect(page.locator("[data-question=winner] input").first).to_be_checked()


def test_without_a_script_a_reference_is_a_page(browse: Callable[..., tuple[Page, Room]]) -> None:
    page, room = browse("media-preference", java_script_enabled=False)
    page.goto(room.raters[0])
    page.get_by_role("button", name="I agree and take part").click()
    page.locator("main .primary").click()
    page.get_by_role("link", name="Reference").click()
    expect(page.get_by_role("heading", name="Human Evaluation Rubric")).to_be_visible()
    page.get_by_role("link", name="Back to where you were").click()
    page.wait_for_url("**/practice/1")


def test_another_language_keeps_what_was_chosen(browse: Callable[..., tuple[Page, Room]]) -> None:
    page, room = browse("dialogue", locale="en-GB")
    walker = Walker(page, room)
    walker.go(room.raters[0], until="practice/2")
    page.locator("[name=correctness]").nth(3).check()
    page.get_by_role("link", name="中文").click()
    expect(page.locator("html")).to_have_attribute("lang", "zh")
    assert walker.step() == "practice/2"
    expect(page.locator("[name=correctness]").nth(3)).to_be_checked()
    while not walker.step().startswith("work/"):
        walker.take()
    wait_for_scripts(page)
    page.locator("[name=correctness]").nth(2).check()
    before = page.url
    page.get_by_role("link", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    assert page.url == before
    expect(page.locator("[name=correctness]").nth(2)).to_be_checked()


def test_a_quiz_survives_a_reload(browse: Callable[..., tuple[Page, Room]]) -> None:
    page, room = browse("abstract-visual")
    Walker(page, room).go(room.raters[0], until="screening")
    page.locator("fieldset").nth(1).locator("input").nth(2).check()
    page.reload()
    expect(page.locator("fieldset").nth(1).locator("input").nth(2)).to_be_checked()
    page.get_by_role("button", name="Send my answers").click()
    expect(page.get_by_text("Please choose one of the options.").first).to_be_visible()
    expect(page.locator("fieldset").first.locator("input").first).to_be_focused()
