"""Numbers given to each system of a pair: means by system, paired tests between systems, and their agreement."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from quorate import statistics
from quorate.findings.results import Finding
from quorate.inquiries.means import mean
from quorate.inquiries.scores import within
from quorate.languages import say
from quorate.records import Estimate
from quorate.sheets.case import RAW, Case, computed, pairs
from quorate.sheets.columns import Floats, Ints, Rows
from quorate.sheets.sheet import Sheet


def marks(sheet: Sheet, system: str) -> tuple[Floats, Ints, Ints]:
    """One system's marks: the numbers, their items and their raters."""
    table = marks_table(sheet)
    numbers = table[:, sheet.whole.held["systems"].index(system)]
    at = ~np.isnan(numbers)
    return numbers[at], sheet.people.item[at], sheet.people.who[at]


def systems(sheet: Sheet) -> list[str]:
    """Every system that was rated."""
    counts = (~np.isnan(marks_table(sheet))).sum(axis=0)
    return [name for name, n in zip(sheet.whole.held["systems"], counts, strict=True) if n]


def marks_table(sheet: Sheet) -> Floats:
    """A row for each answer and a column for each system of the study: its mark, or NaN."""
    return sheet.aligned("marks", "people", lambda rows: _read(sheet.whole, rows))


def _read(sheet: Sheet, rows: Rows) -> Floats:
    # Marks have few different values: each is read once.
    keys = [tuple(value.items()) for value in rows.column("value")]
    known = {key: sheet.question.marks(dict(key)) for key in dict.fromkeys(keys)}
    names = sorted({name for given in known.values() for name in given})
    sheet.held["systems"] = names
    lines = {key: [given.get(name, np.nan) for name in names] for key, given in known.items()}
    return np.array(list(map(lines.__getitem__, keys)), float).reshape(len(keys), len(names))


def dimensions(case: Case) -> Iterator[Finding]:
    """Each system's mean, and for each two systems the paired difference on the items that show both."""
    names = systems(case.sheet)
    title = say(case.sheet.question.prompt)
    rows = f"{RAW}: response_normalized, by system"
    held = {name: marks(case.sheet, name) for name in names}
    for name in names:
        numbers, item, _ = held[name]
        found = mean(numbers, clusters=case.sheet.clusters[item], confidence=case.confidence)
        found = within(found, *case.sheet.question.ends())
        yield case.finding(
            "mean",
            found,
            (name,),
            statistic="mean",
            label=f"{title}: {name}",
            group="dimensions",
            rows=rows,
            systems=(name,),
        )
    if not names:
        none = Estimate.undefined("no clip has been rated yet", confidence=case.confidence)
        yield case.finding("mean", none, statistic="mean", label=title, group="dimensions", rows=rows)
    if case.by:
        return
    for first, second in pairs(names):
        yield _difference(case, held[first], held[second], first, second, title)
    if case.per_item > 1:
        yield _agreement(case, held)


def _difference(case: Case, one: Any, other: Any, first: str, second: str, title: str) -> Finding:
    """Of each item (or cluster) the difference of means over raters; Wilcoxon's test on those."""
    a, b = (_by_unit(case, *marked[:2]) for marked in (one, other))
    gaps = (a - b)[~np.isnan(a - b)]
    found = computed(statistics.wilcoxon, gaps, confidence=case.confidence) if len(gaps) else None
    if found is None:
        estimate = Estimate.undefined("no item shows both systems", confidence=case.confidence)
    else:
        estimate = found if isinstance(found, Estimate) else found.pseudo_median
    return case.finding(
        "difference", estimate, (first, second), statistic="wilcoxon", family="dimensions", group="differences",
        systems=(first, second), label=f"{title}: {first} minus {second}",
        rows=f"{RAW}: response_normalized, mean by item and system",
    )  # fmt: skip


def _by_unit(case: Case, numbers: Floats, item: Ints) -> Floats:
    """The mean of each cluster, NaN where the system has none."""
    unit, k = case.sheet.clusters[item], int(case.sheet.clusters.max(initial=-1)) + 1
    n = np.bincount(unit, minlength=k)
    return np.where(n > 0, np.bincount(unit, weights=numbers, minlength=k) / np.maximum(n, 1), np.nan)


def _agreement(case: Case, held: dict[str, Any]) -> Finding:
    """Krippendorff's α over what was rated: each output of an item is a unit, the item a cluster."""
    n, raters = case.sheet.n_items, len(case.sheet.raters)
    level = case.sheet.question.level.value
    table = np.full((n * max(len(held), 1), max(raters, 1)), np.nan)
    for place, (numbers, item, who) in enumerate(held.values()):
        table[place * n + item, who] = numbers
    # A system that an item does not show is no unit of it; an item that nobody rated is one.
    marked = ~np.isnan(table).all(axis=1)
    unrated = ~marked.reshape(max(len(held), 1), n).any(axis=0)
    units = marked | np.concatenate([unrated, np.zeros(len(table) - n, bool)])
    alpha = computed(
        statistics.krippendorff_alpha, table[units], level=level, confidence=case.confidence,
        clusters=np.tile(case.sheet.clusters, max(len(held), 1))[units],
    )  # fmt: skip
    return case.finding(
        f"krippendorff_alpha.{level}", alpha, statistic="krippendorff alpha", group="agreement more", what=level,
        label=f"Krippendorff’s α ({level})", rows=f"{RAW}: response_normalized, by item, system and annotator",
    )  # fmt: skip
