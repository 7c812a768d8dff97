"""Nothing is lost: offline and back, reload, Back, a second tab, a picture that does not load."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing

import pytest
from playwright.sync_api import Page, Route, expect
from rooms import Room
from test_browser_way import to_work

pytestmark = pytest.mark.browser


def answer(page: Page, text: str) -> None:
    page.get_by_role("textbox").fill(text)
    page.keyboard.press("Enter")


def test_offline_the_rater_goes_on_and_everything_is_sent_later(open_page: Callable[..., Page], served: Room) -> None:
    page = open_page()
    to_work(page, served.raters[0])
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    for number in range(1, 4):
        expect(page.locator(".count")).to_have_text(f"{number} / 8")
        assert page.locator(".frame img").evaluate("image => image.decode().then(() => image.naturalWidth)") == 64
        answer(page, f"offline {number}")
    expect(page.locator("[data-save]")).to_have_text("offline: 3 answers kept here")
    expect(page.locator(".count")).to_have_text("4 / 8")
    assert served.answers() == []
    page.context.set_offline(False)
    expect(page.locator("[data-save]")).to_have_text("saved")
    assert sorted(a.raw for a in served.answers()) == ["offline 1", "offline 2", "offline 3"]


def test_at_the_break_an_offline_rater_is_told_and_goes_on_later(open_page: Callable[..., Page], served: Room) -> None:
    page = open_page()
    to_work(page, served.raters[0])
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    for number in range(1, 5):
        answer(page, f"offline {number}")
    expect(page.locator("[data-notice]")).to_contain_text("answered everything that this browser holds")
    page.context.set_offline(False)
    expect(page).to_have_url(re.compile("/break$"))
    assert len(served.answers()) == 4


def test_a_reply_that_is_lost_is_asked_for_again_and_stored_once(open_page: Callable[..., Page], served: Room) -> None:
    page = open_page()
    to_work(page, served.raters[0])
    lost: list[str] = []

    def lose_first(route: Route) -> None:
        if route.request.method != "POST" or lost:
            return route.continue_()
        lost.append(route.request.url)
        route.fetch()  # the server has it; the browser never hears so
        return route.abort()

    page.route("**/work/*", lose_first)
    answer(page, "sent twice")
    expect(page.locator("[data-save]")).to_have_text("saved")
    assert lost
    assert [a.raw for a in served.rows(lambda tx: tx.all_answers())] == ["sent twice"]


def test_a_browser_that_is_not_known_any_more_keeps_the_answer(open_page: Callable[..., Page], served: Room) -> None:
    page = open_page()
    to_work(page, served.raters[0])
    cookies = page.context.cookies()
    page.context.clear_cookies()
    answer(page, "kept")
    expect(page.locator("[data-notice]")).to_contain_text("open your personal link again")
    assert served.answers() == []
    page.context.add_cookies(cookies)
    page.goto(served.raters[0])
    expect(page.locator("[data-save]")).to_have_text("saved")
    assert [a.raw for a in served.answers()] == ["kept"]


def test_a_server_that_fails_is_asked_again(open_page: Callable[..., Page], served: Room) -> None:
    page = open_page()
    to_work(page, served.raters[0])
    failures: list[str] = []
    broken = [True]

    def fail(route: Route) -> None:
        if route.request.method == "POST" and broken[0]:
            failures.append(route.request.url)
            route.fulfill(status=500, body="{}")
        else:
            route.continue_()

    page.route("**/work/*", fail)
    answer(page, "in the end")
    with page.expect_response(lambda reply: reply.status == 500 and len(failures) == 2):
        expect(page.locator("[data-save]")).to_have_text("the server does not answer: 1 answer kept here")
    broken[0] = False
    expect(page.locator("[data-save]")).to_have_text("saved")
    assert [a.raw for a in served.answers()] == ["in the end"]


def test_a_reload_in_the_middle_keeps_the_draft(open_page: Callable[..., Page], served: Room) -> None:
    page = open_page()
    to_work(page, served.raters[0])
    answer(page, "first")
    expect(page.locator(".count")).to_have_text("2 / 8")
    page.get_by_role("textbox").fill("half an ans")
    page.reload()
    expect(page.locator(".count")).to_have_text("2 / 8")
    expect(page.get_by_role("textbox")).to_have_value("half an ans")


def test_back_shows_the_last_item_with_its_answer(open_page: Callable[..., Page], served: Room) -> None:
    page = open_page()
    to_work(page, served.raters[0])
    answer(page, "first")
    expect(page.locator(".count")).to_have_text("2 / 8")
    page.get_by_role("textbox").fill("a draft on the second")
    page.go_back()
    expect(page.locator(".count")).to_have_text("1 / 8")
    expect(page.get_by_role("textbox")).to_have_value("first")
    answer(page, "first, changed")
    expect(page.locator(".count")).to_have_text("2 / 8")
    expect(page.get_by_role("textbox")).to_have_value("a draft on the second")
    expect(page.locator("[data-save]")).to_have_text("saved")
    assert [a.raw for a in served.answers()] == ["first, changed"]


def test_an_answer_changed_twice_while_offline_is_not_stale(open_page: Callable[..., Page], served: Room) -> None:
    page = open_page()
    to_work(page, served.raters[0])
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    answer(page, "one")
    page.get_by_role("link", name="Previous").click()
    answer(page, "two")
    page.context.set_offline(False)
    expect(page.locator("[data-save]")).to_have_text("saved")
    assert [a.raw for a in served.answers()] == ["two"]
    assert len(served.rows(lambda tx: tx.all_answers())) == 2


def test_a_second_tab_of_the_same_browser_is_told_at_once(open_page: Callable[..., Page], served: Room) -> None:
    page = open_page()
    to_work(page, served.raters[0])
    other = page.context.new_page()
    other.goto(page.url)
    answer(page, "from the first tab")
    expect(other.locator("[data-notice]")).to_contain_text("another tab")
    other.get_by_role("button", name="Show the newest").click()
    expect(other.get_by_role("textbox")).to_have_value("from the first tab")


def test_a_page_on_another_device_that_is_left_behind_is_told(open_page: Callable[..., Page], served: Room) -> None:
    page = open_page()
    to_work(page, served.raters[0])
    elsewhere = open_page()
    elsewhere.goto(served.raters[0])
    expect(elsewhere.locator(".count")).to_have_text("1 / 8")
    answer(page, "from the desk")
    expect(page.locator("[data-save]")).to_have_text("saved")
    answer(elsewhere, "from the sofa")
    expect(elsewhere.locator("[data-notice]")).to_contain_text("another tab or on another device")
    expect(elsewhere.get_by_role("textbox")).to_have_value("from the sofa")
    elsewhere.get_by_role("button", name="Show the newest").click()
    expect(elsewhere.get_by_role("textbox")).to_have_value("from the desk")
    assert [a.raw for a in served.answers()] == ["from the desk"]


def test_an_answer_that_the_server_refuses_comes_back_to_its_field(
    open_page: Callable[..., Page], served: Room
) -> None:
    page = open_page()
    to_work(page, served.raters[0])
    page.get_by_role("button", name="Submit & next").click()
    expect(page.get_by_text("Please type an answer, or choose")).to_be_visible()
    expect(page.get_by_role("textbox")).to_be_focused()
    page.get_by_role("textbox").evaluate("field => field.removeAttribute('maxlength')")
    answer(page, "x" * 501)
    expect(page.get_by_text("longer than 500 characters")).to_be_visible()
    expect(page.locator(".count")).to_have_text("1 / 8")
    answer(page, "short enough")
    expect(page.locator(".count")).to_have_text("2 / 8")


def test_a_picture_that_does_not_load_can_be_tried_again_or_left(open_page: Callable[..., Page], served: Room) -> None:
    page = open_page()
    broken = [True]
    page.route("**/media/*", lambda route: route.abort() if broken[0] else route.continue_())
    to_work(page, served.raters[0])
    expect(page.get_by_text("The picture does not load")).to_be_visible()
    page.get_by_role("button", name="Go on without it").first.click()
    expect(page.locator(".count")).to_have_text("2 / 8")
    expect(page.locator("progress")).to_have_attribute("value", "0")
    broken[0] = False
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_text("The picture does not load")).to_be_hidden()
    page.wait_for_function("document.querySelector('.frame img')?.naturalWidth === 64")
    answer(page, "now I see it")
    expect(page.locator("[data-save]")).to_have_text("saved")
    by_reason = {a.reason: a for a in served.answers()}
    assert set(by_reason) == {"media failed", None}


def test_who_can_be_shown_nothing_is_not_done_and_may_try_again(open_page: Callable[..., Page], served: Room) -> None:
    page = open_page()
    broken = [True]
    page.route("**/media/*", lambda route: route.abort() if broken[0] else route.continue_())
    to_work(page, served.raters[0])
    for n in range(1, 9):
        expect(page.locator(".count")).to_have_text(f"{n} / 8")
        page.locator(".stimulus").get_by_role("button", name="Go on without it").click()
    expect(page.get_by_role("heading", name="Something could not be shown")).to_be_visible()
    broken[0] = False
    for answered in range(5):
        expect(page.get_by_text(f"{8 - answered} of your 8 did not load")).to_be_visible()
        expect(page.get_by_role("button", name="Go on without them")).to_have_count(0)
        page.get_by_role("link", name="Try again").click()
        expect(page.locator("progress")).to_have_attribute("value", str(answered))
        expect(page.locator(".failed")).to_be_hidden()
        answer(page, "now I see it")
    expect(page.get_by_text("3 of your 8 did not load")).to_be_visible()
    page.get_by_role("button", name="Go on without them").click()
    expect(page).to_have_url(re.compile("debrief$"))
    page.goto(served.member)
    row = page.locator("#raters tbody tr").first
    expect(row).to_contain_text("media failed: went on without 8 times")
    expect(row).to_contain_text("5 / 8")


def test_cannot_tell_and_a_typed_answer_exclude_each_other(open_page: Callable[..., Page], served: Room) -> None:
    page = open_page()
    to_work(page, served.raters[0])
    field, box = page.get_by_role("textbox"), page.get_by_label("I cannot identify any idiom")
    field.fill("a thought")
    box.check()
    expect(field).to_have_value("")
    field.fill("a better thought")
    expect(box).not_to_be_checked()
    box.check()
    page.get_by_role("button", name="Submit & next").click()
    expect(page.locator(".count")).to_have_text("2 / 8")
    expect(page.locator("[data-save]")).to_have_text("saved")
    assert [a.raw for a in served.answers()] == ["unrecognizable"]


def test_what_was_shown_is_recorded(open_page: Callable[..., Page], served: Room) -> None:
    page = open_page()
    to_work(page, served.raters[0])
    page.wait_for_load_state("networkidle")
    answer(page, "seen")
    expect(page.locator("[data-save]")).to_have_text("saved")
    with closing(sqlite3.connect(served.study.store.path)) as database:
        (text,) = database.execute("SELECT evidence FROM submissions").fetchone()
    evidence = json.loads(text)
    (picture,) = evidence["media"]
    assert (picture["ok"], picture["width"], picture["height"]) == (True, 64, 64)
    assert evidence["visible_seconds"] <= evidence["seconds"]
