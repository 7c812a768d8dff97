"""Clips are played twice in a real browser, and what it reports arrives: at the desk, in verify and in the results."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rooms import Room, browsing, open_room, serving, wait_for_scripts

from quorate.collect.gather import gather
from quorate.report import write_report
from quorate.verify import verify
from studies_media import compare

pytestmark = pytest.mark.browser
AT = "compare.winner.playback"


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory, empty_database: Path, chrome: Any) -> Iterator[Room]:
    """A study whose first rater has gone the whole way; what is done to it is undone."""
    found = open_room(compare(tmp_path_factory.mktemp("playback") / "study"), empty_database)
    with serving(found):
        go_the_whole_way(found, chrome)
        yield found
    found.study.close()


def play_twice(page: Any) -> None:
    for side in range(2):
        clip = page.locator(".pair-side").nth(side)
        for _ in range(2):
            clip.locator("[data-play]").click()
            page.wait_for_function("n => document.querySelectorAll('.pair-side video')[n].ended", arg=side)
        clip.locator(".passes .done").nth(1).wait_for()


def answer(page: Any) -> None:
    page.check("[name=winner][value=left]", force=True)
    page.check("[name='reasons.primary'][value=Flicker]")
    for side in ("left", "right"):
        page.check(f"[name='adherence.{side}'][value='4']", force=True)


def go_the_whole_way(room: Room, chrome: Any) -> None:
    context = chrome.new_context(base_url=room.base, viewport={"width": 1440, "height": 900})
    context.set_default_timeout(60_000)
    page = context.new_page()
    page.goto(room.raters[0])
    page.click("button[value=yes]")
    page.click("main button.primary")
    for number in range(2):
        page.wait_for_url("**/work/*")
        wait_for_scripts(page)
        play_twice(page)
        answer(page)
        with page.expect_response(lambda reply: reply.request.method == "POST" and "/work/" in reply.url) as sent:
            page.click("[data-submit]")
        assert sent.value.ok
        if number == 0:
            page.wait_for_function("document.querySelector('[data-position]').textContent === '2'")
    page.wait_for_url("**/done")
    context.close()


def test_full_plays_in_a_browser_are_in_the_results_and_at_the_desk(walked: Room, tmp_path: Path) -> None:
    room = walked
    reports = room.rows(lambda tx: list(tx.reports()))
    assert [report.evidence["position"] for report in reports] == [1, 2]
    assert {len(report.evidence["media"]) for report in reports} == {2}
    assert verify(room.study.protocol, room.study.store).ok

    collected = room.rows(gather)
    write_report(room.study.protocol, collected, tmp_path / "report", ("md",))
    found = json.loads((tmp_path / "report" / "results.json").read_text())
    estimates = {estimate["id"]: estimate for estimate in found["estimates"]}
    assert (estimates[f"{AT}.reached"]["count"], estimates[f"{AT}.reached"]["of"]) == (2, 2)
    assert estimates[f"{AT}.reached.of.aurora"]["value"] == 1
    assert estimates[f"{AT}.failures"]["value"] == 0
    # Two clips of a second each, twice.
    assert estimates["compare.winner.median_seconds.in_sight"]["value"] > 4

    with browsing(room) as client:
        client.get(room.member)
        assert "full plays before 2 of 2 answers" in client.get("/desk/").text


def test_a_report_that_was_tampered_with_is_found(walked: Room) -> None:
    swap = (
        "UPDATE submissions SET evidence = json_set(evidence, '$.media', json_array("
        "json_extract(evidence, '$.media[1]'), json_extract(evidence, '$.media[0]'))) WHERE seq = 1"
    )
    walked.do(lambda tx: tx.connection.execute(swap))
    (fault,) = verify(walked.study.protocol, walked.study.store).findings
    walked.do(lambda tx: tx.connection.execute(swap))
    assert verify(walked.study.protocol, walked.study.store).ok
    assert str(fault).startswith("submission 1 (R1, compare, position 1): from left to right the page showed ")
