from __future__ import annotations

from dataclasses import replace

from analyse.collecting import RATERS, simulated, written
from quorate.analyse import Results, analyse
from quorate.protocol import Protocol
from quorate.records import Estimate
from quorate.report import tables
from quorate.report.page import make_page


def with_kappa(results: Results, value: float, band: str) -> Results:
    first, *rest = results.findings
    return replace(results, findings=(replace(first, estimate=Estimate(value), band=band), *rest))


def test_a_band_that_differs_from_the_published_one_has_a_note(protocol: Protocol) -> None:
    results = analyse(protocol, simulated(protocol))
    at_the_edge = tables.agreement(with_kappa(results, 0.4, "moderate"))
    assert any("“fair” in the bands as published" in str(note) for note in at_the_edge.notes)
    inside = tables.agreement(with_kappa(results, 0.5, "moderate"))
    assert not any("Fleiss’ κ (all" in str(note) and "as published" in str(note) for note in inside.notes)


def test_every_row_has_a_cell_for_each_column(protocol: Protocol) -> None:
    for collected in (simulated(protocol), written(protocol, {}), written(protocol, dict.fromkeys(RATERS, "++++++++"))):
        page = make_page(protocol, collected, analyse(protocol, collected))
        for table in (*page.tables.values(), page.evidence):
            assert {len(row) for row in table.rows} <= {len(table.columns)}, table.key


def test_what_is_undefined_says_why_below_the_table(protocol: Protocol) -> None:
    results = analyse(protocol, written(protocol, dict.fromkeys(RATERS, "++++++++"), judge="++++++++"))
    table = tables.agreement(results)
    assert {str(row[1].text) for row in table.rows} == {"undefined"}
    assert any("every rating is in one category" in str(note) for note in table.notes)
