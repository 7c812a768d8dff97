"""Numbers about items: the mean over an item's raters, and the mean of those."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from quorate.inquiries.means import mean
from quorate.messages import Message
from quorate.records import Estimate
from quorate.sheets.case import SCALES, Case
from quorate.sheets.columns import Floats
from quorate.sheets.sheet import Sheet


def is_number(case: Case) -> bool:
    """Whether an answer is one number about one item: a rating, a slider, a score made of several answers."""
    question = case.sheet.question
    return question.level in SCALES and not question.rates_each() and not question.compares()


def item_means(sheet: Sheet, of: str = "people", judge: str = "") -> Floats:
    """The mean score of each item over its raters, or a judge's score; NaN where there is none."""
    rows, numbers = getattr(sheet, of), sheet.numbers(of)
    item = rows.item
    if judge:
        its = rows.who == (sheet.judges.index(judge) if judge in sheet.judges else -1)
        item, numbers = item[its], numbers[its]
    n = np.bincount(item, minlength=sheet.n_items)
    total = np.bincount(item, weights=numbers, minlength=sheet.n_items)
    return np.where(n > 0, on_paper(total / np.maximum(n, 1)), np.nan)


def on_paper(numbers: Floats) -> Floats:
    """The numbers without the noise of adding and dividing: what is equal on paper is a tie to whatever ranks them.

    >>> on_paper(np.array([0.1 + 0.2, 0.3])).tolist()
    [0.3, 0.3]
    """
    return np.round(numbers, 12)


def maximum(sheet: Sheet) -> float:
    """The highest point of a scale that begins at zero; 0 where it does not, since a share of it would mislead."""
    scale = sheet.question.scale()
    if not scale or not sheet.question.readings() or sheet.question.as_number(scale[0]) != 0:
        return 0.0
    return sheet.question.as_number(scale[-1]) or 0.0


def within(found: Estimate, low: float, high: float) -> Estimate:
    """An estimate whose interval stays on the scale."""
    if found.low is None or found.high is None:
        return found
    return replace(found, low=max(found.low, low), high=min(found.high, high))


def mean_of_items(case: Case, numbers: Floats) -> Estimate:
    """The mean of a number for each item; n is the number of items."""
    known = ~np.isnan(numbers)
    return counted(mean(numbers[known], clusters=case.sheet.clusters[known], confidence=case.confidence), numbers)


def for_raters(case: Case, found: Estimate, times: float = 1.0) -> Estimate:
    """The mean of item means for the raters that the study speaks of: each item counts the same."""
    rows = case.sheet.people
    n = np.bincount(rows.item, minlength=case.sheet.n_items)
    return case.for_raters(found, times * case.sheet.numbers(), rows.item, rows.who, weights=1 / n[rows.item])


def counted(found: Estimate, numbers: Floats) -> Estimate:
    """The estimate with the number of items; how many clusters they make is in the method."""
    n, clusters = int((~np.isnan(numbers)).sum()), found.n_items or 0
    how = Message("mean of item means, t interval")
    if clusters != n:
        how = Message("mean of item means, t interval over {n} clusters", n=clusters)
    return replace(found, n_items=n, n_ratings=None, method=how, left_out={})
