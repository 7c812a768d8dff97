"""Whatever happens in the order that the protocol allows, verify finds nothing wrong."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from planted import TEMPLATES, Rehearsed

from own_files import annotated, copied, read_csv, read_jsonl, scored, write_csv, write_jsonl
from quorate.collect import way
from quorate.collect.adjudication import decide, queue
from quorate.collect.escalation import reassess
from quorate.collect.freeze import amend
from quorate.collect.links import invite, invite_member
from quorate.collect.way import Step
from quorate.exchange.own_table.write import template_files
from quorate.plan import sample_items
from quorate.protocol import load
from quorate.study import Study
from quorate.verify import Verification, verify
from raters import UnderWay, under_way
from unseen.odd import filled, from_files
from words import rate, words


def verified(running: UnderWay) -> Verification:
    return verify(running.protocol, running.store)


def work_through(running: UnderWay, rater: str, score: int = 3, other: tuple[str, ...] = ()) -> None:
    running.go_to(rater, Step.WORK)
    while running.step(rater) is Step.WORK:
        item = running.work(rater).place.assignment.item
        rate(running, rater, 1 if item in other else score)


def with_raters(folder: Path, settings: str) -> Path:
    path = folder / "study.yaml"
    path.write_text(path.read_text().replace("  per_item: 3\n  roster: 3\n", settings))
    return folder


@pytest.mark.parametrize("template", sorted(path.name for path in TEMPLATES.iterdir() if path.is_dir()))
def test_a_rehearsal_of_every_template_is_in_order(rehearsed: Callable[[str], Rehearsed], template: str) -> None:
    found = rehearsed(template).verify()
    assert str(found).startswith("Nothing is wrong with a rehearsal.")
    assert found.ok
    assert found.looked_at["answers"] > 20


def test_a_study_that_nobody_has_begun_is_in_order(study_folder: Path) -> None:
    with under_way(study_folder) as running:
        assert verified(running).ok


def test_leases_that_ran_out_and_late_answers_are_in_order(study_folder: Path) -> None:
    with under_way(with_raters(study_folder, "  per_item: 1\n  batch: 8\n  lease_minutes: 30\n")) as running:
        running.open()
        slow, quick = running.invite(2)
        running.go_to(slow, Step.WORK)
        running.answer_all(slow, 2)
        late = running.submission(slow, "too late")
        running.pass_minutes(31)
        running.go_to(quick, Step.WORK)
        running.work(quick)
        running.pass_minutes(1)
        running.submit(slow, late)
        running.go_to(quick, Step.DONE)
        assert [answer.counted for answer in running.answers(slow)] == [True, True, False]
        assert str(verified(running)).startswith("Nothing is wrong")


def test_revisions_a_pause_an_amendment_and_withdrawals_are_in_order(study_folder: Path) -> None:
    with under_way(study_folder) as running:
        running.open()
        first, second, third = running.invite(3)
        for rater in (first, second, third):
            running.go_to(rater, Step.WORK)
            running.answer_all(rater, 3)
        mine = running.read(lambda tx: tx.assignments(first))[0]
        running.submit(first, running.submission(first, "on second thought", assignment=mine.id, revision=1))
        running.pass_minutes(1)
        running.close()
        running.pass_minutes(1)
        running.open()
        running.do(way.withdraw, second, True)
        running.do(way.exclude, third, "did not read the instructions")
        (study_folder / "consent.md").write_text("# Consent\n\nA typo less.\n")
        running.protocol = load(study_folder)
        running.pass_minutes(1)
        running.do(amend, "a typo in the consent form")
        running.answer_all(first, 2)
        found = verified(running)
        assert str(found).startswith("Nothing is wrong")
        assert found.looked_at["answers"] == 12


@pytest.mark.parametrize("hours", [(-5,), (30,), (-5, 30), (40, -45, 3)])
def test_a_study_whose_clock_jumps_at_every_turn_is_in_order(study_folder: Path, hours: tuple[int, ...]) -> None:
    settings = "  per_item: 1\n  batch: 3\n  lease_minutes: 30\n"
    with under_way(with_raters(study_folder, settings)) as running:
        jumps = cycle(hours)

        def jump() -> None:
            running.pass_minutes(60 * next(jumps))

        def send(rater: str, text: str = "a guess") -> None:
            work = running.work(rater)
            jump()
            running.submit(rater, running.submission(rater, text, assignment=work.place.assignment.id))

        running.open()
        jump()
        raters = running.invite(3)
        for rater in raters:
            while running.step(rater) is not Step.WORK:
                running.take_step(rater)
                jump()
        for rater in raters * 2:
            send(rater)
        running.close()
        jump()
        running.open()
        running.do(way.withdraw, raters[1], True)
        jump()
        (study_folder / "consent.md").write_text("# Consent\n\nA typo less.\n")
        running.protocol = load(study_folder)
        running.do(amend, "a typo in the consent form")
        jump()
        mine = running.read(lambda tx: tx.assignments(raters[0]))[0]
        running.submit(raters[0], running.submission(raters[0], "no", assignment=mine.id, revision=1))
        running.do(way.exclude, raters[2], "did not read the instructions")
        jump()
        jump()
        for rater in (raters[0], *running.invite(2)):
            while (step := running.step(rater)) is not Step.DONE:
                send(rater) if step is Step.WORK else running.take_step(rater)
        running.close()
        assert str(verified(running)).startswith("Nothing is wrong")
        gone = (raters[1], raters[2])
        counted = [one.item for one in running.answers() if one.counted and one.rater not in gone]
        assert sorted(counted) == sorted(slot.item for slot in running.read(lambda tx: tx.slots()))


@pytest.mark.parametrize(
    ("planted", "kind", "what"),
    [
        ("UPDATE protocols SET after_answer = 9", "hash", "not in force yet"),
        ("UPDATE protocols SET after_event = 99", "protocol", "before the protocol was frozen"),
        ("UPDATE events SET after_answer = 2 WHERE kind = 'released'", "times", "and is counted"),
    ],
)
def test_what_came_in_the_wrong_order_is_found(study_folder: Path, planted: str, kind: str, what: str) -> None:
    with under_way(study_folder) as running:
        running.open()
        (rater,) = running.invite()
        running.go_to(rater, Step.WORK)
        running.answer_all(rater, 5)
        running.do(way.exclude, rater, "did not read the instructions")
        assert verified(running).ok
        running.store.do(lambda tx: tx.connection.execute(planted))
        assert any(what in one.what for one in verified(running).of(kind))


def test_nothing_is_said_of_an_order_that_was_not_kept(study_folder: Path) -> None:
    """Rows of older versions do not know where they stand, and their times may be those of a clock set back."""
    with under_way(study_folder) as running:
        running.open()
        (rater,) = running.invite()
        running.go_to(rater, Step.WORK)
        running.pass_minutes(-600)
        running.answer_all(rater, 5)
        running.do(way.exclude, rater, "did not read the instructions")
        running.store.do(lambda tx: tx.connection.execute("UPDATE events SET after_answer = NULL"))
        running.store.do(
            lambda tx: tx.connection.execute("UPDATE protocols SET after_answer = NULL, after_event = NULL")
        )
        assert str(verified(running)).startswith("Nothing is wrong")


@pytest.mark.parametrize(("template", "fill"), [("document-extraction", scored), ("dialogue", annotated)])
def test_answers_that_came_from_a_file_are_in_order(tmp_path: Path, template: str, fill: Any) -> None:
    study = Study(copied(template, tmp_path / "s"))
    name, text = next(iter(template_files(study.protocol, sample_items(study.protocol)).items()))
    path = study.folder / f"filled-{name}"
    if name.endswith(".csv"):
        write_csv(path, [fill(row, 2) for row in read_csv(text)[:5]])
    else:
        write_jsonl(path, [fill(row) for row in read_jsonl(text)[:5]])
    study.import_file(path, "R1")
    found = verify(study.protocol, study.store)
    study.close()
    assert str(found).startswith("Nothing is wrong")
    assert found.looked_at["answers"] > 5


def test_checks_are_in_order(tmp_path: Path) -> None:
    checked = "per_item: 1\nroster: 2\nbatch: 3\nchecks:\n  gold: {from: gold.csv, id: id}\n  repeats: 2"
    with under_way(words(tmp_path / "s", checked)) as running:
        running.open()
        for rater in running.invite(2):
            work_through(running, rater)
        found = verified(running)
        assert str(found).startswith("Nothing is wrong")
        assert found.looked_at["slots"] == 12 + 2 * 5


def test_third_raters_decisions_and_a_second_round_are_in_order(tmp_path: Path) -> None:
    two = "per_item: 2\nroster: 2\npanels: field\nescalate: {when: score, to: 3}"
    with under_way(words(tmp_path / "s", two)) as running:
        running.open()
        (first, second) = [one.person for one in running.do(invite, 2, "law")]
        work_through(running, first)
        work_through(running, second, other=("w001", "w003"))
        (third,) = [one.person for one in running.do(invite, 1, "law")]
        work_through(running, third, score=5)
        member = running.do(lambda tx, _: invite_member(tx, "Ada")).person
        contested = running.do(queue)[0]
        running.do(decide, member, "judge", contested.item.id, {"score": ["4"]}, "the clearer reading")
        running.do(reassess, "law")
        work_through(running, running.do(invite, 1, "law")[0].person)
        found = verified(running)
        assert str(found).startswith("Nothing is wrong")
        assert found.looked_at["slots"] == 24 + 2 + 2 + 12


def test_answers_from_files_are_no_reports_of_browsers(tmp_path: Path) -> None:
    study = Study(from_files(tmp_path / "study"))
    study.import_file(filled(study.folder, 1), "R1")
    looked_at = verify(study.protocol, study.store).looked_at
    study.close()
    assert looked_at["answers"] > 0
    assert looked_at["browsers' reports"] == 0
