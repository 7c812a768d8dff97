"""The load generator that every server is measured with: raters on kept connections, each in its own order."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path


class Connection:
    """One HTTP/1.1 connection that is kept open; as little of a client as the measurement needs."""

    def __init__(self, host: str, port: int):
        self.host, self.port = host, port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def request(
        self, method: str, path: str, body: bytes = b"", headers: str = ""
    ) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body of a reply that states its length."""
        if self._streams is None:
            self._streams = await asyncio.open_connection(self.host, self.port)
        reader, writer = self._streams
        kind = "content-type: application/json\r\n" if body else ""
        head = f"{method} {path} HTTP/1.1\r\nhost: {self.host}:{self.port}\r\n{kind}{headers}"
        writer.write(f"{head}content-length: {len(body)}\r\n\r\n".encode() + body)
        lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        found = dict(line.split(": ", 1) for line in lines[1:] if ": " in line)
        found = {name.lower(): value for name, value in found.items()}
        return int(lines[0].split()[1]), found, await reader.readexactly(int(found.get("content-length", 0)))

    def close(self) -> None:
        """Hangs up."""
        if self._streams:
            self._streams[1].close()
            self._streams = None


@dataclass
class Measured:
    """What one round gave: how long it and each submission took, and what the server used of the processors."""

    seconds: float
    times: list[float] = field(default_factory=list)
    used: float = 0.0

    @property
    def rate(self) -> float:
        """Submissions a second."""
        return len(self.times) / self.seconds

    @property
    def cost(self) -> float:
        """What a submission cost of the processors, in milliseconds."""
        return 1000 * self.used / max(1, len(self.times))

    def percentile(self, share: float) -> float:
        """The time that this share of submissions stayed under, in milliseconds."""
        ordered = sorted(self.times)
        return 1000 * ordered[min(int(share * len(ordered)), len(ordered) - 1)]


class FinishedError(Exception):
    """A rater has nothing left to answer."""


async def measure(raters: list[Callable[[], Awaitable[None]]], seconds: float) -> Measured:
    """Every rater sends as fast as it is answered, for so long, or until one has nothing left to answer."""
    times: list[float] = []
    start = time.perf_counter()
    end = start + seconds

    async def work(send: Callable[[], Awaitable[None]]) -> None:
        nonlocal end
        while (before := time.perf_counter()) < end:
            try:
                await send()
            except FinishedError:
                end = before
                return
            times.append(time.perf_counter() - before)

    await asyncio.gather(*(work(send) for send in raters))
    return Measured(time.perf_counter() - start, times)


def cpu_seconds(*processes: int) -> float:
    """What these processes and all they started have used of the processors so far; it counts where time does not."""
    parents: dict[int, list[int]] = {}
    used: dict[int, float] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(") ")[2].split()
        except OSError:  # it has ended meanwhile
            continue
        process = int(path.parent.name)
        parents.setdefault(int(fields[1]), []).append(process)
        used[process] = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    waiting, total = list(processes), 0.0
    while waiting:
        process = waiting.pop()
        total += used.get(process, 0.0)
        waiting += parents.get(process, ())
    return total


def together(rounds: list[Measured]) -> Measured:
    """Several rounds as one."""
    times = [time for one in rounds for time in one.times]
    return Measured(sum(one.seconds for one in rounds), times, sum(one.used for one in rounds))


def spread(values: list[float]) -> str:
    """The median of some ratios, and how far they went.

    >>> spread([0.5, 0.7, 0.6])
    '0.60 (0.50–0.70)'
    """
    return f"{middle(values):.2f} ({min(values):.2f}–{max(values):.2f})"


def middle(values: list[float]) -> float:
    """The median (the upper one of two)."""
    return sorted(values)[len(values) // 2]
