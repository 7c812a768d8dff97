"""The floor: a bare Starlette server that stores one row a POST, durably, and answers with 1 kB of JSON.

One POST inserts one row, selects that rater's next row, commits in a group, and replies after the commit. Raw sqlite3,
WAL, synchronous=FULL; nothing else. Whatever a real server costs more than this is what it does for a study.
"""

from __future__ import annotations

import asyncio
import queue
import socket
import sqlite3
import sys
import threading
from typing import Any

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

NEXT = "SELECT item FROM work WHERE rater = ? AND position > ? ORDER BY position LIMIT 1"
FILLER = "x" * 900


class Writer(threading.Thread):
    """One thread that takes everything queued, commits once, and then answers all of it."""

    def __init__(self, path: str):
        super().__init__(daemon=True)
        self.path = path
        self.loop: asyncio.AbstractEventLoop
        self.queue: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def run(self) -> None:
        db = sqlite3.connect(self.path, isolation_level=None)
        for pragma in ("journal_mode=WAL", "synchronous=FULL"):
            db.execute(f"PRAGMA {pragma}")
        db.execute("CREATE TABLE answers (seq INTEGER PRIMARY KEY, rater TEXT, item TEXT, value TEXT)")
        db.execute("CREATE TABLE work (rater TEXT, position INTEGER, item TEXT, PRIMARY KEY (rater, position))")
        db.execute("BEGIN")
        db.executemany(
            "INSERT INTO work VALUES (?, ?, ?)",
            ((f"R{r}", p, f"item-{p}") for r in range(64) for p in range(1, 2001)),
        )
        db.execute("COMMIT")
        while True:
            group = [self.queue.get()]
            while not self.queue.empty():
                group.append(self.queue.get())
            db.execute("BEGIN IMMEDIATE")
            done = []
            for (rater, item, value, position), future in group:
                db.execute("INSERT INTO answers (rater, item, value) VALUES (?, ?, ?)", (rater, item, value))
                done.append((future, db.execute(NEXT, (rater, position)).fetchone()))
            db.execute("COMMIT")
            self.loop.call_soon_threadsafe(_answer, done)


def _answer(done: list[tuple[asyncio.Future[Any], Any]]) -> None:
    for future, row in done:
        future.set_result(row)


def make_app(path: str) -> Starlette:
    """The server, and its one route."""
    writer = Writer(path)
    writer.start()

    async def submit(request: Request) -> Response:
        rater, item, value, position = (await request.body()).decode().split("&")
        writer.loop = asyncio.get_running_loop()
        future = writer.loop.create_future()
        writer.queue.put(((rater, item, value, int(position) % 1999), future))
        row = await future
        reply = msgspec.json.encode({"next": row[0], "filler": FILLER})
        return Response(reply, media_type="application/json")

    return Starlette(routes=[Route("/submit", submit, methods=["POST"])])


if __name__ == "__main__":
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen(128)
    print(listening.getsockname()[1], flush=True)
    config = uvicorn.Config(make_app(sys.argv[1]), log_level="error", access_log=False, lifespan="off")
    uvicorn.Server(config).run(sockets=[listening])
