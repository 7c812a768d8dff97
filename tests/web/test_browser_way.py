"""A rater in a real browser: the whole way, by mouse, by keys, on a phone, and without a script."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from rooms import Room, resize, wait_for_scripts

from quorate.collect import way

pytestmark = pytest.mark.browser


def to_work(page: Page, link: str, at_each: Callable[[], object] = lambda: None) -> None:
    """Through everything before the work; `at_each` is called on every page."""

    def look() -> None:
        page.wait_for_load_state("load")
        at_each()

    page.goto(link)
    look()
    page.get_by_role("button", name="I agree and take part").click()
    page.get_by_label("Native").check()
    look()
    page.get_by_role("button", name="Continue").click()
    page.get_by_label("Student").check()
    look()
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Start the practice round").wait_for()
    look()
    page.get_by_role("button", name="Start the practice round").click()
    for position in (1, 2):
        expect(page).to_have_url(re.compile(f"/practice/{position}$"))
        look()
        page.get_by_role("textbox").fill("a guess")
        page.get_by_role("button", name="Submit & next").click()
    page.get_by_role("heading", name="How the practice round went").wait_for()
    look()
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/work/*")
    wait_for_scripts(page)  # before that, a form is sent as a form
    look()


def test_the_whole_way(open_page: Callable[..., Page], served: Room) -> None:
    page = open_page()
    to_work(page, served.raters[0])
    for number in range(1, 5):
        expect(page.locator(".count")).to_have_text(f"{number} / 8")
        page.get_by_role("textbox").fill(f"answer {number}")
        page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Time for a break")).to_be_visible()
    page.get_by_role("button", name="Go on").click()
    page.wait_for_url("**/work/*")
    wait_for_scripts(page)
    for number in range(5, 9):
        expect(page.locator(".count")).to_have_text(f"{number} / 8")
        page.get_by_role("textbox").fill(f"answer {number}")
        page.get_by_role("button", name="Submit & next").click()
    page.get_by_role("button", name="Finish").click()
    expect(page.get_by_text("DONE-42")).to_be_visible()
    assert sorted(answer.raw for answer in served.answers()) == [f"answer {n}" for n in range(1, 9)]
    first = next(answer for answer in served.answers() if answer.raw == "answer 1")
    assert first.seconds is not None
    assert page.evaluate("Object.keys(localStorage).filter((key) => key.includes('/r/'))") == []


def test_practice_begins_with_what_is_shown_also_in_a_low_window(open_page: Callable[..., Page], served: Room) -> None:
    study = served.study.protocol
    for step in (
        lambda tx: way.consent(tx, study, "A1", True),
        lambda tx: way.eligibility(tx, study, "A1", {"proficiency": ["Native"]}),
        lambda tx: way.background(tx, study, "A1", {"background": ["Student"]}),
        lambda tx: way.instructions_read(tx, study, "A1"),
    ):
        served.do(step)
    page = open_page()
    page.set_viewport_size({"width": 720, "height": 240})
    page.goto(served.raters[0])
    expect(page.locator("[name=idiom]")).to_be_focused()
    assert page.evaluate("scrollY") == 0
    assert page.evaluate("document.activeElement.getBoundingClientRect().top > innerHeight")


def test_the_way_by_keys_alone(open_page: Callable[..., Page], served: Room) -> None:
    page = open_page()
    page.goto(served.raters[0])
    press(page, "button", "I agree and take part")
    page.wait_for_url("**/eligibility")
    tab_to(page, lambda: page.evaluate("document.activeElement.name") == "proficiency")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    page.wait_for_url("**/background")
    tab_to(page, lambda: page.evaluate("document.activeElement.name") == "background")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    press(page, "button", "Start the practice round")
    for number in (1, 2):
        page.wait_for_url(f"**/practice/{number}")
        page.keyboard.type("a guess")
        page.keyboard.press("Enter")
    press(page, "button", "Start")
    page.wait_for_url("**/work/*")
    for number in range(1, 5):
        expect(page.locator(".count")).to_have_text(f"{number} / 8")
        page.keyboard.type(f"typed {number}")
        page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/break$"))
    assert len(served.answers()) == 4


def tab_to(page: Page, is_there: Callable[[], bool]) -> None:
    for _ in range(30):
        if is_there():
            return
        page.keyboard.press("Tab")
    raise AssertionError("the Tab key does not get there")


def press(page: Page, role: Any, name: str) -> None:
    """Goes to a button by Tab and presses it with Enter."""
    page.get_by_role(role, name=name).wait_for()
    wait_for_scripts(page)
    tab_to(page, lambda: page.evaluate("document.activeElement.textContent.trim()") == name)
    page.keyboard.press("Enter")


def test_keys_zoom_help_and_go_back(open_page: Callable[..., Page], served: Room) -> None:
    page = open_page()
    to_work(page, served.raters[0])
    page.get_by_role("textbox").fill("one")
    page.keyboard.press("Enter")
    expect(page.locator(".count")).to_have_text("2 / 8")
    page.keyboard.type("?")
    expect(page.get_by_role("textbox")).to_have_value("?")  # single keys are off while typing
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.keyboard.press("+")
    expect(page.locator(".frame")).to_have_class(re.compile("zoomed"))
    page.keyboard.press("0")
    expect(page.locator(".frame")).not_to_have_class(re.compile("zoomed"))
    page.keyboard.press("[")
    expect(page.locator(".count")).to_have_text("1 / 8")
    expect(page.get_by_role("textbox")).to_have_value("one")


def test_a_picture_is_zoomed_by_the_wheel_and_moved_by_dragging(open_page: Callable[..., Page], served: Room) -> None:
    page = open_page()
    to_work(page, served.raters[0])
    box = page.locator(".frame").bounding_box()
    assert box is not None
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.move(*middle)
    page.mouse.wheel(0, -400)
    expect(page.locator(".frame")).to_have_class(re.compile("zoomed"))
    before = page.locator(".frame img").get_attribute("style") or ""
    page.mouse.down()
    page.mouse.move(middle[0] + 60, middle[1] + 40)
    page.mouse.up()
    expect(page.locator(".frame img")).not_to_have_attribute("style", before)


@pytest.mark.parametrize("size", [(1440, 900), (1440, 500), (1100, 600), (800, 1000), (375, 700)])
def test_the_whole_picture_is_seen_at_every_size(
    open_page: Callable[..., Page], served: Room, size: tuple[int, int]
) -> None:
    page = open_page()
    to_work(page, served.raters[0])
    resize(page, *size)
    picture, frame = (page.locator(f".{name}").bounding_box() for name in ("frame img", "frame"))
    assert picture == frame
    assert frame is not None
    assert frame["height"] > 150
    assert page.locator(".frame img").evaluate("image => getComputedStyle(image).objectFit") == "contain"
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= size[0]


def test_on_a_phone_picture_and_answer_are_on_one_screen(open_page: Callable[..., Page], served: Room) -> None:
    page = open_page(has_touch=True, is_mobile=True, device_scale_factor=2)
    page.set_viewport_size({"width": 375, "height": 800})
    to_work(page, served.raters[0])
    for name in ("img", "input[type=text]", "[data-submit]"):
        box = page.locator(f"form.work {name}").bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 375
        assert box["y"] + box["height"] <= 800, name
    page.get_by_role("textbox").fill("from the phone")
    page.get_by_role("button", name="Submit & next").tap()
    expect(page.locator(".count")).to_have_text("2 / 8")
    page.get_by_role("button", name="All pictures").tap()
    page.locator("[data-cell]").nth(5).tap()
    expect(page.locator(".count")).to_have_text("6 / 8")
    expect(page.locator("#grid")).to_be_hidden()


def test_every_page_reflows_at_320_pixels(open_page: Callable[..., Page], served: Room) -> None:
    page = open_page()
    page.set_viewport_size({"width": 320, "height": 640})
    widths = {}

    def measure() -> None:
        widths[page.url] = page.evaluate("document.documentElement.scrollWidth")

    to_work(page, served.raters[0], measure)
    assert len(widths) == 8
    assert set(widths.values()) == {320}


@pytest.mark.parametrize("width", [1440, 1000, 375])
def test_without_a_script_everything_is_a_form(open_page: Callable[..., Page], served: Room, width: int) -> None:
    page = open_page(java_script_enabled=False)
    page.set_viewport_size({"width": width, "height": 800})
    to_work(page, served.raters[0])
    expect(page.locator("[data-cell]").first).to_be_visible()
    page.get_by_role("button", name="Submit & next").click()
    expect(page.get_by_text("Please type an answer")).to_be_visible()
    page.get_by_role("textbox").fill("typed without a script")
    page.keyboard.press("Enter")
    expect(page.locator(".count")).to_have_text("2 / 8")
    page.get_by_role("link", name="Previous").click()
    expect(page.get_by_role("textbox")).to_have_value("typed without a script")
    page.get_by_role("button", name="Submit & next").click()
    expect(page.locator(".count")).to_have_text("2 / 8")
    page.get_by_text("Something is not shown?").click()
    page.locator(".failed").get_by_role("button", name="Go on without it").click()
    expect(page.locator(".count")).to_have_text("3 / 8")
    expect(page.locator("progress")).to_have_attribute("value", "1")
    assert [answer.reason for answer in served.answers()] == [None, "media failed"]


def test_the_theme_stays_as_it_was_switched(open_page: Callable[..., Page], served: Room) -> None:
    page = open_page(color_scheme="light")
    page.goto(served.raters[0])
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.get_by_role("button", name="Light or dark").click()
    expect(page.locator("body")).not_to_have_css("background-color", light)
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.reload()
    expect(page.locator("body")).to_have_css("background-color", dark)


def test_the_first_item_takes_six_requests_and_sixty_kilobytes(open_page: Callable[..., Page], served: Room) -> None:
    page = open_page()
    to_work(page, served.raters[0])
    cookies = page.context.cookies()
    fresh = open_page()
    fresh.context.add_cookies(cookies)
    replies: list[Any] = []
    fresh.on("response", lambda reply: replies.append(reply))
    fresh.goto(page.url)
    fresh.wait_for_load_state("networkidle")
    ours = [reply for reply in replies if "/media/" not in reply.url and not reply.url.startswith("data:")]
    parts = ("responseBodySize", "responseHeadersSize")
    sizes = {reply.url: sum(reply.request.sizes()[part] for part in parts) for reply in ours}
    assert len(ours) <= 6, [reply.url for reply in ours]
    assert sum(sizes.values()) <= 60_000, sizes
