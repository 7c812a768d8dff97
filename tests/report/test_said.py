"""Each sentence of a report stands in results.json with what it rests on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analyse.simulating import TEMPLATES, simulate, template
from quorate.analyse import analyse
from quorate.report import write_report
from quorate.report.facts import holds

NAMES = sorted(path.name for path in TEMPLATES.iterdir() if (path / "study.yaml").is_file())


def plain(text: str) -> str:
    return text.replace("\\", "")


@pytest.mark.parametrize("name", NAMES)
def test_what_the_report_says_is_listed_with_what_makes_it_true(name: str, tmp_path: Path) -> None:
    protocol = template(name)
    collected = simulate(protocol)
    write_report(protocol, collected, tmp_path, ("md",))
    held = json.loads((tmp_path / "results.json").read_text("utf-8"))
    ids = {one["id"] for one in held["estimates"]}
    results = analyse(protocol, collected)
    printed = plain((tmp_path / "report.md").read_text("utf-8"))
    told = held["sentences"]
    assert {"first screen", "limits", "conventions", "methods: Statistics"} <= {one["where"] for one in told}
    for sentence in told:
        assert set(sentence["estimates"]) <= ids, sentence
        for fact in sentence["facts"]:
            assert holds(fact, protocol, results), sentence
        if not sentence["where"].startswith("results"):
            assert plain(sentence["text"]) in printed, sentence


def test_the_sentences_are_the_same_whatever_language_the_report_is_in(tmp_path: Path) -> None:
    protocol = template("dialogue")
    collected = simulate(protocol)
    for language in ("en", "zh"):
        write_report(protocol, collected, tmp_path / language, (), language)
    english, chinese = ((tmp_path / language / "results.json").read_text("utf-8") for language in ("en", "zh"))
    assert english == chinese
