"""The small language of "applies when": comparisons, and nothing that could run."""

from __future__ import annotations

import pytest

from quorate.conditions import condition

VALUES = {
    "kind": "edit", "turn": "2", "score": 4, "note": "", "gone": None, "agreed": "no", "done": "yes",
    "tags": ["unsure", "verbose"], "off": False, "offset": "3",
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ('kind == "edit"', True),
        ("kind == 'other'", False),
        ('kind != "other"', True),
        ("turn == 2", True),
        ("turn > 1", True),
        ("turn >= 3", False),
        ("1 < turn < 3", True),
        ("score < 4.5 and turn > 0", True),
        ("score > 4 or turn > 0", True),
        ("not turn > 0", False),
        ("score > -1", True),
        ('kind in ["edit", "make"]', True),
        ('kind not in ["edit", "make"]', False),
        ("turn in [1, 2]", True),
        ("note is empty", True),
        ("gone is empty", True),
        ("unknown is empty", True),
        ("kind is not empty", True),
        ("kind is empty", False),
        ('kind == "it is empty"', False),
        ("agreed", False),
        ("off", False),
        ("done", True),
        ("not agreed", True),
        ("note", False),
        ('tags == "unsure"', True),
        ('tags == "truncated"', False),
    ],
)
def test_a_condition_holds_as_it_reads(text: str, holds: bool) -> None:
    assert condition(text).holds(VALUES) is holds


@pytest.mark.parametrize("comparison", ["== 3", "!= 3", "< 3", "> 3", "in [1, 2]", "not in [1, 2]"])
@pytest.mark.parametrize("name", ["gone", "note", "unknown"])
def test_nothing_is_true_of_what_has_no_value(name: str, comparison: str) -> None:
    assert condition(f"{name} {comparison}").holds(VALUES) is False


def test_words_inside_quotes_stay_what_they_are() -> None:
    assert condition('note == "this is empty"').holds({"note": "this is empty"})


@pytest.mark.parametrize(
    "text",
    [
        '__import__("os")', "kind.upper() == 'EDIT'", "kind.__class__", "[x for x in kind]", "lambda: 1",
        "kind[0] == 'e'",
        "turn + 1 > 2", "(kind := 'x')", "f'{kind}'", "turn > -offset", "kind if turn else note", "", "kind ==", "a; b",
        "import os", "b'x' == kind", "kind == {'a': 1}",
    ],
)  # fmt: skip
def test_everything_else_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match='It compares fields, as in: type == "figure"'):
        condition(text)


def test_a_condition_names_the_fields_it_reads() -> None:
    assert condition('kind == "edit" and (turn > 0 or note is not empty)').names == {"kind", "turn", "note"}
