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
    lengths = [("a", 9, "b", 3), ("a", 1, "b", 5), ("a", 2, "b", 2), ("a", 1, "b", 2)]
    found = length_lean(dict(enumerate(["a", "b", "a", None])), dict(enumerate(lengths)))
    assert (found.value, found.n_items) == (1, 2)


def test_a_judge_that_picks_its_own_where_people_do_not_is_found_out() -> None:
    people = dict(enumerate(["own", "other"] * 20))
    judge = dict.fromkeys(people, "own")
    found = self_preference(judge, people, "own")
    assert found.value == pytest.approx(0.5)
    assert found.low is not None
    assert found.low > 0
    assert self_preference(people, people, "own").value == 0


def test_items_of_one_group_go_together_in_every_interval() -> None:
    groups = {k: k // 10 for k in range(40)}
    first = dict.fromkeys(groups, "a")
    record, mirrored = first, {k: "b" if groups[k] == 0 else "a" for k in groups}
    texts = {k: ("a", 9, "b", 1 if groups[k] else 19) for k in groups}
    halves = {k: ["x", "x" if groups[k] else "y"] for k in groups}
    theirs = {k: "b" if groups[k] == 0 else "a" for k in groups}
    order = [order_effect(record, mirrored, first, 0.95, among).consistent for among in (None, groups)]
    for alone, together in (
        order,
        (length_lean(record, texts), length_lean(record, texts, 0.95, groups)),
        (stability(halves), stability(halves, 0.95, groups)),
        (self_preference(record, theirs, "a"), self_preference(record, theirs, "a", 0.95, groups)),
    ):  # fmt: skip
        assert together.value == pytest.approx(alone.value)
        assert (alone.n_items, together.n_items) == (40, 40)
        assert None not in (alone.low, alone.high, together.low, together.high)
        assert (together.high or 0) - (together.low or 0) > (alone.high or 0) - (alone.low or 0)
