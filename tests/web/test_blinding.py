"""Blinding holds in the bytes: a rater is played through a study whose blind values are unique markers."""

from __future__ import annotations

import csv
import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from rooms import Rater, Room, browsing, open_room, serving

from studies import visual_puns

MARK = "zqx"


def mark_everything(folder: Path) -> Path:
    """Every blind value becomes a marker: targets, the judge's answers, ids, file names, and metadata in the files."""
    with (folder / "idioms.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    for number, row in enumerate(rows):
        new = f"images/{MARK}file{number}.png"
        content = (folder / row["image"]).read_bytes()
        chunk = b"tEXtprompt\x00" + f"{MARK}metadata{number}".encode()
        head, tail = content[:33], content[33:]
        (folder / new).write_bytes(head + (len(chunk) - 4).to_bytes(4, "big") + chunk + b"\0\0\0\0" + tail)
        row |= {"image": new, "image_id": f"{MARK}id{row['image_id']}", "idiom_id": f"{MARK}idiom{number}"}
        row |= {"target_idiom": f"{MARK}target{number}", "mllm_response": f"{MARK}judge{number}"}
    with (folder / "idioms.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return folder


@pytest.fixture
def marked(tmp_path: Path, empty_database: Path) -> Iterator[Room]:
    room = open_room(mark_everything(visual_puns(tmp_path / "study")), empty_database)
    with serving(room):
        yield room
    room.study.close()


class Listening(httpx.HTTPTransport):
    """Keeps every byte and every header that comes in."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[tuple[str, bytes]] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        reply = super().handle_request(request)
        raw = b"".join(reply.stream)  # type: ignore[arg-type]
        plain = gzip.decompress(raw) if reply.headers.get("content-encoding") == "gzip" else raw
        headers = b"\n".join(name + b": " + value for name, value in reply.headers.raw)
        self.heard.append((str(request.url), headers + b"\n\n" + raw + b"\n\n" + plain))
        return httpx.Response(reply.status_code, headers=reply.headers, content=raw, request=request)


def play(room: Room, link: str, answer: str) -> Listening:
    """Every page, every file and every JSON reply that one rater can get, errors included."""
    ears = Listening()
    client = browsing(room, transport=ears)
    rater = Rater(client, link)
    assert rater.step == "consent"
    rater.to_work()
    files: set[str] = set()
    while not rater.step.startswith("debrief"):
        if rater.step == "break":
            rater.send()
        files |= set(re.findall(r'"(/(?:media|static)/[^"]+)"', rater.page.text))
        client.get(rater.page.url.path, headers={"accept": "application/json"})
        rater.send(idiom="")
        rater.send(idiom=answer)
    rater.send(remarks="x")
    for path in ("download.csv", "instructions", "withdraw", "nonsense", "work/nonsense", "done"):
        rater.open(path)
    for file in sorted(files):
        assert client.get(file).status_code == 200
    assert len([file for file in files if file.startswith("/media/")]) >= 9  # eight items and a sprite
    for path in ("/", "/join/x", "/desk/", "/media/x.png"):
        client.get(path)
    return ears


def test_no_byte_tells_a_blind_value(marked: Room) -> None:
    others = play(marked, marked.raters[1], answer=f"{MARK}otherrater")
    ears = play(marked, marked.raters[0], answer="mine")
    assert len(ears.heard) > 50
    leaks = [url for url, content in ears.heard if MARK.encode() in content]
    assert leaks == []
    # The markers are really there to be found: the other rater sees the own answers again.
    assert any(f"{MARK}otherrater".encode() in content for _, content in others.heard)


def test_opaque_names_do_not_come_from_the_published_seed(marked: Room, tmp_path: Path, empty_database: Path) -> None:
    site = marked.app.state.site
    item = marked.rows(lambda tx: tx.items())[0].id
    from quorate.chance import opaque

    assert site.item_name(item) == opaque(site.secret, "item", item)
    assert site.item_name(item) != opaque(str(marked.study.protocol.seed), "item", item)
