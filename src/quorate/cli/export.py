"""The command that writes data, a paper's folder, the bundle, or other formats."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from quorate.cli.options import Folder, print_files
from quorate.collect.checks import drawn_items
from quorate.errors import StudyError
from quorate.exchange.huggingface import huggingface_files
from quorate.exchange.label_studio import label_studio_config, label_studio_json
from quorate.exchange.own_table.format import is_filled
from quorate.exchange.own_table.write import own_file, template_files
from quorate.files import write_files
from quorate.report import export_paper, write_report
from quorate.study import Study


def export(
    folder: Folder,
    layout: Annotated[str, typer.Option(help="`data`: the data files; `paper`: the whole folder to publish.")] = "data",
    out: Annotated[Path | None, typer.Option(help="Where to write it; DIR/export by default.")] = None,
    rater: Annotated[str, typer.Option(help="Only the study's own file, with this rater's answers.")] = "",
    template: Annotated[
        bool, typer.Option("--template", help="Only the study's own file, to be filled by hand, and guidelines.")
    ] = False,
    bundle: Annotated[Path | None, typer.Option(help="Only this zip file: the whole study, to be verified.")] = None,
    huggingface: Annotated[Path | None, typer.Option(help="Only this folder: a Hugging Face dataset.")] = None,
    label_studio: Annotated[Path | None, typer.Option(help="Only this file: JSON for Label Studio.")] = None,
    media: Annotated[str, typer.Option(help="In the bundle: `include` the media, or only their `hashes`.")] = "include",
) -> None:
    """Write data, a paper's folder, the bundle, or other formats.

    The study's own file (`export.own` in the study file) holds the raters' verdict on each item, or their mean where
    the study file says so, and a file beside it how each value came about; with --rater, one person's answers, in
    DIR/export/ID; with --template, no answers, in DIR/template, with guidelines in a file beside
    it. The folder for a paper holds the data, the media and an analysis.py that recomputes every number without
    Quorate. The bundle is one file from which `quorate verify` makes every printed number again on another machine.
    """
    if layout not in ("data", "paper"):
        raise StudyError(f"There is no layout '{layout}'. There are: data, paper.")
    chosen = (rater, template, bundle, huggingface, label_studio, layout == "paper")
    if sum(map(bool, chosen)) > 1:
        raise StudyError(
            "--rater, --template, --bundle, --huggingface, --label-studio and --layout paper exclude each other; "
            "choose one."
        )
    with Study(folder) as opened:
        if template:
            print_files(_template(opened, out or folder / "template"))
            return
        opened.judge()
        if bundle:
            print_files([opened.bundle(bundle, media)])
            return
        what, to = (opened.protocol, opened.collected()), out or folder / "export"
        if rater:
            files = _write(out or to / rater, [own_file(*what, rater)])
        elif huggingface:
            files = _write(huggingface, huggingface_files(*what))
        elif label_studio:
            # The items with their answers, and beside them the configuration that a project needs to show them.
            config = f"{label_studio.stem}_config.xml", label_studio_config(opened.protocol)
            files = _write(label_studio.parent, [(label_studio.name, label_studio_json(*what)), config])
        else:
            files = export_paper(*what, to) if layout == "paper" else write_report(*what, to, ())
    print_files(files)


def _template(opened: Study, to: Path) -> list[Path]:
    """Writes the file to be filled, unless one lies there that somebody has begun to fill."""
    files = template_files(opened.protocol, drawn_items(opened.plan.items))
    own = to / next(iter(files))
    if own.exists() and is_filled(opened.protocol, own):
        raise StudyError(f"{own} has answers in it, and is not overwritten. Choose another folder with --out.")
    return _write(to, files.items())


def _write(folder: Path, files: Iterable[tuple[str, str | bytes]]) -> list[Path]:
    """Writes one file after the other: a dataset's media need not all be in memory at once."""
    return [
        path
        for name, content in files
        for path in write_files(folder, {name: content if isinstance(content, bytes) else content.encode()})
    ]
