"""What could not be shown is never an answer: not in any progress, not in any completion."""

from __future__ import annotations

from pathlib import Path

import pytest

from quorate.collect import way
from quorate.collect.forms import FormError
from quorate.collect.gather import gather
from quorate.collect.status import study_status
from quorate.collect.way import Step
from quorate.collect.work import Receipt
from quorate.records import Reason
from quorate.verify import verify
from raters import UnderWay, under_way

FAILED = {"idiom": [""], "idiom.media_failed": ["1"]}
CROWD = "  per_item: 2\n  batch: 4\n"


def fail(running: UnderWay, rater: str, assignment: str | None = None) -> Receipt:
    place = running.work(rater, assignment).place.assignment
    sent = running.submission(rater, "", form=FAILED, assignment=place.id, revision=place.revision)
    return running.submit(rater, sent)


@pytest.fixture
def rater(running: UnderWay) -> str:
    (rater,) = running.invite(1)
    running.go_to(rater, Step.WORK)
    return rater


def test_it_is_kept_with_its_reason_and_counted_nowhere(running: UnderWay, rater: str) -> None:
    receipt = fail(running, rater)
    (answer,) = running.answers(rater)
    assert (answer.value, answer.reason) == (None, Reason.MEDIA_FAILED)
    assert (receipt.step, receipt.answered, receipt.total) == (Step.WORK, 0, 8)
    assert running.where(rater).answered == 0
    status = running.do(study_status)
    assert (status.answered, status.raters[0].answered, status.raters[0].media_failed) == (0, 0, 1)
    assert {item.answered for item in status.items} == {0}


def test_what_failed_does_not_come_again_at_once(running: UnderWay, rater: str) -> None:
    first = running.work(rater).place.assignment
    receipt = fail(running, rater)
    assert receipt.next != first.id
    assert running.work(rater).place.assignment.id == receipt.next


def test_a_rater_who_could_be_shown_nothing_never_finishes(running: UnderWay, rater: str) -> None:
    for _ in range(8):
        receipt = fail(running, rater)
    assert (receipt.step, receipt.answered) == (Step.UNSHOWN, 0)
    assert running.do(way.without_unshown, rater).step is Step.UNSHOWN
    assert not [event for event in running.read(lambda tx: tx.events(rater=rater)) if event.kind == "finished"]
    assert running.do(study_status).raters[0].media_failed == 8


def test_all_but_one_answered_it_can_be_tried_again_or_left_behind(running: UnderWay, rater: str) -> None:
    failed = running.work(rater).place.assignment.id
    fail(running, rater)
    for _ in range(7):
        running.answer(rater, "a guess")
    assert (running.step(rater), running.where(rater).answered) == (Step.UNSHOWN, 7)
    assert running.work(rater).place.assignment.id == failed
    assert running.do(way.without_unshown, rater).step is Step.DEBRIEF
    running.go_to(rater, Step.DONE)
    assert running.do(study_status).raters[0].answered == 7


def test_nobody_finishes_who_went_on_without_as_much_as_was_answered(running: UnderWay, rater: str) -> None:
    running.answer(rater, "one answer, and the rest is skipped")
    while running.step(rater) is not Step.UNSHOWN:
        if running.step(rater) is Step.BREAK:
            running.do(way.break_over, rater)
        fail(running, rater)
    assert running.do(way.without_unshown, rater).step is Step.UNSHOWN
    for _ in range(4):
        assert running.step(rater) is Step.UNSHOWN
        assert not [event for event in running.read(lambda tx: tx.events(rater=rater)) if event.kind == "unshown"]
        running.answer(rater, "tried again")
        running.do(way.without_unshown, rater)
    assert running.where(rater).answered == 5
    running.go_to(rater, Step.DONE)


@pytest.mark.parametrize("n", [0, 1, 2])
def test_what_was_left_in_an_earlier_section_counts_at_the_end(study_folder: Path, n: int) -> None:
    text = (study_folder / "study.yaml").read_text()
    section = text[text.index("  - id: recognise") : text.index("raters:\n")]
    (study_folder / "study.yaml").write_text(text.replace(section, section + section.replace("recognise", "again")))
    with under_way(study_folder) as running:
        running.open()
        (rater,) = running.invite(1)
        running.go_to(rater, Step.WORK)
        for turn in range(8):
            running.answer(rater, "seen") if turn < n else fail(running, rater)
        assert running.do(way.without_unshown, rater).section == "again"
        for turn in range(8):
            running.answer(rater, "seen") if turn < 7 else fail(running, rater)
        assert running.do(way.without_unshown, rater).step is (Step.DEBRIEF if n == 2 else Step.UNSHOWN)
        if n < 2:
            # What is open in any section can still be tried again, and the end comes with enough answers.
            while running.step(rater) is Step.UNSHOWN:
                running.answer(rater, "tried again")
            assert running.step(rater) is Step.DEBRIEF
            assert running.do(study_status).raters[0].answered == 9


