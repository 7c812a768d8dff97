"""Why? Which tags raters gave, to which system, and with which outcome."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from quorate.findings.ids import apart
from quorate.findings.results import Finding, Listing
from quorate.inquiries.preferences import of_sheet
from quorate.records import Shown
from quorate.sheets.case import RAW, Case, told
from quorate.sheets.columns import Bools, Rows
from quorate.sheets.sheet import Sheet

#: An answer of a tags question, to see whether a question is one.
NO_TAG = {"primary": ["x"], "secondary": []}


def tag_rates(case: Case) -> Iterator[Finding]:
    """How often each tag is given, of the answers that could; answers about one item go together in the interval."""
    given, item = tags_table(case.sheet), case.sheet.people.item
    # Where tags need not be given, a rater who was asked and gave none said that none holds.
    if not case.sheet.question.required:
        none = case.sheet.passed
        item, given = (
            np.concatenate([item, none.item]),
            np.concatenate([given, np.zeros((len(none), given.shape[1]), bool)]),
        )
    choices = _choices(case.sheet)
    for place, tag in enumerate(offered(case.sheet)):
        asked = np.array([tag in chosen for chosen in choices], bool)[item]
        hits = given[asked, place]
        share = told(case.share_of_answers(hits, item[asked]), "nobody was asked")
        yield case.finding(
            "tag", share, (tag,), statistic="tag rate", label=tag, unit="%", group="tags", what=tag,
            counted=(int(hits.sum()), len(hits)), rows=f"{RAW}: response_normalized holds the tag",
        )  # fmt: skip


def tags_table(sheet: Sheet) -> Bools:
    """A row for each answer and a column for each tag that could be given: whether it was."""

    def read(rows: Rows) -> Bools:
        places = {tag: place for place, tag in enumerate(offered(sheet))}
        table = np.zeros((len(rows), len(places)), bool)
        for row, value in enumerate(rows.column("value")):
            for tag, _, _ in sheet.question.tagged(value):
                if tag in places:
                    table[row, places[tag]] = True
        return table

    return sheet.aligned("tags", "people", read)


def _choices(sheet: Sheet) -> list[set[str]]:
    """The tags that could be given to each item; items that are alike in what it depends on are looked at once."""
    names = sheet.question.fields()
    keys = [tuple(str(item.fields.get(name)) for name in names) for item in sheet.items]
    known = {
        key: set(sheet.question.outcomes(Shown(), item) or ())
        for key, item in dict(zip(keys, sheet.items, strict=True)).items()
    }
    return [known[key] for key in keys]


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
        rest = np.bincount(np.concatenate([sheet.people.item, sheet.passed.item]), minlength=case.sheet.n_items) > 0
        # A field of the items, and a tag, may have the name as well.
        by, none = apart(id, case.analysis.fields), apart("none of these", offered(sheet))
        given = tags_table(sheet)
        for place, tag in enumerate(offered(sheet)):
            hits = np.bincount(sheet.people.item, weights=given[:, place], minlength=sheet.n_items)
            these: Bools = (2 * hits > ratings) & (ratings > 0)
            rest &= ~these
            if these.any():
                yield case.part(by, tag, these)
        if not rest.all():
            yield case.part(by, none, rest)


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
            found = of_sheet(sheet)
            pairs = [found.pairs[code] for code in found.pair.tolist()]
            items = [sheet.items[place].id for place in found.item.tolist()]
            raters = [sheet.raters[place] for place in found.who.tolist()]
            signs = found.sign.tolist()
            return {
                (item, rater): (*pair, sign)
                for item, rater, pair, sign in zip(items, raters, pairs, signs, strict=True)
            }
    return {}


def _said(outcome: tuple[str, str, int] | None, system: str) -> str:
    if outcome is None or outcome[2] == 0 or system not in outcome[:2]:
        return "tie"
    won = outcome[0] if outcome[2] > 0 else outcome[1]
    return "won" if system == won else "lost"
