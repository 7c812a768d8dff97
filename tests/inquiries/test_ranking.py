"""In what order several systems stand, and which of them are said not to be told apart."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest

from inquiries.arenas import HOSTILE, answered, arena, by_place
from inquiries.telling import english_in, rest_on_what_is_there, sentences, texts
from quorate.analyse import Results, analyse
from quorate.exhibits.blocks import Drawing
from quorate.exhibits.tables import Table
from quorate.inquiries.ranking import Ranking, ordered
from quorate.protocol import Protocol
from quorate.records import Collected
from quorate.report.latex import latex_files
from quorate.report.page import Page, make_page
from quorate.statistics import letter_groups

ASK = [{"id": "vote", "winner": {"prompt": "Which is better?"}}]
ALONE = [{"id": "vote", "winner": {"prompt": "Which is better?", "tie": False}}]


@pytest.fixture(scope="module")
def protocol(tmp_path_factory: pytest.TempPathFactory) -> Protocol:
    folder = tmp_path_factory.mktemp("ranking") / "study"
    return arena(folder, HOSTILE, 12, ASK, section={"hide": ["one", "other"]})


@pytest.fixture(scope="module")
def collected(protocol: Protocol) -> Collected:
    return answered(protocol, by_place(HOSTILE, 3))


@pytest.fixture(scope="module")
def results(protocol: Protocol, collected: Collected) -> Results:
    return analyse(protocol, collected)


@pytest.fixture(scope="module")
def page(protocol: Protocol, collected: Collected, results: Results) -> Page:
    return make_page(protocol, collected, results)


def told(protocol: Protocol, say: Callable[[str, int, Mapping[str, str], str], str | None]) -> str:
    collected = answered(protocol, say)
    return " ".join(map(str, sentences(Ranking(), protocol, collected, analyse(protocol, collected))))


def test_systems_stand_in_the_order_of_their_strengths_with_every_name_whole(page: Page) -> None:
    table = page.tables["strengths"]
    assert tuple(row[0].text for row in table.rows) == HOSTILE
    assert table.columns[0] == "System"
    assert table.columns[-1] == "Groups"
    latex = next(text for name, text in latex_files(page).items() if "strengths" in name)
    assert all(word in latex for word in ("gpt-4.1", "claude 3.5, tuned", "a | b", "so that no figure has room"))


def test_systems_that_share_a_letter_are_those_that_no_corrected_test_tells_apart(results: Results, page: Page) -> None:
    letters = {row[0].text: set(str(row[-1].text).split()) for row in page.tables["strengths"].rows}
    gaps = results.select(statistic="strength difference")
    assert len(gaps) == 28
    assert all(one.p_adjusted is not None and one.p_adjusted >= (one.estimate.p or 0) for one in gaps)
    told_apart = {one.systems for one in gaps if one.p_adjusted is not None and one.p_adjusted <= 0.05}
    for one in gaps:
        assert bool(letters[one.systems[0]] & letters[one.systems[1]]) is (one.systems not in told_apart), one.systems
    assert 0 < len(told_apart) < 28
    assert any(len(own) > 1 for own in letters.values()), "a system may be in several groups"


def test_the_headline_names_the_first_and_those_it_cannot_be_told_apart_from(results: Results, page: Page) -> None:
    (line,) = [one for one in page.in_short if "ranks first of eight systems" in one]
    assert line.startswith("“gpt-4.1” (log-strength ")
    order = ordered(results.select(statistic="bradley terry"), results.select(statistic="strength difference"))
    alike = order.alike("gpt-4.1")
    assert alike
    assert all(f"“{name}”" in line for name in alike)
    assert "at the 5% level" in line


def test_the_ranking_is_the_figure_of_the_first_screen(page: Page) -> None:
    assert page.key_figure is not None
    assert page.key_figure.key == "strengths"


def test_the_figure_holds_every_name_whole_and_a_letter_for_each_group(results: Results, page: Page) -> None:
    assert page.key_figure is not None
    drawn = ElementTree.fromstring(page.key_figure.svg)
    labels = [" ".join(text.itertext()) for text in drawn.iter() if text.tag.endswith("}text")]
    assert set(HOSTILE) <= set(labels)
    assert {"a", "b"} <= set(labels)


def test_the_figure_gives_names_in_lines_that_stay_on_it(page: Page) -> None:
    assert page.key_figure is not None
    drawn = ElementTree.fromstring(page.key_figure.svg)
    longest = next(text for text in drawn.iter() if text.tag.endswith("}text") and len(list(text)) > 1)
    assert len(list(longest)) > 1
    assert "…" not in "".join(drawn.itertext())


def test_where_nothing_is_told_apart_that_is_said(tmp_path: Path) -> None:
    names = ("A", "B", "C")
    circle = {frozenset("AB"): "A", frozenset("BC"): "B", frozenset("AC"): "C"}
    protocol = arena(tmp_path / "study", names, 4, ASK)
    text = told(protocol, lambda item, who, sides, id: circle[frozenset(sides.values())])
    assert "ranks first of three systems, but no two of them can be told apart at the 5% level." in text
    assert "Davidson’s (1970) ties" in text


def test_where_all_are_told_apart_the_order_is_said(tmp_path: Path) -> None:
    names = ("C", "B", "A")
    protocol = arena(tmp_path / "study", names, 60, ALONE)
    text = told(protocol, by_place(names, 6))
    assert "every two of them are told apart at the 5% level. The order is “C”, “B” and “A”." in text
    assert "Strengths are Bradley and Terry’s (1952), from one verdict an item." in text
    assert "tie" not in text


def test_systems_that_cannot_be_ranked_are_said_not_to_be_and_why(tmp_path: Path) -> None:
    names = ("A, B", "C", "D")
    protocol = arena(tmp_path / "study", names, 3, ASK)
    collected = answered(protocol, lambda item, who, sides, id: min(sides.values(), key=names.index))
    text = " ".join(map(str, sentences(Ranking(), protocol, collected, analyse(protocol, collected))))
    assert "The three systems cannot be ranked, since nothing ever beat or tied “A, B”, so its strength has" in text
    page = make_page(protocol, collected, analyse(protocol, collected))
    assert "strengths" not in {drawing.key for chapter in page.chapters for drawing in chapter.drawings}
    assert "Groups: systems" not in str(page.tables["strengths"].notes)


def test_two_systems_have_no_ranking(tmp_path: Path) -> None:
    protocol = arena(tmp_path / "study", ("A", "B"), 9, ALONE)
    collected = answered(protocol, lambda item, who, sides, id: sides["left"])
    assert not analyse(protocol, collected).select(inquiry="strengths")


def test_sentences_go_with_what_they_rest_on(protocol: Protocol, collected: Collected) -> None:
    assert rest_on_what_is_there(Ranking(), protocol, collected) == 3


def test_it_is_chinese_in_chinese(protocol: Protocol, collected: Collected) -> None:
    own = (*HOSTILE, "Bradley", "Terry", "Davidson", "Wald", "Piepho")
    found = [text.replace("\n", " ") for text in texts(Ranking(), protocol, collected)]
    words = [re.sub(r"&\w+;", "", text) for text in found]
    pieces = (piece for name in own for piece in name.split())
    assert not english_in(words, *own, *pieces)


def test_groups_are_the_largest_sets_of_which_no_two_are_told_apart() -> None:
    names = tuple("abcdefg")
    for seed in range(40):
        pairs = list(combinations(names, 2))
        apart = {pair for k, pair in enumerate(pairs) if (k * 7919 + seed * 104729) % 11 < 4}
        groups = letter_groups(names, apart)
        free = [
            set(some) for size in range(1, 8) for some in combinations(names, size)
            if not any(pair in apart for pair in combinations(some, 2))
        ]  # fmt: skip
        largest = [one for one in free if not any(one < other for other in free)]
        assert sorted(map(sorted, groups)) == sorted(map(sorted, largest))


def test_tables_and_figures_of_it_say_different_things(page: Page) -> None:
    chapter = next(one for one in page.chapters if one.title == "Ranking of the systems")
    captions = [block.caption for block in chapter.blocks if isinstance(block, Table | Drawing)]
    assert len(set(captions)) == len(captions) == 3
