"""Submissions that are plainly well take the lane; it reads HTTP as it comes, and says what the ordinary way says."""

from __future__ import annotations

import json
import socket
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rooms import Rater, Room

from quorate.web import submit
from quorate.web.lane import OLDEST, Lane, without_lane


@pytest.fixture
def ordinary(room: Room, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of submissions that went the ordinary way."""
    taken: list[str] = []
    route = room.app.routes[0]
    through = route.app

    async def noted(scope: Any, receive: Any, send: Any) -> None:
        taken.append(scope["path"])
        await through(scope, receive, send)

    monkeypatch.setattr(route, "app", noted)
    return taken


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
    with socket.create_connection((host, int(port)), timeout=30) as wire:
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


def test_a_plain_submission_takes_the_lane(room: Room, worker: Rater, ordinary: list[str]) -> None:
    ((head, content),) = said(room, written(worker, 1, END))
    assert head.startswith(b"HTTP/1.1 200 OK\r\n")
    assert b"connection: close" in head
    assert content["outcome"] == "stored"
    assert [answer.raw for answer in room.answers()] == ["answer 1"]
    assert ordinary == []


@pytest.mark.parametrize("cut", [1, 30, 200, -1, -20])
def test_it_may_come_in_pieces(room: Room, worker: Rater, ordinary: list[str], cut: int) -> None:
    whole = written(worker, 1, END)
    ((_, content),) = said(room, whole[:cut], whole[cut:])
    assert content["outcome"] == "stored"
    assert ordinary == []


def test_requests_that_come_together_are_answered_in_their_order(room: Room, worker: Rater) -> None:
    same = written(worker, 1)
    replies = said(room, same + same + written(worker, 1, END, key="another"))
    assert [content.get("outcome") for _, content in replies] == ["stored", "repeated", None]
    assert b"409" in replies[2][0]
    assert [answer.raw for answer in room.answers()] == ["answer 1"]


@pytest.mark.parametrize("change", [lambda sent: sent.replace(b"answer 1", b"x" * 8), lambda sent: sent])
def test_the_lane_says_what_the_ordinary_way_says(
    room: Room, worker: Rater, ordinary: list[str], change: Callable[[bytes], bytes]
) -> None:
    ((_, first),) = said(room, change(written(worker, 1, END)))
    assert ordinary == []
    ((_, again),) = said(
        room, change(written(worker, 1, END)).replace(b"accept: application/json", b"accept: application/json;q=1")
    )
    assert len(ordinary) == 1
    assert again == {**first, "outcome": "repeated"}


def test_what_is_wrong_takes_the_ordinary_way_and_is_told_there(room: Room, worker: Rater, ordinary: list[str]) -> None:
    ((head, content),) = said(room, written(worker, 1, END).replace(b'"answer 1"', b'"        "'))
    assert head.startswith(b"HTTP/1.1 422")
    assert list(content["errors"]) == ["idiom"]
    assert len(ordinary) == 1
    assert room.answers() == []


def test_a_long_answer_takes_the_ordinary_way(room: Room, worker: Rater, ordinary: list[str]) -> None:
    body = written(worker, 1, END).replace(b"answer 1", b"x" * 100_000)
    head, _, rest = body.partition(b"\r\n\r\n")
    lines = [line for line in head.split(b"\r\n") if not line.startswith(b"content-length")]
    whole = b"\r\n".join([*lines, b"content-length: %d" % len(rest), b"", rest])
    ((head, _),) = said(room, whole)
    assert head.startswith(b"HTTP/1.1 422")
    assert len(ordinary) == 1


def test_a_reply_that_cannot_be_made_is_no_acknowledgement(
    room: Room, worker: Rater, ordinary: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr(submit, "receipt_data", fails)
    monkeypatch.setattr("quorate.web.lane.receipt_data", fails)
    ((head, _),) = said(room, written(worker, 1, END))
    assert head.startswith(b"HTTP/1.1 500")
    assert len(ordinary) == 1


def test_what_the_package_needs_is_what_the_lane_needs() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    (needed,) = [one for one in project["dependencies"] if one.startswith("uvicorn")]
    assert needed == "uvicorn>=" + ".".join(map(str, OLDEST))
    # What the lane takes the place of is there: a method that nobody calls would leave it off in silence.
    taken = [name for name, one in vars(Lane).items() if callable(one) and hasattr(Lane.__base__, name)]
    assert {"_start_asgi_task", "on_body", "on_message_complete"} <= set(taken)


@pytest.mark.parametrize("version", ["0.34.0", "0.45.0", "0.52.0"])
def test_an_older_server_says_that_it_has_no_lane(version: str) -> None:
    assert version in without_lane(version)
    assert "pip install 'uvicorn>=0.53'" in without_lane(version)
