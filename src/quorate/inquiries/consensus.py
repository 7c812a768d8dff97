"""How verdicts came about: how many are ambiguous, in which strata that is an alarm, and what Dawid–Skene would say."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from quorate import statistics
from quorate.findings.results import Finding
from quorate.records import Estimate
from quorate.sheets.case import RAW, SUMMARY, Case, computed
from quorate.sheets.choices import is_by_pair
from quorate.sheets.verdicts import ADJUDICATED, STATUSES, THIRD

REASSESS = "to be reassessed"
#: Error rates of raters need some items each; beyond the most labels the fit takes longer than all the rest.
FEWEST_ITEMS, MOST_LABELS, MOST_CLASSES = 20, 300_000, 12


def ambiguity(case: Case) -> Iterator[Finding]:
    """The share of items without a verdict, of those with enough answers for one; above the threshold an alarm."""
    enough = case.sheet.asked & (case.verdicts.n >= case.rule.needed)
    none = ~case.verdicts.known
    share = case.share(none, enough)
    if share.value is None:
        why = f"no item has the {case.rule.needed} answers that a verdict needs"
        share = Estimate.undefined(why, confidence=case.confidence, n_items=0)
    alarm = share.value is not None and share.value > case.analysis.ambiguity_alarm
    yield case.finding(
        "ambiguity", share, statistic="ambiguity rate", label="Ambiguous items", unit="%", group="ambiguity",
        band=REASSESS if alarm else "", counted=(int((none & enough).sum()), int(enough.sum())),
        rows=f"{SUMMARY}: verdict is empty",
    )  # fmt: skip


def settled(case: Case) -> Iterator[Finding]:
    """How many verdicts needed a further rater, and how many a member of the team."""
    enough = case.sheet.asked & (case.verdicts.n >= case.rule.needed)
    for status, label in ((THIRD, "Verdicts settled by a third rater"), (ADJUDICATED, "Verdicts by adjudication")):
        hits = case.verdicts.status == STATUSES.index(status)
        if hits.any():
            slug = status.replace(" ", "_")
            yield case.finding(
                f"settled.{slug}", case.share(hits, enough), statistic="settled", label=label, unit="%", what=status,
                group="ambiguity", counted=(int((hits & enough).sum()), int(enough.sum())),
                rows=f"{SUMMARY}: verdict_status = {status}",
            )  # fmt: skip


def latent_classes(case: Case) -> Iterator[Finding]:
    """Dawid and Skene's classes beside the majority: on how many items both say the same."""
    reading = case.sheet.reading(case.verdicts.reading)
    per_item = np.bincount(reading.item, minlength=case.sheet.n_items)
    why = ""
    if len(case.sheet.raters) < 3 or not (per_item >= 3).any():
        return
    if is_by_pair(case.sheet):
        why = "items compare different pairs of systems, and error rates need categories that mean the same in each"
    elif (per_item > 0).sum() < FEWEST_ITEMS:
        why = f"fewer than {FEWEST_ITEMS} items are too few for each rater’s error rates"
    elif len(reading) > MOST_LABELS:
        why = f"not computed for more than {MOST_LABELS:,} answers"
    elif len(used := np.flatnonzero(np.bincount(reading.code))) < 2:
        why = "every answer is in one category"
    elif len(used) > MOST_CLASSES:
        why = f"more than {MOST_CLASSES} categories are too many for each rater’s error rates"
    if why:
        found = Estimate.undefined(why, confidence=case.confidence, n_items=int((per_item > 0).sum()))
        yield _same(case, found, None)
        return
    fit = computed(
        statistics.dawid_skene, reading.item, reading.who, reading.code, interval=None, restarts=0,
        smoothing=0.01, tolerance=1e-5, max_iterations=300, confidence=case.confidence,
    )  # fmt: skip
    if isinstance(fit, Estimate):
        yield _same(case, fit, None)
        return
    labels = np.full(case.sheet.n_items, -1)
    for item, code in fit.labels.items():
        labels[item] = code
    known = case.verdicts.known & (labels >= 0)
    same = labels == case.verdicts.code
    yield _same(case, case.share(same, known), (int((same & known).sum()), int(known.sum())))


def _same(case: Case, found: Estimate, counted: tuple[int, int] | None) -> Finding:
    return case.finding(
        "dawid_skene.same", found, statistic="dawid skene", unit="%", group="ambiguity", counted=counted,
        label="Items on which Dawid–Skene gives the majority’s verdict",
        rows=f"{RAW}: by item and annotator",
    )  # fmt: skip
