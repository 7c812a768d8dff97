"""A set of sounds on one page: played one at a time, each rated on its own, kept by the system that made it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from rooms import Rater, Room, browsing, open_room, resize, wait_for_scripts
from test_browser_access import complaints

sys.path.append(str(Path(__file__).parent.parent / "unseen"))

from made import SYSTEMS, mushra

pytestmark = pytest.mark.browser
LETTERS = ["A", "B", "C", "D"]


@pytest.fixture
def room(tmp_path: Path, empty_database: Path) -> Iterator[Room]:
    made = open_room(mushra(tmp_path / "study"), empty_database)
    yield made
    made.study.close()


def test_every_sound_is_played_and_rated_on_one_page(served: Room, open_page: Callable[..., Page]) -> None:
    page = open_page(reduced_motion="reduce")
    page.goto(served.raters[0])
    page.click("button[value=yes]")
    page.click("main button.primary")
    page.wait_for_url("**/work/*")
    wait_for_scripts(page)
    first = page.url
    sides = page.locator(".pair-side")
    expect(sides.locator(".pair-label")).to_have_text(LETTERS)
    expect(page.locator(".pair-reference .pair-label")).to_have_text("Reference")
    assert complaints(page) == []
    for number in range(4):
        sides.nth(number).locator("[data-play]").click()
        expect(sides.nth(number).locator("[data-pass].done")).to_have_count(1)
    fields = page.locator("[data-question=quality] input[type=number]")
    for number in range(3):
        fields.nth(number).fill(str(20 * number))
    for part in page.locator("[data-question=artefacts] [data-part]").all():
        part.locator("[type=radio]").first.check(force=True)
    page.locator("[data-submit]").click()
    expect(page.locator("[data-question=quality] .wrong")).to_be_visible()
    assert page.url == first
    fields.nth(3).fill("60")
    with page.expect_response(first):
        page.locator("[data-submit]").click()
    page.wait_for_url(lambda url: url != first)
    resize(page, 375, 800)
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    assert complaints(page) == []
    (stored,) = [answer for answer in served.answers() if answer.question == "quality"]
    sent = served.rows(lambda tx: tx.assignment(first.rsplit("/", 1)[1]))
    assert stored.value == {sent.shown.sides[side]: 20.0 * number for number, side in enumerate("abcd")}
    assert set(stored.value) == set(SYSTEMS)


def test_one_that_is_not_rated_is_said_without_a_script(served: Room) -> None:
    with browsing(served) as client:
        rater = Rater(client, served.raters[0])
        rater.send(_agree="yes")
        rater.send()
        page = rater.send(quality__a="1", quality__b="2", quality__c="3")
    assert page.status_code == 422
    assert "Please rate each of them." in page.text
    assert served.answers() == []
