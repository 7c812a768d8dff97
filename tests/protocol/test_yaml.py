"""A study file that would fill memory or never end is refused with a sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quorate.errors import StudyError, StudyFileError
from quorate.importers.tables import read_jsonl
from quorate.plan import make_plan
from quorate.protocol import load
from quorate.protocol.yaml import MOST_VALUES, Document, YAMLError, from_yaml

TENFOLD = "\n".join(["a0: &a0 [x, x]", *(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 30))])
CHAIN = "\n".join(["a0: &a0 [x]", *(f"a{n}: &a{n} [*a{n - 1}]" for n in range(1, 400))])


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (TENFOLD, f"more than {MOST_VALUES:,} values"),
        (CHAIN, "nested more than 50 levels deep"),
        ("a: " + "[" * 300 + "]" * 300, "nested more than 50 levels deep"),
        ("a: " + "[" * 100_000, "nested more than 50 levels deep"),
        ("- " * 20_000 + "x", "nested more than 50 levels deep"),
        ("seed: " + "9" * 5000, "a value cannot be read"),
        ("seed: 0x" + "f" * 5000, "a number has more than 300 digits"),
        ('title: "a\\0b"', "a text holds the character NUL"),
        ('"a\\ud800b": 1', "a text holds half a character"),
        ("day: 2024-13-01", "a value cannot be read"),
        ("n: !!int x", "a value cannot be read"),
        ("a: " + "x" * 6_000_000, "longer than 5,000,000 characters"),
    ],
)
def test_what_no_study_file_holds_is_a_sentence(tmp_path: Path, text: str, what: str) -> None:
    path = tmp_path / "study.yaml"
    path.write_text(text)
    with pytest.raises(StudyFileError, match=what):
        Document(path)
    with pytest.raises(YAMLError):
        from_yaml(text)


@pytest.mark.parametrize(
    ("name", "what"),
    [("study.yaml", "larger than 20 MB"), ("consent.md", "larger than 20 MB"), ("idioms.csv", "larger than 500 MB")],
)
def test_a_file_with_holes_that_says_a_terabyte_is_a_sentence(study_folder: Path, name: str, what: str) -> None:
    with (study_folder / name).open("r+b") as file:
        file.truncate(1 << 40)
    with pytest.raises(StudyFileError, match=what):
        load(study_folder)


def test_a_link_to_itself_is_named_as_what_it_is(study_folder: Path) -> None:
    (study_folder / "consent.md").unlink()
    (study_folder / "consent.md").symlink_to("consent.md")
    with pytest.raises(StudyFileError, match="is a link that leads nowhere"):
        load(study_folder)


def test_a_pattern_that_takes_for_ever_is_given_up(study_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quorate.protocol.items.PATIENCE", 1)
    table = study_folder / "idioms.csv"
    header, first, *rest = table.read_text().splitlines()
    table.write_text("\n".join([header, "a" * 60 + "!" + first, *rest]))
    path = study_folder / "study.yaml"
    path.write_text(path.read_text().replace("  id: image_id", "  id: image_id\n  derive: {image_id: '(?P<n>(a+)+)$'}"))
    with pytest.raises(StudyFileError, match=r"items\.derive: 'image_id' is read by the pattern .* takes longer than"):
        load(study_folder)


def test_aliases_that_people_write_are_read(tmp_path: Path) -> None:
    path = tmp_path / "study.yaml"
    path.write_text("scale: &scale [bad, fair, good]\nask: [{points: *scale}, {points: *scale}]\n")
    assert Document(path).data["ask"] == [{"points": ["bad", "fair", "good"]}] * 2


def test_more_places_than_memory_holds_are_refused(study_folder: Path) -> None:
    path = study_folder / "study.yaml"
    path.write_text(path.read_text().replace("per_item: 3", "per_item: 900000000").replace("  roster: 3\n", ""))

    with pytest.raises(StudyError, match="a study can have 10,000,000"):
        make_plan(load(study_folder))


def test_json_that_is_nested_without_end_is_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text(json.dumps({"id": 1}) + "\n" + '{"a":' * 50_000 + "\n")
    with pytest.raises(StudyError, match="line 2: this is not JSON"):
        read_jsonl(path)
