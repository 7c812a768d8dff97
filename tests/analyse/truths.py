"""Studies simulated from a known truth, straight into `analyse`, and what each estimate would be of all items at once.

Items are of two kinds, so that answers about one item go together; where a template names a cluster, three items in a
row are of one cluster and of one kind. The truth of an estimate is computed from the kinds' chances, not simulated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np

from analyse.simulating import template
from quorate.analyse import Results, analyse
from quorate.protocol import Protocol
from quorate.records import Answer, Collected, Item, Reason, Shown

N_ITEMS = 60
Truth = Mapping[str, float]
Kinds = Sequence[tuple[float, Sequence[float]]]
"""How often an item is of each kind, and the chance of each category there."""

LEFT = Shown({"left": "refined", "right": "baseline"})
RIGHT = Shown({"left": "baseline", "right": "refined"})


@cache
def plain(name: str, per_cluster: int = 1) -> Protocol:
    """A template without breakdowns, over items made on the spot."""
    protocol = template(name)
    file = protocol.file.model_copy(update={"analysis": protocol.analysis.model_copy(update={"by": ()})})
    pool = protocol.pool
    fields = [{**pool[k % len(pool)].fields, "cluster": f"c{k // per_cluster}"} for k in range(N_ITEMS)]
    rule = file.items.model_copy(update={"cluster": "cluster" if per_cluster > 1 else None})
    items = tuple(Item(f"i{k}", one) for k, one in enumerate(fields))
    return replace(protocol, file=file.model_copy(update={"items": rule}), pool=items)


def row(section: str, question: str, item: str, repeat: int, value: object, shown: Shown = LEFT) -> Answer:
    reason = Reason.NOT_APPLICABLE if value is None else None
    return Answer(
        0, "rater", f"R{repeat}", section, item, question, value, reason, value, "", repeat=repeat, shown=shown
    )


def analysed(protocol: Protocol, rows: Iterable[Answer]) -> Results:
    numbered = tuple(replace(answer, seq=number) for number, answer in enumerate(rows, 1))
    return analyse(protocol, Collected(protocol.pool, numbered))


def average(kinds: Kinds) -> np.ndarray:
    """The chance of each category over all items."""
    return sum(share * np.asarray(chances, float) for share, chances in kinds)


def alike(kinds: Kinds) -> float:
    """The chance that two raters of an item say the same."""
    return sum(share * float(np.square(chances).sum()) for share, chances in kinds)


def kappa(kinds: Kinds) -> float:
    chance = float(np.square(average(kinds)).sum())
    return (alike(kinds) - chance) / (1 - chance)


def ac1(kinds: Kinds) -> float:
    p = average(kinds)
    chance = float((p * (1 - p)).sum() / (len(p) - 1))
    return (alike(kinds) - chance) / (1 - chance)


def ordinal_alpha(kinds: Kinds) -> float:
    """Krippendorff's α of all items: distances between points are those of their mean ranks."""
    p = average(kinds)
    rank = np.cumsum(p) - p / 2
    apart = np.square(rank[:, None] - rank)
    together = sum(share * np.outer(chances, chances) for share, chances in kinds)
    return 1 - float((together * apart).sum() / (np.outer(p, p) * apart).sum())


def verdict(chances: Sequence[float], raters: int = 3, needed: int = 2) -> np.ndarray:
    """The chance that each category is the verdict on an item; the last place is that there is none."""
    found = np.zeros(len(chances) + 1)
    for said in product(range(len(chances)), repeat=raters):
        votes = np.bincount(said, minlength=len(chances))
        top = np.flatnonzero(votes == votes.max())
        place = int(top[0]) if votes.max() >= needed and len(top) == 1 else len(chances)
        found[place] += float(np.prod([chances[k] for k in said]))
    return found


def verdicts(kinds: Kinds, raters: int = 3) -> np.ndarray:
    """The same over all items."""
    return sum(share * verdict(chances, raters) for share, chances in kinds)


def folded(kinds: Kinds, places: Sequence[Sequence[int]]) -> list[tuple[float, list[float]]]:
    """The kinds with categories put together."""
    return [(share, [float(sum(chances[k] for k in group)) for group in places]) for share, chances in kinds]


