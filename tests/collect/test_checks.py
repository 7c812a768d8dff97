"""Checks are mixed into the work, count in the progress, and enter no estimate."""

from __future__ import annotations

from pathlib import Path

import pytest

from quorate.collect.gather import gather
from quorate.collect.judging import ask_judges
from quorate.collect.status import study_status
from quorate.collect.way import Step
from quorate.errors import StudyFileError
from quorate.plan import CHECKS, make_plan
from quorate.protocol import load
from raters import UnderWay, under_way
from words import rate, words

CHECKED = "per_item: 1\nroster: 2\nchecks:\n  gold: {from: gold.csv, id: id}\n  repeats: 2"


def done(running: UnderWay, rater: str) -> list[str]:
    running.go_to(rater, Step.WORK)
    items = []
    while running.step(rater) is Step.WORK:
        items.append(rate(running, rater, 3))
    return items


@pytest.mark.parametrize("batch", ["", "\nbatch: 5"])
def test_each_rater_gets_every_gold_item_and_some_own_items_again(tmp_path: Path, batch: str) -> None:
    with under_way(words(tmp_path / "s", CHECKED + batch, n=40)) as running:
        running.open()
        for rater in running.invite(2):
            running.go_to(rater, Step.WORK)
            assert running.where(rater).total == 25
            items = done(running, rater)
            assert len(items) == 25
            assert {"g1", "g2", "g3"} < set(items)
            assert len(set(items)) == 23


def test_an_item_comes_again_late_enough_not_to_be_the_next(tmp_path: Path) -> None:
    with under_way(words(tmp_path / "s", CHECKED.replace("repeats: 2", "repeats: 8"), n=40)) as running:
        running.open()
        items = done(running, running.invite()[0])
        twice = [item for item in set(items) if items.count(item) == 2]
        assert len(twice) == 8
        for item in twice:
            first = items.index(item)
            assert items.index(item, first + 1) - first >= 5


def test_checks_stand_apart_from_the_answers(tmp_path: Path) -> None:
    with under_way(words(tmp_path / "s", CHECKED)) as running:
        running.open()
        for rater in running.invite(2):
            done(running, rater)
        collected = running.read(gather)
        assert sorted(a.item for a in collected.answers) == [f"w{n:03d}" for n in range(12)]
        assert len(collected.items) == 12
        assert [item.id for item in collected.gold] == ["g1", "g2", "g3"]
        assert len(collected.checks) == 2 * (3 + 2)
        assert {answer.round for answer in collected.checks} == {CHECKS}
        status = running.do(study_status)
        assert (status.answered, status.wanted) == (12, 12)
        assert running.do(ask_judges) == 0


def test_gold_is_in_the_plans_items_and_not_in_its_slots(tmp_path: Path) -> None:
    plan = make_plan(load(words(tmp_path / "s", CHECKED)))
    assert len(plan.items) == 15
    assert {slot.item for slot in plan.slots} == {f"w{n:03d}" for n in range(12)}


@pytest.mark.parametrize(
    ("raters", "sentence"),
    [
        (CHECKED, "a grid shows all items at once"),
        (CHECKED.replace("gold.csv", "words.csv"), "'w000' is in words.csv too"),
        (CHECKED.replace("id: id}", "id: id, section: jugde}"), "Did you mean 'judge'"),
        ("per_item: 2\nescalate: {when: scroe, to: 3}", "Did you mean 'score'"),
        ("per_item: 3\nescalate: {when: score, to: 3}", "`to` should be more"),
        ("per_item: 1\nescalate: {when: score, to: 3}", "cannot disagree"),
    ],
)
def test_what_cannot_work_is_refused_when_the_study_is_read(tmp_path: Path, raters: str, sentence: str) -> None:
    folder = words(tmp_path / "s", raters)
    path = folder / "study.yaml"
    if "grid" in sentence:
        path.write_text(path.read_text().replace("  - id: judge\n", "  - id: judge\n    grid: true\n"))
    with pytest.raises(StudyFileError) as refused:
        load(folder)
    assert any(sentence in str(complaint) for complaint in refused.value.complaints)
