import numpy as np
import pytest

from quorate.errors import DataError
from quorate.statistics import Ratings, cohen_kappa, light_kappa, pairwise_agreement


def test_light_is_the_mean_of_the_pairs():
    table = np.random.default_rng(4).integers(0, 3, (40, 4))
    pairs = pairwise_agreement(table, statistic="cohen kappa")
    assert light_kappa(table).value == pytest.approx(np.mean([e.value for e in pairs.values()]))
    assert len(pairs) == 6


def test_light_leaves_out_pairs_that_share_no_item():
    table = [["a", "a", None], ["b", "b", None], [None, "a", "a"], [None, "b", "a"], ["b", "a", None]]
    assert light_kappa(table, interval=None).value == pytest.approx(
        np.mean([cohen_kappa("abb", "aba").value, cohen_kappa("ab", "aa").value])
    )


def test_many_raters_who_rated_little_have_the_mean_of_their_pairs():
    rng = np.random.default_rng(0)
    table = rng.integers(0, 3, (150, 30)).astype(float)
    table[rng.random(table.shape) < 0.6] = np.nan
    pairs = pairwise_agreement(table, statistic="cohen kappa", interval=None)
    found = light_kappa(table)
    assert len(pairs) == 435
    assert found.value == pytest.approx(np.mean([e.value for e in pairs.values() if e.value is not None]))
    assert found.low < found.value < found.high


def test_the_default_error_is_the_jackknifes():
    table = np.random.default_rng(4).integers(0, 3, (40, 4))
    assert light_kappa(table).se == light_kappa(table, interval="jackknife").se


def test_light_needs_to_know_who_rated():
    with pytest.raises(DataError, match="who gave which rating"):
        light_kappa(Ratings.from_counts([[3, 0], [1, 2]]))
