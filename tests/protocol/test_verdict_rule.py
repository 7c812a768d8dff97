"""How many equal answers decide: more than half of those planned, whatever is planned."""

from __future__ import annotations

from pathlib import Path

import pytest

from quorate.analyse import analyse, majority
from quorate.errors import StudyFileError
from quorate.protocol import Protocol, load
from quorate.protocol.study_file import Majority
from quorate.records import Answer, Collected
from quorate.report.methods import methods
from words import words


def study(folder: Path, raters: str, rule: str = "") -> Path:
    words(folder, raters)
    file = folder / "study.yaml"
    text = file.read_text(encoding="utf-8")
    if rule:
        text += f"analysis: {{verdict: {{majority: {rule}}}}}\n"
    file.write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("n", "rule"), [(1, "1 of 1"), (2, "2 of 2"), (3, "2 of 3"), (4, "3 of 4"), (5, "3 of 5"), (7, "4 of 7")]
)
def test_the_default_is_more_than_half_of_those_planned(tmp_path: Path, n: int, rule: str) -> None:
    protocol = load(study(tmp_path / "study", f"per_item: {n}\nroster: {n}"))
    assert protocol.analysis.verdict.majority.of == rule


@pytest.mark.parametrize(
    ("n", "to", "rule"),
    [(2, 3, "2 of 3"), (3, 5, "3 of 5"), (3, 4, "3 of 4"), (2, 4, "2 of 2"), (2, 5, "2 of 2"), (4, 7, "4 of 7")],
)
def test_with_more_raters_where_they_differ_those_planned_can_still_decide(
    tmp_path: Path, n: int, to: int, rule: str
) -> None:
    raters = f"per_item: {n}\nroster: 9\nescalate: {{when: score, to: {to}}}"
    assert load(study(tmp_path / "study", raters)).analysis.verdict.majority.of == rule


@pytest.mark.parametrize(
    ("n", "rule", "wrong"),
    [
        (1, "2 of 3", "1 rater is planned an item, so that no item ever has 2 equal answers. Write '1 of 1'"),
        (2, "3 of 5", "2 raters are planned an item, so that no item ever has 3 equal answers. Write '2 of 2'"),
        (5, "2 of 3", "5 raters are planned an item, and 2 of them are not more than half. Write '3 of 5'"),
        (4, "2 of 3", "4 raters are planned an item, and 2 of them are not more than half. Write '3 of 4'"),
        (3, "3 of 2", "should be like '2 of 3': more than half."),
        (5, "2 of 5", "should be like '2 of 3': more than half."),
    ],
)
def test_a_rule_that_cannot_be_met_or_that_a_minority_meets_is_named(
    tmp_path: Path, n: int, rule: str, wrong: str
) -> None:
    folder = study(tmp_path / "study", f"per_item: {n}\nroster: 5", rule)
    line = (folder / "study.yaml").read_text().splitlines().index(f"analysis: {{verdict: {{majority: {rule}}}}}") + 1
    with pytest.raises(StudyFileError) as told:
        load(folder)
    assert f"study.yaml:{line}: analysis.verdict.majority" in str(told.value)
    assert wrong in str(told.value)


def test_a_rule_that_raters_who_agree_never_meet_is_named(tmp_path: Path) -> None:
    raters = "per_item: 2\nroster: 9\nescalate: {when: score, to: 5}"
    with pytest.raises(StudyFileError, match="where they agree nobody else is asked, so that 3 never are"):
        load(study(tmp_path / "study", raters, "3 of 5"))


@pytest.mark.parametrize(("n", "rule"), [(1, "1 of 1"), (3, "3 of 3"), (5, "4 of 5"), (2, "2 of 3"), (7, "5 of 7")])
def test_a_rule_that_more_than_half_meet_stays_as_it_is_written(tmp_path: Path, n: int, rule: str) -> None:
    assert load(study(tmp_path / "study", f"per_item: {n}\nroster: 9", rule)).analysis.verdict.majority.of == rule


def collected(protocol: Protocol, marks: tuple[int, ...]) -> Collected:
    """Every item has these marks, a rater each."""
    answers = [
        Answer(k + 1, "rater", f"R{k + 1}", "judge", item.id, "score", mark, None, str(mark), "", repeat=k)
        for item in protocol.pool for k, mark in enumerate(marks)
    ]  # fmt: skip
    return Collected(protocol.pool, tuple(answers))


@pytest.mark.parametrize(
    ("marks", "verdict"),
    [
        ((4,), 4), ((4, 4), 4), ((4, 5), None), ((4, 4, 5), 4), ((4, 4, 5, 5), None), ((4, 4, 4, 5), 4),
        ((4, 4, 1, 2, 3), None), ((4, 4, 4, 2, 3), 4), ((4, 4, 4, 1, 2, 3, 5), None), ((4, 4, 4, 4, 1, 2, 3), 4),
    ],
)  # fmt: skip
def test_more_than_half_decide_and_fewer_do_not(tmp_path: Path, marks: tuple[int, ...], verdict: int | None) -> None:
    protocol = load(study(tmp_path / "study", f"per_item: {len(marks)}\nroster: {len(marks)}"))
    found = analyse(protocol, collected(protocol, marks))
    assert {one.value for one in found.verdicts} == {verdict}
    # One answer cannot be ambiguous, so nothing is said of that.
    expected = [0 if verdict else 1] if len(marks) > 1 else []
    assert [one.estimate.value for one in found.select(statistic="ambiguity rate", by="")] == expected


def test_a_minority_decides_nothing_however_many_came() -> None:
    assert majority([4, 4, 1, 2, 3], Majority(of="2 of 2")) is None
    assert majority([4, 4, 4, 1, 2], Majority(of="2 of 2")) == 4


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_the_methods_say_what_decides(tmp_path: Path, n: int) -> None:
    protocol = load(study(tmp_path / "study", f"per_item: {n}\nroster: {n}"))
    text = " ".join(str(part.text) for part in methods(protocol, analyse(protocol, collected(protocol, (4,) * n))))
    told = {1: "is its one answer", 2: "what both answers say", 3: "at least two of three", 5: "at least three of five"}
    assert told[n] in text
