"""Commands that read the results: analyse, report."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from quorate.cli.options import AsJson, Folder, print_files, print_json, study


def analyse(
    folder: Folder,
    as_json: AsJson = False,
    strata: Annotated[bool, typer.Option("--strata", help="Show what was found in each stratum, too.")] = False,
) -> None:
    """Compute every estimate, each with its n.

    Each has an interval where one can be had.
    Real answers are used where there are any, else those of the rehearsal, marked as simulated.
    """
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from quorate.analyse.limits import BY_CHANCE
    from quorate.messages import speaks

    with study(folder) as opened:
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
    from quorate.collect.recorded import unread_shares
    from quorate.languages import LANGUAGES
    from quorate.report import FORMATS
    from quorate.report.pdf import without_letters

    formats = tuple(part.strip() for part in format.split(",") if part.strip()) or FORMATS
    with study(folder) as opened:
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
