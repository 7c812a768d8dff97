"""Preferences: wins, ties and losses by verdict and by rating, sides, strengths, and marks of each system."""

from __future__ import annotations

import json
from itertools import product

import numpy as np
import pandas as pd
from scipy.optimize import brentq, root
from scipy.stats import binomtest, norm, rankdata, t
from statsmodels.tools.numdiff import approx_hess_cs

from recomputed.intervals import TAIL, clustered_se, mean, share
from recomputed.shares import of_answers
from recomputed.study import Case, NotCoveredError, Told, once
from recomputed.verdicts import of_items, verdicts


@once
def compared(case: Case) -> pd.DataFrame:
    """Every comparison: the two systems by name, the sign of the first, and whether it stood left."""
    rows, shown = case.rows(), case.presented()
    sides = shown.loc[list(zip(rows.item, rows.rater, strict=True)), ["left", "right"]].to_numpy()
    if "preference" in case.ask:
        one, other = case.ask["preference"].get("for", "refined"), "baseline"
        names = [(one, other)] * len(rows)
        sign = np.sign(rows.value.astype(int))
    else:
        names = [tuple(sorted(pair)) for pair in sides]
        sign = [0 if won == "tie" else 1 if won == pair[0] else -1
                for won, pair in zip(rows.value, names, strict=True)]  # fmt: skip
    first, second = zip(*names, strict=True)
    table = pd.DataFrame({"item": rows.item.to_numpy(), "rater": rows.rater.to_numpy(), "first": first,
                          "second": second, "sign": np.asarray(sign)})  # fmt: skip
    table["on_left"] = sides[:, 0] == table["first"].to_numpy()
    return table


def pair(case: Case, names: str) -> pd.DataFrame:
    """The comparisons of two systems; of all where there are only two."""
    table = compared(case)
    if not names:
        return table
    first, second = names.strip(".").split(".")
    return table[(table["first"] == first) & (table["second"] == second)]


def verdict_signs(case: Case, names: str) -> pd.Series:
    """What the verdict on each compared item says of the first: 1, 0 or −1; NaN without a verdict."""
    rows = pair(case, names)
    first = rows["first"].iloc[0] if len(rows) else ""
    said = verdicts(case).verdict.loc[sorted(set(rows.item))]
    signs = {"win": 1, "loss": -1, "same": 0, "tie": 0}
    return said.map(lambda one: signs.get(one, 1 if one == first else -1), na_action="ignore")


def success_by_verdict(case: Case, names: str) -> Told:
    signs = verdict_signs(case, names)
    return of_items(share([sign == 1 for sign in signs], case.groups(signs.index)))


def gain(signs: np.ndarray, clusters: np.ndarray | None) -> Told:
    """The mean sign, with the interval and p of Tango's score test; over clusters at the effective n and with t."""
    value, n = float(np.mean(signs)), len(signs)
    k = n if clusters is None else len(set(clusters))
    told = Told(value, n_items=k, n_ratings=n)
    won, lost = float(np.mean(signs > 0)), float(np.mean(signs < 0))
    if k == n:
        told.se, times, size = float(np.std(signs) / np.sqrt(n)), norm.ppf(TAIL), n
    else:
        found = clustered_se(signs, clusters)
        if found is None:
            return told
        told.se = found if found > 1e-13 else 0.0
        times, size = t.ppf(TAIL, k - 1), min(n, float(np.var(signs)) / found**2) if told.se else k
    told.low, told.high = _tango(won, lost, size, times)
    apart = abs(won - lost) / np.sqrt((won + lost) / size) if won + lost else 0.0
    told.p = float(2 * (norm.sf(apart) if k == n else t.sf(apart, k - 1)))
    return told


def _tango(won: float, lost: float, size: float, times: float) -> tuple[float, float]:
    """Where the score test stops rejecting: shares are fitted under each difference by the slope of the likelihood."""
    tied = 1 - won - lost

    def fitted(d: float) -> float:
        least, most = max(0.0, -d), (1 - d) / 2

        def slope(q: float) -> float:
            return won * q * (1 - 2 * q - d) + lost * (q + d) * (1 - 2 * q - d) - 2 * tied * q * (q + d)

        ends = slope(least + 1e-13), slope(most - 1e-13)
        if ends[0] <= 0:
            return least
        return most if ends[1] >= 0 else brentq(slope, least + 1e-13, most - 1e-13, xtol=1e-15, rtol=1e-14)

    def beyond(d: float) -> float:
        return (won - lost - d) ** 2 * size - times**2 * (2 * fitted(d) + d - d * d)

    value, ends = won - lost, []
    for end in (-1.0, 1.0):
        # A little beside the value: where it is -1 or 1 itself the test's error is 0 there.
        beside = value + 1e-9 * (end - value)
        ends.append(end if beyond(end) <= 0 else brentq(beyond, beside, end, xtol=1e-14))
    low, high = ends
    return low, high


