"""What browsers report is held against what was assigned."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from planted import Rehearsed

from quorate.store import Store, Tx


def reported(study: Rehearsed, report: Callable[[Tx], tuple[str, str, Any]]) -> list[str]:
    with Store.open(study.path) as store:
        store.do(lambda tx: tx.add_presentation(*report(tx)))
    return [finding.what for finding in study.verify().of("presented")]


def pair_of(tx: Tx, rater: str = "R1") -> tuple[str, list[str]]:
    """An assignment, and its clips from left to right."""
    mine = tx.assignments(rater)[0]
    item = tx.item(mine.item)
    assert item is not None
    clips = {item["system_1"]: item["clip_1"], item["system_2"]: item["clip_2"]}
    return mine.id, [clips[mine.shown.sides[side]] for side in ("left", "right")]


def test_clips_on_their_sides_are_in_order(rehearsed: Callable[[str], Rehearsed]) -> None:
    def report(tx: Tx) -> tuple[str, str, Any]:
        id, clips = pair_of(tx)
        return "R1", id, {"media": [{"path": clip} for clip in clips]}

    assert reported(rehearsed("media-preference"), report) == []


def test_clips_on_the_other_sides_are_found(rehearsed: Callable[[str], Rehearsed]) -> None:
    def report(tx: Tx) -> tuple[str, str, Any]:
        id, clips = pair_of(tx)
        return "R1", id, {"media": [{"path": clip} for clip in reversed(clips)]}

    (what,) = reported(rehearsed("media-preference"), report)
    assert what.startswith("from left to right it showed")


def test_another_items_picture_is_found(rehearsed: Callable[[str], Rehearsed]) -> None:
    def report(tx: Tx) -> tuple[str, str, Any]:
        return "A1", tx.assignments("A1")[0].id, {"media": [{"path": "images/other.png"}]}

    assert "images/other.png, which is not of" in reported(rehearsed("visual-puns"), report)[0]


def test_a_report_about_someone_elses_assignment_is_found(rehearsed: Callable[[str], Rehearsed]) -> None:
    def report(tx: Tx) -> tuple[str, str, Any]:
        return "A1", tx.assignments("A2")[0].id, {}

    assert "never had" in reported(rehearsed("visual-puns"), report)[0]
