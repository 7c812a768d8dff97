from __future__ import annotations

from analyse.collecting import RATERS, written
from quorate.analyse import analyse
from quorate.protocol import Protocol


def notes(protocol: Protocol, *lines: str, judge: str = "") -> str:
    table = dict(zip(RATERS, lines, strict=False))
    return " ".join(map(str, analyse(protocol, written(protocol, table, judge)).notes))


def test_missing_answers_are_said(protocol: Protocol) -> None:
    assert "18 of 24 planned answers" in notes(protocol, "++++++++", "--------", "++......")
    assert "planned answers" not in notes(protocol, "++++++++", "--------", "+-+-+-+-")


def test_a_study_without_answers_says_so(protocol: Protocol) -> None:
    assert "nothing can be said about people yet" in notes(protocol)


def test_a_common_outcome_that_pulls_kappa_down_is_said(protocol: Protocol) -> None:
    assert "AC1" in notes(protocol, "+++++++-", "++++++-+", "+++++-++")
    assert "AC1" not in notes(protocol, "++++----", "++++----", "++++----")


def test_what_pulls_kappa_down_is_said_of_people_and_not_of_people_beside_a_judge(protocol: Protocol) -> None:
    assert "AC1" not in notes(protocol, "++++----", "++++----", "++++----", judge="----++++")


def test_one_rater_has_nobody_to_agree_with(protocol: Protocol) -> None:
    assert "One rater cannot agree" in notes(protocol, "++++++++")


def test_an_empty_cell_is_said(protocol: Protocol) -> None:
    assert (
        "2 cells of the 2 × 2 table of people and mllm are empty"
        in notes(protocol, *["++++----"] * 3, judge="++++----").lower()
    )


def test_late_answers_are_said(protocol: Protocol) -> None:
    collected = written(protocol, dict.fromkeys(RATERS, "++++----"), late=2)
    assert any("2 answers came after" in str(note) for note in analyse(protocol, collected).notes)
