from __future__ import annotations

import re

from analyse.collecting import simulated
from quorate.analyse import analyse
from quorate.protocol import Protocol
from quorate.report.latex import as_latex, escaped, latex_files
from quorate.report.page import make_page
from quorate.report.tables import Cell, Table


def test_every_table_has_three_rules_and_as_many_cells_as_columns(protocol: Protocol) -> None:
    collected = simulated(protocol)
    files = latex_files(make_page(protocol, collected, analyse(protocol, collected)))
    tables = {name: text for name, text in files.items() if not name.endswith("/tables.tex")}
    assert "latex/agreement.tex" in tables
    for name, text in tables.items():
        assert [text.count(rf"\{rule}") for rule in ("toprule", "midrule", "bottomrule")] == [1, 1, 1], name
        body = re.sub(r"(?<!\\)%.*", "", text)
        assert body.count("{") - body.count(r"\{") == body.count("}") - body.count(r"\}"), name
        columns = re.search(r"\{@\{\}([lr]+)@\{\}\}", text)
        assert columns, name
        lines = body.split(r"\toprule")[1].split(r"\bottomrule")[0].replace(r"\midrule", "").split(r"\\")
        for line in lines:
            if line.strip():
                assert len(re.findall(r"(?<!\\)&", line)) == len(columns[1]) - 1, (name, line)


def test_every_number_carries_its_id_as_a_comment(protocol: Protocol) -> None:
    collected = simulated(protocol)
    text = latex_files(make_page(protocol, collected, analyse(protocol, collected)))["latex/agreement.tex"]
    assert "% recognise.idiom.fleiss_kappa.correctness\n" in text


def test_what_raters_typed_cannot_break_the_document() -> None:
    nasty = "50% & $x_1^2$ #3 {a} \\input{b} ~ <c> κ 中 é"
    assert escaped(nasty) == (
        r"50\% \& \$x\_1\textasciicircum{}2\$ \#3 \{a\} \textbackslash{}input\{b\} \textasciitilde{} "
        r"\textless{}c\textgreater{} $\kappa$ ? é"
    )
    body = as_latex(Table("t", "T", nasty, ("a_b",), ((Cell(nasty),),), (nasty,)))
    assert r"\input{" not in body
    assert not re.search(r"(?<!\\)[%#_&]", body)
