"""The best-ranked concepts are those that sorting everything would give."""

from __future__ import annotations

import numpy as np
import pytest

from quorate.plan.distractors import _ranked


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("n", [1, 3, 40, 100])
def test_the_best_are_those_of_a_full_sort(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    row = rng.integers(-20, 20, 60).astype(np.float32) / 20  # many ties
    candidates = [f"concept {k}" for k in rng.permutation(60)]
    fit = [place for place in range(60) if row[place] <= 0.8]
    expected = sorted(fit, key=lambda place: (-round(float(row[place]), 6), candidates[place]))
    assert _ranked(row, candidates, n, 0.8)[:n] == expected[:n]


def test_what_is_above_the_ceiling_is_no_distractor() -> None:
    assert _ranked(np.array([0.95, 0.5, 0.99], dtype=np.float32), ["a", "b", "c"], 2, 0.9) == [1]
