import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import aggregate_raters
from statsmodels.stats.inter_rater import fleiss_kappa as statsmodels_fleiss

from quorate.errors import DataError
from quorate.statistics import (
    Ratings,
    brennan_prediger,
    fleiss_kappa,
    fleiss_null,
    full_agreement,
    gwet_ac,
    kappa_by_category,
    percent_agreement,
    scott_pi,
)
from quorate.statistics import statistic as named

# Fleiss (1971), table 1: thirty patients, six psychiatrists, five diagnoses.
DIAGNOSES = [
    [0, 0, 0, 6, 0], [0, 3, 0, 0, 3], [0, 1, 4, 0, 1], [0, 0, 0, 0, 6], [0, 3, 0, 3, 0], [2, 0, 4, 0, 0],
    [0, 0, 4, 0, 2], [2, 0, 3, 1, 0], [2, 0, 0, 4, 0], [0, 0, 0, 0, 6], [1, 0, 0, 5, 0], [1, 1, 0, 4, 0],
    [0, 3, 3, 0, 0], [1, 0, 0, 5, 0], [0, 2, 0, 3, 1], [0, 0, 5, 0, 1], [3, 0, 0, 1, 2], [5, 1, 0, 0, 0],
    [0, 2, 0, 4, 0], [1, 0, 2, 0, 3], [0, 0, 0, 0, 6], [0, 1, 0, 5, 0], [0, 2, 0, 1, 3], [2, 0, 0, 4, 0],
    [1, 0, 0, 4, 1], [0, 5, 0, 1, 0], [4, 0, 0, 0, 2], [0, 2, 0, 4, 0], [1, 0, 5, 0, 0], [0, 0, 0, 0, 6],
]  # fmt: skip

# Gwet (2014), table 2.10 and the irrCAC documentation: four raters, twelve items, some ratings missing.
N = None
GWET = [
    [1, 1, N, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4],
    [4, 4, 4, 4], [1, 1, 2, 1], [2, 2, 2, 2], [N, 5, 5, 5], [N, N, 1, 1], [N, N, 3, N],
]  # fmt: skip


def test_fleiss_1971_prints_430():
    found = fleiss_kappa(Ratings.from_counts(DIAGNOSES))
    assert found.value == pytest.approx(0.430, abs=5e-4)
    assert (found.n_items, found.n_ratings) == (30, 180)
    assert str(found).startswith("0.430 [")
    assert percent_agreement(Ratings.from_counts(DIAGNOSES)).value == pytest.approx(0.5556, abs=5e-5)


def test_fleiss_nee_and_landis_hold_the_same_kappa_against_no_agreement():
    # As R's irr prints it of the same table: Kappa = 0.43, z = 17.7.
    found = fleiss_null(Ratings.from_counts(DIAGNOSES))
    assert (round(found.value, 2), round(found.value / found.se, 1)) == (0.43, 17.7)
    assert (found.low, found.p < 1e-60) == (None, True)
    assert named("fleiss null")(Ratings.from_counts(DIAGNOSES)) == found


def test_the_null_error_is_for_equal_numbers_of_ratings():
    found = fleiss_null([["y", "y", "n"], ["y", "n", None], ["n", "n", "n"]])
    assert found.value is None
    assert "equally many" in str(found.note)


def test_fleiss_1971_prints_these_kappas_of_each_diagnosis():
    names = ["depression", "personality", "schizophrenia", "neurosis", "other"]
    found = kappa_by_category(Ratings.from_counts(DIAGNOSES, categories=names))
    assert [round(found[name].value, 3) for name in names] == [0.245, 0.245, 0.520, 0.471, 0.566]


