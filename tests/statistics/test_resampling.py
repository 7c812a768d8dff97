import numpy as np
import pytest
from scipy.stats import bootstrap

from quorate.errors import DataError
from quorate.statistics import bootstrap_interval, bootstrap_values, jackknife_values

SCORES = np.random.default_rng(3).exponential(size=60)


def mean(weights):
    return weights @ SCORES / weights.sum(axis=1)


@pytest.mark.parametrize("interval", ["bca", "percentile"])
def test_intervals_are_those_of_scipy(interval):
    ours = bootstrap_interval(mean, 60, interval, replicates=20_000, seed=1)
    theirs = bootstrap((SCORES,), np.mean, method=interval, n_resamples=20_000, rng=np.random.default_rng(2))
    spread = theirs.standard_error
    assert ours.se == pytest.approx(spread, rel=0.03)
    assert (ours.low, ours.high) == pytest.approx(tuple(theirs.confidence_interval), abs=0.06 * spread)


def test_counting_equal_clusters_once_is_the_same_bootstrap():
    values, count = np.array([0.0, 1.0, 4.0]), np.array([300, 500, 200])
    once = bootstrap_interval(lambda w: w @ values / w.sum(axis=1), 3, "bca", count=count, replicates=20_000)
    each = np.repeat(values, count)
    all_of_them = bootstrap_interval(lambda w: w @ each / w.sum(axis=1), 1000, "bca", replicates=20_000, seed=9)
    assert once.se == pytest.approx(all_of_them.se, rel=0.03)
    assert (once.low, once.high) == pytest.approx((all_of_them.low, all_of_them.high), abs=0.1 * once.se)


def test_the_same_seed_gives_the_same_interval_and_another_seed_another():
    one, again, other = (bootstrap_interval(mean, 60, "bca", replicates=500, seed=s) for s in (7, 7, 8))
    assert one == again
    assert one != other


def test_blocks_do_not_change_the_number_of_replicates(monkeypatch):
    import quorate.statistics.resampling as resampling

    monkeypatch.setattr(resampling, "BLOCK", 1000)
    assert len(bootstrap_values(mean, 60, replicates=1234)) == 1234
    assert len(jackknife_values(mean, 60)) == 60


def test_jackknife_values_leave_out_one():
    left = jackknife_values(mean, 60)
    assert left[5] == pytest.approx(np.delete(SCORES, 5).mean())


def test_no_spread_is_no_interval_and_says_so():
    found = bootstrap_interval(lambda w: np.ones(len(w)), 10)
    assert (found.low, found.high, found.se) == (None, None, 0.0)
    assert "same value" in str(found.note)


def test_undefined_replicates_are_counted_in_the_note():
    def fragile(weights):
        return np.where(weights[:, 0] == 0, np.nan, mean(weights))

    found = bootstrap_interval(fragile, 60, "percentile", replicates=1000)
    assert "of 1,000 resamples" in str(found.note)
    assert found.low < found.high


def test_bad_options_are_sentences():
    with pytest.raises(DataError, match="confidence=95"):
        bootstrap_interval(mean, 60, confidence=95)
    with pytest.raises(DataError, match="too few"):
        bootstrap_interval(mean, 60, replicates=1)
    with pytest.raises(DataError, match="'bca' or 'percentile'"):
        bootstrap_interval(mean, 60, "basic")
    assert bootstrap_interval(lambda w: w[:, 0], 1).note
