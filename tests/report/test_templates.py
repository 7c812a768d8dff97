from __future__ import annotations

import re
from dataclasses import replace

import pytest

from analyse.simulating import NAMES, simulate, template
from quorate.analyse import analyse
from quorate.protocol import Protocol
from quorate.records import Answer, Collected
from quorate.report import tables
from quorate.report.html import html
from quorate.report.latex import latex_files
from quorate.report.markdown import markdown
from quorate.report.page import make_page
from quorate.report.pdf import pdf

#: The tables and figures that each protocol asks for.
EXPECTED = {
    "abstract-visual": ("recognise_agreement", "recognise_recognition_concept_by_domain", "recognise_roles",
                        "compare_preference", "compare_preference_preference_by_domain", "compare_sides"),
    "media-preference": ("agreement_by_task_family", "agreement_shares_by_task_family", "preference", "strengths",
                         "dimensions", "differences", "tags_by_outcome", "consistency", "disagreements_winner"),
    "document-extraction": ("agreement", "scores_by_domain", "scores", "metrics"),
    "dialogue": ("scores_by_task_type", "scores_by_action_type", "scores_by_turn", "scores_by_model", "rates", "rules"),
    "visual-puns": ("agreement", "accuracy"),
}  # fmt: skip


def words_of(text: str) -> str:
    return re.sub(r"data:image[^\"]*|<style>.*?</style>|<svg.*?</svg>", "", text, flags=re.S)


@pytest.mark.parametrize("name", NAMES)
def test_each_template_has_the_tables_that_its_protocol_asks_for(name: str) -> None:
    protocol = template(name)
    collected = simulate(protocol)
    page = make_page(protocol, collected, analyse(protocol, collected))
    missing = [key for key in EXPECTED[name] if key not in page.tables]
    assert not missing, f"{missing} not in {list(page.tables)}"
    for table in (*page.tables.values(), page.evidence):
        assert all(len(row) == len(table.columns) for row in table.rows), table.key
    text = words_of(html(page))
    assert not re.search(r"\bnan\b|Infinity", text)
    assert all(chapter.title in markdown(page) for chapter in page.chapters)
    assert len(latex_files(page)) == len(page.tables) + 1


def test_the_domain_table_is_laid_out_as_the_document_has_it() -> None:
    protocol = template("document-extraction")
    collected = simulate(protocol)
    table = make_page(protocol, collected, analyse(protocol, collected)).tables["scores_by_domain"]
    assert table.columns == (
        "Domain", "Caption Accuracy", "Visual–Semantic Fidelity", "Structural Fidelity", "Items, type figure",
        "Items, type table",
    )  # fmt: skip
    rows = {row[0].text: [cell.text for cell in row[1:]] for row in table.rows}
    assert rows["Physics"][2] == "—"
    assert rows["Physics"][4] == "0"
    assert rows["All items"][3:] == ["16", "5"]


def all_alike(whole: Collected) -> Collected:
    """Every answer to a question is the first one; sides and systems are named as they stood."""
    first: dict[str, Answer] = {}
    for answer in whole.answers:
        if answer.value is not None and not isinstance(answer.value, dict):
            first.setdefault(answer.question, answer)
    said = (first.get(answer.question) if answer.value is not None else None for answer in whole.answers)
    pairs = zip(whole.answers, said, strict=True)
    return replace(whole, answers=tuple(a if s is None else replace(a, value=s.value, raw=s.raw) for a, s in pairs))


def all_tied(whole: Collected) -> Collected:
    same = {"winner": "tie", "preference": 0}
    return replace(whole, answers=tuple(replace(a, value=same.get(a.question, a.value)) for a in whole.answers))


def without_a_stratum(protocol: Protocol, whole: Collected) -> Collected:
    """Nobody answered about the items of the first value of the first breakdown."""
    by = protocol.analysis.by
    field = by if isinstance(by, str) else next(iter(by), protocol.file.items.id)
    gone = {item.id for item in whole.items if item.fields.get(str(field)) == whole.items[0].fields.get(str(field))}
    return replace(whole, answers=tuple(answer for answer in whole.answers if answer.item not in gone))


@pytest.mark.parametrize("name", NAMES)
def test_a_report_of_little_or_odd_data_says_what_cannot_be_said(name: str) -> None:
    protocol = template(name)
    whole = simulate(protocol)
    one = whole.answers[0].rater
    empty = (
        Collected((), ()),
        Collected(whole.items, ()),
        replace(whole, answers=tuple(a for a in whole.answers if a.rater == one)),
        replace(whole, participants=tuple(replace(p, status="withdrawn") for p in whole.participants)),
    )
    for collected in (*empty, all_alike(whole), all_tied(whole), without_a_stratum(protocol, whole)):
        page = make_page(protocol, collected, analyse(protocol, collected))
        text = markdown(page) if collected not in empty else words_of(html(page))
        assert "undefined" in text or collected not in empty
        # An option of the study begins with the word.
        assert not re.search(r"\bnan\b|Infinity|\bNone\b", text.replace("None of the above", ""))
        assert len(latex_files(page)) == len(page.tables) + 1


def test_a_stratum_in_which_one_pair_of_several_was_compared_says_which() -> None:
    protocol = template("media-preference")
    whole = simulate(protocol)
    safety = [item.id for item in whole.items if item["task_family"] == "safety"]
    kept = replace(whole, answers=tuple(answer for answer in whole.answers if answer.item not in safety[1:]))
    results = analyse(protocol, kept)
    found = [f.id for f in results.findings if f.statistic == "sign test" and f.stratum == "safety"]
    assert len(found) == 1
    assert re.fullmatch(r"compare\.winner\.sign_test\.\w+\.\w+\.by\.task_family\.safety", found[0])
    table = make_page(protocol, kept, results).tables["preference_winner_by_task_family"]
    assert all(len(row) == len(table.columns) for row in table.rows)


def test_the_same_study_gives_the_same_pdf_to_the_byte() -> None:
    protocol = template("media-preference")
    collected = simulate(protocol)
    made = [pdf(make_page(protocol, collected, analyse(protocol, collected))) for _ in range(2)]
    assert made[0] == made[1]
    assert made[0].startswith(b"%PDF-")


def test_the_pdf_of_an_empty_study_is_typeset() -> None:
    protocol = template("dialogue")
    collected = Collected((), ())
    assert pdf(make_page(protocol, collected, analyse(protocol, collected))).startswith(b"%PDF-")


@pytest.mark.parametrize("name", NAMES)
def test_results_stand_with_and_without_excluded_raters(name: str) -> None:
    protocol = template(name)
    whole = simulate(protocol)
    first, *rest = whole.participants
    collected = replace(whole, participants=(replace(first, status="excluded"), *rest))
    results = analyse(protocol, collected)
    before = {f.id: f.estimate.value for f in analyse(protocol, whole).findings}
    assert {f.id: f.estimate.value for f in results.with_excluded} == before
    table = tables.exclusions(results)
    moved = [row for row in table.rows if row[1].text != row[2].text]
    assert moved
    assert {finding.inquiry for finding in results.findings if finding.id in {row[1].id for row in table.rows}} >= (
        {finding.inquiry for finding in results.findings if finding.primary and not finding.by}
    )
