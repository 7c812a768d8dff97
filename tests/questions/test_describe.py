"""A stored value is told in the words of the page: in the rater's language, by side, never by system."""

from __future__ import annotations

from typing import Any

import pytest

from quorate.questions import QUESTIONS
from quorate.records import Item, Shown

LEFT = Shown({"left": "ours", "right": "theirs"})
RIGHT = Shown({"left": "theirs", "right": "ours"})
POINTS = [{"en": "Worse", "zh": "更差"}, {"en": "Same", "zh": "相同"}, {"en": "Better", "zh": "更好"}]
TAGS = [{"name": "Motion", "tags": [{"en": "Jitter", "zh": "抖动"}, {"en": "Freeze", "zh": "卡顿"}]}]
ITEM = Item("one", {})


@pytest.mark.parametrize(
    ("kind", "settings", "value", "shown", "expected"),
    [
        ("choice", {"options": [{"en": "Yes, clearly", "zh": "是，很清楚"}, "No"]}, "Yes, clearly", LEFT, "是，很清楚"),
        ("preference", {"points": POINTS, "of": "ours"}, 1, LEFT, "更好"),
        ("preference", {"points": POINTS, "of": "ours"}, 1, RIGHT, "更差"),
        ("preference", {"points": POINTS, "of": "ours"}, "1", LEFT, "更好"),
        ("preference", {"points": POINTS}, "unsure", LEFT, ""),
        ("winner", {"tie_label": {"en": "Tie", "zh": "无法区分"}}, "tie", LEFT, "无法区分"),
        ("winner", {}, "ours", RIGHT, "B"),
        ("rating", {"points": [1, 2, 3], "each": "side"}, {"ours": 3, "theirs": 1}, RIGHT, "A: 1, B: 3"),
        (
            "slider",
            {"each": "side"},
            {"x": 1.0, "y": 2.0, "z": 3.0},
            Shown({"a": "z", "b": "x", "c": "y"}),
            "A: 3, B: 1, C: 2",
        ),
        ("slider", {"each": "side"}, {"ours": 62.0, "theirs": 7.5}, LEFT, "A: 62, B: 7.5"),
        ("tags", {"groups": TAGS}, {"primary": ["Freeze"], "secondary": ["Jitter"]}, LEFT, "卡顿; 抖动"),
    ],
)
def test_a_value_is_told_in_the_words_of_the_page(
    kind: str, settings: dict[str, Any], value: Any, shown: Shown, expected: str
) -> None:
    question = QUESTIONS[kind].model_validate({"prompt": "?", **settings})
    assert question.describe(value, shown, ITEM, "zh") == expected
