"""Evidence arrives by opaque name, is kept by path, and decides whether an answer may come."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from quorate.collect.evidence import MEDIA, all_done, by_path, check_owed, with_paths
from quorate.collect.forms import FormError
from quorate.media import Pair
from quorate.records import Item, Shown

NAMES = {"clips/a.mp4": "aaa.mp4", "clips/b.mp4": "bbb.mp4"}
ITEM = Item("1", {"one": "clips/a.mp4", "two": "clips/b.mp4"})
SHOWN = Shown({"left": "y", "right": "x"})


def section(**plays: Any) -> Any:
    pair = Pair.model_validate({"video": {"plays": plays}, "systems": {"x": "one", "y": "two"}})
    return SimpleNamespace(show=[SimpleNamespace(part=pair)])


def report(a: int, b: int) -> dict[str, Any]:
    return {"seconds": 9, "media": [{"name": "aaa.mp4", "full_plays": a}, {"name": "bbb.mp4", "full_plays": b}]}


def test_names_become_paths_and_the_rest_stays() -> None:
    known = with_paths(report(2, 1), NAMES)
    assert known["seconds"] == 9
    assert {path: entry["full_plays"] for path, entry in by_path(known).items()} == {"clips/a.mp4": 2, "clips/b.mp4": 1}


@pytest.mark.parametrize(
    "media", [None, "x", 3, {"name": "aaa.mp4"}, ["x", None, {"name": ["aaa.mp4"]}, {"path": "clips/a.mp4"}]]
)
def test_a_report_that_cannot_be_read_says_nothing(media: Any) -> None:
    assert by_path(with_paths({"media": media}, NAMES)) == {}


def test_a_path_that_a_browser_claims_is_not_believed() -> None:
    claimed = {"media": [{"name": "aaa.mp4", "path": "clips/b.mp4", "full_plays": 5}]}
    assert set(by_path(with_paths(claimed, NAMES))) == {"clips/a.mp4"}


def test_an_answer_waits_until_both_clips_were_played() -> None:
    for a, b in ((0, 0), (2, 0), (1, 2), (2, 1)):
        with pytest.raises(FormError) as refused:
            check_owed(section(full=2), ITEM, SHOWN, by_path(with_paths(report(a, b), NAMES)))
        assert set(refused.value.errors) == {MEDIA}
    check_owed(section(full=2), ITEM, SHOWN, by_path(with_paths(report(2, 2), NAMES)))


def test_nothing_is_owed_where_the_protocol_asks_for_nothing() -> None:
    check_owed(section(), ITEM, SHOWN, {})


def test_a_simulated_rater_does_what_is_asked() -> None:
    check_owed(section(full=2), ITEM, SHOWN, by_path(all_done(section(full=2), ITEM)))
    assert all_done(section(), ITEM) == {}
