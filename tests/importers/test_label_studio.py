"""JSON as a table, and what Label Studio exports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from quorate.errors import StudyError
from quorate.exchange.label_studio import read_annotations
from quorate.importers import read_rows


def written(folder: Path, content: Any) -> Path:
    path = folder / "export.json"
    path.write_text(json.dumps(content))
    return path


def choice(name: str, *values: str) -> dict[str, Any]:
    return {"from_name": name, "to_name": "text", "type": "choices", "value": {"choices": list(values)}}


def entry(id: int, *annotations: dict[str, Any]) -> dict[str, Any]:
    return {"id": id, "data": {"text": f"text {id}"}, "annotations": list(annotations), "predictions": []}


def test_a_list_of_objects_is_a_table(tmp_path: Path) -> None:
    rows = read_rows(written(tmp_path, [{"a": 1}, {"a": 2, "b": "x"}]))
    assert [(row.line, row.fields) for row in rows] == [(1, {"a": 1}), (2, {"a": 2, "b": "x"})]


def test_data_are_items_with_the_tools_own_number(tmp_path: Path) -> None:
    rows = read_rows(written(tmp_path, [entry(7), entry(9)]))
    assert [row.fields for row in rows] == [
        {"label_studio_id": 7, "text": "text 7"},
        {"label_studio_id": 9, "text": "text 9"},
    ]


def test_choices_ratings_and_texts_are_answers(tmp_path: Path) -> None:
    result = [
        choice("mood", "good"),
        choice("tags", "a", "b"),
        {"from_name": "stars", "to_name": "text", "type": "rating", "value": {"rating": 4}},
        {"from_name": "why", "to_name": "text", "type": "textarea", "value": {"text": ["one", "two"]}},
    ]
    (found,) = read_annotations(written(tmp_path, [entry(1, {"completed_by": 3, "result": result})]))
    assert found.annotator == "3"
    assert found.answers == {"mood": "good", "tags": ["a", "b"], "stars": 4, "why": "one\ntwo"}


def test_people_are_known_by_user_by_mail_or_by_rater(tmp_path: Path) -> None:
    given = [
        {"completed_by": 3, "result": [choice("mood", "good")]},
        {"completed_by": {"id": 4, "email": "a@b.c"}, "result": [choice("mood", "good")]},
        {"completed_by": 5, "result": [{**choice("mood", "good"), "meta": {"rater": "R1"}}]},
    ]
    found = read_annotations(written(tmp_path, [entry(1, *given)]))
    assert [one.annotator for one in found] == ["3", "a@b.c", "R1"]


def test_the_newest_counts_and_what_was_cancelled_does_not(tmp_path: Path) -> None:
    def at(day: int, value: str, **more: Any) -> dict[str, Any]:
        return {"completed_by": 1, "updated_at": f"2026-01-0{day}", "result": [choice("mood", value)], **more}

    path = written(tmp_path, [entry(1, at(2, "new"), at(1, "old"), at(3, "no", was_cancelled=True))])
    assert [one.answers for one in read_annotations(path)] == [{"mood": "new"}]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ({"a": 1}, r"should be a list"),
        ([1], r"entry 1: each entry"),
        ([entry(1, {"result": [{"from_name": "box", "type": "rectanglelabels", "value": {}}]})], "rectanglelabels"),
        ([entry(1, {"result": [{"from_name": "box"}]})], "entry 1: .* without a value"),
    ],
)
def test_what_cannot_be_read_is_a_sentence(tmp_path: Path, content: Any, sentence: str) -> None:
    with pytest.raises(StudyError, match=sentence):
        read_annotations(written(tmp_path, content))


def test_what_is_no_json_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "export.json").write_text("[{")
    with pytest.raises(StudyError, match="this is not JSON"):
        read_rows(tmp_path / "export.json")
