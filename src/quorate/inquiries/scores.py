"""Scores on a scale: means by part of the items, shares of the maximum, people against AI, and automatic metrics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from quorate import statistics
from quorate.findings.ids import apart, id_of
from quorate.findings.names import judge_name
from quorate.findings.results import Finding
from quorate.inquiries.means import mean, mean_of_means
from quorate.languages import say
from quorate.messages import Message, clauses
from quorate.records import Estimate
from quorate.sheets.case import JUDGED, RAW, Case, computed, named
from quorate.sheets.columns import Floats, Ints
from quorate.sheets.sheet import Sheet

PERCENT = "% of max"


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


def scores(case: Case) -> Iterator[Finding]:
    """The mean over items, of people and of every judge; over all items also as a share of the maximum."""
    title = title_of(case.sheet)
    people = item_means(case.sheet)
    yield _mean(case, people, f"{title}: mean")
    for judge in case.sheet.judges:
        its = item_means(case.sheet, "machines", judge)
        yield _mean(case, its, f"{title}: mean of {judge_name(judge)}", judge)
    if case.by:
        return
    for field in fields(case):
        found = mean_of_means(
            people, case.sheet.field(field)[0], clusters=case.sheet.clusters, confidence=case.confidence
        )
        found = replace(within(found, *case.sheet.question.ends()), n_items=int((~np.isnan(people)).sum()))
        yield case.finding(
            "", found, (f"mean_of_{field}_means",), statistic="mean of means", group="scores", what=field,
            label=f"{title}: mean of {field.replace('_', ' ')} means", rows=f"{RAW}: response_normalized by {field}",
        )  # fmt: skip
    top = maximum(case.sheet)
    if top:
        share = mean(people / top, clusters=case.sheet.clusters, confidence=case.confidence)
        yield case.finding(
            "percent_of_maximum", within(_counted(share, people), 0, 1), statistic="percent of maximum", unit="%",
            group="scores", label=f"{title}: percent of the maximum", rows=f"{RAW}: response_normalized / {top:g}",
        )  # fmt: skip


def _mean(case: Case, numbers: Floats, label: str, judge: str = "") -> Finding:
    known = ~np.isnan(numbers)
    found = mean(numbers[known], clusters=case.sheet.clusters[known], confidence=case.confidence)
    found = within(found, *case.sheet.question.ends())
    if found.value is None:
        found = replace(found, note="no answer applies here, or none was given")
    rows = f"{JUDGED}: response_normalized of {judge}" if judge else f"{RAW}: response_normalized, mean by item"
    return case.finding(
        f"mean.judge.{judge}" if judge else "mean", _counted(found, numbers), statistic="mean", label=label,
        group="scores", primary=not judge, judge=judge, rows=rows,
    )  # fmt: skip


def _counted(found: Estimate, numbers: Floats) -> Estimate:
    """The estimate with the number of items; how many clusters they make is in the method."""
    n = int((~np.isnan(numbers)).sum())
    clusters = found.n_items or 0
    how = "mean of item means, t interval" + (f" over {clusters} clusters" if clusters != n else "")
    return replace(found, n_items=n, n_ratings=None, method=how, left_out={})


def overall(cases: Sequence[Case]) -> Iterator[Finding]:
    """All scores of a section together as one share of the maximum: every score of every item counts once."""
    scaled = [case for case in cases if maximum(case.sheet)]
    if len(scaled) < 2:
        return
    parts = [item_means(case.sheet) / maximum(case.sheet) for case in scaled]
    groups = np.concatenate([case.sheet.clusters for case in scaled])
    shares = np.concatenate(parts)
    found = mean(shares[~np.isnan(shares)], clusters=groups[~np.isnan(shares)], confidence=scaled[0].confidence)
    first = scaled[0].sheet
    name = apart("overall", [case.sheet.id for case in cases])
    yield Finding(
        id=f"{first.section}.{id_of(name)}.percent_of_maximum", statistic="percent of maximum", section=first.section,
        question=name, label="All scores together: percent of the maximum", group="scores",
        estimate=within(_counted(found, shares), 0, 1), unit="%", primary=True,
        rows=f"{RAW}: response_normalized / maximum",
    )  # fmt: skip


def maximum(sheet: Sheet) -> float:
    """The highest point of a scale that begins at zero; 0 where it does not, since a share of it would mislead."""
    scale = sheet.question.scale()
    if not scale or not sheet.question.readings() or sheet.question.as_number(scale[0]) != 0:
        return 0.0
    return sheet.question.as_number(scale[-1]) or 0.0


def against_ai(case: Case) -> Iterator[Finding]:
    """People's mean against each judge's score: difference, correlation, and weighted κ with the verdicts."""
    people = item_means(case.sheet)
    title = title_of(case.sheet)
    for judge in case.sheet.judges:
        its = item_means(case.sheet, "machines", judge)
        both = ~np.isnan(people) & ~np.isnan(its)
        name, at = judge_name(judge), f"judge.{judge}"
        rows = f"{RAW} and {JUDGED}: response_normalized, by item"
        words: dict[str, Any] = {"group": "human and AI", "rows": rows, "judge": judge}
        clusters = case.sheet.clusters[both]
        gap = mean((its - people)[both], clusters=clusters, confidence=case.confidence)
        yield case.finding(
            f"{at}.mean_difference", _counted(gap, (its - people)), statistic="mean difference",
            label=f"{title}: {name} minus people", **words,
        )  # fmt: skip
        rho = correlation(case, "spearman", people[both], its[both], clusters)
        yield case.finding(
            f"{at}.spearman", rho, statistic="spearman", label=f"{title}: Spearman’s ρ with {name}", **words
        )
        if case.sheet.question.scale() and not case.by:
            yield _weighted_kappa(case, judge, title, words)


def _weighted_kappa(case: Case, judge: str, title: str, words: dict[str, Any]) -> Finding:
    human = case.verdicts.code
    machine = np.full(case.sheet.n_items, -1)
    given = case.sheet.of_judge(judge, case.verdicts.reading)
    machine[given.item] = given.code
    both = (human >= 0) & (machine >= 0)
    if both.any():
        codes = np.stack([human[both], machine[both]], axis=1).astype(float)
        groups = case.sheet.item_clusters
        read = named(codes, case.verdicts.labels, True, None if groups is None else groups[both])
        kappa = computed(statistics.cohen_kappa, read, weights="quadratic", confidence=case.confidence)
    else:
        kappa = Estimate.undefined("no item has both a verdict and a score", confidence=case.confidence, n_items=0)
    return case.finding(
        f"judge.{judge}.weighted_kappa", kappa, statistic="cohen kappa", **words,
        label=f"{title}: Cohen’s κ, quadratic (verdict vs {judge_name(judge)})",
    )  # fmt: skip


def metrics(case: Case) -> Iterator[Finding]:
    """Correlation with automatic metrics, at the level where a metric lives: one point a value of the joined field."""
    rule = case.analysis.metrics
    assert rule is not None
    table = {str(row.fields.get(rule.on)): row.fields for row in case.protocol.tables.get(rule.from_, ())}
    people = item_means(case.sheet)
    by_unit = unit_means(people, *case.sheet.field(rule.on))
    units = [key for key in sorted(by_unit) if key in table]
    ours = np.array([by_unit[key] for key in units], float)
    title = title_of(case.sheet)
    for column in dict.fromkeys(rule.columns):
        theirs = np.array([number(table[key].get(column)) for key in units], float)
        for name, symbol in (("spearman", "Spearman’s ρ"), ("kendall", "Kendall’s τ-b"), ("pearson", "Pearson’s r")):
            found = correlation(case, name, ours, theirs, None)
            found = replace(found, method=clauses(found.method, Message("one point a value of {field}", field=rule.on)))
            yield case.finding(
                "metric", found, (column,), name, statistic=name, group="metrics", what=column,
                label=f"{title} and {column.replace('_', ' ')}: {symbol}", family=f"metrics.{name}",
                rows=f"{RAW}: response_normalized, mean by {rule.on}; {rule.from_}: {column}",
            )  # fmt: skip


def unit_means(numbers: Floats, codes: Ints, names: Sequence[str]) -> dict[str, float]:
    """The mean of each unit's numbers, over those that have any."""
    known = ~np.isnan(numbers)
    n = np.bincount(codes[known], minlength=len(names))
    total = np.bincount(codes[known], weights=numbers[known], minlength=len(names))
    means = on_paper(total / np.maximum(n, 1))
    return {name: float(means[code]) for code, name in enumerate(names) if n[code]}


def correlation(case: Case, name: str, x: Floats, y: Floats, clusters: Any) -> Estimate:
    """A correlation by name; too few points to say anything leave it undefined."""
    known = ~np.isnan(x) & ~np.isnan(y)
    if known.sum() < 3:
        why = f"a correlation needs three points, and there are {int(known.sum())}"
        return Estimate.undefined(why, confidence=case.confidence, n_items=int(known.sum()))
    groups = clusters[known] if clusters is not None and case.sheet.cluster_field else None
    return computed(getattr(statistics, name), x[known], y[known], clusters=groups, confidence=case.confidence)


def within(found: Estimate, low: float, high: float) -> Estimate:
    """An estimate whose interval stays on the scale."""
    if found.low is None or found.high is None:
        return found
    return replace(found, low=max(found.low, low), high=min(found.high, high))


def fields(case: Case) -> tuple[str, ...]:
    """The fields by which the study breaks results down."""
    return case.analysis.fields


def number(value: Any) -> float:
    """A metric as a number; NaN where the table holds none."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return float("nan")


def title_of(sheet: Sheet) -> str:
    """What a question is called: its prompt."""
    return say(sheet.question.prompt) or sheet.id.replace("_", " ")
