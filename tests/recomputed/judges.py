"""People's verdicts beside a judge, and the judge beside each person who is left out in turn."""

from __future__ import annotations

import numpy as np
import pandas as pd

from recomputed.agreement import alpha, by_rater, cohen, declared, fleiss, of_two, reading, verdict_on
from recomputed.intervals import jackknifed, share
from recomputed.preferences import gain
from recomputed.study import Case, NotCoveredError, Told, once
from recomputed.verdicts import decided, is_right, of_items, verdicts

FEWEST_SHARED = 30


@once
def said_by(case: Case, judge: str, name: str) -> pd.Series:
    rows = case.rows("judged", judge)
    return pd.Series(reading(case, rows, name).to_numpy(), index=rows.item)


@once
def both(case: Case, judge: str) -> pd.DataFrame:
    """Items with a verdict and an answer of the judge."""
    human = verdicts(case).verdict.rename("human")
    machine = said_by(case, judge, verdict_on(case)).rename("machine")
    return pd.concat([human, machine], axis=1, join="inner").dropna()


def agreement_rate(case: Case, judge: str) -> Told:
    found = both(case, judge)
    return of_items(share(found.human == found.machine, case.groups(found.index)))


def kappa(case: Case, judge: str) -> Told:
    return of_two(case, both(case, judge))


def coefficient(case: Case, judge: str, row: str) -> Told:
    """What agreement is told by: verdict and judge as the two raters of each item."""
    table = both(case, judge)
    if row == "fleiss_kappa":
        return fleiss(case, verdict_on(case), table)
    if row == "krippendorff_alpha" and verdict_on(case) == "outcome":
        return alpha(case, case.entry["what"], table.replace({"loss": -1.0, "same": 0.0, "win": 1.0}).astype(float))
    if row == "krippendorff_alpha" and case.entry["what"] == "ordinal":
        return alpha(case, "ordinal", table.astype(float))
    raise NotCoveredError(f"{row} of people and a judge")


def weighted_kappa(case: Case, judge: str) -> Told:
    found = both(case, judge)
    return cohen(found.human, found.machine, case.clusters(found.index), declared(case, "responses"))


def most_said(case: Case, name: str) -> pd.Series:
    """The answer that enough of the planned raters gave, by item."""
    rows = case.rows()
    found = reading(case, rows, name).groupby(rows.item).agg(lambda said: decided(list(said), case.study.rule[0]))
    return found.dropna()


def kappa_on(case: Case, judge: str, name: str) -> Told:
    return of_two(case, pd.concat([most_said(case, name), said_by(case, judge, name)], axis=1, join="inner"))


def label_agreement(case: Case, judge: str) -> Told:
    found = pd.concat([most_said(case, "responses"), said_by(case, judge, "responses")], axis=1, join="inner")
    return of_items(share(found.iloc[:, 0] == found.iloc[:, 1], case.groups(found.index)))


@once
def right_of_both(case: Case, judge: str) -> pd.DataFrame:
    human = verdicts(case).dropna(subset="verdict").verdict
    rows = case.rows("judged", judge)
    machine = pd.Series((rows.is_correct == "True").to_numpy(), index=rows.item, name="machine")
    return pd.concat([is_right(case, human).rename("human"), machine], axis=1, join="inner")


def error_class(case: Case, judge: str, name: str) -> Told:
    found = right_of_both(case, judge)
    human, machine = {
        "both_correct": (True, True),
        "human_correct_judge_incorrect": (True, False),
        "human_incorrect_judge_correct": (False, True),
        "both_incorrect": (False, False),
    }[name]
    return of_items(share((found.human == human) & (found.machine == machine), case.groups(found.index)))


def difference(case: Case, judge: str) -> Told:
    """Tango's interval for paired shares and the p of the same test, over clusters at the effective n."""
    found = right_of_both(case, judge)
    told = gain(found.human.to_numpy(float) - found.machine.to_numpy(float), case.groups(found.index))
    told.n_items, told.n_ratings = len(found), None
    return told


def left_out(case: Case, judge: str, what: str) -> Told:
    """Each person left out in turn: how many of the others say what the judge says, and what the person says."""
    table = by_rater(case, verdict_on(case)).reindex(case.items)
    machine = said_by(case, judge, verdict_on(case)).reindex(table.index)
    people, its, items = table.to_numpy(object), machine.to_numpy(object), table.index
    given = table.notna().to_numpy()
    is_clear, name, only = what.startswith("clear."), *what.removeprefix("clear.").partition(".")[::2]
    if is_clear:
        alike = (people[:, :, None] == people[:, None, :]).sum(axis=2).max(axis=1)
        clear = 2 * alike > given.sum(axis=1)
        people, its, items, given = people[clear], its[clear], items[clear], given[clear]
    scores, there = [], []
    for place in [list(table.columns).index(only)] if only else range(people.shape[1]):
        others, n = np.delete(people, place, axis=1), np.delete(given, place, axis=1).sum(axis=1)
        known = pd.notna(its) & given[:, place] & (n > 0)
        ours, mine = ((others == said[:, None]).sum(axis=1) / np.maximum(n, 1) for said in (its, people[:, place]))
        scores.append(np.where(known, {"judge": ours, "people": mine, "difference": ours - mine}[name], 0.0))
        there.append(known)
    return _mean_over_people(case, np.stack(scores, axis=1), np.stack(there, axis=1), items, name)


def _mean_over_people(case: Case, scores: np.ndarray, there: np.ndarray, items: pd.Index, name: str) -> Told:
    used = there.any(axis=0)
    scores, there = scores[:, used], there[:, used]
    kept = there.any(axis=1)
    if not kept.any():
        return Told(n_items=0, n_ratings=0)
    scores, there = scores[kept].astype(float), there[kept].astype(float)
    low = -1.0 if name == "difference" else 0.0
    told = jackknifed(lambda w: (w @ scores / (w @ there)).mean(), case.clusters(items[kept]), low=low)
    told.n_items, told.n_ratings = len(scores), int(there.sum())
    return told


def replacement_test(case: Case, judge: str) -> Told:
    """Calderon's test needs thirty shared items with somebody; with fewer there is none."""
    table = by_rater(case, verdict_on(case))
    shared = table.notna().mul(said_by(case, judge, verdict_on(case)).reindex(table.index).notna(), axis=0).sum()
    if shared.max() >= FEWEST_SHARED:
        raise NotCoveredError("the alternative annotator test")
    return Told()
