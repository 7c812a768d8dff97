"""Prediction-powered means: the papers' formulas, their limits, and the fall-back."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

from quorate.errors import DataError
from quorate.statistics import ppi_difference, ppi_mean


def scores(seed, n=40, big=400, noise=0.6, shift=0.4):
    rng = np.random.default_rng(seed)
    truth = rng.normal(3, 1, n + big)
    said = truth + shift + rng.normal(0, noise, n + big)
    return truth[:n], said[:n], said[n:]


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.integers(5, 60), st.integers(20, 300))
def test_value_and_standard_error_are_the_papers_with_ddof_one(seed, n, big):
    y, f, u = scores(seed, n, big)
    lam = np.cov(y, f)[0, 1] / ((1 + n / big) * np.var(np.concatenate([f, u]), ddof=1))
    lam = min(max(lam, 0), 1)
    value = lam * u.mean() + (y - lam * f).mean()
    se = np.sqrt(lam**2 * u.var(ddof=1) / big + (y - lam * f).var(ddof=1) / n)
    found = ppi_mean(y, f, u)
    assert (found.value, found.se) == pytest.approx((value, se))
    reach = stats.t.ppf(0.975, n - 1) * se
    assert (found.low, found.high) == pytest.approx((value - reach, value + reach))


def test_no_weight_on_predictions_is_the_plain_t_interval():
    y, f, u = scores(1)
    found = ppi_mean(y, f, u, lam=0)
    low, high = stats.t.interval(0.95, len(y) - 1, y.mean(), stats.sem(y))
    assert (found.value, found.low, found.high) == pytest.approx((y.mean(), low, high))


def test_full_weight_is_plain_prediction_powered_inference():
    y, f, u = scores(2)
    assert ppi_mean(y, f, u, lam=1).value == pytest.approx(u.mean() - (f - y).mean())


def test_good_predictions_shorten_the_interval_and_a_constant_bias_does_no_harm():
    y, f, u = scores(3, noise=0.3)
    plain, powered = ppi_mean(y, f, u, lam=0), ppi_mean(y, f, u)
    assert powered.se < 0.6 * plain.se
    assert ppi_mean(y, f + 9, u + 9).value == pytest.approx(powered.value)


def test_a_judge_who_is_wrong_way_round_gets_no_weight():
    y, f, u = scores(4)
    found = ppi_mean(y, -f, -u)
    assert found.value == pytest.approx(y.mean())
    assert "lambda 0.000" in str(found.note)


def test_one_sided_ends_are_the_ninety_percent_ends_and_agree_with_p():
    y, f, u = scores(5)
    two, low, high = (
        ppi_mean(y, f, u, confidence=0.9),
        ppi_mean(y, f, u, alternative="greater"),
        ppi_mean(y, f, u, alternative="less"),
    )
    assert (low.low, high.high) == pytest.approx((two.low, two.high))
    assert (low.high, high.low) == (None, None)
    edge = ppi_mean(y, f, u, alternative="greater", null=low.low)
    assert edge.p == pytest.approx(0.05)


def test_copies_within_clusters_give_the_standard_error_of_the_clusters():
    y, f, u = scores(6)
    one = ppi_mean(y, f, u, lam=0.7)
    groups, others = np.repeat(np.arange(40), 3), np.repeat(np.arange(400), 3)
    copied = ppi_mean(
        np.repeat(y, 3), np.repeat(f, 3), np.repeat(u, 3), lam=0.7, clusters=groups, unlabelled_clusters=others
    )
    assert (copied.value, copied.se) == pytest.approx((one.value, one.se))
    assert copied.high - copied.low == pytest.approx(one.high - one.low)


def test_binary_labels_with_a_small_cell_fall_back_to_wilson_and_say_so():
    y = [1] * 17 + [0] * 3
    f = [1] * 16 + [0] + [0, 0, 1]
    found = ppi_mean(y, f, [1, 0] * 50)
    assert (found.low, found.high) == pytest.approx(proportion_confint(17, 20, method="wilson"))
    assert "labels alone" in str(found.note)


def test_binary_labels_with_full_cells_do_not_fall_back():
    y = [1] * 30 + [0] * 30
    f = [1] * 24 + [0] * 6 + [0] * 24 + [1] * 6
    found = ppi_mean(y, f, [1, 0] * 500)
    assert "lambda" in str(found.note)
    assert found.se < np.sqrt(0.25 / 60)


def test_order_of_items_does_not_matter_and_missing_rows_are_left_out():
    y, f, u = scores(7)
    one = ppi_mean(y, f, u)
    other = ppi_mean([None, *y[::-1]], [3, *f[::-1]], [*u[::-1], None])
    assert other.value == pytest.approx(one.value)
    assert other.left_out == {"labelled items without both": 1, "unlabelled items": 1}


def test_the_difference_of_independent_sets_adds_variances():
    a, b = scores(8), scores(9, shift=0.0)
    found, one, two = ppi_difference(*a, *b), ppi_mean(*a), ppi_mean(*b)
    assert found.value == pytest.approx(one.value - two.value)
    assert found.se == pytest.approx(np.hypot(one.se, two.se))


def test_without_predictions_the_difference_is_welchs_t_test():
    a, b = scores(10), scores(11)
    found = ppi_difference(*a, *b, lam=0)
    welch = stats.ttest_ind(a[0], b[0], equal_var=False)
    interval = welch.confidence_interval(0.95)
    assert (found.p, found.low, found.high) == pytest.approx((welch.pvalue, interval.low, interval.high))


def test_the_paired_difference_is_the_mean_of_differences():
    a, b = scores(12), scores(13)
    found = ppi_difference(*a, *b, paired=True)
    direct = ppi_mean(a[0] - b[0], a[1] - b[1], a[2] - b[2])
    assert (found.value, found.se) == pytest.approx((direct.value, direct.se))


def test_a_difference_of_shares_with_small_cells_falls_back_to_newcombe():
    a = ([1] * 15 + [0] * 5, [1] * 15 + [0] * 5, [1, 0] * 20)
    b = ([1] * 9 + [0] * 11, [1] * 9 + [0] * 11, [1, 0] * 20)
    found = ppi_difference(*a, *b)
    low, high = confint_proportions_2indep(15, 20, 9, 20, method="newcomb", compare="diff")
    assert (found.low, found.high) == pytest.approx((low, high))


@pytest.mark.parametrize(
    "call",
    [
        lambda: ppi_mean([1, 2], [1], [1]),
        lambda: ppi_mean([1, "x"], [1, 2], [1]),
        lambda: ppi_mean([1, 2], [1, 2], [1], lam=2),
        lambda: ppi_mean([1, 2], [1, 2], [1], alternative="up"),
        lambda: ppi_difference(*scores(1), *scores(2), clusters=range(40)),
    ],
)
def test_bad_input_is_a_sentence(call):
    with pytest.raises(DataError):
        call()


def test_one_label_is_undefined():
    assert ppi_mean([1], [1], [1, 2]).value is None
