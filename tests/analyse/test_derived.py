"""A weighted score is over what applies, in whichever order its parts stand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from quorate.study import Study
from unseen.odd import made, rows

ASK = [
    {
        "id": "edit",
        "rating": {"prompt": "How good is the edit?", "points": [1, 2, 3]},
        "applies_when": 'kind == "edit"',
    },
    {"id": "whole", "rating": {"prompt": "How good is it?", "points": [1, 2, 3]}},
]


@pytest.mark.parametrize("weights", [{"edit": 60, "whole": 40}, {"whole": 40, "edit": 60}])
def test_a_score_counts_items_to_which_its_first_part_does_not_apply(tmp_path: Path, weights: dict[str, int]) -> None:
    scores = [{"id": "weighted", "weights": weights}]
    section = {"id": "s", "show": [{"text": "text"}], "ask": ASK, "scores": scores}
    items = rows(9, kind=lambda k: ("edit", "new", "")[k % 3])
    study = Study(
        made(tmp_path / "study", "A score", items, [section], {"per_item": 3, "roster": 3}, analysis={"by": "kind"})
    )
    study.rehearse(seed=1)
    given: dict[tuple[str, str], dict[str, int]] = {}
    for answer in study.collected().answers:
        if answer.value is not None:
            given.setdefault((answer.item, answer.rater), {})[answer.question] = answer.value
    items_means: dict[str, list[float]] = {}
    for (item, _), values in given.items():
        total = sum(weights[name] * value for name, value in values.items())
        items_means.setdefault(item, []).append(total / sum(weights[name] for name in values))
    expected = np.mean([np.mean(numbers) for numbers in items_means.values()])
    found = {finding.id: finding.estimate for finding in study.results().findings}
    assert found["s.weighted.mean"].n_items == len(items_means) == 9
    assert found["s.weighted.mean"].value == pytest.approx(expected)
    assert {id for id in found if id.startswith("s.weighted.mean.by.kind.")} >= {"s.weighted.mean.by.kind.new"}
    study.close()
