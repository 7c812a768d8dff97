"""How each rater works: definitions by hand, scipy and statsmodels."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import cohen_kappa_score
from statsmodels.sandbox.stats.runs import runstest_1samp

from quorate.errors import DataError
from quorate.statistics import agreement_with_rest, drift, speed, straight_lining


def uneven(seed, n=40, raters=4, q=3):
    rng = np.random.default_rng(seed)
    table = rng.integers(0, q, (n, raters)).astype(object)
    table[rng.random((n, raters)) < 0.25] = None
    return [list(row) for row in table]


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32))
def test_agreement_with_the_rest_is_the_mean_share_of_others_who_said_the_same(seed):
    table = uneven(seed)
    found = agreement_with_rest(table, interval=None)
    for k in range(4):
        shares = []
        for row in table:
            others = [v for j, v in enumerate(row) if j != k and v is not None]
            if row[k] is not None and others:
                shares.append(np.mean([v == row[k] for v in others]))
        assert found.agreement[k + 1].value == pytest.approx(np.mean(shares))
        assert found.agreement[k + 1].n_items == len(shares)


def test_with_two_raters_agreement_beyond_chance_is_cohens_kappa():
    rng = np.random.default_rng(1)
    a = rng.integers(0, 3, 60)
    b = np.where(rng.random(60) < 0.6, a, rng.integers(0, 3, 60))
    found = agreement_with_rest(np.column_stack([a, b]))
    for estimate in found.beyond_chance.values():
        assert estimate.value == pytest.approx(cohen_kappa_score(a, b))
        assert estimate.low < estimate.value < estimate.high


def test_the_odd_one_out_agrees_least():
    rows = [["y", "y", "n"], ["n", "n", "y"], ["y", "y", "y"], ["n", "n", "n"], ["y", "y", "n"], ["n", "n", "n"]]
    found = agreement_with_rest(rows)
    assert found.agreement[3].value < found.agreement[1].value
    assert found.agreement[1].value == found.agreement[2].value


def test_order_of_items_and_names_of_categories_do_not_matter():
    table = uneven(7)
    one = agreement_with_rest(table)
    other = agreement_with_rest([[None if v is None else "zyx"[v] for v in row] for row in reversed(table)])
    for rater in one.agreement:
        assert one.beyond_chance[rater].value == pytest.approx(other.beyond_chance[rater].value)
        assert one.agreement[rater].low == pytest.approx(other.agreement[rater].low)


def test_a_rater_alone_on_his_items_is_undefined():
    found = agreement_with_rest([["y", "n", None], ["n", "n", None], [None, None, "y"]])
    assert found.agreement[3].value is None
    assert "shares no item" in str(found.agreement[3].note)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.integers(4, 40))
def test_one_raters_drift_is_the_least_squares_slope(seed, n):
    rng = np.random.default_rng(seed)
    x, y = rng.permutation(100)[:n], rng.normal(size=n)
    line = stats.linregress(x, y)
    found = drift(y, x).slope[1]
    assert (found.value, found.se, found.p) == pytest.approx((line.slope, line.stderr, line.pvalue))


def test_drift_overall_ignores_differences_between_raters():
    values = [1, 2, 3, 11, 12, 13]
    found = drift(values, [1, 2, 3, 1, 2, 3], ["ann"] * 3 + ["bob"] * 3)
    assert found.overall.value == pytest.approx(1)
    assert found.slope["bob"].value == pytest.approx(1)


def test_missing_values_are_left_out_of_drift():
    assert drift([1, None, 3, 4], [1, 2, 3, 4]).slope[1].n_ratings == 3


def test_two_answers_have_no_slope():
    assert drift([1, 2]).overall.value is None


def test_runs_equal_the_wald_wolfowitz_test_for_two_answers():
    answers = [0, 0, 1, 1, 1, 0, 1, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 1, 1, 0]
    z, _ = runstest_1samp(answers, cutoff=0.5, correction=False)
    assert straight_lining(answers).repeated[1].p == pytest.approx(stats.norm.cdf(z))


def test_one_long_run_is_found_whatever_the_order_of_the_rows():
    positions = [5, 1, 2, 3, 4, 6]
    found = straight_lining(["b", "a", "a", "a", "a", "c"], positions=positions)
    assert found.longest_run[1] == 4
    assert found.repeated[1].value == pytest.approx(3 / 5)


def test_always_the_same_answer_is_said_in_words():
    found = straight_lining("aaaaaa")
    assert found.repeated[1].value == 1
    assert found.repeated[1].p is None
    assert found.commonest_share[1] == 1
    assert "every answer is the same" in str(found.repeated[1].note)


def test_raters_are_kept_apart_even_when_rows_alternate():
    found = straight_lining(["a", "b", "a", "b", "a", "b"], ["ann", "bob"] * 3)
    assert found.longest_run == {"ann": 3, "bob": 3}


def test_the_median_interval_is_between_order_statistics():
    # Binomial tails for n = 16: P(B <= 3) = .0106, P(B <= 4) = .0384, P(B <= 5) = .1051.
    times = [46.9, 47.2, 49.1, 56.5, 56.8, 59.2, 59.9, 63.2, 63.3, 63.4, 63.7, 64.1, 67.1, 67.7, 73.3, 78.5]
    found = speed(times, confidence=0.90).median_seconds[1]
    assert (found.low, found.high) == (times[4], times[11])
    wider = speed(times, confidence=0.95).median_seconds[1]
    assert (wider.low, wider.high) == (times[3], times[12])


def test_the_fast_one_is_found_by_the_default_threshold():
    found = speed([30, 40, 35, 3, 2, 4, 33, 36, 31], ["ann"] * 3 + ["bob"] * 3 + ["cy"] * 3)
    assert found.threshold == pytest.approx(0.3 * 33)
    assert found.too_fast["bob"].value == 1
    assert found.too_fast["ann"].value == 0


def test_no_times_are_undefined():
    found = speed([None, None], ["ann", "ann"])
    assert found.median_seconds["ann"].value is None
    assert found.too_fast["ann"].value is None


@pytest.mark.parametrize(
    "call",
    [
        lambda: speed([-1, 2]),
        lambda: speed([1, 2], ["ann"]),
        lambda: drift([1, 2, "x"]),
        lambda: drift([1, 2, 3], [1, 2]),
        lambda: straight_lining("ab", ["ann"]),
        lambda: agreement_with_rest("abc"),
    ],
)
def test_bad_input_is_a_sentence(call):
    with pytest.raises(DataError):
        call()
