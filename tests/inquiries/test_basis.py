"""One coefficient tells of agreement: the study's own, or that of the question's level."""

from __future__ import annotations

from pathlib import Path

import pytest

from quorate.analyse.analyse import make_cases
from quorate.errors import StudyError
from quorate.inquiries.basis import asked, basis
from quorate.protocol import load
from quorate.records import Collected
from quorate.sheets.sheet import sheets
from quorate.study import Study
from words import words

SETTINGS = "per_item: 3\nroster: 3"
ASKED = "      - id: score\n        rating: {prompt: How good is it?, points: [1, 2, 3, 4, 5]}\n"
MORE = """\
      - id: good
        yes_no: {prompt: Is it good?}
      - id: loud
        slider: {prompt: How loud is it?, anchors: {0: Quiet, 100: Loud}}
      - id: remark
        text: {prompt: Anything else?, required: false}
"""


def made(folder: Path, ask: str, analysis: str) -> Path:
    file = words(folder, SETTINGS) / "study.yaml"
    file.write_text(file.read_text().replace(ASKED, ask) + f"analysis: {analysis}\n")
    return folder


def told(folder: Path, analysis: str) -> dict[str, str]:
    """What agreement on each question is told by."""
    protocol = load(made(folder, ASKED + MORE, analysis))
    cases = make_cases(protocol, tuple(sheets(protocol, Collected(protocol.pool, ()))))
    found = {case.sheet.id: basis(case) for case in cases}
    assert found.pop("remark") is None
    assert all(own.row.name in asked(case) for case in cases if (own := basis(case)))
    return {question: str(own.name) for question, own in found.items() if own}


FLEISS = "Fleiss’ κ"
ORDINAL, INTERVAL = "Krippendorff’s α (ordinal)", "Krippendorff’s α (interval)"


@pytest.mark.parametrize(
    ("analysis", "score", "good", "loud"),
    [
        ("{}", ORDINAL, FLEISS, INTERVAL),
        ("{agreement: [fleiss kappa, cohen kappa]}", ORDINAL, FLEISS, INTERVAL),
        ("{agreement: [gwet ac1, gwet ac2]}", "Gwet’s AC2 (ordinal)", "Gwet’s AC1", INTERVAL),
        ("{agreement: ['icc(2,1)', cohen kappa]}", "ICC(2,1)", "Cohen’s κ", "ICC(2,1)"),
        ("{primary: krippendorff alpha}", ORDINAL, "Krippendorff’s α (nominal)", INTERVAL),
        ("{primary: weighted kappa}", "Cohen’s κ, quadratic weights", FLEISS, INTERVAL),
        ("{primary: fleiss kappa, agreement: [gwet ac2]}", FLEISS, FLEISS, INTERVAL),
    ],
)
def test_each_question_is_told_by_what_fits_it(tmp_path: Path, analysis: str, score: str, good: str, loud: str) -> None:
    assert told(tmp_path / "s", analysis) == {"score": score, "good": good, "loud": loud}


def test_a_primary_coefficient_that_fits_nothing_is_a_complaint_with_those_that_fit(tmp_path: Path) -> None:
    folder = made(tmp_path / "s", "      - id: good\n        yes_no: {prompt: Is it good?}\n", "{primary: 'icc(2,1)'}")
    with pytest.raises(StudyError, match=r"'icc\(2,1\)' fits no question of this study. Those that fit: percent"):
        load(folder)


def test_it_is_found_of_all_items_whether_it_is_listed_or_not(tmp_path: Path) -> None:
    told(tmp_path / "s", "{primary: krippendorff alpha, agreement: [fleiss kappa]}")
    study = Study(tmp_path / "s")
    study.rehearse(seed=3)
    found = study.results().select(primary=True, statistic="krippendorff alpha", by="")
    study.close()
    assert {one.question: one.what for one in found} == {"score": "ordinal", "good": "nominal", "loud": "interval"}
