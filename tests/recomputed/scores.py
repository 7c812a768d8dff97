"""Scores on a scale: means, means of means, shares of the maximum, people beside a judge, automatic metrics."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import kendalltau, norm, pearsonr, permutation_test, spearmanr, t

from recomputed.agreement import numbers
from recomputed.intervals import TAIL, contrast_se, mean, on_atanh
from recomputed.study import Case, Told, once


@once
def item_means(case: Case, judge: str = "") -> pd.Series:
    """The mean score of each item over its raters, or a judge's."""
    table = numbers(case, "judged", judge) if judge else numbers(case)
    return table.mean(axis=1).reindex(case.items).dropna()


def ends(case: Case) -> tuple[float, float]:
    """The lowest and the highest point; a weighted score lies between those of its parts."""
    asks = [case.study.asks[case.section, part] for part in case.parts]
    points = [point for ask in asks if "rating" in ask for point in ask["rating"]["points"]]
    return float(min(points)), float(max(points))


def score(case: Case, judge: str = "") -> Told:
    values = item_means(case, judge)
    told = mean(values, case.clusters(values.index), ends(case))
    told.n_items = len(values)
    return told


def mean_of_means(case: Case, field: str) -> Told:
    """Every group's mean counts the same: least squares on the groups, and the mean of their coefficients."""
    values = item_means(case)
    groups, clusters = case.study.items[field].loc[values.index], case.clusters(values.index)
    means = values.groupby(groups).mean()
    told = Told(float(means.mean()), n_items=len(values))
    if pd.Series(clusters).groupby(groups.to_numpy()).nunique().min() < 2:
        return told
    design = pd.get_dummies(groups).to_numpy(float)
    q, k = design.shape[1], len(set(clusters))
    told.se = contrast_se(design, values.to_numpy(), clusters, np.full(q, 1 / q))
    if told.se < 1e-13:
        told.se = 0.0
        return told
    reach, (low, high) = t.ppf(TAIL, k - 1) * told.se, ends(case)
    told.low, told.high = max(low, told.value - reach), min(high, told.value + reach)
    return told


def percent_of_maximum(case: Case) -> Told:
    if case.question == "overall":
        return _overall(case)
    values = item_means(case) / ends(case)[1]
    told = mean(values, case.clusters(values.index), (0, 1))
    told.n_items = len(values)
    return told


def _overall(case: Case) -> Told:
    """Every score of every item once, as a share of its maximum."""
    parts = []
    for (section, question), ask in case.study.asks.items():
        if "rating" in ask:
            one = Case(case.study, {**case.entry, "section": section, "question": question})
            parts.append(item_means(one) / ends(one)[1])
    values = pd.concat(parts)
    told = mean(values, case.clusters(values.index), (0, 1))
    told.n_items = len(values)
    return told


def beside_judge(case: Case, judge: str) -> tuple[pd.Series, pd.Series]:
    both = pd.concat([item_means(case), item_means(case, judge)], axis=1, join="inner")
    return both.iloc[:, 0], both.iloc[:, 1]


def difference_from_judge(case: Case, judge: str) -> Told:
    people, its = beside_judge(case, judge)
    told = mean(its - people, case.clusters(people.index))
    told.n_items = len(people)
    return told


def spearman_with_judge(case: Case, judge: str) -> Told:
    people, its = beside_judge(case, judge)
    return clustered_spearman(people.round(12), its.round(12), case.clusters(people.index))


def clustered_spearman(x: pd.Series, y: pd.Series, clusters: np.ndarray) -> Told:
    """ρ with the jackknife that leaves out one cluster after the other."""
    told = Told(n_items=len(x))
    if len(x) < 3 or x.nunique() < 2 or y.nunique() < 2:
        return told
    told.value = float(spearmanr(x, y).statistic)
    names = sorted(set(clusters))
    if len(names) < 3 or abs(told.value) >= 1 - 1e-12:
        return told
    with np.errstate(all="ignore"):
        left = np.array([_spearman(x[clusters != name], y[clusters != name]) for name in names])
    if not np.isfinite(left).all():
        return told
    k = len(left)
    se = float(np.sqrt((k - 1) / k * ((left - left.mean()) ** 2).sum()))
    found = on_atanh(told.value, se, len(names) - 1)
    return Told(found.value, found.low, found.high, found.se, found.p, n_items=len(x))


