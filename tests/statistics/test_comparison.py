"""Confusion and judge against people: by hand, scikit-learn, and invariances."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics

from quorate.errors import DataError
from quorate.statistics import confusion, judge_against_people


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32), st.integers(15, 80))
def test_every_rate_equals_scikit_learn(seed, n):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 4, n)
    said = np.where(rng.random(n) < 0.6, truth, rng.integers(0, 4, n))
    found = confusion(truth, said, interval=None)
    names = list(found.categories)
    assert found.counts.tolist() == metrics.confusion_matrix(truth, said, labels=names).tolist()
    assert found.accuracy.value == pytest.approx(metrics.accuracy_score(truth, said))
    assert found.kappa.value == pytest.approx(metrics.cohen_kappa_score(truth, said))
    assert found.balanced_accuracy.value == pytest.approx(metrics.balanced_accuracy_score(truth, said))
    precision, recall, f1, support = metrics.precision_recall_fscore_support(truth, said, labels=names, zero_division=0)
    for k, name in enumerate(names):
        if support[k]:
            assert found.recall[name].value == pytest.approx(recall[k])
            assert found.f1[name].value == pytest.approx(f1[k])
        if (said == name).any():
            assert found.precision[name].value == pytest.approx(precision[k])


def test_a_table_of_counts_is_the_same_as_its_two_columns():
    table = [[12, 3, 1], [2, 9, 4], [0, 1, 8]]
    truth = np.repeat(np.repeat([1, 2, 3], 3), np.ravel(table))
    said = np.repeat(np.tile([1, 2, 3], 3), np.ravel(table))
    one, two = confusion(table), confusion(truth, said)
    assert one.estimates() == two.estimates()


def test_the_interval_of_f1_agrees_with_the_bootstrap():
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 300)
    said = np.where(rng.random(300) < 0.75, truth, 1 - truth)
    plain, resampled = confusion(truth, said).f1[1], confusion(truth, said, interval="bca").f1[1]
    assert (plain.low, plain.high) == pytest.approx((resampled.low, resampled.high), abs=0.02)


def test_copies_within_clusters_change_no_value_and_widen_every_interval():
    truth, said = list("yynnyynnyn") * 3, list("ynnnyyynyn") * 3
    one = confusion(truth, said)
    three = confusion(truth * 4, said * 4, clusters=list(range(30)) * 4)
    assert three.accuracy.value == pytest.approx(one.accuracy.value)
    assert three.macro_f1.se == pytest.approx(one.macro_f1.se, rel=1e-6)


def test_a_category_nobody_has_is_undefined_not_zero():
    found = confusion("yyn", "yyy", categories="ynm")
    assert found.recall["m"].value is None
    assert found.precision["n"].value is None
    assert found.f1["m"].value is None
    assert found.recall["n"].value == 0


def test_items_without_both_answers_are_left_out():
    found = confusion(["y", "n", None, "y"], ["y", None, "n", "n"])
    assert found.accuracy.n_items == 2
    assert found.accuracy.left_out == {"items without both answers": 2}


def test_nothing_in_common_is_undefined():
    found = confusion(["y", None], [None, "n"])
    assert found.accuracy.value is None
    assert found.macro_f1.value is None


def panel(seed, n=50, people=4, q=3):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, q, n)
    table = np.where(rng.random((n, people)) < 0.7, truth[:, None], rng.integers(0, q, (n, people))).astype(object)
    table[rng.random((n, people)) < 0.2] = None
    judge = np.where(rng.random(n) < 0.7, truth, rng.integers(0, q, n)).astype(object)
    judge[rng.random(n) < 0.1] = None
    return list(judge), [list(row) for row in table]


def by_hand(judge, people, k):
    """Judge's and person k's mean agreement with the others, on the items where both can be compared."""
    ours, theirs = [], []
    for j, row in zip(judge, people, strict=True):
        others = [v for i, v in enumerate(row) if i != k and v is not None]
        if j is None or row[k] is None or not others:
            continue
        ours.append(np.mean([v == j for v in others]))
        theirs.append(np.mean([v == row[k] for v in others]))
    return np.mean(ours), np.mean(theirs), len(ours)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32))
def test_judge_and_left_out_person_face_the_same_people(seed):
    judge, people = panel(seed)
    found = judge_against_people(judge, people).all_items
    hand = [by_hand(judge, people, k) for k in range(4)]
    for k, (ours, theirs, n) in enumerate(hand, 1):
        assert found.judge_by_person[k].value == pytest.approx(ours)
        assert found.each_person[k].value == pytest.approx(theirs)
        assert found.difference_by_person[k].n_items == n
    assert found.difference.value == pytest.approx(np.mean([a - b for a, b, _ in hand]))


def test_ambiguous_items_are_counted_and_left_out_of_the_second_result():
    people = [["y", "y", "y"], ["n", "n", "n"], ["a", "b", "c"], ["y", "n", None]]
    found = judge_against_people(["y", "n", "a", "y"], people)
    assert found.ambiguous_items == 2
    assert found.all_items.judge.n_items == 4
    assert found.without_ambiguous.judge.n_items == 2
    assert found.without_ambiguous.judge.value == 1


def test_a_judge_who_copies_a_person_differs_from_that_person_by_nothing():
    judge, people = panel(3)
    judge = [row[0] for row in people]
    found = judge_against_people(judge, people).all_items
    assert found.difference_by_person[1].value == pytest.approx(0)


def test_order_of_items_and_people_and_names_do_not_matter():
    judge, people = panel(9)
    one = judge_against_people(judge, people).all_items
    name = {0: "x", 1: "z", 2: "y", None: None}
    other = judge_against_people(
        [name[v] for v in reversed(judge)], [[name[v] for v in reversed(row)] for row in reversed(people)]
    ).all_items
    assert other.judge.value == pytest.approx(one.judge.value)
    assert (other.difference.low, other.difference.high) == pytest.approx((one.difference.low, one.difference.high))


def test_mappings_by_item_are_the_same_as_columns():
    judge, people = panel(2)
    by_item = {f"i{i}": v for i, v in enumerate(judge)}
    by_person = {k + 1: {f"i{i}": row[k] for i, row in enumerate(people)} for k in range(4)}
    one, two = judge_against_people(judge, people), judge_against_people(by_item, by_person)
    assert two.all_items.difference.value == pytest.approx(one.all_items.difference.value)


def test_weights_give_credit_for_near_misses():
    judge, people = panel(4)
    plain = judge_against_people(judge, people).all_items.judge.value
    assert judge_against_people(judge, people, weights="linear").all_items.judge.value > plain


@pytest.mark.parametrize(
    "call",
    [
        lambda: judge_against_people(["y"], [["y", "n"], ["n", "n"]]),
        lambda: judge_against_people(["y", "n"], [["y"], ["n"]]),
        lambda: judge_against_people(["y", "n"], [["y", "n"], ["n"]]),
        lambda: judge_against_people(["y", "n"], ["y", "n"]),
        lambda: judge_against_people({"a": "y"}, [["y", "n"]]),
        lambda: judge_against_people(["y", "n"], [["y", "n"], ["n", "y"]], weights="linear"),
        lambda: confusion([1, 2, 3], [1, 2]),
        lambda: confusion([], []),
        lambda: confusion([[1, 2, 3], [1, 2, 3]]),
    ],
)
def test_bad_input_is_a_sentence(call):
    with pytest.raises(DataError):
        call()
