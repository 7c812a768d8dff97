"""The script's submissions: JSON in, JSON out, with the checks and the headers of every other page."""

from __future__ import annotations

import json
import os
import socket
import sqlite3
from typing import Any

import httpx
import pytest
from rooms import Rater, Room, browsing

from quorate.collect import links, way
from quorate.web import submit
from quorate.web.security import FOR_DATA, HEADERS

JSON = {"accept": "application/json", "content-type": "application/json"}


def current(worker: Rater) -> str:
    return worker.page.url.path.split("/")[-1]


def post(worker: Rater, /, headers: dict[str, str] | None = None, **sent: Any) -> Any:
    """What the script sends, with some of it replaced."""
    content = {
        "csrf": worker.hidden("_csrf"),
        "key": "key-1",
        "revision": 0,
        "fields": {"idiom": ["an answer"]},
        "evidence": {"visible_seconds": 12.5},
        "held": [],
        **sent,
    }
    path = f"{worker.root}/work/{current(worker)}"
    return worker.client.post(path, content=json.dumps(content), headers=JSON | (headers or {}))


def test_json_is_stored_as_the_form_is(room: Room, worker: Rater) -> None:
    content = post(worker).json()
    assert (content["outcome"], content["revision"], content["answered"]) == ("stored", 1, 1)
    assert len(content["places"]) == 6
    (answer,) = room.answers()
    assert (answer.raw, answer.seconds) == ("an answer", 12.5)


def test_what_the_script_holds_does_not_come_again(worker: Rater) -> None:
    ahead = [place["assignment"] for place in post(worker).json()["places"]]
    again = post(worker, held=ahead[:5]).json()
    assert (again["outcome"], [place["assignment"] for place in again["places"]]) == ("repeated", ahead[5:])


def test_media_that_failed_stand_for_every_question(room: Room, worker: Rater) -> None:
    post(worker, fields={"idiom": [""], "_media_failed": ["1"]})
    assert [answer.reason for answer in room.answers()] == ["media failed"]


@pytest.mark.parametrize(
    "evidence", ["no object", ["no", "object"], 7, None, {"media": "x"}, {"long": "x" * 9000}], ids=lambda e: str(e)[:9]
)
def test_evidence_that_makes_no_sense_loses_no_answer(room: Room, worker: Rater, evidence: Any) -> None:
    assert post(worker, evidence=evidence).status_code == 200
    assert len(room.answers()) == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"key": ""},
        {"key": "k" * 65},
        {"key": None},
        {"revision": -1},
        {"revision": "one"},
        {"fields": {"idiom": "no list"}},
        {"fields": {f"f{n}": [""] for n in range(501)}},
        {"held": 5},
    ],
    ids=lambda wrong: str(wrong)[:24],
)
def test_what_no_page_of_ours_sends_is_refused(room: Room, worker: Rater, wrong: dict[str, Any]) -> None:
    assert post(worker, **wrong).status_code == 400
    assert room.answers() == []


def test_what_is_no_json_is_refused(room: Room, worker: Rater) -> None:
    reply = worker.client.post(worker.page.url.path, content=b'{"csrf": ', headers=JSON)
    assert reply.status_code == 400
    assert room.answers() == []


def test_what_is_too_large_is_refused(room: Room, worker: Rater) -> None:
    assert post(worker, fields={"idiom": ["x" * 300_000]}).status_code == 413
    chunks = (b"x" * 65_536 for _ in range(8))
    assert worker.client.post(worker.page.url.path, content=chunks, headers=JSON).status_code == 413
    assert room.answers() == []


def test_a_form_token_of_another_session_is_refused(room: Room, worker: Rater) -> None:
    with browsing(room) as elsewhere:
        other = Rater(elsewhere, room.raters[1]).to_work()
        assert post(worker, csrf=other.hidden("_csrf")).status_code == 403
    assert post(worker, csrf="").status_code == 403
    assert room.answers() == []


@pytest.mark.parametrize("headers", [{"origin": "https://elsewhere.example"}, {"sec-fetch-site": "cross-site"}])
def test_another_site_cannot_send_it(room: Room, worker: Rater, headers: dict[str, str]) -> None:
    assert post(worker, headers).status_code == 403
    assert room.answers() == []


def test_without_a_cookie_nothing_is_stored(room: Room, worker: Rater) -> None:
    token = worker.hidden("_csrf")
    worker.client.cookies.clear()
    assert post(worker, csrf=token).status_code == 401
    assert room.answers() == []


def test_a_revoked_link_stores_nothing_from_then_on(room: Room, worker: Rater) -> None:
    (person,) = {a.rater for a in room.rows(lambda tx: tx.assignments())}
    room.do(lambda tx: links.revoke(tx, person))
    reply = post(worker)
    assert reply.status_code == 403
    assert "replaced or withdrawn" in reply.json()["message"]
    assert room.answers() == []


def test_a_closed_study_says_so(room: Room, worker: Rater) -> None:
    room.do(way.close_study)
    assert post(worker).status_code == 409
    assert room.answers() == []


def test_an_answer_that_is_not_allowed_is_told_at_its_question(worker: Rater) -> None:
    reply = post(worker, fields={"idiom": ["x" * 501]})
    assert reply.status_code == 422
    assert "longer than 500" in reply.json()["errors"]["idiom"]


def test_every_reply_has_its_headers(worker: Rater) -> None:
    for reply in (post(worker), post(worker, csrf="x"), post(worker, key="other")):
        assert {name.decode(): reply.headers.get(name.decode()) for name, _ in FOR_DATA} == {
            name.decode(): value.decode() for name, value in FOR_DATA
        }
    page = worker.send(idiom="typed in the other tab")
    assert page.status_code == 409
    assert all(page.headers.get(name.decode()) == value.decode() for name, value in HEADERS)


