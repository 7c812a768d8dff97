"""How each system of a pair or a set is rated, and which of them are said to be told apart."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from inquiries.arenas import HOSTILE, answered, arena, imported, written
from inquiries.telling import english_in, rest_on_what_is_there, sentences, texts
from quorate.analyse import Results, analyse
from quorate.inquiries.dimensions import Dimensions
from quorate.protocol import Protocol
from quorate.records import Collected
from quorate.report.page import Page, make_page

POINTS = [1, 2, 3, 4, 5]


def each(id: str, prompt: str, **rest: Any) -> dict[str, Any]:
    return {"id": id, "rating": {"prompt": prompt, "points": POINTS, "each": "side", **rest}}


def of_set(
    folder: Path, names: Sequence[str], n: int, ask: Sequence[Mapping[str, Any]], per_item: int = 1, **rest: Any
) -> Protocol:
    """Every item shows an output of every system."""
    rows = [
        {"id": f"i{k:03d}", "lang": "C++" if k % 3 else "C", **{f"out{j}": f"text {k} {j}" for j in range(len(names))}}
        for k in range(n)
    ]
    kind = "set" if len(names) > 2 else "pair"
    show = [{kind: {"text": {}, "systems": {name: f"out{j}" for j, name in enumerate(names)}}}]
    return written(folder, rows, show, ask, per_item, **rest)


def marked(marks: Mapping[str, Callable[[int], int]]) -> Callable[[str, int, Mapping[str, str], str], Any]:
    """Each system's mark by the number of its item."""
    return lambda item, who, sides, question: {name: marks[name](int(item[1:])) for name in sides.values()}


def page_of(protocol: Protocol, collected: Collected, language: str = "en") -> Page:
    return make_page(protocol, collected, analyse(protocol, collected), language)


def told(protocol: Protocol, say: Callable[[str, int, Mapping[str, str], str], Any]) -> str:
    collected = answered(protocol, say)
    return " ".join(map(str, sentences(Dimensions(), protocol, collected, analyse(protocol, collected))))


