"""Corrected means are right on average whatever the judge's errors, and undefined without an audit."""

from __future__ import annotations

from dataclasses import replace
from statistics import mean

import numpy as np
import pytest

from quorate.inquiries.triage import (
    Scored,
    audited_agreement,
    by_cluster,
    corrected_mean,
    curve,
    difference,
    judges_mean,
    merged,
    workload,
)


def population(seed: int, n: int = 1500, audit: float = 0.15) -> tuple[list[Scored], float]:
    """Scores from 0 to 2 by people and by a judge that is too kind; low ones are reviewed, the rest audited."""
    rng = np.random.default_rng(seed)
    truth = rng.choice([0, 1, 2], n, p=[0.2, 0.3, 0.5])
    wrong = rng.random(n) < 0.3
    ai = np.where(wrong, np.minimum(truth + 1, 2), truth)
    rows = []
    for number in range(n):
        sent = ai[number] <= 1
        looked = sent or rng.random() < audit
        human = float(truth[number]) if looked else None
        sure = float(rng.random())
        inclusion = 1.0 if sent else audit
        rows.append(Scored(str(number), float(ai[number]), human, human, inclusion, sure, not looked, number // 5))
    return rows, float(truth.mean())


def test_the_corrected_mean_is_right_on_average_and_its_interval_holds_what_it_says() -> None:
    superpopulation = 0.3 * 1 + 0.5 * 2
    found = [corrected_mean(population(seed, 600)[0]) for seed in range(300)]
    values = [one.value for one in found if one.value is not None]
    covered = mean(one.low <= superpopulation <= one.high for one in found if one.low is not None and one.high)
    assert len(values) == 300
    assert mean(values) == pytest.approx(superpopulation, abs=0.01)
    assert 0.92 <= covered <= 0.98


def test_the_judges_mean_and_the_merged_mean_are_off_where_the_corrected_one_is_not() -> None:
    rows, truth = population(1, 20_000)
    corrected = corrected_mean(rows).value
    assert corrected == pytest.approx(truth, abs=0.02)
    assert mean(row.ai or 0 for row in rows) > truth + 0.1
    assert mean(value or 0 for _, value, _ in merged(rows)) > truth + 0.05


def test_without_an_audit_what_cannot_be_known_is_undefined_with_the_reason() -> None:
    rows, _ = population(2, 300, audit=0)
    for found in (corrected_mean(rows), audited_agreement(rows), curve(rows)[0].error):
        assert found.value is None
        assert "audit" in str(found.note)


def test_a_single_audited_item_is_not_enough() -> None:
    sent = [Scored("a", 0, 0, 0, 1.0), Scored("b", 1, 1, 1, 1.0)]
    found = corrected_mean([*sent, Scored("c", 2, 2, 2, 0.1), Scored("d", 2, None, None, 0.1)])
    assert found.value is None
    assert "single audited item" in str(found.note)


def test_where_people_look_at_everything_the_corrected_mean_is_theirs() -> None:
    rows = [Scored(str(k), 2, float(k % 3), float(k % 3), 1.0) for k in range(30)]
    assert corrected_mean(rows).value == pytest.approx(1)
    assert workload(rows).value == 0


def test_workload_is_what_nobody_had_to_look_at() -> None:
    rows, _ = population(3, 1000)
    unseen = sum(row.human is None for row in rows)
    assert workload(rows).value == unseen / 1000
    assert unseen > 300
    # What people have not answered yet is no saving.
    assert workload([Scored("a", 2, None, None, 1.0), Scored("b", 2, None, None, 0.2, accepted=True)]).value == 0.5


def test_agreement_is_counted_where_the_judge_settled_and_people_looked_all_the_same() -> None:
    rows = [
        Scored("sent", 0, 2, 2, 1.0),  # not part of it
        Scored("same", 2, 2, 2, 0.5),
        Scored("other", 2, 1, 1, 0.5),
        Scored("split", 2, 1.5, None, 0.5),
        Scored("unseen", 2, None, None, 0.5),
    ]
    found = audited_agreement(rows)
    assert found.value == 0.5
    assert (found.n_items, found.n_ratings, found.left_out) == (3, 2, {"without a verdict": 1})


def test_the_merged_column_says_where_each_score_is_from() -> None:
    rows = [Scored("a", 2, 1.5, None, 0.5), Scored("b", 2, None, None, 0.5), Scored("c", None, None, None, 1.0)]
    assert merged(rows) == [("a", 1.5, "human"), ("b", 2, "ai"), ("c", None, "")]


def test_the_judges_mean_minus_what_it_is_off_by_is_the_corrected_mean() -> None:
    rows, truth = population(4, 20_000)
    machine, gap = judges_mean(rows).value, difference(rows)
    assert machine is not None
    assert gap.value is not None
    assert machine - gap.value == pytest.approx(truth, abs=0.02)
    assert gap.low is not None
    assert gap.low > 0


def test_groups_of_items_widen_an_interval_where_their_items_are_alike() -> None:
    rng = np.random.default_rng(1)
    kinds = rng.choice([0.0, 2.0], 30)
    alike = [Scored(f"{g}.{k}", kinds[g], kinds[g], kinds[g], 1.0, cluster=g) for g in range(30) for k in range(10)]
    apart = [replace(row, cluster=None) for row in alike]
    wide, narrow = by_cluster(corrected_mean, alike), by_cluster(corrected_mean, apart)
    assert wide.value == narrow.value
    assert wide.se is not None
    assert narrow.se is not None
    assert wide.se > 2.5 * narrow.se


def test_the_interval_by_groups_holds_what_it_says() -> None:
    covered = []
    for seed in range(200):
        rng = np.random.default_rng(seed)
        rows = []
        for group in range(25):
            lean = rng.normal(0, 0.6)
            for k in range(12):
                human = 1 + lean + rng.normal(0, 0.5)
                ai = human + 0.3 + rng.normal(0, 0.3)
                seen = rng.random() < 0.3
                rows.append(Scored(f"{group}.{k}", ai, human if seen else None, None, 0.3, cluster=group))
        found = by_cluster(corrected_mean, rows)
        assert found.low is not None
        assert found.high is not None
        covered.append(found.low <= 1 <= found.high)
    assert 0.9 <= mean(covered) <= 0.99


def test_the_curve_weighs_what_people_saw_by_how_likely_they_were_to_see_it() -> None:
    # Of the confident half nobody errs; the other half is wrong half of the time, and is audited at a quarter.
    rows = [Scored(f"s{k}", 2, 2, 2, 1.0, 0.9) for k in range(50)]
    rows += [Scored(f"w{k}", 2, k % 2 + 1, k % 2 + 1, 0.25, 0.1) for k in range(40)]
    rows += [Scored(f"u{k}", 2, None, None, 0.25, 0.1) for k in range(120)]
    low, high = curve(rows)
    assert (low.threshold, low.saved, high.threshold) == (0.1, 1.0, 0.9)
    assert low.error.value == pytest.approx(0.5 * 160 / 210)
    assert high.error.value == 0
    assert high.saved == pytest.approx(50 / 210)


def test_the_more_is_accepted_the_more_work_is_saved() -> None:
    points = curve(population(5, 400)[0])
    assert [point.saved for point in points] == sorted((point.saved for point in points), reverse=True)


def test_of_many_thresholds_the_curve_takes_a_few_from_end_to_end() -> None:
    rows = population(6, 400)[0]
    points = curve(rows, most=10)
    sure = [row.confidence for row in rows]
    assert len(points) == 10
    assert (points[0].threshold, points[-1].threshold) == (min(sure), max(sure))  # type: ignore[type-var]
