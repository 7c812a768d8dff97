"""Results are the same at 1e-9; the ends of a bootstrap interval may move by Monte-Carlo error where numpy differs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from quorate.statistics.resampling import bootstrap_interval
from quorate.verify.numbers import count, differences


def results(**more: Any) -> dict[str, Any]:
    estimate = {"id": "mean", "value": 0.5, "low": 0.4, "high": 0.6, "se": 0.05, "method": "mean; BCa bootstrap"}
    return {"versions": {"numpy": "2"}, "estimates": [estimate | more], "flow": {"raters": {"invited": 3}}}


def places(printed: dict[str, Any], made: dict[str, Any], same_draws: bool = True) -> list[str]:
    return [one.where for one in differences(printed, made, same_draws)]


def test_the_same_results_do_not_differ_whatever_made_them() -> None:
    assert places(results(), results() | {"versions": {"numpy": "3"}}) == []


@pytest.mark.parametrize(("change", "is_told"), [(1e-10, False), (1e-8, True)])
def test_numbers_are_the_same_at_one_billionth(change: float, is_told: bool) -> None:
    assert places(results(), results(value=0.5 + change)) == (["estimates[mean].value"] if is_told else [])


def test_undefined_is_not_zero() -> None:
    assert places(results(value=None), results(value=0)) == ["estimates[mean].value"]


def test_false_is_not_zero() -> None:
    assert places(results(value=False), results(value=0)) == ["estimates[mean].value"]


def test_another_order_of_estimates_is_no_difference_and_a_missing_one_is_told_once() -> None:
    first, second = results(), results(id="median")
    both = {**first, "estimates": [*first["estimates"], *second["estimates"]]}
    turned = {**first, "estimates": [*second["estimates"], *first["estimates"]]}
    assert places(both, turned) == []
    assert places(first, both) == ["estimates[median]"]


def test_bootstrap_ends_may_move_a_little_only_where_numpy_differs() -> None:
    assert places(results(), results(low=0.4005)) == ["estimates[mean].low"]
    assert places(results(), results(low=0.4005), same_draws=False) == []
    assert places(results(), results(low=0.43), same_draws=False) == ["estimates[mean].low"]
    assert places(results(method="Wilson"), results(method="Wilson", low=0.4005), same_draws=False) != []


def test_two_runs_of_a_bootstrap_with_other_draws_are_the_same_within_monte_carlo_error() -> None:
    scores = np.random.default_rng(5).normal(size=60)

    def made(seed: int) -> dict[str, Any]:
        ends = bootstrap_interval(lambda w: w @ scores / w.sum(axis=1), 60, seed=seed)
        return results(value=float(scores.mean()), low=ends.low, high=ends.high, se=ends.se)

    first = made(0)
    assert [places(first, made(seed), same_draws=False) for seed in range(1, 21)] == [[]] * 20


def test_numbers_are_counted_without_versions() -> None:
    assert count(results()) == 5
