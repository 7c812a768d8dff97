"""A pair shows two outputs by their sides; no byte tells which system made which."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from quorate.media import MEDIA, SINGLE, Pair, Set
from quorate.protocol.study_file import Show
from quorate.records import Item, Shown
from quorate.web.pages import render

ITEM = Item(
    "i1",
    {
        "image": "made/refined_7.png",
        "baseline_image": "made/best_of_n_7.png",
        "source": "made/source.png",
        "system_1": "orion",
        "system_2": "vega",
        "text_1": "first words",
        "text_2": "second words",
    },
)
NAMED = {"image": {}, "systems": {"refined": "image", "baseline": "baseline_image"}}
HELD = {"text": {}, "systems": ["system_1", "system_2"], "outputs": ["text_1", "text_2"]}


def page(medium: Any, shown: Shown) -> str:
    addresses = {path: f"/media/{number}.png" for number, path in enumerate(sorted(medium.paths(ITEM)))}
    return render(medium.template, "en", item=ITEM, shown=shown, medium=medium, address=addresses.__getitem__)


def test_a_pair_is_written_in_a_study_file_by_its_kind_and_systems() -> None:
    pair = Show.model_validate({"pair": NAMED}).part
    assert pair.systems(ITEM) == ("refined", "baseline")
    assert pair.paths(ITEM) == ("made/refined_7.png", "made/best_of_n_7.png")
    assert pair.fields() == ("image", "baseline_image")


def test_systems_may_be_named_by_fields_which_no_page_shows() -> None:
    pair = Pair.model_validate(HELD)
    assert pair.systems(ITEM) == ("orion", "vega")
    assert pair.blind_fields() == ("system_1", "system_2")
    html = page(pair, Shown({"left": "vega", "right": "orion"}))
    assert html.index("second words") < html.index("first words")
    assert "vega" not in html
    assert "orion" not in html


@pytest.mark.parametrize("sides", [("refined", "baseline"), ("baseline", "refined")])
def test_the_page_follows_the_drawn_sides_and_tells_none(sides: tuple[str, str]) -> None:
    pair = Pair.model_validate(NAMED)
    html = page(pair, Shown({"left": sides[0], "right": sides[1]}))
    refined, baseline = html.index("/media/1.png"), html.index("/media/0.png")
    assert (refined < baseline) == (sides[0] == "refined")
    for blind in ("refined", "baseline", "best_of_n", "made/"):
        assert blind not in html


def test_a_reference_stands_above_both_where_the_item_has_one() -> None:
    pair = Pair.model_validate({**NAMED, "reference": "source"})
    shown = Shown({"left": "refined", "right": "baseline"})
    assert "made/source.png" in pair.paths(ITEM)
    assert page(pair, shown).count("<img") == 3
    bare = Item("i2", {**ITEM.fields, "source": ""})
    assert not pair.has_reference(bare)
    assert pair.paths(bare) == ("made/refined_7.png", "made/best_of_n_7.png")


def test_a_judge_sees_the_sides_in_the_order_of_its_own_draw() -> None:
    contents = Pair.model_validate(HELD).as_content(ITEM, Shown({"left": "vega", "right": "orion"}), {})
    assert [part["text"] for part in contents] == ["A (left):", "second words", "B (right):", "first words"]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"systems": {"a": "image", "b": "baseline_image"}}, "exactly one kind"),
        ({**NAMED, "text": {}}, "exactly one kind"),
        ({"image": {}, "systems": {"a": "image"}}, "two systems"),
        ({"image": {}, "systems": ["system_1", "system_2"]}, "outputs"),
        ({"image": {"field": "image"}, "systems": {"a": "image", "b": "baseline_image"}}, "not in its kind"),
    ],
)
def test_a_pair_that_is_none_is_a_complaint(wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValidationError, match=sentence):
        Pair.model_validate(wrong)


@pytest.mark.parametrize("kind", SINGLE)
def test_every_single_kind_can_stand_on_the_sides_of_a_pair(kind: str) -> None:
    pair = Pair.model_validate({kind: {}, "systems": {"a": "x", "b": "y"}})
    assert isinstance(pair.one("x"), MEDIA[kind])
    assert pair.one("x").field == "x"


SET = {"text": {}, "systems": {"one": "text_1", "two": "text_2", "three": "image"}, "reference": "source"}


def test_a_set_shows_each_output_under_a_letter_in_the_drawn_order() -> None:
    several = Show.model_validate({"set": SET}).part
    assert several.n_sides == 3
    shown = Shown({"a": "two", "b": "three", "c": "one"})
    html = page(several, shown)
    assert [side.label for side in several.sides(ITEM, shown)] == ["A", "B", "C"]
    assert html.index("made/source.png") < html.index("second words") < html.index("first words")
    assert "three" not in html
    said = [part["text"] for part in several.as_content(ITEM, shown, {})]
    assert said == [
        "The reference:",
        "made/source.png",
        "A:",
        "second words",
        "B:",
        "made/refined_7.png",
        "C:",
        "first words",
    ]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"systems": {"one": "text_1", "two": "text_2"}}, "at least 3"),
        ({"outputs": ["text_1", "text_2"]}, "`outputs` is for pairs"),
        ({"image": {}}, "exactly one kind"),
    ],
)
def test_a_set_that_cannot_be_shown_is_refused(change: dict[str, Any], says: str) -> None:
    with pytest.raises(ValidationError, match=says):
        Set.model_validate({**SET, **change})