def kind_of(draw: np.random.Generator, kinds: Kinds) -> Sequence[float]:
    return kinds[int(draw.choice(len(kinds), p=[share for share, _ in kinds]))][1]


ROLES = ("target", "semantic_1", "semantic_2", "literal", "none")
CONCEPTS: Kinds = [(0.4, [0.4, 0.2, 0.1, 0.2, 0.1]), (0.6, [0.9, 0.04, 0.02, 0.03, 0.01])]
POINTS: Kinds = [(0.5, [0.05, 0.1, 0.1, 0.4, 0.35]), (0.5, [0.2, 0.3, 0.2, 0.2, 0.1])]


def abstract_visual(seed: int) -> tuple[Results, Truth]:
    """Recognition by role, and preference on five points."""
    protocol, draw, rows = plain("abstract-visual"), np.random.default_rng(seed), []
    for place, item in enumerate(protocol.pool):
        roles, points = kind_of(draw, CONCEPTS), kind_of(draw, POINTS)
        for repeat in range(3):
            rows.append(row("recognise", "concept", item.id, repeat, str(draw.choice(ROLES, p=roles))))
            # As in the plan, each stands left as often as right: else the better one's side would look like a bias.
            value, shown = int(draw.choice([-2, -1, 0, 1, 2], p=points)), LEFT if (repeat + place) % 2 else RIGHT
            rows.append(row("compare", "preference", item.id, repeat, value, shown))
    outcome = folded(POINTS, ((3, 4), (2,), (0, 1)))
    won, same, lost = average(outcome)
    by_verdict, decided = verdicts(outcome), verdicts(CONCEPTS)
    truth = {
        "recognise.concept.individual_accuracy": average(CONCEPTS)[0],
        "recognise.concept.majority_accuracy": decided[0] / decided[:-1].sum(),
        "recognise.concept.unanimous_accuracy": sum(share * chances[0] ** 3 for share, chances in CONCEPTS),
        "recognise.concept.role.people.literal": average(CONCEPTS)[3],
        "recognise.concept.fleiss_kappa.role": kappa(CONCEPTS),
        "recognise.concept.brennan_prediger.role": (alike(CONCEPTS) - 1 / 5) / (1 - 1 / 5),
        "recognise.concept.percent_agreement.role": alike(CONCEPTS),
        "recognise.concept.ambiguity": decided[-1],
        "compare.preference.success_rate.rating": won,
        "compare.preference.net_gain.rating": won - lost,
        "compare.preference.tie_rate": same,
        "compare.preference.position_bias": 0.5,
        "compare.preference.success_rate.verdict": by_verdict[0],
        "compare.preference.net_gain.verdict": by_verdict[0] - by_verdict[2],
        "compare.preference.sign_test": by_verdict[0] / (by_verdict[0] + by_verdict[2]),
        "compare.preference.ambiguity": by_verdict[-1],
        "compare.preference.fleiss_kappa.points": kappa(POINTS),
        "compare.preference.gwet_ac.points": ac1(POINTS),
        "compare.preference.krippendorff_alpha.ordinal": ordinal_alpha(POINTS),
    }
    return analysed(protocol, rows), truth


SCORES: Kinds = [(0.5, [0.1, 0.2, 0.7]), (0.5, [0.4, 0.4, 0.2])]


def document_extraction(seed: int) -> tuple[Results, Truth]:
    """Scores from 0 to 2; three elements of one paper are alike."""
    protocol, draw, rows = plain("document-extraction", 3), np.random.default_rng(seed), []
    for place, item in enumerate(protocol.pool):
        if place % 3 == 0:
            chances = kind_of(draw, SCORES)
        for question in ("caption_score", "vlm_score", "table_score"):
            applies = (item["type"] == "table") == (question == "table_score")
            for repeat in range(2):
                value = int(draw.choice([0, 1, 2], p=chances)) if applies else None
                rows.append(row("score", question, item.id, repeat, value))
    mean = float(average(SCORES) @ [0, 1, 2])
    truth = {
        f"score.{question}.{name}": value
        for question in ("caption_score", "vlm_score", "table_score")
        for name, value in (
            ("mean", mean), ("percent_of_maximum", mean / 2), ("fleiss_kappa.responses", kappa(SCORES)),
            ("percent_agreement.responses", alike(SCORES)), ("krippendorff_alpha.ordinal", ordinal_alpha(SCORES)),
            ("ambiguity", verdicts(SCORES, 2)[-1]),
        )
    } | {"score.overall.percent_of_maximum": mean / 2}  # fmt: skip
    return analysed(protocol, rows), truth


