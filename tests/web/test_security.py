"""Who is asking, and may they."""

from __future__ import annotations

import httpx
import pytest
from rooms import Rater, Room
from starlette.requests import Request

from quorate.web.security import Limit, Sessions, is_same_site

PAGES = ["/", "/join/x", "/media/none.png", "/static/x/app.css", "/desk/", "/r/abc/work"]


@pytest.mark.parametrize("path", PAGES)
def test_every_reply_carries_the_guard(client: httpx.Client, path: str) -> None:
    headers = client.get(path).headers
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-content-type-options"] == "nosniff"


def test_pages_are_not_kept_by_caches(rater: Rater) -> None:
    assert rater.page.headers["cache-control"] == "no-store"


def test_a_bug_is_a_page_with_the_guard_too(room: Room, client: httpx.Client) -> None:
    del room.app.state.site.protocol.texts["consent.md"]
    page = client.get(room.raters[0])
    assert page.status_code == 500
    assert "reload it in a minute" in page.text
    assert "content-security-policy" in page.headers
    assert "Traceback" not in page.text


def test_a_form_without_its_token_is_refused(rater: Rater) -> None:
    page = rater.send(_agree="yes", _csrf="")
    assert page.status_code == 403
    assert "send it again" in page.text


def test_a_token_of_another_rater_is_refused(room: Room, client: httpx.Client) -> None:
    one, two = Rater(client, room.raters[0]), Rater(client, room.raters[1])
    assert two.send(_agree="yes", _csrf=one.hidden("_csrf")).status_code == 403


@pytest.mark.parametrize("headers", [{"origin": "https://elsewhere.example"}, {"sec-fetch-site": "cross-site"}])
def test_a_form_from_another_site_is_refused(rater: Rater, headers: dict[str, str]) -> None:
    data = {"_agree": "yes", "_csrf": rater.hidden("_csrf")}
    assert rater.client.post(rater.page.url.path, data=data, headers=headers).status_code == 403


def test_where_a_request_comes_from() -> None:
    assert is_same_site({"host": "study.example", "origin": "https://study.example"})
    assert is_same_site({"host": "study.example", "origin": "null", "sec-fetch-site": "same-origin"})
    assert not is_same_site({"host": "study.example", "origin": "null", "sec-fetch-site": "cross-site"})


def test_the_cookie_is_for_one_raters_pages_alone(room: Room, client: httpx.Client) -> None:
    reply = client.get(room.raters[0], follow_redirects=False)
    cookie = reply.headers["set-cookie"].lower()
    assert f"path={reply.headers['location'].rstrip('/')}" in cookie
    assert "httponly" in cookie
    assert "samesite=lax" in cookie


def test_the_cookie_is_secure_where_raters_come_over_https(room: Room, client: httpx.Client) -> None:
    assert "secure" not in client.get(room.raters[0], follow_redirects=False).headers["set-cookie"].lower()
    room.app.state.site.public_url = "https://study.example"
    assert "secure" in client.get(room.raters[0], follow_redirects=False).headers["set-cookie"].lower()


def test_a_cookie_that_was_changed_is_no_cookie() -> None:
    sessions = Sessions("secret", "rater")
    cookie = sessions.make("A1", "link", "en").cookie
    assert sessions.read(cookie) is not None
    assert sessions.read(cookie.replace("A1", "A2")) is None
    assert Sessions("other secret", "rater").read(cookie) is None
    assert Sessions("secret", "member").read(cookie) is None


def test_guesses_of_a_stranger_lock_nobody_out_who_has_a_link(room: Room, client: httpx.Client) -> None:
    for _ in range(25):
        page = client.get("/join/wrong")
    assert page.status_code == 429
    assert client.get(room.raters[0]).status_code == 200
    assert client.get(room.member).status_code == 200
    assert client.get("/team/wrong").status_code == 429


def test_links_that_do_not_work_can_be_tried_so_often(room: Room, client: httpx.Client) -> None:
    for number in range(20):
        assert client.get(f"/join/wrong-{number}").status_code == 403
    page = client.get("/join/wrong")
    assert page.status_code == 429
    assert page.headers["retry-after"] == "60"
    assert client.get("/team/wrong").status_code == 429


def test_the_limit_forgets() -> None:
    now = [0.0]
    limit = Limit(failures=2, seconds=60, clock=lambda: now[0])
    request = Request({"type": "http", "client": ("192.0.2.1", 1), "headers": []})
    limit.failed(request)
    limit.failed(request)
    assert limit.is_over(request)
    now[0] = 61
    assert not limit.is_over(request)
    assert b"192.0.2.1" not in repr(limit.__dict__).encode()


def test_nothing_of_the_browser_is_stored(room: Room, worker: Rater, tmp_path) -> None:
    worker.client.headers["user-agent"] = "Marker-Agent/1.0"
    worker.client.headers["x-forwarded-for"] = "203.0.113.77"
    worker.send(idiom="an answer")
    room.study.store.backup(tmp_path / "copy.sqlite")
    stored = (tmp_path / "copy.sqlite").read_bytes()
    for mark in (b"Marker-Agent", b"203.0.113.77", b"127.0.0.1"):
        assert mark not in stored


def test_a_form_that_is_too_large_is_refused(rater: Rater) -> None:
    assert rater.send(_agree="yes" * 200_000).status_code == 413
