"""Several server processes on one study: they share the listening socket, and one that ends is started again."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType

import uvicorn
from starlette.applications import Starlette

from quorate.errors import StudyError
from quorate.study import Study
from quorate.web.app import make_app
from quorate.web.serving import configured

#: A worker that gives up sooner than this could not begin, in seconds.
SHORT = 2.0
#: How long workers may take to finish what they do, in seconds.
PATIENCE = 15.0


def run_app(
    app: Starlette, listening: socket.socket, *, behind_proxy: bool, on_ready: Callable[[], None] = lambda: None
) -> None:
    """Serves an app until it is told to stop; `on_ready` is called once it heeds that."""
    config = configured(app, log_level="warning", proxy_headers=behind_proxy)
    # What is here now stays to the end, and a request leaves little behind: it need not be looked through so often.
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            on_ready()

    Server(config).run(sockets=[listening])


class Workers:
    """So many processes on one door. Each is a copy of this one, which has imported and read everything by then."""

    def __init__(self, opened: Study, n: int, listening: socket.socket, base: str, public_url: str):
        self._opened = opened
        self._listening = listening
        self._base = base
        self._behind_proxy = bool(public_url)
        # Nothing is ever written here. It ends when this process does, and then the workers end, too.
        self._alive, self._held_open = os.pipe()
        self._workers = [_Worker(self._serve) for _ in range(n)]

    def run(self) -> None:
        """Serves until this process is told to stop."""
        # Connections and threads do not outlive the copying of a process: each worker opens its own.
        self._opened.close()
        signal.signal(signal.SIGTERM, _stop)
        gc.collect()
        gc.freeze()
        try:
            for worker in self._workers:
                worker.start()
            while True:
                time.sleep(0.1)
                for worker in self._workers:
                    worker.look_after()
        finally:
            for worker in self._workers:
                worker.process.terminate()
            for worker in self._workers:
                worker.end()

    def _serve(self) -> None:
        """What a worker does."""
        os.close(self._held_open)
        threading.Thread(target=_end_with_parent, args=(self._alive,), daemon=True).start()
        known = self._opened
        opened = Study(known.folder, known.protocol, database=known.database)
        try:
            run_app(make_app(opened, public_url=self._base), self._listening, behind_proxy=self._behind_proxy)
        except StudyError as sentence:
            sys.exit(f"quorate: {sentence}")
        except KeyboardInterrupt:
            sys.exit(130)
        finally:
            opened.close()


def _stop(_: int, __: FrameType | None) -> None:
    raise SystemExit(0)


def _end_with_parent(alive: int) -> None:
    os.read(alive, 1)
    os.kill(os.getpid(), signal.SIGTERM)


class _Worker:
    def __init__(self, serve: Callable[[], None]):
        self._serve = serve
        self._has_begun = False

    def start(self) -> None:
        """Begins a process."""
        self._began = time.monotonic()
        self.process = multiprocessing.get_context("fork").Process(target=self._serve)
        self.process.start()

    def look_after(self) -> None:
        """Starts the process again if it has ended."""
        ended, is_early = self.process.exitcode, time.monotonic() - self._began < SHORT
        was_killed = ended is not None and ended < 0
        self._has_begun |= was_killed or not is_early
        if ended is None:
            return
        if not self._has_begun:
            raise StudyError("A worker ended as soon as it began; see its message above.")
        # One that has begun before can do so again, but perhaps not yet: its database may be away for a while.
        if was_killed or not is_early:
            self.start()

    def end(self) -> None:
        """Waits for it to finish what it does; one that does not is killed."""
        self.process.join(PATIENCE)
        if self.process.exitcode is None:
            self.process.kill()
            self.process.join()
