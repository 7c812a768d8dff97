"""Live warnings: told once, nothing lost, both answers kept, and reported with counts."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from secrets import token_hex
from typing import Any

import pytest

from own_files import TEMPLATES
from quorate.analyse import analyse
from quorate.collect import practice, way
from quorate.collect.gather import gather
from quorate.collect.way import Step
from quorate.collect.work import Receipt, Submission
from quorate.errors import StaleError
from quorate.languages import say
from quorate.study import Study
from raters import UnderWay, under_way

FITS = {"correctness": "4", "reasoning_completeness": "4", "overall_quality": "4", "comments": ""}
FAR = {**FITS, "overall_quality": "1"}
LIVE = "distance: {between: [overall_quality, weighted], more_than: 1.5}"


def live(folder: Path, items: int = 3, more: str = "") -> Path:
    """The dialogue template with one live rule and a few items."""
    shutil.copytree(TEMPLATES / "dialogue", folder)
    study = folder / "study.yaml"
    text = study.read_text()
    assert LIVE in text
    study.write_text(text.replace(LIVE, f"live: true\n        {LIVE}").replace("    scores:\n", f"{more}    scores:\n"))
    table = folder / "annotation_samples.jsonl"
    table.write_text("".join(table.read_text().splitlines(keepends=True)[:items]))
    return folder


@pytest.fixture
def running(tmp_path: Path) -> Iterator[UnderWay]:
    with under_way(live(tmp_path / "study")) as study:
        study.open()
        yield study


def at_work(running: UnderWay) -> str:
    (rater,) = running.invite()
    for _ in range(20):
        now = running.where(rater)
        if now.step is Step.WORK:
            return rater
        if now.step is Step.CONSENT:
            running.do(way.consent, rater, True)
        elif now.step is Step.INSTRUCTIONS:
            running.do(way.instructions_read, rater)
        elif now.step is Step.PRACTICE:
            form = filled(running, rater, FITS, practice.practice_shown)
            running.do(practice.practice_answer, rater, now.position, form)
        elif now.step is Step.ANSWER:
            running.do(practice.answer_seen, rater, now.position)
        else:
            running.do(practice.practice_done, rater)
    raise AssertionError(f"{rater} never came to the work, and is at {running.step(rater)}")


def filled(running: UnderWay, rater: str, values: dict[str, str], *_: Any) -> dict[str, list[str]]:
    return {name: [value] for name, value in {**values, **YES}.items()}


YES = {"resists_misleading": "Yes", "context_consistency": "Yes"}


def send(running: UnderWay, rater: str, values: dict[str, str], key: str = "") -> Receipt:
    mine = running.work(rater).place.assignment
    form = filled(running, rater, values)
    return running.submit(rater, Submission(key or token_hex(8), mine.id, form, {}, mine.revision))


def overall(running: UnderWay, rater: str) -> list[tuple[int, Any]]:
    rows = running.read(lambda tx: tx.all_answers(rater))
    return [(row.revision, row.value) for row in rows if row.question == "overall_quality"]


def test_answers_that_break_a_live_rule_are_stored_and_shown_again_with_its_sentence(running: UnderWay) -> None:
    rater = at_work(running)
    mine = running.work(rater).place.assignment
    receipt = send(running, rater, FAR)
    assert (receipt.outcome, receipt.next, receipt.answered) == ("stored", mine.id, 1)
    assert [say(words, "zh") for words in receipt.warned] == ["整体评分与加权得分相差较大。"]
    again = running.work(rater)
    assert again.place.assignment.id == mine.id
    assert again.warned == receipt.warned
    assert overall(running, rater) == [(1, 1)]


def test_a_changed_answer_and_the_first_one_are_both_kept(running: UnderWay) -> None:
    rater = at_work(running)
    send(running, rater, FAR)
    receipt = send(running, rater, FITS)
    assert not receipt.warned
    assert overall(running, rater) == [(1, 1), (2, 4)]
    (warned,) = running.read(gather).warnings
    assert (warned.rules, warned.changed) == (("overall_fits",), ("overall_quality",))
    assert {answer.question: answer.value for answer in warned.first}["overall_quality"] == 1


def test_a_kept_answer_is_a_row_of_its_own_and_nobody_is_warned_twice(running: UnderWay) -> None:
    rater = at_work(running)
    send(running, rater, FAR)
    receipt = send(running, rater, FAR)
    assert not receipt.warned
    assert overall(running, rater) == [(1, 1), (2, 1)]
    assert [warned.changed for warned in running.read(gather).warnings] == [()]
    assert running.work(rater).place.assignment.position == 2


def test_answers_that_fit_bring_no_warning(running: UnderWay) -> None:
    rater = at_work(running)
    assert not send(running, rater, FITS).warned
    assert running.read(gather).warnings == ()


def test_a_lost_receipt_brings_the_warning_again(running: UnderWay) -> None:
    rater = at_work(running)
    mine = running.work(rater).place.assignment
    first = send(running, rater, FAR, key="once")
    again = running.submit(rater, Submission("once", mine.id, filled(running, rater, FAR), {}, 0))
    assert (again.outcome, again.warned, again.revision) == ("repeated", first.warned, 1)
    assert overall(running, rater) == [(1, 1)]


def test_the_last_item_is_not_left_before_the_answers_are_sent_again(running: UnderWay) -> None:
    rater = at_work(running)
    for _ in range(2):
        send(running, rater, FITS)
    receipt = send(running, rater, FAR)
    assert (receipt.step, receipt.answered, receipt.total) == (Step.WORK, 3, 3)
    assert running.step(rater) is Step.WORK
    assert send(running, rater, FITS).step in (Step.DEBRIEF, Step.DONE)


def test_final_answers_may_be_changed_after_a_warning_and_at_no_other_time(tmp_path: Path) -> None:
    with under_way(live(tmp_path / "study", more="    revise: false\n")) as running:
        running.open()
        rater = at_work(running)
        first = running.work(rater).place.assignment
        send(running, rater, FAR)
        send(running, rater, FITS)
        with pytest.raises(StaleError, match="final"):
            running.work(rater, first.id)
        with pytest.raises(StaleError, match="final"):
            running.submit(rater, Submission("late", first.id, filled(running, rater, FAR), {}, 2))


def test_the_report_counts_warnings_changes_and_what_was_kept(tmp_path: Path) -> None:
    study = Study(live(tmp_path / "study", items=12))
    study.rehearse()
    collected = study.collected()
    results = analyse(study.protocol, collected)
    (counts,) = [listing for listing in results.listings if listing.id.endswith(".warnings")]
    ((rule, _, warned, changed, kept, left),) = counts.rows
    assert rule == "overall_fits"
    assert warned == changed + kept > 0 == left
    assert warned == len(collected.warnings)
    first = [listing for listing in results.listings if listing.id.endswith(".warnings.first")]
    assert [row[0] for row in first[0].rows] if changed else not first


def test_the_first_answers_of_a_rater_who_never_comes_back_count_and_call_for_a_third(tmp_path: Path) -> None:
    folder = live(tmp_path / "study")
    study = folder / "study.yaml"
    settled = "  escalate: {when: overall_quality, apart: 1, to: 3}\n"
    text = study.read_text().replace("  per_item: 3\n  roster: 3\n", f"  per_item: 2\n  roster: 2\n{settled}")
    assert settled in text
    study.write_text(text)
    with under_way(folder) as running:
        running.open()
        gone, stays = at_work(running), at_work(running)
        item = running.work(gone).place.assignment.item
        while running.step(stays) is Step.WORK:
            send(running, stays, FITS)
        assert send(running, gone, FAR).warned
        running.pass_minutes(running.protocol.raters.lease_minutes + 1)
        said = [a for a in running.read(gather).answers if (a.item, a.question) == (item, "overall_quality")]
        assert sorted(a.value for a in said) == [1, 4]
        (asked,) = running.read(lambda tx: tx.events(kinds=["escalated"]))
        assert (asked.data["item"], asked.data["repeat"]) == (item, 2)
        third = at_work(running)
        seen = set()
        while running.step(third) is Step.WORK:
            seen.add(running.work(third).place.assignment.item)
            send(running, third, FITS)
        assert item in seen
        assert [warned.changed for warned in running.read(gather).warnings] == [None]
