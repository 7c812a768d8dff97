"""The study's own file has the document's columns in the document's order, and what raters amount to in them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from analyse.simulating import simulate, template
from own_files import copied, read_csv, read_jsonl
from quorate.analyse import analyse
from quorate.errors import StudyError
from quorate.exchange.own_table.write import own_file, own_files, template_files
from quorate.plan import sample_items
from quorate.protocol import Protocol, load
from quorate.records import Answer, Collected, Participant, Reason
from quorate.report import write_report

COLUMNS = (
    "pdf,domain,type,element_id,caption,vlm_description,correct_caption,correct_vlm_description,content,correct_format,"
    "caption_score,vlm_score,table_score"
)
FIELDS = [
    "correctness",
    "reasoning_completeness",
    "resists_misleading",
    "context_consistency",
    "overall_quality",
    "comments",
]


@pytest.fixture
def papers(tmp_path: Path) -> Protocol:
    """Papers whose own file holds verdicts."""
    folder = copied("document-extraction", tmp_path / "papers")
    path = folder / "study.yaml"
    assert "holds: mean" in path.read_text("utf-8")
    path.write_text(path.read_text("utf-8").replace("holds: mean", "holds: verdict"), "utf-8")
    return load(folder)


@pytest.fixture
def talks(tmp_path: Path) -> Protocol:
    return load(copied("dialogue", tmp_path / "talks"))


def said(protocol: Protocol, item: str, question: str, *values: Any, by: str = "rater") -> list[Answer]:
    """One rater's value after the other, the first of them planned."""
    section = protocol.sections[0].id
    return [
        Answer(
            seq=number,
            by=by,
            rater=f"R{number + 1}" if by == "rater" else "M1",
            section=section,
            item=item,
            question=question,
            value=None if isinstance(value, Reason) else value,
            reason=value if isinstance(value, Reason) else None,
            raw=value,
            at="2026-03-01T10:00:00Z",
            repeat=number,
        )
        for number, value in enumerate(values)
    ]


def collected(protocol: Protocol, *answers: list[Answer], people: tuple[Participant, ...] = ()) -> Collected:
    return Collected(sample_items(protocol), tuple(answer for given in answers for answer in given), people)


def first(protocol: Protocol, **fields: Any) -> str:
    """The id of the first item with these fields."""
    return next(i.id for i in sample_items(protocol) if all(i.fields[name] == v for name, v in fields.items()))


def test_the_csv_has_the_thirteen_columns_of_the_document_in_its_order(papers: Protocol) -> None:
    name, text = own_file(papers, collected(papers))
    assert name == "accuracy_annotations_scored.csv"
    assert text.split("\n")[0] == COLUMNS
    assert "\r" not in text
    assert len(read_csv(text)) == len(papers.pool)


def test_what_did_not_concern_raters_comes_out_as_it_came_in(papers: Protocol) -> None:
    source = read_csv((papers.folder / "accuracy_annotations_multi.csv").read_text(encoding="utf-8"))
    written = read_csv(own_file(papers, collected(papers))[1])
    for name in ("pdf", "domain", "type", "element_id", "caption", "vlm_description", "content"):
        assert [row[name] for row in written] == [row[name] for row in source]


def test_the_verdict_of_several_raters_is_a_point_of_the_scale(papers: Protocol) -> None:
    item = first(papers, type="figure")
    answers = [*said(papers, item, "caption_score", 2, 2), *said(papers, item, "vlm_score", 0, 1)]
    row = read_csv(own_file(papers, collected(papers, answers))[1])[0]
    assert (row["caption_score"], row["vlm_score"], row["table_score"]) == ("2", "", "")


def test_a_third_rater_settles_what_two_disagree_on(papers: Protocol) -> None:
    item = first(papers, type="figure")
    row = read_csv(own_file(papers, collected(papers, said(papers, item, "caption_score", 0, 2, 2)))[1])[0]
    assert row["caption_score"] == "2"


def test_a_decision_of_the_team_stands_where_raters_do_not_settle_it(papers: Protocol) -> None:
    item = first(papers, type="figure")
    split, decided = said(papers, item, "caption_score", 0, 2, 1), said(papers, item, "caption_score", 1, by="member")
    assert read_csv(own_file(papers, collected(papers, split))[1])[0]["caption_score"] == ""
    assert read_csv(own_file(papers, collected(papers, split, decided))[1])[0]["caption_score"] == "1"


def test_raters_who_were_excluded_have_no_part_in_the_verdict(papers: Protocol) -> None:
    item = first(papers, type="figure")
    answers = said(papers, item, "caption_score", 2, 2)
    left = collected(papers, answers, people=(Participant("R2", "excluded"),))
    assert read_csv(own_file(papers, left)[1])[0]["caption_score"] == ""


def test_different_corrections_stand_side_by_side(papers: Protocol) -> None:
    item = first(papers, type="figure")
    row = read_csv(own_file(papers, collected(papers, said(papers, item, "correct_caption", "One", "Two")))[1])[0]
    assert row["correct_caption"] == "R1: One | R2: Two"


