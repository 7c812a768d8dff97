"""People beside a judge: agreement, who is right, whether the judge may replace a person, and where it leans."""

from __future__ import annotations

from collections import Counter, defaultdict
from copy import copy
from math import exp, lgamma, log, sqrt
from typing import Any

from . import agreement, coefficients
from .agreement import cohen, is_by_pair
from .preferences import sign_of
from .study import Answer, CannotError, Part, mean, share

CLASSES = {
    "both correct": (True, True),
    "human correct, judge incorrect": (True, False),
    "human incorrect, judge correct": (False, True),
    "both incorrect": (False, False),
}
LEAST, LEVEL = 30, 0.05


def both(part: Part, judge: str) -> dict[str, tuple[str, str]]:
    """The verdict and the judge's answer of each item that has both."""
    its = part.by_judge(judge, part.verdict_on)
    return {item: (verdict, its[item]) for item, verdict in part.known.items() if item in its}


def agreement_rate(part: Part, e: dict[str, Any]) -> float:
    """How often majority and judge come to the same."""
    return share(human == machine for human, machine in both(part, e["judge"]).values())


def kappa(part: Part, e: dict[str, Any]) -> float:
    """Cohen's kappa of the majority and the judge, on verdicts or on another reading of the answers."""
    reading = e.get("reading") or part.verdict_on
    pairs = both(part, e["judge"]) if reading == part.verdict_on else _most(part, e["judge"], reading)
    if is_by_pair(e):
        said = part.choices({item: {"people": a, "judge": b} for item, (a, b) in pairs.items()}, reading)
        pairs = {item: (one["people"], one["judge"]) for item, one in said.items()}
    return cohen(list(pairs.values()))


#: What agreement may be told by, of people alone and of people beside a judge.
COEFFICIENTS = {
    "fleiss kappa": agreement.fleiss,
    "gwet ac": agreement.gwet,
    "gwet ac2": agreement.gwet,
    "brennan prediger": agreement.brennan_prediger,
    "krippendorff alpha": agreement.alpha,
    "conger kappa": coefficients.conger,
    "light kappa": coefficients.light,
    "scott pi": coefficients.scott,
    "weighted kappa": coefficients.weighted,
    "linear weighted kappa": coefficients.weighted,
    **{f"icc({kind},{of})": coefficients.icc for kind in "123" for of in "1k"},
}


def coefficient(part: Part, e: dict[str, Any]) -> float:
    """What agreement is told by: verdict and judge as the two raters of each item."""
    labels = {item: {"people": a, "judge": b} for item, (a, b) in both(part, e["judge"]).items()}
    given = {(item, who): said for item, one in labels.items() for who, said in one.items()}
    places = {label: float(k) for k, label in enumerate(part.categories(e["reading"]) or ())}
    beside = copy(part)
    vars(beside).update(
        labels=lambda reading: labels,
        numbers=lambda: {key: float(part.rules["points"].get(said, places.get(said))) for key, said in given.items()},
    )
    return COEFFICIENTS[e["statistic"]](beside, {**e, "raters": ["people", "judge"]})


def weighted_kappa(part: Part, e: dict[str, Any]) -> float:
    """The same with quadratic weights, on the points of a scale."""
    return cohen(list(both(part, e["judge"]).values()), {point: float(n) for point, n in part.rules["points"].items()})


def _most(part: Part, judge: str, reading: str) -> dict[str, tuple[str, str]]:
    """What enough planned raters answered, and what the judge answered."""
    its = part.by_judge(judge, reading)
    most = {item: part.majority(said.values()) for item, said in part.labels(reading).items()}
    return {item: (said, its[item]) for item, said in most.items() if said is not None and item in its}


def label_agreement(part: Part, e: dict[str, Any]) -> float:
    """How often both gave the same answer, right or wrong."""
    return share(human == machine for human, machine in _most(part, e["judge"], e["reading"]).values())


def right_of_both(part: Part, judge: str) -> list[tuple[bool, bool]]:
    """Whether the verdict, and whether the judge, is right on each item that has both."""
    its = {answer.item: bool(answer.right) for answer in part.of_judge(judge)}
    return [(part.is_right(item, verdict), its[item]) for item, verdict in part.known.items() if item in its]


def error_class(part: Part, e: dict[str, Any]) -> float:
    """One cell of right and wrong."""
    return share(cell == CLASSES[e["what"]] for cell in right_of_both(part, e["judge"]))


def difference(part: Part, e: dict[str, Any]) -> float:
    """The majority's accuracy minus the judge's."""
    return mean(float(human) - float(machine) for human, machine in right_of_both(part, e["judge"]))


