"""The copy is the same study with markers in place of what is blind."""

from __future__ import annotations

from pathlib import Path

import pytest

import quorate
from quorate.audit.copy import MarkedCopy
from quorate.audit.fields import may_be_marked, places_of, read_by_rules
from quorate.audit.markers import FEEDBACK
from quorate.protocol import Protocol, load

TEMPLATES = Path(quorate.__file__).parent / "templates"


def copied(template: str, folder: Path) -> tuple[Protocol, Protocol, str]:
    folder.mkdir()
    protocol = load(TEMPLATES / template)
    copy = MarkedCopy(protocol, folder)
    copy.write(protocol.pool[:3])
    return protocol, load(folder), copy.markers.lead


@pytest.mark.parametrize("template", sorted(path.name for path in TEMPLATES.iterdir() if path.is_dir()))
def test_a_copy_of_every_template_loads_and_asks_the_same(template: str, tmp_path: Path) -> None:
    protocol, made, lead = copied(template, tmp_path / "copy")
    assert [[ask.id for ask in section.ask] for section in made.sections] == [
        [ask.id for ask in section.ask] for section in protocol.sections
    ]
    assert len(made.pool) == 3
    assert all(item.id.startswith(lead) for item in made.pool)
    assert len(made.practice) == len(protocol.practice)


def test_targets_judges_and_file_names_are_markers(tmp_path: Path) -> None:
    _, made, lead = copied("visual-puns", tmp_path / "copy")
    for item in made.pool:
        for field in ("target_idiom", "mllm_response", "idiom_id"):
            assert item[field].startswith(lead)
        assert Path(item["image"]).name.startswith(lead)
    assert all(judge.startswith(lead) for judge in made.file.judges)


def test_what_raters_read_and_what_rules_read_stays(tmp_path: Path) -> None:
    protocol, made, _ = copied("media-preference", tmp_path / "copy")
    for before, after in zip(protocol.pool, made.pool, strict=False):
        assert after["prompt"] == before["prompt"]
        assert after["task_family"] == before["task_family"]
        assert after["system_1"] != before["system_1"]
    assert "task_family" in read_by_rules(protocol)


def test_systems_that_the_study_file_names_are_markers(tmp_path: Path) -> None:
    _, made, lead = copied("abstract-visual", tmp_path / "copy")
    compare = made.section("compare")
    systems = compare.show[1].part.systems(made.pool[0])
    assert all(system.startswith(lead) for system in systems)
    assert compare.ask[0].question.of in systems  # type: ignore[attr-defined]


def test_a_right_answer_of_practice_may_be_seen_after_the_round_alone() -> None:
    protocol = load(TEMPLATES / "visual-puns")
    assert places_of(protocol, "target_idiom", practice=True) == {FEEDBACK}
    assert places_of(protocol, "target_idiom") == set()
    assert "target_idiom" in may_be_marked(protocol, protocol.pool[0].fields)


def test_a_concept_that_is_shown_on_purpose_is_not_marked() -> None:
    protocol = load(TEMPLATES / "abstract-visual")
    marked = may_be_marked(protocol, protocol.pool[0].fields)
    assert "concept" not in marked
    assert {"mllm_choice", "stop_reason"} <= marked
