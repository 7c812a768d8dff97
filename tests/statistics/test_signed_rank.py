"""Wilcoxon's signed-rank test against R's documentation, scipy and brute force."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from quorate.errors import DataError
from quorate.statistics import wilcoxon

# Hollander and Wolfe (1973), p. 29: depression scale at two visits, as in R's ?wilcox.test.
FIRST = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
SECOND = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
MAIZE = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]


def test_the_depression_scale_gives_what_r_prints():
    found = wilcoxon(FIRST, SECOND, alternative="greater")
    assert (found.positive_ranks, found.negative_ranks) == (40, 5)
    assert found.p == pytest.approx(0.01953, abs=5e-6)
    assert found.pseudo_median.value == pytest.approx(0.46)


def test_darwins_maize_gives_the_exact_p_of_the_textbooks():
    found = wilcoxon(MAIZE)
    assert (found.statistic, found.p) == (24, pytest.approx(0.041259765625))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(-6, 6).filter(bool), min_size=1, max_size=9))
def test_exact_p_with_ties_is_the_share_of_sign_patterns(differences):
    ranks = stats.rankdata(np.abs(differences))
    null = np.array([ranks @ signs for signs in product([0, 1], repeat=len(ranks))])
    seen = ranks[np.array(differences) > 0].sum()
    tails = [np.mean(null >= seen - 1e-9), np.mean(null <= seen + 1e-9)]
    assert wilcoxon(differences).p == pytest.approx(min(1, 2 * min(tails)))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.integers(60, 120))
def test_large_samples_equal_scipy_with_ties_and_zeros(seed, n):
    x = np.random.default_rng(seed).integers(-5, 8, n).astype(float)
    for zeros, theirs in (("wilcoxon", "wilcox"), ("pratt", "pratt")):
        expected = stats.wilcoxon(x, zero_method=theirs, method="asymptotic").pvalue
        assert wilcoxon(x, zeros=zeros, p_method="normal").p == pytest.approx(expected, abs=1e-9)


def test_the_pseudo_median_is_the_median_of_all_averages():
    averages = [(a + b) / 2 for i, a in enumerate(MAIZE) for b in MAIZE[i:]]
    assert wilcoxon(MAIZE).pseudo_median.value == pytest.approx(np.median(averages))


def test_the_interval_covers_the_shifts_that_the_test_would_not_reject():
    found = wilcoxon(FIRST, SECOND).pseudo_median
    differences = np.subtract(FIRST, SECOND)
    inside = np.array([found.low + 1e-6, found.value, found.high - 1e-6])
    outside = np.array([found.low - 1e-3, found.high + 1e-3])
    assert all(wilcoxon(differences - shift).p > 0.05 for shift in inside)
    assert all(wilcoxon(differences - shift).p <= 0.05 for shift in outside)


def test_the_order_of_pairs_and_of_the_two_columns():
    straight, swapped = wilcoxon(FIRST, SECOND), wilcoxon(SECOND, FIRST)
    assert swapped.positive_ranks == straight.negative_ranks
    assert swapped.p == straight.p
    assert wilcoxon(FIRST[::-1], SECOND[::-1]).pseudo_median.value == pytest.approx(straight.pseudo_median.value)


def test_decimal_dust_does_not_make_a_difference():
    found = wilcoxon([0.3, 0.5, 0.9], [0.1 + 0.2, 0.4, 0.7])
    assert found.pseudo_median.left_out == {"zero differences": 1}


def test_all_zero_differences_are_undefined():
    found = wilcoxon([1, 2, 3], [1, 2, 3])
    assert (found.p, found.pseudo_median.value) == (None, None)
    assert "zero" in str(found.pseudo_median.note)


def test_thousands_of_differences_need_no_list_of_all_averages():
    x = np.random.default_rng(0).normal(0.3, 1, 3001)
    found = wilcoxon(x).pseudo_median
    first, second = np.triu_indices(len(x))
    assert found.value == pytest.approx(np.median((x[first] + x[second]) / 2), abs=1e-9)


@pytest.mark.parametrize("options", [{"zeros": "zsplit"}, {"alternative": "up"}, {"p_method": "magic"}])
def test_unknown_options_are_a_sentence(options):
    with pytest.raises(DataError):
        wilcoxon(MAIZE, **options)
