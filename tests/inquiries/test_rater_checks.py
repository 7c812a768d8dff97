"""What each rater did is told beside the others, and nothing is said of what was not found."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analyse.simulating import simulate, template
from quorate.analyse import analyse
from quorate.analyse.analyse import make_cases
from quorate.findings.results import Results
from quorate.inquiries.base import Part, Told
from quorate.inquiries.rater_checks import RatersAtWork
from quorate.protocol import Protocol
from quorate.records import Collected
from quorate.sheets.sheet import sheets


@pytest.fixture(scope="module")
def protocol() -> Protocol:
    return template("media-preference")


@pytest.fixture(scope="module")
def collected(protocol: Protocol) -> Collected:
    return simulate(protocol)


@pytest.fixture(scope="module")
def found(protocol: Protocol, collected: Collected) -> Results:
    return analyse(protocol, collected)


def part(protocol: Protocol, collected: Collected, found: Results, language: str = "en") -> Part:
    cases = [one for one in make_cases(protocol, tuple(sheets(protocol, collected))) if one.sheet.section == "compare"]
    return Part(protocol, found, protocol.section("compare"), cases, language)


def test_a_rater_who_rushes_is_told_apart(protocol: Protocol, collected: Collected) -> None:
    rushed = tuple(replace(a, seconds=0.5) if a.rater == "R2" else a for a in collected.answers)
    found = analyse(protocol, replace(collected, answers=rushed))
    assert found["compare.winner.too_fast.rater.R2"].estimate.value == 1
    assert found["compare.winner.too_fast.rater.R1"].estimate.value == 0


def test_a_rater_who_always_takes_the_same_answer_repeats_every_time(protocol: Protocol) -> None:
    def say(protocol: Protocol, slot, item, question: str) -> str | None:  # type: ignore[no-untyped-def]
        return "tie" if question == "winner" and slot.repeat == 0 else None

    found = analyse(protocol, simulate(protocol, say=say))
    assert found["compare.winner.straight-lining.side.rater.R1"].estimate.value == 1
    assert found["compare.winner.straight-lining.side.rater.R2"].estimate.value < 1


def test_every_rater_has_a_row_and_every_question_a_column(protocol, collected, found) -> None:  # type: ignore[no-untyped-def]
    table, _ = RatersAtWork().exhibits(part(protocol, collected, found))
    assert [row[0].text for row in table.rows] == ["R1", "R2"]
    heads = [str(column) for column in table.columns]
    assert len(heads) == len(set(heads))
    assert "Agreement with the others: Winner" in heads
    assert table.further


def test_the_picture_of_the_pace_has_no_english_in_chinese(protocol, collected, found) -> None:  # type: ignore[no-untyped-def]
    _, drawing = RatersAtWork().exhibits(part(protocol, collected, found, "zh"))
    assert "每条目中位秒数" in drawing.svg
    assert "median" not in drawing.svg
    slope = found["compare.winner.drift.seconds"].estimate.value
    assert slope is not None
    assert f"{slope:.2f}".replace("-", "−") in drawing.caption.text("zh")


def test_where_nothing_was_found_nothing_is_said(protocol, collected, found) -> None:  # type: ignore[no-untyped-def]
    said = list(RatersAtWork().methods(Told(protocol, found)))
    assert said
    assert all(set(one.rests_on) <= {finding.id for finding in found} for one in said)
    gone = replace(found, findings=tuple(f for f in found.findings if f.inquiry != "raters at work"))
    assert not list(RatersAtWork().methods(Told(protocol, gone)))
