from __future__ import annotations

import pytest

from analyse.collecting import written
from quorate.analyse import analyse, majority
from quorate.protocol import Protocol
from quorate.protocol.study_file import Majority


@pytest.mark.parametrize(
    ("answers", "rule", "verdict"),
    [
        ("aab", "2 of 3", "a"),
        ("aa", "2 of 3", "a"),
        ("ab", "2 of 3", None),
        ("a", "2 of 3", None),
        ("", "2 of 3", None),
        ("aabb", "2 of 3", None),
        ("aab", "3 of 3", None),
    ],
)
def test_a_verdict_needs_enough_equal_answers_and_more_than_any_other(answers: str, rule: str, verdict: str) -> None:
    assert majority(answers, Majority(of=rule)) == verdict


def test_an_item_with_one_answer_is_ambiguous_and_never_false(protocol: Protocol) -> None:
    results = analyse(protocol, written(protocol, {"A1": "++++++++", "A2": "+.......", "A3": "........"}))
    by_status = [verdict.status for verdict in results.verdicts]
    assert by_status == ["agreed", *["ambiguous"] * 7]
    assert results["recognise.idiom.majority_accuracy"].estimate.left_out == {"no majority": 7}
    assert results["recognise.idiom.majority_accuracy"].counted == (1, 1)


def test_cannot_tell_is_an_answer_that_is_not_right(protocol: Protocol) -> None:
    results = analyse(protocol, written(protocol, {"A1": "????++++", "A2": "????++++", "A3": "++++++++"}))
    assert results["recognise.idiom.majority_accuracy"].counted == (4, 8)
    assert results["recognise.idiom.individual_accuracy"].counted == (16, 24)
