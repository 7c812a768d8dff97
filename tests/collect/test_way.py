"""The rater's way: every step in order, kept on the server, and left at any time."""

from __future__ import annotations

from pathlib import Path

import pytest

from quorate.collect import way
from quorate.collect.forms import FormError
from quorate.collect.gather import gather
from quorate.collect.links import places_left
from quorate.collect.way import Step
from quorate.errors import ClosedError, CollectError, StaleError
from quorate.records import Reason
from quorate.verify import verify
from raters import UnderWay, under_way


def edit(folder: Path, old: str, new: str) -> None:
    path = folder / "study.yaml"
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))


def events(running: UnderWay, rater: str, kind: str) -> list[object]:
    return [event.data for event in running.read(lambda tx: tx.events(rater=rater, kinds=[kind]))]


def test_the_steps_come_in_the_protocols_order(running: UnderWay) -> None:
    (rater,) = running.invite()
    seen = [running.step(rater)]
    while seen[-1] is not Step.DONE:
        seen.append(running.take_step(rater))
    in_order = list(dict.fromkeys(seen))
    assert in_order == [
        *(Step.CONSENT, Step.ELIGIBILITY, Step.BACKGROUND, Step.INSTRUCTIONS, Step.PRACTICE, Step.FEEDBACK),
        *(Step.WORK, Step.BREAK, Step.DEBRIEF, Step.DONE),
    ]
    assert seen.count(Step.PRACTICE) == 2
    assert seen.count(Step.BREAK) == 1


def test_a_rater_who_comes_back_after_a_restart_goes_on_where_they_were(study_folder: Path) -> None:
    with under_way(study_folder) as first:
        first.open()
        (rater,) = first.invite()
        first.go_to(rater, Step.WORK)
        first.answer_all(rater, 3)
        before, order = first.where(rater), [cell.item for cell in first.work(rater).cells]
    with under_way(study_folder) as second:
        assert second.where(rater) == before
        assert [cell.item for cell in second.work(rater).cells] == order


def test_before_the_study_opens_raters_wait_and_nothing_is_taken(study_folder: Path) -> None:
    with under_way(study_folder) as running:
        (rater,) = running.invite()
        assert running.step(rater) is Step.WAITING
        with pytest.raises(ClosedError):
            running.do(way.consent, rater, True)
        running.open()
        assert running.step(rater) is Step.CONSENT


def test_who_declines_is_thanked_and_nothing_is_frozen(running: UnderWay) -> None:
    (rater,) = running.invite()
    assert running.do(way.consent, rater, False).step is Step.DECLINED
    assert running.read(lambda tx: tx.protocols()) == ()
    with pytest.raises(StaleError):
        running.do(way.consent, rater, True)


def test_a_consent_is_kept_with_the_version_of_its_text(running: UnderWay) -> None:
    (rater,) = running.invite()
    running.do(way.consent, rater, True, language="en")
    version = running.protocol.version_of(running.protocol.raters.consent)
    assert events(running, rater, "consent") == [{"version": version, "language": "en"}]


def test_who_is_not_eligible_is_screened_out_and_counted(running: UnderWay) -> None:
    (rater,) = running.invite()
    running.go_to(rater, Step.ELIGIBILITY)
    assert running.do(way.eligibility, rater, {"proficiency": ["Neither"]}).step is Step.SCREENED_OUT
    (participant,) = running.read(gather).participants
    assert participant.status == "screened_out"


def test_a_form_with_a_gap_is_refused_and_the_rater_stays(running: UnderWay) -> None:
    (rater,) = running.invite()
    running.go_to(rater, Step.ELIGIBILITY)
    with pytest.raises(FormError, match="Please choose one of the options") as caught:
        running.do(way.eligibility, rater, {})
    assert set(caught.value.errors) == {"proficiency"}
    assert running.step(rater) is Step.ELIGIBILITY


