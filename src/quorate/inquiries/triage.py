"""What AI-assisted scoring saved and what it cost: workload, audited agreement, the corrected mean, and the curve.

What people looked at is not a random sample, so everything here is weighted by the stored inclusion probabilities: 1
for what the rule sent to people, the audit share for what the judge settled. Without an audit it is undefined.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import sqrt
from typing import Any

from scipy import special

from quorate import statistics
from quorate.inquiries.item_means import is_number
from quorate.inquiries.means import mean
from quorate.languages import noted
from quorate.messages import Message, clauses
from quorate.records import Estimate
from quorate.sheets.case import Case
from quorate.statistics.proportions import WEIGHTED_WILSON, wilson_bounds

UNVERIFIED = Message("nothing of what the judge settled was looked at by people: raise the audit share")
MOST_GROUPS, MOST_POINTS = 100, 20


@dataclass(frozen=True, slots=True)
class Scored:
    """One item under triage: the judge's score, what people gave, and with which probability people looked at it.

    `human` is the mean of people's answers, `verdict` the one that most of them gave, if there is one.
    """

    item: str
    ai: float | None
    human: float | None
    verdict: float | None
    inclusion: float
    confidence: float | None = None
    #: Whether it was settled by the judge alone.
    accepted: bool = False
    #: The group of items that it belongs to, where the study names one.
    cluster: int | None = None


@dataclass(frozen=True, slots=True)
class Point:
    """One point of the curve: with this threshold, so much work is saved, and so many accepted scores are wrong."""

    threshold: float
    saved: float
    error: Estimate


def scored(case: Case) -> list[Scored]:
    """The items that a triage rule routed, with both sides' answers to one question.

    Scores are numbers; where a question has none, they are codes of what the verdicts are about, fit to be compared and
    not to be averaged.
    """
    sheet, rule = case.sheet, case.protocol.file.triage
    if rule is None:
        return []
    people: dict[int, list[float]] = {}
    for place, value in _values(case, "people"):
        people.setdefault(place, []).append(value)
    machine = {place: value for judge in rule.judges for place, value in _values(case, "machines", judge)}
    places = {item.id: place for place, item in enumerate(sheet.items)}
    clusters = sheet.item_clusters
    return [
        Scored(
            route.item,
            machine.get(place),
            sum(given) / len(given) if (given := people.get(place, [])) else None,
            _verdict(given),
            route.inclusion,
            route.confidence.get(sheet.id),
            route.to == "accepted",
            None if clusters is None else int(clusters[place]),
        )
        for route in sheet.routes
        if (place := places.get(route.item, -1)) in machine or place in people
    ]


def _values(case: Case, of: str, judge: str = "") -> list[tuple[int, float]]:
    """Place of the item and value of each answer."""
    sheet = case.sheet
    rows = getattr(sheet, of)
    if is_number(case):
        numbers = sheet.numbers(of)
    elif sheet.question.verdict_on():
        numbers = sheet.reading(sheet.question.verdict_on(), of).code.astype(float)
    else:
        return []
    names = rows.names
    found = zip(rows.item.tolist(), rows.who.tolist(), numbers.tolist(), strict=True)
    return [(place, value) for place, who, value in found if value == value and (not judge or names[who] == judge)]


def workload(rows: Sequence[Scored], confidence: float = 0.95) -> Estimate:
    """The share of items that people did not have to look at."""
    return statistics.wilson(sum(row.accepted for row in rows), len(rows), confidence=confidence)


def audited_agreement(rows: Sequence[Scored], confidence: float = 0.95) -> Estimate:
    """How often people give the judge's score, among what the judge settled and people looked at all the same."""
    audited = [row for row in rows if row.inclusion < 1 and row.ai is not None and row.human is not None]
    if not audited:
        return Estimate.undefined(UNVERIFIED, n_items=0, confidence=confidence)
    decided = [row for row in audited if row.verdict is not None]
    return _weighted_share(decided, confidence, lambda row: row.verdict == row.ai, len(audited))


def audited_distance(rows: Sequence[Scored], confidence: float = 0.95) -> Estimate:
    """How far people are from the judge's score on average, among what the judge settled; for scales without points."""
    settled = [row for row in rows if row.inclusion < 1 and row.ai is not None]
    apart = [replace(row, human=None if row.human is None else abs(row.human - row.ai), ai=0.0)
             for row in settled if row.ai is not None]  # fmt: skip
    found = corrected_mean(apart, confidence)
    if found.value is None:
        return Estimate.undefined(UNVERIFIED, n_items=len(settled), confidence=confidence)
    return replace(found, method=Message("mean distance, weighted by inclusion"))


