"""A table in text is read as its cells, whatever form it has; what is no table is none."""

from __future__ import annotations

import pytest

from quorate.tables import read_table

CELLS = [["Model", "WER", "n"], ["small", "12.5", "40"], ["large", "8.1", "40"]]


@pytest.mark.parametrize(
    "text",
    [
        "Model,WER,n\nsmall,12.5,40\nlarge,8.1,40\n",
        "Model;WER;n\r\nsmall;12.5;40\r\nlarge;8.1;40",
        "Model\tWER\tn\nsmall\t12.5\t40\nlarge\t8.1\t40",
        "| Model | WER | n |\n|:---|---:|:-:|\n| small | 12.5 | 40 |\n| large | 8.1 | 40 |",
        "Model | WER | n\n--- | --- | ---\nsmall | 12.5 | 40\nlarge | 8.1 | 40",
        "Model   WER    n\n-----  -----  --\nsmall   12.5   40\nlarge   8.1    40",
        "+-------+------+----+\n| Model | WER  | n  |\n+=======+======+====+\n"
        "| small | 12.5 | 40 |\n| large | 8.1 | 40 |",
        "<table><thead><tr><th>Model<th>WER<th>n</tr></thead><tbody><tr><td>small<td>12.5<td>40</tr>"
        "<tr><td>large</td><td> 8.1 </td><td>40</td></tr></tbody></table>",
        "<p>Table 1</p><TABLE border=1><tr><td><b>Model</b></td><td>WER</td><td>n</td></tr><tr><td>small</td><td>12.5"
        "</td><td>40</td></tr><tr><td>large</td><td>8.1</td><td>40</td></tr></TABLE>",
        '"Model","WER","n"\n"small","12.5","40"\n"large","8.1","40"',
    ],
)
def test_every_form_of_a_table_gives_the_same_cells(text: str) -> None:
    assert read_table(text) == CELLS


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n ",
        "Figure 3 shows the mean, the median and the mode.",
        "First, we trained the model on all of the data that we had collected during the spring.\n"
        "Second, we trained it again on half of the data, which took a good deal less time than before.",
        "one\ntwo\nthree",
        "<table><tr><td>alone</td></tr></table>",
        "<script>alert(1)</script>",
    ],
)
def test_what_is_no_table_is_none(text: str) -> None:
    assert read_table(text) is None


def test_short_rows_are_filled_up() -> None:
    assert read_table("a,b,c\n1,2,3\n4,5,6\n7,8,9\n10,11") == [
        ["a", "b", "c"],
        ["1", "2", "3"],
        ["4", "5", "6"],
        ["7", "8", "9"],
        ["10", "11", ""],
    ]


def test_a_cell_over_two_columns_leaves_the_second_empty() -> None:
    html = "<table><tr><th colspan=2>Both</th></tr><tr><td>1</td><td>2</td></tr></table>"
    assert read_table(html) == [["Both", ""], ["1", "2"]]


def test_bars_inside_cells_stay_when_they_are_escaped() -> None:
    assert read_table("| a | b |\n|---|---|\n| x \\| y | 2 |") == [["a", "b"], ["x | y", "2"]]


def test_a_table_inside_a_table_is_part_of_no_cell_of_ours() -> None:
    html = "<table><tr><td>1</td><td>2<table><tr><td>x</td></tr></table></td></tr><tr><td>3</td><td>4</td></tr></table>"
    assert [len(row) for row in read_table(html) or []] == [2, 2]


@pytest.mark.parametrize("text", ["|" * 400_000, "-" * 400_000 + "|x", "<table>" * 60_000, " " * 499_999 + "x"])
def test_a_hostile_text_is_no_table_and_comes_to_an_end(text: str) -> None:
    assert read_table(text) is None


def test_a_very_long_text_is_no_table() -> None:
    assert read_table("a,b\n" * 1_000_000) is None


def test_cells_left_empty_belong_to_the_column_under_which_they_stand() -> None:
    text = """\
Sample     Cu        Area       Cluster
           (wt %)    (m2 g-1)   (nm)
Zeolite    0.0       612        -
Cu-1       1.8       588        0.9
Cu-2       3.4       561
                                3.1
"""
    assert read_table(text) == [
        ["Sample", "Cu", "Area", "Cluster"],
        ["", "(wt %)", "(m2 g-1)", "(nm)"],
        ["Zeolite", "0.0", "612", "-"],
        ["Cu-1", "1.8", "588", "0.9"],
        ["Cu-2", "3.4", "561", ""],
        ["", "", "", "3.1"],
    ]


def test_numbers_that_end_under_each_other_are_one_column() -> None:
    text = """\
City      People    Area
Oslo     700,000     454
Bergen   286,000     465
Moss                  58
Narvik    21,000
"""
    assert read_table(text) == [
        ["City", "People", "Area"],
        ["Oslo", "700,000", "454"],
        ["Bergen", "286,000", "465"],
        ["Moss", "", "58"],
        ["Narvik", "21,000", ""],
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Data set  Library\nTrue\nFalse\nFalse\nTrue",
        "Name    Age\nAnn     31\n   a line that runs under both columns",
        "a  b\nc   d\ne\n   f  g  h  i",
    ],
)
def test_lines_that_keep_to_no_columns_are_no_table(text: str) -> None:
    assert read_table(text) is None
