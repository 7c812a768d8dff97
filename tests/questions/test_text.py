"""An open answer: right by its canonical form, raw and canonical side by side, near misses to the team."""

from __future__ import annotations

import pytest

from quorate.encoders.sentences import is_minilm_here
from quorate.errors import AnswerError
from quorate.questions import Decision, Text
from quorate.records import Item, Level, Shown

ITEM = Item("img_1", {"target_idiom": "You can't teach an old dog new tricks"})
VARIANTS = {"can't teach an old dog new tricks": ["you cannot teach an old dog new tricks"]}
QUESTION = Text(prompt="Which idiom?", target="target_idiom", variants=VARIANTS, cannot_tell="unrecognizable")
NOTHING = Shown()


def value(typed: str) -> str:
    return QUESTION.parse(typed, NOTHING, ITEM).value


def test_what_was_typed_and_its_canonical_form_are_both_kept() -> None:
    given = QUESTION.parse("  Break The ICE! ", NOTHING, ITEM)
    assert given.raw == "  Break The ICE! "
    assert given.value == "break ice"
    assert given.reason is None


@pytest.mark.parametrize("typed", ["you can't teach an old dog new tricks", "YOU CAN'T TEACH OLD DOG, NEW TRICKS!!"])
def test_an_answer_is_right_when_its_canonical_form_is_the_targets(typed: str) -> None:
    assert QUESTION.score(value(typed), ITEM) is True


def test_a_variant_of_the_target_is_right() -> None:
    item = Item("img_2", {"target_idiom": "You cannot teach an old dog new tricks"})
    assert QUESTION.score(value("Can't teach an old dog new tricks"), item) is True
    assert QUESTION.score(value("Teach an old dog"), item) is False


def test_unrecognizable_is_an_answer_and_never_right() -> None:
    item = Item("img_3", {"target_idiom": "unrecognisable"})
    given = QUESTION.parse("Unrecognizable.", NOTHING, item)
    assert given.reason is None
    assert QUESTION.is_cannot_tell(given.value)
    assert QUESTION.score(given.value, item) is False
    assert not QUESTION.is_near_miss(given.value, item)


def test_ticking_cannot_tell_is_the_same_as_typing_it() -> None:
    assert QUESTION.read_form({"": ["half an idea"], "cannot_tell": ["1"]}) == "unrecognizable"
    assert QUESTION.read_form({"": ["an idea"], "cannot_tell": [""]}) == "an idea"


def test_a_tick_that_the_study_does_not_offer_is_ignored() -> None:
    assert Text().read_form({"": ["an idea"], "cannot_tell": ["1"]}) == "an idea"


@pytest.mark.parametrize("typed", ["", "   ", "\n", "?", "the", "…"])
def test_an_answer_in_which_nothing_is_said_is_refused_with_what_to_do(typed: str) -> None:
    with pytest.raises(AnswerError, match="Please type an answer, or choose that you cannot tell"):
        value(typed)


@pytest.mark.parametrize("raw", [None, 5, ["a"], {"a": "b"}])
def test_what_is_not_text_is_refused(raw: object) -> None:
    with pytest.raises(AnswerError, match="should be text"):
        QUESTION.parse(raw, NOTHING, ITEM)


def test_an_answer_may_be_as_long_as_stated_and_no_longer() -> None:
    assert len(value("x" * 500)) == 500
    with pytest.raises(AnswerError, match="longer than 500 characters"):
        value("x" * 501)


@pytest.mark.parametrize(
    ("typed", "is_near"),
    [
        ("you can't teach an old dog new trick", True),
        ("new tricks you can't teach an old dog", True),
        ("you can't teach an old dog new tricks", False),
        ("break the ice", False),
    ],
)
def test_close_but_unmatched_answers_go_to_the_team(typed: str, is_near: bool) -> None:
    assert QUESTION.is_near_miss(value(typed), ITEM) is is_near


def test_closeness_to_a_variant_of_the_target_counts_too() -> None:
    question = Text(target="target_idiom", variants={"kick the bucket": ["meet one's maker"]})
    item = Item("img_4", {"target_idiom": "kick the bucket"})
    assert question.is_near_miss("meets ones maker", item)


@pytest.mark.skipif(not is_minilm_here(), reason="the weights of MiniLM are not installed")
def test_other_words_for_the_same_go_to_the_team_where_the_protocol_says_how_close() -> None:
    item = Item("img_5", {"target_idiom": "raining cats and dogs"})
    letters, meaning = (Text(target="target_idiom", near_meaning=cosine) for cosine in (None, 0.5))
    typed = letters.canonical_form("it is raining heavily")
    assert letters.close_by(typed, item) == ""
    assert meaning.close_by(typed, item) == "meaning"
    assert meaning.close_by(letters.canonical_form("raining cats and dog"), item) == "letters"
    assert meaning.close_by(letters.canonical_form("a piece of cake"), item) == ""
    assert meaning.close_by(letters.canonical_form("raining cats and dogs"), item) == ""


def test_a_decision_makes_an_answer_right_for_its_target_alone() -> None:
    answer = value("you can't teach an old dog new trick")
    target = QUESTION.canonical_form(ITEM["target_idiom"])
    accepted = [Decision(target, answer, True)]
    assert QUESTION.score(answer, ITEM) is False
    assert QUESTION.score(answer, ITEM, accepted) is True
    assert QUESTION.score(answer, ITEM, [Decision(target, answer, False)]) is False
    other = Item("img_5", {"target_idiom": "break the ice"})
    assert QUESTION.score(answer, other, accepted) is False


def test_the_target_is_blind_and_a_question_without_one_scores_nothing() -> None:
    assert QUESTION.blind_fields() == ("target_idiom",)
    assert QUESTION.level is Level.TEXT
    remarks = Text(required=False)
    assert remarks.blind_fields() == ()
    assert remarks.score("fine", ITEM) is None
    assert remarks.parse("  It's FINE! ", NOTHING).value == "It's FINE!"


def test_a_judge_is_asked_in_the_same_words_and_told_what_to_answer_when_it_cannot_tell() -> None:
    prompt = QUESTION.as_prompt(ITEM, NOTHING)
    assert prompt.startswith("Which idiom?")
    assert "unrecognizable" in prompt
    assert "dog" not in prompt


def test_a_simulated_rater_is_right_as_often_as_stated() -> None:
    from quorate.chance import uniform

    def share(accuracy: float) -> float:
        right = 0
        for rater in range(400):
            raw = QUESTION.simulate(ITEM, NOTHING, accuracy, lambda purpose, rater=rater: uniform(1, purpose, rater))
            right += QUESTION.score(QUESTION.parse(raw, NOTHING, ITEM).value, ITEM) is True
        return right / 400

    assert share(0.0) == 0.0
    assert share(1.0) == 1.0
    assert 0.6 < share(0.7) < 0.8
