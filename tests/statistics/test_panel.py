"""A judge beside a panel of people."""

import numpy as np
import pandas as pd
import pytest

from quorate.errors import DataError
from quorate.statistics.panel import read_panel

JUDGE = ["y", "n", None]
PEOPLE = [["y", "n"], ["n", None], ["y", "y"]]


def test_tables_frames_and_mappings_are_the_same_panel():
    plain = read_panel(JUDGE, PEOPLE)
    frame = pd.DataFrame(PEOPLE, columns=["ann", "bob"])
    by_person = {"ann": ["y", "n", "y"], "bob": ["n", None, "y"]}
    for form in (frame, by_person):
        other = read_panel(JUDGE, form)
        assert other.people.tolist() == plain.people.tolist()
        assert other.names == ("ann", "bob")


def test_the_rest_leaves_the_person_out():
    assert read_panel(JUDGE, PEOPLE).rest(0).tolist() == [[1, 0], [0, 0], [0, 1]]


def test_an_item_is_clear_when_more_than_half_agree():
    assert read_panel(JUDGE, PEOPLE).clear().tolist() == [False, True, True]


def test_an_item_nobody_answered_is_not_clear():
    assert read_panel(["y"], [[None, None]], categories=["y"]).clear().tolist() == [False]


def test_text_answers_are_not_numbers():
    with pytest.raises(DataError):
        read_panel(JUDGE, PEOPLE).numbers()


def test_numbers_may_come_as_arrays():
    panel = read_panel(np.array([1, 2]), np.array([[1, 2], [2, 2]]))
    assert panel.numbers().tolist() == [1, 2]
