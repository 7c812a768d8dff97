"""What the typeset report cannot print is said."""

from __future__ import annotations

import typst

from quorate.report.pdf import LETTERS, without_letters


def test_letters_that_no_font_has_are_said_wherever_they_stand_and_only_then() -> None:
    has_none = not set(LETTERS["zh"]) & set(typst.Fonts().families())
    assert bool(without_letters("“千问” was preferred to “gpt-4.1”")) == has_none
    assert without_letters("“gpt-4.1” was preferred to “C++”, “naïve–dash” and “≥ 10”") == ""
