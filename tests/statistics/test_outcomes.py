"""Outcomes of comparisons in words and signs."""

import numpy as np
import pytest

from quorate.errors import DataError
from quorate.statistics.outcomes import read_outcomes, sign_of


@pytest.mark.parametrize(
    ("value", "sign"), [("WIN", 1), ("much_better", 1), ("A", 1), ("tie", 0), ("Worse", -1), (0.2, 1), (-3, -1), (0, 0)]
)
def test_words_and_numbers_have_a_sign(value, sign):
    assert sign_of(value, "outcomes[0]") == sign


def test_true_is_a_win_and_false_a_loss_not_a_tie():
    assert (sign_of(True, "x"), sign_of(np.False_, "x")) == (1, -1)


def test_a_slip_is_named_with_its_place_and_a_suggestion():
    with pytest.raises(DataError, match=r"outcomes\[3\].*Did you mean 'better'"):
        sign_of("beter", "outcomes[3]")


def test_a_table_is_grouped_by_item():
    signs, groups, missing, clustered = read_outcomes([[1, None], [0, -1]], None)
    assert (signs.tolist(), groups.tolist(), missing, clustered) == ([1, 0, -1], [0, 1, 1], 1, True)


def test_a_column_stands_for_itself():
    assert read_outcomes(["win", "loss"], None)[3] is False
