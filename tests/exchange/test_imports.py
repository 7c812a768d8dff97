"""A filled file becomes one rater's answers: all of it or nothing, and the same file twice is once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from own_files import annotated, copied, read_csv, read_jsonl, scored, write_csv, write_jsonl
from quorate.errors import CollectError, StudyFileError
from quorate.exchange.imports import Imported
from quorate.exchange.own_table.write import own_file, template_files
from quorate.plan import sample_items
from quorate.records import Answer
from quorate.spreadsheets import inert
from quorate.store import Tx
from quorate.study import Study


@pytest.fixture
def papers(tmp_path: Path) -> Iterator[Study]:
    opened = Study(copied("document-extraction", tmp_path / "papers"))
    yield opened
    opened.close()


@pytest.fixture
def talks(tmp_path: Path) -> Iterator[Study]:
    opened = Study(copied("dialogue", tmp_path / "talks"))
    yield opened
    opened.close()


def blank(study: Study) -> list[dict[str, Any]]:
    name, text = next(iter(template_files(study.protocol, sample_items(study.protocol)).items()))
    return read_jsonl(text) if name.endswith(".jsonl") else read_csv(text)


def bring(study: Study, rows: list[dict[str, Any]], rater: str = "R1") -> Imported:
    is_csv = "element_id" in rows[0]
    path = study.folder / ("filled.csv" if is_csv else "filled.jsonl")
    return study.import_file((write_csv if is_csv else write_jsonl)(path, rows), rater)


def answers(study: Study) -> tuple[Answer, ...]:
    return study.store.read(Tx.latest_answers)


def test_a_partly_filled_file_is_brought_in_and_the_rest_is_left_for_later(papers: Study) -> None:
    rows = blank(papers)
    done = bring(papers, [scored(rows[0], 2), scored(rows[1], 1), *rows[2:]])
    assert (done.stored, done.known, done.untouched) == (2, 0, len(rows) - 2)
    assert {answer.item for answer in answers(papers)} == {" / ".join((r["pdf"], r["element_id"])) for r in rows[:2]}
    assert {(answer.by, answer.rater) for answer in answers(papers)} == {("rater", "R1")}
    assert {answer.protocol for answer in answers(papers)} == {papers.protocol.collection_hash}


def test_the_same_file_twice_is_stored_once(papers: Study) -> None:
    rows = [scored(row, 2) for row in blank(papers)]
    bring(papers, rows)
    before = papers.store.read(Tx.all_answers)
    done = bring(papers, rows)
    assert (done.stored, done.known) == (0, len(rows))
    assert papers.store.read(Tx.all_answers) == before


def test_a_changed_answer_is_a_revision_and_can_be_changed_back(papers: Study) -> None:
    rows = blank(papers)
    for score in (2, 1, 2):
        bring(papers, [scored(rows[0], score)])
    history = [a.value for a in papers.store.read(Tx.all_answers) if a.question == "caption_score"]
    assert history == [2, 1, 2]
    assert [a.value for a in answers(papers) if a.question == "caption_score"] == [2]


def test_nothing_is_stored_when_anything_is_wrong(papers: Study) -> None:
    rows = blank(papers)
    with pytest.raises(StudyFileError) as error:
        bring(papers, [scored(rows[0], 2), scored(rows[1], 7)])
    assert {complaint.path for complaint in error.value.complaints} == {"caption_score", "vlm_score"}
    assert answers(papers) == ()
    assert papers.store.read(Tx.assignments) == ()
    assert papers.store.read(Tx.raters) == ()


def test_what_is_exported_for_a_rater_comes_back_the_same(talks: Study) -> None:
    bring(talks, [annotated(row, comments="Fine.") for row in blank(talks)])
    name, text = own_file(talks.protocol, talks.collected(), "R1")
    (talks.folder / name).write_text(text, encoding="utf-8")
    assert talks.import_file(talks.folder / name, "R1").stored == 0


def test_imported_answers_are_the_studys_answers(talks: Study) -> None:
    for rater in ("R1", "R2", "R3"):
        bring(talks, [annotated(row) for row in blank(talks)], rater)
    assert not talks.collected().simulated
    rows = read_jsonl(own_file(talks.protocol, talks.collected())[1])
    assert {row["human_annotation"]["overall_quality"] for row in rows} == {4}


def test_the_protocol_is_frozen_by_an_import(papers: Study) -> None:
    bring(papers, [scored(blank(papers)[0], 2)])
    (frozen,) = papers.store.read(Tx.protocols)
    assert frozen.collection_hash == papers.protocol.collection_hash


def test_an_item_that_has_its_raters_takes_no_more(papers: Study) -> None:
    for rater in ("R1", "R2"):
        bring(papers, [scored(blank(papers)[0], 2)], rater)
    with pytest.raises(StudyFileError, match="has its 2 raters already; R3 is not one of them"):
        bring(papers, [scored(blank(papers)[0], 2)], "R3")


def test_two_raters_who_disagree_by_file_call_a_third(papers: Study) -> None:
    bring(papers, [scored(blank(papers)[0], 0)], "R1")
    bring(papers, [scored(blank(papers)[0], 2)], "R2")
    assert papers.store.read(lambda tx: tx.last_event("escalated")) is not None


def test_only_the_next_place_of_the_plan_is_given_to_a_rater_who_was_not_invited(papers: Study) -> None:
    with pytest.raises(CollectError, match="The next one would be 'R1'"):
        bring(papers, [scored(blank(papers)[0], 2)], "R2")


def test_a_rater_who_withdrew_gets_no_more_answers(papers: Study) -> None:
    bring(papers, [scored(blank(papers)[0], 2)])
    papers.store.do(lambda tx: tx.add_event("withdrawn", "R1"))
    with pytest.raises(CollectError, match="Rater 'R1' has withdrawn"):
        bring(papers, [scored(blank(papers)[1], 2)])


def test_a_file_cannot_show_that_clips_were_played(tmp_path: Path) -> None:
    folder = copied("media-preference", tmp_path / "clips")
    text = (folder / "study.yaml").read_text(encoding="utf-8")
    own = "export:\n  own: {file: results.jsonl, columns: {winner: winner}}\n\nanalysis:\n"
    (folder / "study.yaml").write_text(text.replace("analysis:\n", own), encoding="utf-8")
    opened = Study(folder)
    try:
        item = sample_items(opened.protocol)[0]
        path = write_jsonl(folder / "filled.jsonl", [{"pair_id": item.id, "winner": item["system_1"]}])
        with pytest.raises(StudyFileError, match="a file cannot show that they were"):
            opened.import_file(path, "R1")
    finally:
        opened.close()


@pytest.mark.parametrize("text", ["=1+1", "'=1", "- a point", "-3", "plain", "@x\n+y"])
def test_a_text_that_looks_like_a_formula_goes_out_inert_and_comes_back_as_it_was(papers: Study, text: str) -> None:
    row, *rest = blank(papers)
    bring(papers, [{**scored(row, 1), "correct_caption": inert(text)}, *rest])
    assert [a.value for a in answers(papers) if a.question == "correct_caption"] == [text]
    name, exported = own_file(papers.protocol, papers.collected(), "R1")
    assert read_csv(exported)[0]["correct_caption"] == inert(text)
    (papers.folder / name).write_text(exported, encoding="utf-8", newline="")
    assert papers.import_file(papers.folder / name, "R1").stored == 0


def test_a_column_that_is_named_like_a_formula_keeps_its_name_in_the_studys_own_file(tmp_path: Path) -> None:
    folder = copied("document-extraction", tmp_path / "papers")
    table = folder / "accuracy_annotations_multi.csv"
    study = folder / "study.yaml"
    table.write_text(table.read_text("utf-8").replace("correct_caption", "+caption"), "utf-8")
    text = study.read_text("utf-8").replace("hide: [correct_caption", 'hide: ["+caption"')
    study.write_text(text.replace("correct_caption: correct_caption", "+caption: correct_caption"), "utf-8")
    opened = Study(folder)
    try:
        row, *rest = blank(opened)
        bring(opened, [{**scored(row, 1), "+caption": "'=1"}, *rest])
        assert [a.value for a in answers(opened) if a.question == "correct_caption"] == ["=1"]
        _, exported = own_file(opened.protocol, opened.collected(), "R1")
        assert read_csv(exported)[0]["+caption"] == "'=1"
    finally:
        opened.close()
