"""Evidence arrives by opaque name, is kept by path, and decides whether an answer may come."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from quorate.collect import way
from quorate.collect.evidence import MEDIA, all_done, as_drawn, by_path, check_owed, read_evidence, with_paths
from quorate.collect.forms import FormError
from quorate.collect.gather import gather
from quorate.collect.way import Step
from quorate.media import Pair
from quorate.records import Evidence, Item, Shown
from raters import UnderWay

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


def reported(running: UnderWay, rater: str, *reports: dict[str, Any]) -> tuple[Evidence, ...]:
    """What is read back after the first item was sent so many times."""
    running.go_to(rater, Step.WORK)
    for revision, evidence in enumerate(reports):
        cell = running.work(rater).cells[0]
        running.submit(
            rater, running.submission(rater, "a guess", assignment=cell.id, revision=revision, evidence=evidence)
        )
    return running.read(read_evidence)


def played(path: str, alone: int, together: int = 0, **rest: int) -> dict[str, Any]:
    return {"path": path, "full_plays": alone, "full_plays_together": together, **rest}


def test_times_of_revisions_add_up_and_of_plays_the_most_count(running: UnderWay) -> None:
    (rater,) = running.invite()
    first = {"visible_seconds": 20.5, "hidden": 1, "media": [played("a", 2, seeks=3), played("b", 1, failures=1)]}
    again = {"visible_seconds": 4, "hidden": 2, "media": [played("a", 0, 1, seeks=1), played("b", 2)]}
    (found,) = reported(running, rater, first, again)
    assert (found.rater, found.section, found.round) == (rater, "recognise", 1)
    assert (found.visible, found.hidden, found.failures, found.seeks) == (24.5, 3, 1, 3)
    assert found.plays == {"a": (2, 1), "b": (2, 0)}


@pytest.mark.parametrize("nothing", [{}, {"imported": "file.csv", "line": 3}, {"options": {"q": []}}])
def test_where_no_browser_reports_there_is_no_evidence(running: UnderWay, nothing: dict[str, Any]) -> None:
    (rater,) = running.invite()
    assert reported(running, rater, nothing) == ()


def test_what_is_no_number_counts_as_nothing(running: UnderWay) -> None:
    (rater,) = running.invite()
    odd = {"visible_seconds": 9.5, "hidden": "often", "media": [{"path": "a", "full_plays": "many", "seeks": None}]}
    (found,) = reported(running, rater, odd)
    assert (found.visible, found.hidden, found.seeks, dict(found.plays)) == (9.5, 0, 0, {})


@pytest.mark.parametrize("seconds", [-1, 1e9])
def test_a_time_that_nobody_can_have_looked_is_no_time(running: UnderWay, seconds: float) -> None:
    (rater,) = running.invite()
    (found,) = reported(running, rater, {"visible_seconds": seconds, "media": [played("a", 1)]})
    assert found.visible is None


def test_an_erased_report_is_gone_from_what_is_gathered(running: UnderWay) -> None:
    (rater,) = running.invite()
    assert len(reported(running, rater, {"visible_seconds": 9.5})) == 1
    running.do(way.withdraw, rater, erase=True)
    assert running.read(read_evidence) == ()
    assert running.read(gather).evidence == ()


def test_a_page_as_drawn_stands_in_the_order_of_its_sides() -> None:
    drawn = as_drawn(SimpleNamespace(ask=(), show=section(full=2).show), ITEM, SHOWN)
    assert [(entry["path"], entry["full_plays"]) for entry in drawn["media"]] == [
        ("clips/b.mp4", 2),
        ("clips/a.mp4", 2),
    ]