def test_the_fourteen_raters_example_prints_210():
    counts = [
        [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
    ]  # fmt: skip
    assert round(fleiss_kappa(Ratings.from_counts(counts)).value, 3) == 0.210


@pytest.mark.parametrize(
    ("statistic", "value", "se", "low"),
    [
        (percent_agreement, 0.81818, 0.12561, 0.542),
        (fleiss_kappa, 0.76117, 0.15302, 0.424),
        (gwet_ac, 0.77544, 0.14295, 0.461),
        (brennan_prediger, 0.77273, 0.14472, 0.454),
    ],
)
def test_gwet_prints_these_values_errors_and_lower_limits(statistic, value, se, low):
    found = statistic(GWET, interval="gwet")
    assert (round(found.value, 5), round(found.se, 5), round(found.low, 3), found.high) == (value, se, low, 1.0)


def test_singly_rated_items_do_not_widen_our_error_as_they_do_gwets():
    ours, gwets = gwet_ac(GWET), gwet_ac(GWET, interval="gwet")
    assert (round(ours.se, 5), round(gwets.se, 5)) == (0.12474, 0.14295)
    assert gwet_ac(GWET, interval="jackknife").se == pytest.approx(0.12522, abs=5e-6)


def test_ours_and_gwets_errors_are_the_same_where_every_item_has_two_ratings():
    for statistic in (percent_agreement, fleiss_kappa, gwet_ac, brennan_prediger):
        ours, gwets = (statistic(GWET[:-1], interval=i).se for i in ("linearised", "gwet"))
        assert ours == pytest.approx(gwets, rel=1e-12)


@pytest.mark.parametrize(
    ("table", "kappa", "ac1"),
    [([[40, 9], [6, 45]], 0.70, 0.70), ([[80, 10], [5, 5]], 0.31, 0.81), ([[118, 5], [2, 0]], -0.03, 0.94)],
)
def test_the_kappa_paradox_of_rare_categories(table, kappa, ac1):
    ratings = Ratings.from_contingency(table)
    assert round(scott_pi(ratings).value, 2) == pytest.approx(kappa, abs=0.011)
    assert round(gwet_ac(ratings).value, 2) == ac1


def test_declared_categories_count_even_if_unused():
    ratings = [["a", "a"], ["a", "b"], ["b", "b"], ["a", "a"]]
    two = brennan_prediger(ratings)
    four = brennan_prediger(ratings, categories=["a", "b", "c", "d"])
    assert two.value == pytest.approx((0.75 - 1 / 2) / (1 - 1 / 2))
    assert four.value == pytest.approx((0.75 - 1 / 4) / (1 - 1 / 4))
    assert "declare" in str(two.note)
    assert "declare" not in str(four.note)


def test_one_category_has_no_kappa_but_has_ac1_once_another_is_declared():
    same = [["a", "a"], ["a", "a"], ["a", "a"]]
    for statistic in (fleiss_kappa, gwet_ac, brennan_prediger):
        found = statistic(same)
        assert found.value is None
        assert "one category" in str(found.note)
    assert fleiss_kappa(same, categories=["a", "b"]).value is None
    assert gwet_ac(same, categories=["a", "b"]).value == 1.0
    assert brennan_prediger(same, categories=["a", "b"]).value == 1.0


def test_raters_who_always_agree_have_kappa_one_and_no_interval_but_a_share_with_one():
    found = fleiss_kappa([["a", "a"], ["b", "b"], ["a", "a"]])
    assert (found.value, found.low, found.high) == (1.0, None, None)
    assert "3 of 3 items are fully agreed, 1.000 [0.439, 1.000]" in str(found.note)


def test_full_agreement_of_all_items_keeps_an_interval():
    found = percent_agreement([["a", "a"]] * 10 + [["b", "b"]] * 10)
    assert found.value == 1.0
    assert found.low == pytest.approx(0.839, abs=5e-4)
    assert found.high == 1.0


def test_full_agreement_counts_items_on_which_nobody_differs():
    assert full_agreement(GWET).value == pytest.approx(8 / 11)
    assert full_agreement(Ratings.from_counts(DIAGNOSES)).value == pytest.approx(5 / 30)


def test_few_items_beside_the_commonest_category_are_warned_about_however_many_there_are():
    rare = [["a", "b"]] * 5 + [["b", "b"]] * 9
    for n in (20, 200, 2000):
        found = fleiss_kappa([["a", "a"]] * n + rare)
        assert f"only 14 of {n + 14:,} items were ever rated anything but “a”" in str(found.note)
    assert fleiss_kappa([["a", "a"]] * 200 + rare + [["b", "b"]]).note == ""


def test_one_rare_category_beside_several_common_ones_is_no_warning():
    common = [[one, one] for one in "abcd"] * 10
    assert fleiss_kappa([*common, ["e", "e"], ["a", "b"]]).note == ""


def naive(ratings, weights, chance):
    """Gwet's formulas written item by item, as in the book."""
    categories = sorted({v for row in ratings for v in row if v is not None})
    q = len(categories)
    rated = [[v for v in row if v is not None] for row in ratings]
    rated = [row for row in rated if row]
    several = [row for row in rated if len(row) >= 2]
    place = {c: k for k, c in enumerate(categories)}
    agreed = []
    for row in several:
        pairs = [weights[place[x], place[y]] for i, x in enumerate(row) for j, y in enumerate(row) if i != j]
        agreed.append(sum(pairs) / len(pairs))
    observed = sum(agreed) / len(agreed)
    shares = [sum(row.count(c) / len(row) for row in rated) / len(rated) for c in categories]
    if chance == "fleiss":
        expected = sum(weights[k, m] * shares[k] * shares[m] for k in range(q) for m in range(q))
    elif chance == "gwet":
        expected = weights.sum() / (q * (q - 1)) * sum(p * (1 - p) for p in shares)
    else:
        expected = weights.sum() / q**2
    return (observed - expected) / (1 - expected)


cells = st.one_of(st.none(), st.sampled_from([1, 2, 3]))
tables = st.integers(2, 5).flatmap(lambda r: st.lists(st.lists(cells, min_size=r, max_size=r), min_size=2, max_size=15))


@settings(max_examples=150, deadline=None)
@given(tables, st.sampled_from(["identity", "linear", "quadratic"]))
def test_the_engine_equals_the_formulas_item_by_item_with_missing_ratings(table, weights):
    seen = {v for row in table for v in row if v is not None}
    if len(seen) < 2 or all(sum(v is not None for v in row) < 2 for row in table):
        return
    x = np.array(sorted(seen), float)
    apart = np.abs(x[:, None] - x[None, :]) / (x.max() - x.min())
    matrix = {"identity": np.eye(len(x)), "linear": 1 - apart, "quadratic": 1 - apart**2}[weights]
    for statistic, chance in ((fleiss_kappa, "fleiss"), (gwet_ac, "gwet"), (brennan_prediger, "uniform")):
        found = statistic(table, weights=weights, interval=None)
        assert found.value == pytest.approx(naive(table, matrix, chance), abs=1e-10)


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 6), st.integers(2, 40), st.integers(2, 5), st.integers(0, 10_000))
def test_fleiss_equals_statsmodels_on_complete_ratings(raters, items, categories, seed):
    table = np.random.default_rng(seed).integers(0, categories, (items, raters))
    if len(np.unique(table)) < 2:
        return
    theirs = statsmodels_fleiss(aggregate_raters(table)[0])
    assert fleiss_kappa(table, interval=None).value == pytest.approx(theirs, abs=1e-10)


def test_scott_is_refused_for_three_raters_in_a_sentence():
    with pytest.raises(DataError, match="compares two raters"):
        scott_pi([[1, 1, 2], [2, 2, 2]])