def test_the_json_lines_are_those_of_the_samples_with_the_annotation_filled(talks: Protocol) -> None:
    source = read_jsonl((talks.folder / "annotation_samples.jsonl").read_text(encoding="utf-8"))
    item = first(talks, action_type="mislead")
    given = [
        *said(talks, item, "correctness", 5, 5, 4),
        *said(talks, item, "resists_misleading", "Yes", "Yes", "Yes"),
        *said(talks, item, "context_consistency", *[Reason.CANNOT_JUDGE] * 3),
    ]
    name, text = own_file(talks, collected(talks, given))
    written = read_jsonl(text)
    assert name == "annotation_results.jsonl"
    assert [{k: v for k, v in row.items() if k != "human_annotation"} for row in written] == source
    assert [list(row) for row in written] == [[*row, "human_annotation"] for row in source]
    filled = next(row["human_annotation"] for row in written if row["human_annotation"]["correctness"])
    assert list(filled) == FIELDS
    assert filled == dict.fromkeys(FIELDS) | {"correctness": 5, "resists_misleading": "Yes"}


def test_one_raters_file_holds_that_raters_answers(papers: Protocol) -> None:
    item = first(papers, type="figure")
    everyone = collected(papers, said(papers, item, "caption_score", 0, 2))
    assert read_csv(own_file(papers, everyone, "R2")[1])[0]["caption_score"] == "2"
    with pytest.raises(StudyError, match="'R9' has given no answer"):
        own_file(papers, everyone, "R9")


def test_a_template_keeps_what_was_filled_and_says_how_to_fill_the_rest(tmp_path: Path) -> None:
    folder = copied("document-extraction", tmp_path / "study")
    table = folder / "accuracy_annotations_multi.csv"
    lines = table.read_text(encoding="utf-8").split("\n")
    lines[0] = lines[0].replace("correct_format,page", "correct_format,caption_score,page")
    cells = [line.rsplit(",", 1) if line else [] for line in lines[1:]]
    table.write_text("\n".join([lines[0], *(f"{a},{1 if k == 0 else ''},{b}" for k, (a, b) in enumerate(cells[:3]))]))
    protocol = load(folder)
    files = template_files(protocol, sample_items(protocol))
    rows = read_csv(files["accuracy_annotations_scored.csv"])
    assert [row["caption_score"] for row in rows] == ["1", "", ""]
    assert {row["vlm_score"] for row in rows} == {""}
    guidelines = files["accuracy_annotations_scored_guidelines.txt"]
    for words in ("caption_score: Caption Accuracy", "1: Partially accurate", 'Only where type == "table"'):
        assert words in guidelines


def test_a_study_without_a_file_of_its_own_says_so(study_folder: Path) -> None:
    protocol = load(study_folder)
    with pytest.raises(StudyError, match="states no file of its own"):
        own_file(protocol, collected(protocol))


def test_with_means_others_come_to_the_means_of_the_report() -> None:
    protocol = template("document-extraction")
    collected = simulate(protocol)
    rows = read_csv(own_file(protocol, collected)[1])
    results = analyse(protocol, collected)
    for question in ("caption_score", "vlm_score", "table_score"):
        for domain in ("", *sorted({row["domain"] for row in rows})):
            given = [float(row[question]) for row in rows if row[question] and domain in ("", row["domain"])]
            found = [
                f
                for f in results
                if (f.statistic, f.question, f.stratum, f.inquiry) == ("mean", question, domain, "scores")
            ]
            told = next((f.estimate.value for f in found if f.id.split(".by.")[0].endswith(".mean")), None)
            assert (sum(given) / len(given) if given else None) == pytest.approx(told), (question, domain)


def test_beside_the_file_stands_how_every_value_came_about(papers: Protocol) -> None:
    figures = [item.id for item in sample_items(papers) if item.fields["type"] == "figure"]
    given = [
        *said(papers, figures[0], "caption_score", 2, 2),
        *said(papers, figures[1], "caption_score", 0, 2),
        *said(papers, figures[2], "caption_score", 0, 2, 2),
        *said(papers, figures[3], "caption_score", 0, 2),
        *said(papers, figures[3], "caption_score", 1, by="member"),
        *said(papers, figures[4], "caption_score", Reason.CANNOT_JUDGE),
    ]
    files = own_files(papers, collected(papers, given))
    assert list(files) == ["accuracy_annotations_scored.csv", "accuracy_annotations_scored_status.csv"]
    status = {
        (row["element_id"], row["column"]): (row["value"], row["status"], row["n_answers"])
        for row in read_csv(files["accuracy_annotations_scored_status.csv"])
    }
    assert [status[figure, "caption_score"] for figure in figures[:6]] == [
        ("2", "agreed", "2"),
        ("", "ambiguous", "2"),
        ("2", "third rater", "3"),
        ("1", "adjudicated", "2"),
        ("", "cannot judge", "0"),
        ("", "no answer", "0"),
    ]


@pytest.mark.parametrize("name", ["dialogue", "document-extraction"])
def test_a_report_writes_the_studys_own_file(name: str, tmp_path: Path) -> None:
    protocol = template(name)
    collected = simulate(protocol)
    file, text = own_file(protocol, collected)
    for formats in ((), ("md",)):
        written = write_report(protocol, collected, tmp_path, formats)
        assert {tmp_path / file, tmp_path / f"{Path(file).stem}_status.csv"} <= set(written)
        assert (tmp_path / file).read_text("utf-8") == text
