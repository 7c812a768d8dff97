"""Commands that read the results: analyse, report, export."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from quorate.cli.options import AsJson, Folder, print_json, study
from quorate.errors import StudyError

_FORMATS = ("html", "md", "latex")


def analyse(folder: Folder, as_json: AsJson = False) -> None:
    """Compute every estimate, each with its interval and n.

    Real answers are used where there are any, else those of the rehearsal, marked as simulated.
    """
    from rich import box
    from rich.console import Console
    from rich.table import Table

    with study(folder) as opened:
        found = opened.results()
    if as_json:
        print_json(found.as_dict())
        return
    table = Table(title="Simulated raters" if found.simulated else None, title_justify="left", box=box.SIMPLE)
    table.add_column("finding")
    table.add_column("estimate")
    for finding in found.findings:
        table.add_row(finding.label, str(finding.estimate))
    Console().print(table)


def report(
    folder: Folder,
    out: Annotated[Path | None, typer.Option(help="Where to write it; DIR/report by default.")] = None,
    format: Annotated[str, typer.Option(help=f"Which parts: {', '.join(_FORMATS)}, by commas.")] = ",".join(_FORMATS),
) -> None:
    """Write the report of the study.

    HTML, Markdown, LaTeX tables, results.json and the data files in the study's own columns.
    """
    formats = tuple(part.strip() for part in format.split(",") if part.strip())
    with study(folder) as opened:
        files = opened.report(out, formats=formats)
    for file in files:
        print(file)


def export(
    folder: Folder,
    layout: Annotated[str, typer.Option(help="`data`: the data files; `paper`: the whole folder to publish.")] = "data",
    out: Annotated[Path | None, typer.Option(help="Where to write it; DIR/export by default.")] = None,
) -> None:
    """Write the data, or the whole folder for a paper.

    The folder holds the data, the media and an analysis.py that recomputes every number without Quorate.
    """
    from quorate.report import export_paper, write_report

    if layout not in ("data", "paper"):
        raise StudyError(f"There is no layout '{layout}'. There are: data, paper.")
    with study(folder) as opened:
        protocol, collected, to = opened.protocol, opened.collected(), out or folder / "export"
        paper = layout == "paper"
        files = export_paper(protocol, collected, to) if paper else write_report(protocol, collected, to, ())
    for file in files:
        print(file)
