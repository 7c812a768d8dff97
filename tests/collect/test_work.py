"""The work: claims, submissions stored once and whole, and what comes next."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from quorate.collect import way
from quorate.collect.forms import FormError
from quorate.collect.gather import gather
from quorate.collect.way import Step
from quorate.collect.work import own_answers, submit
from quorate.errors import ClosedError, CollectError, LinkError, StaleError
from quorate.plan import arrange, quota
from quorate.records import Reason
from raters import UnderWay, under_way


def with_raters(folder: Path, settings: str) -> Path:
    path = folder / "study.yaml"
    known = "  per_item: 3\n  roster: 3\n"
    assert known in path.read_text()
    path.write_text(path.read_text().replace(known, settings))
    return folder


def at_work(running: UnderWay, n: int = 1) -> list[str]:
    raters = running.invite(n)
    for rater in raters:
        running.go_to(rater, Step.WORK)
    return raters


def test_a_rater_of_the_roster_claims_every_item_once_in_an_order_of_their_own(running: UnderWay) -> None:
    orders = []
    for rater in at_work(running, 3):
        cells = running.work(rater).cells
        assert [cell.position for cell in cells] == list(range(1, 9))
        orders.append([cell.item for cell in cells])
        slots = [slot for slot in running.read(lambda tx: tx.slots()) if slot.repeat == 0]
        assert orders[-1] == [slot.item for slot in arrange(slots, running.protocol, rater, "recognise")]
    assert len({tuple(order) for order in orders}) == 3
    assert len({tuple(sorted(order)) for order in orders}) == 1


def test_an_answer_is_stored_with_all_that_belongs_to_it(running: UnderWay) -> None:
    (rater,) = at_work(running)
    sent = running.submission(rater, " The Elephant in the ROOM! ", evidence={"visible_seconds": 12.5, "shown": ["x"]})
    receipt = running.submit(rater, sent)
    assert (receipt.outcome, receipt.answered, receipt.total, receipt.revision) == ("stored", 1, 8, 1)
    (answer,) = running.answers(rater)
    assert (answer.raw, answer.value) == (" The Elephant in the ROOM! ", "elephant in room")
    assert (answer.by, answer.seconds, answer.position) == ("rater", 12.5, 1)
    assert answer.protocol == running.protocol.collection_hash


@pytest.mark.parametrize("seconds", [-1, 1e9, "long", None, [1]])
def test_a_time_that_cannot_be_is_no_time(running: UnderWay, seconds: object) -> None:
    (rater,) = at_work(running)
    running.submit(rater, running.submission(rater, "a guess", evidence={"visible_seconds": seconds}))
    assert running.answers(rater)[0].seconds is None


def test_the_receipt_brings_the_next_item_and_those_to_hold_ahead(running: UnderWay) -> None:
    (rater,) = at_work(running)
    cells = running.work(rater).cells
    receipt = running.answer(rater, "a guess")
    assert receipt.next == cells[1].id
    assert [place.assignment.id for place in receipt.ahead] == [cell.id for cell in cells[1:7]]
    held = [cell.id for cell in cells[1:7]]
    sent = running.submission(rater, "a guess")
    receipt = running.do(submit, rater, sent, held)
    assert [place.assignment.id for place in receipt.ahead] == [cells[7].id]


def test_after_the_last_position_it_goes_round_to_what_was_left_open(running: UnderWay) -> None:
    (rater,) = at_work(running)
    cells = running.work(rater).cells
    for cell in cells[1:]:
        receipt = running.submit(rater, running.submission(rater, "a guess", assignment=cell.id, revision=0))
    assert receipt.next == cells[0].id
    assert receipt.step is Step.WORK


def test_an_empty_answer_stores_nothing_and_says_what_to_do(running: UnderWay) -> None:
    (rater,) = at_work(running)
    with pytest.raises(FormError, match="Please type an answer"):
        running.answer(rater, "  ")
    assert running.answers(rater) == ()
    assert running.where(rater).answered == 0


def test_a_picture_that_failed_to_load_is_a_reason_and_no_answer(running: UnderWay) -> None:
    (rater,) = at_work(running)
    running.submit(rater, running.submission(rater, "", form={"idiom": [""], "idiom.media_failed": ["1"]}))
    (answer,) = running.answers(rater)
    assert (answer.value, answer.reason) == (None, Reason.MEDIA_FAILED)
    assert running.where(rater).answered == 0


def test_the_same_key_sent_again_is_stored_once(running: UnderWay) -> None:
    (rater,) = at_work(running)
    sent = running.submission(rater, "a guess")
    first, second = running.submit(rater, sent), running.submit(rater, sent)
    assert (first.outcome, second.outcome) == ("stored", "repeated")
    assert (first.revision, first.answered, first.next) == (second.revision, second.answered, second.next)
    assert len(running.read(lambda tx: tx.all_answers())) == 1


def test_a_repeat_that_comes_after_the_work_is_done_is_still_acknowledged(running: UnderWay) -> None:
    (rater,) = at_work(running)
    running.answer_all(rater, 7)
    last = running.submission(rater, "a guess")
    running.submit(rater, last)
    running.go_to(rater, Step.DONE)
    assert running.submit(rater, last).outcome == "repeated"


def test_a_repeat_that_comes_after_the_study_closed_is_still_acknowledged(running: UnderWay) -> None:
    (rater,) = at_work(running)
    sent = running.submission(rater, "a guess")
    running.submit(rater, sent)
    running.close()
    assert running.submit(rater, sent).outcome == "repeated"


@pytest.mark.parametrize("revision", [0, 1, 5])
def test_a_key_that_belongs_to_another_assignment_is_refused_and_nothing_is_stored(
    running: UnderWay, revision: int
) -> None:
    (rater,) = at_work(running)
    sent = running.submission(rater, "a guess")
    running.submit(rater, sent)
    other = replace(running.submission(rater, "another guess"), key=sent.key, revision=revision)
    assert other.assignment != sent.assignment
    with pytest.raises(CollectError, match="under the mark of another answer"):
        running.submit(rater, other)
    assert len(running.read(lambda tx: tx.all_answers())) == 1


def test_a_revision_counts_and_the_history_stays(running: UnderWay) -> None:
    (rater,) = at_work(running)
    running.answer(rater, "first thought")
    cell = running.work(rater).cells[0]
    assert cell.revision == 1
    shown = running.work(rater, cell.id).place
    assert shown.raw == {"idiom": "first thought"}
    receipt = running.submit(rater, running.submission(rater, "second thought", assignment=cell.id, revision=1))
    assert (receipt.outcome, receipt.revision, receipt.answered) == ("stored", 2, 1)
    assert [answer.value for answer in running.answers(rater)] == ["second thought"]
    history = running.read(lambda tx: tx.all_answers(rater))
    assert [(answer.value, answer.revision) for answer in history] == [("first thought", 1), ("second thought", 2)]


def test_the_page_of_an_older_revision_is_told_and_changes_nothing(running: UnderWay) -> None:
    (rater,) = at_work(running)
    stale = running.submission(rater, "from the other tab")
    running.answer(rater, "from this tab")
    with pytest.raises(StaleError, match="another tab or on another device"):
        running.submit(rater, stale)
    assert [answer.value for answer in running.answers(rater)] == ["from this tab"]


def test_answers_are_final_where_the_study_says_so(study_folder: Path) -> None:
    path = study_folder / "study.yaml"
    path.write_text(path.read_text().replace("    grid: true\n", "    revise: false\n"))
    with under_way(study_folder) as running:
        running.open()
        (rater,) = at_work(running)
        running.answer(rater, "first thought")
        before = running.work(rater).previous
        with pytest.raises(StaleError, match="final"):
            running.work(rater, before)
        with pytest.raises(StaleError, match="final"):
            running.submit(rater, running.submission(rater, "second", assignment=before, revision=1))


def test_answers_can_be_changed_until_the_debrief_and_not_after_the_end(running: UnderWay) -> None:
    (rater,) = at_work(running)
    running.go_to(rater, Step.DEBRIEF)
    cell = running.work(rater).cells[0]
    again = running.submission(rater, "second thought", assignment=cell.id, revision=1)
    assert running.submit(rater, again).outcome == "stored"
    running.go_to(rater, Step.DONE)
    with pytest.raises(StaleError):
        running.submit(rater, replace(again, key="new", revision=2))


@pytest.mark.parametrize("name", ["", "nothing", "aaaaaaaaaaaa"])
def test_an_assignment_that_was_made_up_is_refused(running: UnderWay, name: str) -> None:
    (rater,) = at_work(running)
    with pytest.raises(LinkError):
        running.submit(rater, running.submission(rater, "a guess", assignment=name))
    with pytest.raises(StaleError):
        running.work(rater, name)


def test_nobody_can_answer_or_see_another_raters_assignment(running: UnderWay) -> None:
    mine, other = at_work(running, 2)
    theirs = running.work(other).cells[0]
    with pytest.raises(LinkError, match="another person's page"):
        running.submit(mine, running.submission(mine, "forged", assignment=theirs.id))
    with pytest.raises(StaleError):
        running.work(mine, theirs.id)
    assert running.answers() == ()


def test_a_closed_study_takes_no_answer_and_keeps_what_it_has(running: UnderWay) -> None:
    (rater,) = at_work(running)
    running.answer(rater, "in time")
    late = running.submission(rater, "too late")
    running.close()
    with pytest.raises(ClosedError, match="closed just now"):
        running.submit(rater, late)
    assert [answer.value for answer in running.answers(rater)] == ["in time"]
    running.open()
    assert running.submit(rater, late).outcome == "stored"


def test_who_withdrew_or_was_excluded_can_send_nothing_more(running: UnderWay) -> None:
    gone, excluded = at_work(running, 2)
    late = {rater: running.submission(rater, "too late") for rater in (gone, excluded)}
    running.do(way.withdraw, gone)
    running.do(way.exclude, excluded, "reason")
    for rater, submission in late.items():
        with pytest.raises(StaleError):
            running.submit(rater, submission)
    assert running.answers() == ()


def test_a_section_that_is_finished_takes_no_more_changes(study_folder: Path) -> None:
    text = (study_folder / "study.yaml").read_text()
    section = text[text.index("  - id: recognise") : text.index("raters:\n")]
    (study_folder / "study.yaml").write_text(text.replace(section, section + section.replace("recognise", "again")))
    with under_way(study_folder) as running:
        running.open()
        (rater,) = at_work(running)
        first = running.work(rater).cells[0]
        running.answer_all(rater, 8)
        assert running.where(rater).section == "again"
        running.work(rater)
        with pytest.raises(StaleError, match="That part is finished"):
            running.submit(rater, running.submission(rater, "changed", assignment=first.id, revision=1))


def test_what_a_rater_downloads_is_what_they_answered_in_their_order(running: UnderWay) -> None:
    (rater,) = at_work(running)
    for n in range(3):
        running.answer(rater, f"guess {n}")
    rows = running.do(own_answers, rater)
    assert [raw.get("idiom") for _, raw in rows] == ["guess 0", "guess 1", "guess 2", *[None] * 5]
    assert [assignment.position for assignment, _ in rows] == list(range(1, 9))


@pytest.mark.parametrize(("roster", "batch"), [(3, 3), (4, 3), (4, 4), (5, 2), (6, 8)])
def test_a_share_that_is_claimed_in_batches_is_never_exceeded(study_folder: Path, roster: int, batch: int) -> None:
    with_raters(study_folder, f"  per_item: 3\n  roster: {roster}\n  batch: {batch}\n")
    with under_way(study_folder) as running:
        running.open()
        raters = running.invite(roster)
        active = list(raters)
        while active:
            for rater in list(active):
                if running.take_step(rater) is Step.DONE:
                    active.remove(rater)
        done = Counter(answer.rater for answer in running.answers())
        items = Counter(answer.item for answer in running.answers())
        assert max(done.values()) <= quota(running.protocol)
        assert set(items.values()) == {3}
        assert sum(done.values()) == 24


def test_the_number_to_do_stays_the_same_from_batch_to_batch(study_folder: Path) -> None:
    with_raters(study_folder, "  per_item: 3\n  roster: 4\n  batch: 4\n")
    with under_way(study_folder) as running:
        running.open()
        (rater,) = at_work(running)
        assert {running.answer(rater, "a guess").total for _ in range(6)} == {6}
        assert running.step(rater) is Step.DEBRIEF


def test_open_enrolment_goes_in_batches_until_every_slot_is_taken(study_folder: Path) -> None:
    with_raters(study_folder, "  per_item: 3\n  batch: 5\n")
    with under_way(study_folder) as running:
        running.open()
        *raters, late = running.invite(6)
        for rater in raters:
            running.go_to(rater, Step.DONE)
        # The last of them had what was left, and did it all; nothing is left for whoever comes then.
        assert running.step(late) is Step.NOT_NEEDED
        assert sorted(Counter(a.rater for a in running.answers()).values()) == [4, 5, 5, 5, 5]
        assert set(Counter(a.item for a in running.answers()).values()) == {3}


def test_a_batch_that_is_left_alone_goes_to_the_next_rater(study_folder: Path) -> None:
    with_raters(study_folder, "  per_item: 1\n  batch: 8\n  lease_minutes: 30\n")
    with under_way(study_folder) as running:
        running.open()
        slow, quick = running.invite(2)
        running.go_to(slow, Step.WORK)
        running.answer_all(slow, 2)
        late = running.submission(slow, "too late")
        running.pass_minutes(31)
        running.go_to(quick, Step.WORK)
        assert len(running.work(quick).cells) == 6
        # It came after another rater took the item: it is kept, and does not count.
        assert running.submit(slow, late).outcome == "stored"
        assert [answer.counted for answer in running.answers(slow)] == [True, True, False]
        collected = running.read(gather)
        assert (len(collected.answers), collected.late) == (2, 1)
        # What was answered in time stays theirs, and until others have answered the rest it may come back to them.
        assert running.step(slow) is Step.ALL_TAKEN
        running.answer_all(quick, 6)
        assert running.step(slow) is Step.DEBRIEF
        assert len(running.work(slow).cells) == 2


def test_a_lapsed_item_that_nobody_took_can_still_be_answered(study_folder: Path) -> None:
    with_raters(study_folder, "  per_item: 1\n  batch: 8\n  lease_minutes: 30\n")
    with under_way(study_folder) as running:
        running.open()
        (slow,) = at_work(running)
        late = running.submission(slow, "late, but in time")
        running.pass_minutes(300)
        assert running.submit(slow, late).outcome == "stored"


def test_a_rater_who_lost_some_items_is_shown_the_next_that_is_still_theirs(study_folder: Path) -> None:
    with_raters(study_folder, "  per_item: 1\n  batch: 5\n  lease_minutes: 30\n")
    with under_way(study_folder) as running:
        running.open()
        slow, quick = running.invite(2)
        running.go_to(slow, Step.WORK)
        running.answer(slow, "a guess")
        running.pass_minutes(31)
        running.go_to(quick, Step.WORK)
        running.work(quick)
        now = running.where(slow)
        while now.step is Step.WORK:
            running.answer(slow, "another guess")
            now = running.where(slow)
        assert now.step is Step.ALL_TAKEN
        assert len(running.answers(slow)) <= 5
