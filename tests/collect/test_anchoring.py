"""An arm that is drawn sees the judge's score; what it saw is settled when the item is claimed."""

from __future__ import annotations

from pathlib import Path

from collect.test_triage import folder_with, triaged
from quorate.collect.anchoring import anchored, is_anchored, shown_scores
from quorate.collect.gather import gather
from quorate.collect.judging import judge_study
from quorate.collect.way import Step
from quorate.collect.work import work
from quorate.verify import verify
from raters import UnderWay, under_way


def walked(running: UnderWay, rater: str) -> dict[str, tuple[str, dict[str, object]]]:
    """The rater answers everything; each item with its assignment and the scores that its page shows."""
    seen = {}
    while running.step(rater) is not Step.DONE:
        if running.step(rater) is Step.WORK:
            place = running.do(work, rater).place
            seen[place.item.id] = (place.assignment.id, dict(place.scores))
            form = {ask.id: ["1"] for ask in running.protocol.sections[0].ask}
            running.submit(rater, running.submission(rater, "", form=form))
        else:
            running.take_step(rater)
    return seen


def test_nobody_sees_the_judges_score_unless_the_protocol_says_so(tmp_path: Path) -> None:
    with under_way(folder_with(tmp_path)) as running:
        triaged(running)
        running.open()
        (rater,) = running.invite(1)
        assert all(not scores for _, scores in walked(running, rater).values())
        assert running.store.read(anchored) == frozenset()


def test_an_arm_sees_the_score_by_a_draw_that_can_be_made_again(tmp_path: Path) -> None:
    with under_way(folder_with(tmp_path, more=", show_score: 0.5")) as running:
        triaged(running)
        running.open()
        (rater,) = running.invite(1)
        seen = walked(running, rater)
        drawn = {item for item in seen if is_anchored(running.protocol, rater, "score", item)}
        shown = {item for item, (_, scores) in seen.items() if scores}
        collected = running.store.read(gather)
        assert verify(running.protocol, running.store).ok
    assert 4 < len(drawn) < len(seen) - 4
    assert shown == drawn - {"i6"}  # which the judge never scored
    assert collected.anchored == {("score", item, rater) for item in shown}
    for item in shown:
        number = int(item[1:])
        assert seen[item][1]["quality"] == number % 3
        assert ("extra" in seen[item][1]) == (number % 2 == 1)  # what does not apply has no score


def test_in_verify_mode_everybody_sees_the_score(tmp_path: Path) -> None:
    with under_way(folder_with(tmp_path, more=", show_score: 1")) as running:
        triaged(running)
        running.open()
        (rater,) = running.invite(1)
        seen = walked(running, rater)
    assert {item for item, (_, scores) in seen.items() if not scores} == {"i6"}


def test_a_score_that_comes_after_the_claim_is_not_shown(tmp_path: Path) -> None:
    with under_way(folder_with(tmp_path, more=", show_score: 1")) as running:
        running.open()
        (rater,) = running.invite(1)
        while running.step(rater) is not Step.WORK:
            running.take_step(rater)
        assert running.do(work, rater).place.scores == {}
        judge_study(running.store, running.protocol)
        assert running.do(work, rater).place.scores == {}
        assert running.store.read(lambda tx: shown_scores(tx, running.protocol, rater)) == {}


def test_verify_finds_a_score_that_was_shown_to_whom_it_was_not_drawn_for(tmp_path: Path) -> None:
    with under_way(folder_with(tmp_path, more=", show_score: 0.5")) as running:
        triaged(running)
        running.open()
        (rater,) = running.invite(1)
        seen = walked(running, rater)
        blind = next(item for item in seen if not is_anchored(running.protocol, rater, "score", item))
        drawn = next(item for item, (_, scores) in seen.items() if scores)
        for item, scores in ((blind, {"quality": 1}), (drawn, {"quality": 9})):
            entry = {"assignment": seen[item][0], "section": "score", "item": item, "scores": scores}
            running.store.do(lambda tx, entry=entry: tx.add_event("anchored", rater, {"shown": [entry]}))
        found = [finding.what for finding in verify(running.protocol, running.store).of("anchors")]
    assert len(found) == 2
    assert any("not drawn" in what for what in found)
    assert any("quality: 9 was shown" in what for what in found)
