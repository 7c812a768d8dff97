"""Names in conditions, rules, guides and quizzes are those of the study, and a page holds what can be typed on it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from own_files import TEMPLATES
from quorate.errors import StudyFileError
from quorate.protocol import load
from words import words


def complaints(template: str, folder: Path, old: str, new: str) -> list[str]:
    shutil.copytree(TEMPLATES / template, folder)
    study = folder / "study.yaml"
    text = study.read_text()
    assert old in text
    study.write_text(text.replace(old, new, 1))
    with pytest.raises(StudyFileError) as error:
        load(folder)
    return [str(complaint) for complaint in error.value.complaints]


@pytest.mark.parametrize(
    ("template", "old", "new", "place", "says"),
    [
        ("document-extraction", 'when: type == "figure"', 'when: typ == "figure"', "applies_when", "'type'"),
        ("dialogue", "required_when: edge_cases is", "required_when: comments is", "required_when", "before it"),
        ("dialogue", "reasoning_completeness: 30", "reasoning: 30", "scores[0].weights", "'reasoning'"),
        ("dialogue", "expect: comments is not empty", "expect: coments is not empty", "rules[2]", "'comments'"),
        ("media-preference", "loser_of: winner", "loser_of: winer", "loser_of", "'winner'"),
        ("abstract-visual", "answer: answer", "answer: anser", "screening.answer", "'answer'"),
        ("dialogue", "max_length: 2000", "max_length: 20001", "max_length", "20000"),
    ],
)  # fmt: skip
def test_a_name_that_is_not_there_is_told_at_its_place(
    template: str, old: str, new: str, place: str, says: str, tmp_path: Path
) -> None:
    found = complaints(template, tmp_path / "study", old, new)
    assert any(place in complaint and says in complaint for complaint in found), found


def test_two_long_texts_do_not_fit_on_one_page(tmp_path: Path) -> None:
    more = "      - id: more\n        text: {prompt: More?, max_length: 19000}\n    scores:\n"
    (found,) = complaints("dialogue", tmp_path / "study", "    scores:\n", more)
    assert "21,000 characters in all" in found


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ("winner: {prompt: Which?}", "a winner is asked of two systems: `show` should have a pair."),
        ("rating: {prompt: How good?, points: [1, 2], each: side}", "`show` should have a pair or a set."),
    ],
)
def test_what_is_asked_of_sides_needs_sides(asked: str, says: str, tmp_path: Path) -> None:
    more = f"    ask:\n      - id: which\n        {asked}\n"
    (found,) = complaints("dialogue", tmp_path / "study", "    ask:\n", more)
    assert says in found


def test_a_panel_with_fewer_questions_than_its_quiz_is_named(tmp_path: Path) -> None:
    shutil.copytree(TEMPLATES / "abstract-visual", tmp_path / "study")
    quiz = tmp_path / "study" / "quiz.csv"
    rows = quiz.read_text(encoding="utf-8").splitlines()
    column = rows[0].split(",").index("domain")
    panel = rows[1].split(",")[column]
    quiz.write_text("\n".join([rows[0], *rows[2:]]) + "\n", encoding="utf-8")
    with pytest.raises(StudyFileError) as error:
        load(tmp_path / "study")
    (found,) = error.value.complaints
    assert (found.file, found.path) == ("study.yaml", "raters.screening.n")
    assert found.sentence == f"a quiz has 12 questions, and quiz.csv has 11 for '{panel}' (domain)."


def test_no_end_without_finished_work_has_the_code_of_finished_work(tmp_path: Path) -> None:
    codes = "codes: {finished: DONE1, all_taken: DONE1, declined: NO, withdrawn: NO, closed: PAY}\ncompletion_code: PAY"
    platform = "platform: {completed: CC7, screened_out: 'https://app.prolific.com/submissions/complete?cc=CC7'}"
    with pytest.raises(StudyFileError) as wrong:
        load(words(tmp_path / "s", f"per_item: 1\ncap: 5\nbatch: 2\n{codes}\n{platform}"))
    told = str(wrong.value)
    for place in ("raters.codes.all_taken", "raters.codes.closed", "raters.platform.screened_out"):
        assert f"{place}: " in told
    assert told.count("is the code after finished work") == 3
