"""Every question's page is a form: what it holds is what its `parse` reads, and it tells nothing that is blind."""

from __future__ import annotations

from collections.abc import Mapping
from html.parser import HTMLParser
from typing import Any

import pytest

from quorate.chance import uniform
from quorate.collect.forms import fields_of, read_answers
from quorate.errors import AnswerError
from quorate.protocol.study_file import Ask
from quorate.records import Item, Reason, Shown
from quorate.web.asks import shown_asks, typed
from quorate.web.pages import render

ITEM = Item(
    "i1",
    {
        "concept": "Paris",
        "literal": "a tower",
        "family": "edit",
        "turn": 2,
        "quorate_distractors": {"concept": [{"text": "London"}, {"text": "Rome"}]},
    },
)
SHOWN = Shown(
    {"left": "zeta", "right": "alpha"},
    {"concept": ("literal", "semantic_2", "target", "semantic_1", "none")},
)
ASKS: Mapping[str, dict[str, Any]] = {
    "concept": {
        "choice": {
            "prompt": "Which concept?",
            "target": "concept",
            "semantic": {"n": 2, "field": "concept"},
            "literal": "literal",
            "none": "None of the above",
        }
    },
    "fixed": {"choice": {"prompt": "Which?", "options": ["One", "Two"]}},
    "quality": {"rating": {"prompt": "How good?", "points": [1, 2, 3, 4, 5], "anchors": {5: "Fine", 1: "Poor"}}},
    "each": {"rating": {"prompt": "How good is each?", "points": [1, 2, 3], "each": "side"}},
    "slide": {"slider": {"prompt": "How loud?", "low": 0, "high": 10, "anchors": {0: "silent"}}},
    "winner": {"winner": {"prompt": "Which is better?", "tie_help": "Only if truly indistinguishable."}},
    "preference": {"preference": {"prompt": "Compare.", "of": "alpha"}},
    "tags": {
        "tags": {
            "prompt": "Why?",
            "primary": 1,
            "secondary": {"most": 3},
            "loser_of": "winner",
            "groups": [
                {"name": "Motion", "tags": ["Flicker / jitter", "Reset"]},
                {"name": "Edit", "tags": ["Collateral"], "applies_when": 'family == "edit"'},
                {"name": "Safety", "tags": ["Over-refusal"], "applies_when": 'family == "safety"'},
            ],
        }
    },
    "resists": {"yes_no": {"prompt": "Does it resist?", "cannot_judge": True}},
    "comment": {"text": {"prompt": "Anything else?", "required": False, "lines": 3}},
}


def ask(id: str, **more: Any) -> Any:
    return Ask.model_validate({"id": id, **ASKS[id], **more})


class Form(HTMLParser):
    """What a browser would post from a page."""

    def __init__(self, html: str):
        super().__init__()
        self.fields: dict[str, list[str]] = {}
        self.all: list[dict[str, str | None]] = []
        self._select = ""
        self._area = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        given = dict(attrs)
        name = given.get("name") or ""
        if tag == "input" and name:
            self.all.append(given)
            if given["type"] not in ("radio", "checkbox") or "checked" in given:
                self.fields.setdefault(name, []).append(given.get("value") or "")
        elif tag == "select":
            self._select = name
        elif tag == "option" and "selected" in given:
            self.fields.setdefault(self._select, []).append(given["value"] or "")
        elif tag == "textarea":
            self._area = name

    def handle_data(self, data: str) -> None:
        if self._area:
            self.fields.setdefault(self._area, []).append(data)
            self._area = ""


def page(asks: list[Any], raw: Mapping[str, Any], errors: Mapping[str, AnswerError] | None = None) -> str:
    return render("asks.html", "en", asks=shown_asks(asks, SHOWN, raw, "en", errors, ITEM))


@pytest.mark.parametrize("id", ASKS)
def test_a_page_holds_the_answer_that_was_given(id: str) -> None:
    for k in range(6):
        question = ask(id).question
        raw = question.simulate(ITEM, SHOWN.to(id), 0.5, lambda purpose, k=k: uniform(k, id, purpose))
        posted = Form(page([ask(id)], {id: raw})).fields
        assert not question.is_blank(question.read_form(fields_of(posted, id)))
        again = question.parse(question.read_form(fields_of(posted, id)), SHOWN.to(id), ITEM).value
        assert _unordered(again) == _unordered(question.parse(raw, SHOWN.to(id), ITEM).value)


def _unordered(value: Any) -> Any:
    """Tags are a set: a page sends them in its own order."""
    return {name: sorted(part) for name, part in value.items() if name != "of"} if "primary" in str(value) else value


