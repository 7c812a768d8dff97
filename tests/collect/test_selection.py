"""The best of n by CLIP score: every score is kept, the choice is the best, and a wrong n is named."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from clips_tiny import colour_clip, picture
from quorate.cli.judging import best_of
from quorate.collect.selection import select_best
from quorate.errors import StudyError

pytest.importorskip("onnx", reason="needs quorate[judges]")


@pytest.fixture
def candidates(tmp_path: Path) -> Path:
    rows = [("one", "blue", 3), ("one", "red", 3), ("one", "green", 3), ("two", "red", 2), ("two", "red", 2)]
    lines = ["item,image,concept,iterations"]
    for number, (item, colour, n) in enumerate(rows):
        (tmp_path / f"{number}.png").write_bytes(picture(colour))
        lines.append(f"{item},{number}.png,red,{n}")
    lines.append("three,0.png,blue,4")
    table = tmp_path / "candidates.csv"
    table.write_text("\n".join(lines) + "\n")
    colour_clip(tmp_path / "clip")
    return table


def test_the_best_of_each_item_is_chosen_and_of_equals_the_first(candidates: Path) -> None:
    made = select_best(candidates, "item", "image", "concept", str(candidates.parent / "clip"), "iterations")
    assert [row["image"] for row in made.rows if row["chosen"]] == ["1.png", "3.png", "0.png"]
    assert sorted(row["clip_rank"] for row in made.rows[:3]) == [1, 2, 3]
    assert all(-1 <= row["clip_score"] <= 1 for row in made.rows)
    assert made.uneven == {"three": (1, 4)}


def test_the_command_writes_the_choice_and_all_scores(candidates: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = candidates.parent / "baseline.csv"
    best_of(candidates, out, "item", "image", "concept", "iterations", str(candidates.parent / "clip"))
    with out.open() as file:
        assert [row["image"] for row in csv.DictReader(file)] == ["1.png", "3.png", "0.png"]
    with (candidates.parent / "baseline_scores.csv").open() as file:
        assert len(list(csv.DictReader(file))) == 6
    assert "three: 1 candidates, and iterations says 4" in capsys.readouterr().out
    with pytest.raises(StudyError, match="exists already"):
        best_of(candidates, out, "item", "image", "concept", "", str(candidates.parent / "clip"))


def test_a_column_that_is_not_there_is_told_with_a_suggestion(candidates: Path) -> None:
    with pytest.raises(StudyError, match="Did you mean 'image'"):
        select_best(candidates, "item", "imgae", "concept", str(candidates.parent / "clip"))


def test_a_picture_that_is_not_there_is_named(candidates: Path) -> None:
    (candidates.parent / "2.png").unlink()
    with pytest.raises(StudyError, match=r"2\.png"):
        select_best(candidates, "item", "image", "concept", str(candidates.parent / "clip"))
