import numpy as np
import pytest

from quorate.statistics.patterns import distinct_columns


@pytest.mark.parametrize(("lines", "base", "n"), [(3, 4, 500), (6, 30, 300), (12, 20, 200), (20, 3, 50), (60, 9, 400)])
def test_the_different_columns_are_those_that_sorting_finds(lines, base, n):
    rng = np.random.default_rng(lines)
    table = rng.integers(0, base, (lines, max(2, n // 5)))[:, rng.integers(0, max(2, n // 5), n)]
    found = distinct_columns(table, base)
    rows, counts = np.unique(table.T, axis=0, return_counts=True)
    order = np.lexsort(found.rows.T[::-1])
    assert np.array_equal(found.rows[order], rows)
    assert np.array_equal(found.count[order], counts)
    assert np.array_equal(found.rows[found.index()], table.T)


def test_the_order_of_items_does_not_change_the_patterns():
    rng = np.random.default_rng(0)
    for lines in (4, 50):
        table = rng.integers(0, 5, (lines, 100))
        shuffled = table[:, rng.permutation(100)]
        assert np.array_equal(distinct_columns(table, 5).rows, distinct_columns(shuffled, 5).rows)


def test_no_items_have_no_patterns():
    assert len(distinct_columns(np.zeros((3, 0), int), 2).rows) == 0
