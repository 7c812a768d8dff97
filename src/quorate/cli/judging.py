"""Commands that ask judges: judge, best-of."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from quorate.cli.options import AsJson, Folder, print_json, progress
from quorate.collect.asking import Dask, Local
from quorate.collect.costs import Forecast, forecast
from quorate.collect.judging import Summary, judge_study, judges_of
from quorate.collect.selection import select_best
from quorate.collect.triage import triage
from quorate.errors import StudyError
from quorate.exchange.judged_table import scored_table
from quorate.files import write_files
from quorate.protocol import load
from quorate.records import Reason
from quorate.study import Study

NOTES = 5
"""How many different notes are printed; `--json` has them all."""


def judge(
    folder: Folder,
    judge: Annotated[list[str] | None, typer.Option(help="Only this judge; can be given more than once.")] = None,
    limit: Annotated[int | None, typer.Option(help="Ask each judge at most so many times.", min=1)] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be asked and what it would cost.")] = False,
    engine: Annotated[str, typer.Option(help="Where to ask: local, or dask for a cluster.")] = "local",
    scheduler: Annotated[str, typer.Option(help="The address of a Dask scheduler, such as tcp://host:8786.")] = "",
    file: Annotated[
        Path | None, typer.Option("--csv", help="Write the items with the judges' scores to a file.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Ask the judges what they have not answered yet.

    What is answered is not asked again; a run that was stopped goes on where it was. Where the study file has a triage
    rule, what the judge settles is taken out of the raters' work. The exit status is 1 where something is still due,
    and 3 where all was asked and some rows have a reason instead of an answer.
    """
    chosen = tuple(judge or ())
    with Study(folder, load(folder, lacking=True)) as opened:
        opened.put_plan()
        forecasts = _forecasts(opened, chosen, limit)
        if not as_json:
            for line in _before(opened, forecasts):
                print(line)
        if dry_run:
            if as_json:
                print_json([one.as_dict() for one in forecasts])
            return
        where = _engine(engine, scheduler)
        with progress("Asking", sum(one.asks for one in forecasts)) as step:
            summaries = judge_study(opened.store, opened.protocol, chosen, limit, where, step)
        routed = opened.store.do(lambda tx: triage(tx, opened.protocol))
        if file is not None:
            _write(opened, file)
    facts = [_facts(summary) for summary in summaries]
    if as_json:
        print_json({"judges": facts, "triage": routed.as_dict() if routed else None})
    else:
        for summary in summaries:
            if summary.due:
                print("\n".join(_after(summary)))
        if routed:
            print(routed.sentence())
    if not all(summary.is_whole or limit for summary in summaries) or any(summary.stop for summary in summaries):
        sys.exit(1)
    if any(summary.failed for summary in summaries):
        sys.exit(3)


def _forecasts(opened: Study, chosen: tuple[str, ...], limit: int | None) -> list[Forecast]:
    if not opened.protocol.file.judges:
        raise StudyError("The study file names no judges. Add one, such as: judges: {mllm: {openai: {model: …}}}")
    found = judges_of(opened.protocol, chosen)
    return [
        opened.store.read(lambda tx, id=id, one=one: forecast(tx, opened.protocol, id, one, limit))  # type: ignore[misc]
        for id, one in found.items()
    ]


def _before(opened: Study, forecasts: list[Forecast]) -> list[str]:
    lines = []
    for one in forecasts:
        lines.append(one.sentence())
        if not one.due:
            continue
        lines += [f"  note: {weakness}" for weakness in opened.protocol.file.judges[one.judge].judge.weaknesses()]
    return lines


def _engine(name: str, scheduler: str) -> Any:
    if name == "local":
        return Local()
    if name != "dask":
        raise StudyError(f"There is no engine '{name}'. Choose local or dask.")
    if not scheduler:
        raise StudyError("--engine dask needs --scheduler, such as tcp://host:8786.")
    return Dask(scheduler)