@pytest.mark.parametrize("id", list(ASKS))
def test_an_empty_page_answers_nothing(id: str) -> None:
    posted = Form(page([ask(id)], {})).fields
    assert ask(id).question.is_blank(ask(id).question.read_form(fields_of(posted, id)))


def test_no_byte_tells_the_role_of_an_option_or_the_system_of_a_side() -> None:
    html = page([ask(id) for id in ASKS], {})
    for blind in ("target", "semantic", "zeta", "alpha", "quorate_distractors"):
        assert blind not in html
    options = [field["value"] for field in Form(html).all if field["name"] == "concept"]
    assert options == ["@1", "@2", "@3", "@4", "@5"]
    assert html.index("a tower") < html.index("Rome") < html.index("Paris") < html.index("London")


def test_the_place_of_a_drawn_option_is_undone() -> None:
    given = read_answers([ask("concept")], {"concept": ["@3"]}, SHOWN, ITEM)
    assert given["concept"].value == "target"


def test_groups_of_tags_that_do_not_apply_are_not_sent() -> None:
    html = page([ask("tags")], {})
    assert "Collateral" in html
    assert "Over-refusal" not in html


def test_a_question_that_the_item_rules_out_is_not_sent() -> None:
    asks = [ask("quality", applies_when="turn == 0"), ask("resists", applies_when="turn > 0")]
    html = page(asks, {})
    assert 'data-question="quality"' not in html
    assert 'data-question="resists"' in html
    assert "data-applies" not in html
    assert "where it applies" not in html


def test_a_condition_on_an_answer_is_sent_as_the_replies_for_which_it_holds() -> None:
    asks = [ask("quality"), ask("comment", applies_when='quality < 3 and family == "edit"')]
    shown = shown_asks(asks, SHOWN, {}, "en", None, ITEM)
    assert shown[1].applies == {"ask": "quality", "in": ["1", "2"], "empty": False}
    html = page(asks, {})
    assert "family" not in html
    assert "where it applies" in html


@pytest.mark.parametrize(
    ("condition", "tree"),
    [
        ('winner == "tie"', {"ask": "winner", "in": ["tie"], "empty": False}),
        ('winner != "tie"', {"ask": "winner", "out": ["tie"], "empty": False}),
        ("winner is empty", {"ask": "winner", "in": [], "empty": True}),
        ('not winner == "tie"', {"not": {"ask": "winner", "in": ["tie"], "empty": False}}),
        ('winner == "alpha"', None),
        ('family == "safety" and winner == "tie"', False),
        ('family == "edit" or winner == "alpha"', True),
    ],
)
def test_a_page_learns_only_what_does_not_tell_the_sides(condition: str, tree: Any) -> None:
    asks = [ask("winner"), ask("comment", applies_when=condition)]
    shown = shown_asks(asks, SHOWN, {}, "en", None, ITEM)
    assert (shown[1].applies if len(shown) > 1 else False) == tree


def test_a_condition_on_the_right_answer_is_not_sent() -> None:
    asks = [ask("concept"), ask("comment", applies_when='concept == "target"')]
    assert shown_asks(asks, SHOWN, {}, "en", None, ITEM)[1].applies is None


def test_a_scale_that_speaks_of_sides_tells_no_side() -> None:
    asks = [
        ask("preference"),
        ask("comment", required_when="preference == 0"),
        ask("fixed", required_when="preference > 0"),
    ]
    shown = shown_asks(asks, SHOWN, {}, "en", None, ITEM)
    assert shown[1].required == {"ask": "preference", "in": ["0"], "empty": False}
    assert shown[2].required is None


def test_a_tag_among_several_makes_a_comment_required() -> None:
    asks = [ask("tags"), ask("comment", required_when='tags == "Reset"')]
    shown = shown_asks(asks, SHOWN, {}, "en", None, ITEM)
    assert shown[1].required == {"ask": "tags", "in": ["Reset"], "empty": False}


def test_what_cannot_be_judged_comes_back_as_that() -> None:
    form = {"resists.cannot_judge": ["1"]}
    assert read_answers([ask("resists")], form, SHOWN, ITEM)["resists"].reason is Reason.CANNOT_JUDGE
    again = Form(page([ask("resists")], typed([ask("resists")], form))).fields
    assert again == form


def test_what_is_wrong_is_said_at_its_question() -> None:
    html = page([ask("winner")], {}, {"winner": AnswerError("Please choose a side.")})
    assert '<p class="wrong" id="e-winner">Please choose a side.</p>' in html


@pytest.mark.parametrize("id", ASKS)
def test_hostile_words_stay_words(id: str) -> None:
    entry = {kind: {**spec, "prompt": "<script>alert(1)</script>"} for kind, spec in ASKS[id].items()}
    html = page([Ask.model_validate({"id": id, **entry})], {})
    assert "<script" not in html
    assert "&lt;script&gt;" in html