# May a judge replace people? Each person is left out in turn.


def _panel(part: Part, judge: str) -> tuple[dict[str, str], list[dict[str, str]], list[str]]:
    its = part.by_judge(judge, part.verdict_on)
    labels = part.labels(part.verdict_on)
    return its, [{**said, "\0": item} for item, said in labels.items() if item in its], part.raters


def _fits(said: dict[str, str], rater: str, answer: str) -> float | None:
    """The share of the other people who gave this answer."""
    others = [label for who, label in said.items() if who not in (rater, "\0")]
    return others.count(answer) / len(others) if others else None


def against_people(part: Part, e: dict[str, Any]) -> float:
    """The mean over people of how well the judge, or the person, or the one minus the other, fits the rest."""
    its, rows, raters = _panel(part, e["judge"])
    name = e.get("what") or "difference"
    if name.startswith("clear."):
        name, rows = name[len("clear.") :], [said for said in rows if _is_clear(said)]
    each = []
    for rater in e.get("raters") or raters:
        found = []
        for said in rows:
            if rater in said and (ours := _fits(said, rater, its[said["\0"]])) is not None:
                mine = _fits(said, rater, said[rater]) or 0.0
                found.append({"judge": ours, "people": mine, "difference": ours - mine}[name])
        if found:
            each.append(mean(found))
    return mean(each)


def _is_clear(said: dict[str, str]) -> bool:
    votes = Counter(label for who, label in said.items() if who != "\0")
    return 2 * max(votes.values()) > sum(votes.values())


def replacement_test(part: Part, e: dict[str, Any]) -> float:
    """Calderon, Reichart and Dror (2025): the winning rate omega, or the mean advantage rho, over tested people."""
    its, rows, raters = _panel(part, e["judge"])
    tested = []
    for rater in raters:
        found = []
        for said in rows:
            ours, mine = (_fits(said, rater, answer) for answer in (its[said["\0"]], said.get(rater, "")))
            if rater in said and len(said) > 2 and ours is not None and mine is not None:
                found.append((part.unit(said["\0"]), ours >= mine - 1e-12, mine >= ours - 1e-12))
        if len(found) >= LEAST:
            tested.append(found)
    if not tested:
        raise CannotError("nobody shares enough items with the judge and another person")
    if e["what"] == "rho":
        return mean(share(ahead for _, ahead, _ in found) for found in tested)
    p = [_p_value([(unit, float(b) - float(a)) for unit, a, b in one], part.study.rules["epsilon"]) for one in tested]
    return share(value <= LEVEL for value in _benjamini_yekutieli(p))


def _p_value(rows: list[tuple[str, float]], epsilon: float) -> float:
    """A one-sided t-test that the mean is below epsilon, over groups of items where they go together."""
    n, middle = len(rows), mean(value for _, value in rows)
    sums: dict[str, float] = defaultdict(float)
    for unit, value in rows:
        sums[unit] += value - middle
    k = len(sums)
    if k < 2:
        return student(1, 0.0)
    se = sqrt(k / (k - 1) * sum(one**2 for one in sums.values())) / n
    if se == 0:
        return 0.0 if middle < epsilon else 1.0
    return student(k - 1, (middle - epsilon) / se)


def _benjamini_yekutieli(p: list[float]) -> list[float]:
    m = len(p)
    order, lowest, found = sorted(range(m), key=p.__getitem__), 1.0, [1.0] * m
    harmonic = sum(1 / k for k in range(1, m + 1))
    for rank in range(m, 0, -1):
        lowest = min(lowest, harmonic * m / rank * p[order[rank - 1]])
        found[order[rank - 1]] = lowest
    return found


def student(df: float, t: float) -> float:
    """The chance that Student's t is at most this, by the continued fraction of the incomplete beta function."""
    x = df / (df + t * t)
    tail = _beta(df / 2, 0.5, x) / 2
    return tail if t < 0 else 1 - tail


def _beta(a: float, b: float, x: float) -> float:
    if x in (0.0, 1.0):
        return x
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta(b, a, 1 - x)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x)) / a
    # Lentz's method.
    c, d = 1.0, 1 / _away(1 - (a + b) * x / (a + 1))
    found = d
    for m in range(1, 1000):
        for part in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                     -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):  # fmt: skip
            d, c = 1 / _away(1 + part * d), _away(1 + part / c)
            found *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return front * found


def _away(value: float) -> float:
    return value if abs(value) > 1e-300 else 1e-300


# What seeing a judge's answer does to people's.


