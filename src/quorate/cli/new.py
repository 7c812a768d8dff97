"""The command that makes a study's folder from a template."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated

import typer

from quorate.errors import StudyError, did_you_mean
from quorate.files import told

_TEMPLATES = Path(__file__).parent.parent / "templates"


def new(
    template: Annotated[str, typer.Argument(help="Which protocol to begin with, such as visual-puns.")],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to make; it should not exist yet.")],
) -> None:
    """Make a study's folder from a template.

    The folder holds a study file, its texts and tables, and demo media that work as they are.
    """
    known = sorted(path.name for path in _TEMPLATES.iterdir() if (path / "study.yaml").is_file())
    if template not in known:
        hint = did_you_mean(template, known) or f" There are: {', '.join(known)}."
        raise StudyError(f"There is no template '{template}'.{hint}")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise StudyError(f"{folder} is not empty. Name a folder that does not exist yet; nothing was changed.")
    _copy_whole(_TEMPLATES / template, folder)
    print(f"Made {folder} from the template {template}. Next: quorate check {folder}")


def _copy_whole(template: Path, folder: Path) -> None:
    """Copies every file of a template, or leaves nothing of it."""
    files = [path for path in sorted(template.rglob("*")) if path.is_file() and "__pycache__" not in path.parts]
    was_there = folder.exists()
    with told(folder):
        try:
            for file in files:
                target = folder / file.relative_to(template)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(file, target)
        except OSError:
            shutil.rmtree(folder, ignore_errors=True)
            if was_there:
                folder.mkdir()
            raise
