"""Those who run a study see at once who plays clips in full, and where clips fail."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from quorate.collect.evidence import as_drawn
from quorate.collect.playback import playback_by_rater
from quorate.collect.way import Step
from raters import UnderWay, under_way
from studies_media import compare

FORM = {
    "winner": ["left"],
    "reasons.primary": ["Flicker"],
    "adherence.left": ["4"],
    "adherence.right": ["3"],
    "comment": [""],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compare(tmp_path_factory.mktemp("clips") / "study")


@pytest.fixture
def clips(folder: Path) -> Iterator[UnderWay]:
    (folder / "study.sqlite").unlink(missing_ok=True)
    with under_way(folder) as running:
        running.open()
        yield running


def send(running: UnderWay, rater: str, seconds: float, **rest: Any) -> None:
    place = running.work(rater).place
    report = as_drawn(running.protocol.section("compare"), place.item, place.assignment.shown)
    report["media"][0] |= {name: value for name, value in rest.items() if not name.startswith("_")}
    form = {f"{name}.media_failed": ["1"] for name in ("winner", "reasons", "adherence", "comment")}
    form = form if rest.get("_failed") else FORM
    evidence = {"visible_seconds": seconds, **report}
    running.submit(rater, running.submission(rater, "", form=form, evidence=evidence))


def test_full_plays_jumps_and_failures_are_counted_for_each_rater(clips: UnderWay) -> None:
    (rater,) = clips.invite()
    clips.go_to(rater, Step.WORK)
    assert clips.read(lambda tx: playback_by_rater(tx, clips.protocol)) == {}
    send(clips, rater, 20.0, seeks=2)
    send(clips, rater, 30.0, ok=False, failures=1, full_plays=0, _failed=True)
    found = clips.read(lambda tx: playback_by_rater(tx, clips.protocol))[rater]
    assert (found.answers, found.reached, found.failures, found.jumps) == (2, 1, 1, 1)
    assert str(found) == ("full plays before 1 of 2 answers · 1 with a failure · 1 with a jump · median 25 s in sight")


def test_nothing_is_said_where_no_plays_are_asked_for(running: UnderWay) -> None:
    (rater,) = running.invite()
    running.go_to(rater, Step.WORK)
    running.submit(rater, running.submission(rater, "a guess", evidence={"visible_seconds": 9.5}))
    assert running.read(lambda tx: playback_by_rater(tx, running.protocol)) == {}
