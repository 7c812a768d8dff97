"""The server against a bare one in the same run: submissions a second, their times, start, memory, bytes.

    python bench/server.py [--seconds 4] [--rounds 3]

Every figure is a ratio to `bench/bare.py` under the same load generator, since machines differ and are shared.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import gzip
import itertools
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from secrets import token_hex

from load import Connection, FinishedError, Measured, cpu_seconds, measure, middle, spread, together

from quorate.collect import links, way
from quorate.study import Study

STUDY = """\
quorate: 1
title: Benchmark
seed: 1
items: {{from: items.csv, id: id}}
sections:
  - id: name
    show: [{{text: words}}]
    ask:
      - id: answer
        text: {{prompt: What is meant?, target: target, cannot_tell: unrecognizable}}
raters: {{per_item: {per_item}, cap: {cap}, batch: {batch}, consent: consent.md, instructions: instructions.md}}
"""


def make_study(
    folder: Path, n_items: int, n_raters: int, *, per_item: int = 0, cap: int = 0, batch: int = 1000
) -> list[str]:
    """A study of so many items, with raters who are ready to work; gives their links' paths."""
    folder.mkdir()
    with (folder / "items.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["id", "words", "target"])
        rows.writerows([f"item-{n}", f"These are the words of item {n}.", f"target {n}"] for n in range(n_items))
    for name in ("consent", "instructions"):
        (folder / f"{name}.md").write_text(f"The {name}.\n")
    # Where it is not said: enough slots for every rater to have a full batch.
    k = per_item or max(3, n_raters * batch // n_items)
    (folder / "study.yaml").write_text(STUDY.format(per_item=k, cap=cap or n_raters, batch=batch))
    study = Study(folder)
    study.prepare()
    study.store.do(way.open_study)
    invited = study.store.do(lambda tx: links.invite(tx, study.protocol, n_raters))
    for person in invited:
        study.store.do(lambda tx, id=person.person: way.consent(tx, study.protocol, id, agree=True))
        study.store.do(lambda tx, id=person.person: way.instructions_read(tx, study.protocol, id))
    study.close()
    return [person.link("") for person in invited]


@contextmanager
def serving(command: list[str], pattern: str) -> Iterator[tuple[int, int, float]]:
    """A server process: its port, its process id, and how long it took until it said that it listens."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    for line in process.stdout:
        found = re.search(pattern, line)
        if found:
            break
    else:
        raise RuntimeError("the server did not start")
    try:
        yield int(found[1]), process.pid, time.perf_counter() - start
    finally:
        process.terminate()
        process.wait()


def bare(folder: Path) -> list[str]:
    """The command that starts the floor."""
    return [sys.executable, str(Path(__file__).with_name("bare.py")), str(folder / "bare.sqlite")]


def ours(folder: Path) -> list[str]:
    """The command that starts a study's server."""
    return [sys.executable, "-m", "quorate", "serve", str(folder), "--port", "0"]


LISTENS = r"http://localhost:(\d+)"


async def bare_raters(port: int, n: int) -> list[Callable[[], Awaitable[None]]]:
    """Raters who post to the floor."""

    def rater(number: int) -> Callable[[], Awaitable[None]]:
        connection, positions = Connection("127.0.0.1", port), itertools.count()

        async def send() -> None:
            position = next(positions)
            body = f"R{number}&item-{position}&an answer of a usual length&{position}".encode()
            status, _, _ = await connection.request("POST", "/submit", body)
            assert status == 200

        return send

    return [rater(number) for number in range(n)]


class OurRater:
    """A rater of the study: comes in by the link, then submits and takes what the reply brings."""

    def __init__(self, port: int, link: str):
        self.connection = Connection("localhost", port)
        self.link = link
        self.places: list[tuple[str, int]] = []

    async def enter(self) -> None:
        """Follows the personal link to the first item."""
        _, headers, _ = await self.connection.request("GET", self.link)
        self.cookie = f"cookie: {headers['set-cookie'].split(';')[0]}\r\n"
        self.root = headers["location"].rstrip("/")
        _, headers, _ = await self.connection.request("GET", f"{self.root}/work", headers=self.cookie)
        self.first = headers["location"]
        _, _, body = await self.connection.request("GET", self.first, headers=self.cookie)
        page = unescape(body.decode())
        self.csrf = re.search(r'name="_csrf" value="([^"]+)"', page)[1]  # type: ignore[index]
        self.headers = f"{self.cookie}accept: application/json\r\n"
        _, _, body = await self.connection.request("GET", self.first, headers=self.headers)
        self._take(json.loads(body)["places"])
        # Others still come in: a server hangs up on a connection that idles.
        self.connection.close()

    def _take(self, places: list[dict]) -> None:
        held = {id for id, _ in self.places}
        self.places += [(p["assignment"], p["revision"]) for p in places if p["assignment"] not in held]

    async def send(self) -> None:
        """Submits the answer to the item in hand."""
        if not self.places:
            raise FinishedError
        assignment, revision = self.places.pop(0)
        fields = {
            "csrf": self.csrf,
            "key": f"{int(1000 * time.time()):012x}{token_hex(10)}",
            "revision": revision,
            "evidence": {"visible_seconds": 12.5, "shown": True},
            "held": [id for id, _ in self.places],
            "fields": {"answer": ["an answer of a usual length"]},
        }
        path = f"{self.root}/work/{assignment}"
        status, _, body = await self.connection.request("POST", path, json.dumps(fields).encode(), self.headers)
        if status != 200:
            raise RuntimeError(f"{status}: {body[:300]!r}")
        self._take(json.loads(body)["places"])


async def our_raters(port: int, paths: list[str]) -> list[Callable[[], Awaitable[None]]]:
    """Raters who are at their first item."""
    raters = [OurRater(port, path) for path in paths]
    for rater in raters:
        await rater.enter()
    return [rater.send for rater in raters]


def throughput(folder: Path, paths: Iterator[str], n: int, seconds: float, rounds: int) -> dict[str, float]:
    """Ours against the floor at n raters, in turns."""
    floor, study = bare(Path(tempfile.mkdtemp(dir=folder))), ours(folder / "small")
    return side_by_side(floor, study, paths, n, seconds, rounds)


def side_by_side(
    floor: list[str], study: list[str], paths: Iterator[str], n: int, seconds: float, rounds: int, *others: int
) -> dict[str, float]:
    """Two servers, given by their commands, at n raters in turns.

    What a submission costs of the processors tells the same where others use the machine, too; `others` are processes
    that work for both servers, as a database does.
    """
    turns = []
    with serving(floor, r"^(\d+)$") as low, serving(study, LISTENS) as high:
        for _ in range(rounds):
            bare_round = asyncio.run(_round(bare_raters(low[0], n), seconds, low[1], *others))
            fresh = [next(paths) for _ in range(n)]
            our_round = asyncio.run(_round(our_raters(high[0], fresh), seconds, high[1], *others))
            turns.append((our_round, bare_round))
    a, b = (together(list(theirs)) for theirs in zip(*turns, strict=True))
    rates = [high.rate / low.rate for high, low in turns]
    tails = [high.percentile(0.95) / low.percentile(0.95) for high, low in turns]
    costs = [low.cost / high.cost for high, low in turns]
    print(
        f"{n:>3} raters: {a.rate:,.0f} submissions a second against {b.rate:,.0f}: ratio {spread(rates)}; p95 "
        f"{a.percentile(0.95):.1f} ms against {b.percentile(0.95):.1f} ms: {spread(tails)} times; processors "
        f"{a.cost:.2f} ms a submission against {b.cost:.2f} ms: {spread(costs)} as many for the same",
        flush=True,
    )
    return {"rate": a.rate, "ratio": middle(rates), "p95": middle(tails), "cost": middle(costs)}


async def _round(raters: Awaitable[list[Callable[[], Awaitable[None]]]], seconds: float, *processes: int) -> Measured:
    """One round, and what these processes used of the processors in it."""
    ready = await raters
    before = cpu_seconds(*processes)
    found = await measure(ready, seconds)
    found.used = cpu_seconds(*processes) - before
    return found


def start(folder: Path, path: str) -> dict[str, float]:
    """The first page after the command, the memory of an idle server, and the first item's requests and bytes."""
    with serving(ours(folder / "small"), LISTENS) as (port, pid, seconds):
        rater = OurRater(port, path)
        begin = time.perf_counter()
        asyncio.run(rater.enter())
        first = seconds + time.perf_counter() - begin
        status = Path(f"/proc/{pid}/status").read_text()
        memory = int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024  # type: ignore[index]
        requests, size = asyncio.run(first_item(rater))
    print(f"first page {first:.2f} s after the command; idle server {memory:.0f} MB; first item {requests} requests, "
          f"{size:,} bytes")  # fmt: skip
    return {"first_page": first, "memory": memory, "requests": requests, "bytes": size}


async def first_item(rater: OurRater) -> tuple[int, int]:
    """Requests and bytes of the first item for a browser that has nothing yet: the page, its sheet, its modules."""
    headers = f"{rater.cookie}accept-encoding: gzip\r\n"
    _, _, body = await rater.connection.request("GET", rater.first, headers=headers)
    sizes, page = {rater.first: len(body)}, gunzip(body)
    waiting = re.findall(r'(?:href|src)="(/static/[^"]+)"', page)
    while waiting:
        address = waiting.pop()
        if address in sizes:
            continue
        _, _, body = await rater.connection.request("GET", address, headers=headers)
        sizes[address] = len(body)
        folder = address.rsplit("/", 1)[0]
        waiting += [f"{folder}/{name}" for name in re.findall(r'^import .*?"\./([^"]+)"', gunzip(body), re.MULTILINE)]
    rater.connection.close()
    return len(sizes), sum(sizes.values())


def gunzip(body: bytes) -> str:
    """The text of a reply, compressed or not."""
    return (gzip.decompress(body) if body.startswith(b"\x1f\x8b") else body).decode()


def run(seconds: float, rounds: int) -> dict[str, dict[str, float]]:
    """Every figure, with a line printed for each as it comes."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # Every round has raters of its own: one to begin with, 8 and 32 for the rates.
        small = iter(make_study(folder / "small", 1_000, 1 + 40 * rounds))
        found = {
            "start": start(folder, next(small)),
            "8 raters": throughput(folder, small, 8, seconds, rounds),
            "32 raters": throughput(folder, small, 32, seconds, rounds),
        }
        kept = found["32 raters"]["rate"] / found["8 raters"]["rate"]
        print(f"from 8 to 32 raters: {kept:.2f} times as many submissions a second")
        found["growth"] = {"from 8 to 32": kept}
    return found


def main() -> None:
    """Prints one line a figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    run(given.seconds, given.rounds)


if __name__ == "__main__":
    main()
