import numpy as np
import pytest

from quorate.errors import DataError
from quorate.records import Estimate
from quorate.statistics import cohen_kappa, fleiss_kappa, kappa_sample_size, simulated_power, simulated_ratings


def test_donner_and_eliasziw_by_hand():
    # λ(.80, .05) = 7.8489; Σ (difference)² / expected = .04121 at a prevalence of .30.
    found = kappa_sample_size(0.4, 0.6, method="donner-eliasziw", shares=0.30)
    assert found.n == 191
    assert found.power == pytest.approx(0.80, abs=0.002)


@pytest.mark.parametrize(
    ("kappa", "one", "two"), [(0.4, 39, 50), (0.5, 25, 32), (0.6, 18, 22), (0.7, 13, 17), (0.8, 10, 13), (0.9, 8, 10)]
)
def test_sim_and_wright_2005_print_these_sizes_to_tell_kappa_from_zero(kappa, one, two):
    for alternative, n in (("one-sided", one), ("two-sided", two)):
        found = kappa_sample_size(0, kappa, method="donner-eliasziw", alternative=alternative)
        assert found.n == n


def test_cantor_with_unequal_margins_needs_66():
    found = kappa_sample_size(0.1, 0.3, shares=[0.2, 0.6])
    assert found.n == 66
    assert "no kappa is above 0.29" in found.rule


def test_cantors_power_is_what_simulated_studies_find():
    found = kappa_sample_size(0.4, 0.6, shares=[0.5, 0.5])

    def study(rng, n):
        return simulated_ratings(rng, n, 2, 0.6)

    def analysis(ratings):
        return cohen_kappa(ratings, confidence=0.90)

    seen = simulated_power(study, analysis, found.n, null=0.4, simulations=800, seed=3)
    assert seen.value == pytest.approx(found.power, abs=0.05)


def test_flack_with_two_categories_is_cantor_with_equal_margins():
    for shares in ([0.5, 0.5], [0.3, 0.7]):
        flack = kappa_sample_size(0.4, 0.6, method="flack", shares=shares)
        assert flack.n == kappa_sample_size(0.4, 0.6, shares=[shares[0]] * 2).n


def test_flack_takes_the_table_of_greatest_variance():
    shares = np.array([0.2, 0.25, 0.55])
    flack = kappa_sample_size(0.4, 0.6, method="flack", shares=shares)
    assert flack.n == 101


@pytest.mark.parametrize(
    "call",
    [
        lambda: kappa_sample_size(0.4, 0.4),
        lambda: kappa_sample_size(0.4, 1.4),
        lambda: kappa_sample_size(0.4, 0.6, method="fleiss"),
        lambda: kappa_sample_size(0.4, 0.6, power=80),
        lambda: kappa_sample_size(0.4, 0.6, shares=[0.2, 0.3, 0.5]),
        lambda: kappa_sample_size(0.4, 0.6, method="flack", shares=[0.2, 0.3]),
        lambda: kappa_sample_size(0.4, 0.6, method="donner-eliasziw", shares=1.0),
        lambda: simulated_power(lambda rng, n: 0, lambda data: True, 0),
        lambda: simulated_ratings(np.random.default_rng(0), 5, 2, 1.5),
    ],
)
def test_impossible_questions_are_sentences(call):
    with pytest.raises(DataError):
        call()


def test_simulated_ratings_have_the_kappa_they_were_made_with():
    ratings = simulated_ratings(np.random.default_rng(0), 60_000, 4, 0.49, shares=[0.6, 0.3, 0.1], missing=0.2)
    assert fleiss_kappa(ratings).value == pytest.approx(0.49, abs=0.01)
    assert np.isnan(ratings).mean() == pytest.approx(0.2, abs=0.01)


def test_every_kind_of_analysis_is_counted():
    def nothing(rng, n):
        return rng.random()

    assert simulated_power(nothing, lambda x: x < 0.5, 10, simulations=400).value == pytest.approx(0.5, abs=0.1)
    assert simulated_power(nothing, lambda x: x, 10, simulations=2000).value == pytest.approx(0.05, abs=0.02)
    assert simulated_power(nothing, lambda x: Estimate(1.0, x, 2.0), 10, simulations=50).value == 1.0
    undefined = simulated_power(nothing, lambda x: Estimate.undefined("no"), 10, simulations=50)
    assert undefined.value == 0.0
    assert "undefined in 50 of 50" in str(undefined.note)


def test_the_same_seed_simulates_the_same_studies():
    first, second = (
        simulated_power(lambda rng, n: rng.random(n).mean(), lambda m: m > 0.5, 5, simulations=100) for _ in range(2)
    )
    assert first == second