RATINGS: Kinds = [(0.5, [0, 0.5, 0.5, 0, 0]), (0.5, [0, 0, 0.5, 0.5, 0])]
CONSISTENT: Kinds = [(0.5, [0.9, 0.1]), (0.5, [0.5, 0.5])]


def dialogue(seed: int) -> tuple[Results, Truth]:
    """Ratings and yes or no; three turns of one conversation are alike."""
    protocol, draw, rows = plain("dialogue", 3), np.random.default_rng(seed), []
    for place, item in enumerate(protocol.pool):
        if place % 3 == 0:
            ratings, consistent = kind_of(draw, RATINGS), kind_of(draw, CONSISTENT)
        for repeat in range(3):
            for question in ("correctness", "reasoning_completeness", "overall_quality"):
                value = int(draw.choice([1, 2, 3, 4, 5], p=ratings))
                rows.append(row("rate", question, item.id, repeat, value))
            said = str(draw.choice(["Yes", "No"], p=consistent))
            rows.append(row("rate", "context_consistency", item.id, repeat, said))
    mean, yes = float(average(RATINGS) @ [1, 2, 3, 4, 5]), average(CONSISTENT)[0]
    truth = {
        "rate.correctness.mean": mean,
        "rate.overall_quality.mean": mean,
        "rate.weighted_shared.mean": mean,
        "rate.weighted.mean": (70 * mean + 10 * (yes * 5 + (1 - yes) * 1)) / 80,
        "rate.context_consistency.rate.rating": yes,
        "rate.context_consistency.rate.verdict": verdicts(CONSISTENT)[0],
        "rate.context_consistency.fleiss_kappa.responses": kappa(CONSISTENT),
        "rate.context_consistency.percent_agreement.responses": alike(CONSISTENT),
        "rate.correctness.krippendorff_alpha.ordinal": ordinal_alpha(RATINGS),
        "rate.correctness.fleiss_kappa.responses": kappa(RATINGS),
    }
    return analysed(protocol, rows), truth


WINNERS: Kinds = [(0.5, [0.7, 0.2, 0.1]), (0.5, [0.3, 0.5, 0.2])]
SIDES = (Shown({"left": "aurora", "right": "borealis"}), Shown({"left": "borealis", "right": "aurora"}))


def media_preference(seed: int) -> tuple[Results, Truth]:
    """Winners, and marks of each of two systems."""
    protocol, draw, rows = plain("media-preference"), np.random.default_rng(seed), []
    for item in protocol.pool:
        winners, better = kind_of(draw, WINNERS), int(draw.integers(0, 2))
        for repeat in range(2):
            shown = SIDES[repeat]
            winner = str(draw.choice(["aurora", "borealis", "tie"], p=winners))
            rows.append(row("compare", "winner", item.id, repeat, winner, shown))
            marks = {"aurora": int(draw.integers(2, 5)) + better, "borealis": int(draw.integers(2, 5))}
            rows.append(row("compare", "prompt_adherence", item.id, repeat, marks, shown))
    won, lost, same = average(WINNERS)
    by_verdict = verdicts(WINNERS, 2)
    truth = {
        "compare.winner.success_rate.rating": won,
        "compare.winner.net_gain.rating": won - lost,
        "compare.winner.tie_rate": same,
        "compare.winner.success_rate.verdict": by_verdict[0],
        "compare.winner.net_gain.verdict": by_verdict[0] - by_verdict[1],
        "compare.winner.sign_test": by_verdict[0] / (by_verdict[0] + by_verdict[1]),
        "compare.winner.ambiguity": by_verdict[-1],
        "compare.winner.percent_agreement.responses": alike(WINNERS),
        "compare.winner.fleiss_kappa.responses": kappa(WINNERS),
        "compare.prompt_adherence.mean.aurora": 3.5,
        "compare.prompt_adherence.mean.borealis": 3.0,
        "compare.prompt_adherence.difference.aurora.borealis": 0.5,
    }
    return analysed(protocol, rows), truth


