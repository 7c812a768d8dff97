"""axe-core finds nothing on any page, in light and in dark, on a desktop and on a phone."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect
from rooms import Room, browsing, wait_for_scripts
from test_browser_way import to_work
from test_desk import near_miss

from quorate.collect import way

pytestmark = pytest.mark.browser
THEMES = pytest.mark.parametrize("theme", ["light", "dark"])
TAGS = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
#: In the dark a page has other colours, and is the same else: each is looked at in the light, too.
COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}


def complaints(page: Page) -> list[str]:
    """What axe-core finds wrong on a page, once it is whole."""
    wait_for_scripts(page)
    is_dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    found = Axe().run(page, options=COLOURS if is_dark else TAGS).response["violations"]
    return [f"{page.url} {one['id']}: {node['html']}" for one in found for node in one["nodes"]]


@THEMES
@pytest.mark.parametrize("width", [1440, 375])
def test_the_raters_pages(open_page: Callable[..., Page], served: Room, theme: Any, width: int) -> None:
    page = open_page(color_scheme=theme)
    page.set_viewport_size({"width": width, "height": 900})
    found: list[str] = []
    look = lambda: found.extend(complaints(page))  # noqa: E731
    to_work(page, served.raters[0], look)
    page.get_by_role("button", name="Submit & next").click()
    look()
    page.get_by_role("link", name="Help").click()
    look()
    page.keyboard.press("Escape")
    if width < 1000:
        page.get_by_role("button", name="All pictures").click()
        look()
        page.get_by_role("button", name="All pictures").click()
    for number in range(4):
        expect(page.locator(".count")).to_have_text(f"{number + 1} / 8")
        page.get_by_role("textbox").fill("x")
        page.keyboard.press("Enter")
    page.get_by_role("button", name="Go on").wait_for()
    look()
    page.get_by_role("button", name="Go on").click()
    for number in range(4, 8):
        expect(page.locator(".count")).to_have_text(f"{number + 1} / 8")
        page.get_by_role("textbox").fill("x")
        page.keyboard.press("Enter")
    page.get_by_role("button", name="Finish").wait_for()
    look()
    page.get_by_role("button", name="Finish").click()
    page.get_by_text("DONE-42").wait_for()
    look()
    page.get_by_role("link", name="withdraw").click()
    look()
    page.get_by_role("button", name="Withdraw from the study").click()
    page.get_by_role("heading", name="You have left").wait_for()
    look()
    assert found == []


@THEMES
def test_the_pages_on_which_a_way_ends(open_page: Callable[..., Page], served: Room, theme: Any) -> None:
    page = open_page(color_scheme=theme)
    found: list[str] = []
    page.goto(served.raters[0])
    page.get_by_role("button", name="I do not want").click()
    found += complaints(page)
    page.goto(served.raters[1])
    page.get_by_role("button", name="I agree").click()
    page.get_by_label("Neither").check()
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("heading", name="Thank you for your interest").wait_for()
    found += complaints(page)
    served.do(lambda tx: way.close_study(tx))
    page.goto(served.raters[2])
    expect(page).to_have_url(re.compile("/closed$"))
    found += complaints(page)
    for path in ("/join/unknown", "/nonsense", "/r/abc/work"):
        page.goto(path)
        found += complaints(page)
    assert found == []


@THEMES
@pytest.mark.parametrize("width", [1440, 375])
def test_the_desk(open_page: Callable[..., Page], served: Room, theme: Any, width: int) -> None:
    from rooms import Rater

    near_miss(served, Rater(browsing(served), served.raters[0]).to_work())
    page = open_page(color_scheme=theme)
    page.set_viewport_size({"width": width, "height": 900})
    found: list[str] = []
    page.goto(served.member)
    page.locator("summary").first.click()
    found += complaints(page)
    page.goto("/desk/items")
    found += complaints(page)
    page.goto("/desk/borderline")
    found += complaints(page)
    page.get_by_role("button", name="No, I have not").click()
    page.get_by_role("button", name="It is right").wait_for()
    found += complaints(page)
    page.get_by_role("button", name="It is right").click()
    page.get_by_text("You have voted").wait_for()
    found += complaints(page)
    page.goto("/desk/report")
    found += complaints(page)
    page.goto("/desk/")
    page.locator("summary").nth(1).click()
    page.get_by_role("button", name="New link").nth(0).click()
    page.get_by_role("heading", name="shown this once").wait_for()
    found += complaints(page)
    assert found == []


def test_tables_are_sorted_and_filtered(open_page: Callable[..., Page], served: Room) -> None:
    page = open_page()
    page.goto(served.member)
    page.goto("/desk/items")
    names = page.locator("#items tbody th")
    page.get_by_role("button", name="Item").click()
    page.get_by_role("button", name="Item").click()
    shown = names.all_inner_texts()
    assert shown == sorted(shown, reverse=True)
    page.get_by_role("searchbox").fill(shown[3])
    expect(page.locator("#items tbody tr:visible")).to_have_count(1)


def test_a_preview_opens_as_often_as_it_is_asked_for(open_page: Callable[..., Page], served: Room) -> None:
    page = open_page()
    page.goto(served.member)
    for _ in range(2):
        with page.context.expect_page() as opened:
            page.get_by_role("button", name="Try it as a rater").click()
        opened.value.get_by_role("button", name="I agree and take part").click()
        expect(opened.value.get_by_label("Native")).to_be_visible()
    assert served.rows(lambda tx: tx.last_event(["consent"])) is None
