"""The command that brings answers in from files."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from quorate.cli.options import AsJson, Folder, print_json
from quorate.errors import StudyError
from quorate.files import write_files
from quorate.importers.label_studio import read_items
from quorate.study import Study


def import_(
    folder: Folder,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A filled file in the study's own format, or an export.")
    ],
    rater: Annotated[str, typer.Option(help="Whose answers they are, such as R1.")] = "",
    label_studio: Annotated[
        bool, typer.Option("--label-studio", help="The file is a JSON export of Label Studio; annotators are raters.")
    ] = False,
    items: Annotated[str, typer.Option(help="With --label-studio: only write its items to this table of DIR.")] = "",
    as_json: AsJson = False,
) -> None:
    """Bring answers in from a filled file or from Label Studio.

    A filled file holds one rater's answers, a JSON export of Label Studio those of its annotators.

    All of it or nothing: everything that is wrong is said with its line, and then nothing is stored. Rows without an
    answer are left for later. The same file twice changes nothing; a changed answer is a revision.
    """
    if label_studio == bool(rater):
        raise StudyError("Say whose answers they are with --rater, or --label-studio for an export with annotators.")
    if items:
        print(_items_of(file, folder, items))
        return
    with Study(folder) as opened:
        done = opened.import_label_studio(file) if label_studio else [opened.import_file(file, rater)]
    if as_json:
        print_json([asdict(one) for one in done] if label_studio else asdict(done[0]))
        return
    for one in done:
        print(f"{one.rater}: {one.stored} rows stored, {one.known} known already, {one.untouched} without an answer.")
    print(f"Next: quorate status {folder}")


def _items_of(file: Path, folder: Path, name: str) -> Path:
    """Writes what an export of Label Studio was about, without a word on who annotated it."""
    if not name.endswith(".jsonl"):
        raise StudyError(f"The items are written as JSON lines: name a file that ends in .jsonl, not '{name}'.")
    if (folder / name).exists():
        raise StudyError(f"{folder / name} is there already, and is not overwritten. Choose another name.")
    rows = (json.dumps(row.fields, ensure_ascii=False) + "\n" for row in read_items(file))
    return write_files(folder, {name: "".join(rows).encode()})[0]
