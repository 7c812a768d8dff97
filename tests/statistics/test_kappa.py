import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import cohens_kappa

from quorate.errors import DataError
from quorate.statistics import Ratings, cohen_kappa, conger_kappa, fleiss_kappa, pairwise_agreement

# Fleiss, Levin and Paik (2003), table 18.1: two clinicians, a hundred patients, three diagnoses.
CLINICIANS = [[75, 1, 4], [5, 4, 1], [0, 0, 10]]
GWET = [
    [1, 1, None, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4],
    [4, 4, 4, 4], [1, 1, 2, 1], [2, 2, 2, 2], [None, 5, 5, 5], [None, None, 1, 1], [None, None, 3, None],
]  # fmt: skip


def test_the_clinicians_have_kappa_676():
    found = cohen_kappa(Ratings.from_contingency(CLINICIANS), interval="asymptotic")
    assert round(found.value, 3) == 0.676
    assert round(found.se, 3) == 0.088


def test_the_asymptotic_error_is_that_of_fleiss_cohen_and_everitt():
    for table in (CLINICIANS, [[20, 5], [10, 15]], [[30, 4, 3], [2, 22, 9], [1, 5, 24]]):
        ours = cohen_kappa(Ratings.from_contingency(table), interval="asymptotic")
        theirs = cohens_kappa(np.array(table))
        assert ours.value == pytest.approx(theirs.kappa, abs=1e-12)
        assert ours.se == pytest.approx(theirs.std_kappa, rel=1e-9)
        assert (ours.low, ours.high) == pytest.approx((theirs.kappa_low, theirs.kappa_upp), rel=1e-9)


@pytest.mark.parametrize("weights", ["linear", "quadratic"])
def test_weighted_kappa_and_its_error_equal_statsmodels(weights):
    table = np.array([[30, 4, 3, 1], [2, 22, 9, 3], [1, 5, 24, 6], [0, 2, 7, 19]])
    theirs = cohens_kappa(table, wt=weights)
    ours = cohen_kappa(Ratings.from_contingency(table), weights=weights, interval="asymptotic")
    assert (ours.value, ours.se) == pytest.approx((theirs.kappa, theirs.std_kappa), rel=1e-9)


@pytest.mark.parametrize(("table", "kappa"), [([[20, 5], [10, 15]], 0.40), ([[45, 15], [25, 15]], 0.1304)])
def test_small_tables_with_printed_kappas(table, kappa):
    assert round(cohen_kappa(Ratings.from_contingency(table)).value, 4) == kappa


def test_cohen_1968_prints_348_with_his_weights_and_492_without():
    table = Ratings.from_contingency([[88, 14, 18], [10, 40, 10], [2, 6, 12]])
    disagreement = np.array([[0, 1, 3], [1, 0, 6], [3, 6, 0]])
    assert round(cohen_kappa(table).value, 3) == 0.492
    assert round(cohen_kappa(table, weights=1 - disagreement / 6).value, 3) == 0.348


@settings(max_examples=80, deadline=None)
@given(st.integers(5, 60), st.integers(2, 6), st.sampled_from([None, "linear", "quadratic"]), st.integers(0, 10_000))
def test_cohen_equals_scikit_learn_on_the_items_both_rated(items, categories, weights, seed):
    rng = np.random.default_rng(seed)
    a, b = rng.integers(1, categories + 1, (2, items)).astype(float)
    a[rng.random(items) < 0.2] = np.nan
    both = ~np.isnan(a) & ~np.isnan(b)
    if len(np.unique([a[both], b[both]])) < 2:
        return
    every = list(range(1, categories + 1))
    theirs = cohen_kappa_score(a[both], b[both], labels=every, weights=weights)
    ours = cohen_kappa(a, b, weights=weights, categories=every, interval=None)
    assert ours.value == pytest.approx(theirs, abs=1e-10)
    assert ours.left_out == ({} if both.all() else {"items that one of the two did not rate": int((~both).sum())})


def test_weights_need_the_order_of_text_categories():
    a, b = ["low", "high", "middle", "low"], ["low", "high", "low", "middle"]
    with pytest.raises(DataError, match="from lowest to highest"):
        cohen_kappa(a, b, weights="quadratic")
    found = cohen_kappa(a, b, weights="quadratic", categories=["low", "middle", "high"])
    assert found.value == pytest.approx(cohen_kappa([1, 3, 2, 1], [1, 3, 1, 2], weights="quadratic").value)


def test_gwet_prints_this_conger_kappa():
    found = conger_kappa(GWET, interval="gwet")
    assert (round(found.value, 5), round(found.se, 5), round(found.low, 3)) == (0.76282, 0.14917, 0.435)


def test_conger_of_two_complete_raters_is_cohen():
    table = np.random.default_rng(2).integers(0, 3, (50, 2))
    a, b = conger_kappa(table), cohen_kappa(*table.T)
    assert (a.value, a.low, a.high) == pytest.approx((b.value, b.low, b.high), rel=1e-10)


def test_pairs_carry_the_raters_names():
    table = {"ann": [1, 2, 1], "bob": [1, 2, 2], "eve": [1, 1, 2]}
    found = pairwise_agreement(table)
    assert [pair for pair in found] == [("ann", "bob"), ("ann", "eve"), ("bob", "eve")]
    assert found["ann", "bob"].value == pytest.approx(2 / 3)
    with pytest.raises(DataError, match="Did you mean 'cohen kappa'"):
        pairwise_agreement(table, statistic="cohens kappa")


def test_kappas_need_to_know_who_rated():
    counts = Ratings.from_counts([[3, 0], [1, 2]])
    for statistic in (conger_kappa, cohen_kappa):
        with pytest.raises(DataError, match=r"who gave which rating|compares two raters"):
            statistic(counts)
    assert fleiss_kappa(counts, interval=None).value is not None