EIGHT = {name: (lambda k, j=j: max(1, min(5, 5 - j // 2 + (k + j) % 3 - 1))) for j, name in enumerate(HOSTILE)}
TWO_ASKED = [each("fit", "How well does it fit?"), each("look", "How good does it look?")]


@pytest.fixture(scope="module")
def protocol(tmp_path_factory: pytest.TempPathFactory) -> Protocol:
    folder = tmp_path_factory.mktemp("dimensions") / "study"
    return of_set(folder, HOSTILE, 12, TWO_ASKED, per_item=2, analysis={"by": "lang"})


@pytest.fixture(scope="module")
def collected(protocol: Protocol) -> Collected:
    return answered(protocol, marked(EIGHT))


@pytest.fixture(scope="module")
def page(protocol: Protocol, collected: Collected) -> Page:
    return page_of(protocol, collected)


def test_every_name_stands_whole_and_every_mean_on_its_whole_scale(page: Page) -> None:
    table = page.tables["dimensions"]
    assert {row[0].text for row in table.rows} == set(HOSTILE)
    assert table.columns == ("System", "How well does it fit?", "How good does it look?")
    (drawn,) = [one for chapter in page.chapters for one in chapter.drawings if one.key == "dimensions"]
    ticks = re.findall(r">(\d)</text>", drawn.svg)
    assert (min(ticks), max(ticks)) == ("1", "5"), "a scale from 1 to 5 begins at 1"


def test_what_is_not_told_apart_is_what_no_corrected_test_tells_apart(results: Results, page: Page) -> None:
    gaps = results.select(inquiry="dimensions", statistic="wilcoxon")
    assert len(gaps) == 2 * 28
    assert {one.family for one in gaps} == {"dimensions"}
    apart = {one.systems for one in gaps if one.question == "fit" and (one.p_adjusted or 0) <= 0.05}
    note = next(note for note in page.tables["dimensions"].notes if "“How well does it fit?”" in note)
    together = [set(names) for names in map(_names_in, note.split(": ", 1)[1].split("; "))]
    for gap in gaps:
        if gap.question == "fit":
            assert any(set(gap.systems) <= group for group in together) is (gap.systems not in apart), gap.systems


def _names_in(text: str) -> list[str]:
    return [name for name in HOSTILE if f"“{name}”" in text]


@pytest.fixture(scope="module")
def results(protocol: Protocol, collected: Collected) -> Results:
    return analyse(protocol, collected)


def test_sentences_go_with_what_they_rest_on_and_have_no_english_in_chinese(
    protocol: Protocol, collected: Collected
) -> None:
    assert rest_on_what_is_there(Dimensions(), protocol, collected) >= 4
    own = [*HOSTILE, "x", "lang", "Lang", "Krippendorff", "Student", "Wilcoxon", "Hodges", "Lehmann", "Piepho"]
    own += ["and", "How well does it fit?", "How good does it look?"]
    words = [re.sub(r"&\w+;", "", text) for text in texts(Dimensions(), protocol, collected)]
    pieces = (piece for name in HOSTILE for piece in name.split() if len(piece) > 2)
    assert english_in(words, *own, *pieces) == []


@pytest.mark.parametrize("n", [2, 3, 8])
def test_two_to_eight_systems_with_one_item_are_told_truly(tmp_path: Path, n: int) -> None:
    names = HOSTILE[:n]
    protocol = of_set(tmp_path / "study", names, 1, TWO_ASKED[:1])
    collected = answered(protocol, marked({name: (lambda k, j=j: max(1, 5 - j)) for j, name in enumerate(names)}))
    said = " ".join(map(str, sentences(Dimensions(), protocol, collected, analyse(protocol, collected))))
    page = page_of(protocol, collected)
    first = "On “How well does it fit?”"
    lead = {
        2: f"{first}, “gpt-4.1” (5.00) has the higher mean of the two, but is not told apart from the other at the",
        3: f"{first}, “gpt-4.1” (5.00) has the highest mean of three systems, but is not told apart from any of the",
        8: f"{first}, “gpt-4.1” (5.00) has the highest mean of eight systems, but is not told apart from any of the",
    }[n]
    assert lead in said
    assert len(page.tables["dimensions"].rows) == n
    assert page.tables["dimensions"].columns[-1] == "Groups"


def test_equal_means_have_no_first(tmp_path: Path) -> None:
    protocol = of_set(tmp_path / "study", ["tie", "none", "C"], 4, TWO_ASKED[:1])
    said = told(protocol, marked({"tie": lambda k: 4, "none": lambda k: 4, "C": lambda k: 2}))
    assert "On “How well does it fit?” the highest mean (4.00) is that of “none” and “tie” alike." in said
    assert "told apart from every other" not in said


def test_means_of_different_items_are_said_to_be_so(tmp_path: Path) -> None:
    protocol = arena(tmp_path / "study", HOSTILE[:3], 4, TWO_ASKED[:1], section={"hide": ["one", "other"]})
    caption = page_of(protocol, answered(protocol, marked(EIGHT))).tables["dimensions"].caption
    assert "Each mean is over the items for which the system was rated, which are not the same ones." in caption
    whole = of_set(tmp_path / "whole", HOSTILE[:3], 4, TWO_ASKED[:1])
    assert "not the same" not in page_of(whole, answered(whole, marked(EIGHT))).tables["dimensions"].caption


def test_what_nobody_answered_is_in_no_sentence(tmp_path: Path) -> None:
    protocol = of_set(tmp_path / "study", HOSTILE[:2], 3, [{"id": "any", "text": {"prompt": "?"}}, *TWO_ASKED])

    def say(item: str, who: int, sides: Mapping[str, str], question: str) -> Any:
        return {name: 3 for name in sides.values()} if question == "look" else "x" if question == "any" else None

    said = told(protocol, say)
    assert "How well does it fit?" not in said
    assert "On “How good does it look?” the highest mean (3.00) is that of" in said


def test_two_systems_on_several_questions_stand_beside_each_other(tmp_path: Path) -> None:
    protocol = of_set(tmp_path / "study", ["A", "B"], 9, [*TWO_ASKED, each("all", "Overall?")])

    def say(item: str, who: int, sides: Mapping[str, str], question: str) -> Any:
        k = int(item[1:])
        gap = {"fit": 2, "look": (1, -1, 0)[k % 3], "all": 1 + k % 2}[question]
        return {"A": 3 + max(0, min(gap, 2)), "B": 3 - min(0, gap) - (1 if question == "look" and k == 0 else 0)}

    collected = imported(answered(protocol, say))
    said = " ".join(map(str, sentences(Dimensions(), protocol, collected, analyse(protocol, collected))))
    assert "“A” has the higher mean of the two; it is told apart from the other at the 5% level on" in said
    assert "“How well does it fit?” and “Overall?” alone." in said
    assert "Piepho" not in said
    table = page_of(protocol, collected).tables["dimensions"]
    assert table.columns == ("Question", "A", "B")
    assert [row[0].text for row in table.rows] == ["How well does it fit?", "How good does it look?", "Overall?"]
    assert page_of(protocol, collected).tables["differences"].columns[:3] == ("Question", "System", "Against")


def test_means_that_are_equal_on_paper_have_no_interval_of_no_width(tmp_path: Path) -> None:
    protocol = of_set(tmp_path / "study", ["A", "B"], 5, TWO_ASKED[:1], per_item=3)

    def say(item: str, who: int, sides: Mapping[str, str], question: str) -> Any:
        return {"A": 1 + (who == int(item[1:]) % 3), "B": 2}

    collected = answered(protocol, say)
    for one in analyse(protocol, collected).select(inquiry="dimensions", statistic="mean"):
        assert one.estimate.low is None, one.estimate
        why = {"A": "the mean of every item is the same", "B": "every value is the same"}[one.systems[0]]
        assert str(one.estimate.note) == f"{why}, which gives no interval"


def test_a_note_on_agreement_counts_outputs_and_calls_them_no_items(protocol: Protocol, results: Results) -> None:
    notes = [str(one.estimate.note) for one in results.select(inquiry="dimensions", statistic="krippendorff alpha")]
    assert all("of 96 outputs are fully agreed" in note for note in notes)
