"""The rows between rooms: frozen, and undefined stays undefined."""

from __future__ import annotations

import dataclasses
import inspect
import json
from typing import Any

import pytest

from quorate.records import (
    Answer,
    Assignment,
    Collected,
    Estimate,
    Item,
    Participant,
    Rater,
    Reason,
    Shown,
    Slot,
    Verdict,
    Vote,
)

ITEM = Item("img_1", {"image": "a.png"})
ROWS: list[Any] = [
    ITEM,
    Shown(),
    Slot("s", "img_1", 0),
    Rater("R1", 1),
    Assignment("x", "R1", "s", "img_1", 0, 1),
    Answer(1, "rater", "R1", "s", "img_1", "q", "v", None, "V", "2026-01-01T00:00:00Z"),
    Vote("M1", "s", "q", "target", "answer", True),
    Participant("R1", "done"),
    Collected((ITEM,), ()),
    Verdict("s", "img_1", "q", True, "agreed", {"True": 2}, 3),
    Estimate(0.5),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: type(row).__name__)
def test_a_row_cannot_be_changed(row: Any) -> None:
    name = next(iter(inspect.signature(type(row)).parameters))
    # Both a frozen dataclass and a frozen struct say so.
    with pytest.raises(AttributeError):
        setattr(row, name, "something else")


def test_an_item_gives_its_fields_and_its_id() -> None:
    assert ITEM["image"] == "a.png"
    assert ITEM["id"] == "img_1"
    with pytest.raises(KeyError):
        ITEM["target"]


def test_an_undefined_estimate_has_no_value_and_says_why() -> None:
    estimate = Estimate.undefined("every rating is in one category", n_items=4)
    assert estimate.value is None
    assert str(estimate) == "undefined: every rating is in one category · 4 items"


def test_an_estimate_prints_its_interval_and_its_numbers() -> None:
    assert str(Estimate(0.5, 0.25, 0.75, n_items=1, n_ratings=1200)) == "0.500 [0.250, 0.750] · 1 item, 1,200 ratings"
    assert str(Estimate(0.5)) == "0.500"


def test_an_estimate_becomes_json_with_every_field() -> None:
    estimate = Estimate(0.5, 0.25, 0.75, left_out={"skipped": 2})
    read = json.loads(json.dumps(estimate.as_dict()))
    assert read["left_out"] == {"skipped": 2}
    assert set(read) == {field.name for field in dataclasses.fields(Estimate)}


def test_what_a_notebook_shows_is_escaped() -> None:
    html = Estimate(0.5, method='<b>"bootstrap"</b>')._repr_html_()
    assert "<b>" not in html
    assert "&lt;b&gt;" in html


def test_a_reason_is_the_words_that_the_report_prints() -> None:
    assert Reason("media failed") is Reason.MEDIA_FAILED
    assert {str(reason) for reason in Reason} >= {"not applicable", "cannot judge", "skipped", "withdrawn"}
