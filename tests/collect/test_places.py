"""Open enrolment: who finds no work waits and goes on by itself, nobody is done for nothing, and places come free."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from quorate.collect import way
from quorate.collect.gather import gather
from quorate.collect.links import places_left
from quorate.collect.places import LEFT
from quorate.collect.way import ENDS, Step
from quorate.errors import StaleError
from raters import UnderWay, under_way
from words import rate, words

Made = Callable[..., UnderWay]


@pytest.fixture
def crowd(tmp_path: Path) -> Made:
    """An open study of four words for a crowd, each word for one rater, two words a batch."""
    opened = []

    def make(settings: str = "per_item: 1\nbatch: 2\ncap: 5\nlease_minutes: 30", n: int = 4) -> UnderWay:
        context = under_way(words(tmp_path / "s", settings, n=n))
        running = context.__enter__()
        opened.append(context)
        running.open()
        return running

    yield make
    for context in opened:
        context.__exit__(None, None, None)


def begin(running: UnderWay, *raters: str) -> None:
    """Each of them has a batch."""
    for rater in raters:
        running.go_to(rater, Step.WORK)
        running.work(rater)


def kinds(running: UnderWay, rater: str) -> list[str]:
    return [event.kind for event in running.read(lambda tx: tx.events(rater=rater))]


def test_who_goes_on_answering_keeps_the_batch_longer_than_its_lease(crowd: Made) -> None:
    running = crowd("per_item: 1\nbatch: 4\ncap: 5\nlease_minutes: 30")
    steady, late = running.invite(2)
    begin(running, steady)
    for _ in range(3):
        running.pass_minutes(25)
        rate(running, steady, 3)
    assert running.step(late) is Step.ALL_TAKEN
    running.pass_minutes(25)
    running.do(way.move_on, late)
    rate(running, steady, 3)
    assert running.step(steady) is Step.DONE
    collected = running.read(gather)
    assert (len(collected.answers), collected.late) == (4, 0)


def test_who_stops_answering_keeps_the_batch_for_as_long_as_a_lease(crowd: Made) -> None:
    running = crowd("per_item: 1\nbatch: 4\ncap: 5\nlease_minutes: 30")
    slow, late = running.invite(2)
    begin(running, slow)
    running.pass_minutes(25)
    rate(running, slow, 3)
    running.pass_minutes(29)
    assert running.step(late) is Step.ALL_TAKEN
    running.pass_minutes(1)
    begin(running, late)
    assert len(running.read(lambda tx: tx.next_open(late, "judge", 0, 9))) == 3


def test_who_comes_while_everything_is_held_waits_and_is_not_done(crowd: Made) -> None:
    running = crowd()
    one, two, late = running.invite(3)
    running.go_to(late, Step.INSTRUCTIONS)
    begin(running, one, two)
    running.take_step(late)
    assert running.step(late) is Step.ALL_TAKEN
    running.do(way.move_on, late)
    assert "finished" not in kinds(running, late)
    assert "not_needed" not in kinds(running, late)
    assert running.step(running.invite()[0]) is Step.ALL_TAKEN  # and whoever comes then, before the consent


def test_who_waits_goes_on_when_a_lease_has_run_out(crowd: Made) -> None:
    running = crowd()
    one, two, late = running.invite(3)
    running.go_to(late, Step.INSTRUCTIONS)
    begin(running, one, two)
    running.take_step(late)
    running.pass_minutes(31)
    assert running.step(late) is Step.WORK
    assert [rate(running, late, 3) for _ in range(2)]
    assert running.step(late) is Step.DONE
    assert Step.DONE not in {running.step(one), running.step(two)}  # whose leases ran out


def test_who_waits_is_told_when_others_have_answered_everything(crowd: Made) -> None:
    running = crowd()
    one, two, late, later = running.invite(4)
    running.go_to(late, Step.INSTRUCTIONS)
    begin(running, one, two)
    running.take_step(late)
    for rater in (one, two):
        rate(running, rater, 3), rate(running, rater, 3)
        assert running.step(rater) is Step.DONE
    assert running.step(late) is Step.NOT_NEEDED
    running.do(way.move_on, late)
    running.do(way.move_on, late)
    assert kinds(running, late)[-1:] == ["not_needed"]
    # Who has not consented is told the same, and nothing of it is recorded.
    assert running.do(way.move_on, later).step is Step.NOT_NEEDED
    assert kinds(running, later) == []
    with pytest.raises(StaleError):
        running.do(way.consent, later, True)
    status = {one.rater: one.status for one in running.read(gather).participants}
    assert status == {one: "finished", two: "finished", late: "not_needed", later: "invited"}


def test_who_did_a_part_and_finds_nothing_left_is_not_done(crowd: Made) -> None:
    running = crowd()
    slow, two, quick = running.invite(3)
    begin(running, slow, two)
    rate(running, slow, 3)
    rate(running, two, 3), rate(running, two, 3)
    running.pass_minutes(31)
    begin(running, quick)
    assert running.step(slow) is Step.ALL_TAKEN
    rate(running, quick, 3)
    assert running.step(slow) is Step.NOT_NEEDED
    assert running.step(quick) is Step.DONE  # one word was all that was left, and quick did it


def test_who_answered_everything_is_done_though_an_answer_came_after_its_lease(crowd: Made) -> None:
    running = crowd()
    slow, two, quick = running.invite(3)
    begin(running, slow, two)
    rate(running, slow, 3)
    rate(running, two, 3), rate(running, two, 3)
    late = running.submission(slow, "", form={"score": ["4"]})
    running.pass_minutes(31)
    begin(running, quick)
    running.submit(slow, late)
    assert len(running.answers(slow)) == 2
    assert running.step(slow) is Step.DONE


def test_a_smaller_last_batch_is_finished_work(crowd: Made) -> None:
    running = crowd("per_item: 1\nbatch: 3\ncap: 5")
    one, last = running.invite(2)
    begin(running, one, last)
    rate(running, last, 3)
    assert running.step(last) is Step.DONE


def test_a_roster_waits_for_what_others_hold_and_nobody_is_done_for_nothing(crowd: Made) -> None:
    running = crowd("per_item: 1\nroster: 3", n=2)
    raters = running.invite(3)
    begin(running, *raters[:2])
    running.go_to(raters[2], Step.ALL_TAKEN)
    running.do(way.withdraw, raters[0])
    assert running.step(raters[2]) is Step.WORK
    rate(running, raters[2], 3)
    rate(running, raters[1], 3)
    assert {running.step(rater) for rater in raters[1:]} == {Step.DONE}


def test_a_third_rater_of_a_roster_waits_until_others_disagree(crowd: Made) -> None:
    running = crowd("per_item: 2\nroster: 2\nescalate: {when: score, to: 3}", n=1)
    one, two, third = running.invite(3)
    begin(running, one, two)
    running.go_to(third, Step.ALL_TAKEN)
    rate(running, one, 1)
    assert running.step(third) is Step.ALL_TAKEN
    rate(running, two, 5)
    assert running.step(third) is Step.WORK
    rate(running, third, 5)
    assert running.step(third) is Step.DONE


def test_a_third_rater_of_a_roster_is_not_needed_where_all_agree_and_can_come_back(crowd: Made) -> None:
    running = crowd("per_item: 2\nroster: 2\nescalate: {when: score, to: 3}", n=1)
    one, two, third = running.invite(3)
    begin(running, one, two)
    rate(running, one, 5)
    rate(running, two, 5)
    running.go_to(third, Step.NOT_NEEDED)
    running.do(way.move_on, third)
    assert running.step(third) is Step.NOT_NEEDED
    running.do(way.withdraw, one)
    assert running.step(third) is Step.WORK


def test_a_closed_study_is_closed_for_who_waits(crowd: Made) -> None:
    running = crowd()
    one, two, late = running.invite(3)
    begin(running, one, two)
    running.close()
    assert running.step(late) is Step.CLOSED


def test_whoever_leaves_without_an_answer_uses_up_no_place_of_the_cap(crowd: Made) -> None:
    running = crowd("per_item: 1\nbatch: 2\ncap: 3\nlease_minutes: 30")
    left, works, waits = running.invite(3)
    assert running.do(places_left) == 0
    begin(running, left, works)
    rate(running, works, 3)
    running.pass_minutes(31)
    assert running.do(places_left) == 1  # who was invited and has not begun keeps the place, as does who has answered
    running.go_to(waits, Step.INSTRUCTIONS)
    running.pass_minutes(31)
    assert running.do(places_left) == 2


def test_whose_place_went_to_another_goes_on_when_one_is_free(crowd: Made) -> None:
    running = crowd("per_item: 1\nbatch: 1\ncap: 2\nlease_minutes: 30")
    left, works = running.invite(2)
    running.go_to(left, Step.INSTRUCTIONS)
    begin(running, works)
    running.pass_minutes(31)
    assert running.step(left) is Step.INSTRUCTIONS  # the place is free, and nobody has taken it
    third, fourth = running.invite(2)  # neither has answered anything for so long
    running.go_to(third, Step.INSTRUCTIONS)
    assert running.step(left) is Step.ALL_TAKEN
    with pytest.raises(StaleError):
        running.do(way.instructions_read, left)
    running.do(way.exclude, third, "never came back")
    assert running.step(left) is Step.INSTRUCTIONS
    assert running.step(fourth) is Step.CONSENT


def test_every_end_but_those_of_the_work_frees_the_place() -> None:
    assert set(ENDS) - set(LEFT) == {"finished", "not_needed"}
