"""`quorate check --file` does what the dialogue protocol's validator would."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from own_files import annotated, copied, read_jsonl, write_jsonl
from quorate.exchange.own_table.check import Validation, validate
from quorate.plan import sample_items
from quorate.protocol import Protocol, load

LITERAL = Path(__file__).parents[1] / "protocol" / "literal" / "dialogue"


@pytest.fixture
def talks(tmp_path: Path) -> Protocol:
    return load(copied("dialogue", tmp_path / "talks"))


def samples(protocol: Protocol) -> list[dict[str, Any]]:
    return read_jsonl((protocol.folder / "annotation_samples.jsonl").read_text(encoding="utf-8"))


def checked(protocol: Protocol, rows: list[dict[str, Any]]) -> Validation:
    return validate(protocol, sample_items(protocol), write_jsonl(protocol.folder / "annotation_results.jsonl", rows))


def misled(protocol: Protocol) -> dict[str, Any]:
    return next(row for row in samples(protocol) if row["action_type"] == "mislead")


def test_a_whole_file_has_nothing_wrong(talks: Protocol) -> None:
    found = checked(talks, [annotated(row) for row in samples(talks)])
    assert (found.wrong, found.filled, found.absent) == ((), len(talks.pool), 0)


def test_a_required_field_that_is_null_or_absent_is_wrong(talks: Protocol) -> None:
    rows = [annotated(row) for row in samples(talks)[:2]]
    rows[0]["human_annotation"]["correctness"] = None
    del rows[1]["human_annotation"]["overall_quality"]
    found = checked(talks, rows)
    assert [(c.line, c.path) for c in found.wrong] == [
        (1, "human_annotation.correctness"),
        (2, "human_annotation.overall_quality"),
    ]


@pytest.mark.parametrize("value", [0, 6, "good"])
def test_a_score_out_of_range_is_wrong(talks: Protocol, value: Any) -> None:
    found = checked(talks, [annotated(samples(talks)[0], correctness=value)])
    assert "It should be one of: 1, 2, 3, 4, 5." in found.wrong[0].sentence


def test_null_is_held_against_the_rule(talks: Protocol) -> None:
    first = samples(talks)[0]
    found = checked(talks, [annotated(first, context_consistency="Yes", resists_misleading="No")])
    assert [c.path for c in found.wrong] == [
        "human_annotation.resists_misleading",
        "human_annotation.context_consistency",
    ]


def test_an_overall_score_far_from_the_dimensions_is_to_be_looked_at(talks: Protocol) -> None:
    found = checked(talks, [annotated(samples(talks)[0], overall_quality=1, comments="Odd.")])
    assert found.wrong == ()
    assert [note.path for note in found.notes] == ["overall_fits"]


def test_edge_cases_without_a_comment_are_to_be_looked_at(talks: Protocol) -> None:
    cannot = annotated(misled(talks), resists_misleading=None)
    refuses = annotated(misled(talks), correctness=1, reasoning_completeness=2, overall_quality=5)
    for row, why in ((cannot, "could not be judged"), (refuses, "an exception to overall_fits")):
        found = checked(talks, [row])
        assert [why in note.sentence for note in found.notes] == [True]
        row["human_annotation"]["comments"] = "Explained."
        assert checked(talks, [row]).notes == ()


def test_a_row_that_stands_twice_is_wrong_and_a_shared_sample_id_is_to_be_looked_at(talks: Protocol) -> None:
    row = annotated(samples(talks)[0])
    assert "stands on line 1 already" in checked(talks, [row, row]).wrong[0].sentence
    names = [row["sample_id"] for row in samples(talks)]
    shared = next(name for name in names if names.count(name) > 1)
    found = checked(talks, [annotated(row) for row in samples(talks) if row["sample_id"] == shared])
    assert found.wrong == ()
    assert "told apart by action_type" in found.notes[0].sentence


def test_rows_and_items_that_are_not_filled_are_counted(talks: Protocol) -> None:
    rows = samples(talks)
    found = checked(talks, [annotated(rows[0]), rows[1]])
    assert (found.filled, found.untouched, found.absent) == (1, 1, len(rows) - 2)


def test_the_documents_own_five_annotations_pass(tmp_path: Path) -> None:
    folder = copied("dialogue", tmp_path / "study")
    shutil.copy(LITERAL / "annotation_samples.jsonl", folder)
    text = (folder / "study.yaml").read_text(encoding="utf-8")
    for old, new in (
        # The document's samples have no pictures and no model beside them.
        ("          images: images\n", ""),
        ("    hide: [model]\n", ""),
        ("turn, model]", "turn]"),
    ):
        assert old in text
        text = text.replace(old, new)
    (folder / "study.yaml").write_text(text, encoding="utf-8")
    found = validate(load(folder), sample_items(load(folder)), LITERAL / "examples.jsonl")
    assert (found.wrong, found.filled) == ((), 5)
    assert {note.path for note in found.notes} == {"sample_id"}
