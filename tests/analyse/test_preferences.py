from __future__ import annotations

from dataclasses import replace

import pytest

from analyse.simulating import simulate, template
from quorate.analyse import Results, analyse
from quorate.inquiries.base import Told
from quorate.inquiries.preferences import Preferences
from quorate.protocol import Protocol
from quorate.records import Collected


def with_ties(rule: str | None) -> Protocol:
    protocol: Protocol = template("abstract-visual")
    analysis = protocol.analysis.model_copy(update={"ties": rule, "by": ()})
    return replace(protocol, file=protocol.file.model_copy(update={"analysis": analysis}))


def results(collected: Collected, ties: str | None) -> Results:
    return analyse(with_ties(ties), collected)


@pytest.fixture(scope="module")
def collected() -> Collected:
    return simulate(template("abstract-visual"), seed=3)


def counts(collected: Collected) -> tuple[int, int, int]:
    values = [answer.value for answer in collected.answers if answer.question == "preference"]
    return sum(v > 0 for v in values), sum(v == 0 for v in values), sum(v < 0 for v in values)


def test_a_tie_counts_for_what_the_study_file_says(collected: Collected) -> None:
    wins, ties, losses = counts(collected)
    assert ties
    n = wins + ties + losses
    expected = {None: wins / n, "denominator": wins / n, "half": (wins + ties / 2) / n, "drop": wins / (wins + losses)}
    for rule, rate in expected.items():
        found = results(collected, rule)["compare.preference.success_rate.rating"]
        assert found.estimate.value == pytest.approx(rate), rule


def test_an_item_without_a_verdict_stays_in_the_denominator_where_ties_leave_it(collected: Collected) -> None:
    found = results(collected, "drop")
    verdicts = [v for v in found.verdicts if v.question == "preference"]
    wins = sum(v.value == "win" for v in verdicts)
    same = sum(v.value == "same" for v in verdicts)
    rate = found["compare.preference.success_rate.verdict"]
    assert rate.counted == (wins, len(verdicts) - same)
    assert rate.estimate.value == pytest.approx(wins / (len(verdicts) - same))


def test_methods_say_which_rule_was_taken(collected: Collected) -> None:
    told = {rule: " ".join(map(str, Preferences().methods(Told(with_ties(rule), results(collected, rule)))))
            for rule in ("denominator", "half", "drop")}  # fmt: skip
    assert "ties stay in the denominator and an ambiguous item is a win of neither" in told["denominator"]
    assert "a tie is half a win for each and an ambiguous item is half a win for each" in told["half"]
    assert "ties are left out" in told["drop"]
