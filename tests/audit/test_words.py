"""Words in an item's own texts that may tell what is hidden are listed, for people to judge."""

from __future__ import annotations

from pathlib import Path

from quorate.audit import audit
from quorate.audit.words import identity_words
from quorate.protocol import load
from words import words


def told(folder: Path, text: str, hide: str = "") -> list[str]:
    words(folder, "per_item: 1\nroster: 1", n=2)
    path = folder / "study.yaml"
    path.write_text(path.read_text().replace("raters:\n", f"    hide: [{hide}]\nraters:\n"))
    (folder / "words.csv").write_text(f'id,word,field,system\nw1,"{text}",law,PlainSketch\nw2,nothing,art,Other\n')
    protocol = load(folder)
    return [str(warned) for warned in identity_words(protocol, protocol.pool)]


def test_a_hidden_system_in_a_text_is_listed(tmp_path: Path) -> None:
    found = told(tmp_path / "s", "A reply by plainsketch, as always", hide="system")
    assert found == ["item w1, word: “PlainSketch” (its system)"]


def test_a_model_that_names_itself_is_listed(tmp_path: Path) -> None:
    assert told(tmp_path / "s", "As ChatGPT, I cannot say") == [
        "item w1, word: “ChatGPT” (the name of a model or its maker)"
    ]


def test_parts_of_longer_words_are_not_listed(tmp_path: Path) -> None:
    assert told(tmp_path / "s", "plainsketches and soranova", hide="system") == []


def test_warnings_do_not_fail_an_audit(tmp_path: Path) -> None:
    told(tmp_path / "s", "As ChatGPT, I cannot say")
    found = audit(tmp_path / "s")
    assert found.ok
    assert "ChatGPT" in str(found)
    assert found.as_dict()["warnings"][0]["word"] == "ChatGPT"
