"""What a number leads to: the rows in the page are those that it comes from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from analyse.collecting import simulated
from quorate.analyse import analyse
from quorate.protocol import Protocol
from quorate.report import explore
from quorate.report.explore import explored
from quorate.report.html import html
from quorate.report.page import Page, make_page


@pytest.fixture
def page(protocol: Protocol) -> Page:
    collected = simulated(protocol)
    return make_page(protocol, collected, analyse(protocol, collected))


def behind(held: dict[str, Any], id: str) -> list[list[Any]]:
    """The rows that the page's script lists for a number of people: item, who, and whether it is right."""
    of = held["of"][id]
    asked = held["answers"][of["q"]]
    return [
        row for row in zip(asked["item"], asked["who"], map(int, asked["right"]), strict=True)
        if row[1] not in held["judges"] and row[1] in of.get("who", [row[1]])
        and (not of.get("by") or held["fields"][of["by"]][row[0]] == of["stratum"])
    ]  # fmt: skip


def test_the_rows_behind_a_share_give_the_share(page: Page) -> None:
    held = json.loads(explored(page))
    shares = [f for f in page.results.findings if f.statistic in ("individual accuracy", "accuracy") and not f.judge]
    assert len(shares) >= 4
    for finding in shares:
        rows = behind(held, finding.id)
        assert len(rows) == finding.counted[1], finding.id
        assert sum(right for *_, right in rows) / len(rows) == pytest.approx(finding.estimate.value), finding.id


def test_every_answer_that_counts_is_in_the_page_once(page: Page) -> None:
    held = json.loads(explored(page))
    counted = sum(len(sheet.people) + len(sheet.machines) for sheet in page.sheets)
    told = [(q, *pair) for q, of in enumerate(held["answers"]) for pair in zip(of["item"], of["who"], strict=True)]
    assert len(told) == len(set(told)) == counted
    assert len(held["shown"]) == len(held["items"])


def test_no_text_of_the_study_ends_the_script(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explore, "_value", lambda answer: "</script><b>")
    held = explored(page)
    assert "</script" not in held
    assert json.loads(held)["answers"][0]["values"] == ["</script><b>"]


def test_a_study_too_large_to_hold_is_told_by_its_files_alone(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explore, "MOST_ANSWERS", 3)
    assert explored(page) == ""
    assert 'id="explored"' not in html(page)


def test_a_picture_that_is_gone_is_told_by_its_name(protocol: Protocol, page: Page, tmp_path: Path) -> None:
    shown = [one for sections in json.loads(explored(page))["shown"] for one in sections[0]]
    assert any("picture" in one for one in shown)
    for picture in (tmp_path / "study").rglob("*.png"):
        picture.unlink()
    shown = [one for sections in json.loads(explored(page))["shown"] for one in sections[0]]
    assert all(one.keys() == {"file"} for one in shown)
