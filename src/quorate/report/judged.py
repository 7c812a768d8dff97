"""What the report says of judges: AI-assisted scoring, whether a judge may replace people, and where judges lean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from quorate.exhibits import charts
from quorate.exhibits.blocks import Block, Drawing
from quorate.exhibits.breakdowns import fields, heading, pivot
from quorate.exhibits.numbers import in_text, interval_of, value_of
from quorate.exhibits.tables import Cell, Table, metrics, scoped
from quorate.findings.names import judge_name
from quorate.findings.results import Finding, Results, first, select
from quorate.languages import capital
from quorate.sheets.case import Case

#: The share of the work that is often claimed to be saved; the caption says what it would cost.
CLAIMED = 0.6
MOST_ROWS = 36


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


def replaceable(results: Results, cases: Sequence[Case], scope: str | None) -> Iterator[Block]:
    """The judges side by side: each held against the same remaining people as a left-out person."""
    if not cases:
        return
    section, epsilon = cases[0].sheet.section, cases[0].analysis.epsilon
    found = results.group("left out", section)
    kinds = ("judge", "people", "difference", "clear.difference", "rho", "omega")
    questions = list(dict.fromkeys(f.question for f in found))
    rows = []
    for question in questions:
        mine = list(select(found, question=question))
        for judge in dict.fromkeys(f.judge for f in mine):
            name = judge_name(judge) if len(questions) == 1 else f"{judge_name(judge)}, {heading(question)}"
            rows.append((name, [first(mine, judge=judge, what=kind) for kind in kinds]))
    heads = (
        "Judge", "Judge with the remaining people", "Person with the remaining people", "Judge minus person",
        "The same without ambiguous items", "Advantage ρ", f"Winning rate ω (ε = {epsilon:g})",
    )  # fmt: skip
    table = pivot(scoped("left_out", scope), "Judges beside people", replace_sentence(found), heads, rows)
    notes = dict.fromkeys(f"{f.label}: {f.estimate.note}." for f in found if f.estimate.value is None)
    yield replace(table, notes=tuple(notes))
    for question in questions:
        key = scoped(f"left_out_{question}", scope)
        drawn = charts.gaps(_each_person(results.group("left out each", section, question)), key, "judge minus person")
        caption = "Each person left out in turn: the judge’s agreement with the remaining people minus that person’s."
        yield Drawing(key, drawn, f"{heading(question)}. {caption} Lines are intervals.")


def _each_person(found: Sequence[Finding]) -> list[tuple[str, Finding]]:
    """Each judge and person with their difference; none where they are too many to be read."""
    rows = [(f"{judge_name(finding.judge)}, {finding.raters[0]}", finding) for finding in found]
    return rows if len(rows) <= MOST_ROWS else []


def replace_sentence(found: Sequence[Finding]) -> str:
    """Whether judges agree with people as well as people do, in one sentence."""
    gaps = [f for f in select(found, what="difference") if f.estimate.value is not None]
    if not gaps:
        return "No judge can be held against people yet."
    best = max(gaps, key=lambda f: f.estimate.value or 0)
    who, gap = judge_name(best.judge), in_text(best)
    return f"Agreement with the remaining people, each person left out in turn, {who} minus that person: {gap}."


def leanings(results: Results, cases: Sequence[Case], scope: str | None) -> Iterator[Block]:
    """Where each judge leans."""
    if not cases:
        return
    rule = {
        "record": "Such an answer stays the answer of record.",
        "tie": "Such an answer counts as a tie, or is left out where there is none.",
        "leave out": "Such an answer is left out.",
    }[cases[0].analysis.inconsistent]
    touched = sum(n for case in cases for n in case.sheet.inconsistent.values())
    caption = f"Where judges lean. An answer that changes with the order goes with the place. {rule}"
    caption += f" {touched:,} answers were touched by this rule." if touched else ""
    yield metrics(results, "leanings", "Where judges lean", caption, "Judge: lean", section=scope)


__all__ = ["assisted", "leanings", "replaceable"]
