from __future__ import annotations

from dataclasses import replace

import pytest

from analyse.simulating import simulate, template
from quorate.analyse import Results, analyse
from quorate.protocol import Protocol
from quorate.records import Collected


def results(collected: Collected, ties: str | None) -> Results:
    protocol: Protocol = template("abstract-visual")
    analysis = protocol.analysis.model_copy(update={"ties": ties, "by": ()})
    return analyse(replace(protocol, file=protocol.file.model_copy(update={"analysis": analysis})), collected)


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


def test_captions_say_which_rule_was_taken(collected: Collected) -> None:
    told = {rule: next(x.caption for x in results(collected, rule).listings if x.group == "outcomes")
            for rule in ("denominator", "half", "drop")}  # fmt: skip
    assert "stay in the denominator" in told["denominator"]
    assert "half a win" in told["half"]
    assert "ties are left out" in told["drop"]
