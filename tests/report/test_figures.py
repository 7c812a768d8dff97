from __future__ import annotations

from xml.etree import ElementTree

from analyse.collecting import RATERS, simulated, written
from quorate.analyse import analyse
from quorate.exhibits import figures
from quorate.protocol import Protocol
from quorate.sheets.sheet import sheets


def test_figures_are_drawings_that_show_every_label(protocol: Protocol) -> None:
    results = analyse(protocol, simulated(protocol))
    for drawn, labels in (
        (figures.agreement(results), ["Fleiss’ κ on correctness", "A1 vs A2", "Majority vs MLLM", "substantial"]),
        (figures.accuracy(results), ["Majority accuracy", "A3", "MLLM"]),
    ):
        text = "".join(ElementTree.fromstring(drawn).itertext())
        for label in labels:
            assert label in text, label


def test_a_rater_is_a_row_and_an_item_a_column(protocol: Protocol) -> None:
    (sheet,) = sheets(protocol, written(protocol, dict.fromkeys(RATERS, "+-+-+-+-"), judge="++++----"))
    drawn = figures.answers(sheet, protocol.analysis.verdict.majority, "mllm")
    assert drawn.count(f'fill="{figures.BLUE}"') == 5 * 4
    assert drawn.count(f'fill="{figures.RULE}"') == 5 * 4


def test_without_values_there_is_no_figure(protocol: Protocol) -> None:
    results = analyse(protocol, written(protocol, {}))
    assert figures.agreement(results) == ""
    assert figures.accuracy(results) == ""


def test_two_figures_share_no_id(protocol: Protocol) -> None:
    results = analyse(protocol, simulated(protocol))
    ids = [
        {node.get("id") for node in ElementTree.fromstring(drawn).iter() if node.get("id")}
        for drawn in (figures.agreement(results), figures.accuracy(results))
    ]
    assert not ids[0] & ids[1]