def corrected_mean(rows: Sequence[Scored], confidence: float = 0.95) -> Estimate:
    """The mean that people would have given to all items.

    Items are taken apart by inclusion probability. Where it is 1, the stratum's mean is people's; else it is
    prediction-powered (PPI++) from the audited and the unaudited. The strata's means are weighted by their numbers of
    items; the variance is that of the strata's means, and of how many items fall into each.
    """
    strata = _strata(rows)
    n = sum(len(stratum) for stratum in strata.values())
    counts: dict[str, Any] = {
        "n_items": n,
        "n_ratings": sum(row.human is not None for row in rows),
        "confidence": confidence,
        "method": Message("people’s mean where the rule sent items to them, PPI++ where the judge settled them"),
    }
    if not n:
        return Estimate.undefined(Message("no item has a score"), **counts)
    parts = [(len(stratum) / n, _stratum_mean(p, stratum, confidence)) for p, stratum in strata.items()]
    missing = next((part.note for _, part in parts if part.value is None), None)
    if missing is not None:
        return Estimate.undefined(missing, **counts)
    value = sum(weight * (part.value or 0.0) for weight, part in parts)
    if any(part.se is None for _, part in parts):
        return Estimate(value, note=Message("no interval: in one part the scores do not vary"), **counts)
    between = sum(weight * ((part.value or 0.0) - value) ** 2 for weight, part in parts) / n
    within = [(weight * (part.se or 0.0)) ** 2 for weight, part in parts]
    return _with_interval(value, within, between, [part.n_ratings or 2 for _, part in parts], counts)


def _with_interval(
    value: float, within: Sequence[float], between: float, sizes: Sequence[int], counts: dict[str, Any]
) -> Estimate:
    """Student's t with Satterthwaite's degrees of freedom: a small audit makes a wide interval."""
    variance = sum(within) + between
    spread = sum(part**2 / max(1, size - 1) for part, size in zip(within, sizes, strict=True))
    freedom = variance**2 / spread if spread > 0 else 1e9
    reach = sqrt(variance) * float(special.stdtrit(freedom, (1 + counts["confidence"]) / 2))
    return Estimate(value, value - reach, value + reach, se=sqrt(variance), **counts)


def _strata(rows: Iterable[Scored]) -> dict[float, list[Scored]]:
    strata: dict[float, list[Scored]] = {}
    for row in rows:
        if row.human is not None or row.ai is not None:
            strata.setdefault(row.inclusion, []).append(row)
    return dict(sorted(strata.items(), reverse=True))


def _stratum_mean(inclusion: float, rows: Sequence[Scored], confidence: float) -> Estimate:
    seen = [row for row in rows if row.human is not None and (inclusion == 1 or row.ai is not None)]
    unseen = [row.ai for row in rows if row.human is None and row.ai is not None]
    is_constant = len(seen) > 1 and len({row.ai for row in rows}) == 1
    people = [row.human for row in seen if row.human is not None]
    if inclusion == 1 or (seen and (not unseen or is_constant)):
        return _people_mean(people)
    if len(seen) < 2:
        one = Message("a single audited item tells nothing of the judge’s errors: raise the audit share")
        return Estimate.undefined(one if seen else UNVERIFIED)
    # `least=0`: scores on a scale are means, not shares, even where only 0 and 1 came up.
    return statistics.ppi_mean(people, [row.ai for row in seen], unseen, confidence=confidence, least=0)


def _people_mean(values: Sequence[float]) -> Estimate:
    if not values:
        return Estimate.undefined(Message("people have not answered anything of what the rule sent to them"))
    mean = sum(values) / len(values)
    if len(values) < 2:
        return Estimate(mean, n_ratings=1)
    variance = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return Estimate(mean, se=sqrt(variance / len(values)), n_ratings=len(values))


def judges_mean(rows: Sequence[Scored], confidence: float = 0.95) -> Estimate:
    """The plain mean of the judge's scores, right or wrong."""
    given = [row for row in rows if row.ai is not None]
    return mean([row.ai or 0.0 for row in given], clusters=_clusters(given), confidence=confidence)


def merged_mean(rows: Sequence[Scored], confidence: float = 0.95) -> Estimate:
    """The plain mean of the merged column, as protocols compute it; the judge's errors stay in it."""
    given = [(row, value) for row, (_, value, _) in zip(rows, merged(rows), strict=True) if value is not None]
    return mean([value for _, value in given], clusters=_clusters([row for row, _ in given]), confidence=confidence)


def difference(rows: Sequence[Scored], confidence: float = 0.95) -> Estimate:
    """By how much the judge's mean is off: judge minus people, over all items that the judge scored."""
    both = [replace(row, human=row.ai - row.human, ai=0.0) if row.human is not None else replace(row, ai=0.0)
            for row in rows if row.ai is not None]  # fmt: skip
    found = corrected_mean(both, confidence)
    return replace(found, method=Message("mean difference, weighted by inclusion"))


