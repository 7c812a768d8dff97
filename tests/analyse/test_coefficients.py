"""A study names any coefficient that fits its questions, and no other."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from quorate import statistics
from quorate.errors import StudyError
from quorate.protocol import load
from quorate.study import Study
from words import words

SETTINGS = "per_item: 3\nroster: 3"


def study(folder: Path, agreement: str, points: str = "") -> Path:
    words(folder, SETTINGS, n=30)
    text = (folder / "study.yaml").read_text()
    (folder / "study.yaml").write_text(f"{text}analysis:\n  agreement: {agreement}\n")
    return folder


def test_what_is_named_is_found_and_told(tmp_path: Path) -> None:
    made = Study(study(tmp_path / "s", "[conger kappa, 'ICC(2,1)', weighted kappa, gwet ac2]"))
    made.rehearse(seed=3)
    results, collected = made.results(), made.collected()
    raters = sorted({answer.rater for answer in collected.answers})
    table = np.full((30, 3), np.nan)
    places = {item.id: place for place, item in enumerate(collected.items)}
    for answer in collected.answers:
        table[places[answer.item], raters.index(answer.rater)] = answer.value
    found = {finding.id: finding for finding in results.select(inquiry="agreement")}
    assert found["judge.score.icc_2_1"].estimate.value == pytest.approx(statistics.icc(table).value)
    assert found["judge.score.conger_kappa.responses"].estimate.value == pytest.approx(
        statistics.conger_kappa(table, categories=[1, 2, 3, 4, 5]).value
    )
    one, other = table[:, 0].astype(int), table[:, 1].astype(int)
    theirs = cohen_kappa_score(one, other, weights="quadratic", labels=[1, 2, 3, 4, 5])
    assert found[f"judge.score.weighted_kappa.responses.{raters[0]}.{raters[1]}"].estimate.value == pytest.approx(
        theirs
    )
    assert "judge.score.gwet_ac2.ordinal" in found
    assert not [id for id in found if "fleiss" in id]
    made.report(formats=["md"])
    page = (tmp_path / "s" / "report" / "report.md").read_text("utf-8")
    for words_ in ("Conger’s κ (1980) is", "ICC(2,1) is the reliability", "Weighted κ (Cohen 1968)", "Shrout, P. E."):
        assert words_ in page
    assert "Fleiss" not in page.split("## References")[0].split("Statistics.")[1].split("\n")[0]
    made.close()


@pytest.mark.parametrize(
    ("named", "told"),
    [
        ("[fleis kappa]", "Did you mean 'fleiss kappa'"),
        ("[pearson]", "There are: percent agreement"),
    ],
)
def test_what_is_no_coefficient_is_a_complaint(named: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(StudyError, match=told):
        load(study(tmp_path / "s", named))


def test_a_coefficient_that_fits_no_question_is_a_complaint_with_those_that_fit(tmp_path: Path) -> None:
    folder = study(tmp_path / "s", "[fleiss kappa, 'icc(2,1)']")
    text = (folder / "study.yaml").read_text()
    (folder / "study.yaml").write_text(
        text.replace("rating: {prompt: How good is it?, points: [1, 2, 3, 4, 5]}", "yes_no: {prompt: Is it good?}")
    )
    with pytest.raises(StudyError, match=r"'icc\(2,1\)' fits no question of this study. Those that fit: percent"):
        load(folder)
