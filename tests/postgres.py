"""A PostgreSQL server for the tests: a real one on loopback, made in a temporary folder and stopped again."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

USER = "postgres"
#: What either database raises where its own rules refuse a row.
REFUSED = (sqlite3.IntegrityError, psycopg.errors.IntegrityError)


def sqlite_only(test: Callable[..., None]) -> Callable[..., None]:
    """Marks a test that looks into what SQLite alone has: the others run on both databases."""
    test.databases = ("sqlite",)  # type: ignore[attr-defined]
    return test


def binaries() -> Path | None:
    """Where the server's programs are, if there is one: the newest of Debian's, or those on the path."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    on_path = shutil.which("initdb")
    return found[-1].parent if found else Path(on_path).parent if on_path else None


def install() -> None:
    """Installs PostgreSQL from Debian's packages where there is none and we may."""
    if binaries():
        return
    if not (os.geteuid() == 0 and shutil.which("apt-get")):
        sys.exit("The tests need PostgreSQL. Install it with your system's packages, then run make test again.")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "update", "-qq"], check=True, env=environment)
    subprocess.run(["apt-get", "install", "-y", "-qq", "postgresql"], check=True, env=environment)


def kept_port() -> tuple[socket.socket, int]:
    """A port that is given to nobody else as long as the socket is there; who asks for it by its number can listen."""
    kept = socket.socket()
    kept.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    kept.bind(("127.0.0.1", 0))
    return kept, kept.getsockname()[1]


class Server:
    """One server: `url` is the address of its database; it can be killed and started again."""

    def __init__(self, folder: Path, programs: Path):
        self.folder = folder
        self.programs = programs
        self._kept, self.port = kept_port()
        self.url = self.address("postgres")

    def address(self, database: str) -> str:
        """The address of one of its databases."""
        return f"postgresql://{USER}@127.0.0.1:{self.port}/{database}"

    def make(self) -> None:
        """The files of a new server; whoever comes over loopback is trusted."""
        options = ["-U", USER, "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"]
        command = [str(self.programs / "initdb"), "-D", str(self.folder / "data"), *options]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd="/", **_owner())

    def start(self) -> None:
        """Starts it, and waits until it answers."""
        settings = {"listen_addresses": "127.0.0.1", "port": self.port, "unix_socket_directories": self.folder}
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            # A child of our own: a killed one has to be waited for before its place is free.
            self.process = subprocess.Popen(
                [str(self.programs / "postgres"), "-D", str(self.folder / "data"), *options],
                stdout=log, stderr=log, cwd="/", **_owner(),
            )  # fmt: skip
        while True:
            try:
                psycopg.connect(self.url, connect_timeout=20).close()
                return
            except psycopg.OperationalError:
                if self.process.poll() is not None:
                    raise RuntimeError((self.folder / "log").read_text()[-2000:]) from None
                time.sleep(0.02)

    def stop(self) -> None:
        """Stops it, whatever it does just now."""
        if self.process.poll() is None:
            os.kill(self._postmaster(), signal.SIGQUIT)
            self.process.wait(120)

    def kill(self) -> None:
        """Kills it at once, with everything it runs, as a power cut would."""
        postmaster = self._postmaster()
        # Stopped first, so that it starts nothing more that would outlive it.
        os.kill(postmaster, signal.SIGSTOP)
        children = subprocess.run(["ps", "--ppid", str(postmaster), "-o", "pid="], capture_output=True, text=True)
        processes = [*map(int, children.stdout.split()), postmaster]
        for process in processes:
            os.kill(process, signal.SIGKILL)
        self.process.wait()
        while any(_is_running(process) for process in processes):
            time.sleep(0.01)

    def _postmaster(self) -> int:
        return int((self.folder / "data" / "postmaster.pid").read_text().splitlines()[0])


def _is_running(process: int) -> bool:
    """Whether it still holds anything: one that has ended and waits to be read is a zombie."""
    try:
        return "State:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except OSError:
        return False


def _owner() -> dict[str, str]:
    """The server refuses to run as root: then it runs as the user that Debian makes for it."""
    return {"user": USER, "group": USER} if os.geteuid() == 0 else {}


@contextmanager
def running() -> Iterator[Server | None]:
    """A server for as long as it is needed; None where there are no programs for it."""
    programs = binaries()
    if programs is None:
        yield None
        return
    folder = Path(tempfile.mkdtemp(prefix="quorate-postgres-"))
    if os.geteuid() == 0:
        shutil.chown(folder, USER)
    server = Server(folder, programs)
    try:
        server.make()
        server.start()
        yield server
    finally:
        try:
            server.stop()
        finally:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__" and "--install" in sys.argv:
    install()