@pytest.mark.parametrize("step", [Step.ELIGIBILITY, Step.INSTRUCTIONS, Step.WORK, Step.DONE])
def test_a_page_that_was_sent_already_is_stale(running: UnderWay, step: Step) -> None:
    (rater,) = running.invite()
    running.go_to(rater, step)
    with pytest.raises(StaleError, match="sent already"):
        running.do(way.consent, rater, True)
    assert len(events(running, rater, "consent")) == 1


def test_no_step_can_be_jumped_over(running: UnderWay) -> None:
    (rater,) = running.invite()
    for jump in (way.instructions_read, lambda tx, p, r: way.background(tx, p, r, {"background": ["Other"]})):
        with pytest.raises(StaleError):
            running.do(jump, rater)
    with pytest.raises(StaleError):
        running.work(rater)


def test_steps_that_a_study_does_not_have_are_left_out(study_folder: Path) -> None:
    text = (study_folder / "study.yaml").read_text()
    start, end = text.index("  eligibility:"), text.index("  break_after:")
    rest = text[:start] + text[text.index("  completion_code:") :]
    assert end > start
    (study_folder / "study.yaml").write_text(rest)
    with under_way(study_folder) as running:
        running.open()
        (rater,) = running.invite()
        seen = [running.step(rater)]
        while seen[-1] is not Step.DONE:
            seen.append(running.take_step(rater))
        assert list(dict.fromkeys(seen)) == [Step.CONSENT, Step.INSTRUCTIONS, Step.WORK, Step.DONE]


def test_the_break_comes_exactly_once_after_so_many_answers(running: UnderWay) -> None:
    (rater,) = running.invite()
    running.go_to(rater, Step.WORK)
    steps = [running.answer(rater, "a guess").step for _ in range(4)]
    assert steps == [Step.WORK, Step.WORK, Step.WORK, Step.BREAK]
    assert running.step(rater) is Step.BREAK
    assert running.do(way.break_over, rater).step is Step.WORK
    # Sent twice, or from another tab: one break.
    assert running.do(way.break_over, rater).step is Step.WORK
    assert [running.answer(rater, "a guess").step for _ in range(4)] == [*[Step.WORK] * 3, Step.DEBRIEF]
    assert events(running, rater, "break") == [{"section": "recognise", "after": 4}]


def test_the_break_is_optional(running: UnderWay) -> None:
    (rater,) = running.invite()
    running.go_to(rater, Step.BREAK)
    assert running.answer(rater, "going on").step is Step.WORK
    assert running.step(rater) is Step.WORK


def test_every_section_has_its_own_break(study_folder: Path) -> None:
    text = (study_folder / "study.yaml").read_text()
    section = text[text.index("  - id: recognise") : text.index("raters:\n")]
    (study_folder / "study.yaml").write_text(text.replace(section, section + section.replace("recognise", "again")))
    with under_way(study_folder) as running:
        running.open()
        (rater,) = running.invite()
        seen = []
        while running.step(rater) is not Step.DONE:
            now = running.where(rater)
            seen.append((now.step, now.section))
            running.take_step(rater)
        assert seen.count((Step.BREAK, "recognise")) == 1
        assert seen.count((Step.BREAK, "again")) == 1
        assert seen.count((Step.WORK, "again")) == 8


def test_who_is_done_has_finished_once(running: UnderWay) -> None:
    (rater,) = running.invite()
    running.go_to(rater, Step.DONE)
    running.do(way.move_on, rater)
    assert len(events(running, rater, "finished")) == 1


def test_closing_stops_every_step_and_opening_goes_on(running: UnderWay) -> None:
    (rater,) = running.invite()
    running.go_to(rater, Step.INSTRUCTIONS)
    running.close()
    assert running.step(rater) is Step.CLOSED
    with pytest.raises(ClosedError, match="closed just now"):
        running.do(way.instructions_read, rater)
    running.open()
    assert running.step(rater) is Step.INSTRUCTIONS


