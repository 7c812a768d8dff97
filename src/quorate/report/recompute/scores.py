"""Scores on a scale: means, people beside a judge, automatic metrics, and what AI-assisted scoring comes to."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

from .rows import read
from .study import CannotError, Part, mean, share


def item_mean(part: Part, e: dict[str, Any]) -> float:
    """The mean over items of people's mean scores, or of a judge's scores."""
    return mean(part.item_means(e.get("judge", "")).values())


def mean_of_means(part: Part, e: dict[str, Any]) -> float:
    """The mean of the means of the groups that a field makes."""
    groups: dict[str, list[float]] = defaultdict(list)
    for item, value in part.item_means().items():
        groups[part.study.items[item][e["what"]]].append(value)
    return mean(map(mean, groups.values()))


def percent_of_maximum(part: Part, e: dict[str, Any]) -> float:
    """Scores as shares of the highest point: of one question, or of all of a section together."""
    if part.rules:
        return mean(value / part.rules["maximum"] for value in part.item_means().values())
    every = [part.beside(id) for section, id in part.study.questions if section == part.section]
    scaled = [one for one in every if one.rules["maximum"]]
    return mean(value / one.rules["maximum"] for one in scaled for value in one.item_means().values())


def beside_judge(part: Part, judge: str) -> tuple[list[float], list[float]]:
    """People's means and a judge's scores, on the items that have both."""
    people, its = part.item_means(), part.item_means(judge)
    both = [item for item in people if item in its]
    return [people[item] for item in both], [its[item] for item in both]


def difference_from_judge(part: Part, e: dict[str, Any]) -> float:
    """The judge minus people."""
    people, its = beside_judge(part, e["judge"])
    return mean(b - a for a, b in zip(people, its))  # noqa: B905


def correlation(part: Part, e: dict[str, Any]) -> float:
    """People's means against a judge's scores, or against an automatic metric."""
    ours, theirs = beside_judge(part, e["judge"]) if e.get("judge") else _beside_metric(part, e["what"])
    if len(ours) < 3 or len(set(ours)) < 2 or len(set(theirs)) < 2:
        raise CannotError("there are too few points, or all are the same")
    return {"pearson": pearson, "spearman": spearman, "kendall": kendall}[e["statistic"]](ours, theirs)


def _beside_metric(part: Part, column: str) -> tuple[list[float], list[float]]:
    """One point for each value of the joined field: the mean of its items, and the metric of its row."""
    rule = part.study.rules["metrics"]
    table = {row[rule["on"]]: row[column] for row in read(part.study.folder / "automatic_metrics.csv")}
    units: dict[str, list[float]] = defaultdict(list)
    for item, value in part.item_means().items():
        units[part.study.items[item][rule["on"]]].append(value)
    known = {unit: number for unit in units if (number := _number(table.get(unit))) is not None}
    return [mean(units[unit]) for unit in known], list(known.values())


def _number(text: str | None) -> float | None:
    try:
        found = float(text or "")
    except ValueError:
        return None
    return None if found != found else found


def pearson(x: list[float], y: list[float]) -> float:
    """The correlation of numbers."""
    a, b = mean(x), mean(y)
    together = sum((u - a) * (v - b) for u, v in zip(x, y))  # noqa: B905
    return together / sqrt(sum((u - a) ** 2 for u in x) * sum((v - b) ** 2 for v in y))


def ranks(values: list[float]) -> list[float]:
    """Ranks, the middle one for ties; numbers that are equal on paper are equal."""
    rounded = [round(value, 10) for value in values]
    counts, place, below = Counter(rounded), {}, 0
    for value in sorted(counts):
        place[value] = below + (counts[value] + 1) / 2
        below += counts[value]
    return [place[value] for value in rounded]


def spearman(x: list[float], y: list[float]) -> float:
    """The correlation of ranks."""
    return pearson(ranks(x), ranks(y))


def kendall(x: list[float], y: list[float]) -> float:
    """Kendall's tau-b."""
    a, b = ranks(x), ranks(y)
    pairs = [(i, j) for i in range(len(a)) for j in range(i)]
    signs = [((a[i] > a[j]) - (a[i] < a[j]), (b[i] > b[j]) - (b[i] < b[j])) for i, j in pairs]
    return sum(s * t for s, t in signs) / sqrt(sum(s * s for s, _ in signs) * sum(t * t for _, t in signs))


# Triage: a judge settles what it is sure of, and people look at the rest and at a sample.


@dataclass(frozen=True)
class Routed:
    """One item: the judge's score, what people gave, and with which probability people looked at it."""

    ai: Any
    human: Any
    verdict: Any
    inclusion: float
    confidence: float | None
    accepted: bool


