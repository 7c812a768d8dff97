"""Correlations of weighted rows are correlations of repeated rows."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from quorate.statistics.coefficients import KENDALL, PEARSON, SPEARMAN, tail

PLAIN = ((PEARSON, stats.pearsonr), (SPEARMAN, stats.spearmanr), (KENDALL, stats.kendalltau))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32))
def test_a_weight_is_a_number_of_copies(seed):
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, 6, 15).astype(float), rng.integers(0, 6, 15).astype(float)
    weights = rng.multinomial(15, np.full(15, 1 / 15)).astype(float)
    copies = np.repeat(np.arange(15), weights.astype(int))
    if len(set(x[copies])) < 2 or len(set(y[copies])) < 2:
        return
    for coefficient, plain in PLAIN:
        found = coefficient.weighted(x, y)(weights[None])[0]
        assert found == pytest.approx(float(plain(x[copies], y[copies])[0]), abs=1e-9)


def test_a_resample_without_spread_has_no_correlation():
    x, y = np.array([1.0, 2.0, 3.0]), np.array([2.0, 1.0, 3.0])
    for coefficient, _ in PLAIN:
        assert np.isnan(coefficient.weighted(x, y)(np.array([[3.0, 0.0, 0.0]]))[0])


def test_tiny_tails_are_not_lost_to_rounding():
    assert tail(-40.0, 50, "two-sided") == pytest.approx(2 * stats.t.cdf(-40, 50), rel=1e-6)
    assert tail(40.0, 50, "greater") == pytest.approx(stats.t.sf(40, 50), rel=1e-6)
