"""The command that lets simulated raters run a study."""

from __future__ import annotations

from typing import Annotated

import typer

from quorate.cli.options import AsJson, Folder, print_json, progress
from quorate.study import Study


def rehearse(
    folder: Folder,
    seed: Annotated[int, typer.Option(help="Seeds the simulated raters; the plan has the study's own seed.")] = 0,
    accuracy: Annotated[float, typer.Option(min=0, max=1, help="How often a simulated rater is right.")] = 0.65,
    as_json: AsJson = False,
) -> None:
    """Let simulated raters run the whole study.

    They go through the code that people go through, into a database of their own: nothing is frozen.
    """
    with Study(folder) as opened:
        with progress("Rehearsing", len(opened.plan.slots)) as step:
            answers = opened.rehearse(seed, accuracy, step)
        came, worked = opened.rehearsed()
        has_quiz = opened.protocol.raters.screening is not None
    if as_json:
        facts = {"submissions": answers, "raters": worked, "candidates": came, "seed": seed, "accuracy": accuracy}
        print_json(facts)
        return
    of_whom = f" ({came} candidates took the quiz)" if has_quiz and came > worked else ""
    raters = "1 simulated rater" if worked == 1 else f"{worked} simulated raters"
    print(f"{raters}{of_whom} sent {answers:,} answers (seed {seed}). Next: quorate report {folder}")
