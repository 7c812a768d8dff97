"""Raters from a platform come back as the same person; their id stays apart, and nobody is sent off too early."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from rooms import Rater, Room, browsing, open_room, serving

from quorate.collect import links, way
from quorate.collect.way import Step, Where
from quorate.protocol import load
from quorate.web import onward
from quorate.web.pages import render
from studies import visual_puns
from words import words

PID = "5f0c1d2e3a4b5c6d7e8f9a0b"
PLATFORM = "{parameter: PROLIFIC_PID, completed: CDONE1, screened_out: COUT22, no_consent: CNONE3}"


@pytest.fixture
def from_platform(tmp_path: Path, empty_database: Path) -> Iterator[Callable[..., Room]]:
    """Makes an open study with two places for raters from a platform."""
    made: list[Room] = []

    def make(platform: str = PLATFORM, cap: int = 5) -> Room:
        folder = visual_puns(tmp_path / "study")
        file = folder / "study.yaml"
        text = file.read_text().replace("  roster: 3\n", f"  cap: {cap}\n  batch: 2\n  platform: {platform}\n")
        file.write_text(text)
        room = open_room(folder, empty_database)  # three raters have personal links
        made.append(room)
        return room

    yield make
    for room in made:
        room.study.close()


def arrive(room: Room, pid: str = PID, client: httpx.Client | None = None, **more: str) -> Rater:
    """Someone who follows the platform's link, in a new browser where none is given."""
    query = {"PROLIFIC_PID": pid, "STUDY_ID": "s1", "SESSION_ID": "x1", **more}
    return Rater(client or browsing(room), f"/join?{httpx.QueryParams(query)}")


def everything(room: Room) -> list[object]:
    """All that is stored of people and of what happened."""
    return room.rows(lambda tx: [tx.raters(), tx.links(), tx.events(), tx.protocols()])


def test_coming_records_nothing_and_the_consent_takes_the_place(from_platform: Callable[..., Room]) -> None:
    with serving(from_platform(cap=4)) as room:
        before = everything(room)
        first, *others = [arrive(room, f"person_{number}") for number in range(6)]
        assert {rater.step for rater in (first, *others)} == {"consent"}
        assert everything(room) == before
        first.send(_agree="yes")
        assert first.step == "eligibility"
        assert room.rows(lambda tx: tx.platform_rater("prolific", "person_0")) == "A4"
        for other in others:  # the only place is taken now
            other.send(_agree="yes")
            assert other.step == "all_taken"
            assert other.page.headers["refresh"]
        assert len(room.rows(lambda tx: tx.raters())) == 4
        room.do(lambda tx: way.withdraw(tx, room.study.protocol, "A4"))
        others[0].open("")
        assert others[0].step == "consent"


def test_someone_from_a_platform_comes_back_as_the_same_in_the_same_browser(from_platform: Callable[..., Room]) -> None:
    with serving(from_platform()) as room:
        first = arrive(room)
        token = first.hidden("_csrf")
        where = first.page.url.path
        first.send(_agree="yes")
        again = arrive(room, client=first.client)
        assert (again.root, again.step) == (first.root, "eligibility")
        again.send(where, _agree="yes", _csrf=token)  # the consent, sent once more
        assert (again.root, again.step) == (first.root, "eligibility")
        assert len(room.rows(lambda tx: tx.raters())) == 4


def test_a_consent_whose_reply_was_lost_is_no_lost_place(from_platform: Callable[..., Room]) -> None:
    with serving(from_platform()) as room:
        first = arrive(room)
        first.send(_agree="yes")
        first.client.cookies.delete("quorate_rater")
        assert arrive(room, client=first.client).step == "eligibility"


def test_who_knows_an_id_does_not_come_in_as_that_rater(from_platform: Callable[..., Room]) -> None:
    with serving(from_platform()) as room:
        stranger, first = arrive(room), arrive(room)
        first.send(_agree="yes")
        for page in (stranger.send(_agree="yes"), arrive(room).page, stranger.client.get(f"{first.root}/download.csv")):
            assert page.status_code in (401, 403)
        assert "This id was used in another browser" in arrive(room).page.text
        assert first.open("").status_code == 200
        assert len(room.rows(lambda tx: tx.raters())) == 4


