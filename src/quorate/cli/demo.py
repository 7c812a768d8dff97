"""The command that makes a demo study and serves it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from quorate.cli.new import new
from quorate.cli.serve import serve_study
from quorate.cli.serving import PORT
from quorate.collect.links import invite, one_more_link_each
from quorate.collect.opening import open_to_raters
from quorate.study import Study


def demo(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="Where to make the demo study.")] = Path("demo"),
    port: Annotated[int | None, typer.Option(help=PORT, min=0, max=65535)] = None,
) -> None:
    """Make a demo study and serve it.

    It prints links for three raters and for you. Run it again to go on with the same study: every rater gets one more
    link, and older ones go on working.
    """
    if not (folder / "study.yaml").exists():
        new("visual-puns", folder)
    with Study(folder) as made:
        made.prepare(apart=True)
        made.store.do(lambda tx: open_to_raters(tx, made.protocol))
        invitations = made.store.do(one_more_link_each)
        missing = (made.protocol.raters.roster or 0) - len(made.store.read(lambda tx: tx.raters()))
        if missing > 0:
            invitations += made.store.do(lambda tx: invite(tx, made.protocol, missing))
        serve_study(made, port=port, invitations=invitations)
