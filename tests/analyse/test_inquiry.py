from __future__ import annotations

from quorate import statistics
from quorate.sheets.case import computed


def test_what_a_statistic_refuses_is_undefined_with_its_sentence() -> None:
    found = computed(statistics.cohen_kappa, ["a", "b"], ["a"], confidence=0.9)
    assert found.value is None
    assert "2 ratings and the second 1" in str(found.note)
    assert found.confidence == 0.9
