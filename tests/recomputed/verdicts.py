"""Verdicts by counting: of the planned raters, else with those called in; and what Dawid and Skene's EM says beside."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pandas as pd

from recomputed.agreement import declared, reading, verdict_on
from recomputed.intervals import share
from recomputed.study import Case, NotCoveredError, Told, once

FEWEST_ITEMS, MOST_CLASSES = 20, 12


def decided(said: list[str], needed: int) -> str | None:
    """What enough raters said, and more than half of those who said anything."""
    top = Counter(said).most_common(1)
    if not top or top[0][1] < needed or 2 * top[0][1] <= len(said):
        return None
    return top[0][0]


@once
def verdicts(case: Case) -> pd.DataFrame:
    """For each item of the question its verdict, how it came about, and how many answers it rests on."""
    name, (needed, _) = verdict_on(case), case.study.rule
    planned, more = case.rows(), case.rows("more")
    if len(more) and set(more.by) != {"third rater"}:
        raise NotCoveredError("answers of the team, or of raters who saw a score")
    first = {item: list(reading(case, rows, name)) for item, rows in planned.groupby("item")}
    called = {item: list(reading(case, rows, name)) for item, rows in more.groupby("item")}
    found = []
    for item in case.items:
        alone, together = first.get(item, []), first.get(item, []) + called.get(item, [])
        verdict, status = decided(alone, needed), "agreed"
        if verdict is None:
            verdict, status = decided(together, needed), "third rater"
        found.append((item, verdict, "ambiguous" if verdict is None else status, len(together)))
    return pd.DataFrame(found, columns=["item", "verdict", "status", "n"]).set_index("item", drop=False)


def labels(case: Case) -> list[str]:
    """What a verdict can be, in order."""
    rows = case.rows()
    return declared(case, verdict_on(case)) or sorted(set(reading(case, rows, verdict_on(case))))


def is_right(case: Case, verdict: pd.Series) -> pd.Series:
    """Whether each verdict is the right answer."""
    return verdict == ("True" if verdict_on(case) == "correctness" else "target")


def of_items(told: Told) -> Told:
    told.n_items = told.of
    return told


def ambiguity(case: Case) -> Told:
    found = verdicts(case)
    enough = found[found.n >= case.study.rule[0]]
    if not len(enough):
        return Told(count=0, of=0, n_items=0)
    return of_items(share(enough.verdict.isna(), case.groups(enough.index)))


def settled(case: Case, status: str) -> Told:
    found = verdicts(case)
    enough = found[found.n >= case.study.rule[0]]
    return of_items(share(enough.status == status.replace("_", " "), case.groups(enough.index)))


def dawid_skene(case: Case) -> Told:
    """On how many items EM, from vote shares and with 0.01 in every cell, gives the majority's verdict."""
    rows = case.rows()
    said = reading(case, rows, verdict_on(case))
    items, item = np.unique(rows.item, return_inverse=True)
    names = [name for name in labels(case) if name in set(said)]
    if len(items) < FEWEST_ITEMS:
        return Told(n_items=len(items))
    if len(names) > MOST_CLASSES or len(names) < 2:
        raise NotCoveredError("Dawid and Skene with one category, or with many")
    label = np.array([names.index(one) for one in said])
    rater = np.unique(rows.rater, return_inverse=True)[1]
    chances = _em(item, rater, label, len(names))
    most = pd.Series([names[k] for k in chances.argmax(axis=1)], index=items)
    known = verdicts(case).dropna(subset="verdict")
    return of_items(share(known.verdict == most.loc[known.index], case.groups(known.index)))


def _em(item: np.ndarray, rater: np.ndarray, label: np.ndarray, q: int) -> np.ndarray:
    votes = np.zeros((item.max() + 1, q))
    np.add.at(votes, (item, label), 1)
    chances = votes / votes.sum(axis=1, keepdims=True)
    for _ in range(300):
        rates = np.full((rater.max() + 1, q, q), 0.01)
        np.add.at(rates.transpose(0, 2, 1), (rater, label), chances[item])
        rates /= rates.sum(axis=2, keepdims=True)
        with np.errstate(divide="ignore"):
            log = np.tile(np.log(chances.mean(axis=0)), (len(chances), 1))
        np.add.at(log, item, np.log(rates[rater, :, label]))
        moved = np.exp(log - log.max(axis=1, keepdims=True))
        moved /= moved.sum(axis=1, keepdims=True)
        change, chances = np.abs(moved - chances).max(), moved
        if change <= 1e-5:
            break
    return chances
