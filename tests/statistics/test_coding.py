import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quorate.errors import DataError
from quorate.statistics.coding import NONE, as_array, code, smallest_type


@given(st.lists(st.one_of(st.none(), st.integers(-300, 300)), min_size=1, max_size=60))
def test_codes_stand_for_the_values_they_came_from(values):
    codes, categories = code(as_array(values))
    assert [None if c == NONE else categories[c] for c in codes] == values
    assert list(categories) == sorted(set(values) - {None})


@given(st.lists(st.one_of(st.just(float("nan")), st.floats(-1e6, 1e6)), min_size=1, max_size=60))
@example([5e-120, -1.0])
def test_numbers_with_fractions_keep_their_values(values):
    codes, categories = code(np.array(values))
    back = [float("nan") if c == NONE else categories[c] for c in codes]
    assert np.array_equal(back, np.array(values) + 0.0, equal_nan=True)


def test_blocks_do_not_show():
    rng = np.random.default_rng(0)
    table = rng.integers(0, 7, (5, 100_000)).astype(float)
    table[rng.random(table.shape) < 0.1] = np.nan
    table[0, 99_999] = 90
    codes, categories = code(table)
    assert categories == (0, 1, 2, 3, 4, 5, 6, 90)
    assert np.array_equal(np.append(np.array(categories, float), np.nan)[codes], table, equal_nan=True)
    lying, _ = code(np.ascontiguousarray(table.T).T)
    assert np.array_equal(lying, codes)


def test_a_fraction_in_the_last_block_is_not_cut_off():
    table = np.zeros(100_000)
    table[-1] = 0.5
    assert code(table)[1] == (0, 0.5)


def test_one_never_becomes_the_text_one():
    assert code(as_array([1, "1", 1.0, True]))[1] == (1, "1")


def test_masked_arrays_are_missing_where_they_are_masked():
    masked = np.ma.array([1, 2, 3], mask=[False, True, False])
    assert code(as_array(masked))[0].tolist() == [0, NONE, 1]


def test_codes_take_the_smallest_type():
    assert [smallest_type(k) for k in (5, 500, 50_000)] == [np.int8, np.int16, np.int32]
    assert code(np.arange(1000))[0].dtype == np.int16


def test_large_whole_numbers_in_a_short_range_are_read_without_loss():
    years = np.array([10**15, 10**15 + 2, 10**15 + 2])
    assert code(years)[1] == (10**15, 10**15 + 2)
    assert code(years.astype(float))[0].tolist() == [0, 1, 1]


def test_values_that_cannot_be_a_rating_are_refused():
    with pytest.raises(DataError, match="not a single value"):
        code(as_array([{1}, 2]))
    with pytest.raises(DataError, match="infinite"):
        code(as_array([float("inf"), "a"]))
