"""One command a stage. Thin: what a command does, Python can do (`import quorate`).

A command's module is imported when the command is called, so that each starts with no more than it needs.
"""

from __future__ import annotations

import gc
import os
import sys
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup

from quorate import __version__
from quorate.errors import StudyError, StudyFileError
from quorate.files import NO_ROOM, sentence

COMMANDS = {
    "demo": ("demo", "Make a demo study and serve it."),
    "new": ("new", "Make a study's folder from a template."),
    "check": ("check", "Say what is wrong with a study, and advise on its method."),
    "schema": ("plan", "Print the JSON Schema of study files, for editors."),
    "plan": ("plan", "Draw the sample and show who sees what."),
    "rehearse": ("rehearse", "Let simulated raters run the whole study."),
    "audit": ("audit", "Play raters, and look for blind values in every byte sent."),
    "serve": ("serve", "Serve the study to raters and to the team until Ctrl+C."),
    "invite": ("running", "Make personal links for raters or members of the team."),
    "select": ("running", "Give free places to the best who passed the quiz."),
    "open": ("running", "Open the study: let raters in."),
    "close": ("running", "Close the study: take no more answers."),
    "reassess": ("running", "Open a second round for a stratum, with other raters."),
    "exclude": ("running", "Take a rater's answers out of the analysis."),
    "replace": ("running", "Hand what a rater has not answered to someone else."),
    "amend": ("running", "Accept a study file or media that were changed after the start."),
    "judge": ("judging", "Ask the judges what they have not answered yet."),
    "best-of": ("judging", "Choose the best of n generations by CLIP score."),
    "status": ("running", "Show how far each rater is, and what the items still need."),
    "backup": ("running", "Make a consistent copy of the database while the server runs."),
    "move": ("move", "Copy the whole study to another database."),
    "analyse": ("analyse", "Compute every estimate, each with its n."),
    "report": ("report", "Write the report of the study."),
    "verify": ("verify", "Check that all that was shown and stored follows from the plan."),
    "export": ("export", "Write data, a paper's folder, the bundle, or other formats."),
    "import": ("import_", "Bring answers in from a filled file or from Label Studio."),
    "power": ("power", "Say how large a study needs to be."),
    "agree": ("agree", "Compute the agreement coefficients that fit a table of ratings."),
}
"""Each command's module, and the first sentence of its help; its function has its name."""


def function_of(command: str) -> Any:
    """The function of a command, from its module."""
    module, name = import_module(f"quorate.cli.{COMMANDS[command][0]}"), command.replace("-", "_")
    return getattr(module, name, None) or getattr(module, f"{name}_")


class _Commands(TyperGroup):
    """Lists the commands by name and sentence; the one that is called is taken from its module, with its options."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that was called, and what was written behind it."""
        name, listed, rest = super().resolve_command(ctx, args)
        if name is None or listed is None:
            return name, listed, rest
        alone = typer.Typer(add_completion=False, rich_markup_mode=None)
        alone.command(name)(function_of(name))
        return name, typer.main.get_command(alone), rest


app = typer.Typer(
    cls=_Commands,
    name="quorate",
    help="Human evaluation of generative and multimodal AI that a reviewer can check.",
    epilog="Start with: quorate demo",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
for _name, (_, _sentence) in COMMANDS.items():
    app.command(_name, help=_sentence)(lambda: None)


@app.callback(invoke_without_command=True)
def _options(
    version: bool = typer.Option(False, "--version", help="Print the version and leave."),
) -> None:
    if version:
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