def gain_by_verdict(case: Case, names: str) -> Told:
    signs = verdict_signs(case, names)
    return gain(signs.fillna(0).to_numpy(float), case.groups(signs.index))


def gain_by_rating(case: Case, names: str) -> Told:
    rows = pair(case, names)
    return gain(rows.sign.to_numpy(float), case.clusters(rows.item))


def _plain_or_clustered(case: Case, hits: pd.Series, items: pd.Series) -> Told:
    """Clusters count where one holds several comparisons."""
    clusters = case.clusters(items)
    several = len(set(clusters)) < len(hits)
    told = share(hits, clusters if several else None)
    told.n_items, told.n_ratings = len(set(clusters)), len(hits)
    return told


def success_by_rating(case: Case, names: str) -> Told:
    rows = pair(case, names)
    return _plain_or_clustered(case, rows.sign > 0, rows.item)


def ties(case: Case, names: str) -> Told:
    rows = pair(case, names)
    return _plain_or_clustered(case, rows.sign == 0, rows.item)


def ties_of_rater(case: Case, rater: str) -> Told:
    rows = compared(case)[lambda table: table.rater == rater]
    return of_items(share(rows.sign == 0, case.groups(rows.item)))


def sign_test(case: Case, names: str) -> Told:
    """One sign a cluster, ties left out; Clopper and Pearson's interval."""
    signs = verdict_signs(case, names).dropna().astype(float)
    units = signs.groupby(case.clusters(signs.index)).sum()
    won, lost = int((units > 0).sum()), int((units < 0).sum())
    if won + lost == 0:
        return Told(n_items=0)
    test = binomtest(won, won + lost)
    between, p = test.proportion_ci(method="exact"), won / (won + lost)
    se = float(np.sqrt(p * (1 - p) / (won + lost)))
    return Told(p, between.low, between.high, se, test.pvalue, n_items=won + lost)


def position_bias(case: Case) -> Told:
    rows = compared(case)[lambda table: table.sign != 0]
    took_left = (rows.sign > 0) == rows.on_left
    told = _plain_or_clustered(case, took_left, rows.item)
    if told.n_items == len(rows):
        told.p = binomtest(int(took_left.sum()), len(rows)).pvalue
    elif told.se:
        told.p = float(2 * t.sf(abs(told.value - 0.5) / told.se, told.n_items - 1))
    return told


def side_balance(case: Case, names: str, within: str) -> Told:
    rows = pair(case, names)
    if not within:
        return of_answers(case, rows.on_left, rows.item)
    uneven = rows.on_left.map({True: 1, False: -1}).groupby(rows[within.removeprefix(".within_")]).sum().abs()
    return Told(float(uneven.max()), n_ratings=len(rows))