def _after(summary: Summary) -> list[str]:
    spent = f", {summary.tokens_in + summary.tokens_out:,} tokens" if summary.tokens_in else ""
    cost = f", cost {summary.cost:.4f}" if summary.cost is not None else ""
    n = summary.not_applicable
    apply = f" ({n} of them {'has' if n == 1 else 'have'} nothing to judge)" if n else ""
    told = f"{summary.answered} of {summary.asked} answered{apply} in {summary.seconds:.1f} s"
    lines = [f"{summary.judge}: {told}{spent}{cost}."]
    lines += [
        f"  {n} × {reason}{_share(summary, reason)}" for reason, n in summary.reasons.items() if reason != "again"
    ]
    frequent = sorted(summary.notes.items(), key=lambda pair: -len(pair[1]))[:NOTES]
    lines += [f"    {len(items)} × {note} ({_named(items)})" for note, items in frequent if note != summary.stop]
    if summary.stop:
        lines.append(f"  Stopped: {summary.stop}")
    if summary.left:
        lines.append(f"  {summary.left} are still due. Run the command again to go on.")
    return lines


def _share(summary: Summary, reason: str) -> str:
    """Of replies that could not be read, how many that is of all that came."""
    n, of = summary.reasons[reason], summary.said
    return f" ({n / of:.0%} of {of} replies)" if reason == Reason.UNREADABLE and of else ""


def _named(items: list[str]) -> str:
    """The first few items by name.

    >>> _named(["a", "b"]), _named(["a", "b", "c", "d"])
    ('a, b', 'a, b, c, …')
    """
    return ", ".join([*items[:3], *(["…"] if len(items) > 3 else [])])


def _facts(summary: Summary) -> dict[str, Any]:
    return {
        "judge": summary.judge,
        "asked": summary.asked,
        "answered": summary.answered,
        "not applicable": summary.not_applicable,
        "reasons": {reason: n for reason, n in summary.reasons.items() if reason != "again"},
        "notes": summary.notes,
        "left": summary.left,
        "tokens": {"input": summary.tokens_in, "output": summary.tokens_out},
        "cost": summary.cost,
        "seconds": round(summary.seconds, 3),
        "stop": summary.stop,
    }


def _write(opened: Study, file: Path) -> None:
    write_files(file.parent, {file.name: opened.store.read(lambda tx: scored_table(tx, opened.protocol)).encode()})
    print(f"Wrote {file}.", file=sys.stderr)


def best_of(
    table: Annotated[Path, typer.Argument(help="A table with one row for each candidate.")],
    out: Annotated[Path, typer.Argument(help="Where to write the chosen rows; all scores go beside it.")],
    id: Annotated[str, typer.Option(help="The column that names the item.")] = "id",
    image: Annotated[str, typer.Option(help="The column with the picture's path.")] = "image",
    text: Annotated[str, typer.Option(help="The column with the text, such as the target concept.")] = "concept",
    n: Annotated[str, typer.Option("--n", help="A column with how many candidates an item should have.")] = "",
    model: Annotated[str, typer.Option(help="A CLIP by its id or folder.")] = "openai/clip-vit-large-patch14",
) -> None:
    """Choose the best of n generations by CLIP score.

    Every candidate keeps its score, its rank and whether it was chosen. Items whose number of candidates is not the one
    stated are named.
    """
    scores = out.with_name(f"{out.stem}_scores{out.suffix}")
    for path in (out, scores):
        if path.exists():
            raise StudyError(f"{path} exists already. Name another file; nothing was changed.")
    with progress("Scoring", None) as step:
        made = select_best(table, id, image, text, model, n, step)
    tables = {out: made.table(only_chosen=True), scores: made.table()}
    write_files(out.parent, {path.name: table.encode() for path, table in tables.items()})
    print(f"Wrote {out} ({sum(row['chosen'] for row in made.rows)} chosen) and {scores} ({len(made.rows)} scored).")
    for item, (found, stated) in made.uneven.items():
        print(f"  {item}: {found} candidates, and {n} says {stated}.")
