from __future__ import annotations

import re
from dataclasses import replace

from markdown_it import MarkdownIt

from analyse.collecting import simulated, written
from quorate.analyse import analyse
from quorate.protocol import Protocol
from quorate.records import Collected
from quorate.report.markdown import as_markdown, markdown
from quorate.report.page import make_page
from quorate.report.tables import Cell, Table


def text_of(protocol: Protocol, collected: Collected) -> str:
    return markdown(make_page(protocol, collected, analyse(protocol, collected)))


def test_every_number_stands_in_the_markdown_with_its_id(protocol: Protocol) -> None:
    collected = simulated(protocol)
    plain = text_of(protocol, collected).replace("\\", "")
    for finding in analyse(protocol, collected).findings:
        assert finding.id in plain


def test_the_tables_are_tables_for_a_reader_of_markdown(protocol: Protocol) -> None:
    rendered = MarkdownIt("commonmark").enable("table").render(text_of(protocol, simulated(protocol)))
    assert rendered.count("<table>") >= 9
    assert not re.search(r"<p>[^<]*\|---", rendered)


def test_an_answer_with_marks_stays_one_cell() -> None:
    table = Table("t", "T", "c", ("a", "b"), ((Cell("x | y\n**z** <b>"), Cell("1")),))
    rendered = MarkdownIt("commonmark").enable("table").render(as_markdown(table, "Table 1."))
    assert "<td>x | y **z** &lt;b&gt;</td>" in rendered


def test_a_report_without_answers_reads_as_one(protocol: Protocol) -> None:
    text = text_of(protocol, written(protocol, {}))
    assert "undefined" in text
    assert "To be filled" not in text
    assert not re.search(r"\bnan\b|None\b", text.replace("None that a rule", ""))


def test_names_of_a_study_are_no_markup_wherever_they_stand(protocol: Protocol) -> None:
    titled = replace(protocol, file=protocol.file.model_copy(update={"title": "*Puns* of a_b"}))
    text = text_of(titled, simulated(titled))
    assert r"# \*Puns\* of a\_b ·" in text
    assert "**Table 1.**" in text
