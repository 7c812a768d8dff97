"""The command that checks what was shown, stored and printed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from quorate.cli.options import AsJson, print_json
from quorate.errors import StudyError
from quorate.store import Store
from quorate.study import REHEARSAL, Study
from quorate.verify import verify as verify_study


def verify(
    where: Annotated[Path, typer.Argument(metavar="DIR|FILE", help="The study's folder, or the bundle of a study.")],
    database: Annotated[str, typer.Option(help="Where the answers are, if not where the study file says.")] = "",
    media: Annotated[
        bool, typer.Option("--media", help="Read every file and object raters were shown, changed or not.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check that all that was shown and stored follows from the plan.

    Sample, order, sides and option positions are made again from the protocol and the recorded claims, and the chain of
    answers is checked. Real answers are looked at where there are any, else those of the rehearsal. Of a bundle every
    file is held against its manifest too, and every printed number is made again; nothing else of the study is needed.
    Exit status 1 when something is wrong.
    """
    # Printing a bundle's numbers again takes all that a report takes, which takes a second to load.
    from quorate.verify.bundle import is_bundle, verify_bundle

    if is_bundle(where):
        found = verify_bundle(where)
    else:
        with Study(where, database=database) as opened, _answers(opened) as (store, simulated):
            found = verify_study(opened.protocol, store, simulated=simulated, media=media)
    print_json(found.as_dict()) if as_json else print(found)
    raise typer.Exit(0 if found.ok else 1)


@contextmanager
def _answers(opened: Study) -> Iterator[tuple[Store, bool]]:
    """The database that holds the answers, and whether they are simulated."""
    rehearsal = opened.folder / REHEARSAL
    if opened.has_answers:
        yield opened.store, False
    elif rehearsal.exists():
        with Store.open(rehearsal) as store:
            yield store, True
    else:
        raise StudyError(
            "There is nothing to verify: nobody has consented yet. "
            f"Rehearse the study with: quorate rehearse {opened.folder}"
        )
