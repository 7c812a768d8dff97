"""What was declared, changed and found of hypotheses is said in full sentences, in each language."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analyse.simulating import simulate, template
from analyse.test_amended import frozen, with_analysis
from quorate.analyse import analyse
from quorate.findings.results import Results
from quorate.protocol import Protocol
from quorate.records import Collected
from quorate.report.declared import amendments, hypotheses_table, outcomes


@pytest.fixture(scope="module")
def protocol() -> Protocol:
    return template("abstract-visual")


@pytest.fixture(scope="module")
def collected(protocol: Protocol) -> Collected:
    return simulate(protocol)


@pytest.fixture(scope="module")
def results(protocol: Protocol, collected: Collected) -> Results:
    return analyse(protocol, collected)


def test_every_hypothesis_has_a_sentence_with_its_outcome_and_its_number(results: Results) -> None:
    told = dict(zip((one.id for one in results.hypotheses), map(str, outcomes(results)), strict=True))
    assert told["interpretable"].startswith("“Experts agree on the concept beyond chance” (hypothesis “interpretable”)")
    assert "is supported:" in told["interpretable"]
    assert "expected above 0 (p < .001" in told["interpretable"]
    assert "cannot be said, since no item has both answers" in told["aligned"]
    assert "expected above 50% (p = " in told["refined"]


def test_not_supported_is_said_as_plainly_as_supported(protocol: Protocol, collected: Collected) -> None:
    wants = {**protocol.source["analysis"]["hypotheses"][2], "expects": "above 88%"}
    (one,) = outcomes(analyse(with_analysis(protocol, hypotheses=[wants]), collected))
    assert "(hypothesis “refined”) is not supported: " in str(one)
    assert "未得到支持" in one.text("zh")
    assert "优化后的图像优于" in one.text("zh")


def test_a_sentence_rests_on_the_finding_that_it_speaks_of(results: Results) -> None:
    for one, sentence in zip(results.hypotheses, outcomes(results), strict=True):
        if one.p is not None:
            assert one.rests_on in sentence.rests_on


def test_an_edit_of_the_analysis_after_the_data_is_listed_with_what_changed(
    protocol: Protocol, collected: Collected
) -> None:
    after = replace(collected, protocols=frozen(protocol), simulated=False)
    same = str(amendments(protocol, analyse(protocol, after)))
    assert not amendments(protocol, analyse(protocol, replace(after, simulated=True))), "a rehearsal freezes nothing"
    assert same.endswith("nothing that raters meet was changed after it. The analysis is as it was frozen.")
    edited = with_analysis(protocol, verdict={"majority": "3 of 3"})
    told = amendments(edited, analyse(edited, after))
    assert "“analysis.verdict.majority” was “2 of 3” and is now “3 of 3”" in str(told)
    assert "is as it was frozen" not in str(told)
    assert "“analysis.verdict.majority”原为“2 of 3”，现为“3 of 3”" in told.text("zh")


def test_hypotheses_that_changed_are_not_passed_over(protocol: Protocol, collected: Collected) -> None:
    fewer = with_analysis(protocol, hypotheses=protocol.source["analysis"]["hypotheses"][:2])
    after = replace(collected, protocols=frozen(protocol), simulated=False)
    told = str(amendments(fewer, analyse(fewer, after)))
    assert "But for its hypotheses the analysis is as it was frozen." in told


def test_the_table_says_a_threshold_as_it_was_stated(results: Results) -> None:
    assert [str(row[1].text) for row in hypotheses_table(results).rows] == ["above 0", "above 0", "above 50%"]
