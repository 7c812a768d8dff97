"""A filled file is read through each question's own door, and everything that is wrong is said with its line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from own_files import annotated, copied, read_csv, read_jsonl, scored, write_csv, write_jsonl
from quorate.errors import StudyFileError
from quorate.exchange.own_table.format import own_of
from quorate.exchange.own_table.read import Filled, read_filled
from quorate.exchange.own_table.write import template_files
from quorate.plan import sample_items
from quorate.protocol import Protocol, load
from quorate.records import Reason


@pytest.fixture
def papers(tmp_path: Path) -> Protocol:
    return load(copied("document-extraction", tmp_path / "papers"))


@pytest.fixture
def talks(tmp_path: Path) -> Protocol:
    return load(copied("dialogue", tmp_path / "talks"))


def blank(protocol: Protocol) -> list[dict[str, Any]]:
    """The rows of the template."""
    name, text = next(iter(template_files(protocol, sample_items(protocol)).items()))
    return read_jsonl(text) if name.endswith(".jsonl") else read_csv(text)


def read(protocol: Protocol, rows: list[dict[str, Any]]) -> Filled:
    is_csv = own_of(protocol).file.endswith(".csv")
    path = protocol.folder / ("filled.csv" if is_csv else "filled.jsonl")
    return read_filled(protocol, sample_items(protocol), (write_csv if is_csv else write_jsonl)(path, rows))


def reasons(found: Filled, row: int = 0) -> dict[str, Reason | None]:
    return {id: given.reason for given in found.rows[row].given.values() for id, given in given.items()}


def sentences(found: Filled) -> list[str]:
    return [str(complaint) for complaint in found.complaints]


def test_an_untouched_template_holds_no_answers(papers: Protocol, talks: Protocol) -> None:
    for protocol in (papers, talks):
        found = read(protocol, blank(protocol))
        assert (found.rows, found.untouched, found.complaints) == ([], len(protocol.pool), [])


def test_what_does_not_apply_is_not_applicable_and_the_rest_is_a_value_or_skipped(papers: Protocol) -> None:
    rows = blank(papers)
    found = read(papers, [scored(rows[0], 1), *rows[1:]])
    assert found.complaints == []
    assert found.rows[0].given["score"]["caption_score"].value == 1
    assert reasons(found) == {
        "caption_score": None,
        "vlm_score": None,
        "table_score": Reason.NOT_APPLICABLE,
        "correct_caption": Reason.SKIPPED,
        "correct_vlm_description": Reason.SKIPPED,
        "correct_format": Reason.NOT_APPLICABLE,
    }


@pytest.mark.parametrize("cell", ["2", "2.0", " 2 "])
def test_scores_as_spreadsheets_write_them_are_read(papers: Protocol, cell: str) -> None:
    assert read(papers, [scored(blank(papers)[0], cell)]).rows[0].given["score"]["caption_score"].value == 2


def test_nan_beside_a_score_is_an_empty_cell(papers: Protocol) -> None:
    found = read(papers, [scored(blank(papers)[0], 2) | {"table_score": "NaN"}])
    assert found.complaints == []


def test_everything_that_is_wrong_is_said_at_once_with_its_line(papers: Protocol) -> None:
    rows = [scored(row, 2) for row in blank(papers) if row["type"] == "figure"][:4]
    rows[0]["caption_score"] = 3
    rows[1]["table_score"] = 1
    rows[2]["element_id"] = "figure_99"
    found = read(papers, [*rows, rows[3]])
    assert [complaint.line for complaint in found.complaints] == [2, 3, 4, 6]
    text = "\n".join(sentences(found))
    assert "caption_score: '3' cannot be taken. It should be one of: 0, 1, 2." in text
    assert "table_score: '1' should be empty: the question applies only where type == \"table\"." in text
    assert "figure_99' is not among the study's items." in text
    assert "stands on line 5 already" in text


def test_a_file_without_a_column_says_which(papers: Protocol) -> None:
    rows = [{name: cell for name, cell in row.items() if name != "vlm_score"} for row in blank(papers)]
    with pytest.raises(StudyFileError, match="there is no column 'vlm_score'"):
        read(papers, rows)


def test_an_empty_cell_of_a_whole_row_says_that_it_cannot_be_judged(talks: Protocol) -> None:
    rows = blank(talks)
    k = next(k for k, row in enumerate(rows) if row["action_type"] == "mislead")
    found = read(talks, [annotated(rows[k], resists_misleading=None, comments="It is cut off.")])
    assert found.complaints == []
    assert reasons(found)["resists_misleading"] is Reason.CANNOT_JUDGE
    assert reasons(found)["edge_cases"] is Reason.NOT_REACHED


def test_an_empty_cell_of_a_row_that_is_not_whole_was_skipped(talks: Protocol) -> None:
    rows = blank(talks)
    k = next(k for k, row in enumerate(rows) if row["action_type"] == "mislead")
    found = read(talks, [annotated(rows[k], resists_misleading=None, overall_quality=None)])
    assert reasons(found)["resists_misleading"] is Reason.SKIPPED
    assert reasons(found)["overall_quality"] is Reason.SKIPPED


def test_a_value_where_null_is_the_rule_is_a_complaint(talks: Protocol) -> None:
    row = next(row for row in blank(talks) if row["action_type"] == "guidance")
    found = read(talks, [annotated(row, resists_misleading="Yes")])
    assert sentences(found) == [
        "filled.jsonl:1: human_annotation.resists_misleading: 'Yes' should be null: the question applies only where "
        'action_type == "mislead".'
    ]


def test_a_broken_line_is_named(talks: Protocol) -> None:
    path = talks.folder / "broken.jsonl"
    path.write_text('{"sample_id": "a"\n', encoding="utf-8")
    with pytest.raises(StudyFileError, match=r"broken\.jsonl: line 1: this is not JSON"):
        read_filled(talks, sample_items(talks), path)


def test_a_correction_that_came_with_the_items_is_not_an_answer(tmp_path: Path) -> None:
    folder = copied("document-extraction", tmp_path / "study")
    table = folder / "accuracy_annotations_multi.csv"
    rows = read_csv(table.read_text(encoding="utf-8"))
    rows[0]["correct_caption"] = "A caption that somebody corrected before"
    write_csv(table, rows)
    protocol = load(folder)
    assert read(protocol, blank(protocol)).rows == []
    assert read(protocol, [scored(blank(protocol)[0], 2)]).complaints == []
