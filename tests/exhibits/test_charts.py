"""What captions of drawings say of them is what was drawn."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from quorate.exhibits.charts import Panel, how_drawn, means
from quorate.exhibits.svg import wide


@pytest.mark.parametrize(("low", "told"), [(None, False), (2.5, True)])
def test_lines_are_told_of_where_an_interval_is_drawn(low: float | None, told: bool) -> None:
    line = {"label": "C++", "value": 3.0, "low": low, "high": 3.5 if low else None, "text": "3.00", "marks": []}
    said = " ".join(map(str, how_drawn([Panel("", (1.0, 5.0), [line])])))
    assert ("Lines are intervals." in said) is told


@pytest.mark.parametrize("end", [100.0, 1000.0, 100_000.0])
def test_numbers_below_panels_side_by_side_stand_apart(end: float) -> None:
    line = {
        "label": "a rather long name of a system",
        "value": 0.0,
        "low": None,
        "high": None,
        "text": "0",
        "marks": [],
    }
    drawn = means([Panel(title, (-end, end), [line]) for title in ("One", "Two", "Three")])
    spans, start = [], 0.0
    for moved, x, text in re.findall(r'translate\(([\d.-]+),[\d.-]+\)|x="([\d.-]+)"[^>]*>([−\d,]+)</text>', drawn):
        if moved:
            start = float(moved)
        elif text != "0":
            spans.append((start + float(x) - wide(text) / 2, start + float(x) + wide(text) / 2))
    assert len(spans) >= 6
    assert all(one[1] < other[0] for one, other in pairwise(sorted(spans)))
