"""Every medium in a real browser: what a rater sees, does and may not skip."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from rooms import Room, browsing, wait_for_scripts

from quorate.records import Reason
from quorate.study import DATABASE
from studies_media import STUDIES

pytestmark = pytest.mark.browser
Open = Callable[..., tuple[Room, Any]]


def clip(page: Any, side: int) -> Any:
    return page.locator(".pair-side").nth(side)


def play_to_the_end(page: Any, side: int, done: int) -> None:
    """Plays a clip at its own speed until the mark of this play is set, and to its end."""
    clip(page, side).locator("[data-play]").click()
    clip(page, side).locator(".passes .done").nth(done - 1).wait_for()
    page.wait_for_function("n => document.querySelectorAll('.pair-side video, .pair-side audio')[n].paused", arg=side)


def answer(page: Any, winner: str = "left") -> None:
    page.check(f"[name=winner][value={winner}]", force=True)
    page.check("[name='reasons.primary'][value=Flicker]")
    for side in ("left", "right"):
        page.check(f"[name='adherence.{side}'][value='4']", force=True)


def first_of(page: Any) -> str:
    return page.locator(".item-name").inner_text()


def test_an_answer_waits_until_both_clips_were_played_twice(at_work: Open) -> None:
    room, page = at_work("compare")
    name = first_of(page)
    answer(page)
    page.click("[data-submit]")
    expect(page.locator("[data-notice]")).to_contain_text("play each clip to its end")
    for side in (0, 1):
        for play in (1, 2):
            play_to_the_end(page, side, play)
    expect(page.locator(".passes .done")).to_have_count(4)
    page.click("[data-submit]")
    expect(page.locator(".item-name")).not_to_have_text(name)
    expect(page.locator("[data-save]")).to_have_text("saved")
    values = {given.question: given for given in room.answers()}
    assert values["winner"].value in ("aurora", "borealis")
    assert set(values["adherence"].value.values()) == {4}
    assert values["comment"].reason is Reason.NOT_APPLICABLE
    with closing(sqlite3.connect(room.study.folder / DATABASE)) as database:
        (evidence,) = database.execute("SELECT evidence FROM submissions").fetchone()
    entries = {entry["path"]: entry for entry in json.loads(evidence)["media"]}
    assert {path.split("_")[0] for path in entries} == {"clips/aurora", "clips/borealis"}
    assert all(entry["full_plays"] == 2 and entry["seconds"] > 1.9 for entry in entries.values())


def test_the_server_refuses_what_was_not_played(at_work: Open) -> None:
    room, page = at_work("compare")
    form = {
        "winner": "left", "reasons.primary": "Flicker", "adherence.left": "3", "adherence.right": "3",
        "_csrf": page.input_value("[name=_csrf]"), "_key": "forged", "_revision": "0",
        "_evidence": '{"media": [{"name": "x.mp4", "full_plays": 9}]}',
    }  # fmt: skip
    refused = page.request.post(page.url, form=form, headers={"accept": "application/json", "origin": room.base})
    assert refused.status == 422
    assert "play each clip" in refused.json()["errors"]["_media"]
    plain = page.request.post(page.url, form=form, headers={"origin": room.base})
    assert plain.status == 422
    assert "play each clip" in plain.text()
    assert not room.answers()


def test_a_jump_to_the_end_is_not_a_play(at_work: Open) -> None:
    _, page = at_work("compare")
    video = "document.querySelectorAll('.pair-side video')[0]"
    page.wait_for_function(f"() => {video}.readyState >= 2")
    page.evaluate(f"{video}.addEventListener('ended', () => (window.ends = (window.ends ?? 0) + 1))")
    page.evaluate(f"{video}.currentTime = 0.8")
    clip(page, 0).locator("[data-play]").click()
    page.wait_for_function("() => window.ends === 1")
    assert clip(page, 0).locator(".passes .done").count() == 0
    page.evaluate(f"{video}.playbackRate = 4")
    clip(page, 0).locator("[data-play]").click()
    page.wait_for_function("() => window.ends === 2")
    assert clip(page, 0).locator(".passes .done").count() == 0


def test_what_was_played_survives_a_reload(at_work: Open) -> None:
    _, page = at_work("compare")
    play_to_the_end(page, 1, 1)
    page.reload()
    expect(clip(page, 1).locator(".passes .done")).to_have_count(1)
    expect(page.locator(".passes .done")).to_have_count(1)


def test_both_play_in_step_which_does_not_count_here(at_work: Open) -> None:
    _, page = at_work("compare")
    both = "[...document.querySelectorAll('.pair-side video')]"
    page.wait_for_function(f"() => {both}.every(video => video.readyState >= 2)")
    page.evaluate(f"{both}.forEach(video => (video.playbackRate = 0.25))")  # a busy machine has time to look
    page.keyboard.press("Space")
    page.wait_for_function(f"() => {both}.every(video => video.currentTime > 0.2)")
    page.keyboard.press("Space")
    page.wait_for_function(f"() => {both}.every(video => video.paused)")
    one, other = page.evaluate(f"{both}.map(video => video.currentTime)")
    assert abs(one - other) < 0.35
    page.keyboard.press(".")
    page.wait_for_function(f"() => {both}.every(video => !video.seeking)")
    after = page.evaluate(f"{both}.map(video => video.currentTime)")
    assert after[0] == pytest.approx(after[1], abs=0.01)
    assert after[0] > min(one, other)
    page.evaluate(f"{both}.forEach(video => (video.playbackRate = 1))")
    page.locator("[data-joint] [data-play]").click()
    page.wait_for_function(f"() => {both}.every(video => video.ended)")
    assert page.locator(".passes .done").count() == 0


def test_keys_choose_sides_points_and_a_tie(at_work: Open) -> None:
    _, page = at_work("compare")
    page.locator("[data-joint] [data-play]").wait_for()
    # A key answers and goes on; a side may be said again from there, an arrow or a tie one question back.
    keys = (
        ("ArrowLeft", "left"),
        ("b", "right"),
        ("a", "left"),
        ("Backspace ArrowRight", "right"),
        ("Backspace 0", "tie"),
    )
    for pressed, side in keys:
        for key in pressed.split():
            page.keyboard.press(key)
        expect(page.locator(f"[name=winner][value={side}]")).to_be_checked()
    page.focus("[name='adherence.left'] >> nth=0")
    page.keyboard.press("4")
    expect(page.locator("[name='adherence.left'][value='4']")).to_be_checked()
    page.keyboard.press("Backspace")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("[name='adherence.left'][value='3']")).to_be_checked()
    expect(page.locator("[name=winner][value=tie]")).to_be_checked()


def test_a_tie_asks_for_a_reason_and_for_the_side_of_each_tag(at_work: Open) -> None:
    _, page = at_work("compare")
    comment, side = page.locator("[data-question=comment]"), page.locator("[name='reasons.of.Flicker']")
    answer(page, "left")
    expect(comment).to_be_hidden()
    expect(side).to_be_hidden()
    page.check("[name=winner][value=tie]", force=True)
    expect(comment).to_be_visible()
    expect(side).to_be_visible()
    page.click("[data-submit]")
    expect(page.locator("#e-comment")).not_to_be_empty()
    expect(page.locator("#e-comment")).to_be_visible()
    page.check("[name='reasons.secondary'][value=Reset]")
    page.check("[name='reasons.secondary'][value=Drift]")
    expect(page.locator("[name='reasons.secondary'][value=Flicker]")).to_be_disabled()


def test_a_clip_that_does_not_load_can_be_passed_over(at_work: Open) -> None:
    room, page = at_work("compare")
    page.context.route("**/media/*", lambda route: route.abort())
    page.reload()
    expect(clip(page, 0).locator(".unloaded")).to_contain_text("does not play")
    clip(page, 0).locator("[data-without]").click()
    expect(page.locator("[data-save]")).to_have_text("saved")
    reasons = {given.question: given.reason for given in room.answers()}
    assert reasons == dict.fromkeys(("winner", "reasons", "adherence"), Reason.MEDIA_FAILED) | {
        "comment": Reason.NOT_APPLICABLE
    }


def test_no_byte_tells_the_system_or_the_file(at_work: Open) -> None:
    _, page = at_work("compare")
    replies: list[Any] = []
    page.on("response", lambda reply: replies.append(reply))
    page.reload()
    page.wait_for_load_state("networkidle")
    bodies = [reply.url.encode() + reply.body() for reply in replies]
    assert len(bodies) > 4
    for blind in (b"aurora", b"borealis", b"system_1", b"clips/", b"made-by"):
        assert not any(blind in body for body in bodies)


def test_clips_are_served_in_ranges(at_work: Open) -> None:
    room, page = at_work("compare")
    address = page.locator("video").first.get_attribute("src")
    with browsing(room) as client:
        whole = client.get(address)
        part = client.get(address, headers={"range": "bytes=10-19"})
    assert whole.headers["content-type"] == "video/mp4"
    assert part.status_code == 206
    assert part.content == whole.content[10:20]


def go_to(page: Any, text: str) -> None:
    """Looks at the items that the page holds until one shows this text."""
    for address in held(page):
        if text in page.inner_text(".stimulus"):
            break
        page.goto(address)
    wait_for_scripts(page)
    assert text in page.inner_text(".stimulus"), f"no item shows {text!r}"


def held(page: Any) -> list[str]:
    """The addresses of the items that the page holds ahead."""
    ids = "[...document.querySelectorAll('template[data-held]')].map((held) => held.dataset.held)"
    return [page.url.rsplit("/", 1)[0] + f"/{id}" for id in page.evaluate(ids)]


def test_hostile_markdown_stays_text(at_work: Open) -> None:
    _, page = at_work("extraction")
    dialogs: list[Any] = []
    asked: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog), dialog.dismiss()))
    page.on("request", lambda request: asked.append(request.url))
    go_to(page, "Mean speed")
    assert "<script>alert(1)</script>" in page.inner_text(".stimulus .text")
    assert page.locator(".stimulus .text script, .stimulus .text img, .stimulus .text a[href^=javascript]").count() == 0
    assert not dialogs
    assert not [url for url in asked if "evil" in url]


def test_a_table_is_shown_as_a_table_beside_its_page(at_work: Open) -> None:
    _, page = at_work("extraction")
    go_to(page, "Surface")
    assert page.locator(".cells th").all_inner_texts() == ["Surface", "Snails"]
    assert page.locator(".cells td").all_inner_texts() == ["stone", "15", "grass", "12"]
    sheet, cells = page.locator(".sheet .frame").bounding_box(), page.locator(".cells").bounding_box()
    assert sheet["x"] + sheet["width"] <= cells["x"]


def test_a_page_can_be_zoomed_and_moved(at_work: Open) -> None:
    _, page = at_work("extraction")
    page.wait_for_function("() => document.querySelector('.sheet img').naturalWidth > 500")
    picture = page.locator(".sheet img")
    page.locator(".sheet [data-zoom=in]").click()
    expect(picture).to_have_attribute("style", re.compile(r"scale\(1\.5\)"))
    page.locator(".sheet .frame").focus()
    before = picture.get_attribute("style")
    page.keyboard.press("ArrowRight")
    expect(picture).not_to_have_attribute("style", before)
    page.locator(".sheet [data-zoom=fit]").click()
    expect(picture).not_to_have_attribute("style", re.compile("scale"))


def test_pages_can_be_browsed_where_the_page_is_not_known(at_work: Open) -> None:
    _, page = at_work("extraction")
    go_to(page, "never printed")
    first = page.locator(".sheet img").get_attribute("src")
    page.locator("[data-turn='1']").click()
    expect(page.locator("[data-page][aria-current]")).to_have_text("2")
    expect(page.locator(".sheet img")).not_to_have_attribute("src", first)
    page.wait_for_function("() => document.querySelector('.sheet img').naturalWidth > 500")


def test_cannot_judge_takes_the_place_of_an_answer(at_work: Open) -> None:
    room, page = at_work("extraction")
    page.check("[name=caption_score][value='1']", force=True)
    page.locator("[data-question=correct]").wait_for()
    page.check("[name='caption_score.cannot_judge']")
    page.locator("[data-question=correct]").wait_for(state="hidden")
    expect(page.locator("[name=caption_score]:checked")).to_have_count(0)
    page.click("[data-submit]")
    expect(page.locator("[data-save]")).to_have_text("saved")
    values = {given.question: given for given in room.answers()}
    assert values["caption_score"].reason is Reason.CANNOT_JUDGE
    assert values["correct"].reason is Reason.NOT_APPLICABLE
    page.click("[data-previous]")
    expect(page.locator("[name='caption_score.cannot_judge']")).to_be_checked()


def test_a_conversation_shows_earlier_turns_and_marks_the_judged_one(at_work: Open) -> None:
    _, page = at_work("talk")
    go_to(page, "Are you sure?")
    turns = page.locator(".turn")
    assert turns.count() == 4
    assert turns.nth(0).locator("img").count() == 1
    assert page.locator(".judged").count() == 1
    assert "the sea" in page.locator(".judged em").inner_text()
    assert page.locator("[data-question=consistent]").count() == 1
    assert "zeta" not in page.content()


def test_a_first_turn_is_not_asked_about_what_came_before(at_work: Open) -> None:
    _, page = at_work("talk")
    for address in held(page):
        if page.locator(".turn").count() != 2:
            page.goto(address)
    assert page.locator(".turn").count() == 2
    assert page.locator("[data-question=consistent]").count() == 0


def test_sounds_are_rated_by_side_and_played_together(at_work: Open) -> None:
    room, page = at_work("listen")
    both = "[...document.querySelectorAll('.pair-side audio')]"
    page.wait_for_function(f"() => {both}.every(sound => sound.readyState >= 2)")
    page.evaluate(f"{both}.forEach(sound => (sound.playbackRate = 0.25))")  # a busy machine keeps them in step, too
    page.locator("[data-joint] [data-play]").click()
    page.wait_for_function("() => document.querySelectorAll('.pair-side .passes .done').length === 2")
    assert page.locator(".pair-reference .passes").count() == 0
    for side, key in (("left", "End"), ("right", "Home")):
        page.locator(f"[data-slides='quality.{side}']").focus()
        page.keyboard.press(key)
    page.check("[name=versus][value='2']", force=True)
    page.click("[data-submit]")
    page.wait_for_url("**/done", wait_until="commit")
    values = {given.question: given for given in room.answers()}
    quality = values["quality"].value
    assert sorted(quality.values()) == [0, 100]
    better = max(quality, key=quality.__getitem__)
    # The scale speaks of the left side, and is stored for the system that comes first in the alphabet.
    assert values["versus"].value == (2 if better == "codec" else -2)


@pytest.mark.parametrize("name", STUDIES)
@pytest.mark.parametrize("look", [{}, {"color_scheme": "dark", "viewport": {"width": 390, "height": 844}}])
def test_axe_finds_nothing_on_any_medium(at_work: Open, name: str, look: dict[str, Any]) -> None:
    _, page = at_work(name, **look)
    page.wait_for_load_state("networkidle")
    found = Axe().run(page).response["violations"]
    assert not found, [(one["id"], [node["html"][:160] for node in one["nodes"][:3]]) for one in found]


@pytest.mark.parametrize("name", STUDIES)
def test_a_narrow_page_does_not_scroll_sideways(at_work: Open, name: str) -> None:
    _, page = at_work(name, viewport={"width": 320, "height": 700})
    page.wait_for_load_state("networkidle")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    for shown in page.locator(".stimulus :is(.frame, .player):visible").all():
        assert shown.bounding_box()["height"] >= 32
    assert all(frame.bounding_box()["height"] >= 100 for frame in page.locator(".stimulus .frame").all())
