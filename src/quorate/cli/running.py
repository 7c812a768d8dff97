"""Commands that run a study: serve, move, invite, select, open, close, reassess, exclude, replace, amend, status."""

from __future__ import annotations

import errno
import socket
import sys
from collections.abc import Iterator, Sequence
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
    from quorate.collect.screening import Cut
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
    stratum: Annotated[str, typer.Option(help="The part to assess anew: a value of a field that the report names.")],
    by: Annotated[str, typer.Option(help="The field, where several have this value.")] = "",
) -> None:
    """Open a second round for a stratum, with other raters. The first round stays.

    They come as the first ones did: by the same questions and the same quiz, or from the reserve.
    """
    from quorate.collect.escalation import reassess as open_round
    from quorate.collect.places import has_cut
    from quorate.collect.screening import preview

    with study(folder) as opened:
        opened.prepare()
        made = opened.store.do(lambda tx: open_round(tx, opened.protocol, stratum, by))
        protocol = opened.protocol
        cuts = opened.store.read(lambda tx: preview(tx, protocol, list(made.panels))) if has_cut(protocol) else ()
    print(
        f"Round {made.number} is open for {made.n} items of “{stratum}”. Invite other raters: quorate invite {folder}"
    )
    for cut in cuts:
        ready = f", {len(cut.chosen)} of them for who is in reserve: quorate select {folder}" if cut.chosen else ""
        print(f"  {cut.panel or 'all'}: {made.panels[cut.panel]} items, {len(cut.free)} places free{ready}")


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
    has_panels = any(invitation.panel for invitation in made)
    columns = (role, *(["panel"] if has_panels else []), "link")
    rows = [(one.person, *([one.panel] if has_panels else []), one.link(base, role)) for one in made]
    if file is not None:
        make_private(file)  # whoever has a link is that rater
        file.write_text(csv_table(columns, rows), encoding="utf-8", newline="")
        print(f"Wrote {len(rows)} links to {file}. They are shown nowhere else.")
    elif as_json:
        print_json([dict(zip(columns, row, strict=True)) for row in rows])
    else:
        for row in rows:
            print("  ".join(row))
        print("Each link is personal and is shown only now.", file=sys.stderr)


def select(
    folder: Folder,
    panel: Annotated[list[str] | None, typer.Option(help="Only this panel; it can be given several times.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Settle it without asking.")] = False,
    as_json: AsJson = False,
) -> None:
    """Give free places to the best who passed the quiz.

    It says first what it would settle, panel by panel, and asks. Whoever passed and has no place is kept in reserve;
    everyone else is thanked. Run it again whenever a place is free. With --json nothing is settled without --yes.
    """
    from dataclasses import asdict

    from quorate.collect import screening

    with study(folder) as opened:
        protocol = opened.protocol
        seen = opened.store.read(lambda tx: screening.preview(tx, protocol, panel or ()))
        if not as_json:
            for cut in seen:
                print("\n".join(_cut_lines(cut, cut.alarm(protocol))))
        is_due = any(cut.is_due for cut in seen)
        if is_due and not as_json and not yes and not typer.confirm("Settle this and tell everyone?"):
            print("Nothing was settled.")
            return
        if is_due and (yes or not as_json):
            opened.store.do(lambda tx: screening.select(tx, protocol, panel or (), seen))
    if as_json:
        print_json([{**asdict(cut), "alarm": cut.alarm(protocol), "settled": yes and cut.is_due} for cut in seen])
        return
    if is_due:
        selected, reserves = sum(len(cut.chosen) for cut in seen), sum(len(cut.reserves) for cut in seen)
        print(f"Settled: {selected} take part, {reserves} in reserve.")
    else:
        print("There is nothing to settle: nobody who took the quiz waits for a decision.")


