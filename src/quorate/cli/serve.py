"""The command that serves a study."""

from __future__ import annotations

import errno
import socket
from collections.abc import Sequence
from typing import Annotated

import typer

from quorate.cli.options import Folder
from quorate.cli.serving import DEFAULT_PORT, EVERY_ADDRESS, LOCAL, PORT, announced
from quorate.cli.workers import Workers, run_app
from quorate.collect.links import Invitation, desk_link
from quorate.collect.opening import check_open_is_settled
from quorate.collect.way import is_open
from quorate.errors import StudyError
from quorate.store import is_postgresql
from quorate.study import Study
from quorate.web.app import make_app


def serve(
    folder: Folder,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = LOCAL,
    port: Annotated[int | None, typer.Option(help=PORT, min=0, max=65535)] = None,
    public_url: Annotated[
        str, typer.Option(help="How raters elsewhere reach this server, such as https://study.example.org.")
    ] = "",
    database: Annotated[
        str, typer.Option(help="The address of a PostgreSQL database, such as postgresql://me@host/studies.")
    ] = "",
    workers: Annotated[int, typer.Option(help="How many processes serve; more than one needs PostgreSQL.", min=1)] = 1,
) -> None:
    """Serve the study to raters and to the team until Ctrl+C.

    It listens on this machine alone unless --host says otherwise.
    """
    is_ours = host == LOCAL and not public_url
    if host in EVERY_ADDRESS and not public_url:
        print("Links begin with localhost, for this machine. Say with --public-url how raters elsewhere reach it.")
    listening = _listen(host, DEFAULT_PORT if port is None else port, or_free=port is None and is_ours)
    with Study(folder, database=database) as opened:
        if workers > 1 and not is_postgresql(opened.database):
            raise StudyError(
                "SQLite has one writer at a time, so a second process would only wait for the first. "
                f"Move the study to PostgreSQL for more: quorate move {folder} --to postgresql://…"
            )
        _serve(opened, listening, _base(listening, host, public_url), public_url, workers=workers)


def serve_study(
    opened: Study,
    port: int | None = None,
    invitations: Sequence[Invitation] = (),
) -> None:
    """Serves an opened study on this machine and prints the links that lead into it."""
    listening = _listen(LOCAL, DEFAULT_PORT if port is None else port, or_free=port is None)
    _serve(opened, listening, _base(listening, LOCAL, ""), "", invitations)


def _listen(host: str, port: int, *, or_free: bool = False) -> socket.socket:
    """The socket of a server; with `or_free`, on another port where this one is taken."""
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(2048)
    except OSError as error:
        listening.close()
        if or_free and error.errno == errno.EADDRINUSE:
            free = _listen(host, 0)
            print(f"Port {port} is taken; port {free.getsockname()[1]} is used instead.")
            return free
        raise StudyError(f"Cannot listen on {host}:{port}: {error.strerror}. Choose another with --port.") from error
    return listening


def _base(listening: socket.socket, host: str, public_url: str) -> str:
    """The address that links begin with."""
    is_here = host == LOCAL or host in EVERY_ADDRESS
    name = "localhost" if is_here else f"[{host}]" if ":" in host else host
    return public_url or f"http://{name}:{listening.getsockname()[1]}"


def _serve(
    opened: Study,
    listening: socket.socket,
    base: str,
    public_url: str,
    invitations: Sequence[Invitation] = (),
    workers: int = 1,
) -> None:
    opened.store.read(lambda tx: check_open_is_settled(tx, opened.protocol))
    app = make_app(opened, public_url=base)
    print(f"Quorate serves “{opened.title}” at {base}", flush=True)
    for invitation in invitations:
        print(f"  rater {invitation.person}      {invitation.link(base)}")
    print(f"  researcher    {opened.store.do(desk_link).link(base, 'member')}")
    if not opened.store.read(is_open):
        print(f"The study is not open to raters yet. Open it with: quorate open {opened.folder}")
    try:
        with announced(opened.folder, base):
            if workers > 1:
                _say_how_to_stop()
                Workers(opened, workers, listening, base, public_url).run()
            else:
                run_app(app, listening, behind_proxy=bool(public_url), on_ready=_say_how_to_stop)
    except KeyboardInterrupt:  # that is how a server is meant to end
        print(f"\nStopped. Go on with: quorate serve {opened.folder}")


def _say_how_to_stop() -> None:
    print("Stop with Ctrl+C.", flush=True)
