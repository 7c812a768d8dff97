"""Commands that make a study: demo, new, check, schema, plan, rehearse."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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
from quorate.cli.files import check_file
from quorate.cli.options import AsJson, Folder, print_json, progress, study
from quorate.cli.serving import PORT
from quorate.errors import StudyError, did_you_mean
from quorate.files import told

if TYPE_CHECKING:
    from quorate.plan import Plan

_TEMPLATES = Path(__file__).parent.parent / "templates"


def demo(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="Where to make the demo study.")] = Path("demo"),
    port: Annotated[int | None, typer.Option(help=PORT, min=0, max=65535)] = None,
) -> None:
    """Make a demo study and serve it.

    It prints links for three raters and for you. Run it again to go on with the same study: every rater gets one more
    link, and older ones go on working.
    """
    from quorate.cli.running import serve_study
    from quorate.collect.links import invite, one_more_link_each
    from quorate.collect.opening import open_to_raters

    if not (folder / "study.yaml").exists():
        new("visual-puns", folder)
    with study(folder) as made:
        made.prepare(apart=True)
        made.store.do(lambda tx: open_to_raters(tx, made.protocol))
        invitations = made.store.do(one_more_link_each)
        missing = (made.protocol.raters.roster or 0) - len(made.store.read(lambda tx: tx.raters()))
        if missing > 0:
            invitations += made.store.do(lambda tx: invite(tx, made.protocol, missing))
        serve_study(made, port=port, invitations=invitations)


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
    from dataclasses import asdict

    from quorate.collect.opening import before_opening
    from quorate.collect.proven import not_proven, remember
    from quorate.collect.recorded import wrong_replies
    from quorate.collect.staging import unproven_media, wrong_media
    from quorate.errors import Complaint, StudyFileError
    from quorate.plan import make_plan
    from quorate.protocol import load
    from quorate.protocol.method import check_method, judge_weaknesses, quiz_precision

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
    print(f"{folder} is in order: {len(made.drawn)} items of {len(protocol.pool)}, {_slots(made)}.")
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


def schema() -> None:
    """Print the JSON Schema of study files, for editors."""
    from quorate.protocol import json_schema

    print_json(json_schema())


def plan(
    folder: Folder,
    as_json: AsJson = False,
    rater: Annotated[str, typer.Option(help="Show this rater's order, as if the rater came alone.")] = "",
) -> None:
    """Draw the sample and show who sees what.

    The same study gives the same plan on every machine; another seed gives another one.
    """
    from quorate.plan import arrange, make_plan
    from quorate.protocol import load

    protocol = load(folder)
    made = make_plan(protocol)
    if rater:
        orders = {}
        for section in protocol.sections:
            mine = {slot.item: slot for slot in made.slots if slot.section == section.id}
            orders[section.id] = [slot.item for slot in arrange(mine.values(), protocol, rater, section.id)]
        if as_json:
            print_json({"rater": rater, "order": orders})
        else:
            print("\n".join(f"{section}: {', '.join(order)}" for section, order in orders.items()))
        return
    if as_json:
        print_json(
            {
                "hash": made.hash,
                "seed": protocol.seed,
                "items": [item.id for item in made.drawn],
                "checks": [item.id for item in made.checks],
                "slots": [[slot.section, slot.item, slot.repeat] for slot in made.slots],
            }
        )
        return
    print(f"Plan {made.hash}: {len(made.drawn)} items, {_slots(made)}, seed {protocol.seed}.")
    print(", ".join(item.id for item in made.drawn))
    if made.checks:
        print(f"Mixed into the work: {', '.join(item.id for item in made.checks)}.")


def _slots(made: Plan) -> str:
    """How many slots there are, and how many items of the checks beside them."""
    slots = f"{len(made.slots)} slots"
    return f"{slots} and {len(made.checks)} with known answers" if made.checks else slots


def rehearse(
    folder: Folder,
    seed: Annotated[int, typer.Option(help="Seeds the simulated raters; the plan has the study's own seed.")] = 0,
    accuracy: Annotated[float, typer.Option(min=0, max=1, help="How often a simulated rater is right.")] = 0.65,
    as_json: AsJson = False,
) -> None:
    """Let simulated raters run the whole study.

    They go through the code that people go through, into a database of their own: nothing is frozen.
    """
    with study(folder) as opened:
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
