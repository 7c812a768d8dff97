"""Which answers do not fit together: counted by rule, the answers told with every name whole, warnings beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from collect.test_warning import live
from inquiries.arenas import answered, arena
from inquiries.telling import english_in, texts
from quorate.analyse import analyse
from quorate.inquiries.broken_rules import BrokenRules
from quorate.protocol import Protocol
from quorate.report.page import make_page
from quorate.study import Study

SYSTEMS = ("claude 3.5, tuned", "x; y: 2")
ASK = [
    {"id": "vote", "winner": {"prompt": "Which is better?"}},
    {"id": "fit", "rating": {"prompt": "Fit?", "points": [1, 2, 3], "each": "side"}},
]


@pytest.fixture
def protocol(tmp_path: Path) -> Protocol:
    return arena(
        tmp_path / "study", SYSTEMS, 5, ASK, section={"hide": ["one", "other"]}, analysis={"priority": ["fit"]}
    )


def say(item: str, who: int, sides: Any, question: str) -> Any:
    """Item 0 has the worse one win."""
    if question == "vote":
        return SYSTEMS[0]
    return dict(zip(SYSTEMS, (1, 3) if item == "i000" else (3, 1), strict=True))


def test_answers_that_break_a_rule_are_told_with_their_names_whole(protocol: Protocol) -> None:
    collected = answered(protocol, say)
    tables = make_page(protocol, collected, analyse(protocol, collected)).tables
    ((rule, _, found, n),) = [[cell.text for cell in row] for row in tables["rules"].rows]
    assert (rule, found, n) == ("priority", "1", "5")
    ((_, item, _, told),) = [[cell.text for cell in row] for row in tables["rule_cases"].rows]
    assert item == "i000"
    assert "fit: “claude 3.5, tuned” 1 and “x; y: 2” 3" in told
    assert tables["rule_cases"].further
    assert tables["rules"].further
    assert english_in(texts(BrokenRules(), protocol, collected), *SYSTEMS, "vote", "fit", "priority") == []


def test_a_study_whose_warnings_changed_answers_has_its_report_in_every_language(tmp_path: Path) -> None:
    study = Study(live(tmp_path / "study", items=12))
    study.rehearse()
    collected = study.collected()
    results = analyse(study.protocol, collected)
    shares = {str(row[0]): row[2:] for one in results.listings if one.group == "warnings first" for row in one.rows}
    assert shares, "some answers were changed"
    for language in ("en", "zh"):
        table = make_page(study.protocol, collected, results, language).tables["warnings_first"]
        for row, told in zip(table.rows, shares.values(), strict=True):
            assert [cell.text for cell in row[2:]] == [f"{share:.1f}" for share in told]
    (rules,) = [one.as_dict() for one in results.listings if one.group == "rules"]
    assert not any("{" in row[1] for row in rules["rows"]), "what a rule says stands in words, and not as a dict"
