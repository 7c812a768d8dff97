"""The likelihoods of the Bradley-Terry family: slopes against differences, many sets at once."""

import numpy as np
import pytest

from quorate.statistics.bradley_terry_fit import Design, davidson, log_likelihood, maximise, rao_kupper

FIRST, SECOND = np.array([0, 1, 2, 0]), np.array([1, 2, 0, 2])
COUNTS = np.array([[6.0, 2, 3], [4, 1, 5], [3, 4, 2], [1, 1, 1]])


@pytest.mark.parametrize("ties", ["davidson", "rao-kupper"])
def test_slopes_are_the_derivatives_of_the_log_likelihood(ties):
    design = Design(np.array([0]), np.array([1]), 2, ties, True)
    counts = np.array([[6.0, 2.0, 3.0]])
    slopes_of = davidson if ties == "davidson" else rao_kupper
    d, t = 0.3, 0.4

    def at(d, t):
        return log_likelihood(design, np.array([0.0, 0.0, d, t]), counts)

    h = 1e-4
    slopes = slopes_of(np.array([d]), np.array([t]), *counts.T)
    assert slopes.d[0] == pytest.approx((at(d + h, t) - at(d - h, t)) / (2 * h), abs=1e-6)
    assert slopes.t[0] == pytest.approx((at(d, t + h) - at(d, t - h)) / (2 * h), abs=1e-6)
    assert slopes.dd[0] == pytest.approx(-(at(d + h, t) - 2 * at(d, t) + at(d - h, t)) / h**2, abs=1e-4)
    assert slopes.tt[0] == pytest.approx(-(at(d, t + h) - 2 * at(d, t) + at(d, t - h)) / h**2, abs=1e-4)
    cross = (at(d + h, t + h) - at(d + h, t - h) - at(d - h, t + h) + at(d - h, t - h)) / (4 * h**2)
    assert slopes.dt[0] == pytest.approx(-cross, abs=1e-4)


@pytest.mark.parametrize("ties", ["none", "davidson", "rao-kupper"])
def test_many_sets_at_once_are_each_set_alone(ties):
    counts = COUNTS if ties != "none" else COUNTS * [1, 0, 1]
    design = Design(FIRST, SECOND, 3, ties, False)
    together = maximise(design, np.stack([counts, counts[:, ::-1], 3 * counts]))
    alone = [maximise(design, c[None]).parameters[0] for c in (counts, counts[:, ::-1], 3 * counts)]
    assert together.converged.all()
    assert together.parameters == pytest.approx(np.array(alone), abs=1e-7)
    assert together.parameters[0, :3].sum() == pytest.approx(0, abs=1e-9)


def test_a_set_without_a_maximum_is_told_and_does_not_stop_the_others():
    design = Design(np.array([0]), np.array([1]), 2, "none", False)
    found = maximise(design, np.array([[[5.0, 0, 0]], [[3.0, 0, 1]], [[0.0, 0, 0]]]))
    assert found.converged.tolist() == [False, True, False]
    assert np.diff(-found.parameters[1])[0] == pytest.approx(np.log(3))
