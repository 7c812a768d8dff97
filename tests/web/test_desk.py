"""The researcher's desk."""

from __future__ import annotations

import json
import re
import shutil
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from rooms import Rater, Room, browsing, serving
from walks import NAMES, short

from quorate.collect.rehearsal import rehearse
from quorate.study import DATABASE, Study
from quorate.web import make_app
from quorate.web.reports import _why
from quorate.web.views import tabs


def token(page: httpx.Response) -> str:
    return re.search(r'name="_csrf" value="(\w+)"', page.text)[1]


def send(member: httpx.Client, path: str, /, **fields: Any) -> httpx.Response:
    csrf = token(member.get("/desk/"))
    return member.post(path, data={"_csrf": csrf, **fields})


@pytest.fixture
def at_work(room: Room, served: Room) -> Rater:
    """A rater in another browser, who has answered one item."""
    rater = Rater(browsing(room), room.raters[0]).to_work()
    rater.send(idiom="an answer")
    return rater


def test_the_desk_shows_how_far_the_study_is(member: httpx.Client, at_work: Rater) -> None:
    page = member.get("/desk/").text
    assert re.search(r'class="figure">1<span> / 24', page)
    assert "at work" in page
    assert "1 / 8" in page


def test_nobody_without_a_link_sees_the_desk(client: httpx.Client, rater: Rater) -> None:
    for path in (
        "/desk/",
        "/desk/items",
        "/desk/items.csv",
        "/desk/borderline",
        "/desk/report",
        "/desk/report/report.html",
    ):
        assert client.get(path).status_code == 401, path
    assert client.post("/desk/state", data={"_state": "close"}).status_code == 401


def test_a_members_link_that_is_replaced_stops(room: Room, member: httpx.Client) -> None:
    assert member.get("/desk/").status_code == 200
    room.member_link("Ada")
    for path in ("/desk/", "/desk/report", "/desk/borderline"):
        assert member.get(path).status_code == 403, path
    assert send_without_reading(member, "/desk/state", _state="close").status_code == 403


def send_without_reading(member: httpx.Client, path: str, **fields: str) -> httpx.Response:
    return member.post(path, data={"_csrf": "0" * 32, **fields})


def test_the_study_is_closed_and_opened(member: httpx.Client, at_work: Rater) -> None:
    assert "Closed" in send(member, "/desk/state", _state="close").text
    at_work.open("work")
    assert at_work.step == "closed"
    assert "Close the study" in send(member, "/desk/state", _state="open").text


def test_every_form_of_the_desk_needs_its_token(member: httpx.Client) -> None:
    for path in ("state", "invite", "preview", "raters/A1/exclude", "raters/A1/revoke", "raters/A1/again", "borderline",
                 "borderline/declare", "report", "links.csv"):  # fmt: skip
        assert member.post(f"/desk/{path}", data={"_csrf": "wrong"}).status_code == 403, path


def test_an_excluded_rater_has_a_reason(room: Room, member: httpx.Client, at_work: Rater) -> None:
    assert "Say why" in send(member, "/desk/raters/A1/exclude", _reason=" ").text
    page = send(member, "/desk/raters/A1/exclude", _reason="answered everything in a second")
    assert "answered everything in a second" in page.text
    at_work.open("work")
    assert at_work.step == "excluded"


def test_a_revoked_link_says_so(member: httpx.Client, at_work: Rater) -> None:
    assert "revoked" in send(member, "/desk/raters/A1/revoke").text
    assert at_work.open("work").status_code == 403


def test_links_are_made_once_and_shown_once(room: Room, member: httpx.Client) -> None:
    send(member, "/desk/raters/A3/exclude", _reason="left")
    page = send(member, "/desk/invite", _n="1", _key="k1")
    link = re.search(r"(http://[\w.:]+/join/[\w-]+)", page.text)[1]
    assert "A4" in page.text
    assert len(room.rows(lambda tx: tx.raters())) == 4
    again = send(member, "/desk/invite", _n="1", _key="k1")
    assert link not in again.text
    assert len(room.rows(lambda tx: tx.raters())) == 4
    assert Rater(browsing(room), link).step == "consent"
    table = send(member, "/desk/links.csv", _rater="A4", _link=link)
    assert table.text == f"rater,link\nA4,{link}\n"


def test_a_full_roster_is_said(member: httpx.Client) -> None:
    assert "The roster is full" in member.get("/desk/").text
    assert "Someone who lost a link" in send(member, "/desk/invite", _n="2", _key="k2").text


