"""What captions of drawings say of them is what was drawn."""

from __future__ import annotations

import pytest

from quorate.exhibits.charts import Panel, how_drawn


@pytest.mark.parametrize(("low", "told"), [(None, False), (2.5, True)])
def test_lines_are_told_of_where_an_interval_is_drawn(low: float | None, told: bool) -> None:
    line = {"label": "C++", "value": 3.0, "low": low, "high": 3.5 if low else None, "text": "3.00", "marks": []}
    said = " ".join(map(str, how_drawn([Panel("", (1.0, 5.0), [line])])))
    assert ("Lines are intervals." in said) is told
