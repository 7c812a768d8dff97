"""Live warnings on the page: a form first, the same by script, in the rater's language."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from rooms import Rater, Room, browsing, open_room, serving, wait_for_scripts
from test_browser_access import complaints
from walks import short

FITS = {
    "correctness": "4",
    "reasoning_completeness": "4",
    "resists_misleading": "Yes",
    "context_consistency": "Yes",
    "overall_quality": "4",
}
FAR = {**FITS, "overall_quality": "1"}
SAYS = "The overall score is far from the weighted score."


@pytest.fixture
def talk(tmp_path: Path, empty_database: Path) -> Iterator[Room]:
    folder = short("dialogue", tmp_path / "talk")
    study = folder / "study.yaml"
    study.write_text(
        study.read_text().replace("      - id: overall_fits ", "      - live: true\n        id: overall_fits ")
    )
    room = open_room(folder, empty_database)
    assert room.study.protocol.sections[0].rules[0].live
    with serving(room):
        yield room
    room.study.close()


def to_work(client: object, link: str) -> Rater:
    rater = Rater(client, link)  # type: ignore[arg-type]
    rater.send(_agree="yes")
    rater.send()
    for _ in range(12):
        if not rater.step.startswith("practice"):
            break
        rater.send(**({} if rater.step.endswith("/answer") else FITS))
    if rater.step == "feedback":
        rater.send()
    assert rater.step.startswith("work/"), rater.step
    return rater


def test_without_a_script_the_same_page_comes_again_with_the_sentence_and_the_answers(talk: Room) -> None:
    with browsing(talk) as client:
        rater = to_work(client, talk.raters[0])
        first = rater.step
        assert SAYS not in rater.page.text
        page = rater.send(**FAR)
        assert (page.status_code, rater.step) == (200, first)
        assert SAYS in page.text
        assert 'name="overall_quality" value="1" checked' in page.text
        assert rater.hidden("_revision") == "1"
        page = rater.send(**FITS)
        assert rater.step != first
        assert SAYS not in page.text
    revisions = [a.revision for a in talk.rows(lambda tx: tx.all_answers()) if a.question == "overall_quality"]
    assert revisions == [1, 2]


def test_the_warning_is_in_the_language_of_the_rater(talk: Room) -> None:
    with browsing(talk, headers={"accept-language": "zh"}) as client:
        rater = to_work(client, talk.raters[0])
        page = rater.send(**FAR)
        assert "整体评分与加权得分相差较大。" in page.text
        assert "Please look" not in page.text


def test_a_script_hears_of_the_warning_in_its_receipt(talk: Room) -> None:
    with browsing(talk) as client:
        rater = to_work(client, talk.raters[0])
        token = {"_csrf": rater.hidden("_csrf"), "_key": "k1", "_revision": "0"}
        reply = client.post(rater.page.url.path, data={**token, **FAR}, headers={"accept": "application/json"})
        assert reply.json()["warned"] == [SAYS]
        assert reply.json()["revision"] == 1


def at_first_item(talk: Room, open_page: Callable[..., Page]) -> Page:
    """A real browser at the first item of a rater who came there without one."""
    with browsing(talk) as client:
        rater = to_work(client, talk.raters[0])
        cookies = [{"name": c.name, "value": c.value, "url": talk.base} for c in client.cookies.jar]
        at = str(rater.page.url)
    page = open_page()
    page.context.add_cookies(cookies)  # type: ignore[arg-type]
    page.goto(at)
    wait_for_scripts(page)
    expect(page.locator("[data-warned]")).to_be_hidden()
    return page


def fill(page: Page, values: dict[str, str]) -> None:
    for name, value in values.items():
        field = page.locator(f'[name="{name}"][value="{value}"]')
        if field.count():
            field.check(force=True)


def overall(talk: Room) -> list[tuple[int, object]]:
    rows = talk.rows(lambda tx: tx.all_answers())
    return [(row.revision, row.value) for row in rows if row.question == "overall_quality"]


@pytest.mark.browser
def test_in_a_browser_the_rater_reads_it_and_goes_on(talk: Room, open_page: Callable[..., Page]) -> None:
    page = at_first_item(talk, open_page)
    at, warning = page.url, page.locator("[data-warned]")
    fill(page, FAR)
    page.locator("[data-submit]").click()
    expect(warning).to_be_visible()
    expect(warning.locator("li")).to_have_text([SAYS])
    # All of it is read, and answered, without looking for anything.
    for part in (warning.locator("p").last, page.locator("[data-submit]")):
        expect(part).to_be_in_viewport(ratio=1)
    assert page.url == at
    assert complaints(page) == []
    page.locator("[data-submit]").click()
    expect(warning).to_be_hidden()
    page.wait_for_url(lambda url: url != at)
    assert overall(talk) == [(1, 1), (2, 1)]


@pytest.mark.browser
def test_without_a_connection_the_rater_goes_on_and_is_told_when_the_answer_has_arrived(
    talk: Room, open_page: Callable[..., Page]
) -> None:
    page = at_first_item(talk, open_page)
    first, warning = page.url, page.locator("[data-warned]")
    page.context.set_offline(True)
    fill(page, FAR)
    page.locator("[data-submit]").click()
    page.wait_for_url(lambda url: url != first)
    expect(page.locator("[data-save]")).to_contain_text("1 answer kept here")
    expect(warning).to_be_hidden()
    assert overall(talk) == []
    second = page.url
    fill(page, {"correctness": "5"})
    page.context.set_offline(False)
    page.wait_for_url(first)
    expect(warning.locator("li")).to_have_text([SAYS])
    assert overall(talk) == [(1, 1)]
    fill(page, FITS)
    page.locator("[data-submit]").click()
    page.wait_for_url(second)
    expect(warning).to_be_hidden()
    expect(page.locator('[name="correctness"][value="5"]')).to_be_checked()  # what was begun meanwhile is kept
    expect(page.locator("[data-save]")).to_have_text("saved")
    assert overall(talk) == [(1, 1), (2, 4)]
