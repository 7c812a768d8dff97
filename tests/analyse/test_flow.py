from __future__ import annotations

from dataclasses import replace

from analyse.collecting import RATERS, finished, written
from quorate.analyse import analyse
from quorate.protocol import Protocol
from quorate.records import Participant


def test_everyone_who_was_invited_is_counted_where_they_left(protocol: Protocol) -> None:
    collected = written(protocol, dict.fromkeys(RATERS, "++++----"))
    others = (
        Participant("A4", "invited"),
        Participant("A5", "declined", {}, {"declined": "t"}),
        Participant("A6", "screened_out", {}, {"consent": "t", "screened_out": "t"}),
        Participant("A7", "consented", {}, {"consent": "t"}),
        Participant("A8", "withdrawn", {}, {"consent": "t", "eligible": "t", "withdrawn": "t"}),
    )
    flow = analyse(protocol, replace(collected, participants=(*collected.participants, *others))).flow
    assert flow.raters == {
        "invited": 8,
        "declined": 1,
        "consented": 6,
        "screened out": 1,
        "eligible": 4,
        "finished": 3,
        "withdrawn": 1,
        "excluded": 0,
        "analysed": 3,
    }


def test_items_and_answers_are_counted_against_the_plan(protocol: Protocol) -> None:
    flow = analyse(protocol, written(protocol, {"A1": "++++++++", "A2": "++++++++", "A3": "++......"})).flow
    assert flow.items == {"pool": 12, "drawn": 8, "with all answers": 2}
    assert (flow.answers["planned"], flow.answers["given"]) == (24, 18)


def test_the_annotator_table_tells_background_and_what_eligibility_leaves_open(protocol: Protocol) -> None:
    collected = written(protocol, {"A10": "+", "A2": "+"})
    people = (finished("A10"), Participant("A2", "finished", {}, {"consent": "t"}))
    table = analyse(protocol, replace(collected, participants=people)).annotators
    assert [row.id for row in table] == ["A2"]
    assert table[0].background == {"Background": "not stated", "Proficiency": "not stated"}
