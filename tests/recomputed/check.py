"""Every number of results.json held against the same number by another way; what does not agree is named."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

from statsmodels.stats.multitest import multipletests

from recomputed.listings import comparable, rows_again
from recomputed.study import Case, NotCoveredError, Study
from recomputed.table import again
from recomputed.verdicts import verdicts

#: Every number that an estimate carries; its confidence is stated, and its p within a family is held apart.
NUMBERS = ("value", "low", "high", "se", "p", "count", "of", "n_items", "n_ratings")
WORDS = {"id", "statistic", "section", "question", "label", "group", "unit", "band", "primary", "rows", "by", "stratum",
         "systems", "raters", "judge", "reading", "what", "by_pair",
         "hypothesis", "family", "exploratory", "left_out", "method", "note", "confidence", "p_adjusted"}  # fmt: skip


def same(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is None and other is None
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)


def unexplained(study: Study, estimates: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Each estimate that no other way gives, or gives otherwise."""
    for entry in estimates:
        if unknown := entry.keys() - set(NUMBERS) - WORDS:
            yield f"{entry['id']}: nobody computes {', '.join(sorted(unknown))} again"
        try:
            told = again(Case(study, entry))
        except NotCoveredError as reason:
            yield f"{entry['id']}: not covered ({reason})"
            continue
        for name in NUMBERS:
            if name in entry and not same(entry[name], getattr(told, name)):
                yield f"{entry['id']}: {name} is {entry[name]}, and by the other way {getattr(told, name)}"


def uncorrected(study: Study) -> Iterator[str]:
    """Each test whose p within its family is not Holm's."""
    for (_, family), tests in study.families().items():
        adjusted = multipletests([one["p"] for one in tests], method="holm")[1]
        for one, p in zip(tests, adjusted, strict=True):
            if not same(one["p_adjusted"], float(p)):
                yield f"{one['id']} in {family}: {one['p_adjusted']}, and by statsmodels {p}"


def untested(study: Study) -> Iterator[str]:
    """Each declared hypothesis whose p is not that of its estimate, or not Holm's in its family."""
    estimates = {one["id"]: one for one in study.results["estimates"]}
    declared = study.results["hypotheses"]
    for one in declared:
        rests_on = estimates[one["rests_on"]]
        if not same(one["p"], rests_on["p"]) or not same(one["value"], rests_on["value"]):
            yield f"{one['id']}: not what {one['rests_on']} says"
    for family in sorted({one["family"] for one in declared}):
        tests = [one for one in declared if one["family"] == family and one["p"] is not None]
        adjusted = multipletests([one["p"] for one in tests], method="holm")[1] if tests else []
        yield from (one["id"] for one, p in zip(tests, adjusted, strict=True) if not same(one["p_adjusted"], float(p)))


def unlisted(study: Study) -> Iterator[str]:
    """Each listing whose rows are counted otherwise; cases in words are no numbers."""
    for listing in study.results["listings"]:
        if listing["id"].endswith(".rules.cases"):
            continue
        case = Case(study, {name: listing[name] for name in ("section", "question")})
        try:
            told = rows_again(case, listing)
        except NotCoveredError as reason:
            yield f"{listing['id']}: not covered ({reason})"
            continue
        if told != comparable(listing):
            yield f"{listing['id']}: {comparable(listing)}, and by the other way {told}"


def undecided(study: Study) -> Iterator[str]:
    """Each verdict of the summary that its raters' answers do not give."""
    for (section, question), rows in study.summary.groupby(["section", "question"]):
        found = verdicts(Case(study, {"section": section, "question": question})).verdict
        column = "verdict" if "verdict" in rows else "majority_correct"
        for item, told in zip(rows.item, rows[column], strict=True):
            if told != (found[item] if isinstance(found[item], str) else ""):
                yield f"{section}.{question} of {item}: {told}, and counted {found[item]}"
