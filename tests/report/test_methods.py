from __future__ import annotations

from pathlib import Path

from analyse.collecting import simulated
from quorate.analyse import analyse
from quorate.protocol import Protocol, load
from quorate.report.methods import methods


def text_of(protocol: Protocol) -> str:
    return " ".join(paragraph.text for paragraph in methods(protocol, analyse(protocol, simulated(protocol))))


def test_the_methods_say_what_the_protocol_says(protocol: Protocol) -> None:
    text = text_of(protocol)
    for words in (
        "8 items were drawn from a pool of 12",
        "the seed 42",
        "planned for three raters",
        "“How well do you speak English?” (Native or Fluent)",
        "two practice items",
        "an optional break after 4 items",
        "“Which English idiom does this image represent?”",
        "lowercase, no articles and no punctuation",
        "at least two of three answers",
        "half-open as the protocol writes them",
        "target idiom",
    ):
        assert words in text, words


def test_the_methods_follow_the_study_file(study_folder: Path) -> None:
    file = study_folder / "study.yaml"
    changed = file.read_text().replace("bands: half-open", "bands: published\n  confidence: 0.9")
    file.write_text(changed.replace("sample: {n: 8}", "sample: {n: 8, method: python random}"))
    text = text_of(load(study_folder))
    assert "closed at two decimals as published" in text
    assert "a 90% interval" in text
    assert "random.sample" in text
