"""Half-sent requests and huge headers hold nothing for long, and good requests go on meanwhile."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack

import httpx
import pytest
from rooms import Rater, Room, browsing, open_room, serving
from wire import ask, read_reply

from quorate.web import limits
from quorate.web.limits import MOST_HEAD
from studies import visual_puns


@pytest.fixture
def hasty(
    tmp_path_factory: pytest.TempPathFactory, empty_database: object, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Room]:
    """A served study that waits for a few seconds: even a busy machine sends a good request sooner."""
    monkeypatch.setattr(limits.Limited, "head_seconds", 5.0)
    monkeypatch.setattr(limits.Limited, "whole_seconds", 6.0)
    room = open_room(visual_puns(tmp_path_factory.mktemp("hasty") / "study"), empty_database)
    with serving(room):
        yield room
    room.study.close()


def connected(room: Room) -> socket.socket:
    host, port = room.base.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=120)


#: What a connection may be left with.
HALVES = (
    b"",
    b"GET /join/x HTTP/1.1\r\nhost: x\r\nx-more: ",
    b"\r\n",
    b"POST /join/x HTTP/1.1\r\nhost: x\r\ncontent-length: 50\r\n\r\nhalf of it",
    b"POST /r/a/work/b HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhal",
)


def test_300_half_sent_requests_are_closed_and_good_ones_go_on(hasty: Room) -> None:
    with ExitStack() as kept, browsing(hasty) as client:
        halves = [kept.enter_context(connected(hasty)) for _ in range(300)]
        for number, wire in enumerate(halves):
            wire.sendall(HALVES[number % len(HALVES)])
        rater = Rater(client, hasty.raters[0]).to_work()
        assert rater.send(idiom="meanwhile").status_code == 200
        # Each is closed by the server: whoever waits for more gets its end.
        for wire in halves:
            status, _, said = read_reply(wire)
            # Where a whole head has come, a reply may have been sent, and nothing is written into it.
            assert status in (0, 401, 404, 405) or (status == 408 and b"did not come to its end in time" in said)
        assert [answer.raw for answer in hasty.answers()] == ["meanwhile"]


def test_a_half_sent_request_after_a_whole_one_is_closed_too(hasty: Room) -> None:
    with ExitStack() as kept:
        wires = [kept.enter_context(connected(hasty)) for _ in HALVES[1:]]
        for wire, half in zip(wires, HALVES[1:], strict=True):
            wire.sendall(b"HEAD /join/x HTTP/1.1\r\nhost: x\r\n\r\n")
            assert b" 403 " in wire.recv(65_536)
            wire.sendall(half)
        for wire in wires:
            while wire.recv(65_536):
                pass


def test_bytes_that_trickle_in_do_not_help(hasty: Room) -> None:
    with connected(hasty) as wire:
        wire.sendall(b"GET / HTTP/1.1\r\n")
        wire.settimeout(0.05)
        said = b""
        for number in range(400):
            try:
                wire.sendall(b"x-%d: y\r\n" % number)
                said += wire.recv(65_536)
            except TimeoutError:
                continue
            except OSError:
                break
            break
        assert said.startswith(b"HTTP/1.1 408 ") or number < 399


@pytest.mark.parametrize("n", [1, 40])
def test_headers_that_are_too_large_are_refused(room: Room, client: httpx.Client, n: int) -> None:
    headers = {f"x-{number}": b"a" * (MOST_HEAD // n) for number in range(n)}
    status, _, said = ask(room.base, "GET", "/", headers)
    assert status == 431
    assert b"Delete this site" in said
    assert client.get(room.raters[0]).status_code == 200


CHUNKED = b"POST /r/x/consent HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    ("begin", "more"),
    [
        (b"GET / HTTP/1.1\r\nx: ", b"a" * 65_536),
        (b"GET / HTTP/1.1\r\n", b"x: y\r\n" * 10_000),
        (CHUNKED + b"1\r\na\r\n0\r\n", b"x: y\r\n" * 10_000),
        (CHUNKED + b"1\r\na\r\n0\r\nx: ", b"a" * 65_536),
        (CHUNKED + b"1;", b"a" * 65_536),
        (b"", b"GET / HTTP/1.1\r\nhost: x\r\n\r\n" * 2000),
    ],
    ids=["one header", "headers", "headers after the body", "one of them", "a chunk's own", "requests at once"],
)
def test_what_is_no_body_and_has_no_end_is_cut_off(room: Room, client: httpx.Client, begin: bytes, more: bytes) -> None:
    with connected(room) as wire:
        wire.sendall(begin)
        sent = 0
        while sent < 2**25:
            try:
                wire.sendall(more)
            except OSError:
                break
            sent += len(more)
        assert sent < 2**25


def test_headers_that_browsers_send_are_taken(room: Room, client: httpx.Client) -> None:
    status, _, _ = ask(room.base, "GET", room.raters[0], {"cookie": b"a=" + b"b" * 16_000})
    assert status == 303


@pytest.mark.parametrize("public_url", ["https://study.example", "http://study.example"])
def test_browsers_are_told_to_stay_with_https_where_it_is_public(room: Room, public_url: str) -> None:
    room.app.state.site.public_url = public_url
    with serving(room):
        for target in (room.raters[0], "/nowhere", "/desk/", f"/media/{next(iter(room.study.prepare().types))}"):
            _, headers, _ = ask(room.base, "GET", target)
            assert ("strict-transport-security" in headers) is public_url.startswith("https:"), target
