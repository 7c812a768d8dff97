from math import comb

import pytest

from quorate.errors import DataError
from quorate.statistics import (
    binomial_power,
    binomial_sample_size,
    mcnemar_power,
    mcnemar_sample_size,
    sign_test_power,
    sign_test_sample_size,
)


def by_hand(p0, p1, n, alpha, two_sided):
    """The power summed outcome by outcome, with alpha / 2 in each tail."""

    def chance(k, p):
        return comb(n, k) * p**k * (1 - p) ** (n - k)

    tail = alpha / 2 if two_sided else alpha
    high = next(c for c in range(n + 2) if sum(chance(k, p0) for k in range(c, n + 1)) <= tail)
    power = sum(chance(k, p1) for k in range(high, n + 1))
    if two_sided:
        low = next(c for c in range(n, -2, -1) if sum(chance(k, p0) for k in range(c + 1)) <= tail)
        power += sum(chance(k, p1) for k in range(low + 1))
    return power


@pytest.mark.parametrize("n", [1, 5, 17, 40])
@pytest.mark.parametrize(("p0", "p1"), [(0.5, 0.65), (0.3, 0.5), (0.8, 0.9)])
@pytest.mark.parametrize("two_sided", [True, False])
def test_binomial_power_outcome_by_outcome(n, p0, p1, two_sided):
    side = "two-sided" if two_sided else "one-sided"
    assert binomial_power(p0, p1, n, alternative=side) == pytest.approx(by_hand(p0, p1, n, 0.05, two_sided), abs=1e-12)


def test_looking_for_less_mirrors_looking_for_more():
    assert binomial_power(0.5, 0.35, 60) == pytest.approx(binomial_power(0.5, 0.65, 60))
    assert binomial_power(0.3, 0.1, 60, alternative="one-sided") == pytest.approx(
        binomial_power(0.7, 0.9, 60, alternative="one-sided")
    )


def test_a_sign_test_at_65_percent_reaches_80_at_90_and_keeps_it_from_97():
    found = sign_test_sample_size(0.65)
    assert (found.n, found.first, found.stays) == (90, 90, 97)
    assert "it stays from 97 on" in str(found)
    assert sign_test_power(0.65, 96) < 0.80
    assert sign_test_sample_size(0.65, rule="stays").n == 97


def test_both_readings_hold_by_looking_at_every_n():
    found = binomial_sample_size(0.5, 0.7, 0.9)
    powers = {n: binomial_power(0.5, 0.7, n) for n in range(1, 200)}
    assert found.first == min(n for n in powers if powers[n] >= 0.9)
    assert found.stays == max(n for n in powers if powers[n] < 0.9) + 1


def test_the_mcnemar_example_of_the_gpower_manual():
    assert mcnemar_power(0.32, 0.08, 50, alternative="one-sided") == pytest.approx(0.839, abs=5e-4)
    assert mcnemar_power(0.2, 0.2, 50, alternative="one-sided") == pytest.approx(0.032578, abs=1e-6)


def test_mcnemar_sizes_hold_by_looking_at_every_n():
    found = mcnemar_sample_size(0.25, 0.10)
    powers = {n: mcnemar_power(0.25, 0.10, n) for n in range(1, 260)}
    assert found.first == min(n for n in powers if powers[n] >= 0.8)
    assert found.stays == max(n for n in powers if powers[n] < 0.8) + 1


def test_large_samples_stay_finite():
    assert binomial_power(0.5, 0.5 + 1e-3, 200_000) == pytest.approx(0.145, abs=0.005)
    assert mcnemar_power(0.11, 0.10, 200_000) == pytest.approx(1.0)
    assert 0 <= binomial_power(0.5, 0.9, 200_000) <= 1


@pytest.mark.parametrize(
    "call",
    [
        lambda: binomial_power(0.5, 1.2, 10),
        lambda: binomial_power(0.5, 0.6, 0),
        lambda: binomial_sample_size(0.5, 0.5),
        lambda: binomial_sample_size(0.5, 0.6, rule="last"),
        lambda: mcnemar_power(0.0, 0.0, 10),
        lambda: mcnemar_power(0.7, 0.6, 10),
        lambda: sign_test_sample_size(0.65, 1.0),
    ],
)
def test_impossible_questions_are_sentences(call):
    with pytest.raises(DataError):
        call()
