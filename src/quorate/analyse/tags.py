"""Why? Which tags raters gave, to which system, and with which outcome."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from quorate.analyse.columns import Bools
from quorate.analyse.inquiry import RAW, Case, slug
from quorate.analyse.results import Finding, Listing
from quorate.analyse.sheets import Sheet
from quorate.records import Shown

#: An answer of a tags question, to see whether a question is one.
NO_TAG = {"primary": ["x"], "secondary": []}


def tag_rates(case: Case) -> Iterator[Finding]:
    """How often each tag is given, of the answers that could; answers about one item go together in the interval."""
    given = {
        (answer.item, answer.rater): {tag for tag, _, _ in case.sheet.question.tagged(answer.value)}
        for answer in case.sheet.people.answers
    }
    # Where tags need not be given, a rater who gave none said that none holds.
    first = case.beside(case.protocol.section(case.sheet.section).ask[0].id)
    rows = case.sheet.people if case.sheet.question.required or first is None else first.people
    tags = [given.get((answer.item, answer.rater), set()) for answer in rows.answers]
    choices = [set(case.sheet.question.outcomes(Shown(), item) or ()) for item in case.sheet.items]
    for tag in offered(case.sheet):
        asked = np.array([tag in choices[place] for place in rows.item], bool)
        hits = np.array([tag in chosen for chosen in tags], bool)[asked]
        share = case.share_of_answers(hits, rows.item[asked])
        yield case.finding(
            f"tag.{slug(tag)}", share, statistic="tag rate", label=tag, unit="%", group="tags",
            counted=(int(hits.sum()), len(hits)), rows=f"{RAW}: response_normalized holds the tag",
        )  # fmt: skip


def offered(sheet: Sheet) -> list[str]:
    """Every tag that could be given."""
    return list(sheet.question.outcomes(Shown()) or {})


def marked_apart(case: Case) -> Iterator[Case]:
    """The case over the items that most raters gave a tag, for each tag of an item; and over the rest."""
    for section, id in case.others:
        sheet = case.beside(id) if section == case.sheet.section else None
        if sheet is None or sheet.question.required or not sheet.question.tagged(NO_TAG):
            continue
        ratings = np.bincount(case.sheet.people.item, minlength=case.sheet.n_items)
        rest = np.ones(case.sheet.n_items, bool)
        for tag in offered(sheet):
            hits = np.zeros(sheet.n_items)
            for item, value in zip(sheet.people.item, sheet.people.column("value"), strict=True):
                hits[item] += any(name == tag for name, _, _ in sheet.question.tagged(value))
            these: Bools = (2 * hits > ratings) & (ratings > 0)
            rest &= ~these
            if these.any():
                yield case.part(id, tag, these)
        if not rest.all():
            yield case.part(id, "none of these", rest)


def by_outcome(case: Case) -> Iterator[Listing]:
    """Primary and other tags by what the tagged clip's rater said of it: lost, won or tied; and by system."""
    winners = _outcomes(case)
    counts: Counter[tuple[str, str]] = Counter()
    primary: Counter[str] = Counter()
    names: set[str] = set()
    for answer in case.sheet.people.answers:
        for tag, is_primary, system in case.sheet.question.tagged(answer.value):
            outcome = _said(winners.get((answer.item, answer.rater)), system)
            counts[tag, outcome] += 1
            counts[tag, system or "not stated"] += 1
            names.add(system or "not stated")
            primary[tag] += is_primary
    if not counts or not winners:
        return
    columns = ("lost", "won", "tie")
    rows: tuple[tuple[Any, ...], ...] = tuple(
        (tag, primary[tag], *(counts[tag, outcome] for outcome in columns), *(counts[tag, s] for s in sorted(names)))
        for tag in offered(case.sheet)
        if any(counts[tag, outcome] for outcome in columns)
    )
    rows = tuple(sorted(rows, key=lambda row: (-sum(row[2:5]), row[0])))
    most = f"“{rows[0][0]}” is the most frequent reason ({sum(rows[0][2:5])} times)." if rows else ""
    yield Listing(
        f"{case.sheet.section}.{case.sheet.id}.by_outcome", "tags", case.sheet.section, case.sheet.id,
        "Reason tags by outcome and clip",
        "How often each tag was given, as the primary reason, to a clip that lost, won or tied, and to each system. "
        + most,
        ("Tag", "As primary", "Clip lost", "Clip won", "Tie", *(f"Of {name}" for name in sorted(names))), rows,
    )  # fmt: skip


def _outcomes(case: Case) -> dict[tuple[str, str], tuple[str, str, int]]:
    """What each rater said of each pair, by the section's question that compares."""
    for (section, _), sheet in case.others.items():
        if section == case.sheet.section and sheet.question.compares():
            found = {
                (answer.item, answer.rater): sheet.question.compared(answer.value, answer.shown)
                for answer in sheet.people.answers
            }
            return {key: one for key, one in found.items() if one is not None}
    return {}


def _said(outcome: tuple[str, str, int] | None, system: str) -> str:
    if outcome is None or outcome[2] == 0 or system not in outcome[:2]:
        return "tie"
    won = outcome[0] if outcome[2] > 0 else outcome[1]
    return "won" if system == won else "lost"
