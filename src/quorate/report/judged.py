"""What the report says of AI-assisted scoring and anchoring."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from quorate.exhibits import charts
from quorate.exhibits.blocks import Block, Drawing
from quorate.exhibits.breakdowns import fields, heading, pivot
from quorate.exhibits.numbers import in_text, interval_of, value_of
from quorate.exhibits.tables import Cell, Table, metrics, scoped
from quorate.findings.results import Finding, Results, first, select
from quorate.languages import capital
from quorate.sheets.case import Case

#: The share of the work that is often claimed to be saved; the caption says what it would cost.
CLAIMED = 0.6


def assisted(results: Results, cases: Sequence[Case], scope: str | None) -> Iterator[Block]:
    """What the triage rule saved, what it cost, by part of the items, and what other thresholds would have done."""
    if not cases:
        return
    section, protocol = cases[0].sheet.section, cases[0].protocol
    yield metrics(results, "triage", "AI-assisted scoring", saved_sentence(results, section), section=scope)
    for by in fields(protocol):
        yield from _by(results, cases, by, scope)
    for case in cases:
        found = results.group("triage curve", section, case.sheet.id)
        name = f"triage_curve_{case.sheet.id}"
        points = curve_points(found)
        if not points:
            continue
        caption = curve_sentence(points, heading(case.sheet.id))
        yield _curve_table(points, scoped(name, scope), heading(case.sheet.id), caption)
        drawn = charts.trade_off([(p[1].estimate.value, p[2]) for p in points], scoped(name, scope))
        yield Drawing(scoped(name, scope), drawn, f"{caption} Lines are intervals.")
    yield metrics(results, "anchoring", "Anchoring", anchoring_sentence(results, section), section=scope)


def _by(results: Results, cases: Sequence[Case], by: str, scope: str | None) -> Iterator[Table]:
    kinds = ("corrected_mean", "judge_mean", "difference")
    for case in cases:
        mine = [f for f in results.parts("triage", case.sheet.section) if f.by == by and f.question == case.sheet.id]
        strata = dict.fromkeys(f.stratum for f in mine)
        rows = [(stratum, [first(mine, stratum=stratum, what=kind) for kind in kinds]) for stratum in strata]
        name, title = by.replace("_", " "), heading(case.sheet.id)
        heads = (capital(name), "People’s mean, corrected", "Judge’s mean", "Judge minus people")
        caption = (
            f"People and AI by {name}: {title}. What people would have given to all items, from those that they looked "
            "at, beside the judge’s plain mean."
        )
        table = pivot(
            scoped(f"triage_{case.sheet.id}_by_{by}", scope), f"People and AI by {name}", caption, heads, rows
        )
        why = {f.stratum: f.estimate.note for f in mine if f.estimate.value is None}
        notes = (f"{stratum}: undefined, since {note}." for stratum, note in why.items())
        yield replace(table, notes=(*table.notes, *notes))


def saved_sentence(results: Results, section: str) -> str:
    """What was saved, in one sentence."""
    found = [f for f in results.group("triage", section) if f.statistic == "workload saved"]
    agreed = [f for f in results.group("triage", section) if f.statistic == "audited agreement"]
    known = [f for f in found if f.estimate.value is not None]
    if not known:
        return "Nothing has been triaged yet."
    least, most = (pick(known, key=lambda f: f.estimate.value or 0) for pick in (min, max))
    span = value_of(least) if value_of(least) == value_of(most) else f"{value_of(least)!s} to {value_of(most)!s}"
    sure = [f for f in agreed if f.estimate.value is not None]
    if not sure:
        unknown = "How many of the accepted scores are right is not known."
        return f"People did not have to look at {span} of the items. {unknown}"
    worst = min(sure, key=lambda f: f.estimate.value or 0)
    audited = f"Where they were asked all the same, they gave the judge’s score in {in_text(worst)!s}."
    return f"People did not have to look at {span} of the items. {audited}"


Point = tuple[float, Finding, Finding]
"""One threshold: the threshold, the work that it saves, and the error among what is accepted."""


def curve_points(found: Sequence[Finding]) -> list[Point]:
    """The points of a curve, from the strictest threshold to the one that accepts everything."""
    saved = {f.threshold: f for f in select(found, what="saved")}
    wrong = {f.threshold: f for f in select(found, what="error")}
    points = [(at, finding, wrong[at]) for at, finding in saved.items() if at is not None]
    return sorted(points, key=lambda point: point[1].estimate.value or 0)


def curve_sentence(points: Sequence[Point], title: str) -> str:
    """What it costs to save most of the work, in one sentence."""
    enough = next((p for p in points if (p[1].estimate.value or 0) >= CLAIMED), None)
    if enough is None or enough[2].estimate.value is None:
        return f"{title}: work saved against errors among accepted scores, for other thresholds."
    _, saved, error = enough
    return (
        f"{title}: to save {value_of(saved)!s} of the work, {in_text(error)!s} of the accepted scores would be wrong."
    )


def _curve_table(points: Sequence[Point], key: str, title: str, caption: str) -> Table:
    rows = tuple(
        (
            Cell(f"{threshold:.3g}"),
            Cell(value_of(saved), id=saved.id),
            Cell(value_of(error), id=error.id),
            Cell(interval_of(error)),
            Cell(f"{error.estimate.n_ratings or 0:,}"),
        )
        for threshold, saved, error in points
    )
    heads = ("Accepted from", "Work saved", "Wrong among accepted", "Interval", "Looked at")
    return Table(key, f"Work saved and errors: {title}", caption, heads, rows, (), frozenset(range(5)))


def anchoring_sentence(results: Results, section: str) -> str:
    """What seeing the score does, in one sentence."""
    found = [f for f in results.group("anchoring", section) if f.estimate.value is not None]
    same = [f for f in found if f.statistic == "anchoring"]
    near = [f for f in found if f.statistic == "pull to the judge"]
    apart = "Answers given beside it stand apart, and are in no other figure."
    if same:
        most = max(same, key=lambda f: abs(f.estimate.value or 0))
        return f"How often people give the judge’s answer, seen minus not seen: {in_text(most)!s}. {apart}"
    if near:
        most = max(near, key=lambda f: abs(f.estimate.value or 0))
        return f"How far people are from the judge’s score, seen minus not seen: {in_text(most)!s}. {apart}"
    return "What seeing the judge’s answer does to people’s cannot be told: there is one arm only."
