"""Commands that run a study: invite, select, open, close, reassess, exclude, replace, amend, status, backup."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from quorate.cli.options import AsJson, Folder, print_json
from quorate.cli.serving import DEFAULT_PORT, address
from quorate.collect import links, quality, screening, way
from quorate.collect.escalation import reassess as open_round
from quorate.collect.opening import open_to_raters
from quorate.collect.places import has_cut
from quorate.collect.screening import Cut, preview
from quorate.collect.status import study_status
from quorate.errors import StudyError
from quorate.private import make_private
from quorate.spreadsheets import csv_table
from quorate.study import Study


def reassess(
    folder: Folder,
    stratum: Annotated[str, typer.Option(help="The part to assess anew: a value of a field that the report names.")],
    by: Annotated[str, typer.Option(help="The field, where several have this value.")] = "",
) -> None:
    """Open a second round for a stratum, with other raters.

    The first round stays. They come as the first ones did: by the same questions and the same quiz, or from the
    reserve.
    """
    with Study(folder) as opened:
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
    if file is not None and (file.exists() or not file.parent.is_dir()):
        # Links are shown once: they must not be made where they cannot be written.
        wrong = "exists already" if file.exists() else "is in a folder that does not exist"
        raise StudyError(f"{file} {wrong}. Name another file; nothing was changed.")
    with Study(folder) as opened:
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
    with Study(folder) as opened:
        protocol = opened.protocol
        seen = opened.store.read(lambda tx: preview(tx, protocol, panel or ()))
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
    with Study(folder) as opened:
        opened.prepare()
        opened.store.do(lambda tx: open_to_raters(tx, opened.protocol))
        print(f"“{opened.title}” is open.")


def close(folder: Folder) -> None:
    """Close the study: take no more answers.

    Everything that was stored stays, and `quorate open` opens it again.
    """
    with Study(folder) as opened:
        opened.store.do(way.close_study)
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
    if by_rule == bool(rater and reason):
        raise typer.BadParameter("Say which rater is to be excluded and why (--reason), or --by-rule.")
    with Study(folder) as opened:
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
    """Hand what a rater has not answered to someone else.

    What was answered stays, and counts.
    """
    with Study(folder) as opened:
        opened.prepare()
        opened.store.do(lambda tx: way.replace(tx, opened.protocol, rater, reason))
        has_quiz = opened.protocol.raters.screening is not None
    following = f"quorate select {folder}" if has_quiz else f"quorate invite {folder}"
    print(f"{rater} is replaced: {reason}\nWhat {rater} had left is free. Next: {following}")


def amend(folder: Folder, reason: Annotated[str, typer.Option(help="Why; the report lists it.")]) -> None:
    """Accept a study file or media that were changed after the start.

    It becomes the next numbered version, with its reason, and the report lists it.
    """
    with Study(folder) as opened:
        number = opened.amend(reason)
        print(f"Amendment {number}: {reason}")


def status(folder: Folder, as_json: AsJson = False) -> None:
    """Show how far each rater is, and what the items still need."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    with Study(folder) as opened:
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
    with Study(folder) as opened:
        opened.store.backup(file)
        print(f"Copied the database to {file}.")
