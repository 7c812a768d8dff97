"""Coefficients of agreement: formulas over weighted items, held against statsmodels, scikit-learn and krippendorff."""

from __future__ import annotations

import json
from typing import Any

import krippendorff
import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import fleiss_kappa

from recomputed.intervals import jackknifed, share, wilson
from recomputed.study import Case, Told, once

ROLES = ("target", "semantic_1", "semantic_2", "literal", "none")
OUTCOMES = {1: "win", 0: "same", -1: "loss"}


def reading(case: Case, rows: pd.DataFrame, name: str) -> pd.Series:
    """What two answers have to share to be the same answer."""
    if name in ("concept", "primary"):
        return rows.label
    if name == "correctness":
        return rows.is_correct
    if name == "outcome":
        return rows.value.astype(int).map(np.sign).map(OUTCOMES)
    if "text" in case.ask:
        target = rows[case.ask["text"]["target"]]
        return target.where(rows.is_correct == "True", rows.value)
    return rows.value


def declared(case: Case, name: str) -> list[str] | None:
    """The categories that the study file names, in order; None where they are what is seen."""
    if name == "role":
        return list(ROLES)
    if name == "correctness":
        return ["True", "False"]
    if name == "outcome":
        return list(OUTCOMES.values())
    if is_by_pair(case):
        return ["one", "other", "tie"]
    if "rating" in case.ask:
        return [str(point) for point in case.ask["rating"]["points"]]
    if "preference" in case.ask:
        return ["-2", "-1", "0", "1", "2"]
    if "yes_no" in case.ask or "yesno" in case.ask:
        return ["Yes", "No"]
    return None


@once
def by_rater(case: Case, name: str) -> pd.DataFrame:
    """Items × raters, what each said."""
    rows = case.rows()
    return rows.assign(said=reading(case, rows, name)).pivot(index="item", columns="rater", values="said")


def is_by_pair(case: Case) -> bool:
    """Whether the estimate says that it is on the choice within each item's own pair."""
    return bool(case.entry.get("by_pair"))


@once
def _pairs(case: Case) -> dict[str, list[str]]:
    shown = case.presented()
    return {item: sorted(sides) for item, *sides in zip(shown.item, shown.left, shown.right, strict=True)}


def choices(case: Case, table: pd.DataFrame) -> pd.DataFrame:
    """Items × raters as choices within each pair, followed by the same items with the two systems changed."""
    if not is_by_pair(case):
        return table
    pairs = _pairs(case)
    rows = [
        [("one", "other")[pairs[item].index(said)] if said in pairs[item] else said for said in line]
        for item, line in zip(table.index, table.to_numpy(object), strict=True)
    ]
    plain = pd.DataFrame(rows, index=table.index, columns=table.columns)
    return pd.concat([plain, plain.replace({"one": "other", "other": "one"})])


def counts(table: pd.DataFrame, categories: list[str] | None) -> np.ndarray:
    """Items × categories, how many raters chose each."""
    seen = sorted({value for value in table.to_numpy().ravel() if isinstance(value, str)})
    names = categories or seen
    said = table.to_numpy(object)
    return np.stack([(said == name).sum(axis=1).astype(float) for name in names], axis=1)


def beyond(observed: Any, chance: Any) -> Any:
    return np.nan if abs(1 - chance) < 1e-12 else (observed - chance) / (1 - chance)


def observed(n: np.ndarray, w: np.ndarray, weights: np.ndarray | None = None) -> Any:
    """The share of pairs of raters who agree, over the items that two or more rated."""
    r = n.sum(axis=1)
    several = r >= 2
    credit = n @ (np.eye(n.shape[1]) if weights is None else weights)
    pairs = (n * (credit - 1)).sum(axis=1)[several] / (r * (r - 1))[several]
    return (w[several] * pairs).sum() / w[several].sum()


def shares(n: np.ndarray, w: np.ndarray) -> Any:
    rated = n.sum(axis=1) > 0
    return (w[rated, None] * n[rated] / n[rated].sum(axis=1, keepdims=True)).sum(axis=0) / w[rated].sum()


def _counted(told: Told, n: np.ndarray, copies: int = 1) -> Told:
    told.n_items, told.n_ratings = int((n.sum(axis=1) > 0).sum()) // copies, int(n.sum()) // copies
    return told


