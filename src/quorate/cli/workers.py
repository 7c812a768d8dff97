"""Several server processes on one study: they share the listening socket, and one that ends is started again."""

from __future__ import annotations

import gc
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from quorate.errors import StudyError

if TYPE_CHECKING:
    from starlette.applications import Starlette

#: A worker that gives up sooner than this cannot begin at all: starting it again would not help.
SHORT = 2.0
#: How long workers may take to finish what they do, in seconds.
PATIENCE = 15.0


def run_app(app: Starlette, listening: socket.socket, *, behind_proxy: bool) -> None:
    """Serves an app until it is told to stop."""
    import uvicorn

    config = uvicorn.Config(
        app, log_level="warning", access_log=False, server_header=False, lifespan="off", proxy_headers=behind_proxy
    )
    # What is here now stays to the end, and a request leaves little behind: it need not be looked through so often.
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    uvicorn.Server(config).run(sockets=[listening])


class Workers:
    """So many processes on one door. They begin at once, and wait with the study until it is prepared for all."""

    def __init__(self, folder: Path, n: int, listening: socket.socket, base: str, public_url: str):
        self._workers = [_Worker(folder, listening, base, public_url) for _ in range(n)]

    def run(self, database: str) -> None:
        """Lets them serve the study in this database until this process is told to stop."""
        signal.signal(signal.SIGTERM, _stop)
        try:
            for worker in self._workers:
                worker.let_go(database)
            while True:
                for worker in self._workers:
                    worker.look_after()
                time.sleep(0.1)
        finally:
            for worker in self._workers:
                worker.process.terminate()
            for worker in self._workers:
                worker.end()


def _stop(_: int, __: FrameType | None) -> None:
    raise SystemExit(0)


class _Worker:
    def __init__(self, folder: Path, listening: socket.socket, base: str, public_url: str):
        door = str(listening.fileno())
        self._command = [sys.executable, "-m", "quorate.cli.workers", str(folder), door, base, public_url]
        self._door = listening.fileno()
        self._database = ""
        # One line is written here for each start. It ends when this process does, and then the workers end, too.
        self._alive, self._held_open = os.pipe()
        self._start()

    def _start(self) -> None:
        self._began = time.monotonic()
        command = [*self._command, str(self._alive)]
        self.process = subprocess.Popen(command, pass_fds=[self._door, self._alive])

    def let_go(self, database: str) -> None:
        """The study is prepared, and this is where its database is."""
        self._database = database
        os.write(self._held_open, f"{database}\n".encode())

    def end(self) -> None:
        """Waits for it to finish what it does; one that does not is killed."""
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def look_after(self) -> None:
        """Starts the process again if it has ended."""
        ended = self.process.poll()
        if ended is None:
            return
        # Below 0 it was killed, and is started again in any case.
        if ended > 0 and time.monotonic() - self._began < SHORT:
            raise StudyError("A worker ended as soon as it began; see its message above.")
        self._start()
        self.let_go(self._database)


def _told(alive: int) -> str:
    """The line that lets this process go; nothing where the one that would write it has ended."""
    line = b""
    while not line.endswith(b"\n"):
        part = os.read(alive, 1)
        if not part:
            raise SystemExit(0)
        line += part
    return line.decode().strip()


def _end_with_parent(alive: int) -> None:
    os.read(alive, 1)
    os.kill(os.getpid(), signal.SIGTERM)


def main() -> None:
    """One worker: serves the study on the socket that it was given."""
    import uvicorn  # noqa: F401

    from quorate.study import Study
    from quorate.web.app import make_app

    folder, door, base, public_url, alive = sys.argv[1:6]
    # Everything is imported by now, while the first process was still looking at the study.
    database = _told(int(alive))
    threading.Thread(target=_end_with_parent, args=(int(alive),), daemon=True).start()
    opened = Study(Path(folder), database=database)
    try:
        app = make_app(opened, public_url=base)
        run_app(app, socket.socket(fileno=int(door)), behind_proxy=bool(public_url))
    finally:
        opened.close()


if __name__ == "__main__":
    try:
        main()
    except StudyError as sentence:
        sys.exit(f"quorate: {sentence}")
    except KeyboardInterrupt:
        sys.exit(130)
