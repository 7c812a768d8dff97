import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quorate.errors import DataError
from quorate.statistics import Ratings, fleiss_kappa, krippendorff_alpha, percent_agreement

N = None
MATRIX = [["y", "y", "n"], ["n", N, "n"], ["y", "n", "y"], [N, N, "n"]]
LONG = [
    ("i1", "A", "y"), ("i1", "B", "y"), ("i1", "C", "n"), ("i2", "A", "n"), ("i2", "C", "n"),
    ("i3", "A", "y"), ("i3", "B", "n"), ("i3", "C", "y"), ("i4", "C", "n"),
]  # fmt: skip


def same(one, other):
    return one.categories == other.categories and np.array_equal(one.by_rater, other.by_rater)


def test_every_form_of_the_same_ratings_reads_the_same():
    items, raters, values = (list(column) for column in zip(*LONG, strict=True))
    expected = Ratings.read(MATRIX)
    forms = [
        Ratings.from_long(LONG),
        Ratings.from_long(items, raters, values),
        Ratings.read(LONG),
        Ratings.read({"item": items, "rater": raters, "value": values}),
        Ratings.read(pl.DataFrame({"Item": items, "Rater": raters, "Value": values})),
        Ratings.read(np.array(MATRIX, dtype=object)),
        Ratings.read(pl.DataFrame(MATRIX, schema=["A", "B", "C"], orient="row")),
        Ratings.read({"A": ["y", "n", "y", ""], "B": ["y", "", "n", None], "C": ["n", "n", "y", "n"]}),
    ]
    for form in forms:
        assert same(form, expected)


def test_a_wide_frame_may_name_its_items():
    frame = pl.DataFrame({"item": ["p", "q"], "A": ["y", "n"], "B": ["y", "y"]})
    assert Ratings.read(frame).raters == ("A", "B")


def test_numbers_read_the_same_as_integers_floats_booleans_or_objects():
    whole = [[1, 2], [2, 2], [4, 1]]
    expected = Ratings.read(whole)
    assert expected.categories == (1, 2, 4)
    for kind in (np.int8, np.uint16, np.int64, np.float32, np.float64, object):
        assert same(Ratings.read(np.array(whole, dtype=kind)), expected)
    assert Ratings.read(np.array([[True, False], [True, True]])).categories == (False, True)


def test_no_rating_is_none_nan_or_empty_and_never_a_category():
    table = [["a", None], ["b", ""], ["a", float("nan")], ["b", "b"], [None, None], ["a", "  "]]
    read = Ratings.read(table)
    assert read.categories == ("a", "b")
    assert (read.n_items, read.n_ratings, read.empty_items) == (5, 6, 1)


def test_mixed_types_stay_apart():
    assert Ratings.read([[1, "1"], ["a", 2.5]]).categories == (1, 2.5, "1", "a")


def test_three_raters_in_tuples_are_not_taken_for_a_long_table():
    rows = [("a", "b", "a"), ("b", "b", "a"), ("a", "a", "a")]
    assert Ratings.read(rows).n_raters == 3


def test_counts_and_raw_ratings_agree():
    counts = Ratings.from_counts([[2, 1, 0], [0, 0, 3], [1, 1, 1]], categories=["a", "b", "c"])
    raw = Ratings.read([["a", "a", "b"], ["c", "c", "c"], ["a", "b", "c"]])
    assert fleiss_kappa(counts).value == fleiss_kappa(raw).value
    assert counts.n_ratings == raw.n_ratings == 9


def test_a_contingency_table_is_two_raters():
    read = Ratings.from_contingency([[2, 1], [0, 3]], categories=["n", "y"])
    assert same(read, Ratings.from_pair("nnnyyy", "nnyyyy"))


def test_declared_categories_keep_their_order_and_the_unused():
    read = Ratings.read([["mid", "low"]], categories=["low", "mid", "high"])
    assert read.categories == ("low", "mid", "high")
    assert read.by_rater.tolist() == [[1], [0]]


