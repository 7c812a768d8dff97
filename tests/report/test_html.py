from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from html import unescape
from html.parser import HTMLParser
from urllib.parse import unquote

from analyse.collecting import RATERS, answer, finished, simulated, votes, written
from quorate.analyse import analyse
from quorate.protocol import Protocol
from quorate.records import Collected
from quorate.report.html import apart, html
from quorate.report.page import SIMULATED, make_page

VOID = {"meta", "img", "br", "wbr", "link", "input", "hr"}


class Outline(HTMLParser):
    """The ids, links and sources of a page; it complains about tags that do not match."""

    def __init__(self, text: str):
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.sources: list[str] = []
        self.tags: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        assert not self.open, self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.tags.append(tag)
        self.ids += [found["id"]] if "id" in found else []
        self.links += [found["href"]] if tag == "a" else []
        self.sources += [found["src"]] if "src" in found else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, tag


def page_of(protocol: Protocol, collected: Collected) -> str:
    return html(make_page(protocol, collected, analyse(protocol, collected)))


def test_the_page_needs_nothing_beside_it(protocol: Protocol) -> None:
    text = page_of(protocol, simulated(protocol))
    outline = Outline(text)
    assert outline.sources
    assert all(source.startswith("data:image/") for source in outline.sources)
    assert not {"link", "iframe"} & set(outline.tags)
    assert outline.tags.count("script") == 3, "its words, its answers and its own script"
    assert not re.search(r"url\((?!#)|@import", text)


def test_every_number_leads_to_its_rows(protocol: Protocol) -> None:
    collected = simulated(protocol)
    outline = Outline(page_of(protocol, collected))
    ids = {finding.id for finding in analyse(protocol, collected).findings}
    assert ids <= set(outline.ids)
    assert len(outline.ids) == len(set(outline.ids))
    assert "annotations_raw.csv" in outline.links
    inner = {unquote(link[1:]) for link in outline.links if link.startswith("#")}
    assert inner <= set(outline.ids)


def test_a_rehearsal_says_so_and_a_study_does_not(protocol: Protocol) -> None:
    collected = simulated(protocol)
    assert str(SIMULATED) in page_of(protocol, collected)
    assert "SIMULATED" in page_of(protocol, collected)
    real = page_of(protocol, replace(collected, simulated=False))
    assert "imulated" not in real
    assert "SIMULATED" not in real


def test_what_raters_typed_is_text_and_never_markup(protocol: Protocol) -> None:
    collected = written(protocol, dict.fromkeys(RATERS, "++++----"), judge="++++++++")
    typed = "<script>alert(1)</script> & <b>"
    rows = tuple(
        answer(protocol, item, row.rater, typed, row.seq) if row.by == "rater" else row
        for row in collected.answers
        for item in collected.items
        if item.id == row.item
    )
    text = page_of(protocol, replace(collected, answers=rows))
    assert text.count("<script") == 3
    assert "&lt;script&gt;" in text


def test_the_page_runs_its_own_script_alone(protocol: Protocol) -> None:
    text = page_of(protocol, simulated(protocol))
    script = re.search(r"<script>(.*?)</script>", text, re.DOTALL)
    assert script is not None
    own = b64encode(sha256(script[1].encode()).digest()).decode()
    assert f"script-src 'sha256-{own}';" in unescape(text)


def test_the_tables_of_the_document_are_all_there(protocol: Protocol) -> None:
    text = page_of(protocol, simulated(protocol))
    for words in (
        "Fleiss’ κ (all three annotators)",
        "Cohen’s κ (A1 vs A2)",
        "Mean individual accuracy",
        "Majority accuracy (≥2/3 correct)",
        "Unanimous accuracy (3/3 correct)",
        "Agreement rate",
        "Cohen’s κ (human majority vs MLLM)",
        "Human majority incorrect",
        "MLLM false negatives",
        "Genuine generation failures",
        "Annotator ID",
    ):
        assert words in text, words
    assert "To be filled" not in text


def test_a_report_without_answers_says_what_cannot_be_said(protocol: Protocol) -> None:
    gone = tuple(finished(rater, "withdrawn") for rater in RATERS)
    for collected in (
        Collected((), ()),
        written(protocol, {}),
        written(protocol, {"A1": "+-+-+-+-"}),
        written(protocol, dict.fromkeys(RATERS, "++++++++"), judge="++++++++"),
        replace(simulated(protocol), participants=gone),
    ):
        text = page_of(protocol, collected)
        Outline(text)
        assert "undefined" in text
        assert not re.search(
            r"\bnan\b|None|Infinity", re.sub(r"data:image[^\"]*|<style>.*?</style>", "", text, flags=re.S)
        )


def test_decisions_and_exclusions_are_told(protocol: Protocol) -> None:
    collected = simulated(protocol)
    item = collected.items[0]
    typed = str(item["target_idiom"]).replace("meets", "meet")
    rows = tuple(
        answer(protocol, item, "A1", typed, row.seq) if (row.item, row.rater) == (item.id, "A1") else row
        for row in collected.answers
    )
    case = next(c for c in analyse(protocol, replace(collected, answers=rows)).borderline if c.example == typed)
    people = (*collected.participants[:2], finished("A3", "excluded"))
    cast = votes(case.target, case.canonical, True, True, True)
    text = page_of(protocol, replace(collected, answers=rows, votes=cast, participants=people))
    assert "1 answer became correct" in text
    assert "3 : 0" in text
    assert "Excluded raters kept in" in text


def test_a_name_from_right_to_left_leaves_the_numbers_beside_it_in_their_order() -> None:
    assert apart("דגם (1.29 [0.50, 2.00])") == "<bdi>דגם</bdi> (1.29 [0.50, 2.00])"
