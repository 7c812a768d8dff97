"""Open answers in one form: the protocol's steps in its order, and variants in both directions."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate.questions.canonical import STEPS, Variants, canonical, no_punctuation

ALL = list(STEPS)


@pytest.mark.parametrize(
    ("step", "typed", "form"),
    [
        ("lowercase", "Break The Ice", "break the ice"),
        ("no articles", "a bull in a china shop", "bull in china shop"),
        ("no punctuation", "it's raining cats and dogs!", "its raining cats and dogs"),
    ],
)
def test_each_step_does_what_the_protocol_shows(step: str, typed: str, form: str) -> None:
    assert canonical(typed, [step]) == form


@pytest.mark.parametrize(
    ("typed", "form"),
    [
        ("  The   Ball is in\tYOUR court!\n", "ball is in your court"),
        ("An apple a day…", "apple day"),
        ("once-in-a-blue-moon", "once in blue moon"),
        ("Ｂｒｅａｋ the ice", "break ice"),
        ("cafe\u0301 society", "café society"),
        ("“Crocodile tears”", "crocodile tears"),
        ("theatre another ant", "theatre another ant"),
        ("THE", ""),
        ("?!", ""),
        ("破釜沉舟。", "破釜沉舟"),
    ],
)
def test_what_looks_the_same_becomes_the_same(typed: str, form: str) -> None:
    assert canonical(typed, ALL) == form


def test_steps_that_are_not_named_are_not_taken() -> None:
    assert canonical("The Ball!", ["lowercase"]) == "the ball!"
    assert canonical("  The  Ball! ", []) == "The Ball!"


@given(st.text(max_size=40))
def test_a_canonical_form_has_no_space_at_its_ends_and_none_doubled(typed: str) -> None:
    form = canonical(typed, ALL)
    assert form == " ".join(form.split())


def test_variants_hold_in_both_directions() -> None:
    variants = Variants({"the ball is in your court": ["ball is in someone's court"]}, ALL)
    assert variants.same("ball is in your court", "ball is in someones court")
    assert variants.same("ball is in someones court", "ball is in your court")
    assert not variants.same("ball is in your court", "break ice")


def test_lists_that_share_a_form_are_one_group_whatever_their_order() -> None:
    lists = [("a1", ["b1"]), ("c1", ["d1"]), ("b1", ["c1"]), ("e1", ["f1"])]
    for order in (lists, lists[::-1], [lists[2], lists[0], lists[3], lists[1]]):
        variants = Variants(dict(order), ALL)
        assert variants.forms("a1") == ["a1", "b1", "c1", "d1"]
        assert not variants.same("a1", "e1")


def test_a_form_that_no_list_names_stands_for_itself_alone() -> None:
    variants = Variants({}, ALL)
    assert variants.forms("break ice") == ["break ice"]
    assert variants.same("break ice", "break ice")


@given(st.text(max_size=40))
def test_punctuation_goes_character_by_character(typed: str) -> None:
    spaced = re.sub(r"[-‐-―/_]", " ", typed)
    assert no_punctuation(typed) == "".join(c for c in spaced if unicodedata.category(c)[0] not in "PS")
