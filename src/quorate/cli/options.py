"""What several commands share: the study's folder, `--json`, progress bars."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.progress import Progress

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The study's folder, the one with study.yaml in it.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for a program to read.")]


def print_json(value: Any) -> None:
    """JSON on standard output, as UTF-8, two spaces deep."""
    print(json.dumps(value, indent=2, ensure_ascii=False))


MANY = 8
"""Of a folder with more files than these, the folder is printed with their number."""


def print_files(files: Sequence[Path]) -> None:
    """What was written, so that it can be read at a glance: one file a line, a full folder as one line."""
    in_folder = Counter(file.parent for file in files)
    top = min(in_folder, key=lambda folder: len(folder.parts), default=Path())
    told: dict[str, None] = {}
    for file in files:
        is_many = in_folder[file.parent] > MANY and file.parent != top
        told[f"{file.parent}/ ({in_folder[file.parent]} files)" if is_many else str(file)] = None
    print("\n".join(told))


@contextmanager
def progress(what: str, total: int | None) -> Iterator[Any]:
    """A progress bar; yields a function to call after each step. Silent where nobody watches."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar: Progress
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        line = bar.add_task(what, total=total)
        yield lambda: _advance(bar, line)


def _advance(bar: Progress, line: Any) -> None:
    """One step more; where more comes than was foreseen, as when raters disagree, the whole grows with it."""
    (task,) = (one for one in bar.tasks if one.id == line)
    done = task.completed + 1
    bar.update(line, completed=done, total=None if task.total is None else max(task.total, done))
