"""Dawid and Skene's EM on their own data, and on data with known truth."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quorate.errors import DataError
from quorate.statistics import dawid_skene

# Dawid and Skene (1979), table 1: five anaesthetists on 45 patients, the first of them three times.
TABLE = """111 1 1 1 1|333 4 3 3 4|112 2 1 2 2|222 3 1 2 1|222 3 2 2 2|222 3 3 2 2|122 2 1 1 1|333 3 4 3 3|222 2 2 2 3
232 2 2 2 3|444 4 4 4 4|222 3 3 4 3|111 1 1 1 1|222 3 2 1 2|121 1 1 1 1|111 2 1 1 1|111 1 1 1 1|111 1 1 1 1
222 2 2 2 1|222 1 3 2 2|222 2 2 2 2|222 2 2 2 1|222 3 2 2 2|221 2 2 2 2|111 1 1 1 1|111 1 1 1 1|232 2 2 2 2
111 1 1 1 1|111 1 1 1 1|112 1 1 2 1|111 1 1 1 1|333 3 2 3 3|111 1 1 1 1|222 2 2 2 2|222 3 2 3 2|433 4 3 4 3
221 2 2 3 2|232 3 2 3 3|333 3 4 3 2|111 1 1 1 1|111 1 1 1 1|121 2 1 1 1|232 2 2 2 2|121 1 1 1 1|222 2 2 2 2"""
PATIENTS = [row.split() for row in TABLE.replace("\n", "|").split("|")]
ANAESTHETISTS = [
    (patient, observer, int(label))
    for patient, row in enumerate(PATIENTS, 1)
    for observer, labels in enumerate(row, 1)
    for label in labels
]


@pytest.fixture(scope="module")
def paper():
    return dawid_skene(ANAESTHETISTS)


def test_the_table_is_whole():
    assert len(ANAESTHETISTS) == 45 * 7


def test_the_papers_start_gives_the_papers_prevalence(paper):
    assert [paper.prevalence[k].value for k in (1, 2, 3, 4)] == pytest.approx([0.40, 0.42, 0.11, 0.07], abs=5e-3)


def test_the_papers_start_gives_the_papers_error_rates_of_the_first_observer(paper):
    printed = [[0.89, 0.11, 0, 0], [0.07, 0.88, 0.05, 0], [0, 0.34, 0.66, 0], [0, 0, 0.56, 0.44]]
    assert paper.error_rates[1] == pytest.approx(np.array(printed), abs=5e-3)


def test_the_papers_start_gives_the_papers_classes(paper):
    assert paper.log_likelihood == pytest.approx(-192.89, abs=5e-3)
    assert (paper.labels[3], paper.labels[12], paper.labels[36], paper.labels[38]) == (2, 3, 4, 3)
    assert paper.posteriors[2, 1] > 0.99
    assert paper.converged


def test_restarts_are_reported_and_the_best_is_higher(paper):
    assert len(paper.restarts) == 10
    assert "start='best'" in str(paper.note)
    best = dawid_skene(ANAESTHETISTS, start="best", restarts=30, interval=None)
    assert best.log_likelihood == pytest.approx(-191.57, abs=5e-3)


def test_intervals_hold_their_estimates(paper):
    for estimate in paper.estimates().values():
        assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1


def plain_em(counts, steps):
    """The paper's equations 2.3 to 2.5, written out for a dense table of counts (items x raters x labels)."""
    chances = counts.sum(1) / counts.sum((1, 2))[:, None]
    for _ in range(steps):
        prior = chances.mean(0)
        rates = np.einsum("ij,ikl->kjl", chances, counts)
        rates = rates / np.maximum(rates.sum(2, keepdims=True), 1e-300)
        likelihood = prior * np.prod(np.power(rates[None], counts[:, :, None, :]), axis=(1, 3))
        chances = likelihood / likelihood.sum(1, keepdims=True)
    return chances


def uneven_labels(seed, n=30, raters=4, q=3):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, q, n)
    return [
        (int(i), int(k), int(truth[i] if rng.random() < 0.7 else rng.integers(q)))
        for i in range(n)
        for k in range(raters)
        if k == i % raters or rng.random() < 0.8
    ]


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32))
def test_each_step_is_the_papers_step(seed):
    rows = uneven_labels(seed)
    counts = np.zeros((30, 4, 3))
    for i, k, label in rows:
        counts[i, k, label] += 1
    found = dawid_skene(rows, categories=[0, 1, 2], restarts=0, interval=None, max_iterations=12, tolerance=1e-300)
    assert found.posteriors == pytest.approx(plain_em(counts, found.iterations), abs=1e-9)


def test_the_order_of_rows_and_the_names_of_raters_and_classes_do_not_matter():
    rows = uneven_labels(5)
    plain = dawid_skene(rows, restarts=0, interval=None)
    renamed = [(f"item {i}", f"rater {9 - k}", "cab"[v]) for i, k, v in reversed(rows)]
    other = dawid_skene(renamed, categories="cab", restarts=0, interval=None)
    assert other.log_likelihood == pytest.approx(plain.log_likelihood)
    assert [other.labels[f"item {i}"] for i in range(30)] == ["cab"[plain.labels[i]] for i in range(30)]


def test_raters_who_always_agree_are_always_right():
    found = dawid_skene([["y", "y"], ["n", "n"], ["y", "y"]], interval=None)
    assert [e.value for e in found.accuracy.values()] == pytest.approx([1, 1])


def test_smoothing_keeps_every_answer_possible():
    found = dawid_skene(ANAESTHETISTS, smoothing=0.01, restarts=0, interval=None)
    assert min(table.min() for table in found.error_rates.values()) > 0


def test_it_beats_the_majority_where_raters_differ():
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 2, 400)
    accuracy = [0.95, 0.65, 0.6, 0.65, 0.6]
    rows = [[int(t if rng.random() < a else 1 - t) for a in accuracy] for t in truth]
    found = dawid_skene(rows, restarts=0, interval=None)
    majority = (np.mean(rows, axis=1) > 0.5).astype(int)
    learnt = np.array(list(found.labels.values()))
    assert np.mean(learnt == truth) > np.mean(majority == truth) + 0.05
    assert found.accuracy[1].value == pytest.approx(0.95, abs=0.06)


def test_the_same_seed_gives_the_same_intervals():
    rows = uneven_labels(1)
    assert dawid_skene(rows, seed=4).accuracy == dawid_skene(rows, seed=4).accuracy


def test_one_item_one_rater_and_one_category_have_a_value():
    found = dawid_skene([["y"]])
    assert found.labels == {1: "y"}


@pytest.mark.parametrize("options", [{"start": "random"}, {"restarts": -1}, {"smoothing": -1}, {"interval": "wald"}])
def test_unknown_options_are_a_sentence(options):
    with pytest.raises(DataError):
        dawid_skene([["y", "n"], ["n", "n"]], **options)
