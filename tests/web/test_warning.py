"""Live warnings on the page: a form first, the same by script, in the rater's language."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from rooms import Rater, Room, browsing, open_room, serving
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


def test_in_a_browser_the_rater_reads_it_and_goes_on(talk: Room, open_page: Callable[..., Page]) -> None:
    with browsing(talk) as client:
        rater = to_work(client, talk.raters[0])
        cookies = [{"name": c.name, "value": c.value, "url": talk.base} for c in client.cookies.jar]
        at = str(rater.page.url)
    page = open_page()
    page.context.add_cookies(cookies)  # type: ignore[arg-type]
    page.goto(at)
    warning = page.locator("[data-warned]")
    expect(warning).to_be_hidden()
    for name, value in FAR.items():
        field = page.locator(f'[name="{name}"][value="{value}"]')
        if field.count():
            field.check(force=True)
    page.locator("[data-submit]").click()
    expect(warning).to_be_visible()
    expect(warning.locator("li")).to_have_text([SAYS])
    assert page.url == at
    assert complaints(page) == []
    page.locator("[data-submit]").click()
    expect(warning).to_be_hidden()
    page.wait_for_url(lambda url: url != at)
    assert [a.revision for a in talk.rows(lambda tx: tx.all_answers()) if a.question == "overall_quality"] == [1, 2]
