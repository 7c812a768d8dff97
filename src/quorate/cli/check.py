"""The command that says what is wrong with a study, or with a filled file, and advises on the method."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from quorate.cli.advice import (
    declared_late,
    lines_of,
    print_advice,
    print_next,
    print_quiz,
    refuse_changed,
    refuse_stand_ins,
)
from quorate.cli.options import AsJson, Folder, print_json, progress
from quorate.cli.plan import slots_of
from quorate.collect.checks import drawn_items
from quorate.collect.opening import before_opening
from quorate.collect.proven import not_proven, remember
from quorate.collect.recorded import wrong_replies
from quorate.collect.staging import unproven_media, wrong_media
from quorate.errors import Complaint, StudyError, StudyFileError
from quorate.exchange.own_table.check import validate
from quorate.plan import make_plan
from quorate.protocol import Protocol, load
from quorate.protocol.method import check_method, judge_weaknesses, quiz_precision

_TEMPLATES = Path(__file__).parent.parent / "templates"


def check(
    folder: Folder,
    file: Annotated[
        Path | None, typer.Option(help="A filled file in the study's own format, to be checked against the study.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say what is wrong with a study, and advise on its method.

    Every complaint has its file, its line and, where there is one, a suggestion; with a complaint the exit status is 1.
    Advice has its reason and its source. After the first consent, a study file or media that have changed since are a
    complaint, too. Nothing is changed.
    """
    try:
        protocol = load(folder, objects=True)
        made = make_plan(protocol)
        unproven = not_proven(protocol, unproven_media(protocol, made.items))
        with progress("Looking at the media", len(unproven)) as step:
            damaged = wrong_media(protocol, unproven, step)
        wrong = {complaint.file for complaint in damaged}
        remember(protocol, {path: medium for path, medium in unproven.items() if path not in wrong})
        unread, few = wrong_replies(protocol, made.items)
        if damaged or unread:
            raise StudyFileError([*unread, *damaged])
        refuse_changed(protocol)
        refuse_stand_ins(protocol)
    except StudyError as error:
        if not as_json:
            raise
        complaints = error.complaints if isinstance(error, StudyFileError) else [Complaint("", None, "", str(error))]
        print_json({"ok": False, "complaints": [asdict(complaint) for complaint in complaints]})
        raise typer.Exit(1) from error
    if file is not None:
        check_file(protocol, file, as_json)
        return
    advice, quiz = (*check_method(protocol), *declared_late(protocol)), quiz_precision(protocol)
    facts = {
        "ok": True,
        "items": len(made.drawn),
        "checks": len(made.checks),
        "pool": len(protocol.pool),
        "sections": [section.id for section in protocol.sections],
        "raters per item": protocol.raters.per_item,
        "collection hash": protocol.collection_hash,
        "analysis hash": protocol.analysis_hash,
        **({"quiz": {"needed": quiz[0], "share": quiz[1].as_dict()}} if quiz else {}),
        "before opening": [asdict(complaint) for complaint in before_opening(protocol)],
        "judges": [*judge_weaknesses(protocol), *few],
        "advice": [
            one.as_dict() | {"line": line} for one, line in zip(advice, lines_of(protocol, advice), strict=True)
        ],
    }
    if as_json:
        print_json(facts)
        return
    print(f"{folder} is in order: {len(made.drawn)} items of {len(protocol.pool)}, {slots_of(made)}.")
    print(f"Collection hash {protocol.collection_hash}, analysis hash {protocol.analysis_hash}.")
    if quiz:
        print_quiz(*quiz)
    for weakness in (*judge_weaknesses(protocol), *few):
        print(f"Note on {weakness}")
    print_advice(protocol, advice)
    left = before_opening(protocol)
    for complaint in left:
        print(f"{complaint} [before you open]")
    print_next(folder, bool(left))


def check_file(protocol: Protocol, file: Path, as_json: bool) -> None:
    """Says what is wrong in a filled file of the study's own format, and what to look at again; exits 1 where wrong."""
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
