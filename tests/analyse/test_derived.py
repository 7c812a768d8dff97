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


def test_a_judge_that_answers_only_some_of_the_parts_has_no_score(tmp_path: Path) -> None:
    ask = [{"id": name, "rating": {"prompt": f"{name}?", "points": [1, 2, 3]}} for name in ("clear", "true")]
    section = {
        "id": "s",
        "show": [{"text": "text"}],
        "hide": ["said", "both"],
        "ask": ask,
        "scores": [{"id": "total", "weights": {"true": 1, "clear": 2}}],
    }
    judges = {
        "half": {"recorded": {"field": {"clear": "said"}}},
        "whole": {"recorded": {"field": {"clear": "said", "true": "both"}}},
    }
    study = Study(
        made(
            tmp_path / "study",
            "A score",
            rows(6, said=lambda k: 1 + k % 3, both=lambda k: 3 - k % 3),
            [section],
            {"per_item": 2, "roster": 2},
            judges=judges,
            analysis={"hypotheses": []},
        )
    )
    study.rehearse(seed=1)
    found = study.results()
    beside = {(one.judge, one.question) for one in found.select(statistic="mean difference")}
    assert beside == {("half", "clear"), ("whole", "clear"), ("whole", "true"), ("whole", "total")}
    its = np.mean([((3 - k % 3) + 2 * (1 + k % 3)) / 3 for k in range(6)])
    assert found["s.total.mean.judge.whole"].estimate.value == pytest.approx(its)
    study.close()