def test_raters_who_rated_nothing_are_nobody():
    assert Ratings.read([[1, N, 2], [2, N, 2]]).n_raters == 2


@pytest.mark.parametrize(
    ("data", "options", "sentence"),
    [
        ([[1, 2], [1, 2, 3], [1, 1]], {}, "row 2 of the ratings has 3 columns"),
        ([1, 2, 3], {}, "a row for each item"),
        ("yyn", {}, "not a table"),
        (7, {}, "not a table"),
        ([[1, [2]], [1, 1]], {}, "holds a list"),
        ([[1.0, np.inf]], {}, "infinite"),
        ([["a", "x"]], {"categories": ["a", "b"]}, "'x' is not one of the declared categories"),
        ([["a", "b"]], {"categories": ["a", "a"]}, "twice"),
        ([["a", "b"]], {"categories": []}, "empty"),
        ([["a", "b"], ["a", "a"]], {"clusters": ["p"]}, "1 labels for 2 items"),
        ([["a", "b"], ["a", "a"]], {"clusters": ["p", None]}, "no label"),
    ],
)
def test_bad_input_is_a_sentence(data, options, sentence):
    with pytest.raises(DataError, match=sentence):
        percent_agreement(data, **options)


def test_bad_long_tables_are_sentences():
    with pytest.raises(DataError, match="rated item 'i' more than once"):
        Ratings.from_long(["i", "i"], ["r", "r"], [1, 2])
    with pytest.raises(DataError, match="row 2 names no item"):
        Ratings.from_long(["i", None], ["r", "s"], [1, 2])
    with pytest.raises(DataError, match="three columns"):
        Ratings.from_long([(1, 2)])
    with pytest.raises(DataError, match="it can be in one"):
        Ratings.from_long(["i", "i"], ["r", "s"], [1, 2], clusters=["p", "q"])


def test_bad_tables_of_counts_are_sentences():
    for table in ([[1.5, 2]], [["a", "b"]], [[-1, 2]], [1, 2]):
        with pytest.raises(DataError):
            Ratings.from_counts(table)
    with pytest.raises(DataError, match="must be square"):
        Ratings.from_contingency([[1, 2, 3], [1, 2, 3]])


def test_clusters_may_be_given_by_item_name_or_row():
    rows = LONG[:8]
    by_name = krippendorff_alpha(rows, clusters={"i1": "p", "i2": "p", "i3": "q"})
    by_row = krippendorff_alpha(rows, clusters=["p"] * 5 + ["q"] * 3)
    by_item = krippendorff_alpha(rows, clusters=["p", "p", "q"])
    assert by_name == by_row == by_item


@settings(max_examples=60, deadline=None)
@given(st.sampled_from([1, 2, 4, 12, 40]), st.integers(1, 40), st.integers(1, 9), st.integers(0, 10_000))
def test_patterns_hold_every_item_once(raters, items, categories, seed):
    rng = np.random.default_rng(seed)
    table = rng.integers(0, categories, (items, raters)).astype(float)
    table[rng.random(table.shape) < 0.3] = np.nan
    read = Ratings.read(table)
    if read.n_items == 0:
        return
    for patterns, rows in ((read.rater_patterns, read.by_rater.T + 1), (read.count_patterns, None)):
        assert patterns.count.sum() == read.n_items
        place = read.item_patterns(patterns)
        assert np.array_equal(np.bincount(place, minlength=len(patterns.rows)), patterns.count)
        if rows is None:
            rows = np.array([[(line == k).sum() for k in range(len(read.categories))] for line in read.by_rater.T])
        assert np.array_equal(patterns.rows[place], rows)


def test_a_million_items_fit():
    rng = np.random.default_rng(1)
    table = rng.integers(0, 5, (1_000_000, 5), dtype=np.int8)
    found = fleiss_kappa(table, interval="percentile", replicates=200)
    assert found.n_items == 1_000_000
    assert found.low < 0.001
    assert found.high > -0.001
