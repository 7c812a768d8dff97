from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest

from analyse.simulating import NAMES, simulate, template
from quorate.analyse import Results, analyse
from quorate.protocol import Protocol
from quorate.records import Collected, Participant, Reason


def no_number_is_made_up(results: Results) -> None:
    for finding in (*results.findings, *results.with_excluded):
        value = finding.estimate.value
        assert value is None or math.isfinite(value), finding.id
        assert value is not None or finding.estimate.note, f"{finding.id} does not say why it is undefined"
        for end in (finding.estimate.low, finding.estimate.high):
            assert end is None or math.isfinite(end), finding.id
    ids = [finding.id for finding in results.findings]
    assert len(ids) == len(set(ids))
    json.dumps(results.as_dict(), allow_nan=False)


def degenerate(protocol: Protocol) -> dict[str, Collected]:
    whole = simulate(protocol)
    first = whole.answers[0].rater
    gone = tuple(Participant(p.rater, "withdrawn", {}, p.events) for p in whole.participants)
    same = {}
    for answer in whole.answers:
        if answer.value is not None:
            same.setdefault((answer.section, answer.question), answer.value)
    alike = tuple(replace(a, value=same[a.section, a.question]) if a.value is not None else a for a in whole.answers)
    stratum = whole.items[0]
    return {
        "nothing at all": Collected((), ()),
        "no answers": Collected(whole.items, ()),
        "one rater": replace(whole, answers=tuple(a for a in whole.answers if a.rater == first)),
        "one item": replace(whole, answers=tuple(a for a in whole.answers if a.item == stratum.id)),
        "one category": replace(whole, answers=alike),
        "a stratum without answers": replace(whole, answers=tuple(a for a in whole.answers if a.item != stratum.id)),
        "nobody could judge": replace(
            whole, answers=tuple(replace(a, value=None, reason=Reason.CANNOT_JUDGE) for a in whole.answers)
        ),
        "all withdrawn": replace(whole, participants=gone),
        "all excluded": replace(whole, participants=tuple(replace(p, status="excluded") for p in gone)),
    }


@pytest.mark.parametrize("name", NAMES)
def test_what_cannot_be_said_of_any_template_is_undefined_with_a_reason(name: str) -> None:
    protocol = template(name)
    for case, collected in degenerate(protocol).items():
        try:
            no_number_is_made_up(analyse(protocol, collected))
        except AssertionError as error:
            raise AssertionError(f"{case}: {error}") from error


@pytest.mark.parametrize("name", ["abstract-visual", "media-preference"])
def test_where_everyone_ties_nobody_wins_and_nothing_breaks(name: str) -> None:
    protocol = template(name)
    question = next(ask for s in protocol.sections for ask in s.ask if ask.question.compares())
    tie = "tie" if question.id == "winner" else 0
    results = analyse(protocol, simulate(protocol, say=lambda p, slot, item, id: tie if id == question.id else None))
    no_number_is_made_up(results)
    found = {f.id: f for f in results.select(inquiry="preference", by="")}
    rates = [f for f in found.values() if ".success_rate.rating" in f.id]
    assert rates
    assert all(f.estimate.value == 0 for f in rates)
    assert all(f.estimate.value is None for f in found.values() if ".sign_test" in f.id)
    assert all(f.estimate.value == 1 for f in found.values() if ".tie_rate" in f.id)


@pytest.mark.parametrize("name", NAMES)
def test_results_of_any_template_do_not_depend_on_the_order_of_rows(name: str) -> None:
    protocol = template(name)
    collected = simulate(protocol)
    turned = replace(collected, answers=collected.answers[::-1], participants=collected.participants[::-1])
    assert analyse(protocol, turned).as_dict() == analyse(protocol, collected).as_dict()


def test_agreement_with_a_judge_says_in_words_what_it_is_on() -> None:
    protocol = template("abstract-visual")
    collected = simulate(protocol)
    one = collected.answers[-1].rater
    judged = [replace(a, rater="mllm", by="judge") for a in collected.answers if a.rater == one]
    whole = replace(collected, answers=(*(a for a in collected.answers if a.by != "judge"), *judged))
    labels = {str(finding.label) for finding in analyse(protocol, whole)}
    assert {label for label in labels if label.startswith("Cohen’s κ on ")} == {
        "Cohen’s κ on concepts (human majority vs MLLM)",
        "Cohen’s κ on the points (human majority vs MLLM)",
    }