def test_the_first_browser_shows_the_link_that_lets_another_one_in(from_platform: Callable[..., Room]) -> None:
    with serving(from_platform()) as room:
        first = arrive(room)
        first.send(_agree="yes")
        link = re.search(r'<code id="own"[^>]*>([^<]+)<', first.open("withdraw").text)[1]
        other = Rater(browsing(room), link.removeprefix(room.base))
        assert (other.root, other.step) == (first.root, "eligibility")
        assert arrive(room, client=other.client).step == "eligibility"
        assert not room.rows(lambda tx: [event for event in tx.events() if link in repr(event)])


def test_what_another_browser_is_told_is_so_however_it_ended_in_the_first(from_platform: Callable[..., Room]) -> None:
    with serving(from_platform()) as room:
        arrive(room).send(_agree="no")
        page = arrive(room).page
        assert page.status_code == 403
        for false in ("You have begun", "go on there"):
            assert false not in page.text


def test_who_lost_the_cookie_is_sent_to_a_link_that_they_have(from_platform: Callable[..., Room]) -> None:
    with serving(from_platform()) as room:
        newcomer = arrive(room)
        newcomer.client.cookies.clear()
        sent = newcomer.client.post(f"{newcomer.root}/consent", data={"_agree": "yes", "_csrf": "x"})
        for page in (newcomer.open("consent"), sent):
            assert page.status_code == 401
            assert "Before you agree to take part nothing is recorded of you" in page.text
            assert "allow it for this site" in page.text
            assert "personal link" not in page.text
            assert "everything you sent is kept" not in page.text
        rater = arrive(room)
        rater.send(_agree="yes")
        rater.client.cookies.clear()
        page = rater.open("eligibility")
        assert page.status_code == 401
        assert "Everything you sent is kept" in page.text
        assert "the link that you came by says what to do" in page.text
        assert "it brings you back" not in page.text


def test_the_desk_lets_someone_in_whose_browser_is_gone(from_platform: Callable[..., Room]) -> None:
    with serving(from_platform()) as room, browsing(room) as client:
        first = arrive(room)
        first.send(_agree="yes")
        client.get(room.member)
        token = client.get("/desk/").text.split('name="_csrf" value="', 1)[1].split('"', 1)[0]
        assert client.post("/desk/release", data={"_csrf": token, "_id": "nobody"}).status_code == 409
        page = client.post("/desk/release", data={"_csrf": token, "_id": f" {PID} "})
        assert PID not in page.text
        other = Rater(browsing(room), "/join/" + re.search(r"/join/([\w-]+)", page.text)[1])
        assert other.step == "eligibility"
        assert first.open("").status_code == 403
        assert arrive(room, client=first.client).page.status_code == 403
        assert 'id="own"' not in other.open("withdraw").text


def test_the_id_is_in_its_own_table_and_nowhere_else(from_platform: Callable[..., Room]) -> None:
    with serving(from_platform()) as room:
        rater = arrive(room)
        assert PID not in str(rater.page.url)
        assert PID not in rater.page.text
        rater.send(_agree="yes")
        assert room.rows(lambda tx: tx.platform_rater("prolific", PID)) == "A4"
        assert PID not in repr(everything(room))


def test_who_finds_no_place_is_told_before_anything_is_asked(from_platform: Callable[..., Room]) -> None:
    with serving(from_platform(cap=4)) as room:
        first = arrive(room)
        first.send(_agree="yes")
        late = arrive(room, "late_comer")
        assert late.step == "all_taken"
        assert "All places are taken for the moment" in late.page.text
        assert "please return your submission there" in late.page.text
        assert room.rows(lambda tx: tx.platform_rater("prolific", "late_comer")) is None
        assert arrive(room, client=first.client).step == "eligibility"  # who has a place keeps it
        room.do(way.close_study)
        late.open("")
        assert late.step == "closed"
        assert "Nothing was recorded" in late.page.text


def test_ids_of_all_alphabets_and_both_languages(from_platform: Callable[..., Room]) -> None:
    with serving(from_platform()) as room:
        rater = arrive(room, "参与者.1:é@x")
        rater.open("consent?lang=xx")
        assert rater.step == "consent"
        rater.send(_agree="yes")
        assert room.rows(lambda tx: tx.platform_rater("prolific", "参与者.1:é@x")) == "A4"


