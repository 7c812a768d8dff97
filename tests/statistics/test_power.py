import numpy as np
import pytest
from scipy import special
from statsmodels.stats.power import FTestAnovaPower, TTestIndPower, TTestPower

from quorate.errors import DataError
from quorate.statistics import (
    anova_power,
    anova_sample_size,
    chi_square_power,
    chi_square_sample_size,
    cohen_h,
    correlation_power,
    correlation_sample_size,
    t_test_power,
    t_test_sample_size,
    two_proportions_power,
    two_proportions_sample_size,
)


def test_half_a_deviation_needs_64_a_group_and_128_in_all():
    found = t_test_sample_size(0.5)
    assert (found.n, found.total) == (64, 128)
    assert found.power == pytest.approx(0.8014596, abs=5e-8)
    assert str(found) == "64 a group, 128 in all (power 0.8015)"


@pytest.mark.parametrize(("d", "n"), [(0.2, 394), (0.5, 64), (0.8, 26)])
def test_cohens_effects_in_two_samples(d, n):
    assert int(t_test_sample_size(d)) == n


@pytest.mark.parametrize(("d", "n"), [(0.2, 199), (0.5, 34), (0.8, 15)])
def test_cohens_effects_in_pairs(d, n):
    assert int(t_test_sample_size(d, kind="paired")) == n


def test_the_examples_of_rs_power_functions():
    assert t_test_power(1, 20) == pytest.approx(0.86895, abs=5e-6)
    assert int(t_test_sample_size(1, 0.90)) == 23
    assert int(t_test_sample_size(1, 0.90, alternative="one-sided")) == 18
    assert t_test_power(0.2, 60, kind="one-sample", alpha=0.10) == pytest.approx(0.4555818, abs=5e-8)
    assert two_proportions_power(0.50, 0.75, 50) == pytest.approx(0.7401659, abs=5e-7)
    assert int(two_proportions_sample_size(0.50, 0.75, 0.90)) == 77
    assert correlation_power(0.3, 50, method="approximate") == pytest.approx(0.5715558, abs=5e-8)
    assert int(anova_sample_size(0.25, 5)) == 40
    shares = [0.375, *[0.625 / 3] * 3]
    w = np.sqrt(sum((p - 0.25) ** 2 / 0.25 for p in shares))
    assert chi_square_power(w, 100, 3) == pytest.approx(0.6739834, abs=5e-8)


@pytest.mark.parametrize(("groups", "n"), [(2, 64), (3, 53), (4, 45), (5, 40), (6, 36)])
def test_gpower_groups_for_a_medium_analysis_of_variance(groups, n):
    assert int(anova_sample_size(0.25, groups)) == n


@pytest.mark.parametrize(("df", "n"), [(1, 88), (2, 108), (3, 122), (4, 133), (5, 143)])
def test_gpower_sizes_for_a_medium_chi_square(df, n):
    assert int(chi_square_sample_size(0.3, df)) == n


def test_gpower_and_cohen_sizes_for_correlations():
    assert [int(correlation_sample_size(r)) for r in (0.1, 0.3, 0.5)] == [782, 84, 29]
    assert int(correlation_sample_size(0.3, method="approximate")) == 85


def test_the_exact_power_of_a_correlation_is_that_of_simulated_data():
    rng = np.random.default_rng(0)
    x, noise = rng.normal(size=(2, 40_000, 20))
    y = 0.5 * x + np.sqrt(0.75) * noise
    x, y = (v - v.mean(axis=1, keepdims=True) for v in (x, y))
    r = (x * y).sum(axis=1) / np.sqrt((x**2).sum(axis=1) * (y**2).sum(axis=1))
    t = r * np.sqrt(18 / (1 - r**2))
    share = np.mean(np.abs(t) > special.stdtrit(18, 0.975))
    assert correlation_power(0.5, 20) == pytest.approx(share, abs=0.008)


def test_the_power_of_an_analysis_of_variance_is_finite_where_scipys_noncentral_f_is_not():
    dense = np.unique(np.geomspace(2, 200_000, 80).astype(int))
    found = [anova_power(f, int(n), groups) for f in np.geomspace(0.05, 2, 20) for n in dense for groups in (2, 4)]
    assert np.isfinite(found).all()


def test_power_is_finite_and_grows_over_the_whole_grid():
    sizes = [2, 3, 5, 10, 30, 100, 1000, 10_000, 50_000, 200_000]
    for d in np.geomspace(0.05, 2, 10):
        for power in (
            lambda n, d=d: t_test_power(d, n),
            lambda n, d=d: t_test_power(d, n, alternative="one-sided"),
            lambda n, d=d: t_test_power(d, n, kind="one-sample"),
            lambda n, d=d: anova_power(d, n, 4),
            lambda n, d=d: chi_square_power(d, n, 3),
            lambda n, d=d: correlation_power(min(d, 0.95), max(n, 3)),
        ):
            found = np.array([power(n) for n in sizes])
            assert np.isfinite(found).all()
            assert (np.diff(found) > -1e-9).all()
            assert ((found > 0) & (found <= 1)).all()


def test_power_equals_statsmodels_where_statsmodels_has_a_value():
    for d in (0.1, 0.3, 0.5, 1.0):
        for n in (5, 20, 64, 100):
            pairs = [
                (t_test_power(d, n), TTestIndPower().power(d, n, 0.05)),
                (t_test_power(d, n, ratio=2), TTestIndPower().power(d, n, 0.05, ratio=2)),
                (t_test_power(d, n, kind="paired"), TTestPower().power(d, n, 0.05)),
                (t_test_power(d, n, alternative="one-sided"), TTestIndPower().power(d, n, 0.05, alternative="larger")),
                (anova_power(d, n, 3), FTestAnovaPower().power(d, 3 * n, 0.05, k_groups=3)),
            ]
            for ours, theirs in pairs:
                assert np.isnan(theirs) or ours == pytest.approx(theirs, abs=1e-7)


def test_cohens_h_and_its_test():
    assert cohen_h(0.65, 0.45) == pytest.approx(0.405, abs=5e-4)
    assert int(two_proportions_sample_size(0.65, 0.45, method="arcsine")) == 96
    h = 0.3
    p1 = np.sin(np.arcsin(np.sqrt(0.5)) + h / 2) ** 2
    found = two_proportions_power(p1, 0.5, 80, method="arcsine", alternative="one-sided")
    assert found == pytest.approx(0.5996777, abs=5e-8)


def test_unequal_groups_are_counted_in_the_total():
    found = t_test_sample_size(0.5, ratio=2)
    assert found.total == found.n * 3
    assert found.n < 64


@pytest.mark.parametrize(
    "call",
    [
        lambda: t_test_power(0.5, 1),
        lambda: t_test_power(0.5, 10, kind="three-sample"),
        lambda: t_test_power(0.5, 10, alpha=5),
        lambda: t_test_power(0.5, 10, alternative="both"),
        lambda: t_test_sample_size(0.5, 80),
        lambda: t_test_sample_size(0.0),
        lambda: anova_power(0.2, 10, 1),
        lambda: two_proportions_power(0.5, 1.5, 10),
        lambda: two_proportions_power(0.5, 0.6, 10, method="exact"),
        lambda: correlation_power(1.0, 10),
        lambda: correlation_power(0.3, 3, method="approximate"),
        lambda: chi_square_power(0.3, 10, 0),
    ],
)
def test_impossible_questions_are_sentences(call):
    with pytest.raises(DataError):
        call()
