"""Chance can be re-derived: the same on every machine, in every process, for ever."""

from __future__ import annotations

import os
import random
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate.chance import balanced, draw, opaque, order, python_sample, sample, uniform

THINGS = [f"img_{number:04d}" for number in range(200)]


def test_a_draw_never_changes_between_versions() -> None:
    # Published plans depend on these numbers.
    assert draw(42, "order", "R1", "img_1") == 9299206399847207276
    assert order(["a", "b", "c", "d", "e", "f"], 42, "order", "R1") == ["b", "f", "a", "c", "d", "e"]
    assert opaque("secret", "item", "img_0042") == "9cdzs5ky65jz"


def test_a_draw_does_not_depend_on_the_process_or_its_hash_seed() -> None:
    code = "from quorate.chance import order; print(order([str(n) for n in range(50)], 42, 'order', 'R1'))"
    outputs = set()
    for hash_seed in ("0", "1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        outputs.add(
            subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True).stdout
        )
    assert outputs == {(str(order([str(n) for n in range(50)], 42, "order", "R1")) + "\n").encode()}


def test_where_one_id_ends_and_the_next_begins_matters() -> None:
    assert draw(42, "p", "ab", "c") != draw(42, "p", "a", "bc")
    assert draw(42, "pa", "b") != draw(42, "p", "ab")


@pytest.mark.parametrize("other", [(43, "order", "R1"), (42, "sample", "R1"), (42, "order", "R2")])
def test_another_seed_purpose_or_rater_gives_another_order(other: tuple[int, str, str]) -> None:
    assert order(THINGS, 42, "order", "R1") != order(THINGS, *other)


@given(st.lists(st.text(), unique=True), st.integers())
def test_an_order_holds_everything_once_and_ignores_how_it_came(things: list[str], seed: int) -> None:
    drawn = order(things, seed, "order", "R1")
    assert sorted(drawn) == sorted(things)
    assert drawn == order(sorted(things, reverse=True), seed, "order", "R1")


def test_a_uniform_draw_is_spread_over_the_unit_interval() -> None:
    numbers = [uniform(42, "accuracy", n) for n in range(2000)]
    assert all(0 <= number < 1 for number in numbers)
    tenths = [sum(1 for number in numbers if int(number * 10) == tenth) for tenth in range(10)]
    assert min(tenths) > 150
    assert max(tenths) < 250


def test_a_sample_keeps_the_order_in_which_things_came() -> None:
    drawn = sample(THINGS, 20, 42, "sample")
    assert len(drawn) == len(set(drawn)) == 20
    assert drawn == sorted(drawn)


def test_a_larger_sample_contains_the_smaller_one() -> None:
    assert set(sample(THINGS, 20, 42, "sample")) < set(sample(THINGS, 40, 42, "sample"))


def test_every_thing_is_drawn_about_equally_often() -> None:
    counts = dict.fromkeys(THINGS[:20], 0)
    for seed in range(500):
        for thing in sample(THINGS[:20], 5, seed, "sample"):
            counts[thing] += 1
    assert min(counts.values()) > 90
    assert max(counts.values()) < 160


def test_the_published_recipe_gives_what_python_gives() -> None:
    random.seed(42)
    assert python_sample(1000, 100, 42) == sorted(random.sample(list(range(1000)), 100))


@given(st.integers(0, 50), st.integers(1, 5), st.integers())
def test_balanced_draws_differ_by_one_at_most(n: int, kinds: int, seed: int) -> None:
    drawn = balanced(n, list(range(kinds)), seed, "side", "R1")
    counts = [drawn.count(kind) for kind in range(kinds)]
    assert len(drawn) == n
    assert max(counts) - min(counts) <= 1


def test_which_side_gets_the_odd_one_out_is_drawn_too() -> None:
    assert {balanced(3, ["left", "right"], 42, "side", item).count("left") for item in THINGS} == {1, 2}


def test_opaque_names_depend_on_the_secret_and_do_not_collide() -> None:
    names = {opaque("secret", "item", thing) for thing in THINGS}
    assert len(names) == len(THINGS)
    assert names.isdisjoint(opaque("other", "item", thing) for thing in THINGS)
    assert not set("".join(names)) & set("01ilo")
