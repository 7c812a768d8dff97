"""What seeing a judge's score does to people: they give it more often, and come nearer to it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from analyse.judging import scores, triaged
from quorate.analyse import analyse
from quorate.findings.results import Results
from quorate.protocol import load
from quorate.records import Collected


def test_anchoring_is_the_difference_between_the_arms_with_its_interval(tmp_path: Path) -> None:
    protocol = scores(tmp_path, 400, ", show_score: 0.4")
    pulled = analyse(protocol, triaged(protocol, pull=1.0)[0])["score.quality.anchoring.difference"].estimate
    free = analyse(protocol, triaged(protocol, pull=0.0)[0])["score.quality.anchoring.difference"].estimate
    assert pulled.low is not None
    assert pulled.low > 0.05
    assert free.low is not None
    assert free.high is not None
    assert free.low <= 0 <= free.high


def slid(tmp_path: Path, pull: float, more: str = ", show_score: 0.4") -> Results:
    """The same study with a slider: everybody is a little beside the truth, each by as much as the place says."""
    scores(tmp_path, 400, more)
    path = tmp_path / "study.yaml"
    path.write_text(path.read_text().replace("rating: {prompt: Quality, points: [0, 1, 2]}", SLIDER))
    protocol = load(tmp_path)
    collected = triaged(protocol, pull=pull)[0]
    answers = tuple(
        replace(a, value=a.value + (0.1 * (a.repeat + 1) if a.by == "rater" else 0.0)) for a in collected.answers
    )
    return analyse(protocol, Collected(collected.items, answers, routes=collected.routes, anchored=collected.anchored))


SLIDER = "slider: {prompt: Quality, low: 0, high: 3, step: 0.1}"


def test_a_slider_is_pulled_to_the_score_that_is_seen(tmp_path: Path) -> None:
    pulled, free = (slid(tmp_path / str(pull), pull) for pull in (1.0, 0.0))
    gap = pulled["score.quality.anchoring.distance.difference"]
    assert gap.primary
    assert gap.estimate.high is not None
    assert gap.estimate.high < 0
    seen = pulled["score.quality.anchoring.distance.shown"].estimate
    assert seen.value == pytest.approx(0.2, abs=0.02)  # 0.1, 0.2 or 0.3 beside the score that they take over
    none = free["score.quality.anchoring.distance.difference"].estimate
    assert none.low is not None
    assert none.high is not None
    assert none.low <= 0 <= none.high
    assert "score.quality.anchoring.difference" not in {f.id for f in pulled}


def test_a_scale_of_points_has_both_agreement_and_distance(tmp_path: Path) -> None:
    protocol = scores(tmp_path, 400, ", show_score: 0.4")
    results = analyse(protocol, triaged(protocol, pull=1.0)[0])
    assert results["score.quality.anchoring.shown"].estimate.value == 1
    assert results["score.quality.anchoring.distance.shown"].estimate.value == 0
    assert (results["score.quality.anchoring.distance.hidden"].estimate.value or 0) > 0


def test_where_everybody_sees_it_the_distance_has_one_arm(tmp_path: Path) -> None:
    results = slid(tmp_path, 1.0, ", show_score: 1")
    assert results["score.quality.anchoring.distance.hidden"].estimate.value is None
    assert results["score.quality.anchoring.distance.difference"].estimate.value is None
    assert results["score.quality.anchoring.distance.shown"].estimate.value is not None


def test_a_slider_has_a_distance_where_points_have_agreement(tmp_path: Path) -> None:
    results = slid(tmp_path, 0.0)
    ids = {finding.id for finding in results}
    assert "score.quality.triage.audited_agreement" not in ids
    assert not [id for id in ids if ".triage.curve." in id]  # two marks of a slider are never quite the same
    apart = results["score.quality.triage.audited_distance"].estimate
    assert apart.low is not None
    assert apart.high is not None
    # People are 0.2 above the truth; of what the judge gives a 2, and so settles, 3 in 23 are truly a 1.
    assert apart.low < 20 / 23 * 0.2 + 3 / 23 * 0.8 < apart.high
