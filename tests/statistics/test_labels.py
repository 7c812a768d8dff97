"""Labels that may repeat, in the forms people have them."""

import numpy as np
import pandas as pd
import pytest

from quorate.errors import DataError
from quorate.statistics.labels import read_labels

ROWS = [("x", "ann", "y"), ("x", "bob", "n"), ("z", "ann", "n"), ("z", "bob", None)]


def same(one, two):
    return one.items == two.items and one.votes.tolist() == two.votes.tolist() and one.raters == two.raters


def test_long_rows_frames_columns_and_mappings_are_the_same():
    long = read_labels(ROWS)
    frame = pd.DataFrame(ROWS, columns=["item", "rater", "value"])
    mapping = {"x": {"ann": "y", "bob": ["n"]}, "z": {"ann": "n"}}
    assert same(long, read_labels(frame))
    assert same(long, read_labels(*zip(*ROWS, strict=True)))
    assert same(long, read_labels(mapping))


def test_a_matrix_has_a_row_for_each_item():
    read = read_labels([["y", "n", None], [None, None, None], ["n", "n", "y"]])
    assert read.votes.tolist() == [[1, 1], [2, 1]]
    assert read.left_out == {"items without a label": 1}


def test_a_rater_may_label_an_item_twice():
    assert read_labels([("x", "ann", 1), ("x", "ann", 2), ("x", "ann", 1)]).votes.tolist() == [[2, 1]]


def test_declared_categories_count_even_if_unused():
    assert read_labels(ROWS, categories=["n", "y", "other"]).votes.shape == (2, 3)


@pytest.mark.parametrize("bad", [[], [("x", "ann", None)], [["a"], ["a", "b"]], "yn", [(None, "ann", "y")]])
def test_bad_input_is_a_sentence(bad):
    with pytest.raises(DataError):
        read_labels(bad)


def test_two_columns_without_the_third_are_refused():
    with pytest.raises(DataError):
        read_labels(["x"], ["ann"])


def test_numbers_in_an_array_are_a_matrix():
    assert read_labels(np.array([[1, 2, 1], [2, 2, 2]])).votes.tolist() == [[2, 1], [0, 3]]
