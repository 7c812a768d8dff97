"""What the report prints of judges, in both languages, with an id under every number."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest

from analyse.judging import pairs, said, scores, triaged
from analyse.test_judge_leanings import collected
from quorate.analyse import analyse
from quorate.exchange.own_table.write import own_files
from quorate.protocol import load
from quorate.records import Collected
from quorate.report import write_report
from quorate.report.data import data_files
from quorate.report.page import Page, make_page
from quorate.report.pdf import pdf


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Page:
    """A triaged study with an arm that sees the score."""
    protocol = scores(tmp_path_factory.mktemp("scores"), 120, ", show_score: 0.4")
    found = triaged(protocol, pull=0.5)[0]
    return make_page(protocol, found, analyse(protocol, found))


def test_the_chapters_about_judges_have_their_tables_and_figures(page: Page) -> None:
    titles = [chapter.title for chapter in page.chapters]
    assert {"AI-assisted scoring", "May a judge replace people?"} <= set(titles)
    assert {"triage", "triage_quality_by_domain", "triage_curve_quality", "anchoring", "left_out"} <= set(page.tables)
    drawn = {drawing.key for chapter in page.chapters for drawing in chapter.drawings}
    assert {"triage_curve_quality", "left_out_quality"} <= drawn


def test_every_number_of_these_tables_has_an_id_of_the_results(page: Page) -> None:
    known = {finding.id for finding in page.results.findings}
    for key in ("triage", "triage_quality_by_domain", "triage_curve_quality", "anchoring", "left_out"):
        ids = [cell.id for row in page.tables[key].rows for cell in row if cell.id]
        assert ids
        assert set(ids) <= known


def test_the_caption_of_the_curve_says_what_saving_most_of_the_work_costs(page: Page) -> None:
    caption = page.tables["triage_curve_quality"].caption
    share = re.search(r"to save ([\d.]+)% of the work", caption)
    assert share
    assert float(share[1]) >= 60


def test_what_is_undefined_in_a_part_says_why(tmp_path: Path) -> None:
    protocol = scores(tmp_path, 24)
    found = triaged(protocol, audit=0.05)[0]
    table = make_page(protocol, found, analyse(protocol, found)).tables["triage_quality_by_domain"]
    lacking = [row[0].text for row in table.rows if row[1].text == "undefined"]
    assert lacking
    assert [note.split(":")[0] for note in table.notes] == lacking
    assert all("undefined, since" in note for note in table.notes)


def test_judges_stand_side_by_side(tmp_path: Path) -> None:
    pairs(tmp_path, 40)
    path = tmp_path / "study.yaml"
    path.write_text(path.read_text().replace("judges:\n", "judges:\n  other: {simulated: {seed: 2}}\n"))
    protocol = load(tmp_path)
    lines = {"other": ["ours", "theirs"] * 20, "ai": ["ours"] * 40, "R1": ["ours"] * 40, "R2": ["ours"] * 40}
    answers = tuple(
        said(f"i{k}", who, value, "rater" if who.startswith("R") else "judge", at="compare")
        for who, line in lines.items()
        for k, value in enumerate(line)
    )
    found = Collected(protocol.pool, answers)
    table = make_page(protocol, found, analyse(protocol, found)).tables["left_out"]
    rows = {row[0].text: [cell.text for cell in row[1:4]] for row in table.rows}
    assert {name: [text.split(" ")[0] for text in row] for name, row in rows.items()} == {
        "other": ["50.0%", "100.0%", "−50.0"],
        "AI": ["100.0%", "100.0%", "0.0"],
    }
    assert "Winning rate ω (ε = 0.2)" in table.columns


def test_leans_are_printed_with_the_protocols_rule(tmp_path: Path) -> None:
    protocol = pairs(tmp_path, analysis="{inconsistent: tie}")
    found = collected(protocol, changing=3)
    made = make_page(protocol, found, analyse(protocol, found))
    table = made.tables["leanings"]
    assert "counts as a tie" in table.caption
    assert "3 answers were touched" in table.caption
    said = {row[0].text: row[1].text for row in table.rows}
    assert said["AI: the same answer in the mirrored order"] == "75.0%"
    chinese = make_page(protocol, found, analyse(protocol, found), "zh")
    for row in chinese.tables["leanings"].rows:
        assert not re.search(r"[a-z]{4,} [a-z]{3,}", row[0].text), row[0].text
    assert not re.search(r"[a-z]{4,} [a-z]{3,}", chinese.tables["leanings"].caption)


def test_the_chapters_are_in_chinese_too(page: Page) -> None:
    chinese = make_page(page.protocol, triaged(page.protocol, pull=0.5)[0], page.results, "zh")
    for key in ("triage", "triage_quality_by_domain", "triage_curve_quality", "anchoring", "left_out"):
        table = chinese.tables[key]
        texts = [table.caption, table.title, *table.columns, *(row[0].text for row in table.rows)]
        english = [text for text in texts if re.search(r"[a-z’]{4,} [a-z’]{2,} ", text)]
        assert not english, english


def test_the_pages_are_typeset_in_every_form(page: Page, tmp_path: Path) -> None:
    found = triaged(page.protocol, pull=0.5)[0]
    names = {path.name for path in write_report(page.protocol, found, tmp_path, ("html", "md", "latex"))}
    assert {"triage.tex", "left_out.tex", "anchoring.tex", "triage_curve_quality.svg", "merged_scores.csv"} <= names
    assert pdf(page).startswith(b"%PDF-")


def test_the_merged_column_is_a_file_with_the_source_of_every_score(page: Page) -> None:
    found = triaged(page.protocol, pull=0.5)[0]
    files = data_files(page.protocol, found, page.results)
    head, *rows = files["merged_scores.csv"].splitlines()
    assert head == "section,question,item,score,source,human,ai,confidence,route,inclusion"
    assert len(rows) == 120
    for row in rows:
        _, _, _, score, source, human, ai, _, route, inclusion = row.split(",")
        assert score == (human if source == "human" else ai)
        assert (route == "review") == (inclusion == "1.0")
    assert "merged_scores.csv" in json.loads(files["results.json"])["files"]
    rows = files["annotations_more.csv"].splitlines()
    saw = [line for line in rows if line.rstrip(",").endswith("rater who saw the AI score")]
    assert len(saw) == len(found.anchored)


def test_the_studys_own_file_may_hold_the_merged_column(tmp_path: Path) -> None:
    protocol = scores(tmp_path, 40)
    path = protocol.folder / "study.yaml"
    own = "export: {own: {file: scored.csv, columns: {quality: quality}, holds: merged}}\n"
    path.write_text(path.read_text("utf-8") + own, "utf-8")
    protocol = load(protocol.folder)
    collected = triaged(protocol)[0]
    files = own_files(protocol, collected)
    values = [float(row["quality"]) for row in csv.DictReader(files["scored.csv"].splitlines())]
    (found,) = analyse(protocol, collected).select(statistic="merged mean", by="")
    assert len(values) == found.estimate.n_items == 40
    assert sum(values) / 40 == pytest.approx(found.estimate.value)
    status = list(csv.DictReader(files["scored_status.csv"].splitlines()))
    accepted = {route.item for route in collected.routes if route.to == "accepted"}
    assert {row["item"] for row in status if row["status"] == "judge’s score (accepted)"} == accepted != set()
