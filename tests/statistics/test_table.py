"""One loop over the table of statistics: what must not matter does not matter."""

import json
import subprocess
import sys

import numpy as np
import pytest

from quorate import statistics
from quorate.errors import DataError
from quorate.statistics import TABLE, simulated_ratings, statistic

RATINGS = [row for row in TABLE if row.shape in ("ratings", "two raters")]
SCORES = [row for row in TABLE if row.shape == "scores"]


def uneven(row):
    raters = 2 if row.shape == "two raters" else 4
    return simulated_ratings(np.random.default_rng(6), 90, raters, 0.4, shares=[0.5, 0.3, 0.2], missing=0.2)


def figures(estimate):
    return [estimate.value, *(end for end in (estimate.low, estimate.high, estimate.se) if end is not None)]


def same(one, other):
    return figures(one) == pytest.approx(figures(other), rel=1e-9) and one.n_ratings == other.n_ratings


@pytest.mark.parametrize("row", RATINGS, ids=lambda row: row.name)
def test_the_order_of_items_does_not_matter(row):
    table = uneven(row)
    shuffled = np.random.default_rng(1).permutation(table)
    assert same(row(shuffled), row(table))
    assert row(shuffled, interval="bca", replicates=200).value == pytest.approx(row(table).value)


@pytest.mark.parametrize("row", RATINGS, ids=lambda row: row.name)
def test_the_order_of_raters_does_not_matter(row):
    table = uneven(row)
    assert same(row(table[:, ::-1]), row(table))


@pytest.mark.parametrize("row", [r for r in RATINGS if "nominal" in r.levels], ids=lambda row: row.name)
def test_the_names_of_categories_do_not_matter(row):
    table = uneven(row)
    names = {1.0: "zebra", 2.0: "ant", 3.0: "mole"}
    renamed = [[names.get(v) for v in line] for line in table.tolist()]
    assert same(row(renamed), row(table))


@pytest.mark.parametrize("row", RATINGS, ids=lambda row: row.name)
def test_rows_without_ratings_do_not_matter(row):
    table = uneven(row)
    padded = np.insert(table, [0, 5, 40], np.nan, axis=0)
    assert same(row(padded), row(table))


@pytest.mark.parametrize("row", RATINGS, ids=lambda row: row.name)
def test_every_statistic_has_an_interval_and_an_n(row):
    found = row(uneven(row))
    assert found.low < found.value < found.high
    assert found.n_items > 0
    assert found.n_ratings > 0
    assert found.method
    for interval in ("bca", None):
        json.dumps(row(uneven(row), interval=interval, replicates=50).as_dict())


@pytest.mark.parametrize("row", RATINGS, ids=lambda row: row.name)
@pytest.mark.parametrize(
    "table",
    [
        [],
        [[None, None]],
        [[1, 1]],
        [[1, 2]],
        [[1, None], [None, 2]],
        [[1, 1], [1, 1]],
        [[1, 1], [2, 2]],
        [[1, 2], [2, 1]],
    ],
    ids=str,
)
def test_degenerate_ratings_have_a_value_or_a_sentence(row, table):
    for interval in ("linearised", "bca"):
        found = row(table, interval=interval)
        if found.value is None:
            assert found.note
        else:
            assert np.isfinite(found.value)
            assert found.low is None or np.isfinite([found.low, found.high]).all()


@pytest.mark.parametrize("row", SCORES, ids=lambda row: row.name)
def test_the_order_of_pairs_of_scores_does_not_matter(row):
    rng = np.random.default_rng(2)
    x = rng.normal(size=30)
    y = x + rng.normal(size=30)
    order = rng.permutation(30)
    assert row(x[order], y[order]).value == pytest.approx(row(x, y).value)


def test_every_name_of_the_room_can_be_imported():
    for name in statistics.__all__:
        assert getattr(statistics, name) is not None


def test_a_function_named_like_its_file_stays_a_function():
    from quorate.statistics.mace import mace

    assert statistics.mace is mace


def test_importing_the_room_loads_no_library():
    code = "import sys, quorate.statistics; print([m for m in ('numpy', 'scipy') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"


def test_power_loads_no_scipy_stats():
    code = "import sys; from quorate.statistics import t_test_power; print('scipy.stats' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "False"


def test_a_statistic_is_found_by_name():
    assert statistic("Fleiss_kappa").function == "fleiss_kappa"
    with pytest.raises(DataError, match="Did you mean 'fleiss kappa'"):
        statistic("fleis kappa")
    with pytest.raises(AttributeError):
        _ = statistics.no_such_thing
