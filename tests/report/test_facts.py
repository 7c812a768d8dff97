"""What a sentence of the methods rests on is so, and the sentence goes when it is not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from analyse.simulating import TEMPLATES, simulate, template
from quorate.analyse import analyse
from quorate.findings.results import Results
from quorate.messages import Message
from quorate.protocol import Protocol
from quorate.report import facts
from quorate.report.declared import outcomes
from quorate.report.facts import WORKED_HERE, holds
from quorate.report.methods import methods

NAMES = sorted(path.name for path in TEMPLATES.iterdir() if (path / "study.yaml").is_file())


def sentences(text: Any) -> Iterator[Message]:
    if isinstance(text, Message):
        yield text
    for part in getattr(text, "parts", ()):
        yield from sentences(part[1] if isinstance(part, tuple) else part)


def said(protocol: Protocol, results: Results) -> list[Message]:
    texts = [*(paragraph.text for paragraph in methods(protocol, results)), *outcomes(results), *results.notes]
    return [sentence for text in texts for sentence in sentences(text)]


@pytest.mark.parametrize("name", NAMES)
def test_what_is_said_rests_on_what_is_so(name: str) -> None:
    protocol = template(name)
    results = analyse(protocol, simulate(protocol))
    told = said(protocol, results)
    assert len([one for one in told if one.rests_on]) > 10
    for sentence in told:
        for fact in sentence.rests_on:
            assert holds(fact, protocol, results), (str(sentence), fact)


def test_where_nobody_worked_here_nothing_is_said_of_what_raters_went_through() -> None:
    protocol = template("visual-puns")
    results = analyse(protocol, simulate(protocol))
    assert any(WORKED_HERE in sentence.rests_on for sentence in said(protocol, results))
    from_files = {"imported": 3, "invited": 0, "consented": 0, "analysed": 3}
    elsewhere = replace(results, flow=replace(results.flow, raters=from_files))
    assert not facts.worked_here(elsewhere)
    assert not [str(one) for one in said(protocol, elsewhere) if WORKED_HERE in one.rests_on]


def test_a_fact_of_the_study_file_is_what_stands_there() -> None:
    protocol = template("visual-puns")
    results = analyse(protocol, simulate(protocol))
    assert holds("study file: raters.practice", protocol, results)
    assert holds("study file: sections.ask", protocol, results)
    assert not holds("study file: raters.panels", protocol, results)
    assert not holds("study file: nothing.here", protocol, results)
