import pytest

from quorate.errors import DataError
from quorate.records import Estimate
from quorate.statistics import band_probabilities, gwet_ac, gwet_band, landis_koch
from quorate.statistics.bands import LOWEST

EDGES = [(0.20, "slight", "fair"), (0.40, "fair", "moderate"), (0.60, "moderate", "substantial"),
         (0.80, "substantial", "almost perfect")]  # fmt: skip


@pytest.mark.parametrize(("edge", "below", "above"), EDGES)
def test_published_bands_close_at_two_decimals_and_half_open_ones_do_not(edge, below, above):
    assert landis_koch(edge) == below
    assert landis_koch(edge + 0.004) == below
    assert landis_koch(edge + 0.01) == above
    assert landis_koch(edge, bands="half-open") == above
    assert landis_koch(edge - 1e-6, bands="half-open") == below


def test_the_ends_of_the_scale():
    assert landis_koch(-0.01) == LOWEST
    assert landis_koch(0.0) == "slight"
    assert landis_koch(1.0) == "almost perfect"
    assert landis_koch(Estimate.undefined("no ratings")) is None
    with pytest.raises(DataError, match="above 1"):
        landis_koch(1.5)
    with pytest.raises(DataError, match="half-open"):
        landis_koch(0.5, bands="halfopen")


def test_twelve_items_that_look_substantial_are_only_surely_moderate():
    estimate = Estimate(0.77544, se=0.14295)
    assert landis_koch(estimate) == "substantial"
    assert gwet_band(estimate) == "moderate"


def test_probabilities_grow_to_one():
    found = list(band_probabilities(Estimate(0.5, se=0.1)).values())
    assert found == sorted(found)
    assert found[-1] == pytest.approx(1.0)
    assert found[2] == pytest.approx(0.841, abs=1e-3)


def test_a_band_needs_an_error():
    with pytest.raises(DataError, match="standard error"):
        band_probabilities(Estimate(0.5))
    assert gwet_band(gwet_ac([["a", "a"], ["b", "b"]])) == "almost perfect"