def test_a_new_link_replaces_the_old_one(room: Room, member: httpx.Client, client: httpx.Client) -> None:
    page = send(member, "/desk/raters/A1/again", _key="k3")
    link = re.search(r"(http://[\w.:]+/join/[\w-]+)", page.text)[1]
    assert browsing(room).get(room.raters[0]).status_code == 403
    assert Rater(browsing(room), link).step == "consent"


def test_progress_comes_as_files(room: Room, member: httpx.Client, at_work: Rater) -> None:
    assert member.get("/desk/raters.csv").text.splitlines()[1].startswith("A1,work,1,8,")
    items = member.get("/desk/items.csv").text.splitlines()
    assert len(items) == 9
    assert sum(int(row.split(",")[3]) for row in items[1:]) == 1
    assert room.rows(lambda tx: tx.items())[0].id in member.get("/desk/items").text


def near_miss(room: Room, rater: Rater) -> tuple[str, str]:
    """Answers the first item almost right; gives the target and the answer."""
    (mine, *_) = [a for a in room.rows(lambda tx: tx.assignments("A1")) if a.id == rater.page.url.path.split("/")[-1]]
    target = room.rows(lambda tx: tx.item(mine.item))["target_idiom"]
    typed = target.replace("meets", "meet")
    rater.send(idiom=typed)
    return target, typed


@pytest.fixture
def case(room: Room, served: Room) -> tuple[str, str]:
    return near_miss(room, Rater(browsing(room), room.raters[0]).to_work())


def voter(room: Room, name: str) -> httpx.Client:
    made = browsing(room)
    made.get(room.member_link(name))
    send(made, "/desk/borderline/declare", _rated="no")
    return made


def ballot(page: str) -> dict[str, str]:
    return {name: re.search(f'name="{name}" value="([^"]*)"', page)[1]
            for name in ("_section", "_question", "_target", "_canonical")}  # fmt: skip


def test_three_members_decide_a_borderline_answer_by_majority(room: Room, case: tuple[str, str]) -> None:
    voters = [voter(room, name) for name in ("Bea", "Cem", "Dua")]
    for member, vote in zip(voters, ("yes", "no", "yes"), strict=True):
        page = member.get("/desk/borderline").text
        assert "For you to decide · 1" in page
        assert "Decided" not in page
        send(member, "/desk/borderline", _vote=vote, **ballot(page))
    page = voters[0].get("/desk/borderline").text
    assert "Decided · 1" in page
    assert len(room.rows(lambda tx: tx.decisions())) == 3


def test_the_desk_and_the_analysis_ask_for_the_same_number_of_voters() -> None:
    from quorate.sheets import decisions
    from quorate.web import borderline

    assert borderline.VOTERS == decisions.VOTERS


def test_voters_see_the_answer_and_nobody_behind_it(room: Room, case: tuple[str, str]) -> None:
    page = voter(room, "Bea").get("/desk/borderline").text
    assert "meet " in page
    for mark in ("A1", "img_", "votes in"):
        assert mark not in page.split("<main", 1)[1]


def test_a_member_who_rated_cannot_vote(room: Room, case: tuple[str, str]) -> None:
    open_voter = voter(room, "Bea")
    fields = ballot(open_voter.get("/desk/borderline").text)
    member = browsing(room)
    member.get(room.member_link("Cem"))
    assert "Are you a rater" in member.get("/desk/borderline").text
    assert send(member, "/desk/borderline", _vote="yes", **fields).status_code == 409
    send(member, "/desk/borderline/declare", _rated="yes")
    assert "the others decide" in member.get("/desk/borderline").text
    assert send(member, "/desk/borderline", _vote="yes", **fields).status_code == 409
    assert room.rows(lambda tx: tx.decisions()) == ()


def test_a_preview_records_nothing(room: Room, member: httpx.Client) -> None:
    page = send(member, "/desk/preview")
    assert page.url.path.startswith("/desk/preview/r/")
    assert "nothing you do here is recorded" in page.text
    before = len(room.rows(lambda tx: tx.events()))
    root = "/".join(page.url.path.split("/")[:5])
    for path, fields in (("consent", {"_agree": "yes"}), ("eligibility", {"proficiency": "Native"})):
        page = member.post(f"{root}/{path}", data={"_csrf": token(page), **fields})
    assert page.url.path == f"{root}/background"
    assert len(room.rows(lambda tx: tx.events())) == before
    assert room.rows(lambda tx: tx.protocols()) == ()


def test_a_preview_is_for_members_alone(room: Room, member: httpx.Client) -> None:
    page = send(member, "/desk/preview")
    assert browsing(room).get(page.url.path).status_code == 401


