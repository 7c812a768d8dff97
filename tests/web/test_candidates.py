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
    assert re.search(r"Cities</th><td[^>]*>3</td><td[^>]*>2</td><td[^>]*>1</td><td>enough", page)
    assert page.count("1 missing: invite more candidates") == 5
    assert "Some panels would have too few raters" in page
    assert "Candidates" in desk.get("/desk/").text


def test_the_cut_is_asked_for_and_made_once(recruiting: Room, desk: httpx.Client) -> None:
    assert "Tick that you are sure" in send(desk, "/desk/candidates").text
    assert recruiting.rows(lambda tx: tx.last_event("recruitment_closed")) is None
    page = send(desk, "/desk/candidates", _sure="yes").text
    assert "Recruitment is closed" in page
    assert "1 take part" in page
    assert page.count("0 of 1 raters") == 5  # an alarm for each panel that nobody came to
    assert page.count("<td>selected</td>") == 1
    assert page.count("<td>not selected</td>") == 2
    assert "made once" in send(desk, "/desk/candidates", _sure="yes").text
    assert len(recruiting.rows(lambda tx: tx.events(kinds=["recruitment_closed"]))) == 1


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
def test_axe_finds_nothing_on_the_candidates_page(recruiting: Room, chrome: Any, theme: str) -> None:
    from test_browser_access import complaints

    context = chrome.new_context(base_url=recruiting.base, color_scheme=theme, reduced_motion="reduce")
    page = context.new_page()
    page.goto(recruiting.member)
    found = []
    for path in ("/desk/", "/desk/candidates"):
        for width in (1440, 375):
            page.set_viewport_size({"width": width, "height": 900})
            page.goto(path)
            found += complaints(page)
            assert page.evaluate("document.documentElement.scrollWidth") == width
    page.get_by_label("I am sure").check()
    page.get_by_role("button", name="Close recruitment").click()
    page.get_by_role("heading", name="Recruitment is closed").wait_for()
    found += complaints(page)
    context.close()
    assert found == []
