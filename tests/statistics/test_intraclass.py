import numpy as np
import pytest

from quorate.errors import DataError
from quorate.statistics import icc, icc_forms

# Shrout and Fleiss (1979), table 2: six targets, four judges.
SHROUT_FLEISS = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]


@pytest.mark.parametrize(
    ("form", "value", "low", "high"),
    [
        ("ICC(1,1)", 0.17, -0.13, 0.72),
        ("ICC(2,1)", 0.29, 0.02, 0.76),
        ("ICC(3,1)", 0.71, 0.34, 0.95),
        ("ICC(1,k)", 0.44, -0.88, 0.91),
        ("ICC(2,k)", 0.62, 0.07, 0.93),
        ("ICC(3,k)", 0.91, 0.68, 0.99),
    ],
)
def test_shrout_and_fleiss_print_these(form, value, low, high):
    found = icc(SHROUT_FLEISS, form)
    assert (round(found.value, 2), round(found.low, 2), round(found.high, 2)) == (value, low, high)


def test_the_test_of_zero_is_the_f_test():
    assert icc(SHROUT_FLEISS, "ICC(1,1)").p == pytest.approx(0.165, abs=5e-4)
    assert icc(SHROUT_FLEISS, "ICC(3,1)").p == pytest.approx(0.000135, abs=5e-7)


def test_forms_may_be_written_as_people_write_them():
    expected = icc(SHROUT_FLEISS, "ICC(2,k)").value
    for form in ("2,k", "ICC2k", "icc(2, k)", "2k"):
        assert icc(SHROUT_FLEISS, form).value == expected
    assert icc(SHROUT_FLEISS, "ICC3").value == icc_forms(SHROUT_FLEISS)["ICC(3,1)"].value
    with pytest.raises(DataError, match="say one of"):
        icc(SHROUT_FLEISS, "ICC(4,1)")


def test_adding_a_constant_to_a_rater_changes_absolute_agreement_alone():
    shifted = np.array(SHROUT_FLEISS) + np.array([0, 100, 0, 0])
    assert icc(shifted, "3,1").value == pytest.approx(icc(SHROUT_FLEISS, "3,1").value)
    assert icc(shifted, "2,1").value < 0.1


def test_scores_far_from_zero_keep_their_digits():
    far = np.array(SHROUT_FLEISS) + 1e7
    assert icc(far, "1,1").value == pytest.approx(icc(SHROUT_FLEISS, "1,1").value, rel=1e-6)


def test_items_with_a_missing_score_are_left_out_and_counted():
    found = icc([*SHROUT_FLEISS, [1, None, 2, 3]])
    assert found.value == icc(SHROUT_FLEISS).value
    assert found.left_out == {"items that not every rater rated": 1}


@pytest.mark.parametrize("form", ["1,1", "2,1", "3,1", "1,k", "2,k", "3,k"])
def test_the_intervals_agree_on_many_items(form):
    rng = np.random.default_rng(1)
    scores = rng.normal(size=(400, 1)) + rng.normal(size=(400, 4)) * 0.7 + [0, 0.1, 0, -0.1]
    exact = icc(scores, form)
    for interval in ("linearised", "bca"):
        found = icc(scores, form, interval=interval, replicates=2000)
        assert (found.low, found.high) == pytest.approx((exact.low, exact.high), abs=0.02)


def test_items_that_go_together_widen_the_interval():
    rng = np.random.default_rng(0)
    scores = np.repeat(rng.normal(size=(30, 1)), 4, axis=0) + rng.normal(size=(120, 3)) * 0.5
    alone, together = icc(scores), icc(scores, clusters=np.repeat(np.arange(30), 4))
    assert together.value == pytest.approx(alone.value)
    assert together.high - together.low > 1.3 * (alone.high - alone.low)
    assert together.p is None


def test_perfect_and_constant_scores():
    assert icc([[1, 1], [2, 2], [5, 5]]).value == 1.0
    assert icc([[3, 3], [3, 3]]).value is None
    assert "do not vary" in str(icc([[3, 3], [3, 3]]).note)
    assert "only one rater" in str(icc([[1], [2]]).note)


@pytest.mark.parametrize("form", ["ICC(2,1)", "ICC(2,k)"])
def test_scores_that_are_too_few_carry_no_interval_instead_of_one_beside_the_value(form):
    found = icc([[41, 121], [3, 141], [54, 99]], form)
    assert found.value < 0
    assert (found.low, found.high) == (None, None)
    assert "too few" in str(found.note)
