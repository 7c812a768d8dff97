"""The protocol of `abstract-visual` in small: the same panels, quiz and cut, and every planned answer is given."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "bench"))

from full_size import full_size, rehearsed


def test_thirty_six_candidates_are_cut_to_eighteen_raters_who_answer_everything_in_both_sections(
    tmp_path: Path,
) -> None:
    found, _ = rehearsed(full_size(tmp_path / "study", a_domain=4))
    assert found == {
        "candidates": 36, "raters": 18, "items": 24, "answers in recognise": 72, "answers in compare": 72,
    }  # fmt: skip