def _cut_lines(cut: Cut, alarm: str) -> Iterator[str]:
    """What a cut settles in one panel, in lines."""
    name = cut.panel or "All"
    if not (cut.is_due or cut.free or cut.reserves):
        yield f"{name}: nothing to decide."
        return
    yield f"{name}: {'recruitment closes' if cut.closes else f'places free: {len(cut.free)}'}"
    for one in cut.chosen:
        whose = f", instead of {one.place.before} ({one.place.why})" if one.place.before else ""
        round = f", round {one.place.round}" if one.place.round > 1 else ""
        yield f"  {one.candidate.rater}  {one.candidate.right} of {one.candidate.n}  takes part{round}{whose}"
    for n, candidate in enumerate(cut.reserves, start=1):
        yield f"  {candidate.rater}  {candidate.right} of {candidate.n}  in reserve ({n})"
    for candidate in cut.failed:
        yield f"  {candidate.rater}  {candidate.right} of {candidate.n}  is thanked"
    if cut.unfinished:
        yield f"  Not finished with the quiz: {', '.join(cut.unfinished)}"
    if alarm:
        yield f"  Alarm: {alarm}"


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
    rater: Annotated[str, typer.Argument(help="The rater whose answers leave the analysis, such as A2.")] = "",
    reason: Annotated[str, typer.Option(help="Why; the report prints it.")] = "",
    by_rule: Annotated[bool, typer.Option("--by-rule", help="Everyone whom the study file's rule excludes.")] = False,
) -> None:
    """Take a rater's answers out of the analysis.

    The reason is stated and reported; the answers stay in the database. Whom the rule of the study file excludes
    (raters.exclude) leaves the analysis in any case; --by-rule does it now, so that others can take the places.
    """
    from quorate.collect import quality, way

    if by_rule == bool(rater and reason):
        raise typer.BadParameter("Say which rater is to be excluded and why (--reason), or --by-rule.")
    with study(folder) as opened:
        if by_rule:
            if opened.protocol.raters.exclude is None:
                raise StudyError("The study file has no rule of exclusion (raters.exclude).")
            found = opened.store.do(lambda tx: quality.exclude_by_rule(tx, opened.protocol))
            for one, why in found.items():
                print(f"{one} is excluded: {why}")
            print(f"{len(found)} excluded by the rule.")
            return
        opened.store.do(lambda tx: way.exclude(tx, opened.protocol, rater, reason))
        print(f"{rater} is excluded: {reason}")


def replace(
    folder: Folder,
    rater: Annotated[str, typer.Argument(help="The rater who does not go on, such as E5.")],
    reason: Annotated[str, typer.Option(help="Why; the report prints it.")],
) -> None:
    """Hand what a rater has not answered to someone else. What was answered stays, and counts."""
    from quorate.collect import way

    with study(folder) as opened:
        opened.prepare()
        opened.store.do(lambda tx: way.replace(tx, opened.protocol, rater, reason))
        screening = opened.protocol.raters.screening
    following = f"quorate select {folder}" if screening else f"quorate invite {folder}"
    print(f"{rater} is replaced: {reason}\nWhat {rater} had left is free. Next: {following}")


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
    has_panels, has_notes = any(rater.panel for rater in facts.raters), any(rater.note for rater in facts.raters)
    columns = {
        "rater": "id", **({"panel": "panel"} if has_panels else {}), "step": "step", "answered": "answered",
        "of": "total", **({"media failed": "media_failed"} if has_failed else {}), "newest step": "last",
        **({"note": "note"} if has_notes else {}),
    }  # fmt: skip
    for column in columns:
        table.add_column(column, justify="right" if column in ("answered", "of", "media failed") else "left")
    for rater in facts.raters:
        table.add_row(*(str(getattr(rater, name)) for name in columns.values()))
    Console().print(table)
    for rater in (one for one in facts.raters if one.quality):
        rule = f"; to be excluded: {rater.excluding}" if rater.excluding and rater.step != "excluded" else ""
        print(f"{rater.id}: {rater.quality}{rule}")
    for one in facts.panels:
        said = f"{one.panel or 'Places'}: {one.taking_part} of {one.wanted} taken, {one.reserves} in reserve"
        more = f", {one.waiting} wait for the cut" if one.waiting else ""
        left = f", {one.unfinished} not finished with the quiz" if one.unfinished else ""
        print(f"{said}{more}{left}")
    if any(one.free and (one.reserves or one.waiting) for one in facts.panels):
        print(f"Free places can be filled: quorate select {folder}")


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