def percent(case: Case, name: str) -> Told:
    table = by_rater(case, name)
    n = counts(table, None)
    told = jackknifed(lambda w: observed(n, w), case.clusters(table.index), low=0.0)
    told.p = None
    if told.se == 0 and case.groups(table.index) is None:
        told.low, told.high = wilson(told.value * len(n), len(n))
    return _counted(told, n)


def fleiss(case: Case, name: str, given: pd.DataFrame | None = None) -> Told:
    table = choices(case, by_rater(case, name) if given is None else given)
    n = counts(table, declared(case, name))
    told = jackknifed(lambda w: beyond(observed(n, w), (shares(n, w) ** 2).sum()), case.clusters(table.index))
    if told.value is not None and len(set(n.sum(axis=1))) == 1:
        assert told.value == pytest.approx(fleiss_kappa(n), abs=1e-9)
    return _counted(told, n, 1 + is_by_pair(case))


def gwet(case: Case, name: str, weights: np.ndarray | None = None) -> Told:
    """AC1, and with weights AC2: chance is Σw Σ π(1 − π) / (q (q − 1))."""
    table = choices(case, by_rater(case, name))
    n = counts(table, declared(case, name))
    q = n.shape[1]
    total = q if weights is None else weights.sum()

    def value(w: np.ndarray) -> Any:
        pi = shares(n, w)
        return beyond(observed(n, w, weights), total * (pi * (1 - pi)).sum() / (q * (q - 1)))

    return _counted(jackknifed(value, case.clusters(table.index)), n, 1 + is_by_pair(case))


def ac2(case: Case) -> Told:
    """Ordinal weights: one less the share of pairs of points between two points."""
    q = len(declared(case, "responses") or ())
    place = np.arange(q)
    apart = np.abs(place[:, None] - place)
    steps = apart * (apart + 1) / 2
    return gwet(case, "points" if "preference" in case.ask else "responses", 1 - steps / steps.max())


def brennan_prediger(case: Case, name: str) -> Told:
    table = by_rater(case, name)
    n = counts(table, declared(case, name))
    told = jackknifed(lambda w: beyond(observed(n, w), 1 / n.shape[1]), case.clusters(table.index))
    return _counted(told, n)


def cohen(codes_a: pd.Series, codes_b: pd.Series, clusters: Any, quadratic: list[str] | None = None) -> Told:
    """Two raters of the same items; `quadratic` names the points of a scale from lowest to highest."""
    names = quadratic or sorted(set(codes_a) | set(codes_b))
    a, b = (np.stack([codes == name for name in names], axis=1).astype(float) for codes in (codes_a, codes_b))
    if not len(a):
        return Told(n_items=0)
    points = np.array(names, float) if quadratic else np.zeros(len(names))
    spread = (points[:, None] - points) ** 2
    credit = 1 - spread / spread.max() if quadratic else np.eye(len(names))
    same = np.einsum("ik,kl,il->i", a, credit, b)

    def value(w: np.ndarray) -> Any:
        left, right = (w[:, None] * a).sum(axis=0) / w.sum(), (w[:, None] * b).sum(axis=0) / w.sum()
        return beyond((w * same).sum() / w.sum(), left @ credit @ right)

    told = jackknifed(value, clusters)
    if told.value is not None:
        how = {"weights": "quadratic", "labels": names} if quadratic else {}
        assert told.value == pytest.approx(cohen_kappa_score(list(codes_a), list(codes_b), **how), abs=1e-9)
    told.n_items, told.n_ratings = len(a), 2 * len(a)
    return told


def of_two_raters(case: Case, name: str, first: str, second: str) -> Told:
    return of_two(case, by_rater(case, name).reindex(columns=[first, second]).dropna())


def of_two(case: Case, said: pd.DataFrame) -> Told:
    """Two columns of answers to the same items, as categories or as choices within pairs."""
    table = choices(case, said)
    told = cohen(table.iloc[:, 0], table.iloc[:, 1], case.clusters(table.index))
    if is_by_pair(case):
        told.n_items, told.n_ratings = len(said), 2 * len(said) if len(said) else None
    return told


def full_agreement(case: Case, name: str) -> Told:
    table = by_rater(case, name)
    several = table[table.notna().sum(axis=1) > 1]
    told = share(several.nunique(axis=1) == 1, case.groups(several.index))
    told.n_items = told.of
    return told


