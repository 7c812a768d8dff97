"""The command that plays raters and looks for leaks."""

from __future__ import annotations

from typing import Annotated

import typer

from quorate.audit import audit as audit_study
from quorate.cli.options import AsJson, Folder, print_json


def audit(
    folder: Folder,
    items: Annotated[int, typer.Option(help="The most items to play (of each panel).", min=1)] = 100,
    as_json: AsJson = False,
) -> None:
    """Play raters, and look for blind values in every byte sent.

    It works on a copy in a temporary folder, in which targets, systems, file names, tags of media, and the answers of
    judges and of others are markers. Exit status 1 when one of them is found.
    """
    found = audit_study(folder, most=items)
    print_json(found.as_dict()) if as_json else print(found)
    raise typer.Exit(0 if found.ok else 1)
