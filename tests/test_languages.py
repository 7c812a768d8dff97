"""Texts in several languages."""

from __future__ import annotations

import pytest

from quorate.languages import choose, languages_of, noted, say, translation

BOTH = {"en": "Which idiom?", "zh": "哪个成语？"}


def test_a_plain_text_is_the_same_in_every_language() -> None:
    assert say("Which idiom?", "zh") == "Which idiom?"


def test_a_text_is_said_in_the_language_asked_for_else_in_english_else_in_what_there_is() -> None:
    assert say(BOTH, "zh") == "哪个成语？"
    assert say(BOTH, "fr") == "Which idiom?"
    assert say({"zh": "哪个成语？"}, "fr") == "哪个成语？"
    assert say({"en": "Which idiom?", "zh": ""}, "zh") == "Which idiom?"


def test_a_study_speaks_the_languages_of_its_texts() -> None:
    assert languages_of(["plain", BOTH]) == ("en", "zh")
    assert languages_of(["plain"]) == ("en",)
    assert languages_of([]) == ("en",)


@pytest.mark.parametrize(
    ("accepted", "chosen"),
    [
        ("zh-CN,zh;q=0.9,en;q=0.8", "zh"),
        ("en;q=0.5, zh;q=0.9", "zh"),
        ("en; q=0.5, zh; q=0.9", "zh"),
        ("ZH", "zh"),
        ("fr", "en"),
        ("", "en"),
        ("*", "en"),
        ("zh;q=0", "en"),
        ("zh;q=nonsense, zh", "zh"),
    ],
)
def test_a_browser_gets_the_language_it_likes_best_of_those_offered(accepted: str, chosen: str) -> None:
    assert choose(accepted, ["en", "zh"]) == chosen


def test_a_language_without_a_catalogue_falls_back_to_the_text_in_the_code() -> None:
    assert translation("xx").gettext("Please choose one of the options.") == "Please choose one of the options."


def test_a_noted_text_is_left_as_it_is() -> None:
    assert noted("Please choose one of the options.") == "Please choose one of the options."