@pytest.mark.parametrize("pid", ["", "{{%PROLIFIC_PID%}}", "x" * 200, "<script>"])
def test_a_link_without_an_id_is_said(from_platform: Callable[..., Room], pid: str) -> None:
    with serving(from_platform()) as room:
        page = arrive(room, pid).page
        assert page.status_code == 403
        assert "does not carry your id" in page.text
        assert len(room.rows(lambda tx: tx.raters())) == 3


def test_a_study_without_a_platform_has_no_such_door(room: Room, client: httpx.Client) -> None:
    assert client.get(f"/join?PROLIFIC_PID={PID}").status_code == 404


def test_a_revoked_rater_stays_out(from_platform: Callable[..., Room]) -> None:
    with serving(from_platform()) as room:
        rater = arrive(room)
        rater.send(_agree="yes")
        room.do(lambda tx: links.revoke(tx, "A4"))
        assert arrive(room, client=rater.client).page.status_code == 403
        assert arrive(room).page.status_code == 403


def test_the_way_back_is_there_at_each_end_and_not_before(from_platform: Callable[..., Room]) -> None:
    back = "https://app.prolific.com/submissions/complete?cc="
    with serving(from_platform()) as room:
        declined = arrive(room, "who_declines")
        assert back not in declined.page.text
        declined.send(_agree="no")
        assert f'href="{back}CNONE3"' in declined.page.text
        out = arrive(room, "who_is_screened_out")
        out.send(_agree="yes")
        out.send(proficiency="Neither")
        assert f'href="{back}COUT22"' in out.page.text
        done = arrive(room, "who_finishes").to_work()
        while done.step != "done":
            assert back not in done.page.text
            done.send(idiom="x") if done.step.startswith("work") else done.send()
        assert f'href="{back}CDONE1"' in done.page.text


CODES = {step.value if step is not Step.DONE else "finished": f"C-{n}" for n, step in enumerate(onward.ENDS)}


@pytest.mark.parametrize("kind", ["", "platform: {}", "completion_code: DONE-1", "codes"])
def test_every_end_has_its_own_sentence_and_its_own_code_and_no_other(tmp_path: Path, kind: str) -> None:
    codes = f"codes: {json.dumps(CODES)}"
    folder = words(tmp_path / "s", "per_item: 1\ncap: 5\n" + (codes if kind == "codes" else kind))
    raters = load(folder).raters
    seen = set()
    for language in ("en", "zh"):
        for step in onward.ENDS:
            now = Where("R1", step)
            html = render(
                f"{step.value}.html", language, now=now, raters=raters, root="/r/x", title="T", static="", theme="",
                onward=onward.onward(raters, now), languages=("en",), trail=[], is_preview=False,
            )  # fmt: skip
            text = html.split("<main", 1)[1]
            seen.add(text.split("</h1>", 1)[1].split("</p>", 1)[0])
            mine = CODES["finished" if step is Step.DONE else step.value]
            shown = [code for code in CODES.values() if f">{code}<" in text]
            assert shown == ([mine] if kind == "codes" else []), step
            assert ("DONE-1" in text) == (kind.startswith("completion") and step is Step.DONE)
            none = ("No code belongs to this page", "此页面没有代码")
            is_said = any(words in text for words in none)
            assert is_said == (kind not in ("", "codes") and step is not Step.DONE), step
    assert len(seen) == 2 * len(onward.ENDS)


def test_another_platform_has_its_own_parameter_and_address(from_platform: Callable[..., Room]) -> None:
    other = (
        "{name: CloudResearch, parameter: participantId, completed: 'https://p.example/end?a=1&b=2', no_consent: N-77}"
    )
    with serving(from_platform(other)) as room:
        assert arrive(room).page.status_code == 403
        rater = arrive(room, participantId="p-1")
        rater.send(_agree="no")
        assert '<code id="onward" aria-labelledby="onward-label">N-77</code>' in rater.page.text
        done = arrive(room, participantId="p-2").to_work()
        while done.step != "done":
            done.send(idiom="x") if done.step.startswith("work") else done.send()
        assert 'href="https://p.example/end?a=1&amp;b=2"' in done.page.text
        assert "CloudResearch" in done.page.text
