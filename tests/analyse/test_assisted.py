"""AI-assisted scoring in the results: corrected means hold the truth, an arm that saw the score stands apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyse.judging import scores, triaged
from quorate.analyse import analyse
from quorate.sheets.sheet import sheets


def test_the_corrected_mean_holds_what_people_would_have_given_and_the_judges_does_not(tmp_path: Path) -> None:
    protocol = scores(tmp_path, 1500)
    collected, truth = triaged(protocol)
    results = analyse(protocol, collected)
    corrected = results["score.quality.triage.corrected_mean"].estimate
    machine = results["score.quality.triage.judge_mean"].estimate
    assert corrected.low is not None
    assert corrected.high is not None
    assert corrected.low <= truth <= corrected.high
    assert machine.low is not None
    assert machine.low > truth
    gap = results["score.quality.triage.difference"].estimate
    assert gap.value == pytest.approx((machine.value or 0) - (corrected.value or 0), abs=0.03)
    saved = results["score.quality.triage.workload"]
    assert saved.counted == (sum(route.to == "accepted" for route in collected.routes), 1500)
    for domain in "ab":
        part = results[f"score.quality.triage.corrected_mean.by.domain.{domain}"].estimate
        assert part.value == pytest.approx(truth, abs=0.15)


def test_the_curve_is_in_the_results_with_an_id_for_each_number(tmp_path: Path) -> None:
    protocol = scores(tmp_path, 300)
    results = analyse(protocol, triaged(protocol)[0])
    found = [finding.id for finding in results.select(inquiry="triage") if finding.threshold is not None]
    assert found == [f"score.quality.triage.curve.{k:02d}.{what}" for k in (1, 2, 3) for what in ("saved", "error")]
    whole = results["score.quality.triage.curve.01.saved"].estimate
    assert whole.value == 1  # from the lowest score on, everything is accepted


def test_who_saw_the_score_is_in_no_agreement_and_no_mean(tmp_path: Path) -> None:
    protocol = scores(tmp_path, 200, ", show_score: 0.4")
    alike, pulled = (triaged(protocol, pull=pull)[0] for pull in (0.0, 1.0))
    (sheet,) = sheets(protocol, pulled)
    assert len(sheet.anchored) == len(pulled.anchored) > 50
    assert not {(a.item, a.rater) for a in sheet.people.answers} & {(i, r) for _, i, r in pulled.anchored}
    one, other = analyse(protocol, alike), analyse(protocol, pulled)
    # What those say who saw the score changes anchoring alone.
    changed = {f.id for f, g in zip(one, other, strict=True) if f.estimate != g.estimate}
    arm = ("shown", "difference", "distance.shown", "distance.difference")
    assert changed == {f"score.quality.anchoring.{name}" for name in arm}
    assert other.flow.answers["given"] == 3 * sum(route.to != "accepted" for route in pulled.routes)


def test_where_everybody_sees_the_score_agreeing_with_it_proves_nothing(tmp_path: Path) -> None:
    protocol = scores(tmp_path, 100, ", show_score: 1")
    results = analyse(protocol, triaged(protocol, pull=1.0)[0])
    assert results["score.quality.triage.audited_agreement"].estimate.value is None
    assert results["score.quality.triage.curve.01.error"].estimate.value is None
    assert results["score.quality.anchoring.difference"].estimate.value is None
    assert results["score.quality.anchoring.shown"].estimate.value == 1
    assert str(results["score.quality.triage.corrected_mean"].estimate.note) == "people saw the judge’s score"
    assert results["score.quality.left_out.ai.difference"].estimate.value is None
    assert any("anchored" in str(sentence) for sentence in results.notes)


def test_without_an_audit_the_report_says_that_it_is_unverified(tmp_path: Path) -> None:
    protocol = scores(tmp_path, 100, ", unverified: true")
    path = tmp_path / "study.yaml"
    path.write_text(path.read_text().replace("audit: 0.2", "audit: 0"))
    from quorate.protocol import load

    protocol = load(tmp_path)
    results = analyse(protocol, triaged(protocol, audit=0)[0])
    assert results["score.quality.triage.corrected_mean"].estimate.value is None
    assert any("unverified" in str(sentence) for sentence in results.notes)


def test_a_study_without_a_triage_rule_has_none_of_it(tmp_path: Path) -> None:
    protocol = scores(tmp_path, 20)
    path = tmp_path / "study.yaml"
    path.write_text("\n".join(line for line in path.read_text().splitlines() if not line.startswith("triage")))
    from quorate.protocol import load

    plain = load(tmp_path)
    results = analyse(plain, triaged(protocol)[0])
    assert not [f for f in results if f.inquiry in ("triage", "anchoring")]