def anchoring(part: Part, e: dict[str, Any]) -> float:
    """Agreement with the judge, or the distance to its score: of who saw it, of who did not, or the difference."""
    rule = part.study.rules["triage"]
    seen, hidden = (part.people, part.anchored) if rule["verifying"] else (part.anchored, part.people)
    measure = _distances if e["statistic"] in ("distance to the judge", "pull to the judge") else _agreements
    if e["statistic"] in ("anchoring", "pull to the judge"):
        return mean(measure(part, seen)) - mean(measure(part, hidden))
    return mean(measure(part, seen if e["what"] == "shown" else hidden))


def _agreements(part: Part, rows: list[Answer]) -> list[float]:
    judges = part.study.rules["triage"]["judges"]
    its = {item: said for judge in judges for item, said in part.by_judge(judge, part.verdict_on).items()}
    return [float(part.category(a, part.verdict_on) == its[a.item]) for a in rows if a.item in its]


def _distances(part: Part, rows: list[Answer]) -> list[float]:
    its = {item: n for judge in part.study.rules["triage"]["judges"] for item, n in part.item_means(judge).items()}
    return [abs(part.number(answer.value) - its[answer.item]) for answer in rows if answer.item in its]


# Where a judge leans.


def leaning(part: Part, e: dict[str, Any]) -> float:
    """With the order, from sample to sample, to longer texts, to its own kind."""
    judge, name = e["judge"], e["what"]
    if name in ("consistent", "first"):
        return _order(part, judge, name)
    if name == "stability":
        drawn = [_samples(said) for said in _repeats(part, judge).values()]
        return mean(_same_pairs(values) for values in drawn if len(values) > 1)
    if name in ("length", "length_people"):
        return _length(part, _of_judge(part, judge) if name == "length" else _of_people(part))
    own = part.study.rules["judges"][judge]
    machine, people = _of_judge(part, judge), _of_people(part)
    decided = [item for item in machine if machine[item] and people.get(item)]
    return mean(float(machine[item] == own) - float(people[item] == own) for item in decided)


def _repeats(part: Part, judge: str) -> dict[str, dict[str, str]]:
    """What a judge said of each item, by why it was asked: the answer of record, mirrored, for another sample."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for row in part.study.repeats:
        mine = (row["section"], row["question"], row["judge"]) == (part.section, part.id, judge)
        if mine and row["item"] in part.items:
            found[row["item"]][row["what"]] = row["said"]
    return found


def _samples(said: dict[str, str]) -> list[str]:
    """What was said in each sample, the answer of record among them."""
    drawn = [value for name, value in said.items() if name.startswith("sample")]
    return [*drawn, *([said["answer"]] if "answer" in said else [])] if drawn else []


def _order(part: Part, judge: str, name: str) -> float:
    rows = [said for said in _repeats(part, judge).values() if {"record", "swapped", "first"} <= said.keys()]
    if name == "consistent":
        return share(said["record"] == said["swapped"] for said in rows)
    return share(said["record"] == said["first"] for said in rows if said["record"] != said["swapped"])


def _same_pairs(values: list[str]) -> float:
    n = len(values)
    return sum(values[i] == values[j] for i in range(n) for j in range(i)) / (n * (n - 1) / 2)


def _winner(part: Part, answer: Answer) -> str:
    pair = part.pair(answer.item)
    sign = 0 if pair is None else sign_of(part, answer, pair)
    return "" if pair is None or not sign else pair[0] if sign > 0 else pair[1]


def _of_judge(part: Part, judge: str) -> dict[str, str]:
    """The system that a judge prefers, by item; empty for a tie."""
    return {answer.item: _winner(part, answer) for answer in part.of_judge(judge)}


def _of_people(part: Part) -> dict[str, str]:
    """The system that most people prefer, by item; empty for a tie, or where as many prefer the other."""
    votes: dict[str, list[str]] = defaultdict(list)
    for answer in part.people:
        votes[answer.item].append(_winner(part, answer))
    found = {}
    for item, given in votes.items():
        top = Counter(given).most_common(2)
        found[item] = "" if len(top) == 2 and top[0][1] == top[1][1] else top[0][0]
    return found


def _length(part: Part, won: dict[str, str]) -> float:
    lengths: dict[str, dict[str, int]] = defaultdict(dict)
    for row in part.study.lengths:
        if row["section"] == part.section and row["item"] in part.items:
            lengths[row["item"]][row["system"]] = int(row["length"])
    hits = []
    for item, winner in won.items():
        both = lengths.get(item, {})
        if winner in both and len(set(both.values())) == 2:
            hits.append(both[winner] == max(both.values()))
    return share(hits)
