"""Commands that bring files in and out: export, import, and the check of a filled file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quorate.cli.options import AsJson, Folder, print_files, print_json, study
from quorate.errors import StudyError
from quorate.files import write_files

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
    with study(folder) as opened:
        if template:
            files = _template(opened, out or folder / "template")
        elif rater:
            files = _of_rater(opened, out or folder / "export" / rater, rater)
        elif bundle:
            files = [opened.bundle(bundle, media)]
        elif huggingface:
            files = _huggingface(opened, huggingface)
        elif label_studio:
            files = _label_studio(opened, label_studio)
        else:
            files = _data(opened, out or folder / "export", layout)
    print_files(files)


def _data(opened: Study, to: Path, layout: str) -> list[Path]:
    from quorate.report import export_paper, write_report

    protocol, collected = opened.protocol, opened.collected()
    if layout == "paper":
        return export_paper(protocol, collected, to)
    return write_report(protocol, collected, to, ())


def _of_rater(opened: Study, to: Path, rater: str) -> list[Path]:
    from quorate.report.own import own_file

    return [_write(to, *own_file(opened.protocol, opened.collected(), rater))]


def _huggingface(opened: Study, to: Path) -> list[Path]:
    from quorate.report.huggingface import huggingface_files

    return [_write(to, name, content) for name, content in huggingface_files(opened.protocol, opened.collected())]


def _label_studio(opened: Study, to: Path) -> list[Path]:
    """The file of items with their answers, and beside it the configuration that a project needs to show them."""
    from quorate.report.label_studio import label_studio_config, label_studio_json

    protocol = opened.protocol
    answers = _write(to.parent, to.name, label_studio_json(protocol, opened.collected()))
    return [answers, _write(to.parent, f"{to.stem}_config.xml", label_studio_config(protocol))]


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


def _write(folder: Path, name: str, content: str | bytes) -> Path:
    return write_files(folder, {name: content if isinstance(content, bytes) else content.encode()})[0]


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
    from dataclasses import asdict

    if label_studio == bool(rater):
        raise StudyError("Say whose answers they are with --rater, or --label-studio for an export with annotators.")
    if items:
        print(_items_of(file, folder, items))
        return
    with study(folder) as opened:
        done = opened.import_label_studio(file) if label_studio else [opened.import_file(file, rater)]
    if as_json:
        print_json([asdict(one) for one in done] if label_studio else asdict(done[0]))
        return
    for one in done:
        print(f"{one.rater}: {one.stored} rows stored, {one.known} known already, {one.untouched} without an answer.")
    print(f"Next: quorate status {folder}")


def _items_of(file: Path, folder: Path, name: str) -> Path:
    """Writes what an export of Label Studio was about, without a word on who annotated it."""
    from quorate.importers.label_studio import read_items

    if not name.endswith(".jsonl"):
        raise StudyError(f"The items are written as JSON lines: name a file that ends in .jsonl, not '{name}'.")
    if (folder / name).exists():
        raise StudyError(f"{folder / name} is there already, and is not overwritten. Choose another name.")
    rows = (json.dumps(row.fields, ensure_ascii=False) + "\n" for row in read_items(file))
    return _write(folder, name, "".join(rows))


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
