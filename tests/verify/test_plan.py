"""The plan is made again from the protocol, and what differs is found."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from planted import TEMPLATES, Rehearsed

from quorate.protocol import Protocol, load


def changed(template: str, folder: Path, name: str, old: str, new: str) -> Protocol:
    shutil.copytree(TEMPLATES / template, folder)
    text = (folder / name).read_text(encoding="utf-8")
    assert old in text
    (folder / name).write_text(text.replace(old, new), encoding="utf-8")
    return load(folder)


@pytest.mark.parametrize(
    ("planted", "kind", "what"),
    [
        (
            "UPDATE items SET fields = json_set(fields, '$.target_idiom', 'x') WHERE position = 2",
            "sample",
            "target_idiom",
        ),
        ("UPDATE items SET position = 25 - position", "sample", "another order"),
        ("UPDATE items SET id = 'other' WHERE position = 1", "sample", "does not draw it"),
        ("DELETE FROM slots WHERE id = 72", "plan", "is not there"),
        ("UPDATE slots SET repeat = 7 WHERE id = 72", "plan", "neither the plan nor an event made it"),
        ("UPDATE slots SET stratum = 'x' WHERE id = 3", "plan", "stratum 'x'"),
        ("DELETE FROM protocols", "protocol", "no frozen protocol"),
        ("UPDATE protocols SET number = 1", "protocol", "not 0, 1, 2"),
        ("UPDATE protocols SET text = replace(text, 'Native', 'Naive')", "protocol", "not what its hash was made of"),
        ("UPDATE protocols SET text = 'gone'", "protocol", "not what its hash was made of"),
    ],
)
def test_a_plan_that_is_not_the_drawn_one_is_found(
    rehearsed: Callable[[str], Rehearsed], planted: str, kind: str, what: str
) -> None:
    found = rehearsed("visual-puns").plant(planted).verify().of(kind)
    assert any(what in finding.what for finding in found), found


def test_other_distractors_are_found(rehearsed: Callable[[str], Rehearsed]) -> None:
    study = rehearsed("abstract-visual").plant(
        "UPDATE items SET fields = json_set(fields, '$.quorate_distractors.concept[0].text', 'Metropolis') "
        "WHERE position = 1"
    )
    (found,) = study.verify().of("distractors")
    assert "Metropolis" in found.what


def test_distractors_of_another_encoder_cannot_be_compared(rehearsed: Callable[[str], Rehearsed]) -> None:
    study = rehearsed("abstract-visual").plant(
        "UPDATE items SET fields = json_set(fields, '$.quorate_distractors.concept[0].model', 'another') "
        "WHERE position = 1"
    )
    (found,) = study.verify().of("distractors")
    assert "where the same encoder is installed" in found.what


def test_a_study_file_that_was_changed_after_the_first_consent_is_found(
    rehearsed: Callable[[str], Rehearsed], tmp_path: Path
) -> None:
    study = rehearsed("visual-puns")
    other = changed("visual-puns", tmp_path / "other", "study.yaml", "seed: 42", "seed: 43")
    found = study.verify(other)
    assert [finding.where for finding in found.of("protocol")] == ["study.yaml"]
    assert found.of("sample")
    assert found.of("plan")
    assert found.of("order")


def test_a_changed_analysis_is_no_fault(rehearsed: Callable[[str], Rehearsed], tmp_path: Path) -> None:
    other = changed("visual-puns", tmp_path / "other", "study.yaml", "bands: half-open", "bands: published")
    assert rehearsed("visual-puns").verify(other).ok


def test_a_third_rater_whom_nothing_called_for_is_found(rehearsed: Callable[[str], Rehearsed]) -> None:
    study = rehearsed("media-preference")
    assert study.value("SELECT count(*) FROM events WHERE kind = 'escalated'")
    found = study.plant("DELETE FROM events WHERE kind = 'escalated'").verify()
    assert any("neither the plan nor an event made it" in finding.what for finding in found.of("plan"))
