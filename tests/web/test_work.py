"""The hot path: one POST stores the answers to one item and brings the next ones."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import Any

from rooms import Rater, Room, browsing

JSON = {"accept": "application/json"}


def post(worker: Rater, assignment: str, /, **fields: Any) -> Any:
    """What the script sends."""
    data = {"_csrf": worker.hidden("_csrf"), "_key": "key-1", "_revision": "0", **fields}
    return worker.client.post(f"{worker.root}/work/{assignment}", data=data, headers=JSON)


def current(worker: Rater) -> str:
    return worker.page.url.path.split("/")[-1]


def held(worker: Rater) -> list[str]:
    return re.findall(r'data-held="(\w+)"', worker.page.text)


def test_a_page_holds_five_items_ahead(worker: Rater) -> None:
    assert len(held(worker)) == 5


def test_a_submission_brings_what_the_script_does_not_hold(worker: Rater) -> None:
    have = [current(worker), *held(worker)]
    reply = post(worker, current(worker), idiom="an answer", _held=" ".join(have))
    content = reply.json()
    assert reply.status_code == 200
    assert (content["outcome"], content["revision"], content["answered"], content["total"]) == ("stored", 1, 1, 8)
    assert [place["position"] for place in content["places"]] == [7]
    assert content["url"] is None


def test_the_scripts_html_is_the_pages_html(worker: Rater) -> None:
    reply = worker.client.get(worker.page.url.path, headers=JSON).json()
    assert reply["places"][0]["html"].strip() in worker.page.text


def test_the_same_key_is_stored_once(room: Room, worker: Rater) -> None:
    first, again = (post(worker, current(worker), idiom="once") for _ in range(2))
    assert (first.json()["outcome"], again.json()["outcome"]) == ("stored", "repeated")
    assert again.json()["revision"] == 1
    assert len(room.rows(lambda tx: tx.all_answers())) == 1


def test_a_page_that_was_left_behind_is_told(room: Room, worker: Rater) -> None:
    post(worker, current(worker), idiom="from this tab")
    reply = post(worker, current(worker), idiom="from the other tab", _key="key-2")
    assert reply.status_code == 409
    assert "another tab" in reply.json()["message"]
    assert [answer.raw for answer in room.answers()] == ["from this tab"]


def test_without_a_script_a_page_that_was_left_behind_shows_what_was_typed(worker: Rater) -> None:
    post(worker, current(worker), idiom="from this tab")
    page = worker.send(idiom="typed in the other tab")
    assert page.status_code == 409
    assert "typed in the other tab" in page.text


def test_an_answer_can_be_changed(room: Room, worker: Rater) -> None:
    assignment = current(worker)
    post(worker, assignment, idiom="first")
    worker.open(f"work/{assignment}")
    assert 'value="first"' in worker.page.text
    worker.send(idiom="second")
    assert [answer.raw for answer in room.answers()] == ["second"]
    assert len(room.rows(lambda tx: tx.all_answers())) == 2


def test_an_empty_answer_is_refused_at_its_field(room: Room, worker: Rater) -> None:
    reply = post(worker, current(worker), idiom="  ")
    assert reply.status_code == 422
    assert "Please type an answer" in reply.json()["errors"]["idiom"]
    page = worker.send(idiom="")
    assert page.status_code == 422
    assert 'aria-invalid="true"' in page.text
    assert room.answers() == []


def test_a_long_answer_comes_back_with_what_is_wrong(worker: Rater) -> None:
    page = worker.send(idiom="x" * 501)
    assert page.status_code == 422
    assert "longer than 500 characters" in page.text
    assert "x" * 501 in page.text


def test_cannot_tell_is_an_answer(room: Room, worker: Rater) -> None:
    worker.send(idiom="", idiom__cannot_tell="1")
    assert [answer.raw for answer in room.answers()] == ["unrecognizable"]


def test_what_could_not_be_seen_is_recorded_as_such(room: Room, worker: Rater) -> None:
    worker.send(idiom="", _media_failed="1")
    (answer,) = room.answers()
    assert (answer.value, answer.reason) == (None, "media failed")


def test_evidence_is_stored_and_bad_evidence_loses_nothing(room: Room, worker: Rater) -> None:
    seen = {"visible_seconds": 12.5, "hidden": 1, "media": [{"ok": True, "width": 64}]}
    post(worker, current(worker), idiom="one", _evidence=json.dumps(seen))
    assert room.answers()[0].seconds == 12.5
    second = held(worker)[0]
    assert post(worker, second, idiom="two", _evidence="{broken", _key="key-2").status_code == 200
    assert len(room.answers()) == 2


def test_another_persons_item_is_refused(room: Room, worker: Rater) -> None:
    with browsing(room) as elsewhere:
        other = Rater(elsewhere, room.raters[1]).to_work()
        assert post(other, current(worker), idiom="not mine").status_code == 403
        assert elsewhere.get(f"{other.root}/work/{current(worker)}", headers=JSON).status_code == 409


def test_at_the_break_the_script_is_sent_there(worker: Rater) -> None:
    assert 'data-pause-at="4"' in worker.page.text
    assignments = [current(worker), *held(worker)][:4]
    replies = [post(worker, a, idiom="x", _key=f"key-{a}").json() for a in assignments]
    assert [reply["url"] for reply in replies[:3]] == [None] * 3
    assert replies[3]["url"] == f"{worker.root}/break"


def test_a_submission_without_a_key_is_refused(worker: Rater) -> None:
    assert post(worker, current(worker), idiom="x", _key="").status_code == 400
    assert post(worker, current(worker), idiom="x", _revision="x").status_code == 400


def test_the_grid_shows_every_item_and_marks_what_is_done(worker: Rater) -> None:
    assert worker.page.text.count("data-cell=") == 8
    worker.send(idiom="done")
    assert len(re.findall(r'class="done"', worker.page.text)) == 1


def test_answers_can_be_looked_at_until_the_debrief_is_sent(worker: Rater) -> None:
    for _ in range(8):
        if worker.step == "break":
            worker.send()
        worker.send(idiom="x")
    assert worker.step == "debrief"
    worker.open("work?again")
    assert worker.step.startswith("work/")
    worker.send(idiom="changed at the end")
    assert worker.step == "debrief"


def test_the_server_imports_nothing_heavy() -> None:
    heavy = ("numpy", "scipy", "polars", "PIL", "typst", "alembic")
    code = f"import sys, quorate.web; print([name for name in {heavy} if name in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.strip() == "[]"
