from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from analyse.simulating import simulate, template
from quorate.analyse import analyse
from quorate.analyse.amended import amended_analysis, frozen_analysis
from quorate.collect.freeze import frozen_copy
from quorate.protocol import Protocol
from quorate.protocol.analysis import Analysis
from quorate.records import ProtocolVersion
from quorate.report.html import html
from quorate.report.markdown import markdown
from quorate.report.page import make_page
from quorate.report.pdf import as_data


def with_analysis(protocol: Protocol, **parts: Any) -> Protocol:
    analysis = {**protocol.source["analysis"], **parts}
    analysis = {name: part for name, part in analysis.items() if part is not None}
    file = protocol.file.model_copy(update={"analysis": Analysis.model_validate(analysis)})
    return replace(protocol, file=file, source={**protocol.source, "analysis": analysis})


def frozen(protocol: Protocol) -> tuple[ProtocolVersion, ...]:
    return (ProtocolVersion(0, "first consent", "2026-03-01", "c", "a", frozen_copy(protocol)),)


def changes(before: Protocol, now: Protocol) -> Mapping[str, tuple[str | None, str | None]]:
    return {one.place: (one.before, one.now) for one in amended_analysis(now, frozen(before))}


def test_every_entry_that_was_changed_is_told_with_what_it_was() -> None:
    study = template("abstract-visual")
    now = with_analysis(study, verdict={"majority": "3 of 3"}, confidence=0.9)
    assert changes(study, now) == {
        "analysis.verdict.majority": ("2 of 3", "3 of 3"),
        "analysis.confidence": (None, "0.9"),
    }


def test_what_means_the_same_is_no_change() -> None:
    study = template("abstract-visual")
    assert changes(study, study) == {}
    assert changes(study, with_analysis(study, confidence=0.95)) == {}, "the default, written out"


def test_hypotheses_are_told_by_themselves() -> None:
    study = template("abstract-visual")
    assert changes(study, with_analysis(study, hypotheses=[])) == {}


def test_without_a_copy_nothing_is_known() -> None:
    study = template("abstract-visual")
    assert frozen_analysis(()) is None
    nothing = (ProtocolVersion(0, "first consent", "2026-03-01", "c", "a", ""),)
    assert frozen_analysis(nothing) is None
    assert amended_analysis(study, nothing) == ()


@pytest.mark.parametrize(
    ("language", "words", "colon"),
    [
        ("en", "“analysis.ambiguity_alarm” was “0.15” and is now “0.5”; “analysis.confidence” was not stated", "it: "),
        ("zh", "“analysis.ambiguity_alarm”", "“analysis.confidence”"),
    ],
)
def test_what_was_changed_stands_in_every_form_of_the_report(
    tmp_path: Path, language: str, words: str, colon: str
) -> None:
    study = template("abstract-visual")
    now = with_analysis(study, ambiguity_alarm=0.5, confidence=0.9)
    collected = replace(simulate(study), protocols=frozen(study), simulated=False)
    results = analyse(now, collected)
    page = make_page(now, collected, results, language)
    told = [str(one.text) for one in page.methods if words in str(one.text)]
    assert len(told) == 1
    assert colon in told[0]
    # The threshold that holds now is the one that is told.
    assert not [one for one in results.notes if "15%" in str(one)]
    forms = (unescape(html(page)), markdown(page), str(as_data(page, tmp_path)))
    plain = [re.sub(r"\s+|<[^>]+>|\\", "", form) for form in forms]
    assert all(re.sub(r"\s+", "", words) in form for form in plain)
