from __future__ import annotations

from xml.etree import ElementTree

from analyse.collecting import simulated, written
from quorate.analyse import analyse
from quorate.exhibits import figures
from quorate.protocol import Protocol


def test_figures_are_drawings_that_show_every_label(protocol: Protocol) -> None:
    results = analyse(protocol, simulated(protocol))
    text = "".join(ElementTree.fromstring(figures.agreement(results)).itertext())
    for label in ("Fleiss’ κ on correctness", "A1 vs A2", "Majority vs MLLM", "substantial"):
        assert label in text, label


def test_without_values_there_is_no_figure(protocol: Protocol) -> None:
    results = analyse(protocol, written(protocol, {}))
    assert figures.agreement(results) == ""
