import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar
from statsmodels.stats.proportion import confint_proportions_2indep

from quorate.errors import DataError
from quorate.statistics import clopper_pearson, difference, mcnemar, newcombe, proportion, wilson


def ends(estimate, digits=4):
    return round(estimate.low, digits), round(estimate.high, digits)


# Newcombe (1998), Statistics in Medicine 17:857, table I.
@pytest.mark.parametrize(
    ("k", "n", "score", "exact"),
    [
        (81, 263, (0.2553, 0.3662), (0.2527, 0.3676)),
        (15, 148, (0.0624, 0.1605), (0.0578, 0.1617)),
        (0, 20, (0.0, 0.1611), (0.0, 0.1684)),
        (1, 29, (0.0061, 0.1718), (0.0009, 0.1776)),
    ],
)
def test_newcombes_single_proportions(k, n, score, exact):
    assert ends(wilson(k, n)) == score
    assert ends(clopper_pearson(k, n)) == exact


# Newcombe (1998), Statistics in Medicine 17:873, table II, method 10.
@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ((56, 70, 48, 80), (0.0524, 0.3339)),
        ((9, 10, 3, 10), (0.1705, 0.8090)),
        ((6, 7, 2, 7), (0.0582, 0.8062)),
        ((5, 56, 0, 29), (-0.0381, 0.1926)),
        ((0, 10, 0, 20), (-0.1611, 0.2775)),
        ((0, 10, 0, 10), (-0.2775, 0.2775)),
        ((10, 10, 0, 20), (0.6791, 1.0)),
        ((10, 10, 0, 10), (0.6075, 1.0)),
    ],
)
def test_newcombes_differences(counts, expected):
    assert ends(newcombe(*counts)) == expected


@settings(max_examples=80, deadline=None)
@given(st.integers(1, 300), st.floats(0, 1), st.floats(0.5, 0.999))
def test_intervals_of_one_proportion_equal_scipy(n, share, confidence):
    k = round(n * share)
    test = binomtest(k, n)
    for ours, method in ((wilson, "wilson"), (clopper_pearson, "exact")):
        theirs = test.proportion_ci(confidence, method)
        found = ours(k, n, confidence=confidence)
        assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 60), st.integers(1, 60), st.floats(0, 1), st.floats(0, 1))
def test_newcombe_equals_statsmodels(n, m, p, q):
    a, b = round(n * p), round(m * q)
    theirs = confint_proportions_2indep(a, n, b, m, method="newcomb")
    found = newcombe(a, n, b, m)
    assert (found.low, found.high) == pytest.approx(theirs, abs=1e-9)


def test_mcnemar_equals_statsmodels():
    for table in ([[101, 121], [59, 33]], [[794, 150], [86, 570]], [[5, 1], [7, 2]]):
        exact = statsmodels_mcnemar(table, exact=True).pvalue
        corrected = statsmodels_mcnemar(table, exact=False, correction=True).pvalue
        plain = statsmodels_mcnemar(table, exact=False, correction=False).pvalue
        assert mcnemar(table).p == pytest.approx(exact)
        assert mcnemar(table, exact=False, correction=True).p == pytest.approx(corrected)
        assert mcnemar(table, exact=False).p == pytest.approx(plain)


# Newcombe (1998), Statistics in Medicine 17:2635, method 10.
@pytest.mark.parametrize(
    ("table", "expected"), [([[36, 12], [2, 0]], (0.0569, 0.3404)), ([[20, 12], [2, 16]], (0.0562, 0.3292))]
)
def test_newcombes_paired_differences(table, expected):
    assert mcnemar(table).value == pytest.approx(0.2)
    assert ends(mcnemar(table)) == expected


def test_mcnemar_of_columns_is_mcnemar_of_their_table():
    a = [1, 1, 1, 0, 0, 1, None, 1]
    b = [1, 0, 0, 1, 0, 0, 1, 0]
    assert mcnemar(a, b) == mcnemar([[1, 4], [1, 1]])
    assert mcnemar(a, b).value == pytest.approx(3 / 7)
    assert mcnemar([1, 0], [1, 0]).p == 1.0
    with pytest.raises(DataError, match="neither right"):
        mcnemar([1, 2], [0, 1])


def test_a_proportion_without_clusters_is_wilsons():
    values = [1] * 30 + [0] * 10
    assert ends(proportion(values)) == ends(wilson(30, 40))


def test_clusters_of_copies_count_as_one():
    once = [1] * 14 + [0] * 6
    copies = proportion(np.repeat(once, 5), clusters=np.repeat(np.arange(20), 5))
    alone = wilson(14, 20)
    assert copies.value == alone.value
    assert (copies.low, copies.high) == pytest.approx((alone.low, alone.high), abs=0.03)
    assert wilson(70, 100).low > copies.low
    resampled = proportion(np.repeat(once, 5), clusters=np.repeat(np.arange(20), 5), interval="bca", replicates=2000)
    assert (resampled.low, resampled.high) == pytest.approx((alone.low, alone.high), abs=0.06)


def test_a_proportion_of_clusters_that_are_all_right_is_still_uncertain():
    found = proportion([1] * 12, clusters=list("aaabbbcccddd"))
    assert (found.value, found.high) == (1.0, 1.0)
    assert found.low == pytest.approx(wilson(4, 4).low)


def test_missing_values_are_left_out_and_counted():
    found = proportion([1, None, 0, 1, ""])
    assert found.value == pytest.approx(2 / 3)
    assert found.left_out == {"without a value": 2}


def test_a_difference_of_pairs_is_the_paired_difference():
    rng = np.random.default_rng(0)
    x = rng.normal(size=40)
    y = x + 0.2 + rng.normal(scale=0.1, size=40)
    values, groups = np.concatenate([y, x]), ["a"] * 40 + ["b"] * 40
    paired = difference(values, groups, clusters=list(range(40)) * 2)
    gap = y - x
    assert paired.value == pytest.approx(gap.mean())
    assert paired.se == pytest.approx(gap.std(ddof=1) / np.sqrt(40))
    assert difference(values, groups).se > 3 * paired.se


def test_bad_counts_are_sentences():
    for call in (lambda: wilson(5, 3), lambda: wilson(1.5, 3), lambda: wilson(-1, 3), lambda: wilson("a", 3)):
        with pytest.raises(DataError):
            call()
    assert wilson(0, 0).value is None
    with pytest.raises(DataError, match="two groups"):
        difference([1, 2, 3], ["a", "b", "c"])
