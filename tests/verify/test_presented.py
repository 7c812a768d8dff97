"""What browsers report is held against what the protocol draws, for every submission and for practice."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from planted import Rehearsed

from quorate.chance import opaque
from quorate.collect import way
from quorate.collect.practice import practice_shown
from quorate.collect.way import Step, practice_items
from quorate.store import Store, Tx
from quorate.verify import verify
from raters import UnderWay, under_way

SUBMISSION = "SELECT s.seq, s.evidence FROM submissions s JOIN assignments a ON a.id = s.assignment WHERE {which}"
Change = Callable[[dict[str, Any]], object]


def rewrite(study: Rehearsed, which: str, change: Change) -> int:
    """Edits one report in the database as a careless hand would; its number."""
    connection = sqlite3.connect(study.path)
    with connection:
        seq, text = connection.execute(SUBMISSION.format(which=which) + " ORDER BY s.seq LIMIT 1").fetchone()
        evidence = json.loads(text)
        change(evidence)
        connection.execute("UPDATE submissions SET evidence = ? WHERE seq = ?", (json.dumps(evidence), seq))
    connection.close()
    return int(seq)


def told(study: Rehearsed, kind: str) -> list[str]:
    found = study.verify()
    assert {finding.kind for finding in found.findings} <= {kind}
    return [str(finding) for finding in found.of(kind)]


@pytest.fixture
def clips(rehearsed: Callable[[str], Rehearsed]) -> Rehearsed:
    return rehearsed("media-preference")


@pytest.fixture
def options(rehearsed: Callable[[str], Rehearsed]) -> Rehearsed:
    return rehearsed("abstract-visual")


def test_a_swapped_side_names_the_submission_and_its_place(clips: Rehearsed) -> None:
    seq = rewrite(clips, "a.rater = 'R1' AND a.position = 3", lambda report: report["media"].reverse())
    (found,) = told(clips, "sides")
    assert found.startswith(f"submission {seq} (R1, compare, position 3): from left to right the page showed ")


def test_options_in_another_order_name_both_orders(options: Rehearsed) -> None:
    def shuffle(report: dict[str, Any]) -> None:
        report["options"]["concept"].reverse()

    seq = rewrite(options, "a.section = 'recognise'", shuffle)
    (found,) = told(options, "options")
    assert found.startswith(f"submission {seq} (")
    assert "for concept the page showed " in found
    assert found.endswith(" is drawn.")


def test_an_option_that_is_not_of_the_item_is_found(options: Rehearsed) -> None:
    def exchange(report: dict[str, Any]) -> None:
        report["options"]["concept"][0] = "something else"

    rewrite(options, "a.section = 'recognise'", exchange)
    assert "showed something else, " in told(options, "options")[0]


def test_a_page_at_another_position_is_found(clips: Rehearsed) -> None:
    rewrite(clips, "a.rater = 'R2' AND a.position = 2", lambda report: report.update(position=3))
    (found,) = told(clips, "presented")
    assert "(R2, compare, position 2): the page was at position 3, " in found


def test_another_items_page_is_found_by_its_opaque_name(clips: Rehearsed) -> None:
    secret = str(clips.value("SELECT value FROM settings WHERE name = 'secret'"))
    mine, other = (
        str(clips.value(f"SELECT item FROM assignments WHERE rater = 'R1' AND position = {place}")) for place in (1, 2)
    )
    rewrite(clips, "a.rater = 'R1' AND a.position = 1", lambda r: r.update(item=opaque(secret, "item", mine)))
    assert clips.verify().ok
    rewrite(clips, "a.rater = 'R1' AND a.position = 1", lambda r: r.update(item=opaque(secret, "item", other)))
    assert f"the page showed {other}, and {mine} is drawn." in told(clips, "presented")[0]


def test_another_items_file_is_found(clips: Rehearsed) -> None:
    rewrite(clips, "a.position = 1", lambda report: report["media"].append({"path": "clips/other.mp4"}))
    assert "it showed clips/other.mp4, which is not of " in told(clips, "presented")[0]


@pytest.mark.parametrize(
    ("planted", "says"),
    [
        ("UPDATE submissions SET evidence = NULL WHERE seq = 5", "what the browser reported is gone."),
        ("UPDATE submissions SET evidence = '{}' WHERE seq = 5", "still have the time in sight."),
        (
            "UPDATE submissions SET evidence = json_set(evidence, '$.visible_seconds', 600.5) WHERE seq = 5",
            "the browser reports 600.5 seconds in sight, and ",
        ),
    ],
)
def test_a_report_that_is_gone_or_changed_is_found(clips: Rehearsed, planted: str, says: str) -> None:
    (found,) = told(clips.plant(planted), "evidence")
    assert found.startswith("submission 5 (")
    assert says in found


def test_a_submission_that_is_gone_is_found_by_its_answers(clips: Rehearsed) -> None:
    clips.plant("DELETE FROM submissions WHERE seq = 5")
    assert "the submission that it came with is gone." in " ".join(told(clips, "evidence"))


def test_a_report_still_there_after_erasure_is_found(study_folder: Path) -> None:
    with under_way(study_folder) as running:
        rater = at_work(running)
        running.submit(rater, running.submission(rater, "a guess", evidence={"visible_seconds": 4.5}))
        running.do(way.withdraw, rater, erase=True)
        assert verify(running.protocol, running.store).ok
        running.store.do(
            lambda tx: tx.connection.execute("UPDATE submissions SET evidence = '{\"visible_seconds\":4.5}'")
        )
        (found,) = verify(running.protocol, running.store).findings
        assert found.kind == "erasure"


def at_work(running: UnderWay) -> str:
    running.open()
    (rater,) = running.invite()
    running.go_to(rater, Step.WORK)
    return str(rater)


@pytest.mark.parametrize(
    "evidence", [{}, {"visible_seconds": -3}, {"visible_seconds": "long", "options": 7, "media": []}]
)
def test_a_page_without_a_script_and_a_report_of_nonsense_are_no_faults(
    study_folder: Path, evidence: dict[str, Any]
) -> None:
    with under_way(study_folder) as running:
        rater = at_work(running)
        running.submit(rater, running.submission(rater, "a guess", evidence=evidence))
        assert verify(running.protocol, running.store).ok


def test_a_revision_with_a_report_of_its_own_is_in_order(study_folder: Path) -> None:
    with under_way(study_folder) as running:
        rater = at_work(running)
        for number in range(2):
            cell = running.work(rater).cells[0]
            seen = {"visible_seconds": 4.5 + number, "position": 1}
            running.submit(
                rater, running.submission(rater, "a guess", assignment=cell.id, revision=number, evidence=seen)
            )
        assert verify(running.protocol, running.store).ok


TEXT_PAIR = """\
quorate: 1
title: Which reads better?
seed: 3
items: {from: texts.csv, id: id}
sections:
  - id: read
    show:
      - pair: {markdown: {}, systems: {plain: one, ornate: two}}
    ask:
      - id: better
        winner: {prompt: Which reads better?}
