"""MACE on raters whose spamming is known."""

import numpy as np
import pytest

from quorate.errors import DataError
from quorate.statistics import mace

COMPETENCE = [0.95, 0.8, 0.6, 0.3, 0.0]


def simulated(n=400, q=3, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, q, n)
    rows = [[int(t if rng.random() < c else rng.choice(q, p=[0.7, 0.2, 0.1])) for c in COMPETENCE] for t in truth]
    return truth, rows


@pytest.mark.parametrize("variational", [True, False])
def test_competence_and_habits_of_spammers_are_recovered(variational):
    truth, rows = simulated()
    found = mace(rows, variational=variational, interval=None)
    assert [found.competence[k].value for k in range(1, 6)] == pytest.approx(COMPETENCE, abs=0.08)
    assert found.spamming[5] == pytest.approx([0.7, 0.2, 0.1], abs=0.08)
    assert np.mean(np.array(list(found.labels.values())) == truth) > 0.95


def test_intervals_hold_the_estimate_and_tell_experts_from_spammers():
    _, rows = simulated(n=100, seed=2)
    found = mace(rows, restarts=2)
    assert all(e.low <= e.value <= e.high for e in found.competence.values())
    assert found.competence[1].low > found.competence[5].high


def test_plain_em_never_lowers_the_likelihood_beyond_its_smoothing():
    _, rows = simulated(n=60)
    steps = [mace(rows, variational=False, restarts=1, iterations=k, interval=None).log_likelihood for k in (1, 5, 40)]
    assert steps[0] <= steps[1] + 0.05 <= steps[2] + 0.1


def test_an_item_all_agree_on_is_surer_than_a_split_one():
    _, rows = simulated(n=80)
    found = mace([*rows, [0, 0, 0, 0, 0], [0, 1, 2, 1, 0]], interval=None)
    assert found.entropy[81] < found.entropy[82]


def test_the_order_of_items_does_not_matter():
    _, rows = simulated(n=80)
    one, two = mace(rows, interval=None), mace(rows[::-1], interval=None)
    assert [e.value for e in one.competence.values()] == pytest.approx(
        [e.value for e in two.competence.values()], abs=1e-6
    )


def test_missing_labels_are_left_out():
    _, rows = simulated(n=200)
    holes = [[None if (i + k) % 4 == 0 else v for k, v in enumerate(row)] for i, row in enumerate(rows)]
    found = mace(holes, interval=None)
    assert found.competence[1].n_ratings == 150
    assert found.competence[1].value > 0.8


def test_no_starts_are_refused():
    with pytest.raises(DataError):
        mace([["y", "n"]], restarts=0)
