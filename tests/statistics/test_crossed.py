import numpy as np
import pytest

from quorate.errors import DataError
from quorate.statistics import crossed_mean
from quorate.statistics.crossed import FEWEST_GROUPS, FEWEST_RATERS, crossed

# Shrout and Fleiss (1979), table 2: six targets, four judges; they print BMS 11.24, JMS 32.49 and EMS 1.02.
TABLE = np.array([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]], float)


def long(table):
    table = np.asarray(table, float)
    items, raters = np.divmod(np.arange(table.size), table.shape[1])
    return table.ravel(), items, raters


def some(n_items, n_raters, each, seed=1):
    """Items and raters of a design in which each item has some of the raters."""
    rng = np.random.default_rng(seed)
    raters = np.concatenate([rng.permutation(n_raters)[:each] for _ in range(n_items)])
    return np.repeat(np.arange(n_items), each), raters


def test_the_variance_is_that_of_the_published_mean_squares():
    assert crossed(*long(TABLE)).variance == pytest.approx((11.24 + 32.49 - 1.02) / 24, abs=5e-4)


@pytest.mark.parametrize("design", ["complete", "some raters", "uneven", "clusters", "one rater an item"])
def test_the_variance_is_unbiased_in_every_design(design):
    items, raters = some(12, 6, 6 if design == "complete" else 3)
    if design == "uneven":
        kept = np.random.default_rng(2).random(len(items)) < 0.6
        items, raters = np.unique(items[kept], return_inverse=True)[1], raters[kept]
    if design == "clusters":
        items = items // 2
    if design == "one rater an item":
        items = np.arange(len(raters))
    weights = np.random.default_rng(3).uniform(0.5, 2, len(items))
    cells = np.unique(items * 6 + raters, return_inverse=True)[1]
    # The estimate is a quadratic form: its expectation is the sum over the effects that make the ratings vary.
    effects = [scale * np.eye(codes.max() + 1)[codes] for scale, codes in ((1, items), (0.7, raters), (1.3, cells))]
    columns = np.concatenate(effects, axis=1).T
    expected = sum(crossed(one, items, raters, weights).variance for one in columns)
    w = weights / weights.sum()
    assert expected == pytest.approx(sum((one @ w) ** 2 for one in columns), rel=1e-9)


def test_raters_who_differ_make_the_interval_wider_than_new_items_alone():
    table = np.arange(30)[:, None] % 3 + np.array([0, 1, 2, 3, 4, 5])
    assert crossed_mean(*long(table)).se > 5 * table.mean(axis=1).std(ddof=1) / 30**0.5


def test_neither_the_order_of_rows_nor_the_names_of_raters_matter():
    items, raters = some(30, 7, 3)
    values = np.random.default_rng(4).integers(0, 2, len(items))
    order = np.random.default_rng(5).permutation(len(items))
    one = crossed_mean(values, items, raters, ends=(0, 1))
    other = crossed_mean(values[order], items[order], [f"R{k}" for k in raters[order]], ends=(0, 1))
    assert (other.value, other.low, other.high) == pytest.approx((one.value, one.low, one.high), abs=1e-12)


def test_p_and_interval_of_a_net_gain_never_contradict_each_other():
    rng = np.random.default_rng(6)
    told = 0
    for _ in range(200):
        items, raters = some(25, 6, 3, seed=rng.integers(1000))
        found = crossed_mean(rng.choice([-1, 0, 1, 1], len(items)), items, raters, ends=(-1, 1))
        if found.low is not None:
            told += 1
            assert (found.p < 0.05) == (found.low > 0 or found.high < 0)
    assert told > 150


@pytest.mark.parametrize(
    ("items", "raters", "why"),
    [
        (40, FEWEST_RATERS - 1, "4 raters are too few for an interval that speaks of new raters (at least 5)"),
        (FEWEST_GROUPS - 1, 6, "19 clusters are too few for an interval that speaks of new raters (at least 20)"),
    ],
)
def test_too_few_raters_or_items_are_said_in_a_sentence_instead_of_an_interval(items, raters, why):
    values = np.random.default_rng(7).integers(0, 2, (items, raters))
    found = crossed_mean(*long(values), ends=(0, 1))
    assert (found.value, found.low, found.high, found.p) == (pytest.approx(values.mean()), None, None, None)
    assert str(found.note) == why


def test_one_rater_who_did_nearly_everything_is_as_few_as_one():
    items = np.arange(200)
    raters = np.where(items < 190, 0, items)
    found = crossed_mean(np.random.default_rng(8).integers(0, 2, 200), items, raters)
    assert found.low is None
    assert str(found.note).startswith("11 raters, some with far more ratings than others, say as much as 1:")


def test_an_outcome_that_is_rare_asks_for_more_raters():
    values = np.zeros((60, 8))
    values[::7, :3] = 1
    few, many = (crossed_mean(*long(np.tile(values, (1, times))), ends=(0, 1)) for times in (1, 4))
    assert few.low is None
    assert "fewer than 10%" in str(few.note)
    assert (many.low is not None, many.note) == (True, "")


def test_ratings_that_are_all_alike_have_a_value_and_no_interval():
    found = crossed_mean(*long(np.full((30, 6), 3.0)))
    assert (found.value, found.low) == (3.0, None)
    assert "do not tell how raters differ" in str(found.note)


def test_values_without_a_rater_are_refused_and_values_that_are_missing_counted():
    with pytest.raises(DataError, match="Name both"):
        crossed_mean([1, 2], ["a", "b"], ["x", None])
    assert crossed_mean([1, None], ["a", "b"], ["x", None]).left_out == {"without a value": 1}
