"""A member decides what raters could not settle: without names, by side, with a reason."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from secrets import token_hex
from typing import Any

import httpx
import pytest
from rooms import Room, browsing, open_room, serving
from test_desk import send, token
from walks import short

from quorate.collect import practice, way, work
from quorate.collect.adjudication import queue
from quorate.collect.evidence import all_done
from quorate.collect.way import Step

TAGS = ("Missed constraint", "Flicker / temporal jitter", "Artifacts / blur / distortion")


@pytest.fixture
def torn(tmp_path: Path, empty_database: Path) -> Iterator[Room]:
    """Three raters who name another winner each, for every item."""
    room = open_room(short("media-preference", tmp_path / "study"), empty_database)
    for number in range(3):
        room.do(lambda tx, number=number: to_work(tx, room, number))
    given: dict[str, int] = {}
    for _ in range(6):
        for number in range(3):
            room.do(lambda tx, number=number: answer(tx, room, number, given))
    with serving(room):
        yield room
    room.study.close()


def to_work(tx: Any, room: Room, number: int) -> None:
    protocol, rater = room.study.protocol, tx.raters()[number].id
    way.consent(tx, protocol, rater, True)
    way.instructions_read(tx, protocol, rater)
    for position in (1, 2):
        played = all_done(protocol.practice_section, way.practice_items(protocol)[position - 1])
        given = form("left", "right", TAGS[0], edit=position == 2)
        practice.practice_answer(tx, protocol, rater, position, given, played)
        practice.answer_seen(tx, protocol, rater, position)
    practice.practice_done(tx, protocol, rater)


def form(winner: str, of: str, tag: str, edit: bool) -> dict[str, list[str]]:
    asked = ["prompt_adherence", "temporal_consistency", "identity_consistency", "motion_physics"]
    marks = {f"{id}.{side}": ["4" if side == winner else "2"] for id in asked for side in ("left", "right")}
    if edit:
        marks |= {"edit_precision.left": ["3"], "edit_precision.right": ["3"]}
    return {"winner": [winner], "reasons.primary": [tag], f"reasons.of.{tag}": [of], **marks}


def answer(tx: Any, room: Room, number: int, given: dict[str, int]) -> None:
    protocol, rater = room.study.protocol, tx.raters()[number].id
    if way.where(tx, protocol, rater).step is not Step.WORK:
        return
    found = work.work(tx, protocol, rater)
    place, item = found.place.assignment, found.place.item
    if place.answered:
        return
    systems = sorted(place.shown.sides.values())
    kth = given.setdefault(item.id, 0)
    given[item.id] += 1
    winner = "tie" if kth == 2 else place.shown.side_of(systems[kth])
    posted = form(winner, "left", TAGS[kth], item["task_family"] == "edit")
    evidence = all_done(found.section, item)
    work.submit(tx, protocol, rater, work.Submission(token_hex(8), place.id, posted, evidence))


def entered(room: Room, name: str = "Bea") -> httpx.Client:
    member = browsing(room)
    member.get(room.member_link(name))
    send(member, "/desk/borderline/declare", _rated="no", _to="adjudication")
    return member


def first_case(member: httpx.Client) -> str:
    return re.search(r'href="(/desk/adjudication/[^"]+)"', member.get("/desk/adjudication").text)[1]


def test_items_without_agreement_wait_with_their_answers_side_by_side(torn: Room) -> None:
    member = entered(torn)
    assert "To be decided · 2" in member.get("/desk/adjudication").text
    page = member.get(first_case(member)).text
    assert "Answer 3" in page
    for tag in TAGS:
        assert tag in page
    table = page.split('class="opinions"', 1)[1].split("</table>", 1)[0]
    assert sorted(re.findall(r"<p>(A|B|Tie)</p>", table)) == ["A", "B", "Tie"]


def test_a_tag_says_which_side_it_describes(torn: Room) -> None:
    member = entered(torn)
    page = member.get(first_case(member)).text
    case = torn.rows(lambda tx: queue(tx, torn.study.protocol))[0]
    for opinion in case.opinions:
        (tag,) = opinion["reasons"].value["primary"]
        side = case.shown.side_of(opinion["reasons"].value["of"][tag])
        assert f"{tag} ({'A' if side == 'left' else 'B'})" in page


def test_no_name_of_a_rater_or_a_system_is_on_the_page(torn: Room) -> None:
    member = entered(torn)
    page = member.get(first_case(member)).text.split("<main", 1)[1]
    case = torn.rows(lambda tx: queue(tx, torn.study.protocol))[0]
    for told in (*case.shown.sides.values(), case.item["clip_1"], "vlm_winner"):
        assert told not in page
    assert not re.search(r"\bR[123]\b", page)


def decide(member: httpx.Client, at: str, **fields: str) -> httpx.Response:
    page = member.get(at)
    key = re.search(r'name="_key" value="([^"]+)"', page.text)[1]
    return member.post(at, data={"_csrf": token(page), "_key": key, **fields})


def test_a_decision_is_an_answer_with_a_reason(torn: Room) -> None:
    member = entered(torn)
    at = first_case(member)
    before = torn.answers()
    page = decide(member, at, winner="left", _reason="The other one drops the lamp.")
    assert page.url.path == "/desk/adjudication"
    assert "Decided · 1" in page.text
    assert "The other one drops the lamp." in page.text
    (row,) = torn.rows(lambda tx: tx.latest_answers(by="member"))
    case = next(c for c in torn.rows(lambda tx: queue(tx, torn.study.protocol, True)) if c.decided)
    assert row.value == case.shown.sides["left"]
    assert torn.answers() == before


def test_a_decision_needs_a_reason_and_an_answer_and_loses_nothing(torn: Room) -> None:
    member = entered(torn)
    at = first_case(member)
    page = decide(member, at, winner="right", _reason="  ")
    assert page.status_code == 422
    assert "say why you decide so" in page.text
    assert re.search(r'value="right"[^>]* checked', page.text)
    page = decide(member, at, _reason="because")
    assert page.status_code == 422
    assert ">because</textarea>" in page.text
    page = decide(member, at, winner="the left system", _reason="because")
    assert page.status_code == 422
    assert torn.rows(lambda tx: tx.latest_answers(by="member")) == ()


def test_a_decision_sent_twice_is_stored_once_and_a_new_one_counts(torn: Room) -> None:
    member = entered(torn)
    at = first_case(member)
    page = member.get(at)
    data = {"_csrf": token(page), "_key": "k1", "winner": "left", "_reason": "first"}
    member.post(at, data=data)
    member.post(at, data=data)
    assert len(torn.rows(lambda tx: tx.all_answers(by="member"))) == 1
    assert "decided already" in member.get(at).text
    decide(member, at, winner="tie", _reason="second look")
    assert "second look" in member.get("/desk/adjudication").text
    assert len(torn.rows(lambda tx: tx.all_answers(by="member"))) == 2


def test_a_rater_does_not_adjudicate(torn: Room) -> None:
    at = first_case(entered(torn))
    rater = browsing(torn)
    rater.get(torn.member_link("Cem"))
    assert "Are you a rater" in rater.get(at).text
    page = rater.get("/desk/adjudication")
    send(rater, "/desk/borderline/declare", _rated="yes", _to="adjudication")
    assert "the others decide" in rater.get("/desk/adjudication").text
    reply = rater.post(at, data={"_csrf": token(page), "_key": "k", "winner": "left", "_reason": "mine"})
    assert reply.status_code == 409


def test_a_case_that_is_none_is_not_found(torn: Room) -> None:
    member = entered(torn)
    assert member.get("/desk/adjudication/compare/1/nonsense").status_code == 404


@pytest.mark.browser
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_on_the_pages_of_adjudication(torn: Room, new_page: Any, theme: str) -> None:
    from test_browser_access import complaints

    page = new_page(base_url=torn.base, color_scheme=theme, reduced_motion="reduce")
    found = []
    page.goto(torn.member)
    page.goto("/desk/adjudication")
    page.get_by_role("button", name="No, I have not").click()
    for width in (1440, 375):
        page.set_viewport_size({"width": width, "height": 900})
        page.goto("/desk/adjudication")
        found += complaints(page)
        page.locator("tbody a").first.click()
        page.get_by_text("Decide other questions").click()
        page.get_by_role("button", name="Decide").click()
        page.get_by_text("Please choose a side, or a tie.").wait_for()
        found += complaints(page)
        assert page.evaluate("document.documentElement.scrollWidth") == width
    page.locator("[name=winner]").first.check()
    page.get_by_label("Why").fill("The other one drops the lamp.")
    page.get_by_role("button", name="Decide").click()
    page.locator("#decided-title").wait_for()
    found += complaints(page)
    assert found == []
