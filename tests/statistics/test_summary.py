import numpy as np
import pytest

from quorate.errors import DataError
from quorate.statistics import agreement_summary, cohen_kappa, fleiss_kappa, simulated_ratings


def test_two_raters_get_cohen_and_several_get_conger_and_light():
    two = agreement_summary([["a", "b"], ["b", "b"], ["a", "a"]])
    assert "Cohen's kappa" in two
    assert "Conger's kappa" not in two
    three = agreement_summary([["a", "b", "a"], ["b", "b", "b"]])
    assert {"Conger's kappa", "Light's kappa"} <= set(three)
    assert "Cohen's kappa" not in three


def test_each_row_is_what_its_function_gives():
    table = simulated_ratings(np.random.default_rng(0), 60, 2, 0.5, [0.4, 0.3, 0.3])
    found = agreement_summary(table)
    assert found["Fleiss' kappa"] == fleiss_kappa(table)
    assert found["Cohen's kappa, quadratic weights"] == cohen_kappa(table, weights="quadratic")


@pytest.mark.parametrize(
    ("table", "alpha", "scores"),
    [
        ([["a", "b"], ["b", "b"]], "nominal", False),
        ([[0, 1], [1, 1]], "nominal", False),
        ([[1, 2], [3, 3], [5, 4]], "ordinal", True),
        ([[1.5, 2.25], [3.0, 3.5], [5.1, 4.4]], "interval", True),
    ],
)
def test_the_level_is_read_off_the_values(table, alpha, scores):
    found = agreement_summary(table)
    assert f"Krippendorff's alpha, {alpha}" in found
    assert ("ICC(2,1)" in found) == scores


def test_sliders_are_not_taken_for_categories():
    scores = np.random.default_rng(0).normal(size=(100, 3))
    assert "Fleiss' kappa" not in agreement_summary(scores)
    with pytest.raises(DataError, match="level"):
        agreement_summary(scores, "intervall")
