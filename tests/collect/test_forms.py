"""Posted forms become answers, or everything that is wrong with them at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from quorate.collect.forms import FormError, fields_of, read_answers
from quorate.protocol import Section, load
from quorate.records import Item, Reason, Shown

ASK = """      - id: sure
        yes_no: {prompt: Are you sure?, required: false, cannot_judge: true}
      - id: why
        applies_when: sure == "No"
        text: {prompt: Why not?}
      - id: remark
        required_when: sure == "Yes"
        text: {prompt: Anything else?}
    hide: [idiom_id]
"""
ITEM = Item("img_1", {"target_idiom": "break the ice", "idiom_id": "1"})


@pytest.fixture
def section(study_folder: Path) -> Section:
    path = study_folder / "study.yaml"
    path.write_text(path.read_text().replace("    hide: [idiom_id]\n", ASK))
    return load(study_folder).section("recognise")


def reasons(section: Section, form: dict[str, list[str]]) -> dict[str, Reason | None]:
    given = read_answers(section.ask, form, Shown(), ITEM)
    return {question: answer.reason for question, answer in given.items()}


def test_fields_are_named_relative_to_their_question() -> None:
    form = {"idiom": ["x"], "idiom.cannot_tell": ["1"], "idiomatic": ["y"], "idiomatic.more": ["z"]}
    assert fields_of(form, "idiom") == {"": ["x"], "cannot_tell": ["1"]}
    assert fields_of(form, "other") == {}


def test_what_does_not_apply_is_stored_as_such_and_never_as_empty(section: Section) -> None:
    assert reasons(section, {"idiom": ["x y"], "sure": ["yes"], "remark": ["fine"]}) == {
        "idiom": None,
        "sure": None,
        "why": Reason.NOT_APPLICABLE,
        "remark": None,
    }


def test_what_applies_by_an_answer_before_it_is_required(section: Section) -> None:
    with pytest.raises(FormError) as caught:
        read_answers(section.ask, {"idiom": ["x y"], "sure": ["no"]}, Shown(), ITEM)
    assert set(caught.value.errors) == {"why"}


def test_an_optional_question_is_skipped_unless_a_condition_requires_it(section: Section) -> None:
    assert reasons(section, {"idiom": ["x y"], "sure": [""]})["remark"] is Reason.SKIPPED
    with pytest.raises(FormError) as caught:
        read_answers(section.ask, {"idiom": ["x y"], "sure": ["yes"]}, Shown(), ITEM)
    assert set(caught.value.errors) == {"remark"}


def test_cannot_judge_is_a_reason_where_it_is_offered(section: Section) -> None:
    form = {"idiom": ["x y"], "sure": ["yes"], "sure.cannot_judge": ["1"], "idiom.cannot_judge": ["1"]}
    found = reasons(section, form)
    assert found["sure"] is Reason.CANNOT_JUDGE
    assert found["idiom"] is None


def test_everything_that_is_wrong_is_told_at_once(section: Section) -> None:
    with pytest.raises(FormError) as caught:
        read_answers(section.ask, {"idiom": [""], "sure": ["perhaps"], "remark": ["x" * 501]}, Shown(), ITEM)
    assert set(caught.value.errors) == {"idiom", "sure", "remark"}
    assert str(caught.value) == str(caught.value.errors["idiom"])
