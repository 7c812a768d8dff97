"""Leanings are found where they are planted, and undefined where nothing was measured."""

from __future__ import annotations

import pytest

from quorate.inquiries.leanings import length_lean, order_effect, self_preference, stability


def test_a_judge_that_takes_the_left_side_whatever_it_is_is_found_out() -> None:
    left = {k: "a" if k % 2 else "b" for k in range(40)}
    right = {k: "b" if k % 2 else "a" for k in range(40)}
    found = order_effect(left, right, left)  # in the mirror, the other system stands left
    assert found.consistent.value == 0
    assert found.first.value == 1
    assert found.first.low is not None
    assert found.first.low > 0.5


def test_a_judge_that_goes_by_the_output_is_consistent() -> None:
    record = dict.fromkeys(range(10), "a")
    found = order_effect(record, record, record)
    assert found.consistent.value == 1
    assert found.first.value is None


def test_without_a_second_order_nothing_is_known() -> None:
    assert order_effect({1: "a"}, {}, {1: "a"}).consistent.value is None


def test_samples_that_differ_are_less_stable() -> None:
    steady = {k: ["x"] * 4 for k in range(5)}
    assert stability(steady).value == 1
    assert stability({**steady, 9: ["x", "y", "x", "y"]}).value == pytest.approx((5 + 1 / 3) / 6)
    assert stability({1: ["x"]}).value is None


def test_the_longer_output_is_counted_where_lengths_differ() -> None:
    found = length_lean(["a", "b", "a", None], [("a", 9, "b", 3), ("a", 1, "b", 5), ("a", 2, "b", 2), ("a", 1, "b", 2)])
    assert (found.value, found.n_items) == (1, 2)


def test_a_judge_that_picks_its_own_where_people_do_not_is_found_out() -> None:
    people = ["own", "other"] * 20
    judge = ["own"] * 40
    found = self_preference(judge, people, "own")
    assert found.value == pytest.approx(0.5)
    assert found.low is not None
    assert found.low > 0
    assert self_preference(people, people, "own").value == 0
