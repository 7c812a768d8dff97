"""Whatever happens in the order that the protocol allows, verify finds nothing wrong."""

from __future__ import annotations

from collections.abc import Callable
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
from quorate.plan import sample_items
from quorate.protocol import load
from quorate.report.own import template_files
from quorate.study import Study
from quorate.verify import Verification, verify
from raters import UnderWay, under_way
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
