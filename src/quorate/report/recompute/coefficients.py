"""Coefficients of agreement that a study names beside the usual ones, each by its published formula."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from itertools import combinations
from typing import Any

from .agreement import beyond, cohen, named, observed, tallies
from .study import CannotError, Labels, Part, mean


def conger(part: Part, e: dict[str, Any]) -> float:
    """Conger (1980): chance is that of two different raters, each with shares of their own."""
    labels, names = named(part, e["reading"], e)
    by_rater: dict[str, Counter[str]] = defaultdict(Counter)
    for said in labels.values():
        for who, label in said.items():
            by_rater[who][label] += 1
    shares = [{name: n / sum(said.values()) for name, n in said.items()} for said in by_rater.values()]
    if len(shares) < 2:
        raise CannotError("there is one rater")
    chance = mean(
        sum(one.get(name, 0) * other.get(name, 0) for name in names) for one, other in combinations(shares, 2)
    )
    return beyond(observed(tallies(labels, names)), chance)


def light(part: Part, e: dict[str, Any]) -> float:
    """Light (1971): the mean of Cohen's kappa over every two raters who have one."""
    labels, _ = named(part, e["reading"], e)
    found = []
    for one, other in combinations(sorted({who for said in labels.values() for who in said}), 2):
        try:
            found.append(cohen(_both(labels, one, other)))
        except CannotError:
            continue
    if not found:
        raise CannotError("no two raters have a kappa")
    return mean(found)


def scott(part: Part, e: dict[str, Any]) -> float:
    """Scott (1955): two raters with common shares."""
    labels, _ = named(part, e["reading"], e)
    pairs = _both(labels, *e["raters"])
    if not pairs:
        raise CannotError("no item has both answers")
    shares = Counter(label for pair in pairs for label in pair)
    chance = sum((n / (2 * len(pairs))) ** 2 for n in shares.values())
    return beyond(sum(a == b for a, b in pairs) / len(pairs), chance)


def weighted(part: Part, e: dict[str, Any]) -> float:
    """Cohen (1968): two raters, a disagreement counted by its distance in points, or the square of it."""
    labels, names = named(part, e["reading"], e)
    numbers = {name: float(part.rules["points"].get(name, place)) for place, name in enumerate(names)}
    pairs = [(numbers[a], numbers[b]) for a, b in _both(labels, *e["raters"])]
    if not pairs:
        raise CannotError("no item has both answers")
    distance: Callable[[float, float], float] = (
        (lambda a, b: abs(a - b)) if e["statistic"].startswith("linear") else (lambda a, b: (a - b) ** 2)
    )
    firsts, seconds = [a for a, _ in pairs], [b for _, b in pairs]
    expected = mean(distance(a, b) for a in firsts for b in seconds)
    if expected == 0:
        raise CannotError("every answer is the same")
    return 1 - mean(distance(a, b) for a, b in pairs) / expected


def icc(part: Part, e: dict[str, Any]) -> float:
    """Shrout and Fleiss (1979), over the items that every rater rated; ICC(1,·) asks for as many ratings alone."""
    scores: dict[str, dict[str, float]] = defaultdict(dict)
    for (item, who), number in part.numbers().items():
        scores[item][who] = number
    kind, average = e["statistic"][4], e["statistic"][6] == "k"
    raters = sorted({who for given in scores.values() for who in given})
    k = max((len(given) for given in scores.values()), default=0) if kind == "1" else len(raters)
    table = [list(given.values()) if kind == "1" else [given[who] for who in raters]
             for given in scores.values() if len(given) == k]  # fmt: skip
    n = len(table)
    if n < 2 or k < 2:
        raise CannotError("fewer than two items were rated by every rater")
    middle = mean(x for row in table for x in row)
    rows, columns = [mean(row) for row in table], [mean(row[j] for row in table) for j in range(k)]
    total = sum((x - middle) ** 2 for row in table for x in row)
    between, among = k * sum((m - middle) ** 2 for m in rows), n * sum((m - middle) ** 2 for m in columns)
    items, within = between / (n - 1), (total - between) / (n * (k - 1))
    judges, error = among / (k - 1), (total - between - among) / ((n - 1) * (k - 1))
    if kind == "1":
        return (items - within) / (items if average else items + (k - 1) * within)
    if kind == "3":
        return (items - error) / (items if average else items + (k - 1) * error)
    below = items + (judges - error) / n if average else items + (k - 1) * error + k * (judges - error) / n
    return (items - error) / below


def _both(labels: Labels, one: str, other: str) -> list[tuple[str, str]]:
    return [(said[one], said[other]) for said in labels.values() if one in said and other in said]
