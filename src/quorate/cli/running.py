"""Commands that run a study: serve, move, invite, open, close, reassess, exclude, amend, status, backup."""

from __future__ import annotations

import errno
import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quorate.cli.options import AsJson, Folder, print_json, study
from quorate.cli.serving import DEFAULT_PORT, EVERY_ADDRESS, LOCAL, PORT, address, announced
from quorate.errors import StudyError
from quorate.private import make_private
from quorate.spreadsheets import csv_table

if TYPE_CHECKING:
    from quorate.collect.links import Invitation
    from quorate.study import Study


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
    with study(folder, database) as opened:
        from quorate.store import is_postgresql

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
    from quorate.cli.workers import Workers, run_app
    from quorate.collect.links import desk_link
    from quorate.collect.opening import check_open_is_settled
    from quorate.collect.way import is_open
    from quorate.web.app import make_app

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


def move(
    folder: Folder,
    to: Annotated[str, typer.Option(help="Where to: postgresql://me@host/studies, or the path of a new file.")],
    database: Annotated[str, typer.Option(help="Where from, if it is not where the study is now.")] = "",
    as_json: AsJson = False,
) -> None:
    """Copy the whole study to another database. Every table is counted on both sides.

    The study has to be closed. A file of SQLite that was moved away is kept under another name.
    """
    from dataclasses import asdict

    from quorate.collect.way import is_open
    from quorate.store import Store, is_postgresql
    from quorate.store.move import copy_study
    from quorate.study import DATABASE, with_schema

    target = with_schema(to, folder) if is_postgresql(to) else to
    with study(folder, database) as opened:
        source = opened.database
        if opened.store.read(is_open):
            raise StudyError(f"The study is open, and answers would come meanwhile. First: quorate close {folder}")
        with Store.open(target) as copy:
            counted = copy_study(opened.store, copy)
    kept = _put_aside(source)
    if as_json:
        print_json([asdict(one) for one in counted])
        return
    for one in counted:
        print(f"{one.table:<15}{one.source:>10}{one.target:>10}")
    print("Every table has as many rows on both sides, and the answers' hashes are the same.")
    print(f"The file is kept as {kept}." if kept else "The database it came from is left as it was.")
    if target == str(folder / DATABASE):
        print("It is found there as long as neither study.yaml nor QUORATE_DATABASE names another database.")
    else:
        print("Say where it is now: in study.yaml, `settings: {database: …}`, or as QUORATE_DATABASE.")


def _put_aside(database: str) -> Path | None:
    """Gives a file of SQLite another name, so that nobody goes on with the copy that was left behind."""
    from quorate.store import is_postgresql

    if is_postgresql(database):
        return None
    return Path(database).rename(f"{database}.moved")


def reassess(
    folder: Folder,
    stratum: Annotated[str, typer.Option(help="The panel, or the value of items.sample.by, to assess anew.")],
) -> None:
    """Open a second round for a stratum, with other raters. The first round stays."""
    from quorate.collect.escalation import reassess as open_round

    with study(folder) as opened:
        opened.prepare()
        round, n = opened.store.do(lambda tx: open_round(tx, opened.protocol, stratum))
    print(f"Round {round} is open for {n} items of “{stratum}”. Invite other raters: quorate invite {folder}")


def invite(
    folder: Folder,
    n: Annotated[int, typer.Option("-n", help="How many raters to invite (into each panel).", min=0)] = 0,
    panel: Annotated[str, typer.Option(help="Only this panel, in a study with panels.")] = "",
    again: Annotated[str, typer.Option(help="A rater who gets a new link; the old one stops working.")] = "",
    member: Annotated[str, typer.Option(help="The name of a member of the team who gets a link to the desk.")] = "",
    revoke: Annotated[str, typer.Option(help="A rater or member (A1, M1) whose links stop working.")] = "",
    public_url: Annotated[
        str, typer.Option(help="The address that links begin with; that of the running server where it is not said.")
    ] = "",
    file: Annotated[Path | None, typer.Option("--csv", help="Write the links to this CSV file.")] = None,
    as_json: AsJson = False,
) -> None:
    """Make personal links for raters or members of the team.

    Without -n, as many raters are invited as the roster has places. A link is shown once and kept nowhere: who loses
    it gets a new one with --again.
    """
    from quorate.collect import links

    if file is not None and (file.exists() or not file.parent.is_dir()):
        # Links are shown once: they must not be made where they cannot be written.
        wrong = "exists already" if file.exists() else "is in a folder that does not exist"
        raise StudyError(f"{file} {wrong}. Name another file; nothing was changed.")
    with study(folder) as opened:
        opened.prepare()
        store = opened.store
        if revoke:
            ended = store.do(lambda tx: links.revoke(tx, revoke))
            print(f"{ended} link{'' if ended == 1 else 's'} of {revoke} stopped working.")
            return
        if again:
            made = [store.do(lambda tx: links.invite_again(tx, again))]
        elif member:
            made = [store.do(lambda tx: links.invite_member(tx, member))]
        else:
            chosen = (panel,) if panel else links.panels(opened.protocol)
            made = store.do(lambda tx: links.invite_all(tx, opened.protocol, chosen, n))
    role = "member" if member else "rater"
    base = public_url or address(folder)
    if not base:
        base = f"http://localhost:{DEFAULT_PORT}"
        print(f"No server of this study is known to run: links begin with {base}. See --public-url.", file=sys.stderr)
    rows = [(invitation.person, invitation.link(base, role)) for invitation in made]
    if file is not None:
        make_private(file)  # whoever has a link is that rater
        file.write_text(csv_table([role, "link"], rows), encoding="utf-8", newline="")
        print(f"Wrote {len(rows)} links to {file}. They are shown nowhere else.")
    elif as_json:
        print_json([{role: person, "link": link} for person, link in rows])
    else:
        for person, link in rows:
            print(f"{person}  {link}")
        print("Each link is personal and is shown only now.", file=sys.stderr)


