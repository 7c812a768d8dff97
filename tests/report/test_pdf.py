"""What is typeset: long texts in their columns, and what no font can print."""

from __future__ import annotations

import pytest
import typst

from quorate.exhibits.tables import Cell, Table
from quorate.report.pdf import LETTERS, LINE, _for_lines, widths, without_letters


def test_letters_that_no_font_has_are_said_wherever_they_stand_and_only_then() -> None:
    has_none = not set(LETTERS["zh"]) & set(typst.Fonts().families())
    assert bool(without_letters("“千问” was preferred to “gpt-4.1”")) == has_none
    assert without_letters("“gpt-4.1” was preferred to “C++”, “naïve–dash” and “≥ 10”") == ""


def table(names: tuple[str, ...], numbers: int = 3) -> Table:
    heads = (*(f"Name {place}" for place in range(len(names))), *(["Value"] * numbers))
    row = (*map(Cell, names), *(Cell("−0.25", small="[−0.50, 0.25]") for _ in range(numbers)))
    numeric = frozenset(range(len(names), len(heads)))
    return Table("t", "Title", "Caption.", heads, (row,), numeric=numeric)


def test_a_long_name_leaves_a_short_one_all_the_room_that_it_wants() -> None:
    short, long, *_ = widths(table(("How good is it?", "x" * 80)))
    assert short == len("How good is it?")
    assert short < long <= LINE


def test_two_long_names_share_what_is_left_alike() -> None:
    one, other, *_ = widths(table(("x" * 80, "y" * 70)))
    assert one == other


@pytest.mark.parametrize("name", ["x" * 80, "under_score_" * 8])
def test_a_name_without_spaces_may_break_and_files_keep_theirs(name: str) -> None:
    held = _for_lines({"caption": name, "file": name, "provenance": [["hash", name]], "n": 3})
    assert "\u200b" in held["caption"]
    assert held["caption"].replace("\u200b", "") == name
    assert (held["file"], held["provenance"], held["n"]) == (name, [["hash", name]], 3)
