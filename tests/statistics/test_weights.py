import numpy as np
import pytest

from quorate.errors import DataError
from quorate.statistics import cohen_kappa, gwet_ac, weight_matrix

NAMES = ["identity", "linear", "quadratic", "ordinal", "radical", "ratio", "bipolar"]


@pytest.mark.parametrize("name", NAMES)
def test_weights_are_symmetric_one_on_the_diagonal_and_zero_at_the_ends(name):
    matrix = weight_matrix(name, [1, 2, 3, 4, 5])
    assert np.allclose(matrix, matrix.T)
    assert np.allclose(np.diag(matrix), 1)
    assert matrix.min() == pytest.approx(0)


def test_gwets_weights_for_four_categories():
    linear = weight_matrix("linear", [1, 2, 3, 4])[0]
    quadratic = weight_matrix("quadratic", [1, 2, 3, 4])[0]
    ordinal = weight_matrix("ordinal", [1, 2, 3, 4])[0]
    radical = weight_matrix("radical", [1, 2, 3, 4])[0]
    ratio = weight_matrix("ratio", [1, 2, 3, 4])[0]
    assert linear == pytest.approx([1, 2 / 3, 1 / 3, 0])
    assert quadratic == pytest.approx([1, 8 / 9, 5 / 9, 0])
    assert ordinal == pytest.approx([1, 5 / 6, 1 / 2, 0])
    assert radical == pytest.approx([1, 1 - np.sqrt(1 / 3), 1 - np.sqrt(2 / 3), 0])
    assert ratio == pytest.approx([1, 1 - (1 / 9) / (9 / 25), 1 - (1 / 4) / (9 / 25), 0])


def test_numeric_categories_are_weighted_by_their_values():
    assert weight_matrix("linear", [1, 2, 5])[0, 1] == pytest.approx(0.75)
    assert weight_matrix("linear", ["low", "middle", "high"])[0, 1] == pytest.approx(0.5)


def test_a_matrix_may_be_given_and_only_its_shape_counts():
    a, b = [1, 2, 3, 1, 2, 3, 3], [1, 2, 2, 1, 3, 3, 1]
    linear = [[1, 0.5, 0], [0.5, 1, 0.5], [0, 0.5, 1]]
    assert cohen_kappa(a, b, weights=linear).value == pytest.approx(cohen_kappa(a, b, weights="linear").value)
    assert cohen_kappa(a, b, weights=np.array(linear) * 6).value == pytest.approx(
        cohen_kappa(a, b, weights="linear").value
    )


@pytest.mark.parametrize(
    ("weights", "sentence"),
    [
        ("linnear", "Did you mean 'linear'"),
        ([[1, 0], [0, 1]], "3 × 3"),
        ([[0, 1, 2], [1, 0, 1], [2, 1, 0]], "matrix of disagreement"),
        ([[1, 0, 0], [0, 2, 0], [0, 0, 1]], "on the diagonal"),
        ([[1, 0, 0], [0, np.nan, 0], [0, 0, 1]], "not a number"),
    ],
)
def test_bad_weights_are_sentences(weights, sentence):
    with pytest.raises(DataError, match=sentence):
        gwet_ac([[1, 2], [2, 3]], weights=weights)


def test_ratio_weights_refuse_categories_that_cancel():
    with pytest.raises(DataError, match="add up to zero"):
        gwet_ac([[-1, 1], [2, 2]], weights="ratio")
