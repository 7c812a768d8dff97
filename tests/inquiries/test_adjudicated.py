"""What the team decided: whose verdict it is, and why, whatever systems are called."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from inquiries.arenas import answered, arena
from inquiries.telling import english_in, texts
from quorate.analyse import analyse
from quorate.inquiries.adjudicated import Adjudicated
from quorate.protocol import Protocol
from quorate.records import Collected
from quorate.report.page import make_page

VOTE = {"id": "vote", "winner": {"prompt": "Which is better?"}}
OTHER = {"id": "look", "winner": {"prompt": "Which looks better?"}}
SYSTEMS = ("gpt-4.1", "agreed")
WHY = "agreed, by far; the other's worse"


@pytest.fixture
def protocol(tmp_path: Path) -> Protocol:
    return arena(tmp_path / "study", SYSTEMS, 6, [VOTE, OTHER], per_item=2, section={"hide": ["one", "other"]})


def decided(protocol: Protocol) -> Collected:
    """Two raters differ on items 0 and 1, and agree on the rest; the team speaks of item 0 twice, and of item 5."""
    collected = answered(protocol, lambda item, who, sides, question: SYSTEMS[who if int(item[1:]) < 2 else 0])
    places = [("i000", "M1", "gpt-4.1"), ("i000", "M2", "agreed"), ("i005", "M1", "agreed")]
    a_row = next(one for one in collected.answers if one.question == "vote")
    more = [
        replace(a_row, seq=900 + k, by="member", rater=member, item=item, value=value,
                raw={"reason": WHY, "raw": value})
        for k, (item, member, value) in enumerate(places)
    ]  # fmt: skip
    return replace(collected, answers=(*collected.answers, *more))


def test_decisions_stand_with_reasons_and_whose_verdict_it_is_is_said(protocol: Protocol) -> None:
    collected = decided(protocol)
    page = make_page(protocol, collected, analyse(protocol, collected))
    table = page.tables["adjudicated_vote"]
    assert table.caption == (
        "The question is “Which is better?”. What the team decided about 2 items. On 1 of them raters came to a "
        "verdict, which stands. Of several decisions about one item the newest counts."
    )
    assert [tuple(cell.text for cell in row) for row in table.rows] == [
        ("i000", "gpt-4.1", WHY, "M1"), ("i000", "agreed", WHY, "M2"), ("i005", "agreed", WHY, "M1"),
    ]  # fmt: skip
    assert "adjudicated_look" not in page.tables


def test_where_nothing_was_decided_nothing_is_said(protocol: Protocol) -> None:
    collected = decided(protocol)
    people = replace(collected, answers=tuple(one for one in collected.answers if one.by == "rater"))
    assert not [one for one in analyse(protocol, people).listings if one.group == "adjudicated"]


def test_it_is_chinese_in_chinese(protocol: Protocol) -> None:
    found = texts(Adjudicated(), protocol, decided(protocol))
    assert english_in(found, *SYSTEMS, WHY, "Which is better?") == []
