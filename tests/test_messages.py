"""Sentences as templates with parts."""

from __future__ import annotations

import pytest

from quorate.messages import Listed, Message, joined
from quorate.statistics import TABLE
from quorate.statistics.sources import sources

HOSTILE = ["gpt-4.1", "claude 3.5, tuned", "llama.by.meta", "{n}", "%(x)s", "C++", "“<b>”", "模型", "😀", "a" * 80]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_stands_in_a_sentence_as_it_is(name: str) -> None:
    assert Message("{system} won {n} comparisons", system=name, n=2).text() == f"{name} won 2 comparisons"


def test_a_count_of_one_has_its_own_form() -> None:
    assert [Message("{n} item", "{n} items", n=n).text() for n in (0, 1, 1200)] == ["0 items", "1 item", "1,200 items"]


def test_a_message_is_translated_before_it_is_filled() -> None:
    assert Message("Cohen’s κ").text("zh") == "Cohen κ"
    inside = Message("{what}: {system}", what=Message("Success rate"), system="Success rate")
    assert inside.text("zh") == "成功率: Success rate", "a name of the study is nobody's to translate"


def test_a_text_of_the_study_is_said_in_the_language_it_has() -> None:
    prompt = {"en": "Which idiom?", "zh": "哪个成语？"}
    assert Message("“{prompt}”", prompt=prompt).text("zh") == "“哪个成语？”"


def test_what_the_parts_rest_on_the_sentence_rests_on() -> None:
    share = Message("{n} of them", rests_on=["prefer.winner.success_rate"], n=3)
    whole = Message("{share} and {other}", share=share, other=Listed((share, "b"))).because("answers came by browser")
    assert whole.rests_on == ("prefer.winner.success_rate", "answers came by browser")


def test_a_number_with_decimals_is_no_part_until_it_says_how_many() -> None:
    for part in (0.5, True):
        with pytest.raises(TypeError, match="cannot be a part"):
            Message("{share}", share=part).text()


def test_lists_and_sentences_are_joined_as_the_language_does() -> None:
    assert Listed(()).text() == ""
    assert Listed(("a",)).text() == "a"
    assert Listed(("a", "b", "c")).text("zh") == "a、b和c"
    assert joined([Message("Cohen’s κ"), "b"], "zh") == "Cohen κb"


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
def test_every_statistic_is_told_by_a_sentence_and_known_sources(row) -> None:
    assert row.sentence.text().endswith(".")
    assert set(row.sources) <= set(sources())
