"""Static files and media."""

from __future__ import annotations

import gzip
import os
import re

import httpx
import pytest
from rooms import Rater, Room

from quorate.web.files import static_files, static_version


def test_static_files_are_kept_for_ever_under_a_name_that_changes(client: httpx.Client) -> None:
    reply = client.get(f"/static/{static_version()}/app.css")
    assert "immutable" in reply.headers["cache-control"]
    assert reply.headers["content-encoding"] == "gzip"
    assert client.get("/static/000000000000/app.css").status_code == 404
    assert client.get(f"/static/{static_version()}/none.css").status_code == 404


def test_a_client_that_takes_no_gzip_gets_none(client: httpx.Client) -> None:
    reply = client.get(f"/static/{static_version()}/work.js", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in reply.headers
    assert "outbox.js" in reply.text


@pytest.mark.parametrize("name", sorted(static_files()))
def test_the_compressed_form_is_the_same_file(name: str) -> None:
    file = static_files()[name]
    assert gzip.decompress(file.compressed) == file.content


def test_media_come_whole_and_in_ranges(worker: Rater) -> None:
    address = re.search(r'src="(/media/\w+)"', worker.page.text)[1]
    whole = worker.client.get(address)
    assert whole.headers["content-type"] == "image/png"
    assert "immutable" in whole.headers["cache-control"]
    assert "." not in address
    part = worker.client.get(address, headers={"range": "bytes=0-7"})
    assert part.status_code == 206
    assert part.content == whole.content[:8] == b"\x89PNG\r\n\x1a\n"


@pytest.mark.parametrize("name", ["manifest.json", "..%2F..%2Fstudy.yaml", "0001_1.png", "abcdefghjkmn.png"])
def test_nothing_but_staged_files_is_served(client: httpx.Client, name: str) -> None:
    assert client.get(f"/media/{name}").status_code == 404


def test_the_first_item_is_small(worker: Rater) -> None:
    # The page, its style and its modules, as they travel; what the browser really asks for is counted in Chromium.
    page = len(gzip.compress(worker.page.content, 5))
    wanted = {"app.css", "work.js", "outbox.js", "item.js", "page.js"}
    assert set(re.findall(r"/static/\w+/([\w.]+)", worker.page.text)) == wanted
    assert page + sum(len(static_files()[name].compressed) for name in wanted) < 60_000


ASKED = (
    {},
    {"range": "bytes=0-7"},
    {"range": "bytes=0-3,8-11"},
    {"range": "bytes=-5"},
    {"range": "bytes=0-7", "if-range": '"another"'},
    {"if-none-match": '"another"'},
    {"if-modified-since": "Sun, 01 Nov 2026 00:00:00 GMT"},
    {"range": "bytes=99999999-"},
)


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("headers", ASKED, ids=str)
def test_no_header_of_media_tells_when_they_were_staged(
    room: Room, client: httpx.Client, method: str, headers: dict[str, str]
) -> None:
    staged = room.study.prepare()
    told = set()
    for number, name in enumerate(sorted(staged.types)):
        # Files that were staged at other times, in another order, or copied: nobody may see it.
        os.utime(staged.file(name), (1_700_000_000 + 1000 * number, 1_700_000_000 + 1000 * number))
        reply = client.request(method, f"/media/{name}", headers=headers)
        assert reply.status_code in (200, 206, 416)
        assert reply.headers.get("etag", f'"{name}"') == f'"{name}"'
        told.add(tuple((key, value) for key, value in reply.headers.items() if key not in CONTENTS))
    assert len({frozenset(headers) for headers in told}) == 1


#: What follows from the bytes and from the address.
CONTENTS = ("content-length", "content-range", "content-type", "etag", "date")


def test_files_are_staged_in_an_order_that_the_secret_draws_and_have_one_time(room: Room) -> None:
    staged = room.study.prepare()
    assert {staged.file(name).stat().st_mtime for name in staged.types} == {0}
