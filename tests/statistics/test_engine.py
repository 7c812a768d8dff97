import numpy as np
import pytest

from quorate.errors import DataError
from quorate.statistics import (
    brennan_prediger,
    cohen_kappa,
    conger_kappa,
    fleiss_kappa,
    gwet_ac,
    icc,
    krippendorff_alpha,
    light_kappa,
    percent_agreement,
    simulated_ratings,
)
from quorate.statistics.engine import Sums

MANY = [percent_agreement, fleiss_kappa, conger_kappa, light_kappa, gwet_ac, brennan_prediger, krippendorff_alpha]


def uneven(items=120, raters=4, seed=0):
    rng = np.random.default_rng(seed)
    return simulated_ratings(rng, items, raters, 0.5, shares=[0.5, 0.3, 0.2], missing=0.25)


@pytest.mark.parametrize("statistic", MANY)
def test_the_linearised_error_is_close_to_the_jackknife_and_the_bootstrap(statistic):
    table = uneven()
    line = statistic(table)
    assert statistic(table, interval="jackknife").se == pytest.approx(line.se, rel=0.05)
    assert statistic(table, interval="bca", replicates=3000).se == pytest.approx(line.se, rel=0.08)


@pytest.mark.parametrize("statistic", MANY)
def test_with_many_items_the_linearised_error_is_the_jackknife_error(statistic):
    table = uneven(4000)
    assert statistic(table, interval="jackknife").se == pytest.approx(statistic(table).se, rel=2e-3)


def test_the_derivative_of_a_function_of_totals_is_exact():
    rng = np.random.default_rng(0)
    sums = Sums(rng.random((7, 3)), np.arange(1, 8), lambda t: t[..., 0] * t[..., 1] ** 2 / t[..., 2])
    x, y, z = sums.totals
    by_hand = sums.contributions @ [y**2 / z, 2 * x * y / z, -x * y**2 / z**2]
    assert sums.influence() == pytest.approx(by_hand, rel=1e-14)


@pytest.mark.parametrize("statistic", MANY)
def test_every_interval_holds_its_value_and_widens_with_confidence(statistic):
    table = uneven()
    for interval in ("linearised", "bca", "percentile", "jackknife", "asymptotic"):
        narrow, wide = (statistic(table, interval=interval, confidence=c, replicates=999) for c in (0.8, 0.99))
        assert wide.low < narrow.low < narrow.value < narrow.high < wide.high


@pytest.mark.parametrize("statistic", MANY)
def test_clusters_of_one_item_change_nothing_and_clusters_of_copies_keep_the_error(statistic):
    table = uneven()
    plain = statistic(table)
    alone = statistic(table, clusters=range(len(table)))
    assert (alone.value, alone.low, alone.high) == pytest.approx((plain.value, plain.low, plain.high), rel=1e-9)
    copies = statistic(np.repeat(table, 5, axis=0), clusters=np.repeat(np.arange(len(table)), 5))
    naive = statistic(np.repeat(table, 5, axis=0))
    assert copies.se == pytest.approx(plain.se, rel=0.02)
    assert naive.se < 0.6 * copies.se


def test_items_that_go_together_widen_every_interval():
    table = np.repeat(uneven(30), 4, axis=0)
    groups = np.repeat(np.arange(30), 4)
    for interval in ("linearised", "bca", "percentile", "gwet"):
        grouped = fleiss_kappa(table, clusters=groups, interval=interval, replicates=999)
        plain = fleiss_kappa(table, interval=interval, replicates=999)
        assert grouped.high - grouped.low > 1.4 * (plain.high - plain.low)


def test_the_same_seed_gives_the_same_interval():
    table = uneven()
    one, again, other = (fleiss_kappa(table, interval="bca", replicates=500, seed=s) for s in (1, 1, 2))
    assert one == again
    assert (one.low, one.high) != (other.low, other.high)


def test_new_raters_widen_the_interval_and_few_raters_are_refused():
    table = uneven(60, 12)
    these, new = (fleiss_kappa(table, raters=r) for r in ("these", "new"))
    assert new.se > these.se
    assert new.value == these.value
    with pytest.raises(DataError, match="4 raters are too few"):
        fleiss_kappa(uneven(), raters="new")
    with pytest.raises(DataError, match="'linearised' or 'jackknife'"):
        fleiss_kappa(table, raters="new", interval="bca")


@pytest.mark.parametrize("statistic", MANY)
def test_every_coefficient_can_speak_of_new_raters_and_of_clusters(statistic):
    table = uneven(60, 10)
    found = statistic(table, raters="new", clusters=np.repeat(np.arange(20), 3))
    assert found.se > statistic(table, clusters=np.repeat(np.arange(20), 3)).se * 0.99
    assert str(found.method).endswith("by cluster, new raters")


def test_unknown_intervals_are_refused_with_a_suggestion():
    with pytest.raises(DataError, match="Did you mean 'linearised'"):
        fleiss_kappa(uneven(), interval="linearized")
    with pytest.raises(DataError, match="confidence"):
        fleiss_kappa(uneven(), confidence=95)
    with pytest.raises(DataError, match="Gwet gives no variance"):
        light_kappa(uneven(), interval="gwet")


def test_p_agrees_with_the_interval():
    for seed in range(5):
        rng = np.random.default_rng(seed)
        found = cohen_kappa(*rng.integers(0, 2, (2, 60)))
        assert (found.p < 0.05) == (not found.low <= 0 <= found.high)


def test_no_interval_is_asked_for_and_none_is_given():
    found = icc(np.random.default_rng(0).normal(size=(10, 3)), interval=None)
    assert (found.low, found.high) == (None, None)
