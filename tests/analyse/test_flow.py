from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analyse.collecting import RATERS, finished, written
from analyse.simulating import simulate, template
from quorate.analyse import analyse
from quorate.analyse.flow import flow
from quorate.protocol import Protocol
from quorate.records import Collected, Participant
from quorate.sheets.sheet import sheets


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
    assert flow.raters == {"invited": 8, "consented": 6, "admitted": 4, "finished": 3, "analysed": 3}
    assert flow.became == {
        "did not begin": 1,
        "declined": 1,
        "screened out": 1,
        "withdrew": 1,
        "finished": 3,
        "not finished, without an answer that counts": 1,
    }
    assert flow.left == {
        "consented": {"did not begin": 1, "declined": 1},
        "admitted": {"screened out": 1, "not finished, without an answer that counts": 1},
        "analysed": {"withdrew": 1},
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
    assert table[0].background == {"Background": "", "Proficiency": ""}


def test_who_is_too_late_for_the_cut_is_not_among_those_who_are_admitted() -> None:
    protocol, collected = quizzed()
    t = {"consent": "t", "background": "t"}
    people = (
        Participant("A1", "finished", {}, {**t, "selected": "t", "finished": "t"}, "", ((12, 12),)),
        Participant("A2", "excluded", {}, {**t, "selected": "t", "finished": "t", "excluded": "t"}),
        Participant("A3", "not_selected", {}, {**t, "not_selected": "t"}, "", ((3, 12),)),
        # The first attempt ranks, as the page says: a second one that passes does not make them one who passed.
        Participant("A7", "not_selected", {}, {**t, "not_selected": "t"}, "", ((3, 12), (12, 12))),
        Participant("A4", "not_selected", {}, {**t, "not_selected": "t"}, "", ((12, 12),)),
        Participant("A5", "consented", {}, t),
        Participant("A6", "consented", {}, {**t, "screening": "t"}, "", ((12, 12),)),
        Participant("A8", "consented", {}, {**t, "screening": "t", "reserve": "t"}, "", ((12, 12),)),
        Participant("A9", "replaced", {}, {**t, "selected": "t", "replaced": "t"}, "ill", ((12, 12),)),
    )
    answers = tuple(replace(answer, rater="A1") for answer in collected.answers[:1])
    flow = analyse(protocol, replace(collected, answers=answers, participants=people, full=frozenset({""}))).flow
    assert flow.raters == {"invited": 9, "consented": 9, "admitted": 3, "finished": 1, "analysed": 1}
    assert flow.left["admitted"] == {
        "failed the quiz": 2, "not selected": 1, "kept in reserve": 1, "too late for the selection": 1,
        "waiting for the selection": 1,
    }  # fmt: skip
    assert flow.left["analysed"] == {"replaced by others": 1, "excluded": 1}


@cache
def quizzed() -> tuple[Protocol, Collected]:
    """A study with panels and a quiz, and the answers of three raters of each panel."""
    protocol = template("abstract-visual")
    return protocol, simulate(protocol)


ENDS = ("withdrawn", "excluded", "replaced", "declined", "screened_out", "not_selected", "finished", "no_longer_needed")
KINDS = ("consent", "eligible", "background", "screening", "reserve", "selected", "instructions", "imported", *ENDS)


# A machine that has much else to do is no fault of the flow.
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    histories=st.lists(
        st.tuples(st.frozensets(st.sampled_from(KINDS)), st.integers(0, 12), st.booleans()), min_size=1, max_size=30
    ),
    closed=st.booleans(),
)
def test_whatever_happened_everyone_who_was_invited_is_counted_once(
    histories: list[tuple[frozenset[str], int, bool]], closed: bool
) -> None:
    protocol, collected = quizzed()
    people, answers = [], []
    for place, (kinds, right, answered) in enumerate(histories):
        status = next((kind for kind in ENDS if kind in kinds), "consented" if "consent" in kinds else "invited")
        quiz = ((right, 12),) if "screening" in kinds else ()
        people.append(Participant(f"R{place}", status, {}, dict.fromkeys(kinds, "t"), "", quiz))
        if answered:
            answers.append(replace(collected.answers[place], rater=f"R{place}", by="rater", repeat=0))
    whole = replace(
        collected,
        answers=tuple(answers),
        participants=tuple(people),
        full=frozenset({""} if closed else ()),
        simulated=False,
    )
    filled = list(sheets(protocol, whole))
    found = flow(protocol, whole, filled)
    invited = [one for one in people if not {"imported"} & one.events.keys() or "consent" in one.events]
    assert sum(found.became.values()) == found.raters["invited"] == len(invited)
    steps = ["invited", "consented", "admitted"]
    for before, step in pairwise(steps):
        assert found.raters[before] - sum(found.left[step].values()) == found.raters[step]
    imported = {one.rater for one in people} - {one.rater for one in invited}
    analysed = {rater for sheet in filled for rater in sheet.raters}
    assert found.raters["admitted"] - sum(found.left["analysed"].values()) == len(analysed - imported)
    assert found.raters["analysed"] == len(analysed)


def test_who_was_excluded_is_told_with_when_and_why(protocol: Protocol) -> None:
    collected = written(protocol, dict.fromkeys(RATERS, "++++----"))
    out = replace(finished("A2", "excluded"), reason="answered at random, =see mail")
    people = tuple(out if person.rater == "A2" else person for person in collected.participants)
    (found,) = analyse(protocol, replace(collected, participants=people)).exclusions
    assert (found.rater, found.reason, found.answers) == ("A2", "answered at random, =see mail", 8)
    assert found.at == "2026-03-01T09:00:00+00:00"


@pytest.mark.parametrize("there", [3, 2])
def test_a_panel_that_lacks_a_rater_is_counted(there: int) -> None:
    protocol, collected = quizzed()
    panel = str(collected.items[0].fields[protocol.raters.panels or ""])
    art = sorted({a.rater for a in collected.answers if a.by == "rater" and a.item == collected.items[0].id})
    out = set(art[there:])
    people = tuple(replace(one, status="withdrawn") if one.rater in out else one for one in collected.participants)
    found = analyse(protocol, replace(collected, participants=people)).flow
    assert found.panels[panel] == {"planned": 3, "analysed": there}
