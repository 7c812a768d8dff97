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


class Server:
    """One server: `url` is the address of its database; it can be killed and started again."""

    def __init__(self, folder: Path, programs: Path):
        self.folder = folder
        self.programs = programs
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = self.address("postgres")

    def address(self, database: str) -> str:
        """The address of one of its databases."""
        return f"postgresql://{USER}@127.0.0.1:{self.port}/{database}"

    def make(self) -> None:
        """The files of a new server; whoever comes over loopback is trusted."""
        _as_owner(
            [
                *(str(self.programs / "initdb"), "-D", str(self.folder / "data"), "-U", USER),
                *("-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"),
            ]
        )

    def start(self) -> None:
        """Starts it, and waits until it answers."""
        options = f"-c listen_addresses=127.0.0.1 -c port={self.port} -c unix_socket_directories={self.folder}"
        data, log = str(self.folder / "data"), str(self.folder / "log")
        _as_owner([str(self.programs / "pg_ctl"), "-D", data, "-l", log, "-o", options, "-w", "start"])

    def stop(self) -> None:
        """Stops it, whatever it does just now."""
        _as_owner([str(self.programs / "pg_ctl"), "-D", str(self.folder / "data"), "-m", "immediate", "stop"])

    def kill(self) -> None:
        """Kills it at once, with everything it runs, as a power cut would."""
        postmaster = int((self.folder / "data" / "postmaster.pid").read_text().splitlines()[0])
        children = subprocess.run(["ps", "--ppid", str(postmaster), "-o", "pid="], capture_output=True, text=True)
        for process in [postmaster, *map(int, children.stdout.split())]:
            os.kill(process, signal.SIGKILL)


def _as_owner(command: list[str]) -> None:
    """The server refuses to run as root: then it runs as the user that Debian makes for it."""
    user = ["runuser", "-u", USER, "--"] if os.geteuid() == 0 else []
    done = subprocess.run([*user, *command], capture_output=True, text=True, check=False, cwd="/")
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stdout}{done.stderr}")


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
