"""A quiz or a practice round that gives a concept of the study away is refused, with both places."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import pytest

from own_files import TEMPLATES
from quorate.errors import StudyFileError
from quorate.protocol import load


def changed(folder: Path, table: str, row: int, field: str, value: str) -> list[str]:
    """What is said of the abstract-visual template with one cell of a table changed."""
    shutil.copytree(TEMPLATES / "abstract-visual", folder)
    path = folder / table
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    rows[row][rows[0].index(field)] = value
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    with pytest.raises(StudyFileError) as error:
        load(folder)
    return [str(complaint) for complaint in error.value.complaints]


def table(name: str) -> list[dict[str, str]]:
    with (TEMPLATES / "abstract-visual" / name).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("field", ["answer", "option_b", "option_e"])
@pytest.mark.parametrize("spelt", ["Groundhog Day", "the GROUNDHOG day!"])
def test_a_quiz_may_hold_no_concept_of_the_study_as_answer_or_option(tmp_path: Path, field: str, spelt: str) -> None:
    (found,) = changed(tmp_path / "study", "quiz.csv", 1, field, spelt)
    assert found.startswith(f"quiz.csv:2: {field}: '{spelt}' is a concept of the study (item 'film_01').")


def test_what_only_stands_among_the_options_of_the_study_is_a_concept_too(tmp_path: Path) -> None:
    targets = {row["concept"] for row in table("items.csv")}
    notion = next(row["concept"] for row in table("concepts.csv") if row["concept"] not in targets)
    (found,) = changed(tmp_path / "study", "quiz.csv", 3, "option_c", notion)
    assert f"'{notion}' is a concept of the study (concepts.csv:" in found


def test_the_practice_round_may_hold_none_either(tmp_path: Path) -> None:
    found = changed(tmp_path / "study", "practice.csv", 1, "concept", "Groundhog Day")
    assert any(one.startswith("practice.csv:2: concept: 'Groundhog Day' is a concept of the study") for one in found)
