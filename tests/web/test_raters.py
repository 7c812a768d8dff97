"""The rater's way over the wire: forms, 303, and every step kept on the server."""

from __future__ import annotations

import httpx
import pytest
from rooms import Rater, Room, browsing, open_room, serving

from quorate.collect import links, way
from studies import visual_puns


def test_a_rater_goes_the_whole_way_without_a_script(room: Room, worker: Rater) -> None:
    for number in range(4):
        worker.send(idiom=f"answer {number}")
    assert worker.step == "break"
    assert "4 of 8" in worker.page.text
    worker.send()
    for number in range(4):
        worker.send(idiom=f"later answer {number}")
    assert worker.step == "debrief"
    worker.send(remarks="It was fun.")
    assert worker.step == "done"
    assert "DONE-42" in worker.page.text
    assert len(room.answers()) == 8
    assert worker.open("download.csv").text.count("\n") == 9


def test_a_step_that_is_not_due_leads_to_the_one_that_is(rater: Rater) -> None:
    for path in (
        "background",
        "practice/2",
        "feedback",
        "work",
        "break",
        "debrief",
        "done",
        "instructions",
        "closed",
        "",
    ):
        rater.open(path)
        assert rater.step == "consent", path


def test_instructions_can_be_read_again_at_work(worker: Rater) -> None:
    page = worker.open("instructions")
    assert "The text of the instructions" in page.text
    assert "Back to where you were" in page.text


def test_an_address_that_is_no_step_is_not_found(rater: Rater) -> None:
    assert rater.open("nonsense").status_code == 404
    assert "personal link" in rater.page.text


def test_declining_ends_the_way(room: Room, rater: Rater) -> None:
    rater.send(_agree="no")
    assert rater.step == "declined"
    rater.open("consent")
    assert rater.step == "declined"
    assert room.rows(lambda tx: tx.last_event(["consent"])) is None


def test_an_answer_that_is_not_accepted_ends_with_thanks(rater: Rater) -> None:
    rater.send(_agree="yes")
    rater.send(proficiency="Neither")
    assert rater.step == "screened_out"
    assert "Thank you" in rater.page.text


def test_a_missing_answer_is_said_at_its_field(rater: Rater) -> None:
    rater.send(_agree="yes")
    page = rater.send()
    assert page.status_code == 422
    assert "Please choose one of the options." in page.text


def test_practice_shows_the_right_answers_after_the_round(rater: Rater) -> None:
    rater.send(_agree="yes")
    rater.send(proficiency="Fluent")
    rater.send(background="Other")
    rater.send()
    assert "practice idiom" not in rater.page.text
    rater.send(idiom="Practice idiom 0!")
    assert rater.step == "practice/2"
    rater.send(idiom="something else")
    assert rater.step == "feedback"
    assert rater.page.text.count("Right") == 1
    assert "practice idiom 1" in rater.page.text
    assert "because 1" in rater.page.text


def test_withdrawing_takes_the_answers_out(room: Room, worker: Rater) -> None:
    worker.send(idiom="an answer to take back")
    worker.open("withdraw")
    worker.send(_erase="yes")
    assert worker.step == "withdrawn"
    assert [answer.raw for answer in room.answers()] == [None]
    worker.open("work")
    assert worker.step == "withdrawn"


def test_a_rater_who_is_done_can_still_withdraw(room: Room, rater: Rater) -> None:
    room.do(lambda tx: tx.add_event("finished", "A1"))
    rater.open("withdraw")
    rater.send()
    assert rater.step == "withdrawn"


def test_a_revoked_link_stops_at_once(room: Room, worker: Rater) -> None:
    room.do(lambda tx: links.revoke(tx, "A1"))
    assert worker.send(idiom="too late").status_code == 403
    assert "ask for a new one" in worker.page.text
    assert worker.client.get(room.raters[0]).status_code == 403
    assert room.answers() == []


def test_a_new_link_brings_the_rater_back_to_where_they_were(room: Room, worker: Rater) -> None:
    worker.send(idiom="one")
    again = room.do(lambda tx: links.invite_again(tx, "A1")).link("")
    with browsing(room) as elsewhere:
        other = Rater(elsewhere, again)
        assert other.step.startswith("work/")
        assert "2</span> / " in other.page.text


def test_an_unknown_link_says_what_to_do(client: httpx.Client) -> None:
    page = client.get("/join/nonsense")
    assert page.status_code == 403
    assert "copy the whole link" in page.text


def test_a_members_link_is_no_raters_link(room: Room, client: httpx.Client) -> None:
    assert client.get(room.member.replace("/team/", "/join/")).status_code == 403
    assert client.get(room.raters[0].replace("/join/", "/team/")).status_code == 403


def test_two_raters_share_a_browser(room: Room, client: httpx.Client) -> None:
    one, two = Rater(client, room.raters[0]), Rater(client, room.raters[1])
    assert one.root != two.root
    one.send(_agree="yes")
    assert one.step == "eligibility"
    assert two.open("").url.path.endswith("/consent")


def test_a_study_that_is_not_open_makes_raters_wait(tmp_path, empty_database) -> None:
    room = open_room(visual_puns(tmp_path / "study"), empty_database, is_open=False)
    with serving(room), browsing(room) as client:
        rater = Rater(client, room.raters[0])
        assert rater.step == "waiting"
        assert "not open yet" in rater.page.text
    room.study.close()


def test_a_closed_study_keeps_what_it_has(room: Room, worker: Rater) -> None:
    worker.send(idiom="in time")
    room.do(way.close_study)
    page = worker.send(idiom="too late")
    assert page.status_code == 409
    worker.open("work")
    assert worker.step == "closed"
    assert [answer.raw for answer in room.answers()] == ["in time"]


def test_a_form_sent_twice_goes_on(rater: Rater) -> None:
    token = rater.hidden("_csrf")
    rater.send(_agree="yes")
    rater.send(f"{rater.root}/consent", _agree="yes", _csrf=token)
    assert rater.step == "eligibility"


def test_own_answers_come_under_the_name_that_was_shown(worker: Rater) -> None:
    name = worker.page.text.split('class="item-name">', 1)[1].split("<", 1)[0]
    worker.send(idiom="=mine, with a comma")
    rows = worker.open("download.csv").text.splitlines()
    # A spreadsheet shows it and does not run it.
    assert rows[:2] == ["id,value", f'{name},"\'=mine, with a comma"']


@pytest.mark.parametrize("path", ["consent", "work/abc", "download.csv", "withdraw"])
def test_a_browser_that_is_not_known_is_told_to_open_the_link(rater: Rater, path: str) -> None:
    rater.client.cookies.clear()
    page = rater.open(path)
    assert page.status_code == 401
    assert "personal link" in page.text


def test_pages_come_in_the_studys_languages(tmp_path, empty_database) -> None:
    folder = visual_puns(tmp_path / "study")
    file = folder / "study.yaml"
    file.write_text(file.read_text().replace("title: Visual pun recognition", "title: {en: Visual puns, zh: 视觉双关}"))
    room = open_room(folder, empty_database)
    with serving(room), browsing(room, headers={"accept-language": "zh-CN,zh;q=0.9"}) as client:
        rater = Rater(client, room.raters[0])
        assert '<html lang="zh"' in rater.page.text
        assert "同意并参加" in rater.page.text
        rater.open("consent?lang=en")
        assert "I agree and take part" in rater.page.text
        rater.open("consent?lang=zh")
        rater.send(_agree="yes")
        assert room.rows(lambda tx: tx.last_event(["consent"])).data["language"] == "zh"
        assert "请选择其中一项" in rater.send().text
    room.study.close()