def with_the_rest(case: Case, rater: str) -> Told:
    """A rater against the others: the mean over items of the share of the others who said the same."""
    table = by_rater(case, verdict_on(case))
    own, others = table[rater], table.drop(columns=rater)
    shared = own.notna() & (others.notna().sum(axis=1) > 0)
    own, others = own[shared], others[shared]
    same = (others.eq(own, axis=0).sum(axis=1) / others.notna().sum(axis=1)).to_numpy()
    told = jackknifed(lambda w: (w * same).sum() / w.sum(), case.clusters(own.index), low=0.0)
    told.p = None
    told.n_items, told.n_ratings = len(own), int(len(own) + others.notna().to_numpy().sum())
    return told


def verdict_on(case: Case) -> str:
    """What the majority is a majority of."""
    if "text" in case.ask:
        return "correctness"
    if "preference" in case.ask:
        return "outcome"
    if "tags" in case.ask:
        return "primary"
    return "role" if "choice" in case.ask else "responses"


@once
def numbers(case: Case, of: str = "people", judge: str = "") -> pd.DataFrame:
    """Items × raters as numbers; a score is the weighted mean of those of its parts that were answered."""
    rows = case.rows(of, judge)
    if not case.weights:
        return rows.assign(n=rows.value.astype(float)).pivot(index="item", columns="rater", values="n")
    score = next(s for s in _scores(case) if case.question.startswith(s["id"]))
    said = rows.value.replace({"Yes": score["yes"], "No": score["no"]}).astype(float)
    weight = rows.question.map(case.weights)
    sums = pd.DataFrame({"item": rows.item, "rater": rows.rater, "n": said * weight, "w": weight})
    total = sums.groupby(["item", "rater"]).sum()
    return (total.n / total.w).unstack("rater")


def _scores(case: Case) -> list[dict[str, Any]]:
    return next(s for s in case.study.file["sections"] if s["id"] == case.section).get("scores", [])


def alpha(case: Case, level: str, given: pd.DataFrame | None = None) -> Told:
    """Krippendorff's α of the numbers, one unit an item; of clips, one unit a clip of an item."""
    if given is not None:
        return _alpha(given, case.clusters(given.index), level)
    if case.ask.get("rating", {}).get("each"):
        return _alpha(*_clips(case), level)
    table = numbers(case)
    return _alpha(table, case.clusters(table.index), level)


def _clips(case: Case) -> tuple[pd.DataFrame, np.ndarray]:
    rows = case.rows()
    marks = pd.DataFrame(list(rows.value.map(json.loads)), index=pd.MultiIndex.from_frame(rows[["item", "rater"]]))
    table = marks.stack().dropna().unstack("rater")
    return table, case.clusters(table.index.get_level_values("item"))


def _alpha(table: pd.DataFrame, clusters: np.ndarray, level: str) -> Told:
    pairable = (table.notna().sum(axis=1) > 1).to_numpy()
    given, clusters = table[pairable], clusters[pairable]
    values = np.unique(given.to_numpy()[given.notna().to_numpy()])
    n = np.stack([(np.abs(given - value) < 1e-12).sum(axis=1).to_numpy(float) for value in values], axis=1)
    m = n.sum(axis=1)
    pairs = (n[:, :, None] * n[:, None, :] - np.einsum("ik,kl->ikl", n, np.eye(len(values)))) / (m - 1)[:, None, None]

    def value(w: np.ndarray) -> Any:
        o = (w[:, None, None] * pairs).sum(axis=0)
        margin = o.sum(axis=1)
        rank = np.cumsum(margin) - margin / 2 if level == "ordinal" else values
        apart = (rank[:, None] - rank) ** 2
        expected = (margin[:, None] * margin * apart).sum()
        return np.nan if abs(expected) < 1e-12 else 1 - (margin.sum() - 1) * (o * apart).sum() / expected

    told = jackknifed(value, clusters)
    if told.value is not None:
        other = krippendorff.alpha(given.T.to_numpy(float), level_of_measurement=level)
        assert told.value == pytest.approx(other, abs=1e-9)
    told.n_items, told.n_ratings = len(given), int(given.notna().to_numpy().sum())
    return told
