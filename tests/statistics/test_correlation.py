"""Correlations against R's documentation, scipy and hand-worked intervals."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from quorate.errors import DataError
from quorate.statistics import correlation_by_stratum, kendall, pearson, spearman

# Hollander and Wolfe (1973), p. 187: Hunter L measure and panel score of canned tuna, as in R's ?cor.test.
TUNA_L = [44.4, 45.9, 41.9, 53.3, 44.7, 44.1, 50.7, 45.2, 60.1]
TUNA_PANEL = [2.6, 3.1, 2.5, 5.0, 3.6, 4.0, 5.2, 2.8, 3.8]
# Efron (1979): average LSAT and GPA of fifteen law schools.
LSAT = [576, 635, 558, 578, 666, 580, 555, 661, 651, 605, 653, 575, 545, 572, 594]
GPA = [3.39, 3.30, 2.81, 3.03, 3.44, 3.07, 3.00, 3.43, 3.36, 3.13, 3.12, 2.74, 2.76, 2.88, 2.96]


def test_pearson_gives_what_r_prints_for_tuna():
    r = pearson(TUNA_L, TUNA_PANEL)
    assert (r.value, r.low, r.high) == pytest.approx((0.5711816, -0.1497426, 0.8955795), abs=5e-8)
    assert r.p == pytest.approx(0.1082, abs=5e-5)


def test_spearman_gives_the_exact_p_that_r_prints_for_tuna():
    rho = spearman(TUNA_L, TUNA_PANEL)
    assert rho.value == pytest.approx(0.6)
    assert rho.p == pytest.approx(0.0968, abs=5e-5)


def test_kendall_gives_what_r_prints_for_tuna():
    tau = kendall(TUNA_L, TUNA_PANEL)
    assert tau.value == pytest.approx(0.4444444)
    assert tau.p == pytest.approx(0.1194, abs=5e-5)
    one_sided = kendall(TUNA_L, TUNA_PANEL, alternative="greater")
    assert one_sided.p == pytest.approx(0.05972, abs=5e-6)


def test_law_schools_correlate_as_efron_printed():
    assert pearson(LSAT, GPA).value == pytest.approx(0.776, abs=5e-4)


def test_bonett_and_wright_and_fieller_intervals_by_hand():
    rho, tau = spearman(TUNA_L, TUNA_PANEL), kendall(TUNA_L, TUNA_PANEL)
    reach = 1.959964 * np.sqrt((1 + 0.6**2 / 2) / 6)
    assert (rho.low, rho.high) == pytest.approx(np.tanh(np.arctanh(0.6) + np.array([-reach, reach])), abs=1e-6)
    reach = 1.959964 * np.sqrt(0.437 / 5)
    assert (tau.low, tau.high) == pytest.approx(np.tanh(np.arctanh(4 / 9) + np.array([-reach, reach])), abs=1e-6)


def test_the_exact_p_of_four_perfect_ranks_is_two_in_twenty_four():
    assert spearman([1, 2, 3, 4], [10, 20, 30, 40]).p == pytest.approx(2 / 24)


def test_ten_rows_or_more_take_the_t_approximation():
    x, y = list(range(10)), [2, 1, 4, 3, 6, 5, 8, 7, 10, 9]
    assert spearman(x, y).p == pytest.approx(stats.spearmanr(x, y).pvalue)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.integers(8, 40))
def test_values_equal_scipy_on_ties_and_missing_scores(seed, n):
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, 7, n).astype(float), rng.integers(0, 7, n).astype(float)
    x[rng.random(n) < 0.15] = np.nan
    y[rng.random(n) < 0.15] = np.nan
    both = ~(np.isnan(x) | np.isnan(y))
    assume(both.sum() >= 4 and len(set(x[both])) > 1 and len(set(y[both])) > 1)
    for ours, theirs in ((pearson, stats.pearsonr), (spearman, stats.spearmanr), (kendall, stats.kendalltau)):
        found = ours(x, y, interval=None)
        assert found.value == pytest.approx(float(theirs(x[both], y[both])[0]), abs=1e-9)
        assert found.n_items == both.sum()
        assert sum(found.left_out.values()) == (~both).sum()
    assert pearson(x, y).p == pytest.approx(stats.pearsonr(x[both], y[both]).pvalue, abs=1e-9)


@pytest.mark.parametrize("statistic", [pearson, spearman, kendall])
def test_bootstraps_agree_with_scipy_over_the_same_rows(statistic):
    rng = np.random.default_rng(4)
    x = rng.normal(size=40)
    y = x + rng.normal(size=40)
    plain = {pearson: stats.pearsonr, spearman: stats.spearmanr, kendall: stats.kendalltau}[statistic]
    theirs = stats.bootstrap(
        (x, y), lambda a, b: plain(a, b)[0], paired=True, n_resamples=1500, vectorized=False, rng=1, method="percentile"
    )
    found = statistic(x, y, interval="percentile")
    assert found.se == pytest.approx(theirs.standard_error, rel=0.1)
    assert found.low == pytest.approx(theirs.confidence_interval.low, abs=0.05)


@pytest.mark.parametrize("statistic", [pearson, spearman, kendall])
def test_the_order_of_items_and_a_rising_rescaling_change_nothing(statistic):
    straight, back = statistic(LSAT, GPA), statistic(LSAT[::-1], GPA[::-1])
    assert back.value == pytest.approx(straight.value)
    assert back.low == pytest.approx(straight.low)
    assert statistic(np.array(LSAT) * 3 + 7, GPA).value == pytest.approx(straight.value)
    assert statistic(LSAT, -np.array(GPA)).value == pytest.approx(-straight.value)


@pytest.mark.parametrize("interval", ["bca", "percentile"])
def test_the_same_seed_gives_the_same_interval(interval):
    assert spearman(LSAT, GPA, interval=interval, seed=3) == spearman(LSAT, GPA, interval=interval, seed=3)


def test_clusters_of_copies_widen_the_interval():
    x, y = np.repeat(LSAT, 4), np.repeat(GPA, 4)
    groups = np.repeat(np.arange(15), 4)
    naive, clustered = pearson(x, y), pearson(x, y, clusters=groups)
    assert clustered.high - clustered.low > 1.5 * (naive.high - naive.low)
    assert clustered.p > naive.p


def test_within_strata_removes_what_lies_between_them():
    x = [1, 2, 3, 4, 5, 6, 11, 12, 13, 14, 15, 16]
    y = [6, 5, 3, 4, 2, 1, 16, 15, 13, 14, 12, 11]
    found = correlation_by_stratum(x, y, ["a"] * 6 + ["b"] * 6, statistic=pearson)
    assert found.ignoring_strata.value > 0.7
    assert found.within.value < -0.9
    assert set(found.strata) == {"a", "b"}


@pytest.mark.parametrize("statistic", [pearson, spearman, kendall])
def test_a_constant_score_has_no_correlation_and_says_so(statistic):
    found = statistic([1, 2, 3, 4], [5, 5, 5, 5])
    assert found.value is None
    assert "same in every row" in str(found.note)


def test_perfect_correlation_has_no_interval_and_says_why():
    found = pearson([1, 2, 3, 4], [2, 4, 6, 8])
    assert (found.value, found.low) == (1.0, None)
    assert "perfect" in str(found.note)


@pytest.mark.parametrize(("x", "y"), [([], []), ([1], [2]), ([1, None, 3], [1, 2, None])])
def test_too_few_rows_are_undefined(x, y):
    assert pearson(x, y).value is None


@pytest.mark.parametrize(
    ("x", "y", "options"),
    [
        ([1, 2, "x"], [1, 2, 3], {}),
        ([1, 2], [1, 2, 3], {}),
        ([1, 2, float("inf")], [1, 2, 3], {}),
        ([1, 2, 3], [1, 2, 3], {"interval": "wald"}),
        ([1, 2, 3], [1, 2, 3], {"confidence": 95}),
        ([1, 2, 3], [1, 2, 3], {"clusters": ["a", None, "b"]}),
    ],
)
def test_bad_input_is_a_sentence(x, y, options):
    with pytest.raises(DataError):
        pearson(x, y, **options)


def test_iq_and_hours_of_television_as_in_the_encyclopaedia():
    iq = [106, 100, 86, 101, 99, 103, 97, 113, 112, 110]
    hours = [7, 27, 2, 50, 28, 29, 20, 12, 6, 17]
    found = spearman(iq, hours)
    assert found.value == pytest.approx(-29 / 165)
    assert found.p == pytest.approx(0.627188, abs=5e-7)


def test_exact_and_approximate_p_by_name():
    assert spearman(TUNA_L, TUNA_PANEL, exact=False).p == pytest.approx(stats.spearmanr(TUNA_L, TUNA_PANEL).pvalue)
    normal = stats.kendalltau(TUNA_L, TUNA_PANEL, method="asymptotic").pvalue
    assert kendall(TUNA_L, TUNA_PANEL, exact=False).p == pytest.approx(normal)
    with pytest.raises(DataError):
        spearman(LSAT, GPA, exact=True)
    with pytest.raises(DataError):
        kendall([1, 1, 2, 3], [1, 2, 3, 4], exact=True)


def test_kendalls_linearised_error_is_the_jackknife_and_serves_clusters():
    rng = np.random.default_rng(2)
    x = rng.integers(1, 6, 60)
    y = np.clip(x + rng.integers(-2, 3, 60), 1, 5)
    found = kendall(x, y)
    left_out = [stats.kendalltau(np.delete(x, i), np.delete(y, i))[0] for i in range(60)]
    assert found.se == pytest.approx(np.sqrt(59 / 60 * np.sum((left_out - np.mean(left_out)) ** 2)), rel=0.05)
    copied = kendall(np.tile(x, 3), np.tile(y, 3), clusters=list(range(60)) * 3)
    assert (copied.value, copied.se) == pytest.approx((found.value, found.se))


def test_fiellers_interval_is_there_by_name_for_tied_scores():
    x, y = [1, 1, 2, 3, 4, 5, 5, 6], [1, 2, 2, 3, 5, 4, 6, 6]
    found = kendall(x, y, interval="analytic")
    reach = 1.959964 * np.sqrt(0.437 / 4)
    assert found.low == pytest.approx(np.tanh(np.arctanh(found.value) - reach), abs=1e-6)
    assert kendall(x, y).low != found.low


@pytest.mark.parametrize("statistic", [pearson, spearman])
def test_with_many_clusters_the_derivative_takes_the_place_of_the_jackknife(statistic) -> None:
    rng = np.random.default_rng(3)
    shared = np.repeat(rng.normal(size=510), 2)
    x, y = np.round(shared + rng.normal(size=1020)), np.round(shared + rng.normal(size=1020))
    groups = np.repeat(np.arange(510), 2)
    at_once = statistic(x, y, clusters=groups)
    rest = groups < 500
    one_by_one = statistic(x[rest], y[rest], clusters=groups[rest])
    left = [statistic(x[groups != g], y[groups != g], interval=None).value for g in range(510)]
    error = np.sqrt(509 / 510 * np.sum((np.array(left) - np.mean(left)) ** 2))
    assert at_once.se == pytest.approx(error, rel=0.01)
    assert at_once.se == pytest.approx(one_by_one.se, rel=0.1)
