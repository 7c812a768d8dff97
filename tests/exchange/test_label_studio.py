"""Annotators of Label Studio become raters: their answers come in once, whole, and without their names."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

import quorate
from quorate.cli import app
from quorate.errors import CollectError, StudyFileError
from quorate.exchange.label_studio import label_studio_config, label_studio_json
from quorate.records import Answer, Reason
from quorate.study import Study

TEMPLATES = Path(quorate.__file__).parent / "templates"

STUDY = """\
quorate: 1
title: Moods
items: {from: items.jsonl, id: label_studio_id}
sections:
  - id: read
    show: [{text: text}]
    ask:
      - id: mood
        choice: {prompt: How does it sound?, options: [good, bad]}
      - id: stars
        rating: {prompt: How good is it?, points: [1, 2, 3, 4, 5]}
      - id: why
        text: {prompt: Why?, required: false}
raters: {per_item: 2, roster: 2, consent: text.md, instructions: text.md}
"""


def export(*people: str, mood: str = "good") -> list[dict[str, Any]]:
    def result(kind: str, name: str, value: Any, key: str) -> dict[str, Any]:
        return {"from_name": name, "to_name": "text", "type": kind, "value": {key: value}}

    def annotation(email: str, id: int) -> dict[str, Any]:
        results = [
            result("choices", "mood", [mood], "choices"),
            result("rating", "stars", 1 + id % 5, "rating"),
            *([result("textarea", "why", ["just so"], "text")] if id == 2 else []),
        ]
        return {"completed_by": {"email": email}, "result": results}

    return [
        {"id": id, "data": {"text": f"text {id}"}, "annotations": [annotation(email, id) for email in people]}
        for id in (1, 2, 3)
    ]


@pytest.fixture
def study(tmp_path: Path) -> Study:
    folder, exported = tmp_path / "study", tmp_path / "export.json"
    exported.write_text(json.dumps(export("ada@x.org", "bob@x.org")))
    CliRunner().invoke(app, ["import", str(folder), str(exported), "--label-studio", "--items", "items.jsonl"])
    (folder / "text.md").write_text("Please read.")
    (folder / "study.yaml").write_text(STUDY)
    return Study(folder)


def values(study: Study) -> dict[tuple[str, str, str], Any]:
    def read(answer: Answer) -> Any:
        return answer.value if answer.reason is None else answer.reason

    return {(a.rater, a.item, a.question): read(a) for a in study.collected().answers if a.by == "rater"}


def test_an_export_is_items_and_answers_at_once(study: Study) -> None:
    done = study.import_label_studio(study.folder.parent / "export.json")
    assert [(one.rater, one.stored) for one in done] == [("R1", 3), ("R2", 3)]
    found = values(study)
    assert found["R1", "1", "mood"] == "good"
    assert found["R2", "2", "stars"] == 3
    assert found["R2", "2", "why"] == "just so"
    assert found["R2", "1", "why"] is Reason.SKIPPED
    assert len(found) == 2 * 3 * 3


def test_the_same_export_twice_is_once(study: Study) -> None:
    study.import_label_studio(study.folder.parent / "export.json")
    done = study.import_label_studio(study.folder.parent / "export.json")
    assert [(one.rater, one.stored, one.known) for one in done] == [("R1", 0, 3), ("R2", 0, 3)]


def test_an_export_that_says_who_annotated_is_no_table_of_items(study: Study, tmp_path: Path) -> None:
    shutil.copy(tmp_path / "export.json", study.folder)
    file = study.folder / "study.yaml"
    file.write_text(file.read_text().replace("items.jsonl", "export.json"))
    with pytest.raises(StudyFileError, match=r"study\.yaml:3: items\.from: export\.json: .* says who annotated"):
        Study(study.folder)


def test_nobodys_address_is_in_what_is_published(study: Study, tmp_path: Path) -> None:
    study.import_label_studio(tmp_path / "export.json")
    study.bundle(tmp_path / "study.zip")
    with zipfile.ZipFile(tmp_path / "study.zip") as archive:
        assert not any(b"x.org" in archive.read(name) for name in archive.namelist())


def test_a_wrong_answer_an_unknown_control_and_a_third_person_store_nothing(study: Study, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text(json.dumps(export("ada@x.org", mood="so-so")))
    with pytest.raises(StudyFileError, match=r"other\.json:1: mood: 'so-so' cannot be taken"):
        study.import_label_studio(other)
    other.write_text(json.dumps(export("ada@x.org")).replace('"mood"', '"moood"'))
    with pytest.raises(StudyFileError, match="Did you mean 'mood'"):
        study.import_label_studio(other)
    other.write_text(json.dumps(export("ada@x.org", "bob@x.org", "eve@x.org")))
    with pytest.raises((CollectError, StudyFileError)):
        study.import_label_studio(other)
    assert not study.has_answers


@pytest.mark.parametrize("template", ["dialogue", "abstract-visual", "visual-puns"])
def test_what_goes_out_comes_back_the_same(template: str, tmp_path: Path) -> None:
    first = Study(shutil.copytree(TEMPLATES / template, tmp_path / "first"))
    first.rehearse(seed=1)
    collected = first.collected()
    exported = json.loads(label_studio_json(first.protocol, collected))
    config = ElementTree.fromstring(label_studio_config(first.protocol))
    controls = {element.get("name"): element.tag.lower() for element in config if element.get("toName")}
    results = [
        result
        for entry in exported
        for given in (*entry["annotations"], *entry["predictions"])
        for result in given["result"]
    ]
    assert all(controls[result["from_name"]] == result["type"] for result in results)
    n_judges = len({(a.rater, a.item) for a in collected.answers if a.by == "judge"})
    assert sum(len(entry["predictions"]) for entry in exported) == n_judges
    if first.protocol.raters.panels:
        return  # raters of a panel come by invitation
    second = Study(shutil.copytree(TEMPLATES / template, tmp_path / "second"))
    (tmp_path / "export.json").write_text(json.dumps(exported))
    second.import_label_studio(tmp_path / "export.json")
    before = {
        (a.rater, a.section, a.item, a.question): a.value
        for a in collected.answers
        if a.by == "rater" and a.value is not None
    }
    after = {
        (a.rater, a.section, a.item, a.question): a.value
        for a in second.collected().answers
        if a.by == "rater" and a.value is not None
    }
    assert after == before


def test_the_commands_write_and_read_it(study: Study, tmp_path: Path) -> None:
    folder = str(study.folder)
    study.close()
    done = CliRunner().invoke(app, ["import", folder, str(tmp_path / "export.json"), "--label-studio", "--json"])
    assert [one["stored"] for one in json.loads(done.stdout)] == [3, 3]
    done = CliRunner().invoke(app, ["export", folder, "--label-studio", str(tmp_path / "out" / "back.json")])
    assert done.exit_code == 0, done.output
    back = json.loads((tmp_path / "out" / "back.json").read_text())
    assert [len(entry["annotations"]) for entry in back] == [2, 2, 2]
    assert (tmp_path / "out" / "back_config.xml").exists()
    done = CliRunner().invoke(app, ["export", folder, "--huggingface", str(tmp_path / "hf")])
    assert (tmp_path / "hf" / "data" / "answers.parquet").exists()
