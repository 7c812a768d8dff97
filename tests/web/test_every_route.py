"""Every address of the app, from the router's own table: odd requests get a sentence, and never a 5xx."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote_from_bytes, urlencode
from uuid import uuid4

import httpx
import pytest
from rooms import Rater, Room, browsing, serving
from wire import addresses, ask

from postgres import running
from quorate.collect import links, way
from quorate.study import Study
from quorate.web import make_app
from studies import visual_puns

METHODS = ("GET", "POST", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "TRACE")
TRIES = 6

#: In place of a part of an address, as it stands on the wire.
PARTS = (
    *(b"%00", b"A1%00", b"%ff%fe", b"%E4%BD%A0%C5%81", b"%", b"%zz", b"..%2F..%2Fetc%2Fpasswd", b"%0d%0aX-A:%20b"),
    *(b"0", b"-1", b"9" * 25, b"9" * 1900, b"1e9", b"nonsense", b"A9", b"'%22;--", b"a" * 1500, b"a" * 5000, b"%2F%2F"),
)
TEXTS = (
    "",
    "\0",
    "a\0b",
    "x" * 5000,
    "9" * 5000,
    "-1",
    "1e999",
    "=1",
    "é\u0141\u4f60",
    "٣",
    "\ud7ff",
    "\U0001f600",
    "[",
)
JSON = (
    *(b'{"say": []}', b'{"say": [null]}', b'{"say": [[]]}', b"{}", b"[]", b"null", b"1", b'"x"', b"", b"{", b"NaN"),
    *(b"[" * 100_000, b'{"a":' * 900 + b"1" + b"}" * 900, b'{"idiom": ["\\u0000"]}', b'{"idiom": ["\\ud800"]}'),
    *(b'{"idiom": ["x"], "idiom": []}', b'{"\\u0000": ["x"]}', b'{"idiom": [], "idiom.cannot_tell": []}'),
)
EVIDENCE = (
    *(
        b"{}",
        b"[]",
        b"null",
        b"[" * 5000,
        b'{"a":' * 900 + b"1" + b"}" * 900,
        b'{"visible_seconds": 1' + b"0" * 400 + b"}",
    ),
    *(b'{"visible_seconds": NaN}', b'{"visible_seconds": Infinity}', b'{"visible_seconds": "x", "media": {"a": 1}}'),
    *(
        b'{"media": [[], 1, null, {"name": []}]}',
        b'{"item": "\\u0000", "options": 3, "position": []}',
        b'{"hidden": -9e99}',
    ),
)
NUMBERS = (b"0", b"-1", b"1" * 30, b"1.5", b'"x"', b"[]", b"null", b"true")
HEADERS: tuple[dict[str, bytes | str], ...] = (
    {},
    {"accept": "application/json"},
    {"accept-language": "zh;q=x,\xff;q=nan,en;q=1e999,;;;q="},
    {"host": "["},
    {"host": "evil.example"},
    {"origin": "http://["},
    {"origin": "null", "sec-fetch-site": "\xff"},
    {"range": "bytes=-" + "9" * 5000, "if-range": "x"},
    {"range": "bytes=0-1,5-9", "if-modified-since": "never"},
    {"range": "lines=1-2"},
    {"content-type": "multipart/form-data; boundary=\xff"},
    {"content-type": "application/json; charset=utf-7"},
    {"accept-encoding": "gzip;q=\0"},
    {"expect": "100-continue"},
    {"upgrade": "websocket", "connection": "upgrade, close"},
)
COOKIES = (
    "\xff\xfe",
    "quorate_rater=a/b/c/d.sig",
    "=;=;;",
    "quorate_member=",
    'quorate_rater="\\377\\400"',
    "x" * 9000,
)
FIELDS = (
    *("_state", "_n", "_key", "_panel", "_rater", "_link", "_reason", "_section", "_question", "_target", "_canonical"),
    *("_vote", "_rated", "_to", "_revision", "_evidence", "_held", "_media_failed", "idiom", "idiom.cannot_tell"),
    *("proficiency", "background", "remarks", "\0", "."),
)
KNOWN = {"_vote": "yes", "_n": "1", "_section": "recognise", "_question": "idiom", "_reason": "because", "_key": "k"}


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def room(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """An open study, with raters at work, in practice and at the door, and a member with a preview."""
    folder = visual_puns(tmp_path_factory.mktemp("routes") / "study")
    table = folder / "study.yaml"
    table.write_text(table.read_text().replace("roster: 3", "cap: 90").replace("per_item: 3", "per_item: 30"))
    if request.param == "sqlite":
        with opened(folder, "") as made:
            yield made
        return
    with running() as server:
        if server is None:
            pytest.skip("PostgreSQL is not installed here: python tests/postgres.py --install")
        with opened(folder, f"{server.url}?schema=s{uuid4().hex}") as made:
            yield made


class opened:  # noqa: N801 (it is used as a function)
    def __init__(self, folder: Path, database: str):
        self.study = Study(folder, database=database)
        self.study.prepare()
        self.study.store.do(way.open_study)
        self.serving = serving(Room(self.study, make_app(self.study)))

    def __enter__(self) -> Room:
        return self.serving.__enter__()

    def __exit__(self, *error: Any) -> None:
        self.serving.__exit__(*error)
        self.study.close()


class Someone:
    """A browser that came in: its cookies by path, its form token, and where its pages begin."""

    def __init__(self, room: Room, client: httpx.Client, page: httpx.Response):
        self.client, self.room = client, room
        self.token = re.search(r'name="_csrf" value="([^"]+)"', page.text)[1]
        self.root = "/".join(page.url.path.split("/")[: 5 if "/preview/" in page.url.path else 3])
        self.cookie = "; ".join(f"{cookie.name}={cookie.value}" for cookie in client.cookies.jar)


def a_rater(room: Room, at_work: bool) -> tuple[Someone, str]:
    """Someone at work, or at the door; and an assignment."""
    link = room.do(lambda tx: links.invite(tx, room.study.protocol, 1, ""))[0].link("")
    rater = Rater(browsing(room), link)
    if at_work:
        rater.to_work()
    return Someone(room, rater.client, rater.page), rater.step.split("/")[-1]


def the_member(room: Room) -> Someone:
    client = browsing(room)
    return Someone(room, client, client.get(room.member_link("Ada")))


def filled(path: str, known: dict[str, str], draw: Random) -> bytes:
    """An address with known or odd parts."""

    def part(found: re.Match[str]) -> str:
        name = found[1].split(":")[0]
        odd = draw.random() < 0.6 if name != "handle" else draw.random() < 0.1
        return draw.choice(PARTS).decode("ascii") if odd or name not in known else known[name]

    query = draw.choice(["", "", "?lang=zh", "?lang=en", "?lang=%00&x=%ff", "?again", "?%", "?" + "a=b&" * 1000])
    return (re.sub(r"\{([^}]+)\}", part, path) + query).encode()


def a_body(token: str, draw: Random) -> tuple[bytes, str]:
    """A form or JSON that may be almost right, and its type."""
    kind = draw.randrange(4)
    if kind == 0:
        fields = {name: draw.choice(TEXTS) for name in draw.sample(FIELDS, draw.randint(0, 6))}
        fields = {**(KNOWN if draw.random() < 0.5 else {}), **fields}
        return urlencode({"_csrf": token, **fields}).encode(), "application/x-www-form-urlencoded"
    if kind == 1:
        raw = quote_from_bytes(draw.choice(EVIDENCE)).encode()
        form = b"_csrf=%b&_key=k&idiom=x&_evidence=%b" % (token.encode(), raw)
        return form + draw.choice(
            [b"", b"&%", b"&=%ff", b"&a=%zz", b"&%0%000=x", b"&\0=\0", b"&" * 600]
        ), "application/x-www-form-urlencoded"
    whole = b'{"csrf": "%b", "key": "%d", "fields": %b, "revision": %b, "evidence": %b, "held": %b}' % (
        token.encode(), draw.randrange(10**9), draw.choice(JSON) if kind == 2 else b'{"idiom": ["x"]}',
        draw.choice(NUMBERS) if draw.random() < 0.3 else b"0", draw.choice(EVIDENCE),
        draw.choice([b"[]", b'["\\u0000"]', b"{}", b'["x"]']),
    )  # fmt: skip
    return (whole if draw.random() < 0.9 else draw.choice(JSON)), "application/json"


def test_whatever_a_submission_holds_is_told_and_never_by_a_5xx(room: Room) -> None:
    rater, assignment = a_rater(room, at_work=True)
    target = f"{rater.root}/work/{assignment}"
    form = {"cookie": rater.cookie, "content-type": "application/json", "accept": "application/json"}
    parts = {"fields": JSON, "evidence": EVIDENCE, "revision": NUMBERS, "held": JSON, "key": NUMBERS, "more": JSON}
    for name, odd in parts.items():
        for number, content in enumerate(odd):
            whole = {
                "csrf": f'"{rater.token}"'.encode(),
                "key": f'"{name}{number}"'.encode(),
                "fields": b'{"idiom": ["x"]}',
            }
            whole["revision"] = str(len(room.rows(lambda tx: tx.answers_of(tx.assignment(assignment))))).encode()
            body = b"{" + b", ".join(b'"%b": %b' % (k.encode(), v) for k, v in {**whole, name: content}.items()) + b"}"
            for accept in ("application/json", "text/html"):
                status, _, reply = ask(room.base, "POST", target, {**form, "accept": accept}, body)
                assert 200 <= status < 500, (status, name, content[:100])
                assert reply or status == 303, (name, content[:100])


@pytest.mark.parametrize("place", ["rater", "desk", "preview", "outside"])
def test_odd_requests_are_answered_and_never_by_a_5xx(room: Room, place: str) -> None:
    draw = Random(place)
    table = list(addresses(room.app.routes))
    rater, assignment = a_rater(room, at_work=True)
    newcomer, _ = a_rater(room, at_work=False)
    member = the_member(room)
    preview = Someone(room, member.client, member.client.post("/desk/preview", data={"_csrf": member.token}))
    names = sorted(room.app.state.site.staged.types)
    known = {
        "assignment": assignment, "position": "1", "step": "work", "rater": "A1", "name": names[0], "round": "1",
        "section": "recognise", "version": "x", "token": "x",
    }  # fmt: skip
    mine = {
        "rater": [path for path, _ in table if path.startswith("/r/")],
        "desk": [path for path, _ in table if path.startswith(("/desk", "/team"))],
        "preview": [f"/desk/preview{path}" for path, _ in table if path.startswith(("/r/", "/join"))],
        "outside": [path for path, _ in table if not path.startswith(("/r/", "/desk"))] + ["/nowhere", "*", "//x/y"],
    }[place]
    assert len(mine) >= 4
    # What ends a rater's way comes last.
    for path in sorted(set(mine), key=lambda path: "withdraw" in path):
        for method in METHODS:
            for _ in range(TRIES if method in ("GET", "POST") else 1):
                who = {"desk": member, "preview": preview}.get(place) or draw.choice([rater, rater, newcomer])
                target = filled(path, {**known, "handle": who.root.split("/")[-1]}, draw)
                body, kind = a_body(who.token, draw) if method != "GET" else (b"", "")
                cookie = who.cookie if draw.random() < 0.85 else draw.choice(COOKIES)
                headers = {"cookie": cookie.encode("latin-1"), "content-type": kind, **draw.choice(HEADERS)}
                headers = {name: as_latin(value) for name, value in headers.items()}
                status, told, reply = ask(room.base, method, target, headers, body)
                sent = (method, target[:200], headers, body[:300])
                assert 200 <= status < 500, (status, sent)
                assert reply or status < 400 or method == "HEAD", sent
                assert "evil.example" not in told.get("location", ""), sent
        room.do(way.open_study)


def as_latin(value: bytes | str) -> bytes:
    return value if isinstance(value, bytes) else value.encode("latin-1")


def test_a_member_whose_link_is_withdrawn_is_refused_everywhere_at_the_desk(room: Room) -> None:
    member = the_member(room)
    preview = Someone(room, member.client, member.client.post("/desk/preview", data={"_csrf": member.token}))
    known = {"rater": "A1", "section": "recognise", "round": "1", "name": "x"}
    table = [(path, methods) for path, methods in addresses(room.app.routes) if path.startswith("/desk/")]
    table += [(f"/desk/preview{path}", methods) for path, methods in addresses(room.app.routes) if "/r/" in path]
    assert {"/desk/links.csv", "/desk/report/{name}", "/desk/preview"} <= {path for path, _ in table}
    room.member_link("Ada")  # a new link; the one before stops working
    before = len(room.rows(lambda tx: tx.events()))
    for path, methods in table:
        target = re.sub(r"\{(\w+)[^}]*\}", lambda m: known.get(m[1], preview.root.split("/")[-1]), path)
        for method in methods - {"HEAD"}:
            body = urlencode({"_csrf": member.token, **KNOWN}).encode() if method == "POST" else b""
            form = {"cookie": member.cookie, "content-type": "application/x-www-form-urlencoded"}
            status, _, reply = ask(room.base, method, target, form, body)
            assert status == 403, (method, target, status)
            assert b"has been replaced or withdrawn" in reply, (method, target)
    assert len(room.rows(lambda tx: tx.events())) == before