def test_who_had_answered_everything_when_the_study_closed_is_done(running: UnderWay) -> None:
    done, under_way = running.invite(2)
    running.go_to(done, Step.DEBRIEF)
    running.go_to(under_way, Step.WORK)
    running.answer(under_way, "a guess")
    running.close()
    assert (running.step(done), running.where(done).answered) == (Step.DONE, 8)
    assert running.step(under_way) is Step.CLOSED
    running.do(way.move_on, done)
    running.open()
    assert running.step(done) is Step.DONE
    assert len(events(running, done, "finished")) == 1
    assert not verify(running.protocol, running.store).findings


def test_opening_and_closing_twice_is_recorded_once(running: UnderWay) -> None:
    running.open()
    running.close()
    running.close()
    kinds = [event.kind for event in running.read(lambda tx: tx.events(kinds=["opened", "closed"]))]
    assert kinds == ["opened", "closed"]


@pytest.mark.parametrize("erase", [False, True])
def test_who_withdraws_leaves_and_frees_a_place_and_every_slot(running: UnderWay, erase: bool) -> None:
    raters = running.invite(3)
    running.go_to(raters[0], Step.WORK)
    running.answer_all(raters[0], 3, "something private")
    assert running.do(places_left) == 0
    assert running.do(way.withdraw, raters[0], erase=erase).step is Step.WITHDRAWN
    assert running.do(places_left) == 1
    lost = [a.lost for a in running.read(lambda tx: tx.assignments(raters[0]))]
    assert lost == [True] * 8
    with pytest.raises(StaleError):
        running.work(raters[0])


def test_the_one_who_takes_the_place_answers_every_item_again(running: UnderWay) -> None:
    raters = running.invite(3)
    for rater in raters:
        running.go_to(rater, Step.WORK)
        running.work(rater)
    running.answer_all(raters[0], 3)
    running.do(way.withdraw, raters[0])
    (fourth,) = running.invite()
    assert fourth == "A4"
    running.go_to(fourth, Step.WORK)
    assert len(running.work(fourth).cells) == 8


def test_without_erasure_the_answers_stay_in_the_store_and_with_it_their_number_alone(running: UnderWay) -> None:
    kept, erased = running.invite(2)
    for rater in (kept, erased):
        running.go_to(rater, Step.WORK)
        running.answer_all(rater, 3, "something private")
        running.do(way.withdraw, rater, erase=rater == erased)
    assert {answer.value for answer in running.answers(kept)} == {"something private"}
    gone = running.answers(erased)
    assert len(gone) == 3
    assert {(answer.value, answer.raw, answer.reason) for answer in gone} == {(None, None, Reason.WITHDRAWN)}


def test_an_erased_rater_is_still_counted_and_says_nothing(running: UnderWay) -> None:
    (rater,) = running.invite()
    running.go_to(rater, Step.WORK)
    running.do(way.withdraw, rater, erase=True)
    (participant,) = running.read(gather).participants
    assert participant.status == "withdrawn"
    assert participant.background == {}


def test_withdrawing_twice_is_recorded_once(running: UnderWay) -> None:
    (rater,) = running.invite()
    running.go_to(rater, Step.WORK)
    running.do(way.withdraw, rater)
    running.do(way.withdraw, rater)
    assert len(events(running, rater, "withdrawn")) == 1


def test_an_excluded_rater_keeps_the_reason_and_can_go_no_further(running: UnderWay) -> None:
    (rater,) = running.invite()
    running.go_to(rater, Step.WORK)
    running.answer_all(rater, 2)
    assert running.do(way.exclude, rater, "did not read the instructions").step is Step.EXCLUDED
    for again, told in (("another reason", "did not read the instructions"), (" ", "Say why")):
        with pytest.raises(CollectError, match=told):
            running.do(way.exclude, rater, again)
    assert events(running, rater, "excluded") == [{"reason": "did not read the instructions"}]
    assert len(running.answers(rater)) == 2
    with pytest.raises(StaleError):
        running.work(rater)
