"""No text becomes a formula in a spreadsheet, and every text can be had back exactly."""

from __future__ import annotations

import csv
import io
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quorate.spreadsheets import csv_table, inert, meant

TEXTS = st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\0"))
FORMULAS = ("=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "\uff1d1+1", "- none", "-", "+49 30 1234")


@given(TEXTS | st.text("'=+-@\t\r\n 1.e,;\"", max_size=6))
@example("'=1")
@example("''-x")
def test_every_text_can_be_had_back(text: str) -> None:
    assert meant(inert(text)) == text
    ((header, _), (cell, last)) = csv.reader(io.StringIO(csv_table(["a", "b"], [[text, "end"]]), newline=""))
    assert (header, meant(cell), last) == ("a", text, "end")


@given(TEXTS)
def test_no_cell_and_no_line_of_one_begins_a_formula(text: str) -> None:
    written = csv_table(["a", "b"], [["x", text]])
    ((_, _), (_, cell)) = csv.reader(io.StringIO(written, newline=""))
    assert re.fullmatch(r"[+-]?[\d.]+([eE][+-]?\d+)?", cell, re.ASCII) or not cell.startswith(tuple("=+-@\t\r\n"))


@pytest.mark.parametrize("text", FORMULAS)
def test_what_a_spreadsheet_would_run_is_written_with_an_apostrophe(text: str) -> None:
    assert inert(text) == f"'{text}"


@pytest.mark.parametrize("value", ["-3", "+3", "-3.5e-2", "-.5", -3, -3.5, True, None, "'tis", "a = b", "", "x\r=1"])
def test_numbers_and_other_texts_stay_as_they_are(value: object) -> None:
    assert inert(value) == value
    assert meant(value) == value


def test_a_return_inside_a_cell_begins_no_row() -> None:
    assert csv_table(["a"], [["x\r=1+1"]]) == 'a\n"x\r=1+1"\n'


def test_columns_of_the_studys_own_table_are_written_as_they_came() -> None:
    assert csv_table(["=own", "said"], [["=1", "=1"]], as_they_came={"=own"}) == "=own,said\n=1,'=1\n"
