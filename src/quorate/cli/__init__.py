"""One command a stage. Thin: what a command does, Python can do (`import quorate`).

Heavy imports stand inside the commands, so that `quorate --help` answers at once.
"""

from __future__ import annotations

import gc
import os
import sys

import typer

from quorate.cli import checking, files, judging, results, running, statistics, studies
from quorate.errors import StudyError, StudyFileError
from quorate.files import NO_ROOM, sentence

app = typer.Typer(
    name="quorate",
    help="Human evaluation of generative and multimodal AI that a reviewer can check.",
    epilog="Start with: quorate demo",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

_MAKE = "Make a study"
_RUN = "Run it"
_READ = "Read the results"
_ALONE = "Without a study"

for _command, _name, _panel in (
    (studies.demo, "demo", _MAKE),
    (studies.new, "new", _MAKE),
    (studies.check, "check", _MAKE),
    (studies.schema, "schema", _MAKE),
    (studies.plan, "plan", _MAKE),
    (studies.rehearse, "rehearse", _MAKE),
    (checking.audit, "audit", _MAKE),
    (running.serve, "serve", _RUN),
    (running.invite, "invite", _RUN),
    (running.select, "select", _RUN),
    (running.open_, "open", _RUN),
    (running.close, "close", _RUN),
    (running.reassess, "reassess", _RUN),
    (running.exclude, "exclude", _RUN),
    (running.replace, "replace", _RUN),
    (running.amend, "amend", _RUN),
    (judging.judge, "judge", _RUN),
    (judging.best_of, "best-of", _MAKE),
    (running.status, "status", _RUN),
    (running.backup, "backup", _RUN),
    (running.move, "move", _RUN),
    (results.analyse, "analyse", _READ),
    (results.report, "report", _READ),
    (checking.verify, "verify", _READ),
    (files.export, "export", _READ),
    (files.import_, "import", _RUN),
    (statistics.power, "power", _ALONE),
    (statistics.agree, "agree", _ALONE),
):
    app.command(_name, rich_help_panel=_panel)(_command)


@app.callback(invoke_without_command=True)
def _options(
    version: bool = typer.Option(False, "--version", help="Print the version and leave."),
) -> None:
    if version:
        from quorate import __version__

        print(__version__)
        raise typer.Exit


def main() -> None:
    """Runs a command; an error for people is one sentence, everything else keeps its traceback."""
    # A fifth of a command's start goes to looking for garbage among what it imports, and for plugins that it has not.
    gc.set_threshold(50_000, 20, 20)
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    try:
        app()
    except StudyFileError as error:
        n = len(error.complaints)
        print(f"{error}\n{n} complaint{'' if n == 1 else 's'}; nothing was changed.", file=sys.stderr)
        sys.exit(1)
    except StudyError as error:
        print(f"quorate: {error}", file=sys.stderr)
        sys.exit(1)
    except OSError as error:
        if error.errno not in NO_ROOM:
            raise
        print(f"quorate: {sentence(error)}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