def _clusters(rows: Sequence[Scored]) -> list[int] | None:
    found = [row.cluster for row in rows if row.cluster is not None]
    return found if rows and len(found) == len(rows) else None


def by_cluster(
    statistic: Callable[[Sequence[Scored], float], Estimate], rows: Sequence[Scored], confidence: float = 0.95
) -> Estimate:
    """The statistic; where items belong to groups, its interval is by leaving out each of them in turn (jackknife).

    SE² = (k − 1)/k Σ (θ₋ⱼ − mean)², t with k − 1 degrees of freedom. More than 100 groups are joined into 100.
    """
    whole = statistic(rows, confidence)
    clusters = _clusters(rows)
    if clusters is None or whole.value is None:
        return whole
    names = {name: place % MOST_GROUPS for place, name in enumerate(dict.fromkeys(clusters))}
    groups = [names[name] for name in clusters]
    k = len(set(groups))
    left = [statistic([row for row, own in zip(rows, groups, strict=True) if own != group], confidence).value
            for group in sorted(set(groups))]  # fmt: skip
    values = [value for value in left if value is not None]
    if k < 2 or len(values) < k:
        return replace(whole, low=None, high=None, se=None, note=Message("too few groups of items for an interval"))
    middle = sum(values) / k
    se = sqrt((k - 1) / k * sum((value - middle) ** 2 for value in values))
    reach = se * float(special.stdtrit(k - 1, (1 + confidence) / 2))
    how = clauses(whole.method, Message("jackknife over {k} groups", k=str(len(names))))
    return replace(whole, low=whole.value - reach, high=whole.value + reach, se=se, method=how)


def merged(rows: Iterable[Scored]) -> list[tuple[str, float | None, str]]:
    """The merged column: people's score where there is one, else the judge's, each with its source."""
    return [
        (row.item, row.human, "human")
        if row.human is not None
        else (row.item, row.ai, "ai" if row.ai is not None else "")
        for row in rows
    ]


def curve(rows: Sequence[Scored], confidence: float = 0.95, most: int = MOST_POINTS) -> list[Point]:
    """What other thresholds would have saved, and how many of the then accepted scores would be wrong.

    With every threshold on the judge's confidence (on its score, where it states none) items at or above it are
    accepted. The error is the share whose verdict differs from the judge's score, over what people looked at, each
    weighted by one over its inclusion probability. Of many thresholds, `most` are taken, evenly by rank.
    """
    judged = [row for row in rows if row.ai is not None]
    by_score = any(row.confidence is None for row in judged)
    values = [(row.ai if by_score else row.confidence) or 0.0 for row in judged]
    points = []
    thresholds = sorted(set(values))
    if len(thresholds) > most:
        thresholds = [thresholds[round(place * (len(thresholds) - 1) / (most - 1))] for place in range(most)]
    for threshold in thresholds:
        accepted = [row for row, value in zip(judged, values, strict=True) if value >= threshold]
        looked_at = [row for row in accepted if row.verdict is not None and row.inclusion > 0]
        error = Estimate.undefined(UNVERIFIED, n_items=len(accepted), confidence=confidence)
        if looked_at and not any(row.inclusion == 0 for row in accepted):
            wrong = partial(_weighted_share, holds=lambda row: row.verdict != row.ai, n=len(accepted))
            error = by_cluster(wrong, looked_at, confidence)
        points.append(Point(threshold, len(accepted) / len(rows), error))
    return points


def _weighted_share(rows: Sequence[Scored], confidence: float, holds: Any, n: int) -> Estimate:
    """A share weighted by one over the inclusion probabilities, with Wilson's interval at the effective number."""
    if not rows:
        return Estimate.undefined(Message("people reached no verdict on any of them"), n_items=n, confidence=confidence)
    weights = [1 / row.inclusion for row in rows]
    total = sum(weights)
    share = sum(weight for weight, row in zip(weights, rows, strict=True) if holds(row)) / total
    effective = total**2 / sum(weight**2 for weight in weights)
    low, high = wilson_bounds(share * effective, effective, confidence)
    return Estimate(
        share, low, high, confidence, n_items=n, n_ratings=len(rows),
        left_out={noted("without a verdict"): n - len(rows)} if n > len(rows) else {},
        method=Message("weighted by inclusion, {how}", how=WEIGHTED_WILSON),
    )  # fmt: skip


def _verdict(values: Sequence[float]) -> float | None:
    """What most people gave; None where two answers are equally frequent."""
    ranked = Counter(values).most_common(2)
    if not ranked or (len(ranked) == 2 and ranked[0][1] == ranked[1][1]):
        return None
    return ranked[0][0]