def routed(part: Part) -> list[Routed]:
    """The items that the triage rule routed and that a judge or people answered."""
    numeric = part.rules.get("numeric", True)
    people: dict[str, list[Any]] = defaultdict(list)
    if numeric:
        for (item, _), number in part.numbers().items():
            people[item].append(number)
        machine: dict[str, Any] = {i: v for judge in _judges(part) for i, v in part.item_means(judge).items()}
    else:
        for answer in part.people:
            people[answer.item].append(part.category(answer, part.verdict_on))
        machine = {i: v for judge in _judges(part) for i, v in part.by_judge(judge, part.verdict_on).items()}
    found = []
    for row in part.study.routes:
        item = row["item"]
        mine = (row["section"], row["question"]) == (part.section, part.id)
        if mine and item in part.items and (item in machine or item in people):
            given = people.get(item, [])
            human = None if not given else mean(given) if numeric else given[0]
            sure = float(row["confidence"]) if row["confidence"] else None
            found.append(
                Routed(
                    machine.get(item), human, _most(given), float(row["inclusion"]), sure, row["route"] == "accepted"
                )
            )
    return found


def _judges(part: Part) -> list[str]:
    found: list[str] = part.study.rules["triage"]["judges"]
    return found


def _most(values: list[Any]) -> Any:
    top = Counter(values).most_common(2)
    return None if not top or (len(top) == 2 and top[0][1] == top[1][1]) else top[0][0]


def workload(part: Part, e: dict[str, Any]) -> float:
    """Items that people did not have to look at; or would not have had to, at another threshold."""
    rows = routed(part)
    if e.get("threshold") is None:
        return share(row.accepted for row in rows)
    return len(_accepted(rows, e["threshold"])) / len(rows)


def _accepted(rows: list[Routed], threshold: float) -> list[Routed]:
    judged = [row for row in rows if row.ai is not None]
    by_score = any(row.confidence is None for row in judged)
    return [row for row in judged if ((row.ai if by_score else row.confidence) or 0.0) >= threshold]


def _weighted(rows: list[Routed], holds: Any) -> float:
    """A share weighted by one over the probability with which people looked."""
    total = sum(1 / row.inclusion for row in rows)
    if not total:
        raise CannotError("people reached no verdict on any of them")
    return sum(1 / row.inclusion for row in rows if holds(row)) / total


def curve_error(part: Part, e: dict[str, Any]) -> float:
    """Accepted scores that would be wrong at another threshold."""
    accepted = _accepted(routed(part), e["threshold"])
    looked_at = [row for row in accepted if row.verdict is not None and row.inclusion > 0]
    return _weighted(looked_at, lambda row: row.verdict != row.ai)


def audited_agreement(part: Part, e: dict[str, Any]) -> float:
    """How often people give the judge's score, in the audited part."""
    audited = [row for row in routed(part) if row.inclusion < 1 and row.ai is not None and row.verdict is not None]
    return _weighted(audited, lambda row: row.verdict == row.ai)


def audited_distance(part: Part, e: dict[str, Any]) -> float:
    """How far people are from the judge's score on average, in the part that the judge settled."""
    settled = [row for row in routed(part) if row.inclusion < 1 and row.ai is not None]
    return _corrected(
        [replace(row, human=None if row.human is None else abs(row.human - row.ai), ai=0.0) for row in settled]
    )


def corrected_mean(part: Part, e: dict[str, Any]) -> float:
    """The mean that people would have given to all items."""
    return _corrected(routed(part))


def judges_mean(part: Part, e: dict[str, Any]) -> float:
    """The plain mean of the judge's scores."""
    return mean(row.ai for row in routed(part) if row.ai is not None)


def merged_mean(part: Part, e: dict[str, Any]) -> float:
    """People's score where there is one, else the judge's."""
    both = [row.ai if row.human is None else row.human for row in routed(part)]
    return mean(value for value in both if value is not None)


def triage_difference(part: Part, e: dict[str, Any]) -> float:
    """By how much the judge's mean is off."""
    rows = [row for row in routed(part) if row.ai is not None]
    return _corrected([replace(r, human=None if r.human is None else r.ai - r.human, ai=0.0) for r in rows])


def _corrected(rows: list[Routed]) -> float:
    """By inclusion probability: people's mean where it is 1, else prediction-powered (Angelopoulos et al. 2023)."""
    strata: dict[float, list[Routed]] = defaultdict(list)
    for row in rows:
        if row.human is not None or row.ai is not None:
            strata[row.inclusion].append(row)
    n = sum(map(len, strata.values()))
    return sum(len(some) / n * _of_stratum(inclusion, some) for inclusion, some in strata.items())


def _of_stratum(inclusion: float, rows: list[Routed]) -> float:
    seen = [row for row in rows if row.human is not None and (inclusion == 1 or row.ai is not None)]
    unseen = [row.ai for row in rows if row.human is None and row.ai is not None]
    plain = mean(row.human for row in seen)
    if inclusion == 1 or not unseen or (len(seen) > 1 and len({row.ai for row in rows}) == 1):
        return plain
    y, f = [row.human for row in seen], [row.ai for row in seen]
    n = len(y)
    together = sum((a - mean(y)) * (b - mean(f)) for a, b in zip(y, f)) / (n - 1) / n  # noqa: B905
    every = [*f, *unseen]
    spread = sum((v - mean(every)) ** 2 for v in every) / (len(every) - 1) * (1 / n + 1 / len(unseen))
    weight = min(1.0, max(0.0, together / spread)) if spread > 0 else 0.0
    return weight * mean(unseen) + mean(a - weight * b for a, b in zip(y, f))  # noqa: B905
