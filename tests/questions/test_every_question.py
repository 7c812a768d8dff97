"""Every kind of question keeps its promises: one loop over the table."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import Any

import pytest

from quorate.chance import uniform
from quorate.errors import AnswerError
from quorate.questions import QUESTIONS, Given, Question
from quorate.records import Item, Level, Shown

ITEM = Item("img_1", {"target": "break the ice", "literal": "a hammer", "kind": "edit"})
SIDES = {"left": "ours", "right": "theirs"}
SWAPPED = {"left": "theirs", "right": "ours"}

#: At least one example of each kind; a new kind of question needs one here.
EXAMPLES: list[tuple[str, dict[str, Any]]] = [
    ("text", {"target": "target", "cannot_tell": "unrecognizable"}),
    ("text", {"lines": 3}),
    ("choice", {"options": ["Native", "Fluent", "Neither"]}),
    ("choice", {"target": "target", "literal": "literal", "none": "None of the above"}),
    ("rating", {"points": [1, 2, 3, 4, 5], "anchors": {1: "Bad", 5: "Good"}}),
    ("rating", {"points": ["no", "partly", "yes"], "each": "side"}),
    ("slider", {"low": 0, "high": 1, "step": 0.1}),
    ("slider", {"each": "side"}),
    ("winner", {}),
    ("winner", {"tie": False}),
    ("preference", {"of": "ours"}),
    ("preference", {"points": ["Worse", "Same", "Better"]}),
    ("tags", {"groups": [{"name": "Motion", "tags": ["jitter", "freeze"]}], "primary": 1}),
    ("tags", {"groups": [{"name": "All", "tags": ["a", "b", "c"]}], "loser_of": "better"}),
    ("yes_no", {}),
]
GIVEN = {"better": Given("ours")}
IDS = [f"{kind}-{number}" for number, (kind, _) in enumerate(EXAMPLES)]


def made(kind: str, settings: dict[str, Any]) -> Question:
    return QUESTIONS[kind].model_validate({"prompt": "What is it?", **settings})


def shown_to(question: Question, sides: dict[str, str] = SIDES) -> Shown:
    drawn = question.option_ids(ITEM)[::-1]
    return Shown(sides, {"": drawn} if question.is_drawn() and drawn else {})


def simulated(question: Question, rater: int, shown: Shown) -> Any:
    def draw(purpose: str) -> float:
        return uniform(7, purpose, rater)

    return question.simulate(ITEM, shown, 0.6, draw)


def test_every_kind_of_question_has_an_example_here() -> None:
    assert {kind for kind, _ in EXAMPLES} == set(QUESTIONS)


@pytest.mark.parametrize(("kind", "settings"), EXAMPLES, ids=IDS)
def test_every_question_accepts_its_own_simulated_answer(kind: str, settings: dict[str, Any]) -> None:
    question = made(kind, settings)
    shown = shown_to(question)
    for rater in range(40):
        raw = simulated(question, rater, shown)
        posted = question.form_of(raw, shown)
        assert all(isinstance(value, str) for values in posted.values() for value in values)
        read = question.read_form(posted)
        assert not question.is_blank(read)
        by_form = question.parse(read, shown, ITEM, GIVEN)
        assert by_form.reason is None
        assert by_form.value is not None
        # What a judge or an import sends as it is comes to the same as what a browser posts.
        assert question.parse(raw, shown, ITEM, GIVEN).value == by_form.value


@pytest.mark.parametrize(("kind", "settings"), EXAMPLES, ids=IDS)
def test_every_question_takes_a_stored_value_back_whatever_the_sides(kind: str, settings: dict[str, Any]) -> None:
    question = made(kind, settings)
    shown, swapped = shown_to(question), shown_to(question, SWAPPED)
    for rater in range(10):
        value = question.parse(simulated(question, rater, shown), shown, ITEM, GIVEN).value
        assert question.accept(value, swapped, ITEM).value == value


@pytest.mark.parametrize(("kind", "settings"), EXAMPLES, ids=IDS)
def test_every_question_gives_several_answers_when_simulated(kind: str, settings: dict[str, Any]) -> None:
    question = made(kind, settings)
    answers = {repr(simulated(question, rater, shown_to(question))) for rater in range(40)}
    assert len(answers) > 1 or (kind == "text" and "target" not in settings)


@pytest.mark.parametrize(("kind", "settings"), EXAMPLES, ids=IDS)
@pytest.mark.parametrize(
    "raw",
    [object(), "no such answer \0", -999, {"unknown": "x"}, ["unknown"]],
    ids=["object", "text", "number", "mapping", "list"],
)
def test_every_question_refuses_nonsense_with_a_sentence(kind: str, settings: dict[str, Any], raw: Any) -> None:
    question = made(kind, settings)
    if isinstance(raw, str) and kind == "text":
        return
    try:
        given = question.parse(raw, shown_to(question), ITEM, GIVEN)
    except AnswerError as error:
        sentence = str(error)
    else:
        sentence = "" if given.value is None or kind != "tags" else "nothing chosen."
    assert sentence.endswith(".")


@pytest.mark.parametrize(("kind", "settings"), EXAMPLES, ids=IDS)
def test_every_question_has_a_prompt_a_schema_and_a_level(kind: str, settings: dict[str, Any]) -> None:
    question = made(kind, settings)
    shown = shown_to(question)
    assert question.as_prompt(ITEM, shown).startswith("What is it?")
    schema = question.as_schema(ITEM, shown)
    assert schema.keys() & {"type", "enum"}
    assert isinstance(question.level, Level)
    assert question.template == f"questions/{kind}.html"


@pytest.mark.parametrize(("kind", "settings"), EXAMPLES, ids=IDS)
def test_no_question_tells_a_judge_the_right_answer(kind: str, settings: dict[str, Any]) -> None:
    question = made(kind, settings)
    told = question.as_prompt(ITEM, shown_to(question)) + str(question.as_schema(ITEM, shown_to(question)))
    assert not any(str(ITEM[field]) in told for field in question.blind_fields())


@pytest.mark.parametrize("kind", ["winner", "preference"])
def test_swapping_the_sides_swaps_what_is_clicked_and_not_what_is_stored(kind: str) -> None:
    question = made(kind, {})
    here, there = Shown(SIDES), Shown(SWAPPED)
    clicks = {"winner": [("left", "right"), ("tie", "tie")], "preference": [("2", "-2"), ("0", "0"), ("-1", "1")]}[kind]
    for one, other in clicks:
        assert question.parse(one, here).value == question.parse(other, there).value


@pytest.mark.parametrize("kind", ["rating", "slider"])
def test_ratings_of_both_sides_are_stored_by_system(kind: str) -> None:
    question = made(kind, {"each": "side", **({"points": [1, 2, 3]} if kind == "rating" else {})})
    raw = {"left": "1", "right": "3"}
    assert question.parse(raw, Shown(SIDES)).value == {"ours": 1, "theirs": 3}
    assert question.parse(raw, Shown(SWAPPED)).value == {"ours": 3, "theirs": 1}


def test_a_draw_belongs_to_one_rater_so_that_simulated_raters_differ() -> None:
    question = made("rating", {"points": [1, 2, 3, 4, 5]})
    answers = [question.simulate(ITEM, Shown(), 0.5, partial(_draw, rater)) for rater in range(20)]
    assert answers == [question.simulate(ITEM, Shown(), 0.5, partial(_draw, rater)) for rater in range(20)]
    assert len(set(answers)) > 2


def _draw(rater: int, purpose: str) -> float:
    return uniform(3, purpose, rater)


@pytest.mark.parametrize(
    "odd", ["9" * 400, "-" + "9" * 400, "1e999", "nan", "inf", "9" * 5000, 10**400, float("inf"), [[]], {}]
)
@pytest.mark.parametrize(("kind", "settings"), EXAMPLES, ids=IDS)
def test_every_question_answers_or_refuses_whatever_is_sent(kind: str, settings: dict[str, Any], odd: Any) -> None:
    """Numbers beyond those that machines count with among it; what is refused is told in a sentence."""
    question = made(kind, settings)
    shown = shown_to(question)
    names = {name for rater in range(5) for name in question.form_of(simulated(question, rater, shown), shown)}
    posted = [question.read_form({name: [odd]}) for name in names if isinstance(odd, str)]
    for raw in (odd, {"ours": odd, "theirs": odd}, *posted):
        with suppress(AnswerError):
            question.parse(raw, shown, ITEM, GIVEN)


@pytest.mark.parametrize("ends", [{"low": -1e308, "high": 1e308}, {"high": float("inf")}, {"step": 1e-300}])
def test_a_slider_that_no_number_can_follow_is_refused(ends: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="at most 1,000,000,000,000 steps"):
        QUESTIONS["slider"](prompt="How good?", **ends)
