"""What is said of where a judge leans, and of nothing that was not measured."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from analyse.judging import pairs
from analyse.test_judge_leanings import collected
from inquiries.telling import english_in, parts, rest_on_what_is_there, texts
from quorate.analyse import analyse
from quorate.exhibits.tables import Table
from quorate.inquiries.judge_leanings import JudgeLeanings
from quorate.protocol import Protocol
from quorate.records import Collected


def table(protocol: Protocol, found: Collected) -> Table:
    (block,) = JudgeLeanings().exhibits(next(parts(protocol, found, analyse(protocol, found))))
    assert isinstance(block, Table)
    return block


def test_the_rule_for_answers_that_change_is_told_where_both_orders_were_asked(tmp_path: Path) -> None:
    protocol = pairs(tmp_path)
    found = collected(protocol, changing=3)
    assert "stays the answer of record" in str(table(protocol, found).caption)
    assert "order" not in str(table(protocol, replace(found, repeated=())).caption)


def test_sentences_go_with_what_they_rest_on_and_are_chinese_in_chinese(tmp_path: Path) -> None:
    protocol = pairs(tmp_path)
    found = collected(protocol, changing=3)
    assert rest_on_what_is_there(JudgeLeanings(), protocol, found) == 1
    assert not english_in(texts(JudgeLeanings(), protocol, found), "ours")
