from __future__ import annotations

from pathlib import Path

import krippendorff
import pytest

from analyse.collecting import simulated
from quorate.analyse import analyse
from quorate.plan import sample_items
from quorate.protocol import Protocol, load
from quorate.records import Answer, Collected, Shown

POINTS = ("Bad", "Poor", "Fair", "Good", "Excellent")
MORE = """\
      - id: style
        choice: {prompt: Which style?, options: [Cartoon, Minimal]}
      - id: quality
        rating: {prompt: How good is it?, points: [Bad, Poor, Fair, Good, Excellent]}
      - id: remark
        text: {prompt: Anything else?, required: false}
    hide: [idiom_id]"""
GIVEN = {"A1": "12345123", "A2": "22345124", "A3": "12355143"}


@pytest.fixture
def several(study_folder: Path) -> Protocol:
    """A study that asks for a style, a rating and a remark beside the idiom."""
    file = study_folder / "study.yaml"
    file.write_text(file.read_text().replace("    hide: [idiom_id]", MORE))
    return load(study_folder)


def rated(protocol: Protocol) -> Collected:
    items, rows = sample_items(protocol), []
    for rater, points in GIVEN.items():
        for item, point in zip(items, points, strict=True):
            for question, raw in (("style", "Cartoon"), ("quality", POINTS[int(point) - 1]), ("remark", "fine")):
                given = protocol.ask("recognise", question).question.parse(raw, Shown(), item)
                rows.append(
                    Answer(len(rows), "rater", rater, "recognise", item.id, question, given.value, None, raw, "")
                )
    return Collected(items, tuple(rows))


def test_statistics_follow_the_level_of_measurement(several: Protocol) -> None:
    results = analyse(several, rated(several))
    kinds = {(finding.question, finding.statistic) for finding in results.findings}
    assert ("quality", "krippendorff alpha") in kinds
    assert ("style", "fleiss kappa") in kinds
    assert ("style", "krippendorff alpha") not in kinds
    assert ("style", "individual accuracy") not in kinds
    assert not any(question == "remark" for question, _ in kinds)


def test_alpha_of_a_rating_knows_the_order_of_its_points(several: Protocol) -> None:
    found = analyse(several, rated(several))["recognise.quality.krippendorff_alpha.ordinal"].estimate
    table = [[int(point) for point in line] for line in GIVEN.values()]
    assert found.value == pytest.approx(krippendorff.alpha(table, level_of_measurement="ordinal"), abs=1e-12)


def test_findings_of_several_questions_name_their_question(several: Protocol) -> None:
    results = analyse(several, rated(several))
    assert str(results.label(results["recognise.style.fleiss_kappa.responses"])).startswith("style: ")


def test_one_question_alone_is_not_named(protocol: Protocol) -> None:
    results = analyse(protocol, simulated(protocol))
    kappa = results["recognise.idiom.fleiss_kappa.correctness"]
    assert str(results.label(kappa)) == "Fleiss’ κ (all three annotators)"
