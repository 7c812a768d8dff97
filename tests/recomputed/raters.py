"""How raters work: medians with order statistics, slopes by least squares, runs by counting pairs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import statsmodels.api as sm
from scipy.special import poch
from scipy.stats import binom, norm, t

from recomputed.agreement import reading, verdict_on
from recomputed.intervals import TAIL, share
from recomputed.study import Case, Told


def median(seconds: pd.Series) -> Told:
    """The median with the interval between two order statistics."""
    times, n = np.sort(seconds.to_numpy(float)), len(seconds)
    told = Told(float(np.median(times)), n_ratings=n)
    cut = sum(binom.cdf(j, n, 0.5) <= 1 - TAIL for j in range(n))
    if cut:
        told.low, told.high = float(times[cut - 1]), float(times[n - cut])
    return told


def seconds(case: Case, rater: str) -> Told:
    return median(case.presented()[lambda table: table.rater == rater].seconds)


def seconds_in_sight(case: Case, rater: str | None) -> Told:
    rows = case.study.played
    each = rows[rows.section == case.section].drop_duplicates(["item", "annotator_id"])
    return median(each[each.annotator_id == rater].seconds if rater else each.seconds)


def drift(case: Case) -> Told:
    """The slope of seconds on position within raters; from five raters on, its error is over raters."""
    table = case.presented()
    raters = pd.get_dummies(table.rater).to_numpy(float)
    design = np.column_stack([table.position.astype(float), raters])
    values, k = table.seconds.to_numpy(float), raters.shape[1]
    model = sm.OLS(values, design)
    if k < 5:
        fit = model.fit()
        low, high = fit.conf_int(0.05)[0]
        return Told(fit.params[0], low, high, fit.bse[0], fit.pvalues[0], n_ratings=len(values))
    groups = np.unique(table.rater, return_inverse=True)[1]
    fit = model.fit(cov_type="cluster", cov_kwds={"groups": groups, "use_correction": False})
    value, se = float(fit.params[0]), float(fit.bse[0] * np.sqrt(k / (k - 1)))
    reach = t.ppf(TAIL, k - 1) * se
    return Told(value, value - reach, value + reach, se, float(2 * t.sf(abs(value) / se, k - 1)), n_ratings=len(values))


def same_again(case: Case, rater: str) -> Told:
    """Answers equal to the one before; p from the mean and variance of repeats in a random order."""
    rows = case.rows()[lambda table: table.rater == rater]
    at = case.presented().loc[list(zip(rows.item, rows.rater, strict=True))].position.astype(int).to_numpy()
    said = reading(case, rows, verdict_on(case))
    if case.entry.get("what") == "side":
        shown = case.presented().loc[list(zip(rows.item, rows.rater, strict=True))]
        said = pd.Series(np.where(said == "tie", "tie", np.where(said.to_numpy() == shown.left, "left", "right")))
    given = said.to_numpy()[np.argsort(at)]
    told = share(given[1:] == given[:-1])
    n, sizes = len(given), pd.Series(given).value_counts().to_numpy(float)
    told.n_ratings = n

    def falling(k: float | np.ndarray, times: int) -> np.ndarray:
        return np.where(np.asarray(k) >= times, poch(np.asarray(k) - times + 1, times), 0.0)

    two, three = falling(sizes, 2).sum() / falling(n, 2), falling(sizes, 3).sum() / max(falling(n, 3), 1)
    pairs = falling(sizes, 2)
    apart = falling(sizes, 4).sum() + pairs.sum() ** 2 - (pairs**2).sum()
    four = apart / max(falling(n, 4), 1)
    variance = (n - 1) * two * (1 - two) + 2 * (n - 2) * (three - two**2) + (n - 2) * (n - 3) * (four - two**2)
    if variance > 1e-12:
        told.p = float(norm.sf((told.count - (n - 1) * two) / np.sqrt(variance)))
    return told