def test_the_report_is_made_and_served(room: Room, member: httpx.Client, at_work: Rater) -> None:
    assert "There is no report yet" in member.get("/desk/report").text
    page = send(member, "/desk/report")
    give_up = time.monotonic() + 600
    while "being made" in page.text and time.monotonic() < give_up:
        page = member.get("/desk/report")
    assert "Open the report" in page.text, page.text
    report = member.get("/desk/report/report.html")
    assert report.headers["content-type"].startswith("text/html")
    # Its own script runs in a page that belongs to no site: without the desk's cookies, and with no way out.
    policy = dict(part.strip().partition(" ")[::2] for part in report.headers["content-security-policy"].split(";"))
    assert "allow-same-origin" not in policy["sandbox"]
    assert policy["default-src"] == "'none'"
    assert not {"connect-src", "frame-src"} & policy.keys()
    assert member.get("/desk/report/annotations_raw.csv").text.startswith("image_id,")
    assert member.get("/desk/report/..%2Fstudy.yaml").status_code == 404
    assert member.get("/desk/report/none.csv").status_code == 404


def test_a_report_that_cannot_be_made_says_why() -> None:
    assert _why("study.yaml:3: there is no file.", Path("s")) == "study.yaml:3: there is no file."
    assert "quorate report s" in _why("Traceback (most recent call last):\nKeyError: 'x'", Path("s"))


#: What a browser may ask the desk for and a form does not send, by the pages that lead there.
LINKED = re.compile(r'href="(/desk[^"#?]*)"')


def everything(member: httpx.Client) -> dict[str, httpx.Response]:
    """Every page and file of the desk that can be reached from its first page by following links."""
    found: dict[str, httpx.Response] = {}
    waiting = ["/desk/"]
    while waiting:
        path = waiting.pop()
        page = found[path] = member.get(path)
        if page.headers["content-type"].startswith("text/html") and not path.startswith("/desk/report/"):
            waiting += [link for link in LINKED.findall(page.text) if link not in found and link not in waiting]
    return found


def assert_all_open(room: Room, *expected: str) -> dict[str, httpx.Response]:
    """Opens the whole desk as a member who does not rate."""
    with browsing(room) as member:
        member.get(room.member_link("Mo"))
        send(member, "/desk/borderline/declare", _rated="no")
        pages = everything(member)
    wrong = {path: page.status_code for path, page in pages.items() if page.status_code != 200}
    assert not wrong, wrong
    errors = [path for path, page in pages.items() if "Something went wrong" in page.text]
    assert not errors
    assert {path for path, _ in tabs(room.study.protocol)} <= pages.keys()
    assert set(expected) <= pages.keys()
    return pages


@pytest.mark.parametrize("name", NAMES)
def test_every_page_of_the_desk_opens_at_every_stage_of_every_template(
    name: str, tmp_path: Path, empty_database: Path
) -> None:
    folder = short(name, tmp_path / "study")
    shutil.copy(empty_database, folder / DATABASE)
    study = Study(folder)
    study.prepare()
    room = Room(study, make_app(study))
    with serving(room):
        assert "Nobody is invited yet" in assert_all_open(room)["/desk/"].text
        study.rehearse(seed=1)
        assert_all_open(room)
        study.report()
        assert_all_open(room, "/desk/report/report.html", "/desk/report/results.json")
        # Raters who are no better than chance leave items without a verdict, and answers that nearly match.
        rehearse(study.store, study.protocol, seed=1, accuracy=0.4)
        pages = assert_all_open(room)
        assert "Nobody is invited yet" not in pages["/desk/"].text
        study.report()
        pages = assert_all_open(room, "/desk/report/report.html")
        results = json.loads(pages["/desk/report/results.json"].text)
        assert results["simulated"] is False
        marked = [one for one in results["estimates"] if one["statistic"] == "ambiguity rate" and one.get("band")]
        assert ("Too many items without a verdict" in pages["/desk/report"].text) == bool(marked)
        assert pages["/desk/report"].text.count("data-alarm") == len(marked)
    study.close()


def test_an_error_at_the_desk_speaks_to_the_researcher(room: Room, member: httpx.Client) -> None:
    page = member.get("/desk/no-such-page", headers={"accept-language": "zh"})
    assert page.status_code == 404
    assert "The desk has no page at this address" in page.text
    room.app.state.making = "no such thing"  # a fault of ours
    page = member.get("/desk/report")
    assert page.status_code == 500
    assert "invited" not in page.text
    assert "fault in Quorate" in page.text
