from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from analyse.simulating import TEMPLATES, simulate, template
from quorate import statistics
from quorate.analyse import analyse
from quorate.collect.freeze import frozen_copy
from quorate.errors import StudyFileError
from quorate.findings.results import HypothesisTest
from quorate.protocol import Protocol, load
from quorate.protocol.analysis import Analysis
from quorate.records import Collected, ProtocolVersion


def with_hypotheses(protocol: Protocol, *given: Mapping[str, Any], **rest: Any) -> Protocol:
    """The protocol with other hypotheses, in its types and in its source."""
    analysis = {**protocol.source["analysis"], "hypotheses": list(given), **rest}
    file = protocol.file.model_copy(update={"analysis": Analysis.model_validate(analysis)})
    return replace(protocol, file=file, source={**protocol.source, "analysis": analysis})


def frozen(protocol: Protocol) -> tuple[ProtocolVersion, ...]:
    return (ProtocolVersion(0, "first consent", "2026-03-01", "c", "a", frozen_copy(protocol)),)


def decided(protocol: Protocol, collected: Collected) -> dict[str, HypothesisTest]:
    return {one.id: one for one in analyse(protocol, collected).hypotheses}


def expected(id: str, rests_on: str, expects: str = "above", **rest: Any) -> dict[str, Any]:
    return {"id": id, "statement": f"what {id} says", "rests_on": rests_on, "expects": expects, **rest}


@pytest.fixture(scope="module")
def protocol() -> Protocol:
    return template("abstract-visual")


@pytest.fixture(scope="module")
def collected(protocol: Protocol) -> Collected:
    return simulate(protocol)


KAPPA = "recognise.concept.fleiss_kappa.concept"
SIGN = "compare.preference.sign_test"


def test_the_template_declares_what_its_document_sets_out_to_show(protocol: Protocol, collected: Collected) -> None:
    results = analyse(protocol, collected)
    assert [one.id for one in results.hypotheses] == ["interpretable", "aligned", "refined"]
    for one in results.hypotheses[::2]:
        assert one.finding is not None
        assert one.is_confirmatory
        assert one.p is not None
        assert one.p_adjusted is not None
    # The simulated study has no judge's answers: what cannot be said is not made up.
    assert results.hypotheses[1].outcome == "cannot be said"
    assert results.hypotheses[1].note


def test_p_values_are_corrected_within_the_declared_family(protocol: Protocol, collected: Collected) -> None:
    found = decided(with_hypotheses(protocol, expected("a", KAPPA), expected("b", SIGN)), collected)
    corrected = statistics.holm([found["a"].p, found["b"].p])
    assert [found["a"].p_adjusted, found["b"].p_adjusted] == list(corrected)
    apart = decided(with_hypotheses(protocol, expected("a", KAPPA), expected("b", SIGN, family="other")), collected)
    assert [one.p_adjusted for one in apart.values()] == [one.p for one in apart.values()]


def test_the_family_is_corrected_as_the_study_file_says(protocol: Protocol, collected: Collected) -> None:
    both = expected("a", KAPPA, "above 0.3"), expected("b", SIGN)
    found = decided(with_hypotheses(protocol, *both, correction="benjamini hochberg"), collected)
    corrected = statistics.benjamini_hochberg([one.p for one in found.values()])
    assert [one.p_adjusted for one in found.values()] == list(corrected)


def test_a_declared_test_leaves_the_exploratory_family(protocol: Protocol, collected: Collected) -> None:
    plain = analyse(with_hypotheses(protocol), collected)[SIGN]
    declared = analyse(with_hypotheses(protocol, expected("b", SIGN)), collected)[SIGN]
    assert plain.is_exploratory
    assert plain.as_dict()["exploratory"] is True
    assert not declared.is_exploratory
    assert declared.as_dict()["hypothesis"] == "b"
    assert declared.estimate == plain.estimate


def test_a_value_beyond_its_threshold_supports_and_one_far_below_contradicts(
    protocol: Protocol, collected: Collected
) -> None:
    above, below = expected("above", KAPPA, "above 0"), expected("below", KAPPA, "below 0")
    wide, far = expected("wide", KAPPA, "above 0.02", family="w"), expected("far", KAPPA, "above 0.99", family="f")
    found = decided(with_hypotheses(protocol, above, below, wide, far), collected)
    assert {id: one.outcome for id, one in found.items()} == {
        "above": "supported", "below": "contradicted", "wide": "supported", "far": "contradicted",
    }  # fmt: skip


def test_a_one_sided_test_has_half_the_p_value(protocol: Protocol, collected: Collected) -> None:
    two = decided(with_hypotheses(protocol, expected("a", KAPPA, "above 0.5")), collected)["a"]
    one = decided(with_hypotheses(protocol, expected("a", KAPPA, "above 0.5", sides="one")), collected)["a"]
    assert two.p is not None
    assert one.p == pytest.approx(two.p / 2 if two.on_expected_side else 1 - two.p / 2)


def test_what_came_after_the_first_consent_is_exploratory(protocol: Protocol, collected: Collected) -> None:
    first = with_hypotheses(protocol, expected("kept", KAPPA), expected("moved", SIGN), expected("gone", KAPPA))
    now = with_hypotheses(
        protocol, expected("kept", KAPPA), expected("moved", SIGN, "above 0.4"), expected("late", SIGN)
    )
    results = analyse(now, replace(collected, protocols=frozen(first)))
    assert {one.id: one.declared for one in results.hypotheses} == {
        "kept": "before the data", "moved": "changed later", "late": "added later", "gone": "withdrawn",
    }  # fmt: skip
    kept = results.hypotheses[0]
    assert kept.p == kept.p_adjusted, "later ones are not in its family"
    assert results[SIGN].is_exploratory
    notes = " ".join(map(str, results.notes))
    for sentence in ("“late” was added after", "“moved” was changed after", "“gone” was withdrawn after"):
        assert sentence in notes


def test_other_words_for_the_same_hypothesis_are_the_same(protocol: Protocol, collected: Collected) -> None:
    first = with_hypotheses(protocol, expected("a", KAPPA) | {"statement": "as it was put first"})
    now = with_hypotheses(protocol, expected("a", KAPPA))
    assert decided(now, replace(collected, protocols=frozen(first)))["a"].is_confirmatory


def test_a_hypothesis_about_no_finding_says_so(protocol: Protocol, collected: Collected) -> None:
    found = decided(with_hypotheses(protocol, expected("a", "compare.preference.sing_test")), collected)["a"]
    assert found.outcome == "cannot be said"
    assert "did you mean 'compare.preference.sign_test'" in str(found.note)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("rests_on: compare.preference.sign_test", "rests_on: compare.preferred.sign_test", "Did you mean 'compare.p"),
        ("expects: above 50%", "expects: greater than 50%", "should be like 'above 0.5'"),
        ("id: refined", "id: aligned", "two hypotheses are named 'aligned'"),
        ("expects: above 50%", "expects: above 50%\n      alpha: 0.01", "a family is read at one level"),
    ],
)
def test_a_wrong_hypothesis_is_a_complaint_with_its_line(tmp_path: Path, old: str, new: str, says: str) -> None:
    folder = Path(shutil.copytree(TEMPLATES / "abstract-visual", tmp_path / "study"))
    file = folder / "study.yaml"
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")
    with pytest.raises(StudyFileError) as error:
        load(folder)
    assert says in str(error.value)
    assert all(complaint.line for complaint in error.value.complaints)