raters: {per_item: 1, roster: 1, consent: c.md, instructions: c.md}
"""


@pytest.mark.parametrize("swapped", [False, True])
def test_texts_side_by_side_are_known_by_how_they_begin_and_end(tmp_path: Path, swapped: bool) -> None:
    (tmp_path / "study.yaml").write_text(TEXT_PAIR)
    (tmp_path / "c.md").write_text("# Consent\n")
    (tmp_path / "texts.csv").write_text("id,one,two\n1,The **cat** sat.,Upon its mat the cat reposed.\n")
    with under_way(tmp_path) as running:
        rater = at_work(running)
        mine = running.work(rater).place.assignment
        texts = {"plain": "The cat sat.", "ornate": "Upon its mat the cat reposed."}
        sides = [[texts[mine.shown.sides[side]]] * 2 for side in ("left", "right")]
        seen = {"visible_seconds": 3.0, "sides": sides[::-1] if swapped else sides}
        running.submit(rater, running.submission(rater, "", form={"better": ["left"]}, evidence=seen))
        found = verify(running.protocol, running.store)
        assert [finding.kind for finding in found.findings] == (["sides"] if swapped else [])


@pytest.mark.parametrize("swapped", [False, True])
def test_sides_in_practice_are_checked_too(clips: Rehearsed, swapped: bool) -> None:
    def practise(tx: Tx) -> None:
        item = practice_items(clips.protocol)[0]
        shown = practice_shown(clips.protocol, item, "R1")
        show = next(s.part for s in clips.protocol.practice_section.show if s.part.on_page(item, shown))
        paths = show.on_page(item, shown)
        media = [{"path": path} for path in (paths[::-1] if swapped else paths)]
        tx.add_presentation("R1", None, {"practice": item.id, "media": media})

    with Store.open(clips.path) as store:
        store.do(practise)
    found = told(clips, "sides")
    assert len(found) == int(swapped)
    assert all(" of R1 (practice, " in one for one in found)


def test_practice_reports_are_kept_and_counted(clips: Rehearsed) -> None:
    with Store.open(clips.path) as store:
        reports = store.read(lambda tx: tx.presentations("R1"))
    assert [report.evidence["practice"] for report in reports] == [item.id for item in practice_items(clips.protocol)]


def test_a_report_about_someone_elses_assignment_is_found(rehearsed: Callable[[str], Rehearsed]) -> None:
    study = rehearsed("visual-puns")
    with Store.open(study.path) as store:
        store.do(lambda tx: tx.add_presentation("A1", tx.assignments("A2")[0].id, {}))
    assert "never had" in told(study, "presented")[0]
