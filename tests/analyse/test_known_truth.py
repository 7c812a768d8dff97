"""Studies simulated from a known truth, straight into `analyse`: intervals hold it as often as they say.

Here over a few seeds, with a bar for each estimate that chance passes under once in a thousand runs of all of them;
`bench/truth.py` does the same over hundreds, and docs/method.md has its table.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from analyse.truths import LEFT, RIGHT, TRUTHS, Truth, analysed, fewest, held, plain, row
from quorate.analyse import Results

SEEDS = range(16)
ALPHA = 0.001


@cache
def hits(name: str) -> dict[str, list[bool]]:
    return held(TRUTHS[name], SEEDS)


def below(found: dict[str, list[bool]]) -> list[str]:
    """The estimates whose intervals held the truth less often than stated."""
    bar = fewest(len(SEEDS), ALPHA / sum(len(truth) for truth in map(hits, TRUTHS)))
    return [id for id, one in found.items() if sum(one) < bar]


@pytest.mark.parametrize("name", TRUTHS)
def test_every_estimate_holds_its_truth_as_often_as_stated(name: str) -> None:
    assert below(hits(name)) == []


def test_over_all_estimates_about_nineteen_in_twenty_hold_their_truth() -> None:
    # Estimates of one seed go together, so the bar is not a binomial one: it is a mean over eighty seeds.
    shares = [np.mean(one) for name in TRUTHS for one in hits(name).values()]
    assert 0.91 < np.mean(shares) < 0.99


def half_as_wide(results: Results) -> Results:
    found = []
    for one in results.findings:
        e = one.estimate
        if e.value is not None and e.low is not None and e.high is not None:
            e = replace(e, low=(e.value + e.low) / 2, high=(e.value + e.high) / 2)
        found.append(replace(one, estimate=e))
    return replace(results, findings=tuple(found))


def test_intervals_half_as_wide_do_not_pass() -> None:
    def make(seed: int) -> tuple[Results, Truth]:
        results, truth = TRUTHS["media-preference"](seed)
        return half_as_wide(results), truth

    assert below(held(make, SEEDS))


def test_a_declared_hypothesis_that_is_not_true_is_rarely_supported() -> None:
    protocol = plain("abstract-visual")
    supported = 0
    for seed in range(40):
        draw = np.random.default_rng(seed)
        rows = [
            row("compare", "preference", item.id, repeat, int(draw.choice([-1, 1])), LEFT if repeat % 2 else RIGHT)
            for item in protocol.pool
            for repeat in range(3)
        ]
        found = analysed(protocol, rows).hypotheses
        supported += next(one for one in found if one.id == "refined").outcome == "supported"
    # At a level of 5 %, two-sided, with the right side asked for: about one in forty; seven would be a rare accident.
    assert supported < 7
