"""The command that writes the report."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from quorate.cli.options import Folder, print_files
from quorate.collect.recorded import unread_shares
from quorate.languages import LANGUAGES
from quorate.report import FORMATS
from quorate.report.pdf import without_letters
from quorate.study import Study


def report(
    folder: Folder,
    out: Annotated[Path | None, typer.Option(help="Where to write it; DIR/report by default.")] = None,
    format: Annotated[str, typer.Option(help="Which parts, by commas: html, pdf, md, latex. All by default.")] = "",
    language: Annotated[str, typer.Option(help="The report's language: en or zh.")] = "en",
    paper: Annotated[str, typer.Option(help="The paper of the PDF: a4 or letter.")] = "a4",
) -> None:
    """Write the report of the study.

    HTML, PDF, Markdown, LaTeX tables, results.json, the data files, and the study's own file where the study file names
    one (`export.own`), with a file beside it that says how each of its values came about.
    """
    formats = tuple(part.strip() for part in format.split(",") if part.strip()) or FORMATS
    with Study(folder) as opened:
        opened.judge()
        files = opened.report(out, formats=formats, language=language, paper=paper)
        unread = list(unread_shares(opened.collected().answers))
    print_files(files)
    names = next(file for file in files if file.name == "results.json").read_text("utf-8")
    if "pdf" in formats and (missing := without_letters(LANGUAGES[language] + names)):
        unread.append(missing)
    for sentence in unread:
        print(f"Note: {sentence}", file=sys.stderr)
    page = next((file for file in files if file.suffix == ".html"), None)
    if page is not None:
        print(f"Next: open {page} in a browser.")
