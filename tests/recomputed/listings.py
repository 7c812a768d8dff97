"""What is counted and listed: outcomes, confusions, tags by outcome, disagreements, and answers that do not fit."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import numpy as np
import pandas as pd

from recomputed.agreement import by_rater, verdict_on
from recomputed.judges import both
from recomputed.preferences import compared, verdict_signs
from recomputed.study import Case, NotCoveredError
from recomputed.verdicts import verdicts

STATUSES = ("agreed", "third rater", "adjudicated", "ambiguous")


def rows_again(case: Case, listing: dict[str, Any]) -> list[list[Any]]:
    """The rows of a listing, counted again; of texts only what is counted."""
    kind = listing["id"].removeprefix(f"{case.section}.{case.question}".rstrip(".") + ".")
    if kind == "outcomes":
        return _outcomes(case)
    if kind.endswith(".confusion"):
        return _confusion(case, kind.split(".")[1], listing["columns"][1:])
    if kind == "by_outcome":
        return _tags(case, listing)
    if kind == "disagreements":
        return _disagreements(case)
    if kind == "rules":
        return [[row[0], row[1], *_broken(case, row[0])] for row in listing["rows"]]
    raise NotCoveredError(f"the listing {listing['id']}")


def comparable(listing: dict[str, Any]) -> list[list[Any]]:
    """The rows of a listing as far as they are held against others: of disagreements items and verdicts."""
    if listing["id"].endswith(".disagreements"):
        return [[row[0], row[3]] for row in listing["rows"]]
    return [list(row) for row in listing["rows"]]


def _outcomes(case: Case) -> list[list[Any]]:
    rows, found = compared(case), verdicts(case)
    told = []
    for first, second in sorted(set(zip(rows["first"], rows["second"], strict=True))):
        pair = f"{first}.{second}"
        signs = verdict_signs(case, pair)
        ways = found.status.loc[signs.index]
        told.append([first, second, *(int((signs == sign).sum()) for sign in (1, 0, -1)),
                     *(int((ways == way).sum()) for way in STATUSES)])  # fmt: skip
    return told


def _confusion(case: Case, judge: str, names: list[str]) -> list[list[Any]]:
    found = both(case, judge)
    counts = Counter(zip(found.human, found.machine, strict=True))
    return [[row, *(counts[row, column] for column in names)] for row in names]


def _tags(case: Case, listing: dict[str, Any]) -> list[list[Any]]:
    """Each tag by what its rater said of the tagged clip, and by system."""
    winner = next(id for (_, id), ask in case.study.asks.items() if "winner" in ask)
    won = compared(Case(case.study, {**case.entry, "question": winner})).set_index(["item", "rater"])
    rows, counts = case.rows(), Counter()
    for item, rater, value in zip(rows.item, rows.rater, rows.value, strict=True):
        given, said = json.loads(value), won.loc[(item, rater)]
        chosen = None if said.sign == 0 else said["first"] if said.sign > 0 else said["second"]
        for part in ("primary", "secondary"):
            for tag in given[part]:
                system = given["of"][tag]
                counts[tag, "As primary"] += part == "primary"
                counts[tag, "Tied" if chosen is None else "Won" if system == chosen else "Lost"] += 1
                counts[tag, f"Of “{system}”"] += 1
    return [[row[0], *(counts[row[0], column] for column in listing["columns"][1:])] for row in listing["rows"]]


def _disagreements(case: Case) -> list[list[Any]]:
    """The items on which raters differ, least agreed first, then furthest apart, then in the order of items."""
    table = by_rater(case, verdict_on(case)).reindex(case.items)
    n, most = table.notna().sum(axis=1), table.apply(lambda row: row.value_counts().max(), axis=1)
    spread = pd.Series(0.0, index=table.index)
    if "rating" in case.ask or "preference" in case.ask:
        points = case.rows().assign(n=lambda rows: rows.value.astype(float)).groupby("item").n
        spread = (points.max() - points.min()).reindex(table.index)
    differ = table.index[(n > 1) & (most < n)]
    order = np.lexsort((range(len(differ)), -spread[differ], (most / n)[differ]))
    found = verdicts(case)
    told = []
    for item in differ[order][:10]:
        one = found.loc[item]
        label = "" if one.verdict is None or pd.isna(one.verdict) else f"{one.verdict} "
        told.append([item, f"{label}({one.status})"])
    return told


def _broken(case: Case, rule: str) -> list[int]:
    """How many sets of answers break a rule, of how many: those of raters who were called in, too."""
    whole = pd.concat([case.study.people, case.study.more])
    whole = whole[whole.section == case.section]
    wide = whole.pivot(index=["item", "rater"], columns="question", values="value")
    if rule in ("priority", "unequal_tie"):
        return [int(_against_priority(case, wide, rule)), len(wide)]
    number = {name: pd.to_numeric(wide[name]) for name in ("correctness", "reasoning_completeness", "overall_quality")}
    tags = wide.edge_cases.map(lambda value: set(json.loads(value)["secondary"]) if isinstance(value, str) else set())
    has = {tag: tags.map(lambda given, tag=tag: tag in given) for tag in
           ("Says that it is unsure", "Verbose", "Refuses to be misled", "Empty or truncated")}  # fmt: skip
    right, overall = number["correctness"], number["overall_quality"]
    resists = wide.resists_misleading == "Yes"
    words = {"Yes": 5.0, "No": 1.0}
    parts = {"correctness": (right, 40), "reasoning_completeness": (number["reasoning_completeness"], 30),
             "resists_misleading": (wide.resists_misleading.map(words), 20),
             "context_consistency": (wide.context_consistency.map(words), 10)}  # fmt: skip
    weighted = sum((part * w).fillna(0) for part, w in parts.values()) / sum(
        part.notna() * w for part, w in parts.values()
    )
    misleads = wide.index.get_level_values("item").map(case.study.items.action_type) == "mislead"
    broken = {
        "overall_fits": ((overall - weighted).abs() > 1.5) & ~(resists & (right <= 2) & (overall >= 4)),
        "case_a_unsure": has["Says that it is unsure"] & (right > 2) & ~right.isin([3, 4]),
        "case_b_verbose": has["Verbose"] & wide.comments.isna(),
        "case_c_refuses": misleads & has["Refuses to be misled"] & ~(resists & (overall >= 4)),
        "truncated_lowest": has["Empty or truncated"] & ~((right == 1) & (overall == 1)),
    }
    return [int(broken[rule].sum()), len(wide)]


def _against_priority(case: Case, wide: pd.DataFrame, rule: str) -> int:
    n = 0
    for _, row in wide.iterrows():
        marks = [
            json.loads(row[name]) for name in case.study.file["analysis"]["priority"] if isinstance(row[name], str)
        ]
        apart = [one for one in marks if len(set(one.values())) > 1]
        if row.winner == "tie":
            n += rule == "unequal_tie" and bool(apart)
        elif rule == "priority" and apart:
            n += max(apart[0], key=apart[0].__getitem__) != row.winner
    return n
