import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quorate.errors import DataError
from quorate.statistics import Ratings, krippendorff_alpha
from quorate.statistics.alpha import _build
from quorate.statistics.alpha_wide import wide

N = None
# Krippendorff (2011), Computing Krippendorff's alpha-reliability, part C: four observers, twelve units.
CANONICAL = [
    [1, 1, N, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4],
    [4, 4, 4, 4], [1, 1, 2, 1], [2, 2, 2, 2], [N, 5, 5, 5], [N, N, 1, 1], [N, N, 3, N],
]  # fmt: skip
LEVELS = ["nominal", "ordinal", "interval", "ratio"]


@pytest.mark.parametrize(("level", "alpha"), list(zip(LEVELS, [0.743, 0.815, 0.849, 0.797], strict=True)))
def test_krippendorffs_canonical_data_at_each_level(level, alpha):
    found = krippendorff_alpha(CANONICAL, level=level)
    assert round(found.value, 3) == alpha
    assert (found.n_items, found.n_ratings, found.left_out) == (11, 40, {"items with one rating": 1})


def test_two_observers_and_yes_or_no():
    a, b = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    assert round(krippendorff_alpha(np.transpose([a, b])).value, 3) == 0.095


def test_two_observers_and_five_categories():
    a, b = list("aabbdcccedda"), list("babbbccceddd")
    assert round(krippendorff_alpha(list(zip(a, b, strict=True))).value, 3) == 0.692


def test_three_coders_and_fifteen_units():
    a = [N, N, N, N, N, 3, 4, 1, 2, 1, 1, 3, 3, N, 3]
    b = [1, N, 2, 1, 3, 3, 4, 3, N, N, N, N, N, N, N]
    c = [N, N, 2, 1, 3, 4, 4, N, 2, 1, 1, 3, 3, N, 4]
    table = list(zip(a, b, c, strict=True))
    assert round(krippendorff_alpha(table).value, 3) == 0.691
    assert round(krippendorff_alpha(table, level="interval").value, 3) == 0.811


def test_gwets_error_is_that_of_the_uncorrected_alpha():
    assert round(krippendorff_alpha(CANONICAL, interval="gwet").se, 5) == 0.14548


def test_gwets_interval_has_the_degrees_of_freedom_of_all_rated_items():
    # As the documentation of irrCAC prints it: 0.74342, 0.14548, (0.423, 1), p = 0.0003386245; one item has one rating.
    found = krippendorff_alpha(CANONICAL, interval="gwet")
    assert (round(found.value, 5), round(found.low, 3), found.high) == (0.74342, 0.423, 1.0)
    assert found.p == pytest.approx(0.0003386245, rel=1e-6)


def test_gwets_ordinal_weights_are_not_krippendorffs_ordinal_metric():
    assert round(krippendorff_alpha(CANONICAL, weights="ordinal").value, 3) == 0.834
    quadratic = krippendorff_alpha(CANONICAL, weights="quadratic").value
    assert quadratic == pytest.approx(krippendorff_alpha(CANONICAL, level="interval").value, rel=1e-12)


@settings(max_examples=100, deadline=None)
@given(st.integers(2, 6), st.integers(3, 30), st.integers(2, 90), st.sampled_from(LEVELS), st.integers(0, 10_000))
def test_alpha_equals_the_krippendorff_package_with_missing_ratings(raters, items, values, level, seed):
    rng = np.random.default_rng(seed)
    table = rng.integers(1, values + 1, (items, raters)).astype(float)
    table[rng.random(table.shape) < 0.3] = np.nan
    pairable = table[(~np.isnan(table)).sum(axis=1) >= 2]
    if len(np.unique(pairable[~np.isnan(pairable)])) < 2:
        return
    theirs = krippendorff.alpha(table.T, level_of_measurement=level)
    assert krippendorff_alpha(table, level=level, interval=None).value == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "ratio"])
def test_values_too_many_to_tabulate_give_the_same_alpha_and_error(level):
    rng = np.random.default_rng(5)
    table = np.clip(rng.integers(1, 9, (60, 1)) + rng.integers(-1, 2, (60, 4)), 1, 9).astype(float)
    table[rng.random(table.shape) < 0.2] = np.nan
    read = Ratings.read(table).pairable()
    tabulated, _ = _build(read, level, None, 1.0)
    by_item = wide(read, level)
    full = np.ones((1, len(by_item.count)))
    assert by_item.at(full)[0] == pytest.approx(tabulated.value(tabulated.totals), rel=1e-12)
    spread = np.sum(tabulated.count * tabulated.influence() ** 2)
    assert np.sum(by_item.influence() ** 2) == pytest.approx(spread, rel=1e-9)


@pytest.mark.parametrize("level", LEVELS)
def test_sliders_have_alphas_with_intervals(level):
    rng = np.random.default_rng(8)
    scores = np.clip(rng.normal(50, 20, (80, 1)) + rng.normal(0, 8, (80, 3)), 1, 100).round(1)
    if level == "nominal":
        scores = np.round(scores)
    line, resampled = (
        krippendorff_alpha(scores, level=level, interval=i, replicates=500) for i in ("linearised", "bca")
    )
    assert line.low < line.value < line.high
    assert resampled.se == pytest.approx(line.se, rel=0.2)


def test_alpha_does_not_lose_digits_far_from_zero():
    years = np.array([[1, 1], [2, 3], [5, 5], [7, 6], [9, 9]]) + 1_000_000
    near = krippendorff_alpha(years - 1_000_000, level="interval").value
    assert krippendorff_alpha(years, level="interval").value == pytest.approx(near, rel=1e-12)


def test_levels_refuse_what_they_cannot_use():
    with pytest.raises(DataError, match="not a number"):
        krippendorff_alpha([["a", "b"], ["b", "b"]], level="interval")
    with pytest.raises(DataError, match="lowest to highest"):
        krippendorff_alpha([["a", "b"], ["b", "b"]], level="ordinal")
    with pytest.raises(DataError, match="Did you mean 'nominal'"):
        krippendorff_alpha([[1, 2], [2, 2]], level="nominel")
    with pytest.raises(DataError, match="above zero"):
        krippendorff_alpha([[1, -1], [2, 2]], level="ratio")


def test_no_variation_is_undefined_and_says_so():
    found = krippendorff_alpha([[1, 1], [1, 1]], level="interval")
    assert found.value is None
    assert "no variation" in str(found.note)
