"""One of several options, by its place on the page or by its words."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from quorate.errors import AnswerError
from quorate.questions import Choice
from quorate.records import Item, Shown

QUESTION = Choice(prompt="How well?", options=("Native", {"en": "Fluent", "zh": "流利"}, "Neither"))
BUILT = Choice(prompt="Which?", target="concept", literal="literal", none="None of the above")
ITEM = Item("img_1", {"concept": "Justice", "literal": "A pair of scales"})
DRAWN = Shown({}, {"": ("literal", "target", "none")})


def test_a_choice_is_stored_in_english_whatever_the_language_of_the_page() -> None:
    assert QUESTION.option_ids() == ("Native", "Fluent", "Neither")
    assert QUESTION.parse("2", Shown()).value == "Fluent"
    assert QUESTION.parse("Fluent", Shown()).value == "Fluent"


@pytest.mark.parametrize("raw", ["", "0", "4", "native speaker", "-1", None, [], {"a": 1}])
def test_anything_but_an_option_is_refused(raw: object) -> None:
    with pytest.raises(AnswerError, match="Please choose one of the options"):
        QUESTION.parse(raw, Shown())


def test_a_place_on_the_page_means_the_option_that_was_drawn_there() -> None:
    assert [BUILT.parse(place, DRAWN, ITEM).value for place in ("1", "2", "3")] == ["literal", "target", "none"]
    assert BUILT.parse("Justice", DRAWN, ITEM).value == "target"


def test_only_the_target_is_right_and_none_of_the_above_is_an_answer() -> None:
    assert BUILT.score("target", ITEM) is True
    assert BUILT.score("literal", ITEM) is False
    assert BUILT.score("none", ITEM) is False
    assert BUILT.parse("3", DRAWN, ITEM).reason is None


def test_what_is_pinned_stays_last_and_built_options_are_drawn() -> None:
    assert BUILT.pinned() == ("none",)
    assert BUILT.is_drawn()
    assert not QUESTION.is_drawn()
    assert BUILT.option_ids(ITEM) == ("target", "literal", "none")


def test_a_judge_sees_the_options_in_the_order_drawn_and_no_role() -> None:
    prompt = BUILT.as_prompt(ITEM, DRAWN)
    assert prompt.index("A pair of scales") < prompt.index("Justice") < prompt.index("None of the above")
    assert "target" not in prompt
    assert BUILT.as_schema(ITEM, DRAWN)["enum"] == ["A pair of scales", "Justice", "None of the above"]


@pytest.mark.parametrize(
    "settings",
    [{}, {"options": ("a", "b"), "target": "concept"}, {"target": "concept"}],
    ids=["no options", "options and a target", "a target without distractors"],
)
def test_a_choice_without_options_to_choose_from_is_refused(settings: dict[str, object]) -> None:
    with pytest.raises(ValidationError, match="a choice"):
        Choice(**settings)  # type: ignore[arg-type]
