"""How far a study is."""

from __future__ import annotations

import json
from pathlib import Path

from quorate.collect import way
from quorate.collect.status import study_status
from quorate.collect.way import Step
from raters import UnderWay, under_way


def test_the_state_is_not_open_yet_then_open_then_closed(study_folder: Path) -> None:
    with under_way(study_folder) as running:
        assert running.do(study_status).state == "not open yet"
        running.open()
        assert running.do(study_status).state == "open"
        running.close()
        assert running.do(study_status).state == "closed"


def test_every_rater_and_every_item_is_counted(running: UnderWay) -> None:
    done, working, _ = running.invite(3)
    running.go_to(done, Step.DONE)
    running.go_to(working, Step.WORK)
    running.answer_all(working, 2)
    status = running.do(study_status)
    assert [(r.id, r.step, r.answered) for r in status.raters] == [
        ("A1", "done", 8),
        ("A2", "work", 2),
        ("A3", "invited", 0),
    ]
    assert (status.answered, status.wanted) == (10, 24)
    assert sorted(item.answered for item in status.items) == [1] * 6 + [2] * 2


def test_answers_of_those_who_left_do_not_count_towards_what_is_wanted(running: UnderWay) -> None:
    gone, excluded, there = running.invite(3)
    for rater in (gone, excluded, there):
        running.go_to(rater, Step.WORK)
        running.answer_all(rater, 2)
    running.do(way.withdraw, gone)
    running.do(way.exclude, excluded, "reason")
    status = running.do(study_status)
    assert (status.answered, status.wanted) == (2, 24)
    assert [r.step for r in status.raters] == ["withdrawn", "excluded", "work"]


def test_the_status_becomes_json(running: UnderWay) -> None:
    running.invite(1)
    read = json.loads(json.dumps(running.do(study_status).as_dict()))
    assert read["state"] == "open"
    assert read["wanted"] == 24
