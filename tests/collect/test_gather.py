"""What the analysis gets: newest answers of people and judges, participants, votes."""

from __future__ import annotations

from quorate.collect import way
from quorate.collect.borderline import vote
from quorate.collect.gather import gather
from quorate.collect.judging import ask_judges
from quorate.collect.links import invite_member
from quorate.collect.way import Step
from raters import UnderWay


def test_people_and_judges_stand_in_one_table(running: UnderWay) -> None:
    (rater,) = running.invite()
    running.go_to(rater, Step.DONE)
    running.do(ask_judges)
    collected = running.read(gather)
    assert len(collected.items) == 8
    assert sorted((answer.by, answer.rater) for answer in collected.answers) == [
        *[("judge", "mllm")] * 8,
        *[("rater", "A1")] * 8,
    ]
    assert not collected.simulated


def test_of_a_revised_answer_the_newest_is_gathered(running: UnderWay) -> None:
    (rater,) = running.invite()
    running.go_to(rater, Step.WORK)
    running.answer(rater, "first thought")
    cell = running.work(rater).cells[0]
    running.submit(rater, running.submission(rater, "second thought", assignment=cell.id, revision=1))
    assert [answer.value for answer in running.read(gather).answers] == ["second thought"]


def test_every_rater_is_a_participant_with_how_far_they_came(running: UnderWay) -> None:
    done, working, invited = running.invite(3)
    running.go_to(done, Step.DONE)
    running.go_to(working, Step.WORK)
    collected = running.read(gather)
    assert {p.rater: p.status for p in collected.participants} == {
        done: "finished",
        working: "consented",
        invited: "invited",
    }
    said = collected.participants[0].background
    assert said == {"proficiency": "Native", "background": "Student"}


def test_who_withdrew_after_finishing_has_withdrawn(running: UnderWay) -> None:
    (rater,) = running.invite()
    running.go_to(rater, Step.DONE)
    running.do(way.withdraw, rater)
    assert running.read(gather).participants[0].status == "withdrawn"


def test_who_was_excluded_comes_with_the_reason(running: UnderWay) -> None:
    one, other = running.invite(2)
    running.go_to(one, Step.WORK)
    running.do(way.exclude, one, "answered at random")
    found = {person.rater: person for person in running.read(gather).participants}
    assert (found[one].status, found[one].reason, found[other].reason) == ("excluded", "answered at random", "")


def test_votes_come_along(running: UnderWay) -> None:
    running.store.do(lambda tx: invite_member(tx, "Ada"))
    running.store.do(lambda tx: vote(tx, "M1", "recognise", "idiom", "break ice", "brake ice", True))
    assert [v.canonical for v in running.read(gather).votes] == ["brake ice"]


def test_where_no_clip_has_to_be_played_only_revisions_bring_their_reports(running: UnderWay) -> None:
    (rater,) = running.invite()
    running.go_to(rater, Step.WORK)
    for number in range(2):
        running.submit(rater, running.submission(rater, "a guess", evidence={"visible_seconds": 5.0 + number}))
    first = running.work(rater).cells[0]
    again = running.submission(rater, "a thought", assignment=first.id, revision=1, evidence={"visible_seconds": 2.5})
    running.submit(rater, again)
    every = running.read(gather).evidence
    assert [one.visible for one in every] == [7.5, 6.0]
    needed = running.read(lambda tx: gather(tx, protocol=running.protocol)).evidence
    assert [(one.item, one.visible) for one in needed] == [(first.item, 7.5)]
