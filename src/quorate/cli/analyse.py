"""The command that computes every estimate."""

from __future__ import annotations

from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from quorate.analyse.limits import BY_CHANCE
from quorate.cli.options import AsJson, Folder, print_json
from quorate.messages import speaks
from quorate.study import Study


def analyse(
    folder: Folder,
    as_json: AsJson = False,
    strata: Annotated[bool, typer.Option("--strata", help="Show what was found in each stratum, too.")] = False,
) -> None:
    """Compute every estimate, each with its n.

    Each has an interval where one can be had.
    Real answers are used where there are any, else those of the rehearsal, marked as simulated.
    """
    with Study(folder) as opened:
        opened.judge()
        found = opened.results()
    if as_json:
        print_json(found.as_dict())
        return
    table = Table(title="Simulated raters" if found.simulated else None, title_justify="left", box=box.SIMPLE)
    table.add_column("finding")
    table.add_column("estimate")
    told = found.findings if strata else found.select(by="")
    for finding in told:
        # Names of the study may hold what rich would read as markup.
        table.add_row(Text(str(found.label(finding))), Text(str(finding.estimate)))
    Console().print(table)
    for note in found.notes:
        if speaks(note, BY_CHANCE):
            print(note)
    if len(told) < len(found.findings):
        print(f"{len(found.findings) - len(told):,} more of strata: --strata shows them.")
