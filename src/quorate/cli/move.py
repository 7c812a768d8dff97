"""The command that copies a study to another database."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from quorate.cli.options import AsJson, Folder, print_json
from quorate.collect.way import is_open
from quorate.errors import StudyError
from quorate.store import Store, is_postgresql
from quorate.store.move import copy_study
from quorate.study import DATABASE, Study, with_schema


def move(
    folder: Folder,
    to: Annotated[str, typer.Option(help="Where to: postgresql://me@host/studies, or the path of a new file.")],
    database: Annotated[str, typer.Option(help="Where from, if it is not where the study is now.")] = "",
    as_json: AsJson = False,
) -> None:
    """Copy the whole study to another database.

    Every table is counted on both sides. The study has to be closed. A file of SQLite that was moved away is kept under
    another name.
    """
    target = with_schema(to, folder) if is_postgresql(to) else to
    with Study(folder, database=database) as opened:
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
    if is_postgresql(database):
        return None
    return Path(database).rename(f"{database}.moved")