def test_tried_again_and_shown_it_is_an_answer_like_any_other(running: UnderWay, rater: str) -> None:
    failed = running.work(rater).place.assignment.id
    fail(running, rater)
    mine = running.work(rater, failed).place.assignment
    receipt = running.submit(rater, running.submission(rater, "now", assignment=mine.id, revision=mine.revision))
    assert receipt.answered == 1
    assert [answer.value for answer in running.answers(rater)] == ["now"]
    assert running.do(study_status).answered == 1
    before = running.read(lambda tx: (tx.slots(), tx.assignments(), tx.counts(rater, "recognise")))
    running.store.do(lambda tx: tx.rebuild_caches())
    assert running.read(lambda tx: (tx.slots(), tx.assignments(), tx.counts(rater, "recognise"))) == before


def test_an_earlier_answer_stands_when_its_picture_does_not_load_again(running: UnderWay, rater: str) -> None:
    first = running.work(rater).place.assignment
    running.answer(rater, "seen")
    receipt = fail(running, rater, first.id)
    assert (receipt.outcome, receipt.answered) == ("repeated", 1)
    assert [answer.value for answer in running.answers(rater)] == ["seen"]


@pytest.mark.parametrize("media", [[{"path": "a.png", "ok": True}], [{"path": "a.png", "ok": True, "failures": 2}]])
def test_what_the_browser_says_is_shown_cannot_be_left_out(running: UnderWay, rater: str, media: object) -> None:
    sent = running.submission(rater, "", form=FAILED, evidence={"media": media})
    with pytest.raises(FormError):
        running.submit(rater, sent)
    assert running.answers(rater) == ()


def test_its_place_goes_to_another_rater_and_the_item_gets_all_its_answers(crowd: UnderWay) -> None:
    (one,) = crowd.invite(1)
    crowd.go_to(one, Step.WORK)
    while crowd.step(one) is Step.WORK:
        fail(crowd, one)
    failed = {mine.item for mine in crowd.read(lambda tx: tx.assignments(one))}
    for rater in crowd.invite(12):
        if crowd.step(rater) is not Step.NOT_NEEDED:
            crowd.go_to(rater, Step.DONE)
    items = crowd.do(study_status).items
    assert {item.item for item in items} >= failed
    assert {item.answered for item in items} == {2}
    # Nothing is left to try again, and still nobody is done who has answered nothing.
    assert crowd.step(one) is Step.UNSHOWN
    crowd.store.do(lambda tx: tx.rebuild_caches())
    assert crowd.do(study_status).items == items
    assert not verify(crowd.protocol, crowd.store).findings


def test_a_failure_and_a_late_answer_are_what_verify_expects(running: UnderWay, rater: str) -> None:
    failed = [running.work(rater).place.assignment.id]
    fail(running, rater)
    failed.append(running.work(rater).place.assignment.id)
    fail(running, rater)
    mine = running.work(rater, failed[0]).place.assignment
    running.submit(rater, running.submission(rater, "now", assignment=mine.id, revision=mine.revision))
    assert not verify(running.protocol, running.store).findings
    rows = running.read(gather)
    assert {answer.reason for answer in rows.answers} == {None, Reason.MEDIA_FAILED}


def test_who_did_all_but_what_could_not_be_shown_is_done_though_another_took_that(crowd: UnderWay) -> None:
    one, other = crowd.invite(2)
    crowd.go_to(one, Step.WORK)
    fail(crowd, one)
    for _ in range(3):
        crowd.answer(one, "a guess")
    crowd.go_to(other, Step.WORK)
    items = {cell.item for _ in range(4) if (cell := crowd.work(other).place.assignment) and crowd.answer(other, "x")}
    assert len(items) == 4
    for rater in crowd.invite(8):
        if crowd.step(rater) is not Step.NOT_NEEDED:
            crowd.go_to(rater, Step.DONE)
    assert [mine.lost for mine in crowd.read(lambda tx: tx.assignments(one))].count(True) == 1
    crowd.go_to(one, Step.DONE)


def test_who_could_not_see_it_is_neither_for_nor_against_the_others(study_folder: Path) -> None:
    path = study_folder / "study.yaml"
    settings = "  per_item: 2\n  roster: 4\n  escalate: {when: idiom, to: 3}\n"
    path.write_text(path.read_text().replace("  per_item: 3\n  roster: 3\n", settings))
    with under_way(study_folder) as running:
        running.open()
        one, other = running.invite(2)
        for rater in (one, other):
            running.go_to(rater, Step.WORK)
        while running.step(one) is Step.WORK:
            fail(running, one)
        while running.step(other) is Step.WORK:
            running.answer(other, "a guess")
        assert running.read(lambda tx: tx.last_event(["escalated"])) is None
        assert all(item.answered < item.wanted for item in running.do(study_status).items if item.answered)


@pytest.fixture
def crowd(study_folder: Path):  # type: ignore[no-untyped-def]
    path = study_folder / "study.yaml"
    path.write_text(path.read_text().replace("  per_item: 3\n  roster: 3\n", CROWD))
    with under_way(study_folder) as running:
        running.open()
        yield running
