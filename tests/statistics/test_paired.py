"""Paired comparisons in the forms people have them."""

import numpy as np
import pandas as pd
import pytest

from quorate.errors import DataError
from quorate.statistics.paired import read_comparisons

ROWS = [("a", "b", "a"), ("a", "b", "b"), ("b", "c", "tie"), ("a", "b", None)]


def test_rows_become_counts_of_each_ordered_pair():
    read = read_comparisons(ROWS)
    assert read.names == ("a", "b", "c")
    assert read.total.tolist() == [[1, 0, 1], [0, 1, 0]]
    assert read.left_out == 1


def test_a_frame_a_mapping_and_rows_are_the_same():
    columns = {"first": [r[0] for r in ROWS], "second": [r[1] for r in ROWS], "outcome": [r[2] for r in ROWS]}
    for form in (columns, pd.DataFrame(columns)):
        assert read_comparisons(form).total.tolist() == read_comparisons(ROWS).total.tolist()


def test_winners_and_losers_have_no_order():
    read = read_comparisons([("a", "b"), ("b", "a")])
    assert not read.ordered
    assert read.total[:, 0].tolist() == [1, 1]


def test_a_square_table_is_wins_of_row_over_column():
    read = read_comparisons([[0, 3], [1, 0]], names=["x", "y"])
    assert read.total.tolist() == [[3, 0, 1]]


def test_who_beat_or_tied_whom():
    assert read_comparisons(ROWS).beats.astype(int).tolist() == [[0, 1, 0], [1, 0, 1], [0, 1, 0]]


def test_whole_number_names_that_cannot_be_signs_are_names():
    assert read_comparisons([(2, 3, 3), (3, 2, 3)]).total.tolist() == [[0, 0, 1], [1, 0, 0]]


@pytest.mark.parametrize(
    ("rows", "options"),
    [
        ([("a", "b", "a"), ("a", "b")], {}),
        ([(None, "b", "tie")], {}),
        ([("a", "b", None)], {}),
        (np.array([[0, 1], [2, 0]]), {"names": ["only one"]}),
        (np.array([[0, -1], [2, 0]]), {}),
        (np.array([[0, 1], [2, 0]]), {"clusters": ["x", "y"]}),
        ([("a", "b", "a")], {"tied": [[0]]}),
    ],
)
def test_bad_input_is_a_sentence(rows, options):
    with pytest.raises(DataError):
        read_comparisons(rows, **options)
