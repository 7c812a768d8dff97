"""Many raters at once over HTTP, and a server that can be killed under them; for tests and for the benchmarks."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from secrets import token_urlsafe
from urllib.parse import urlencode

sys.path.insert(0, str(Path(__file__).parent))


from postgres import kept_port
from quorate.collect import links, way
from quorate.collect.gather import gather
from quorate.store import Tx
from quorate.study import Study
from words import words

LOST = (OSError, asyncio.IncompleteReadError, asyncio.TimeoutError)


def make_study(folder: Path, database: str, n_items: int, n_raters: int, k: int, batch: int = 3) -> list[str]:
    """An open study of words, with raters who are ready to work; the paths of their links."""
    words(folder, f"per_item: {k}\nbatch: {batch}\ncap: {n_raters}", n=n_items)
    study = Study(folder, database=database)
    study.prepare()

    def invited(tx: Tx) -> list[str]:
        way.open_study(tx)
        people = links.invite(tx, study.protocol, n_raters)
        for one in people:
            way.consent(tx, study.protocol, one.person, agree=True)
            way.instructions_read(tx, study.protocol, one.person)
        return [one.link("") for one in people]

    paths = study.store.do(invited)
    study.close()
    return paths


class Server:
    """`quorate serve` on a port of its own, which it keeps when it is started again."""

    def __init__(self, folder: Path, database: str = "", workers: int = 1):
        self._kept, self.port = kept_port()
        self._command = [sys.executable, "-m", "quorate", "serve", str(folder), "--port", str(self.port)]
        self._command += ["--workers", str(workers)] + (["--database", database] if database else [])
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> float:
        """Starts it, and waits until it answers; how long that took."""
        begin = time.monotonic()
        self.process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)
        try:
            while not self._answers():
                time.sleep(0.02)
        except BaseException:
            self.stop()
            raise
        return time.monotonic() - begin

    def _answers(self) -> bool:
        assert self.process is not None
        if self.process.poll() is not None:
            raise RuntimeError(f"the server ended with {self.process.returncode}")
        try:
            asyncio.run(_ask(self.port))
        except LOST:
            return False
        return True

    def processes(self) -> list[int]:
        """The server's process, and those that it started."""
        assert self.process is not None
        found = subprocess.run(
            ["ps", "--ppid", str(self.process.pid), "-o", "pid="], capture_output=True, text=True, check=False
        )
        return [self.process.pid, *map(int, found.stdout.split())]

    def kill(self) -> None:
        """Kills everything at once: nothing is written any more, nothing is said."""
        for process in self.processes():
            os.kill(process, signal.SIGKILL)
        assert self.process is not None
        self.process.wait()

    def stop(self) -> None:
        """Ends it as Ctrl+C does."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(120)


class Connection:
    """One HTTP/1.1 connection that is kept open, and sends forms."""

    def __init__(self, port: int):
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def request(
        self, method: str, path: str, body: bytes = b"", headers: str = ""
    ) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body of a reply that states its length."""
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._streams
        kind = "content-type: application/x-www-form-urlencoded\r\n" if body else ""
        head = f"{method} {path} HTTP/1.1\r\nhost: localhost:{self._port}\r\n{kind}{headers}"
        writer.write(f"{head}content-length: {len(body)}\r\n\r\n".encode() + body)
        lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        found = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:]) if name}
        return int(lines[0].split()[1]), found, await reader.readexactly(int(found.get("content-length", 0)))

    def close(self) -> None:
        """Hangs up."""
        if self._streams:
            self._streams[1].close()
            self._streams = None


async def _ask(port: int) -> None:
    connection = Connection(port)
    try:
        await asyncio.wait_for(connection.request("GET", "/"), 20)
    finally:
        connection.close()


@dataclass
class Rater:
    """Someone who answers everything, and sends again what was not acknowledged, as the browser does."""

    port: int
    link: str
    acknowledged: list[str] = field(default_factory=list)
    resent: int = 0
    refused: int = 0

    def __post_init__(self) -> None:
        self._connection = Connection(self.port)
        self._cookie = ""

    async def _request(self, method: str, path: str, body: bytes = b"", headers: str = "") -> tuple[int, dict, bytes]:
        """A request that is made again until the server answers it."""
        while True:
            try:
                reply = await asyncio.wait_for(self._connection.request(method, path, body, self._cookie + headers), 20)
                if reply[0] < 500:
                    return reply
            except LOST:
                pass
            self._connection.close()
            self._connection = Connection(self.port)
            self.refused += 1
            self.resent += method == "POST"
            await asyncio.sleep(0.02)

    async def work(self) -> None:
        """From the link to the end of the work."""
        _, headers, _ = await self._request("GET", self.link)
        self._cookie = f"cookie: {headers['set-cookie'].split(';')[0]}\r\n"
        root = headers["location"].rstrip("/")
        while True:
            status, headers, _ = await self._request("GET", f"{root}/work")
            place = headers.get("location", "")
            if "/work/" not in place:
                self._connection.close()
                return
            status, _, body = await self._request("GET", place)
            assert status in (200, 303), (status, place)
            if status == 200:
                await self._answer(place, unescape(body.decode()))

    async def _answer(self, place: str, page: str) -> None:
        def hidden(name: str) -> str:
            found = re.search(f'name="{name}" value="([^"]*)"', page)
            assert found is not None, (name, page[:500])
            return found[1]

        key = token_urlsafe(12)
        fields = {"_csrf": hidden("_csrf"), "_key": key, "_revision": hidden("_revision"), "score": "3"}
        asks = "accept: application/json\r\n"
        status, _, body = await self._request("POST", place, urlencode(fields).encode(), asks)
        # An item that went to another rater meanwhile is left behind; anything else is a fault of ours.
        assert status in (200, 409), (status, body[:300])
        if status == 200:
            self.acknowledged.append(key)
            assert json.loads(body)["outcome"] in ("stored", "repeated")


def work_all(port: int, paths: list[str]) -> list[Rater]:
    """Everybody works at once, to the end."""
    raters: list[Rater] = []
    asyncio.run(everybody(port, paths, raters))
    return raters


async def everybody(port: int, paths: list[str], raters: list[Rater], kind: type[Rater] = Rater) -> None:
    """The same, for who looks at the raters meanwhile."""
    raters += [kind(port, path) for path in paths]
    await asyncio.gather(*(rater.work() for rater in raters))


@dataclass(frozen=True)
class Found:
    """What is in the database afterwards."""

    per_item: Counter[int]
    late: int
    lost: list[str]
    revised: int
    faults: list[str]

    def is_exact(self, n_items: int, k: int) -> bool:
        """Every item has k answers, nothing that was acknowledged is missing, and nothing was stored twice."""
        return self == Found(Counter({k: n_items}), 0, [], 0, [])


def look(folder: Path, database: str, raters: list[Rater]) -> Found:
    """Counts what was stored."""
    study = Study(folder, database=database)
    try:
        collected = study.store.read(gather)
        per_item = Counter(Counter(answer.item for answer in collected.answers).values())
        keys = [key for rater in raters for key in rater.acknowledged]
        lost = study.store.read(lambda tx: [key for key in keys if not tx.has_submission(key)])
        revised = sum(answer.revision > 1 for answer in study.store.read(Tx.all_answers))
        return Found(per_item, collected.late, lost, revised, study.store.read(Tx.chain_faults))
    finally:
        study.close()
