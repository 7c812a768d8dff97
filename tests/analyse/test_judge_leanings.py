"""Leans are measured from what a judge said beside its answers, and change them only where the protocol says so."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from analyse.judging import BY_SIDE, mirrored, pairs, said
from quorate.analyse import analyse
from quorate.protocol import Protocol
from quorate.records import Answer, Collected, Repeated
from quorate.sheets.sheet import sheets


def collected(protocol: Protocol, changing: int, people: str = "theirs") -> Collected:
    """The judge takes what stands left in so many pairs, and theirs in the others; all people take one system."""
    answers: list[Answer] = []
    again: list[Repeated] = []
    for place, item in enumerate(protocol.pool):
        by_place = place < changing
        answers.append(said(item.id, "ai", "ours" if by_place else "theirs", "judge", at="compare"))
        again.append(mirrored(item.id, "theirs"))
        answers += [said(item.id, rater, people, at="compare") for rater in ("R1", "R2", "R3")]
    return Collected(protocol.pool, tuple(answers), repeated=tuple(again))


def test_answers_that_change_with_the_order_are_counted_and_told_by_place(tmp_path: Path) -> None:
    protocol = pairs(tmp_path)
    results = analyse(protocol, collected(protocol, changing=3))
    assert results["compare.better.leaning.ai.consistent"].estimate.value == 0.75
    assert results["compare.better.leaning.ai.first"].estimate.value == 1
    assert any("changes 25% of its answers with the order" in str(sentence) for sentence in results.notes)


def test_a_judge_that_favours_its_own_kind_is_held_against_people(tmp_path: Path) -> None:
    protocol = pairs(tmp_path)
    found = analyse(protocol, collected(protocol, changing=6))["compare.better.leaning.ai.own_kind"]
    assert found.estimate.value == 0.5
    assert "its own kind" in str(found.label)
    people_too = analyse(protocol, collected(protocol, changing=12, people="ours"))
    assert people_too["compare.better.leaning.ai.own_kind"].estimate.value == 0


def test_the_longer_text_is_counted_for_the_judge_and_for_people(tmp_path: Path) -> None:
    protocol = pairs(tmp_path)
    results = analyse(protocol, collected(protocol, changing=12))
    assert results["compare.better.leaning.ai.length"].estimate.value == pytest.approx(4 / 12)
    assert results["compare.better.leaning.ai.length_people"].estimate.value == pytest.approx(8 / 12)


def test_samples_show_how_stable_a_judge_is(tmp_path: Path) -> None:
    protocol = pairs(tmp_path, 4)
    rows = collected(protocol, changing=0)
    samples = [mirrored(f"i{k}", "ours" if k == 0 else "theirs", "sample 2", BY_SIDE) for k in range(4)]
    results = analyse(protocol, replace(rows, repeated=tuple(samples)))
    assert results["compare.better.leaning.ai.stability"].estimate.value == 0.75


@pytest.mark.parametrize(
    ("rule", "values"),
    [("record", {"ours": 3, "theirs": 9}), ("tie", {"tie": 3, "theirs": 9}), ("leave out", {"theirs": 9})],
)
def test_the_protocol_says_what_becomes_of_answers_that_change_with_the_order(
    tmp_path: Path, rule: str, values: dict[str, int]
) -> None:
    protocol = pairs(tmp_path, analysis=f"{{inconsistent: {rule}}}")
    rows = collected(protocol, changing=3)
    (sheet,) = sheets(protocol, rows)
    found = [answer.value for answer in sheet.machines.answers]
    assert {value: found.count(value) for value in set(found)} == values
    assert sheet.inconsistent == ({} if rule == "record" else {"ai": 3})
    # What is measured is what the judge said, whatever becomes of it.
    assert analyse(protocol, rows)["compare.better.leaning.ai.consistent"].estimate.value == 0.75


def test_where_no_tie_can_be_given_an_answer_that_changes_is_left_out(tmp_path: Path) -> None:
    protocol = pairs(tmp_path, kind="winner: {prompt: Better?, tie: false}", analysis="{inconsistent: tie}")
    (sheet,) = sheets(protocol, collected(protocol, changing=3))
    assert [answer.value for answer in sheet.machines.answers] == ["theirs"] * 9


def test_on_a_scale_a_change_with_the_order_counts_as_the_middle(tmp_path: Path) -> None:
    kind = "preference: {prompt: Better?, of: ours}"
    protocol = pairs(tmp_path, 2, kind, "{inconsistent: tie}")
    answers = tuple(said(f"i{k}", "ai", 2, "judge", at="compare") for k in range(2))
    rows = Collected(protocol.pool, answers, repeated=(mirrored("i0", -2), mirrored("i1", 2)))
    (sheet,) = sheets(protocol, rows)
    assert [answer.value for answer in sheet.machines.answers] == [0, 2]
