"""Commands that bring files in and out: export, import, and the check of a filled file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quorate.cli.options import AsJson, Folder, print_json, study
from quorate.errors import StudyError

if TYPE_CHECKING:
    from quorate.protocol import Protocol
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
    media: Annotated[str, typer.Option(help="In the bundle: `include` the media, or only their `hashes`.")] = "include",
) -> None:
    """Write the data, or the whole folder for a paper, or the bundle.

    The study's own file (`export.own` in the study file) holds the raters' verdict on each item; with --rater, one
    person's answers, in DIR/export/ID; with --template, no answers, in DIR/template, with guidelines in a file beside
    it. The folder for a paper holds the data, the media and an analysis.py that recomputes every number without
    Quorate. The bundle is one file from which `quorate verify` makes every printed number again on another machine.
    """
    from quorate.report import export_paper, write_report
    from quorate.report.own import own_file

    if layout not in ("data", "paper"):
        raise StudyError(f"There is no layout '{layout}'. There are: data, paper.")
    if (bool(rater) + template + (layout == "paper") + (bundle is not None)) > 1:
        raise StudyError("--rater, --template, --bundle and --layout paper exclude each other; choose one.")
    with study(folder) as opened:
        protocol = opened.protocol
        if bundle is not None:
            files = [opened.bundle(bundle, media)]
        elif template:
            files = _template(opened, out or folder / "template")
        elif rater:
            files = [_write(out or folder / "export" / rater, *own_file(protocol, opened.collected(), rater))]
        elif layout == "paper":
            files = export_paper(protocol, opened.collected(), out or folder / "export")
        else:
            collected, to = opened.collected(), out or folder / "export"
            files = write_report(protocol, collected, to, ())
            files += [_write(to, *own_file(protocol, collected))] if protocol.file.export.own else []
    for file in files:
        print(file)


def _template(opened: Study, to: Path) -> list[Path]:
    """Writes the file to be filled, unless one lies there that somebody has begun to fill."""
    from quorate.collect.checks import drawn_items
    from quorate.protocol.own_format import is_filled
    from quorate.report.own import template_files

    files = template_files(opened.protocol, drawn_items(opened.plan.items))
    own = to / next(iter(files))
    if own.exists() and is_filled(opened.protocol, own):
        raise StudyError(f"{own} has answers in it, and is not overwritten. Choose another folder with --out.")
    return [_write(to, name, text) for name, text in files.items()]


def _write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


def import_(
    folder: Folder,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A filled file in the study's own format.")],
    rater: Annotated[str, typer.Option(help="Whose answers they are, such as R1.")],
    as_json: AsJson = False,
) -> None:
    """Bring a filled file in as one rater's answers.

    All of it or nothing: everything that is wrong is said with its line, and then nothing is stored. Rows without an
    answer are left for later. The same file twice changes nothing; a changed answer is a revision.
    """
    from dataclasses import asdict

    with study(folder) as opened:
        done = opened.import_file(file, rater)
    if as_json:
        print_json(asdict(done))
        return
    print(
        f"{done.rater}: {done.stored} rows stored, {done.known} known already, {done.untouched} without an answer. "
        f"Next: quorate status {folder}"
    )


def check_file(protocol: Protocol, file: Path, as_json: bool) -> None:
    """Says what is wrong in a filled file of the study's own format, and what to look at again; exits 1 where wrong."""
    from dataclasses import asdict

    from quorate.collect.checks import drawn_items
    from quorate.collect.validation import validate
    from quorate.plan import make_plan

    found = validate(protocol, drawn_items(make_plan(protocol).items), file)
    if as_json:
        print_json({"ok": not found.wrong, **asdict(found)})
    else:
        for complaint in found.wrong:
            print(complaint)
        for note in found.notes:
            print(f"{note} [look again]")
        print(
            f"{file}: {found.filled} rows filled, {found.untouched} without an answer, {found.absent} items not in it; "
            f"{len(found.wrong)} wrong, {len(found.notes)} to look at again."
        )
    if found.wrong:
        raise typer.Exit(1)
