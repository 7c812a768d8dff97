"""Sentences as templates with parts."""

from __future__ import annotations

import pytest

from quorate.errors import DataError
from quorate.messages import Listed, Message, Word, clauses, clauses_of, inside, joined, speaks
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


def test_clauses_stand_beside_each_other_in_each_language() -> None:
    both = clauses(Message("Cohen’s κ"), "", Message("no interval"))
    assert both.text() == "Cohen’s κ; no interval"
    assert both.text("zh") == "Cohen κ；无区间"
    assert clauses("", "") == ""
    assert clauses_of(clauses(both, Message("ties"))) == (*both.parts, Message("ties"))


def test_a_message_is_found_by_what_it_is_and_not_by_a_word_in_it() -> None:
    few = Message("with {n} items nothing is sure: {share}", n=3, share=Message("Wilson"))
    whole = clauses(Message("no interval: {why}", why=few), Word("ties"))
    assert speaks(whole, Message("Wilson"))
    assert not speaks(Message("{name} was preferred", name="Wilson"), Message("Wilson"))
    assert not speaks("Wilson", Message("Wilson"))
    assert list(inside(whole)) == [whole.parts[0], few, Message("Wilson")]


def test_a_message_of_texts_in_several_languages_can_be_counted() -> None:
    asked = {"en": "Which idiom?", "zh": "哪个成语？"}
    assert len({Message("“{prompt}”", prompt=asked), Message("“{prompt}”", prompt=dict(asked))}) == 1


def test_a_complaint_about_data_is_a_clause_in_each_language_and_a_sentence_for_a_program() -> None:
    of_data, of_a_call = DataError(Message("there are no values")), DataError("interval= is unknown.")
    assert (str(of_data), of_data.why.text("zh")) == ("there are no values.", "没有数值")
    assert (str(of_a_call), of_a_call.why) == ("interval= is unknown.", "interval= is unknown")


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
def test_every_statistic_is_told_by_a_sentence_and_known_sources(row) -> None:
    assert row.sentence.text().endswith(".")
    assert set(row.sources) <= set(sources())
