"""Each judge is held against each person who is left out, and each of them is told."""

from __future__ import annotations

from pathlib import Path

from analyse.judging import pairs, said
from inquiries.telling import english_in, parts, rest_on_what_is_there, texts
from quorate.analyse import analyse
from quorate.exhibits.blocks import Block, Drawing
from quorate.exhibits.tables import Table
from quorate.inquiries.replaceable import Replaceable
from quorate.protocol import Protocol, load
from quorate.records import Collected

LINES = {"other": ["ours", "theirs"] * 20, "ai": ["ours"] * 40, "R1": ["ours"] * 40, "R2": ["ours"] * 40}


def two_judges(folder: Path) -> tuple[Protocol, Collected]:
    pairs(folder, 40)
    path = folder / "study.yaml"
    path.write_text(path.read_text().replace("judges:\n", "judges:\n  other: {simulated: {seed: 2}}\n"))
    protocol = load(folder)
    answers = tuple(
        said(f"i{k}", who, value, "rater" if who.startswith("R") else "judge", at="compare")
        for who, line in LINES.items()
        for k, value in enumerate(line)
    )
    return protocol, Collected(protocol.pool, answers)


def shown(protocol: Protocol, collected: Collected) -> list[Block]:
    part = next(parts(protocol, collected, analyse(protocol, collected)))
    return list(Replaceable().exhibits(part))


def test_each_of_two_judges_is_told(tmp_path: Path) -> None:
    table, figure = shown(*two_judges(tmp_path))
    assert isinstance(table, Table)
    assert isinstance(figure, Drawing)
    assert "AI minus that person: 0.0 points" in str(table.caption)
    assert "other minus that person: −50.0 points" in str(table.caption)
    assert all(name in figure.svg for name in ("AI minus R1", "AI minus R2", "other minus R1", "other minus R2"))


def test_one_rater_an_item_leaves_nobody_whom_others_could_be_held_against(tmp_path: Path) -> None:
    pairs(tmp_path)
    path = tmp_path / "study.yaml"
    path.write_text(path.read_text().replace("per_item: 3, roster: 3", "per_item: 1, roster: 2"))
    protocol = load(tmp_path)
    answers = [said(f"i{k}", "ai", "ours", "judge", at="compare") for k in range(12)]
    answers += [said(f"i{k}", "R1", "ours", at="compare") for k in range(12)]
    collected = Collected(protocol.pool, tuple(answers))
    assert not analyse(protocol, collected).select(inquiry="left out")
    assert not shown(protocol, collected)


def test_where_nobody_shares_an_item_with_another_person_nothing_is_claimed(tmp_path: Path) -> None:
    protocol = pairs(tmp_path)
    answers = [said(f"i{k}", "ai", "ours", "judge", at="compare") for k in range(12)]
    answers += [said(f"i{k}", f"R{1 + k % 2}", "ours", at="compare") for k in range(12)]
    table, figure = shown(protocol, Collected(protocol.pool, tuple(answers)))
    assert isinstance(figure, Drawing)
    assert not figure.svg
    assert isinstance(table, Table)
    assert str(table.caption) == "No judge can be held against people yet."
    assert {str(cell.text) for cell in table.rows[0][1:]} == {"undefined"}
    assert any("undefined, since" in str(note) for note in table.notes)


def test_sentences_go_with_what_they_rest_on_and_are_chinese_in_chinese(tmp_path: Path) -> None:
    protocol, collected = two_judges(tmp_path)
    assert rest_on_what_is_there(Replaceable(), protocol, collected) == 2
    assert not english_in(texts(Replaceable(), protocol, collected), "other", "Calderon", "Reichart", "Dror")
