"""What an author has still to write is found wherever raters would read it, and nothing else is taken for it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from quorate.protocol import load
from quorate.protocol.placeholders import placeholders
from words import words

SETTINGS = "per_item: 3\nroster: 3"


@pytest.mark.parametrize(
    "text",
    [
        "Replace this line with the name of the board.",
        "*Replace  this\nparagraph* with yours.",
        "Questions? Write to [your name] at once.",
        "You are paid [insert the amount].",
        "请将本行替换为伦理委员会的名称。",
        "联系人：待填写",
        "# Consent\n\nTODO: who pays",
        "Lorem ipsum dolor sit amet.",
        "**Replace** this line with the board.",
        "Replace these lines.",
        "Write to <your name> or {who}.",
        "Approved by {{board}}.",
        "Approved by [INSTITUTION], 2026.",
        "Contact: TODO",
        "伦理委员会：【请填写】",
        "替换此行。",
    ],
)
def test_what_is_still_to_be_written_is_found_in_every_text(text: str, tmp_path: Path) -> None:
    protocol = load(words(tmp_path / "s", SETTINGS))
    told = [str(one) for one in placeholders(replace(protocol, texts={"consent.md": text}))]
    assert len(told) == 1
    assert told[0].startswith("consent.md:")


def test_what_the_study_file_says_to_raters_is_read_too(tmp_path: Path) -> None:
    folder = words(
        tmp_path / "s", f"{SETTINGS}\ncompensation: Replace this line with the pay\ncontact: '[your address]'"
    )
    found = [str(one) for one in placeholders(load(folder))]
    lines = (folder / "study.yaml").read_text().splitlines()
    for what, told in zip(("compensation", "contact"), found, strict=True):
        line = next(number for number, text in enumerate(lines, 1) if what in text)
        assert told.startswith(f"study.yaml:{line}: raters.{what}: “")


@pytest.mark.parametrize(
    "text",
    [
        "Does the code still hold a TODO?",
        "You may replace a word with another one.",
        "Which line did the model replace? [1], [a], [name]",
        "Your name is not asked for.",
        "本行有错字吗？",
        "The board [IRB] has approved it; see {name}.",
    ],
)
def test_what_a_study_may_well_say_is_left_alone(text: str, tmp_path: Path) -> None:
    protocol = load(words(tmp_path / "s", SETTINGS))
    assert list(placeholders(replace(protocol, texts={"consent.md": text}))) == []


@pytest.mark.parametrize(
    "text",
    [
        "Replace this sentence with a simpler one.",
        "How would you replace this paragraph?",
        "[insert] and [delete] mark what was changed; {{slots}} stay as they are.",
        "Is the lorem ipsum still on the page?",
        "请在此填写您的回答。",
    ],
)
def test_what_raters_are_asked_to_do_is_no_gap_in_the_study(text: str, tmp_path: Path) -> None:
    folder = words(tmp_path / "s", SETTINGS)
    file = folder / "study.yaml"
    prompt = next(line for line in file.read_text().splitlines() if "prompt:" in line)
    file.write_text(file.read_text().replace(prompt, re.sub(r"prompt: [^,}]+", f"prompt: '{text}'", prompt)))
    protocol = load(folder)
    assert text in str(protocol.sections[0].ask)
    assert list(placeholders(replace(protocol, texts={"instructions.md": text}))) == []
