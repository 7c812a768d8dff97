from __future__ import annotations

import pytest
from scipy import stats

from quorate import statistics
from quorate.analyse.thresholds import on_side, p_against
from quorate.findings.results import Finding
from quorate.inquiries.means import mean
from quorate.records import Estimate

RATINGS = [[1, 1, 2], [2, 2, 2], [1, 1, 1], [2, 1, 2], [1, 1, 1], [2, 2, 1], [1, 2, 1], [2, 2, 2]] * 5
SCORES = [1.0, 2.0, 2.5, 0.5, 1.5, 2.0, 3.0, 1.0, 2.2]
GAIN = statistics.win_tie_loss(wins=12, ties=4, losses=4)
HALVED = statistics.win_tie_loss([1, 1, 0, -1, 1, 1, 0, -1, 1, 1, -1, 1], tie_rule="half", clusters=[*"aabbccddeeff"])
CLUSTERED = statistics.proportion([1, 1, 0, 1, 0, 0, 1, 1, 1, 0], clusters=[1, 1, 2, 2, 3, 3, 4, 4, 5, 5])


def finding(estimate: Estimate, statistic: str = "", unit: str = "") -> Finding:
    return Finding("a.b.c", statistic, "a", "b", "label", estimate, unit=unit)


@pytest.mark.parametrize(
    ("estimate", "unit"),
    [
        (statistics.fleiss_kappa(RATINGS), ""),
        (statistics.percent_agreement(RATINGS), "%"),
        (statistics.krippendorff_alpha(RATINGS, level="ordinal"), ""),
        (statistics.fleiss_kappa(RATINGS, clusters=[k % 11 for k in range(40)]), ""),
        (statistics.wilson(37, 60), "%"),
        (CLUSTERED, "%"),
        (GAIN.net_gain, "points"),
        (HALVED.success_rate, "%"),
        (statistics.win_tie_loss(wins=10, ties=0, losses=0).net_gain, "points"),
        (statistics.win_tie_loss(wins=6, ties=3, losses=6).net_gain, "points"),
        (mean(SCORES), ""),
        (mean(SCORES, clusters=[1, 1, 2, 2, 3, 3, 4, 4, 5]), ""),
        (statistics.pearson(SCORES, [3, 1, 4, 1, 5, 9, 2, 6, 5]), ""),
    ],
)
def test_a_threshold_at_the_end_of_a_95_interval_has_p_of_five_percent(estimate: Estimate, unit: str) -> None:
    assert estimate.low is not None
    assert estimate.high is not None
    for end in (estimate.low, estimate.high):
        if end != 1:
            assert p_against(finding(estimate, unit=unit), end) == pytest.approx(0.05, abs=1e-7)


def test_the_p_value_of_a_net_gain_is_that_of_tangos_score_test() -> None:
    won, lost, n, d = 12 / 20, 4 / 20, 20, 0.1
    # Tango (1998), eq. 2: the share lost that fits best while the difference is d.
    b = (2 - (won - lost)) * d - (won + lost)
    q = ((b * b + 8 * lost * d * (1 - d)) ** 0.5 - b) / 4
    z = (won - lost - d) / ((2 * q + d * (1 - d)) / n) ** 0.5
    assert p_against(finding(GAIN.net_gain, unit="points"), d) == pytest.approx(2 * stats.norm.sf(z), rel=1e-6)


def test_the_p_value_of_a_mean_is_that_of_a_t_test() -> None:
    for threshold in (0.0, 1.0, 1.6, 5.0):
        known = stats.ttest_1samp(SCORES, threshold).pvalue
        assert p_against(finding(mean(SCORES)), threshold) == pytest.approx(known, rel=1e-6)


def test_the_p_value_of_a_share_is_that_of_the_score_test() -> None:
    z = (37 / 60 - 0.7) / (0.7 * 0.3 / 60) ** 0.5
    known = 2 * stats.norm.sf(abs(z))
    assert p_against(finding(statistics.wilson(37, 60), unit="%"), 0.7) == pytest.approx(known, rel=1e-6)


def test_the_sign_test_against_another_share_is_exact() -> None:
    found = finding(statistics.sign_test(wins=18, losses=6), "sign test", "%")
    tails = stats.binom.sf(17, 24, 0.6), stats.binom.cdf(18, 24, 0.6)
    assert p_against(found, 0.6) == pytest.approx(2 * min(tails))
    assert p_against(found, 0.5) == pytest.approx(stats.binomtest(18, 24).pvalue)


def test_what_has_no_interval_has_no_p_value() -> None:
    assert p_against(finding(Estimate(0.5)), 0.2) is None
    assert p_against(finding(Estimate.undefined("nobody answered")), 0.2) is None


def test_a_value_on_the_other_side_has_a_one_sided_p_above_a_half() -> None:
    assert on_side(0.01, 0.2, 0.5, "below") == pytest.approx(0.005)
    assert on_side(0.01, 0.2, 0.5, "above") > 0.5
    assert on_side(0.01, 0.2, 0.5, "differs from") == 0.01