def _spearman(x: pd.Series, y: pd.Series) -> float:
    return np.nan if x.nunique() < 2 or y.nunique() < 2 else float(spearmanr(x, y).statistic)


def metric(case: Case, column: str, name: str) -> Told:
    """One point for each value of the joined field: the mean of its items, and the metric of its row."""
    rule = case.study.file["analysis"]["metrics"]
    table = case.study.tables[rule["from"]].set_index(rule["on"])
    values = item_means(case)
    points = values.groupby(case.study.items[rule["on"]].loc[values.index]).mean().round(12)
    theirs = table[column].reindex(points.index).astype(float)
    x, y = points[theirs.notna()].to_numpy(), theirs.dropna().to_numpy()
    told = Told(n_items=len(x))
    if len(x) < 3 or len(set(x)) < 2 or len(set(y)) < 2:
        return told
    return {"pearson": _pearson, "spearman": _rho, "kendall": _tau}[name](x, y, told)


def _pearson(x: np.ndarray, y: np.ndarray, told: Told) -> Told:
    found = pearsonr(x, y)
    told.value, told.p = float(found.statistic), float(found.pvalue)
    if len(x) > 3:
        told.low, told.high = found.confidence_interval(0.95)
        told.se = float((1 - told.value**2) / np.sqrt(len(x) - 3))
    return told


def _rho(x: np.ndarray, y: np.ndarray, told: Told) -> Told:
    """p over all orders; Bonett and Wright's interval."""
    told.value = float(spearmanr(x, y).statistic)
    orders = permutation_test(
        (x,), lambda one: spearmanr(one, y).statistic, permutation_type="pairings", n_resamples=np.inf
    )
    told.p = float((np.abs(orders.null_distribution) >= abs(told.value) - 1e-9).mean())
    return _z_interval(told, (1 + told.value**2 / 2) / (len(x) - 3) if len(x) > 3 else None)


def _z_interval(told: Told, variance: float | None) -> Told:
    if variance is not None and abs(told.value) < 1 - 1e-12:
        reach = norm.ppf(TAIL) * np.sqrt(variance)
        told.low, told.high = (float(np.tanh(np.arctanh(told.value) + sign * reach)) for sign in (-1, 1))
        told.se = float(np.sqrt(variance) * (1 - told.value**2))
    return told


def _tau(x: np.ndarray, y: np.ndarray, told: Told) -> Told:
    """Fieller's interval without ties; with ties an infinitesimal jackknife of τ-b over the points."""
    tied = len(set(x)) < len(x) or len(set(y)) < len(y)
    found = kendalltau(x, y, method="asymptotic" if tied else "exact")
    told.value, told.p = float(found.statistic), float(found.pvalue)
    if abs(told.value) >= 1 - 1e-12:
        return told
    if not tied:
        return _z_interval(told, 0.437 / (len(x) - 4) if len(x) > 4 else None)
    sx, sy = np.sign(x[:, None] - x), np.sign(y[:, None] - y)

    def value(w: np.ndarray) -> Any:
        return (w @ (sx * sy) @ w) / np.sqrt((w @ abs(sx) @ w) * (w @ abs(sy) @ w))

    n = len(x)
    moves = np.array([np.imag(value(1 + 1e-25j * (np.arange(n) == i))) / 1e-25 for i in range(n)])
    within = on_atanh(told.value, float(np.sqrt(n / (n - 1) * (moves**2).sum())), n - 1)
    told.low, told.high, told.se = within.low, within.high, within.se
    return told
