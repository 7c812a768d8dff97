"""Of whom a study speaks: these raters, or new ones as well."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from analyse.simulating import simulate, template
from analyse.test_hypotheses import expected, with_hypotheses
from analyse.truths import plain
from quorate.analyse import analyse
from quorate.findings.results import Results
from quorate.protocol import Protocol
from quorate.protocol.analysis import Analysis, Population
from quorate.protocol.method import check_method
from quorate.records import Collected
from quorate.report.declared import outcomes
from quorate.report.methods import methods
from quorate.statistics import crossed_mean

NEW = {"population": {"raters": "new"}}
NET_GAIN, SIGN = "compare.preference.net_gain.rating", "compare.preference.sign_test"


def given_by(collected: Collected, raters: int) -> Collected:
    """The same answers, given by so many raters who take turns."""
    places = {item.id: place for place, item in enumerate(collected.items)}
    answers = tuple(
        replace(answer, rater=f"R{1 + (places[answer.item] + answer.repeat) % raters}") for answer in collected.answers
    )
    people = sorted({answer.rater for answer in answers})
    some = collected.participants[0]
    return replace(collected, answers=answers, participants=tuple(replace(some, rater=one) for one in people))


def asked(protocol: Protocol, **analysis: Any) -> Protocol:
    own = {**protocol.source["analysis"], **analysis}
    file = protocol.file.model_copy(update={"analysis": Analysis.model_validate(own)})
    return replace(protocol, file=file, source={**protocol.source, "analysis": own})


@cache
def preferred(raters: int = 8) -> Results:
    return analyse(new_one(), given_by(answered(), raters))


def sixty() -> Protocol:
    """A study of pairs of pictures with sixty items."""
    return plain("abstract-visual")


@cache
def new_one() -> Protocol:
    return asked(sixty(), **NEW)


@cache
def answered() -> Collected:
    return simulate(sixty())


def test_a_study_speaks_of_these_raters_where_nothing_is_said() -> None:
    assert sixty().analysis.population == Population(items="new", raters="these")
    results = analyse(sixty(), given_by(answered(), 8))
    assert not any(one.of_new_raters for one in results)
    told = " ".join(str(one.text) for one in methods(sixty(), results))
    assert "They speak of these raters on new items." in told


def test_net_gains_and_shares_of_ratings_speak_of_new_raters() -> None:
    results = preferred()
    new = {one.statistic for one in results if one.of_new_raters and not one.by}
    assert {"net gain", "success rate", "tie rate", "individual accuracy"} <= new
    assert not any(one.of_new_raters for one in results if one.reading == "verdict" or "kappa" in one.statistic)
    told = " ".join(str(one.text) for one in methods(new_one(), results))
    assert "speak of new raters on new items" in told
    assert "All other intervals speak of these raters on new items." in told


def test_the_interval_is_that_of_the_ratings_by_item_and_rater() -> None:
    found = preferred()[NET_GAIN].estimate
    protocol, collected = new_one(), given_by(answered(), 8)
    question = protocol.ask("compare", "preference").question
    rows = [
        (question.compared(one.value, one.shown)[2], one.item, one.rater)
        for one in collected.answers
        if one.question == "preference" and one.value is not None
    ]
    by_hand = crossed_mean(*zip(*rows, strict=True), ends=(-1.0, 1.0))
    assert (found.value, found.low, found.high) == pytest.approx((by_hand.value, by_hand.low, by_hand.high), abs=1e-12)
    assert found.p == pytest.approx(by_hand.p, abs=1e-12)


def test_a_mean_of_item_means_counts_every_item_the_same() -> None:
    protocol = asked(template("document-extraction"), **NEW)
    collected = given_by(simulate(template("document-extraction")), 7)
    results = analyse(protocol, collected)
    means = [one for one in results if one.statistic == "mean" and one.of_new_raters and not one.by]
    assert means
    for one in means:
        plain = analyse(template("document-extraction"), collected)[one.id].estimate
        assert one.estimate.value == plain.value


def test_systems_that_raters_mark_side_by_side_differ_for_new_raters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quorate.statistics.crossed.FEWEST_GROUPS", 2)
    protocol = asked(template("media-preference"), **NEW)
    collected = given_by(simulate(template("media-preference")), 5)
    results = analyse(protocol, collected)
    found = [one for one in results if one.statistic == "mean difference" and one.is_known]
    assert found
    assert not any(one.statistic == "mean difference" for one in analyse(template("media-preference"), collected))
    question = protocol.ask("compare", found[0].question).question
    marks = [
        (question.marks(one.value), one.item, one.rater)
        for one in collected.answers
        if one.question == found[0].question and one.value is not None
    ]
    first, second = found[0].systems
    rows = [(m[first] - m[second], item, who) for m, item, who in marks if first in m and second in m]
    by_hand = crossed_mean(*zip(*rows, strict=True))
    given = found[0].estimate
    assert (given.value, given.low, given.p) == pytest.approx((by_hand.value, by_hand.low, by_hand.p), abs=1e-9)
    assert (given.p < 0.05) == (given.low > 0 or given.high < 0)


def test_too_few_raters_leave_a_sentence_in_place_of_the_interval() -> None:
    found = preferred(3)[NET_GAIN].estimate
    assert (found.low, found.high, found.p) == (None, None, None)
    assert str(found.note) == "3 raters are too few for an interval that speaks of new raters (at least 5)"
    told = " ".join(str(one.text) for one in methods(new_one(), preferred(3)))
    assert "too few raters or items to speak of new raters" in told
    assert any("these three raters on new items, not of other raters" in str(one) for one in preferred(3).notes)
    assert not any("not of other raters" in str(one) for one in preferred(8).notes)


def test_a_hypothesis_says_of_whom_it_speaks() -> None:
    both = expected("gain", NET_GAIN), expected("sign", SIGN)
    for population, said, sign in (
        ("these", "for these raters on new items", "for these raters on new items"),
        ("new", "for new raters on new items", "the study speaks of new raters, and the test of this figure of these"),
    ):
        protocol = with_hypotheses(sixty(), *both, population={"raters": population})
        gain, other = (str(one) for one in outcomes(analyse(protocol, given_by(answered(), 8))))
        assert said in gain
        assert sign in other


def test_a_hypothesis_of_too_few_raters_cannot_be_said_and_says_why() -> None:
    protocol = with_hypotheses(sixty(), expected("gain", NET_GAIN), **NEW)
    (one,) = analyse(protocol, given_by(answered(), 3)).hypotheses
    assert one.outcome == "cannot be said"
    assert "3 raters are too few" in str(one.note)


def test_check_says_what_cannot_speak_of_new_raters() -> None:
    protocol = with_hypotheses(sixty(), expected("sign", SIGN), **NEW)
    told = [one.what for one in check_method(protocol) if one.rule == "new-raters"]
    assert any("Rest it on 'net_gain.rating'" in one for one in told)
    assert not [one for one in check_method(sixty()) if one.rule == "new-raters"]


def test_raters_who_lean_to_one_side_are_seen_by_the_interval_of_new_raters_alone() -> None:
    rng = np.random.default_rng(1)
    item, rater = np.divmod(np.arange(60 * 6), 6)
    leaning = np.array([-1.5, -1, -0.5, 0.5, 1, 1.5])[rater]
    found = crossed_mean(np.sign(leaning + rng.normal(size=360)), item, rater, ends=(-1.0, 1.0))
    assert found.low is not None
    assert found.high is not None
    assert found.high - found.low > 0.8
