"""A table is really parsed, scored by its structure or against the right one; what is no table has a reason."""

from __future__ import annotations

from typing import Any

import pytest

from quorate.judges import Reply, Request, TableParser
from quorate.judges.table_scores import against, structure
from quorate.records import Item, Reason, Shown

RIGHT = "| Site | Altitude | Frost |\n|---|---|---|\n| North | 1200 | 14 |\n| South | 900 | 9 |\n| West | 1050 | 11 |"


def judged(content: Any, **options: Any) -> Reply:
    item = Item("i", {"content": content, "right": options.pop("right", "")})
    return TableParser(**options).ask(Request(item, "s", Shown(), prompts={"table_score": "How good?"}))


@pytest.mark.parametrize(
    "text",
    [
        RIGHT,
        "Site,Altitude,Frost\nNorth,1200,14\nSouth,900,9",
        "Site   Altitude  Frost\nNorth  1200      14\nSouth  900       9",
        "<table><tr><th>Site<th>Altitude<tr><td>North<td>1200<tr><td>South<td>900</table>",
    ],
)
def test_a_well_formed_table_scores_highest_whatever_its_form(text: str) -> None:
    assert judged(text).raw == {"table_score": 2}


def test_rows_cut_short_headers_lost_and_gaps_each_cost() -> None:
    whole = structure([["Site", "Frost"], ["North", "14"], ["South", "9"]])
    cut = structure([["Site", "Frost"], ["North", "14"], ["South"]])
    headless = structure([["1200", "14"], ["900", "9"], ["1050", "11"]])
    gaps = structure([["Site", "Frost"], ["North", ""], ["", "9"]])
    assert whole["score"] == 1
    assert cut["rectangular"] < 1
    assert headless["header"] == 0
    assert gaps["filled"] == 0.5
    assert max(one["score"] for one in (cut, headless, gaps)) < 1


@pytest.mark.parametrize("text", ["", None, float("nan"), "Just a sentence, with a comma.", "12345"])
def test_what_is_no_table_has_a_reason_and_no_score(text: Any) -> None:
    reply = judged(text)
    assert reply.reason is Reason.CANNOT_JUDGE
    assert reply.raw == {}
    assert "content" in reply.note


def test_a_wrong_cell_costs_only_where_the_right_table_is_known() -> None:
    wrong = RIGHT.replace("1200", "1900").replace("900 ", "90 ").replace("14", "41").replace("11", "1")
    assert judged(wrong).raw == {"table_score": 2}
    assert judged(wrong, reference="right", right=RIGHT).raw["table_score"] < 2
    assert judged(RIGHT, reference="right", right=RIGHT).raw == {"table_score": 2}


def test_mixed_up_rows_keep_their_cells_and_lose_their_neighbours() -> None:
    right = [["a", "b"], ["1", "2"], ["3", "4"]]
    mixed = [["a", "b"], ["1", "4"], ["3", "2"]]
    assert against(mixed, right)["cells"] == 1
    assert against(mixed, right)["neighbours"] < 0.6
    assert against(right, right)["score"] == 1


def test_without_a_right_table_for_an_item_its_structure_is_scored() -> None:
    assert "header" in judged(RIGHT, reference="right").details["table_score"]


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("id value 12 34 and some more words", 2),
        ("numbers 12 34 without the words of it", 1),
        ("no digits at all in these many words", 0),
        ("id mean 12345", 0),  # 20 letters or fewer
        ("", 0),
        (None, 0),
    ],
)
def test_the_published_heuristic_is_there_by_name(text: Any, score: int) -> None:
    assert judged(text, method="keywords").raw == {"table_score": score}


def test_what_is_weak_is_said() -> None:
    assert "wrong cells" in TableParser().weaknesses()[0]
    assert "mean" in TableParser(method="keywords").weaknesses()[0]
    assert TableParser(reference="right").weaknesses() == ()