def strength(case: Case, name: str, other: str = "") -> Told:
    """Davidson's likelihood, its root by scipy, and its information by statsmodels' complex-step Hessian.

    With another system: how much stronger the first is than it.
    """
    rows = []
    for first, second in sorted(set(zip(*(compared(case)[part] for part in ("first", "second")), strict=True))):
        rows += [(first, second, sign) for sign in verdict_signs(case, f"{first}.{second}").dropna()]
    names = sorted({system for row in rows for system in row[:2]})
    if case.groups(case.items) is not None:
        raise NotCoveredError("strengths by cluster are bootstrapped")
    tied = any(sign == 0 for *_, sign in rows)
    place = {system: k for k, system in enumerate(names)}

    def likelihood(theta: np.ndarray) -> complex:
        b, nu = np.append(theta[: len(names) - 1], 0.0), theta[-1] if tied else None
        total = 0.0
        for first, second, sign in rows:
            x, y = b[place[first]], b[place[second]]
            draw = 0.0 if nu is None else np.exp(nu + (x + y) / 2)
            total += {1: x, -1: y}[sign] if sign else nu + (x + y) / 2
            total -= np.log(np.exp(x) + np.exp(y) + draw)
        return total

    def slope(theta: np.ndarray) -> np.ndarray:
        steps = 1e-25j * np.eye(len(theta))
        return np.array([np.imag(likelihood(theta + step)) / 1e-25 for step in steps])

    size = len(names) - 1 + tied
    found = root(slope, np.zeros(size), tol=1e-13)
    if not found.success or np.abs(found.x).max() > 15:
        return Told()
    covariance = np.zeros((len(names), len(names)))
    inverse = np.linalg.inv(-approx_hess_cs(found.x, likelihood))
    covariance[:-1, :-1] = inverse[: len(names) - 1, : len(names) - 1]
    centre = np.eye(len(names)) - 1 / len(names)
    b = centre @ np.append(found.x[: len(names) - 1], 0.0)
    wanted = np.eye(len(names))[place[name]] - (np.eye(len(names))[place[other]] if other else 0)
    se = float(np.sqrt(wanted @ centre @ covariance @ centre @ wanted))
    value = float(wanted @ b)
    met = [row for row in rows if other or name in row[:2]]
    return Told(value, value - norm.ppf(TAIL) * se, value + norm.ppf(TAIL) * se, se,
                float(2 * norm.sf(abs(value) / se)), n_ratings=len(met))  # fmt: skip


@once
def marks(case: Case, question: str = "") -> pd.DataFrame:
    """Every mark: item, rater, system, number."""
    whole = case.study.people
    rows = whole[(whole.question == (question or case.question)) & whole.item.isin(case.items)]
    wide = pd.DataFrame(list(rows.value.map(json.loads)), index=pd.MultiIndex.from_frame(rows[["item", "rater"]]))
    return wide.stack().dropna().rename_axis(["item", "rater", "system"]).rename("mark").astype(float).reset_index()


def mean_of_system(case: Case, system: str) -> Told:
    given = marks(case)[lambda table: table.system == system]
    points = case.ask["rating"]["points"]
    clusters = case.clusters(given.item)
    told = mean(given.mark, clusters, (points[0], points[-1]))
    told.n_items, told.n_ratings = len(set(clusters)), len(given)
    return told


def difference_of_systems(case: Case, first: str, second: str) -> Told:
    """Differences of item means: the median of Walsh averages, and p by going through all signs."""
    given = marks(case)
    unit = pd.Series(case.clusters(given.item), index=given.index)
    means = given.mark.groupby([unit, given.system]).mean().unstack()
    if first not in means or second not in means:
        return Told()
    gaps = (means[first] - means[second]).dropna().round(12)
    if not len(gaps):
        return Told()
    gaps = gaps[gaps != 0].to_numpy()
    if not len(gaps):
        return Told(n_items=0)
    if len(gaps) > 5:
        raise NotCoveredError("an interval that inverts the signed-rank test")
    ranks = rankdata(np.abs(gaps).round(12))
    drawn = np.array(list(product((0, 1), repeat=len(gaps)))) @ ranks
    up = ranks[gaps > 0].sum()
    p = min(1.0, 2 * min((drawn <= up + 1e-9).mean(), (drawn >= up - 1e-9).mean()))
    walsh = [(gaps[i] + gaps[j]) / 2 for i in range(len(gaps)) for j in range(i, len(gaps))]
    return Told(float(np.median(walsh)), p=float(p), n_items=len(gaps))


def priority(case: Case, what: str) -> Told:
    """Choices against the first dimension that tells the two apart, and ties whose marks differ."""
    rows = compared(case)
    leads = pd.Series(0.0, index=rows.index)
    for name in case.study.file["analysis"]["priority"]:
        given = marks(case, name).set_index(["item", "rater", "system"]).mark
        first, second = (given.reindex(pd.MultiIndex.from_frame(rows[["item", "rater", place]])).to_numpy()
                         for place in ("first", "second"))  # fmt: skip
        gap = first - second
        leads = leads.where(leads != 0, np.sign(np.nan_to_num(gap)))
    tied = rows.sign == 0
    kept = tied if what == "uneven_ties" else ~tied & (leads != 0)
    hits = leads != 0 if what == "uneven_ties" else leads != rows.sign
    return of_answers(case, hits[kept], rows.item[kept])
