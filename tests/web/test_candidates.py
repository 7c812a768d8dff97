"""Candidates at the desk: results of the quiz, what the cut would lack, and the cut itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from rooms import Rater, Room, browsing, open_room, serving
from test_desk import send, token
from test_quiz import answers
from walks import short


@pytest.fixture
def recruiting(tmp_path: Path, empty_database: Path) -> Iterator[Room]:
    """Three candidates of the panel Cities with 3, 3 and 2 of 3 right; one of them is wanted."""
    room = open_room(short("abstract-visual", tmp_path / "study"), empty_database)
    with serving(room):
        for number, right in enumerate((3, 3, 2)):
            rater = Rater(browsing(room), room.raters[number])
            rater.send(_agree="yes")
            rater.send(**answers(room, number, right))
        yield room
    room.study.close()


@pytest.fixture
def desk(recruiting: Room) -> httpx.Client:
    member = browsing(recruiting)
    member.get(recruiting.member)
    return member


def test_results_stand_ranked_with_what_each_panel_lacks(desk: httpx.Client) -> None:
    page = desk.get("/desk/candidates").text
    assert re.findall(r">(\d) of 3</td>", page) == ["3", "3", "2"]
    assert "1 place free, 1 could be filled now, 1 in reserve" in page
    assert re.search(r"<strong>E[12]</strong> takes part: 3 of 3 right", page)
    assert "Thanked: E3 (2 of 3)" in page
    assert page.count("Nobody for a place") == page.count("1 place stays free") == 5
    assert "Candidates" in desk.get("/desk/").text


def settle(desk: httpx.Client, panel: str, seen: str = "", **fields: str) -> str:
    """Sends the form of a panel as the page has it."""
    page = desk.get("/desk/candidates").text
    found = re.search(f'name="_panel" value="{panel}"><input type="hidden" name="_seen" value="([^"]+)"', page)
    return send(desk, "/desk/candidates", _panel=panel, _seen=seen or (found[1] if found else "none"), **fields).text


def test_a_cut_is_asked_for_and_made_panel_by_panel(recruiting: Room, desk: httpx.Client) -> None:
    assert "Tick that you are sure" in settle(desk, "Cities")
    assert recruiting.rows(lambda tx: tx.last_event("cut")) is None
    page = settle(desk, "Cities", _sure="yes")
    assert page.count("<td>selected</td>") == page.count("<td>reserve</td>") == page.count("<td>not selected</td>") == 1
    assert "cut made, 1 selected, 1 in reserve, 1 thanked" in page
    assert "Please look at it again" in settle(desk, "Film", _sure="yes")
    assert [event.data["panel"] for event in recruiting.rows(lambda tx: tx.events(kinds=["cut"]))] == ["Cities"]


def test_a_place_that_is_free_again_is_given_to_the_reserve(recruiting: Room, desk: httpx.Client) -> None:
    settle(desk, "Cities", _sure="yes")
    (taking,) = recruiting.rows(lambda tx: tx.events(kinds=["selected"]))
    send(desk, f"/desk/raters/{taking.rater}/replace", _reason="does not answer")
    page = desk.get("/desk/candidates").text
    assert f"from the reserve, instead of {taking.rater} (was replaced: does not answer)" in page
    assert f"called from the reserve, instead of {taking.rater}" in settle(desk, "Cities", _sure="yes")
    assert f"instead of {taking.rater}" in desk.get("/desk/").text


def test_raters_are_invited_into_a_panel(recruiting: Room, desk: httpx.Client) -> None:
    page = desk.get("/desk/").text
    assert '<option value="Film"' in page
    assert "<td>Cities</td>" in page
    made = send(desk, "/desk/invite", _n="2", _panel="Film", _key="k-film").text
    assert made.count("/join/") == 4  # shown, and to be downloaded
    assert [rater.panel for rater in recruiting.rows(lambda tx: tx.raters())][-2:] == ["Film", "Film"]
    assert "There is no panel" in send(desk, "/desk/invite", _n="1", _panel="Opera", _key="k-opera").text


def test_a_preview_goes_on_after_the_quiz_without_a_cut(recruiting: Room, desk: httpx.Client) -> None:
    page = send(desk, "/desk/preview")
    root = "/".join(page.url.path.split("/")[:5])
    page = desk.post(f"{root}/consent", data={"_csrf": token(page), "_agree": "yes"})
    assert page.url.path == f"{root}/screening"
    fields = dict.fromkeys(re.findall(r'name="(quiz\.[^"]+)"', page.text), "@1")
    page = desk.post(f"{root}/screening", data={"_csrf": token(page), **fields})
    assert page.url.path == f"{root}/instructions"


def test_a_study_without_a_quiz_has_no_candidates(member: httpx.Client) -> None:
    assert member.get("/desk/candidates").status_code == 404
    assert "Candidates" not in member.get("/desk/").text


def test_the_desk_lists_the_protocol_and_its_amendments(recruiting: Room, desk: httpx.Client) -> None:
    recruiting.do(lambda tx: tx.add_protocol("f" * 32, "a" * 32, "{}", "The quiz had a wrong answer."))
    page = desk.get("/desk/").text
    assert "first consent" in page
    assert "The quiz had a wrong answer." in page


@pytest.mark.browser
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_on_the_candidates_page(recruiting: Room, new_page: Any, theme: str) -> None:
    from test_browser_access import complaints

    page = new_page(base_url=recruiting.base, color_scheme=theme, reduced_motion="reduce")
    page.goto(recruiting.member)
    found = []
    for path in ("/desk/", "/desk/candidates"):
        for width in (1440, 375):
            page.set_viewport_size({"width": width, "height": 900})
            page.goto(path)
            found += complaints(page)
            page.wait_for_function("width => document.documentElement.scrollWidth === width", arg=width)
    page.get_by_label("I am sure").check()
    page.get_by_role("button", name="Settle this in Cities").click()
    page.get_by_role("heading", name="What was settled").wait_for()
    found += complaints(page)
    assert found == []