def select(folder: Folder, as_json: AsJson = False) -> None:
    """Close recruitment and make the cut.

    The best candidates of each panel who passed the quiz take part; everyone else is thanked.
    """
    from dataclasses import asdict

    from quorate.collect import screening

    with study(folder) as opened:
        made = opened.store.do(lambda tx: screening.select(tx, opened.protocol))
    if as_json:
        print_json(asdict(made))
        return
    for candidate in made.selected:
        print(f"{candidate.rater}  {candidate.panel}  {candidate.right} of {candidate.n}")
    print(f"{len(made.selected)} take part, {len(made.not_selected)} are thanked.")
    for alarm in made.alarms:
        print(f"Alarm: {alarm}", file=sys.stderr)


def open_(folder: Folder) -> None:
    """Open the study: let raters in.

    It is refused while a text still has a line of the template that is to be replaced; `quorate check` names them.
    """
    from quorate.collect.opening import open_to_raters

    with study(folder) as opened:
        opened.prepare()
        opened.store.do(lambda tx: open_to_raters(tx, opened.protocol))
        print(f"“{opened.title}” is open.")


def close(folder: Folder) -> None:
    """Close the study: take no more answers.

    Everything that was stored stays, and `quorate open` opens it again.
    """
    from quorate.collect.way import close_study

    with study(folder) as opened:
        opened.store.do(close_study)
        print(f"“{opened.title}” is closed.")


def exclude(
    folder: Folder,
    rater: Annotated[str, typer.Argument(help="The rater whose answers leave the analysis, such as A2.")],
    reason: Annotated[str, typer.Option(help="Why; the report prints it.")],
) -> None:
    """Take a rater's answers out of the analysis.

    The reason is stated and reported; the answers stay in the database.
    """
    from quorate.collect import way

    with study(folder) as opened:
        opened.store.do(lambda tx: way.exclude(tx, opened.protocol, rater, reason))
        print(f"{rater} is excluded: {reason}")


def amend(folder: Folder, reason: Annotated[str, typer.Option(help="Why; the report lists it.")]) -> None:
    """Accept a study file or media that were changed after the start.

    It becomes the next numbered version, with its reason, and the report lists it.
    """
    with study(folder) as opened:
        number = opened.amend(reason)
        print(f"Amendment {number}: {reason}")


def status(folder: Folder, as_json: AsJson = False) -> None:
    """Show how far each rater is, and what the items still need."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    from quorate.collect.status import study_status

    with study(folder) as opened:
        facts = opened.store.read(lambda tx: study_status(tx, opened.protocol))
        title = opened.title
    if as_json:
        print_json(facts.as_dict())
        return
    if not facts.raters:
        print(f"{title}: {facts.state}. Nobody is invited yet. Next: quorate invite {folder}")
        return
    heading = f"{title}: {facts.state}, {facts.answered} of {facts.wanted} answers"
    table = Table(title=heading, title_justify="left", box=box.SIMPLE)
    has_failed = any(rater.media_failed for rater in facts.raters)
    for column in ("rater", "step", "answered", "of", *(["media failed"] if has_failed else []), "newest step"):
        table.add_column(column, justify="right" if column in ("answered", "of", "media failed") else "left")
    for rater in facts.raters:
        failed = [str(rater.media_failed)] if has_failed else []
        table.add_row(rater.id, rater.step, str(rater.answered), str(rater.total), *failed, rater.last)
    Console().print(table)


def backup(
    folder: Folder,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The copy to make; it should not exist yet.")],
) -> None:
    """Make a consistent copy of the database while the server runs."""
    if file.exists():
        raise StudyError(f"{file} exists already; nothing was changed.")
    with study(folder) as opened:
        opened.store.backup(file)
        print(f"Copied the database to {file}.")
