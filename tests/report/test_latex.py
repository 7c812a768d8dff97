from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from shutil import which
from subprocess import run

import pytest

from analyse.collecting import simulated
from analyse.simulating import NAMES, simulate, template
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
        spec = re.search(r"\\begin\{tabular\}\{@\{\}(.*)@\{\}\}", text)
        assert spec, name
        n = len(re.sub(r">\{[^}]*\}p\{[^}]*\}", "p", spec[1]))
        inside = body.split(r"\toprule")[1].split(r"\bottomrule")[0].replace(r"\midrule", "")
        lines = re.sub(r"\\shortstack\[.\]\{(?:[^{}]|\{[^{}]*\}|\{(?:[^{}]|\{[^{}]*\})*\})*\}", "", inside).split(r"\\")
        for line in lines:
            if line.strip():
                assert len(re.findall(r"(?<!\\)&", line)) == n - 1, (name, line)


@pytest.mark.skipif(which("pdflatex") is None, reason="there is no pdflatex here")
@pytest.mark.parametrize("name", NAMES)
def test_the_tables_of_a_template_compile_and_fit_the_line(name: str, tmp_path: Path) -> None:
    protocol = template(name)
    collected = simulate(protocol)
    for file, text in latex_files(make_page(protocol, collected, analyse(protocol, collected))).items():
        (tmp_path / Path(file).name).write_text(text, "utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "tables.tex"]
    done = run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    too_wide = [float(points) for points in re.findall(r"Overfull \\hbox \(([\d.]+)pt", done.stdout)]
    assert max(too_wide, default=0) < 10


def test_a_table_that_is_too_wide_wraps_its_texts_and_keeps_every_number() -> None:
    long = "an answer that goes on and on " * 4
    table = Table("t", "T", "c", ("A", "B", "C"), ((Cell(long), Cell("1.00", small="[0.90, 1.00]"), Cell(long)),))
    text = as_latex(table)
    assert text.count(r"\raggedright") == 2
    assert "1.00" in text
    assert "[0.90, 1.00]" in text


def test_chinese_tables_keep_their_letters() -> None:
    table = Table("t", "T", "一致性", ("指标",), ((Cell("中文"),),))
    assert "中文" in as_latex(table, language="zh")


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
    text = as_latex(Table("t", "T", nasty, ("a_b",), ((Cell(nasty),),), (nasty,)))
    body = re.sub(r"(?m)^%.*\n", "", text)
    assert r"\input{" not in body
    assert not re.search(r"(?<!\\)[%#_&]", body)


def test_a_name_keeps_its_letters_and_the_table_says_what_prints_them() -> None:
    table = Table("t", "T", "c", ("A", "n"), ((Cell("生活"), Cell("1")), (Cell("科技"), Cell("2"))))
    text = as_latex(table)
    assert "生活" in text
    assert "科技" in text
    assert text.startswith("% xelatex")
    assert not as_latex(replace(table, rows=((Cell("naïve"), Cell("1")),))).startswith("% xelatex")
    # "Ａ" of full width is another name than "A", and "（v2）" is not "(v2)".
    full = as_latex(replace(table, rows=((Cell("Ａ（v2）＝"), Cell("1")),)))
    assert full.startswith("% xelatex")
    assert "Ａ（v2）＝" in full