RIGHT_OR_WRONG: Kinds = [(0.4, [0.4, 0.6]), (0.6, [0.9, 0.1])]
#: How often the judge is right about an item of each kind.
JUDGE = (0.5, 0.8)


def visual_puns(seed: int) -> tuple[Results, Truth]:
    """Open answers that are right or wrong, and a judge beside."""
    protocol, draw, rows = plain("visual-puns"), np.random.default_rng(seed), []
    question = protocol.ask("recognise", "idiom").question

    def said(item: Item, is_right: bool) -> object:
        return question.parse(str(item["target_idiom"]) if is_right else "something else", Shown(), item).value

    for item in protocol.pool:
        kind = int(draw.random() < RIGHT_OR_WRONG[1][0])
        for repeat in range(3):
            value = said(item, draw.random() < RIGHT_OR_WRONG[kind][1][0])
            rows.append(row("recognise", "idiom", item.id, repeat, value))
        machine = row("recognise", "idiom", item.id, 0, said(item, draw.random() < JUDGE[kind]))
        rows.append(replace(machine, by="judge", rater="mllm"))
    shares = [share for share, _ in RIGHT_OR_WRONG]
    majority = [verdict(chances)[0] for _, chances in RIGHT_OR_WRONG]
    people, judge = (float(np.dot(shares, one)) for one in (majority, JUDGE))
    both = [m * j + (1 - m) * (1 - j) for m, j in zip(majority, JUDGE, strict=True)]
    agree, chance = float(np.dot(shares, both)), people * judge + (1 - people) * (1 - judge)
    truth = {
        "recognise.idiom.individual_accuracy": average(RIGHT_OR_WRONG)[0],
        "recognise.idiom.majority_accuracy": people,
        "recognise.idiom.unanimous_accuracy": sum(share * p[0] ** 3 for share, p in RIGHT_OR_WRONG),
        "recognise.idiom.accuracy.judge.mllm": judge,
        "recognise.idiom.percent_agreement.correctness": alike(RIGHT_OR_WRONG),
        "recognise.idiom.fleiss_kappa.correctness": kappa(RIGHT_OR_WRONG),
        "recognise.idiom.gwet_ac.correctness": ac1(RIGHT_OR_WRONG),
        "recognise.idiom.cohen_kappa.correctness.R0.R1": kappa(RIGHT_OR_WRONG),
        "recognise.idiom.full_agreement.correctness": sum(
            share * (p[0] ** 3 + p[1] ** 3) for share, p in RIGHT_OR_WRONG
        ),
        "recognise.idiom.judge.mllm.agreement_rate": agree,
        "recognise.idiom.judge.mllm.cohen_kappa": (agree - chance) / (1 - chance),
        "recognise.idiom.judge.mllm.difference": people - judge,
    }
    return analysed(protocol, rows), truth


Make = Callable[[int], tuple[Results, Truth]]
TRUTHS: Mapping[str, Make] = {
    "abstract-visual": abstract_visual,
    "dialogue": dialogue,
    "document-extraction": document_extraction,
    "media-preference": media_preference,
    "visual-puns": visual_puns,
}


def held(make: Make, seeds: Iterable[int]) -> dict[str, list[bool]]:
    """For each estimate, seed by seed, whether its interval held the truth; none is a miss."""
    found: dict[str, list[bool]] = {}
    for seed in seeds:
        results, truth = make(seed)
        for id, value in truth.items():
            one = results[id].estimate
            is_held = one.low is not None and one.high is not None and one.low <= value <= one.high
            found.setdefault(id, []).append(bool(is_held))
    return found


def fewest(n: int, alpha: float, confidence: float = 0.95) -> int:
    """The fewest of n intervals that may hold the truth: fewer would happen by chance less often than alpha.

    >>> fewest(400, 0.001), fewest(25, 0.001)
    (365, 19)
    """
    from scipy.stats import binom

    return int(binom.ppf(alpha, n, confidence))