def test_a_bug_is_not_acknowledged(room: Room, worker: Rater) -> None:
    room.do(lambda tx: tx.connection.execute("UPDATE assignments SET shown = 'no JSON'"))
    reply = post(worker)
    assert reply.status_code == 500
    assert reply.json()["message"]
    assert room.answers() == []


def test_without_a_database_nothing_is_acknowledged(room: Room, worker: Rater) -> None:
    room.study.store.close()
    reply = post(worker)
    assert reply.status_code == 503
    assert "Nothing can be stored just now" in reply.json()["message"]


def test_no_page_tells_where_on_the_server_the_study_lies(room: Room, worker: Rater, member: httpx.Client) -> None:
    room.study.store.path.rename(room.study.folder / "elsewhere.sqlite")
    for client, path in ((worker.client, f"{worker.root}/work"), (worker.client, room.raters[1]), (member, "/desk/")):
        for accept in ("text/html", "application/json"):
            reply = client.get(path, headers={"accept": accept})
            assert reply.status_code == 503
            assert str(room.study.folder) not in reply.text
            assert str(room.study.folder.parent) not in reply.text
    assert "study.sqlite: it was deleted or moved away" in reply.text


@pytest.mark.parametrize("revision", [0, 3])
def test_a_key_that_belongs_to_another_item_is_refused_with_a_sentence(
    room: Room, worker: Rater, revision: int
) -> None:
    ahead = post(worker).json()["places"][0]["assignment"]
    content = {"csrf": worker.hidden("_csrf"), "key": "key-1", "revision": revision, "fields": {"idiom": ["another"]}}
    reply = worker.client.post(f"{worker.root}/work/{ahead}", content=json.dumps(content), headers=JSON)
    assert reply.status_code == 409
    assert "under the mark of another answer" in reply.json()["message"]
    assert len(room.answers()) == 1


def test_while_the_database_is_gone_no_page_says_that_anything_is_safe(room: Room, worker: Rater) -> None:
    post(worker)
    room.study.store.path.unlink()
    places = ("/work", "/withdraw", "/consent")
    replies = [post(worker, key="key-2"), *(worker.client.get(f"{worker.root}{place}") for place in places)]
    desk = worker.client.get(room.member)
    assert [reply.status_code for reply in (*replies, desk)] == [503] * 5
    assert not any(word in reply.text for reply in replies for word in ("safe", "are saved", "is saved", "Thank you"))
    assert "nothing is stored now" in desk.text
    assert "rescued" in desk.text


def test_while_the_database_holds_garbage_nothing_is_acknowledged(room: Room, worker: Rater) -> None:
    path = room.study.store.path
    room.do(lambda tx: tx.setting("secret"))
    with sqlite3.connect(path) as other:
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    other.close()
    path.write_bytes(os.urandom(path.stat().st_size))
    for reply in (post(worker), worker.client.get(f"{worker.root}/work")):
        assert reply.status_code == 503
        assert "safe" not in reply.text


def written(worker: Rater, number: int = 1, *headers: str, key: str = "") -> bytes:
    """A submission as it goes over the wire."""
    content = {"csrf": worker.hidden("_csrf"), "key": key or f"key-{number}", "fields": {"idiom": [f"answer {number}"]}}
    body = json.dumps(content).encode()
    cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in worker.client.cookies.jar)
    lines = (f"POST {worker.page.url.path} HTTP/1.1", "host: localhost", f"cookie: {cookies}", *headers,
             "accept: application/json", "content-type: application/json", f"content-length: {len(body)}")  # fmt: skip
    return "\r\n".join([*lines, "", ""]).encode() + body


def said(room: Room, *parts: bytes) -> list[tuple[bytes, Any]]:
    """Sends these parts one by one on one connection, the last with an end to it; the replies until it is closed."""
    host, port = room.base.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=120) as wire:
        wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for part in parts:
            wire.sendall(part)
        text = b"".join(iter(lambda: wire.recv(65_536), b""))
    replies = []
    while text:
        head, _, text = text.partition(b"\r\n\r\n")
        length = next(int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.startswith(b"content-length"))
        replies.append((head, json.loads(text[:length])))
        text = text[length:]
    return replies


END = "connection: close"


@pytest.mark.parametrize("cut", [1, 30, 200, -1, -20])
def test_it_may_come_in_pieces(room: Room, worker: Rater, cut: int) -> None:
    whole = written(worker, 1, END)
    ((head, content),) = said(room, whole[:cut], whole[cut:])
    assert head.startswith(b"HTTP/1.1 200 OK\r\n")
    assert b"connection: close" in head
    assert content["outcome"] == "stored"
    assert [answer.raw for answer in room.answers()] == ["answer 1"]


def test_requests_that_come_together_are_answered_in_their_order(room: Room, worker: Rater) -> None:
    same = written(worker, 1)
    replies = said(room, same + same + written(worker, 1, END, key="another"))
    assert [content.get("outcome") for _, content in replies] == ["stored", "repeated", None]
    assert b"409" in replies[2][0]
    assert [answer.raw for answer in room.answers()] == ["answer 1"]


def test_a_long_answer_is_told_at_its_question(room: Room, worker: Rater) -> None:
    reply = post(worker, fields={"idiom": ["x" * 100_000]})
    assert (reply.status_code, list(reply.json()["errors"])) == (422, ["idiom"])
    assert room.answers() == []


def test_a_reply_that_cannot_be_made_is_no_acknowledgement(
    room: Room, worker: Rater, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr(submit, "receipt_data", fails)
    ((head, _),) = said(room, written(worker, 1, END))
    assert head.startswith(b"HTTP/1.1 500")
