"""The alternative annotator test against the paper's definitions, computed with scipy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from quorate.errors import DataError
from quorate.statistics import alternative_annotator_test


def panel(seed, n=60, people=4, q=3, skill=0.75, judge=0.75):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, q, n)
    draw = lambda p, shape: np.where(rng.random(shape) < p, truth[:, None], rng.integers(0, q, shape))  # noqa: E731
    table = draw(skill, (n, people)).astype(object)
    table[rng.random((n, people)) < 0.1] = None
    return [int(v) for v in draw(judge, (n, 1))[:, 0]], [list(row) for row in table]


def from_the_paper(judge, people, score, epsilon):
    """rho and the one-sided p of each person, as written in Calderon et al. (2025), section 3."""
    rhos, ps = [], []
    for k in range(len(people[0])):
        ahead, behind = [], []
        for j, row in zip(judge, people, strict=True):
            others = [v for i, v in enumerate(row) if i != k and v is not None]
            if row[k] is None or not others:
                continue
            ahead.append(score(j, others) >= score(row[k], others))
            behind.append(score(row[k], others) >= score(j, others))
        differences = np.array(behind, float) - np.array(ahead, float)
        rhos.append(np.mean(ahead))
        ps.append(stats.ttest_1samp(differences, epsilon, alternative="less").pvalue)
    return rhos, ps


SCORES = {
    "accuracy": lambda answer, others: np.mean([o == answer for o in others]),
    "rmse": lambda answer, others: -np.sqrt(np.mean([(o - answer) ** 2 for o in others])),
}


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(["accuracy", "rmse"]), st.sampled_from([0.1, 0.2]))
def test_rho_p_and_omega_are_the_papers(seed, scoring, epsilon):
    judge, people = panel(seed)
    found = alternative_annotator_test(judge, people, scoring=scoring, epsilon=epsilon)
    rhos, ps = from_the_paper(judge, people, SCORES[scoring], epsilon)
    assert [found.people[k].judge_advantage.value for k in range(1, 5)] == pytest.approx(rhos)
    assert [found.people[k].judge_advantage.p for k in range(1, 5)] == pytest.approx(ps, abs=1e-9)
    won = stats.false_discovery_control(ps, method="by") <= 0.05
    assert found.omega == pytest.approx(np.mean(won))
    assert found.rho == pytest.approx(np.mean(rhos))
    assert found.passes == (np.mean(won) >= 0.5)


def test_a_function_scores_like_the_name_it_computes():
    judge, people = panel(2)
    named = alternative_annotator_test(judge, people)
    own = alternative_annotator_test(judge, people, scoring=SCORES["accuracy"])
    assert (own.omega, own.rho) == (named.omega, pytest.approx(named.rho))


def test_a_judge_better_than_the_people_passes_and_a_random_one_does_not():
    good, people = panel(5, n=120, judge=0.97, skill=0.7)
    bad, others = panel(5, n=120, judge=0.0, skill=0.9)
    assert alternative_annotator_test(good, people).passes is True
    assert alternative_annotator_test(bad, others).omega == 0


def test_rho_does_not_depend_on_epsilon_and_omega_rises_with_it():
    judge, people = panel(8)
    low, high = (alternative_annotator_test(judge, people, epsilon=e) for e in (0.0, 0.4))
    assert low.rho == high.rho
    assert low.omega <= high.omega


def test_people_with_few_items_are_not_tested_and_counted():
    judge, people = panel(1, n=40)
    people = [[*row, row[0] if i < 10 else None] for i, row in enumerate(people)]
    found = alternative_annotator_test(judge, people)
    assert found.people[5].adjusted_p is None
    assert found.winning_rate.left_out == {"people with too few items": 1}


def test_too_few_items_for_anybody_are_undefined():
    judge, people = panel(1, n=10)
    found = alternative_annotator_test(judge, people)
    assert found.omega is None
    assert found.passes is None
    assert "min_items" in str(found.winning_rate.note)


def test_answers_of_one_cluster_count_less():
    judge, people = panel(3)
    one = alternative_annotator_test(judge, people)
    copied = alternative_annotator_test(judge * 3, people * 3, clusters=list(range(60)) * 3)
    for k in one.people:
        assert copied.people[k].judge_advantage.p == pytest.approx(one.people[k].judge_advantage.p, rel=0.2, abs=1e-3)


@pytest.mark.parametrize(
    "options", [{"epsilon": 2}, {"q": 0}, {"scoring": "bleu"}, {"clusters": ["a"]}, {"categories": [0, 1]}]
)
def test_bad_options_are_a_sentence(options):
    judge, people = panel(1)
    with pytest.raises(DataError):
        alternative_annotator_test(judge, people, **options)
