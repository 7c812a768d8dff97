"""How much a near miss counts: agreement weights between categories, 1 on the diagonal.

Formulas as in Gwet (2014), Handbook of Inter-Rater Reliability. Numeric categories are weighted by their values
and declared text categories by their places 1, 2, …; "ordinal" uses the places in both cases.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import DataError, did_you_mean
from quorate.languages import noted
from quorate.messages import Message

from .ratings import Ratings

Floats = NDArray[np.float64]
MANY = 3000


def weight_matrix(weights: Any, categories: Any) -> Floats:
    """The matrix of agreement weights for these categories, by name or as given.

    >>> weight_matrix("linear", [1, 2, 3]).tolist()
    [[1.0, 0.5, 0.0], [0.5, 1.0, 0.5], [0.0, 0.5, 1.0]]
    """
    names = list(categories)
    if weights is None or isinstance(weights, str):
        return _named(weights or "identity", names)
    return _given(np.asarray(weights, float), len(names))


def weights_for(ratings: Ratings, weights: Any) -> Floats:
    """The weights for these ratings; a named order needs categories whose order is known."""
    if len(ratings.categories) > MANY:
        raise DataError(
            Message(
                "{n} different values are too many to be categories; group them, or use krippendorff_alpha, which "
                "needs no table of categories", n=len(ratings.categories),
            )
        )  # fmt: skip
    if isinstance(weights, str) and weights not in ("identity", "unweighted") and not ratings.ordered:
        raise DataError(
            Message(
                "weights='{weights}' needs the order of the categories, and these are texts; list them from lowest to "
                "highest in categories=", weights=weights,
            )
        )  # fmt: skip
    return weight_matrix(weights, ratings.categories)


def _linear(x: Floats, y: Floats) -> Floats:
    return np.abs(x - y)


def _quadratic(x: Floats, y: Floats) -> Floats:
    return (x - y) ** 2


def _radical(x: Floats, y: Floats) -> Floats:
    return np.sqrt(np.abs(x - y))


def _ordinal(x: Floats, y: Floats) -> Floats:
    apart = np.abs(x - y)
    return apart * (apart + 1) / 2


def _ratio(x: Floats, y: Floats) -> Floats:
    with np.errstate(all="ignore"):
        return np.where(x == y, 0.0, ((x - y) / (x + y)) ** 2)


def _bipolar(x: Floats, y: Floats) -> Floats:
    low, high = x.min(), x.max()
    with np.errstate(all="ignore"):
        return np.where(x == y, 0.0, (x - y) ** 2 / ((x + y - 2 * low) * (2 * high - x - y)))


_DISTANCES: dict[str, Callable[[Floats, Floats], Floats]] = {
    noted("linear"): _linear,
    noted("quadratic"): _quadratic,
    noted("radical"): _radical,
    noted("ordinal"): _ordinal,
    noted("ratio"): _ratio,
    noted("bipolar"): _bipolar,
}
WEIGHTS = ("identity", *_DISTANCES)


def _named(name: str, categories: list[Any]) -> Floats:
    q = len(categories)
    if name in ("identity", "unweighted") or q < 2:
        return np.eye(q)
    if name not in _DISTANCES:
        known = ", ".join(WEIGHTS)
        raise DataError(
            f"weights='{name}' is unknown; say one of {known}, or give a matrix.{did_you_mean(name, WEIGHTS)}"
        )
    numeric = all(isinstance(c, int | float) for c in categories) and name != "ordinal"
    places = np.array(categories, float) if numeric else np.arange(1.0, q + 1)
    distance = _DISTANCES[name](places[:, None] + np.zeros((q, q)), places[None, :] + np.zeros((q, q)))
    if not np.isfinite(distance).all():
        raise DataError(
            Message("weights='{weights}' is undefined for these categories: two of them add up to zero", weights=name)
        )
    return 1 - distance / distance.max()


def _given(matrix: Floats, q: int) -> Floats:
    if matrix.shape != (q, q):
        shape = " × ".join(map(str, matrix.shape))
        raise DataError(f"the weights are {shape} and there are {q} categories; give a {q} × {q} matrix.")
    if not np.isfinite(matrix).all():
        raise DataError("the weights hold something that is not a number.")
    diagonal = np.diag(matrix)
    if (diagonal == 0).all():
        raise DataError("this looks like a matrix of disagreement; give agreement weights instead: 1 - v / v.max().")
    if not np.allclose(diagonal, diagonal[0]) or (matrix > diagonal[0]).any():
        raise DataError("agreement weights are greatest, and all the same, on the diagonal; these are not.")
    return matrix / diagonal[0]
