"""Where the protocol says so, an arm of raters sees what an AI scored: labelled, and nobody else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from rooms import Rater, Room, browsing, open_room, wait_for_scripts

from collect.test_triage import folder_with
from quorate.audit import audit
from quorate.collect.anchoring import is_anchored
from quorate.collect.judging import judge_study
from quorate.collect.triage import triage
from quorate.web import fragments

LABEL = "Scores by an AI"


@pytest.fixture
def room(tmp_path: Path, empty_database: Path) -> Iterator[Room]:
    """Forty items that a judge has scored; half of them are shown to the rater with its scores."""
    room = open_room(folder_with(tmp_path, more=", show_score: 0.5"), empty_database)
    judge_study(room.study.store, room.study.protocol)
    room.do(lambda tx: triage(tx, room.study.protocol))
    yield room
    room.study.close()


def test_the_arm_sees_the_scores_with_their_label_and_the_others_see_none(served: Room) -> None:
    with browsing(served) as client:
        rater = Rater(client, served.raters[0])
        rater.send(_agree="yes")
        rater.send()
        seen, names = {}, {}
        while rater.step.startswith("work/"):
            assignment = served.rows(lambda tx: tx.assignment(rater.step.removeprefix("work/")))
            # The page holds the items to come as well.
            page = rater.page.text.split("<template", 1)[0]
            seen[assignment.item], names[assignment.item] = LABEL in page, assignment.rater
            rater.send(quality="2", extra="2")
    assert len(seen) > 10
    for item, is_labelled in seen.items():
        drawn = is_anchored(served.study.protocol, names[item], "score", item) and item != "i6"
        assert is_labelled == drawn, item
    assert set(seen.values()) == {True, False}


@pytest.mark.browser
def test_a_rater_reads_the_scores_above_the_questions_and_answers_freely(
    open_page: Callable[..., Page], served: Room
) -> None:
    page = open_page()
    page.goto(served.raters[0])
    page.get_by_role("button", name="I agree and take part").click()
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/work/*")
    wait_for_scripts(page)
    found = 0
    for _ in range(8):
        box = page.locator(".work .ai-scores")
        if box.count():
            found += 1
            expect(box).to_contain_text(LABEL)
            expect(box).to_contain_text("How good?")
            expect(box).to_contain_text("may be wrong")
            assert box.bounding_box()["y"] < page.locator(".work .question").first.bounding_box()["y"]
        assert page.locator(".work input:checked").count() == 0  # nothing is chosen for the rater
        before = page.locator("[data-position]").first.text_content()
        for group in page.locator(".work fieldset:visible").all():
            group.locator("input[value='1']").first.check(force=True)
        page.get_by_role("button", name="Submit & next").click()
        expect(page.locator("[data-position]").first).not_to_have_text(before or "")
    assert found
    answers = served.answers()
    assert {answer.value for answer in answers if answer.question == "quality"} == {1}


def test_the_audit_lets_the_arm_see_the_scores_and_nobody_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = folder_with(tmp_path, n=12, more=", show_score: 0.5")
    assert audit(folder, most=12).ok
    monkeypatch.setattr("quorate.collect.anchoring.is_anchored", lambda *given: True)
    found = audit(folder, most=12)
    assert not found.ok
    assert all("a judge's answer about item" in leak.what for leak in found.leaks)


def test_the_audit_of_a_triaged_study_passes_without_an_arm_and_finds_a_score_that_gets_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = folder_with(tmp_path, n=6)
    assert audit(folder, most=6).ok
    made = fragments._render

    def telling(site, section, item, shown, language, raw, errors, scores):  # type: ignore[no-untyped-def]
        judge = next(iter(site.protocol.file.judges))
        its = site.store.read(lambda tx: [a for a in tx.latest_answers(judge) if a.item == item.id])
        return made(site, section, item, shown, language, raw, errors, {a.question: a.value for a in its})

    monkeypatch.setattr(fragments, "_render", telling)
    found = audit(folder, most=6)
    assert any("a judge's answer about item" in leak.what for leak in found.leaks)
