"""Errors for people: one family, and sentences with a place."""

from __future__ import annotations

import inspect

import pytest

from quorate import errors
from quorate.errors import AnswerError, Complaint, StudyError, StudyFileError, did_you_mean

CLASSES = [c for _, c in inspect.getmembers(errors, inspect.isclass) if c.__module__ == errors.__name__]


def test_a_complaint_reads_file_line_path_and_sentence() -> None:
    complaint = Complaint("study.yaml", 14, "sections[0].show", "items have no field 'imgae'.")
    assert str(complaint) == "study.yaml:14: sections[0].show: items have no field 'imgae'."


def test_a_complaint_without_line_or_path_leaves_them_out() -> None:
    assert str(Complaint("study.yaml", None, "", "it is empty.")) == "study.yaml: it is empty."


def test_a_study_file_error_holds_every_complaint_and_prints_one_a_line() -> None:
    complaints = [Complaint("study.yaml", n, "", "wrong.") for n in (1, 2, 3)]
    error = StudyFileError(complaints)
    assert error.complaints == tuple(complaints)
    assert str(error).splitlines() == [str(complaint) for complaint in complaints]


@pytest.mark.parametrize("kind", [c for c in CLASSES if issubclass(c, Exception)], ids=lambda c: c.__name__)
def test_every_error_for_people_is_of_one_family_and_in_the_drawn_tree(kind: type[Exception]) -> None:
    assert issubclass(kind, StudyError)
    assert kind.__name__ in (errors.__doc__ or "")


def test_an_answer_error_keeps_its_template_for_translation() -> None:
    error = AnswerError("This is longer than {n} characters.", n=500)
    assert str(error) == "This is longer than 500 characters."
    assert error.sentence.format(**error.details) == str(error)


def test_a_suggestion_is_made_only_where_something_is_close() -> None:
    assert did_you_mean("imgae", ["image", "target"]) == " Did you mean 'image'?"
    assert did_you_mean("zzz", ["image", "target"]) == ""
    assert did_you_mean("image", []) == ""
