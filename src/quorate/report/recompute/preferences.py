"""Which of two is better? Wins, ties and losses of each pair of systems, sides, strengths, and marks of each system."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from math import exp, log
from typing import Any

from .study import Answer, CannotError, Part, mean, share


@dataclass(frozen=True)
class Compared:
    """One comparison: the pair, the sign of the first, and whether the first stood left (None: nobody knows)."""

    item: str
    who: str
    pair: tuple[str, str]
    sign: int
    on_left: bool | None


def sign_of(part: Part, answer: Answer, pair: tuple[str, str]) -> int:
    """What an answer says of the first of two: 1 better, 0 the same, −1 worse."""
    if part.rules.get("points"):
        number = part.number(answer.value)
        return (number > 0) - (number < 0)
    return {pair[0]: 1, pair[1]: -1}.get(answer.value, 0)


def compared(part: Part, systems: list[str] | None = None) -> list[Compared]:
    """The comparisons that planned raters made, of one pair or of all."""
    found = []
    for answer in part.people:
        pair = part.pair(answer.item)
        if pair is not None and (systems is None or list(pair) == systems):
            left = part.study.shown.get((part.section, answer.item, answer.who), {}).get("left")
            on_left = left == pair[0] if left else None
            found.append(Compared(answer.item, answer.who, pair, sign_of(part, answer, pair), on_left))
    return found


def side_of(one: Compared) -> str:
    """The side that a comparison took."""
    return "neither" if one.sign == 0 else "left" if (one.sign > 0) == one.on_left else "right"


def verdict_signs(part: Part, systems: list[str]) -> dict[str, int | None]:
    """What the verdict on each compared item says of the first: 1, 0, −1, or None without a verdict."""
    first, second = systems
    words = {"win": 1, "loss": -1, "same": 0, first: 1, second: -1}
    items = dict.fromkeys(one.item for one in compared(part, systems))
    return {item: words.get(part.known[item], 0) if item in part.known else None for item in items}


def _counting(part: Part, e: dict[str, Any]) -> list[int]:
    """The signs that count: an item without a verdict is a win of neither; ties leave where the study says so."""
    drops = part.study.rules["ties"] == "drop"
    if e["reading"] == "verdict":
        signs = verdict_signs(part, e["systems"]).values()
        return [sign or 0 for sign in signs if not (drops and sign == 0)]
    return [one.sign for one in compared(part, e["systems"]) if one.sign or not drops]


def success(part: Part, e: dict[str, Any]) -> float:
    """The share of comparisons that the first system wins."""
    half = 0.5 if part.study.rules["ties"] == "half" else 0.0
    return mean(1.0 if sign > 0 else half if sign == 0 else 0.0 for sign in _counting(part, e))


def gain(part: Part, e: dict[str, Any]) -> float:
    """Wins minus losses."""
    return mean(float(sign) for sign in _counting(part, e))


def ties(part: Part, e: dict[str, Any]) -> float:
    """How often there is no difference: of a pair, or for one rater."""
    if e.get("raters"):
        return share(one.sign == 0 for one in compared(part) if one.who == e["raters"][0])
    return share(one.sign == 0 for one in compared(part, e["systems"]))


def sign_test(part: Part, e: dict[str, Any]) -> float:
    """The share of wins among decided units: items, or groups of items that go together."""
    units: dict[str, int] = defaultdict(int)
    for item, sign in verdict_signs(part, e["systems"]).items():
        if sign is not None:
            units[part.unit(item)] += sign
    return share(total > 0 for total in units.values() if total)


def position_bias(part: Part, e: dict[str, Any]) -> float:
    """Decided ratings that took the left side."""
    shown = [one for one in compared(part) if one.on_left is not None]
    return share((one.sign > 0) == one.on_left for one in shown if one.sign)


def side_balance(part: Part, e: dict[str, Any]) -> float:
    """Ratings with the first of a pair on the left."""
    return share(one.on_left for one in compared(part, e["systems"]) if one.on_left is not None)


def side_difference(part: Part, e: dict[str, Any]) -> float:
    """The largest difference between left and right within one rater, or within one item."""
    uneven: dict[str, int] = defaultdict(int)
    for one in compared(part, e["systems"]):
        if one.on_left is not None:
            uneven[one.who if e["what"].endswith("rater") else one.item] += 1 if one.on_left else -1
    return float(max(map(abs, uneven.values()), default=0))


def strength(part: Part, e: dict[str, Any]) -> float:
    """Bradley and Terry's (1952) log-strength with Davidson's (1970) ties, from one verdict an item.

    Of two systems, how much stronger the first is.
    """
    counts: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0, 0])
    for pair in sorted({one.pair for one in compared(part)}):
        for sign in verdict_signs(part, list(pair)).values():
            if sign is not None:
                counts[pair][1 - sign] += 1
    names = sorted({name for pair in counts for name in pair})
    if not set(e["systems"]) <= set(names):
        raise CannotError("no item with this system has a verdict")
    known = _strengths(tuple(names), tuple((pair, tuple(n)) for pair, n in counts.items()))
    first, *other = (known[name] for name in e["systems"])
    return first - sum(other)


@cache
def _strengths(
    names: tuple[str, ...], counted: tuple[tuple[tuple[str, str], tuple[int, ...]], ...]
) -> dict[str, float]:
    """Newton's method; the strengths sum to zero, and the last parameter is the log of the tie parameter."""
    counts = dict(counted)
    q, place = len(names), {name: k for k, name in enumerate(names)}
    tied = any(n[1] for n in counts.values())
    decided = sum(n[0] + n[2] for n in counts.values())
    theta = [0.0] * q + ([log(2 * sum(n[1] for n in counts.values()) / max(decided, 1))] if tied else [])
    size = len(theta)
    for _ in range(100):
        slope = [0.0] * size
        curve = [[1 / q if i < q and j < q else 0.0 for j in range(size)] for i in range(size)]
        for (first, second), (won, even, lost) in counts.items():
            a, b = place[first], place[second]
            d, n = theta[a] - theta[b], won + even + lost
            up, down, draw = exp(d / 2), exp(-d / 2), exp(theta[-1]) if tied else 0.0
            net, drawn = (up - down) / (up + down + draw), draw / (up + down + draw)
            by_d, dd = (won - lost - n * net) / 2, n * (1 - drawn - net**2) / 4
            for i, s in ((a, 1), (b, -1)):
                slope[i] += s * by_d
                for j, r in ((a, 1), (b, -1)):
                    curve[i][j] += s * r * dd
                if tied:
                    curve[i][-1] -= s * n * drawn * net / 2
                    curve[-1][i] -= s * n * drawn * net / 2
            if tied:
                slope[-1] += even - n * drawn
                curve[-1][-1] += n * drawn * (1 - drawn)
        step = solve(curve, slope)
        widest = max(map(abs, step))
        theta = [t + s * min(1.0, 2.0 / max(widest, 1e-300)) for t, s in zip(theta, step)]  # noqa: B905
        if widest < 1e-10:
            break
        if max(map(abs, theta)) > 40:
            raise CannotError("the strengths do not settle on finite values")
    middle = mean(theta[:q])
    return {name: theta[k] - middle for name, k in place.items()}


def solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """The solution of a small system of linear equations, by elimination with the largest pivot."""
    rows = [[*row, value] for row, value in zip(matrix, right)]  # noqa: B905
    n = len(rows)
    for k in range(n):
        best = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[best] = rows[best], rows[k]
        if abs(rows[k][k]) < 1e-300:
            raise CannotError("the equations have no single solution")
        for i in range(n):
            if i != k:
                factor = rows[i][k] / rows[k][k]
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[k])]  # noqa: B905
    return [rows[k][n] / rows[k][k] for k in range(n)]


def mean_of_system(part: Part, e: dict[str, Any]) -> float:
    """The mean mark of one system."""
    return mean(mark for _, _, system, mark in part.marks() if system == e["systems"][0])


def mean_difference_of_systems(part: Part, e: dict[str, Any]) -> float:
    """The mean over raters and items of what one of them gives the first system more than the second."""
    given: dict[tuple[str, str], dict[str, float]] = defaultdict(dict)
    for item, who, system, mark in part.marks():
        given[item, who][system] = mark
    first, second = e["systems"]
    return mean(marks[first] - marks[second] for marks in given.values() if first in marks and second in marks)


def difference_of_systems(part: Part, e: dict[str, Any]) -> float:
    """Hodges and Lehmann's pseudo-median of paired differences, item by item, differences of zero left out."""
    given: dict[tuple[str, str], list[float]] = defaultdict(list)
    for item, _, system, mark in part.marks():
        given[part.unit(item), system].append(mark)
    first, second = e["systems"]
    units = [unit for unit, system in given if system == first and (unit, second) in given]
    gaps = [mean(given[unit, first]) - mean(given[unit, second]) for unit in units]
    dust = 1e-12 * max([1.0, *map(abs, gaps)])
    return pseudo_median([gap for gap in gaps if abs(gap) >= dust])


def pseudo_median(differences: list[float]) -> float:
    """The median of the averages of every two differences, each with itself too."""
    if not differences:
        raise CannotError("no difference is other than zero")
    values = sorted(differences)
    averages = sorted((a + b) / 2 for k, a in enumerate(values) for b in values[k:])
    n = len(averages)
    return (averages[(n - 1) // 2] + averages[n // 2]) / 2


def priority(part: Part, e: dict[str, Any]) -> float:
    """Choices against the first dimension that tells the two apart; or ties whose marks differ."""
    marks: dict[str, dict[tuple[str, str, str], float]] = {}
    for name in part.study.rules["priority"]:
        if (part.section, name) in part.study.questions:
            marks[name] = {(item, who, system): mark for item, who, system, mark in part.beside(name).marks()}

    def leads(one: Compared) -> int:
        for given in marks.values():
            first, second = (given.get((one.item, one.who, system)) for system in one.pair)
            if first is not None and second is not None and first != second:
                return 1 if first > second else -1
        return 0

    rows = compared(part)
    if "uneven_ties" in e["id"]:
        return share(leads(one) != 0 for one in rows if one.sign == 0)
    return share(leads(one) != one.sign for one in rows if one.sign and leads(one))
