"""How raters work: pace, change over the session, agreement with the others. These flag; they exclude nobody."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from quorate import statistics
from quorate.findings.results import Finding
from quorate.inquiries.preferences import sides_taken
from quorate.records import Estimate
from quorate.sheets.case import RAW, Case, computed, named
from quorate.sheets.choices import is_by_pair

#: Beyond this many raters each one's figure is a table that nobody reads.
MOST_RATERS = 40


def with_the_rest(case: Case) -> Iterator[Finding]:
    """Each rater's agreement with the others who rated the same items."""
    sheet = case.sheet
    if not 2 <= len(sheet.raters) <= MOST_RATERS:
        return
    reading = sheet.reading(sheet.question.verdict_on() or sheet.question.readings()[0])
    table = reading.by_rater(sheet.n_items, len(sheet.raters))
    read = named(table, reading.labels, reading.declared, sheet.item_clusters)
    found = computed(statistics.agreement_with_rest, read, confidence=case.confidence)
    for place, rater in enumerate(sheet.raters, 1):
        if isinstance(found, Estimate):
            share = found
        else:
            why = Estimate.undefined(f"{rater} shares no item with anybody", confidence=case.confidence)
            share = found.agreement.get(place, why)
        yield case.finding(
            "agreement_with_rest", share, (rater,), statistic="agreement with the rest", unit="%", group="rater checks",
            raters=(rater,), label=f"{rater}: agreement with the others",
            rows=f"{RAW}: annotator {rater} against the others, by item",
        )  # fmt: skip


def pace(case: Case) -> Iterator[Finding]:
    """Each rater's median seconds an item, and how the time changes from item to item."""
    rows, seconds = case.sheet.people, case.sheet.seconds()
    if np.isnan(seconds).all():
        return
    if len(case.sheet.raters) <= MOST_RATERS:
        found = computed(statistics.speed, seconds, rows.who, confidence=case.confidence)
        medians = {} if isinstance(found, Estimate) else found.median_seconds
        for place, median in sorted(medians.items()):
            rater = case.sheet.raters[place]
            yield case.finding(
                "seconds", median, (rater,), statistic="median seconds", group="rater checks", raters=(rater,),
                label=f"{rater}: median seconds an item", rows=f"presentations.csv: seconds of annotator {rater}",
            )  # fmt: skip
        fast = {} if isinstance(found, Estimate) else found.too_fast
        for place, share in sorted(fast.items()):
            rater = case.sheet.raters[place]
            yield case.finding(
                "too_fast", share, (rater,), statistic="too fast", unit="%", group="rater checks", raters=(rater,),
                label=f"{rater}: answers too fast to have been considered",
                rows=f"presentations.csv: seconds of annotator {rater}",
            )  # fmt: skip
    positions = np.array(rows.column("position"), float)
    slope = computed(statistics.drift, seconds, positions, rows.who, confidence=case.confidence)
    yield case.finding(
        "drift.seconds", slope if isinstance(slope, Estimate) else slope.overall, statistic="drift",
        label="Change of seconds with each further item", group="rater checks",
        rows="presentations.csv: seconds by position",
    )  # fmt: skip


def same_again(case: Case) -> Iterator[Finding]:
    """How often each rater gives the answer that the rater gave to the item before, with p against a random order.

    Where systems differ by item it is the side that may come again.
    """
    sheet = case.sheet
    if not 1 <= len(sheet.raters) <= MOST_RATERS:
        return
    reading = sheet.reading(sheet.question.verdict_on() or sheet.question.readings()[0])
    positions = np.array(sheet.people.column("position"), float)
    by_pair = is_by_pair(sheet)
    code = sides_taken(sheet) if by_pair else reading.code
    found = computed(statistics.straight_lining, code, reading.who, positions, confidence=case.confidence)
    repeated = {} if isinstance(found, Estimate) else found.repeated
    for place, share in sorted(repeated.items()):
        rater = sheet.raters[place]
        if rater in sheet.from_files:
            # A file does not say in which order its rows were answered.
            continue
        yield case.finding(
            "same_again", share, (rater,), statistic="straight-lining", unit="%", group="rater checks",
            raters=(rater,),
            label=f"{rater}: {'sides' if by_pair else 'answers'} that repeat the one before",
            what="side" if by_pair else "",
            rows=f"{RAW}: annotator {rater}, in the order of presentations.csv: position",
        )  # fmt: skip


def over_time(case: Case, parts: int = 8) -> list[tuple[float, float, float | None]]:
    """Position (mid of an eighth of the session), median seconds there, and the share of answers that are right."""
    rows = case.sheet.people
    if not len(rows):
        return []
    positions = np.array(rows.column("position"), float)
    seconds = case.sheet.seconds()
    right = case.sheet.right().astype(float) if case.sheet.question.is_scored() else None
    edges = np.unique(np.quantile(positions, np.linspace(0, 1, parts + 1)))
    found = []
    for low, high in pairwise(edges):
        here = (positions >= low) & ((positions < high) | (high == edges[-1]))
        if here.any() and not np.isnan(seconds[here]).all():
            share = None if right is None else float(right[here].mean())
            found.append((float((low + high) / 2), float(np.nanmedian(seconds[here])), share))
    return found
