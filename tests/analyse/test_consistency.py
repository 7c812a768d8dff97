"""Scores are weighted over what applies, and broken rules are found with the values they speak of."""

from __future__ import annotations

from typing import Any

import pytest

from own_files import TEMPLATES
from quorate.inquiries.broken_rules import CASES, RULES, broken_rules
from quorate.plan import sample_items
from quorate.protocol import Protocol, load
from quorate.protocol.rules import scores
from quorate.records import Answer, Collected, Item

SCORED = ("correctness", "reasoning_completeness", "resists_misleading", "context_consistency")


@pytest.fixture(scope="module")
def talks() -> Protocol:
    return load(TEMPLATES / "dialogue")


@pytest.fixture(scope="module")
def clips() -> Protocol:
    return load(TEMPLATES / "media-preference")


def collected(protocol: Protocol, item: Item, rater: str = "R1", by: str = "rater", **values: Any) -> Collected:
    section = protocol.sections[0].id
    answers = [
        Answer(n, by, rater, section, item.id, question, value, None, value, "2026-03-01T10:00:00Z")
        for n, (question, value) in enumerate(values.items())
    ]
    return Collected((item,), tuple(answers))


def rules(protocol: Protocol, item: Item, **values: Any) -> list[str]:
    return [rule for rule, *_ in cases(protocol, collected(protocol, item, **values))]


def cases(protocol: Protocol, collected: Collected) -> list[tuple[Any, ...]]:
    """The rule, the item, the rater and the answers of each finding."""
    return [row for one in broken_rules(protocol, collected) if one.group == CASES for row in one.rows]


def misled(protocol: Protocol) -> Item:
    return next(item for item in sample_items(protocol) if item.fields["action_type"] == "mislead")


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ((4, 5, None, None), (4 * 40 + 5 * 30) / 70),
        ((5, 5, "Yes", "Yes"), 5.0),
        ((1, 4, None, "No"), (1 * 40 + 4 * 30 + 1 * 10) / 80),
        ((2, 3, "No", "Yes"), (2 * 40 + 3 * 30 + 1 * 20 + 5 * 10) / 100),
        ((None, None, None, None), None),
    ],
)
def test_the_weighted_score_is_over_what_applies(talks: Protocol, values: tuple[Any, ...], expected: float) -> None:
    found = scores(talks.sections[0], dict(zip(SCORED, values, strict=True)))
    assert found == {"weighted": expected if expected is None else pytest.approx(expected)}


def test_an_overall_score_far_from_the_weighted_one_is_found_with_its_numbers(talks: Protocol) -> None:
    item = sample_items(talks)[0]
    given: dict[str, Any] = {"correctness": 1, "reasoning_completeness": 2, "overall_quality": 5}
    ((rule, of, rater, answers),) = cases(talks, collected(talks, item, rater="R2", **given))
    assert (rule, of, rater) == ("overall_fits", item.id, "R2")
    assert "weighted: 1.43" in str(answers)
    assert "overall_quality: 5" in str(answers)


def test_a_distance_that_is_just_allowed_is_no_finding(talks: Protocol) -> None:
    item = sample_items(talks)[0]
    assert rules(talks, item, correctness=3, reasoning_completeness=3, overall_quality=4) == []


def test_a_reply_that_resists_with_low_correctness_may_have_a_high_overall_score(talks: Protocol) -> None:
    given = {"correctness": 1, "reasoning_completeness": 2, "context_consistency": "Yes", "overall_quality": 5}
    assert rules(talks, misled(talks), resists_misleading="Yes", **given) == []
    assert rules(talks, misled(talks), resists_misleading="No", **given) == ["overall_fits"]


def test_a_truncated_reply_with_good_scores_is_found(talks: Protocol) -> None:
    tags = {"primary": [], "secondary": ["Empty or truncated"]}
    given = {"correctness": 4, "reasoning_completeness": 4, "overall_quality": 4}
    assert rules(talks, sample_items(talks)[0], edge_cases=tags, **given) == ["truncated_lowest"]


def test_a_winner_that_is_worse_on_the_first_dimension_that_differs_is_found(clips: Protocol) -> None:
    item = sample_items(clips)[0]
    equal, better, worse = {"a": 3, "b": 3}, {"a": 4, "b": 2}, {"a": 2, "b": 4}
    given = {"prompt_adherence": equal, "temporal_consistency": worse, "identity_consistency": better}
    assert rules(clips, item, winner="a", **given) == ["priority"]
    assert rules(clips, item, winner="b", **given) == []


def test_a_tie_of_sides_that_are_rated_differently_is_found(clips: Protocol) -> None:
    item = sample_items(clips)[0]
    assert rules(clips, item, winner="tie", prompt_adherence={"a": 4, "b": 2}) == ["unequal_tie"]
    assert rules(clips, item, winner="tie", prompt_adherence={"a": 4, "b": 4}) == []


def test_answers_of_two_raters_are_not_mixed(talks: Protocol) -> None:
    item = sample_items(talks)[0]
    low = collected(talks, item, rater="R1", correctness=1, reasoning_completeness=1, overall_quality=1)
    high = collected(talks, item, rater="R2", correctness=5, reasoning_completeness=5, overall_quality=5)
    assert cases(talks, Collected((item,), (*low.answers, *high.answers))) == []


def test_what_a_rule_says_is_one_text_in_the_results_however_many_languages_it_has(talks: Protocol) -> None:
    item = sample_items(talks)[0]
    broken = collected(talks, item, correctness=1, reasoning_completeness=1, overall_quality=5)
    told = [row for one in broken_rules(talks, broken) if one.group == RULES for row in one.as_dict()["rows"]]
    assert told
    assert [row[1] for row in told] == ["The overall score is far from the weighted score."]
