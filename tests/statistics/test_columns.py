"""Columns as people give them: numbers, gaps, groups."""

import numpy as np
import pandas as pd
import pytest

from quorate.errors import DataError
from quorate.statistics.columns import coded, grouped, is_missing, jackknife_se, numbers, of_groups


@pytest.mark.parametrize("value", [None, float("nan"), np.nan, pd.NA, "", "  ", pd.NaT])
def test_what_is_no_value_is_missing(value):
    assert is_missing(value)


@pytest.mark.parametrize("value", [0, False, "no", "nan?", [], 0.0])
def test_what_is_a_value_is_not_missing(value):
    assert not is_missing(value)


def test_numbers_come_from_any_column():
    for column in ([1, None, 2.5], (1, "", "2.5"), np.array([1, np.nan, 2.5]), pd.Series([1, None, 2.5])):
        assert numbers(column, "x") == pytest.approx([1, np.nan, 2.5], nan_ok=True)


@pytest.mark.parametrize("column", [["x"], [float("inf")], 3, [[1, 2]], None])
def test_what_is_no_column_of_numbers_is_a_sentence(column):
    with pytest.raises(DataError):
        numbers(column, "x")


def test_labels_are_coded_by_first_appearance():
    names, codes = coded(["b", None, "a", "b"], "group")
    assert (names, codes.tolist()) == (["b", "a"], [0, -1, 1, 0])


def test_groups_of_kept_rows_are_numbered_without_gaps():
    assert grouped(["x", "y", "z", "x"], np.array([True, False, True, True])).tolist() == [0, 1, 0]


def test_a_statistic_of_rows_becomes_one_of_groups():
    x = np.array([1.0, 2.0, 6.0])
    mean = of_groups(lambda w: w @ x / w.sum(axis=1), np.array([0, 0, 1]))
    assert mean(np.array([[1.0, 1.0], [2.0, 0.0]])).tolist() == [3.0, 1.5]


def test_the_jackknife_of_a_mean_is_its_standard_error():
    x = np.array([1.0, 4.0, 2.0, 8.0])
    left_out = (x.sum() - x) / 3
    assert jackknife_se(left_out) == pytest.approx(x.std(ddof=1) / 2)
