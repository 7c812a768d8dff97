"""A rehearsal goes the whole way through the code that people go through, and freezes nothing."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import quorate
from own_files import copied
from quorate.collect.gather import gather
from quorate.records import Answer, Collected
from quorate.store import Store
from quorate.study import DATABASE, REHEARSAL
from studies import visual_puns


def rehearsed(folder: Path, seed: int = 1, accuracy: float = 0.65) -> Collected:
    study = quorate.open(folder)
    study.rehearse(seed, accuracy)
    store = Store.open(folder / REHEARSAL)
    try:
        return store.read(lambda tx: gather(tx, simulated=True))
    finally:
        store.close()
        study.close()


def by_raters(collected: Collected) -> list[Answer]:
    return [answer for answer in collected.answers if answer.by == "rater"]


def said(collected: Collected) -> list[tuple[str, str, int | None, str]]:
    return [(answer.rater, answer.item, answer.position, answer.raw) for answer in by_raters(collected)]


def share_right(folder: Path, collected: Collected) -> float:
    question = quorate.load(folder).ask("recognise", "idiom").question
    items = {item.id: item for item in collected.items}
    right = [question.score(answer.value, items[answer.item]) for answer in by_raters(collected)]
    return sum(map(bool, right)) / len(right)


def edit(folder: Path, old: str, new: str) -> None:
    path = folder / "study.yaml"
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))


def test_at_the_documents_full_size_three_raters_answer_a_hundred_of_a_thousand(tmp_path: Path) -> None:
    folder = visual_puns(tmp_path / "study", pool=1000, n=100, break_after=50, size=24)
    study = quorate.open(folder)
    steps: list[None] = []
    assert study.rehearse(1, 0.65, lambda: steps.append(None)) == 300
    assert len(steps) == 300
    store = Store.open(folder / REHEARSAL)
    try:
        events = store.read(lambda tx: tx.events())
        collected = store.read(gather)
    finally:
        store.close()
    assert len(study.protocol.pool) == 1000
    assert set(Counter(answer.item for answer in by_raters(collected)).values()) == {3}
    assert Counter(answer.rater for answer in by_raters(collected)) == {"A1": 100, "A2": 100, "A3": 100}
    assert [(e.rater, e.data["after"]) for e in events if e.kind == "break"] == [("A1", 50), ("A2", 50), ("A3", 50)]
    assert [p.status for p in collected.participants] == ["finished"] * 3
    assert Counter(e.kind for e in events)["practice_answer"] == 6
    orders = {r: [a.item for a in collected.answers if a.rater == r] for r in ("A1", "A2", "A3")}
    assert len({tuple(order) for order in orders.values()}) == 3
    assert 0.4 < share_right(folder, collected) < 0.85


def test_the_same_seed_gives_the_same_answers_and_another_gives_others(study_folder: Path) -> None:
    first = said(rehearsed(study_folder, seed=1))
    assert said(rehearsed(study_folder, seed=1)) == first
    other = said(rehearsed(study_folder, seed=2))
    assert other != first
    # The plan has the study's seed: who sees what, and where, is the same.
    assert [row[:3] for row in other] == [row[:3] for row in first]


def test_stated_accuracy_is_what_comes_out(study_folder: Path) -> None:
    poor, good = (share_right(study_folder, rehearsed(study_folder, accuracy=a)) for a in (0.2, 0.9))
    assert poor < 0.5 < good


def test_a_rehearsal_freezes_nothing_and_leaves_the_studys_database_alone(study_folder: Path) -> None:
    rehearsed(study_folder)
    assert not (study_folder / DATABASE).exists()
    edit(study_folder, "seed: 42", "seed: 43")
    assert len(by_raters(rehearsed(study_folder))) == 24


def test_a_second_rehearsal_takes_the_place_of_the_first(study_folder: Path) -> None:
    rehearsed(study_folder, seed=1)
    assert len(by_raters(rehearsed(study_folder, seed=2))) == 24


def test_rehearsed_answers_are_marked_as_simulated(study_folder: Path) -> None:
    rehearsed(study_folder)
    study = quorate.open(study_folder)
    try:
        collected = study.collected()
    finally:
        study.close()
    assert collected.simulated
    assert Counter(answer.by for answer in collected.answers) == {"rater": 24, "judge": 8}


def test_a_rehearsal_asks_the_judges_that_need_no_network(tmp_path: Path) -> None:
    folder = copied("document-extraction", tmp_path / "study")
    edit(folder, "  # texts: {similarity:", "  texts: {similarity:")
    answers = [answer for answer in rehearsed(folder).answers if answer.by == "judge"]
    assert {answer.rater for answer in answers} == {"tables"}
    assert {answer.question for answer in answers if answer.value is not None} == {"table_score"}


@pytest.mark.parametrize(
    ("settings", "raters", "answers"),
    [
        ("  per_item: 3\n  batch: 4\n", 6, 24),
        ("  per_item: 3\n  batch: 5\n", 5, 24),
        ("  per_item: 3\n  batch: 4\n  cap: 4\n", 4, 16),
        ("  per_item: 3\n  roster: 4\n", 4, 24),
        ("  per_item: 1\n  roster: 1\n", 1, 8),
    ],
)
def test_as_many_raters_come_as_the_study_needs(study_folder: Path, settings: str, raters: int, answers: int) -> None:
    edit(study_folder, "  per_item: 3\n  roster: 3\n", settings)
    collected = rehearsed(study_folder)
    assert len(collected.participants) == raters
    assert len(by_raters(collected)) == answers
