"""Do raters agree? Coefficients of agreement, each by its published formula."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from typing import Any

from .study import CannotError, Labels, Part, mean, share

Weights = Callable[[int, int], float]


def same(a: int, b: int) -> float:
    """Agreement of names: all or nothing."""
    return float(a == b)


def beyond(observed: float, chance: float) -> float:
    """Agreement beyond chance."""
    if abs(1 - chance) < 1e-12:
        raise CannotError("chance alone would agree always")
    return (observed - chance) / (1 - chance)


def tallies(labels: Labels, names: Sequence[str]) -> list[Counter[int]]:
    """How many raters chose each category, item by item."""
    place = {name: k for k, name in enumerate(names)}
    return [Counter(place[label] for label in said.values()) for said in labels.values() if said]


def observed(rows: list[Counter[int]], weights: Weights = same) -> float:
    """The (weighted) share of pairs of raters who agree, over the items that two or more rated."""
    found = []
    for row in rows:
        n = sum(row.values())
        if n > 1:
            pairs = sum(k * m * weights(a, b) for a, k in row.items() for b, m in row.items()) - n
            found.append(pairs / (n * (n - 1)))
    return mean(found)


def shares(rows: list[Counter[int]], q: int) -> list[float]:
    """The share of each category, every item counting the same."""
    return [mean(row[k] / sum(row.values()) for row in rows) for k in range(q)]


def is_by_pair(e: dict[str, Any]) -> bool:
    """Whether a coefficient is of the choice within each item's own pair of systems."""
    return bool(e.get("by_pair"))


def named(part: Part, reading: str, e: dict[str, Any]) -> tuple[Labels, list[str]]:
    """Labels with every category; where systems differ by item, as choices within each item's own pair."""
    labels = part.labels(reading)
    if is_by_pair(e):
        return part.choices(labels, reading), list(part.mirror(reading))
    seen = {label for said in labels.values() for label in said.values()}
    return labels, part.categories(reading) or sorted(seen)


def percent(part: Part, e: dict[str, Any]) -> float:
    """Pairs of answers that agree."""
    labels = part.labels(e["reading"])
    return observed(tallies(labels, sorted({label for said in labels.values() for label in said.values()})))


def fleiss(part: Part, e: dict[str, Any]) -> float:
    """Fleiss (1971), with labels missing as Gwet (2014) generalises it."""
    labels, names = named(part, e["reading"], e)
    rows = tallies(labels, names)
    return beyond(observed(rows), sum(p * p for p in shares(rows, len(names))))


def gwet(part: Part, e: dict[str, Any]) -> float:
    """Gwet's (2008) AC1; AC2 with ordinal weights where the points of a scale are compared."""
    is_ordinal = e["statistic"] == "gwet ac2"
    reading = next(iter(part.rules["readings"])) if is_ordinal else e["reading"]
    labels, names = named(part, reading, e)
    q, rows = len(names), tallies(labels, names)
    if q < 2:
        raise CannotError("there is one category")

    def ordinal(a: int, b: int) -> float:
        d = abs(a - b)
        return 1 - d * (d + 1) / (q * (q - 1))

    weights = ordinal if is_ordinal else same
    total = sum(weights(a, b) for a in range(q) for b in range(q))
    chance = total * sum(p * (1 - p) for p in shares(rows, q)) / (q * (q - 1))
    return beyond(observed(rows, weights), chance)


def brennan_prediger(part: Part, e: dict[str, Any]) -> float:
    """Brennan and Prediger (1981): chance is one in as many as there are categories."""
    labels, names = named(part, e.get("reading") or "role", e)
    return beyond(observed(tallies(labels, names)), 1 / len(names))


def full(part: Part, e: dict[str, Any]) -> float:
    """Items on which all raters agree, of those with several."""
    labels = part.labels(e["reading"])
    return share(len(set(said.values())) == 1 for said in labels.values() if len(said) > 1)


def cohen(pairs: list[tuple[str, str]], points: dict[str, float] | None = None) -> float:
    """Cohen (1960); with `points`, quadratic weights (Cohen 1968)."""
    if not pairs:
        raise CannotError("no item has both answers")
    width = (max(points.values()) - min(points.values())) ** 2 if points else 1.0

    def credit(a: str, b: str) -> float:
        return 1 - (points[a] - points[b]) ** 2 / width if points else float(a == b)

    n = len(pairs)
    first, second = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    chance = sum(k * m * credit(a, b) for a, k in first.items() for b, m in second.items()) / n**2
    return beyond(sum(credit(a, b) for a, b in pairs) / n, chance)


def of_two(part: Part, e: dict[str, Any]) -> float:
    """Cohen's kappa of two raters."""
    one, other = e["raters"]
    labels, _ = named(part, e["reading"], e)
    return cohen([(said[one], said[other]) for said in labels.values() if one in said and other in said])


def alpha(part: Part, e: dict[str, Any]) -> float:
    """Krippendorff's alpha (2018); an item is a unit, or each system of it where each is rated."""
    units: dict[Any, list[float]] = defaultdict(list)
    level = e["what"] if e.get("what") in ("nominal", "interval", "ratio") else "ordinal"
    if part.rules.get("rates_each"):
        for item, _, system, mark in part.marks():
            units[item, system].append(mark)
    elif part.rules.get("points") or level == "nominal":
        labels, names = named(part, e.get("reading") or next(iter(part.rules["readings"])), e)
        order = {name: float(k) for k, name in enumerate(names)}
        units |= {item: [order[label] for label in said.values()] for item, said in labels.items()}
    else:
        level = "interval"
        for (item, _), number in part.numbers().items():
            units[item].append(number)
    return _alpha([values for values in units.values() if len(values) > 1], level, 2 if is_by_pair(e) else 1)


def _alpha(units: list[list[float]], level: str, copies: int) -> float:
    margin = Counter(value for values in units for value in values)
    n = sum(margin.values())
    if not n:
        raise CannotError("no item was rated by two raters")
    rank, below = {}, 0.0
    for value in sorted(margin):
        rank[value] = below + margin[value] / 2 if level == "ordinal" else value
        below += margin[value]

    def apart(counts: Counter[float]) -> float:
        pairs = [(a, b, k * m) for a, k in counts.items() for b, m in counts.items()]
        return sum(n * ((rank[a] - rank[b]) ** 2 if level != "nominal" else a != b) for a, b, n in pairs)

    expected = apart(margin) / (n - copies)
    if expected < 1e-12:
        raise CannotError("every answer is the same")
    return 1 - sum(apart(Counter(values)) / (len(values) - 1) for values in units) / expected


def with_the_rest(part: Part, e: dict[str, Any]) -> float:
    """The mean over a rater's items of the share of the others who said the same."""
    (rater,) = e["raters"]
    found = []
    for said in part.labels(part.verdict_on or next(iter(part.rules["readings"]))).values():
        others = [label for who, label in said.items() if who != rater]
        if rater in said and others:
            found.append(others.count(said[rater]) / len(others))
    return mean(found)
