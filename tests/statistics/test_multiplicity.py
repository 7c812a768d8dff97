"""Adjusted p-values against printed examples and statsmodels."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from quorate import statistics
from quorate.errors import DataError

pytestmark = pytest.mark.usefixtures("frozen_heap")
PAIRS = {
    "holm": "holm",
    "hochberg": "simes-hochberg",
    "benjamini_hochberg": "fdr_bh",
    "benjamini_yekutieli": "fdr_by",
}
# Benjamini and Hochberg (1995), section 3.2: fifteen tests of a thrombolysis trial.
THROMBOLYSIS = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719]
THROMBOLYSIS += [0.6528, 0.7590, 1.0000]


def test_holm_gives_the_textbook_example():
    assert list(statistics.holm([0.01, 0.04, 0.03, 0.005])) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_benjamini_and_hochberg_reject_four_of_fifteen_where_bonferroni_and_hochberg_reject_three():
    assert sum(statistics.benjamini_hochberg(THROMBOLYSIS).rejected) == 4
    assert sum(statistics.hochberg(THROMBOLYSIS).rejected) == 3
    assert sum(statistics.holm(THROMBOLYSIS).rejected) == 3


def test_hochberg_rejects_both_of_two_tests_just_below_the_level():
    assert statistics.hochberg([0.049, 0.048]).rejected == (True, True)
    assert statistics.holm([0.049, 0.048]).rejected == (False, False)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_every_adjustment_equals_statsmodels(p):
    for name, method in PAIRS.items():
        ours = np.asarray(getattr(statistics, name)(p))
        assert ours == pytest.approx(multipletests(p, method=method)[1], abs=1e-12)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=2, max_size=12), st.randoms())
def test_the_order_of_the_tests_does_not_matter(p, random):
    shuffled = list(range(len(p)))
    random.shuffle(shuffled)
    for name in PAIRS:
        straight = getattr(statistics, name)(p)
        mixed = getattr(statistics, name)([p[i] for i in shuffled])
        assert [straight[i] for i in shuffled] == pytest.approx(list(mixed))


def test_a_test_without_a_p_value_is_not_in_the_family():
    found = statistics.holm([0.02, None, 0.03])
    assert found[1] is None
    assert list(found[::2]) == pytest.approx([0.04, 0.04])


def test_names_are_kept():
    found = statistics.holm({"recognise": 0.01, "prefer": 0.2})
    assert found.as_dict()["adjusted"] == pytest.approx({"recognise": 0.02, "prefer": 0.2})


def test_an_empty_family_stays_empty():
    assert list(statistics.benjamini_yekutieli([])) == []


@pytest.mark.parametrize("bad", [[1.2], [-0.1], ["x"], 0.05, [[0.1]]])
def test_what_is_no_p_value_is_refused_with_a_sentence(bad):
    with pytest.raises(DataError):
        statistics.holm(bad)
