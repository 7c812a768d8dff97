"""The floor on PostgreSQL: a bare Starlette server that stores one row a POST with psycopg, and answers with 1 kB.

    python bench/bare_postgresql.py ADDRESS WORKERS

One POST inserts one row, selects that rater's next row and commits, on a connection of an asynchronous pool.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from contextlib import asynccontextmanager

import msgspec
import psycopg
import uvicorn
from psycopg_pool import AsyncConnectionPool
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

NEXT = "SELECT item FROM bare_work WHERE rater = %s AND position > %s ORDER BY position LIMIT 1"
ADD = "INSERT INTO bare_answers (rater, item, value) VALUES (%s, %s, %s)"
FILLER = "x" * 900


def make_tables(address: str) -> None:
    """What the floor stores, and what comes next for whom."""
    with psycopg.connect(address) as db:
        db.execute("DROP TABLE IF EXISTS bare_answers, bare_work")
        db.execute("CREATE TABLE bare_answers (seq serial PRIMARY KEY, rater text, item text, value text)")
        db.execute("CREATE TABLE bare_work (rater text, position int, item text, PRIMARY KEY (rater, position))")
        rows = [(f"R{r}", p, f"item-{p}") for r in range(64) for p in range(1, 2001)]
        db.cursor().executemany("INSERT INTO bare_work VALUES (%s, %s, %s)", rows)


def make_app(address: str) -> Starlette:
    """The server, and its one route."""
    pool = AsyncConnectionPool(address, min_size=4, max_size=8, open=False, kwargs={"prepare_threshold": 1})

    @asynccontextmanager
    async def lifespan(_: Starlette):  # type: ignore[no-untyped-def]
        await pool.open()
        yield
        await pool.close()

    async def submit(request: Request) -> Response:
        rater, item, value, position = (await request.body()).decode().split("&")
        async with pool.connection() as db:
            await db.execute(ADD, (rater, item, value))
            row = await (await db.execute(NEXT, (rater, int(position) % 1999))).fetchone()
        assert row is not None
        return Response(msgspec.json.encode({"next": row[0], "filler": FILLER}), media_type="application/json")

    return Starlette(routes=[Route("/submit", submit, methods=["POST"])], lifespan=lifespan)


if __name__ == "__main__":
    listening = socket.socket()
    if len(sys.argv) == 3:
        make_tables(sys.argv[1])
        listening.bind(("127.0.0.1", 0))
        listening.listen(128)
    if len(sys.argv) > 3:
        listening = socket.socket(fileno=int(sys.argv[3]))
        # The first process never writes: its end is the end of this one.
        threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    else:
        door = listening.fileno()
        command = [sys.executable, __file__, *sys.argv[1:3], str(door)]
        n = int(sys.argv[2]) - 1
        others = [subprocess.Popen(command, pass_fds=[door], stdin=subprocess.PIPE) for _ in range(n)]
        print(listening.getsockname()[1], flush=True)
    uvicorn.Server(uvicorn.Config(make_app(sys.argv[1]), log_level="error", access_log=False)).run(sockets=[listening])
