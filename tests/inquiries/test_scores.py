"""Scores are told on the scale that they are on, under one name each, and correlations from points enough on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from inquiries.telling import english_in, parts, rest_on_what_is_there, sentences, texts
from quorate.analyse import analyse
from quorate.exhibits.blocks import Block, Drawing
from quorate.exhibits.numbers import p_value
from quorate.exhibits.tables import Table
from quorate.inquiries.base import Inquiry, Part
from quorate.inquiries.metrics import FEW_POINTS, Metrics
from quorate.inquiries.people_and_ai import PeopleAndAI
from quorate.inquiries.scores import Scores
from quorate.messages import said
from quorate.study import Study
from unseen.odd import TEXT, made, rows

SEVEN = [1, 2, 3, 4, 5, 6, 7]
RATERS = {"per_item": 3, "roster": 3}


def slider(folder: Path) -> Path:
    """Three items on a slider from 0 to 100, scored by a judge, too."""
    ask = [{"id": "q", "slider": {"prompt": "How natural is it?", "low": 0, "high": 100, "step": 1}}]
    sections = [{"id": "listen", "show": TEXT, "ask": ask}]
    judges = {"gpt": {"simulated": 0.9}}
    return made(folder, "A slider", rows(3, kind=lambda k: "points"), sections, RATERS, judges=judges,
                analysis={"by": "kind"})  # fmt: skip


def systems(folder: Path) -> Path:
    """Sentences of three systems, each rated alone, and by the number of a turn."""
    ask = [{"id": "mos", "rating": {"prompt": "How natural is it?", "points": [1, 2, 3, 4, 5]}}]
    items = rows(36, system=lambda k: ("b", "a", "c")[k % 3], turn=lambda k: k // 3 % 3 + 9)
    sections = [{"id": "s", "show": TEXT, "ask": ask}]
    return made(folder, "Systems", items, sections, RATERS, analysis={"by": ["system", "turn"]})


def seven(folder: Path) -> Path:
    """Two sections that ask in the same words on seven points, strata of many and of few items, a weighted score."""
    twice = [
        {"id": "clear", "rating": {"prompt": {"en": "Good?", "zh": "好吗？"}, "points": SEVEN}},
        {"id": "kind", "rating": {"prompt": {"en": "Good?", "zh": "好吗？"}, "points": SEVEN}},
        {"id": "fair", "yes_no": {"prompt": {"en": "Is it fair?", "zh": "公平吗？"}}},
    ]
    weights = [{"id": "whole", "weights": {"clear": 3, "fair": 1}, "yes": 7, "no": 1}]
    one = [{"id": "long", "rating": {"prompt": {"en": "Is it long?", "zh": "长吗？"}, "points": SEVEN}}]
    sections = [
        {"id": "first", "show": TEXT, "ask": twice, "scores": weights},
        {"id": "second", "show": TEXT, "ask": one},
    ]
    items = rows(14, lang=lambda k: "C++" if k < 11 else "C#")
    return made(folder, {"en": "Seven", "zh": "七"}, items, sections, RATERS, analysis={"by": "lang"})


def metrics(folder: Path, units: int = 5, known: int = 4) -> Path:
    """Scores of units with names like files, and metrics for some of them."""
    ask = [{"id": "q", "rating": {"prompt": "Caption", "points": [0, 1, 2]}}]
    table = [{"doc": f"a/b/{k}.pdf", "wer": k if k < known else "", "bleu_4": 10 - k % 3} for k in range(units)]
    items = rows(3 * units, doc=lambda k: f"a/b/{k % units}.pdf")
    sections = [{"id": "s", "show": TEXT, "ask": ask}]
    rule = {"metrics": {"from": "table.csv", "on": "doc", "columns": ["wer", "bleu_4"]}}
    return made(folder, "Metrics", items, sections, RATERS, {"table.csv": table}, analysis=rule)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Study]]:
    """A study by what makes it, rehearsed once."""
    held: dict[Any, Study] = {}

    def opened(make: Callable[..., Path], **how: int) -> Study:
        key = (make.__name__, *how.items())
        if key not in held:
            held[key] = Study(make(tmp_path_factory.mktemp("scores") / "study", **how))
            held[key].rehearse(seed=1)
        return held[key]

    yield opened
    for one in held.values():
        one.close()


def part_of(study: Study, section: str, language: str = "en") -> Part:
    collected = study.collected()
    found = parts(study.protocol, collected, analyse(study.protocol, collected), language)
    return next(one for one in found if one.section.id == section)


def blocks(inquiry: Inquiry, part: Part) -> dict[str, Block]:
    shown = [one for one in inquiry.exhibits(part) if (one.svg if isinstance(one, Drawing) else one.rows)]
    return {one.key: one for one in shown}


def ticks(block: Block) -> list[float]:
    assert isinstance(block, Drawing)
    return [float(text) for text in re.findall(r">(\d+(?:\.\d+)?)</text>", block.svg)]


def told(inquiry: Inquiry, study: Study) -> str:
    collected = study.collected()
    return " ".join(map(str, sentences(inquiry, study.protocol, collected, analyse(study.protocol, collected))))


def test_a_slider_is_drawn_from_0_to_100_and_spoken_of_so(study: Callable[..., Study]) -> None:
    part = part_of(study(slider), "listen")
    found = blocks(Scores(), part)
    assert {0, 25, 50, 75, 100} <= set(ticks(found["scores_drawn"]))
    (sentence,) = Scores().headline(part)
    assert re.match(r"The mean of “How natural is it\?” is [\d.]+ .*on the scale from 0 to 100\.", str(sentence))
    assert "share of the highest point" not in told(Scores(), study(slider))


def test_seven_points_begin_at_one_in_each_section(study: Callable[..., Study]) -> None:
    for section in ("first", "second"):
        part = part_of(study(seven), section)
        found = blocks(Scores(), part)
        numbers = ticks(found[f"{section}_scores_drawn"])
        assert 7 in numbers
        assert 0 not in numbers
        (sentence,) = Scores().headline(part)
        assert "scale from 1 to 7" in str(sentence)


def test_strata_of_few_items_stand_in_the_supplement(study: Callable[..., Study]) -> None:
    found = blocks(Scores(), part_of(study(seven), "first"))
    paper, few = found["first_scores_by_lang"], found["first_scores_by_lang_few"]
    assert isinstance(paper, Table)
    assert isinstance(few, Table)
    assert (paper.further, few.further) == (False, True)
    assert [str(row[0].text) for row in paper.rows] == ["C++", "All items"]
    assert [str(row[0].text) for row in few.rows] == ["C#", "All items"]
    assert "C#" not in found["first_scores_lang"].svg  # type: ignore[union-attr]
    assert found["first_scores_lang_few"].further


def test_strata_stand_from_the_highest_mean_on_and_numbers_by_number(study: Callable[..., Study]) -> None:
    found = blocks(Scores(), part_of(study(systems), "s"))
    by_system, by_turn = found["scores_by_system"], found["scores_by_turn"]
    assert isinstance(by_system, Table)
    assert isinstance(by_turn, Table)
    means = [float(str(row[1].text)) for row in by_system.rows[:-1]]
    assert means == sorted(means, reverse=True)
    assert [row[0].text for row in by_turn.rows[:-1]] == ["9", "10", "11"]


def test_a_score_has_one_name_and_two_in_the_same_words_are_told_apart(study: Callable[..., Study]) -> None:
    opened = study(seven)
    part = part_of(opened, "first")
    found = blocks(Scores(), part)
    names = ["Good? (clear)", "Good? (kind)"]
    table = found["first_scores_by_lang"]
    assert isinstance(table, Table)
    assert [said(column) for column in table.columns[1:]] == [*names, "Whole score", "Is it fair?"]
    for name in names:
        assert name in str(next(iter(Scores().headline(part)))) or name in found["first_scores_drawn"].svg  # type: ignore[union-attr]
        assert any(finding.label.text() == f"{name}: mean" for finding in part.of("scores"))


def test_a_weighted_score_is_told_with_its_weights(study: Callable[..., Study]) -> None:
    text = told(Scores(), study(seven))
    assert "“Whole score” is the weighted mean of the answers that apply (“Good?” 3 and “Is it fair?” 1; " in text
    assert "Yes counts 7, No 1" in text


def test_marks_of_items_stand_behind_their_mean(study: Callable[..., Study]) -> None:
    drawn = blocks(Scores(), part_of(study(slider), "listen"))["scores_drawn"]
    assert isinstance(drawn, Drawing)
    assert drawn.svg.count('opacity="0.22"') == 3
    assert "Pale: the items." in str(drawn.caption)


def test_four_points_are_neither_drawn_nor_spoken_of_and_who_has_no_metric_is_counted(
    study: Callable[..., Study],
) -> None:
    opened = study(metrics)
    part = part_of(opened, "s")
    found = blocks(Metrics(), part)
    assert set(found) == {"metrics"}
    assert not list(Metrics().headline(part))
    table = found["metrics"]
    assert isinstance(table, Table)
    notes = " ".join(map(str, table.notes))
    assert "1 of the 5 values of doc that have scores have no wer and are in no correlation with it." in notes
    assert f"over fewer than {FEW_POINTS} points are neither drawn nor spoken of: wer and bleu 4." in notes
    (one,) = (one for one in part.of("metrics", what="wer", statistic="spearman"))
    assert one.estimate.n_items == 4
    assert {str(why): n for why, n in one.estimate.left_out.items()} == {"values of doc without wer": 1}
    assert notes in told(Metrics(), opened)


def test_from_ten_points_on_a_correlation_is_drawn_with_whole_names_on_the_whole_scale(
    study: Callable[..., Study],
) -> None:
    opened = study(metrics, units=12, known=12)
    part = part_of(opened, "s")
    found = blocks(Metrics(), part)
    drawn = found["metric_q"]
    assert isinstance(drawn, Drawing)
    assert "a/b/1.pdf" in drawn.svg
    assert {0, 2} <= set(ticks(drawn))
    (sentence,) = Metrics().headline(part)
    assert "Spearman’s ρ of “Caption” with automatic metrics, over the values of doc: wer " in str(sentence)
    assert found["metric_q_bleu_4"].further


def test_every_test_of_a_correlation_is_printed_with_its_corrected_p(study: Callable[..., Study]) -> None:
    part = part_of(study(metrics, units=12, known=12), "s")
    table = blocks(Metrics(), part)["metrics"]
    assert isinstance(table, Table)
    small = {cell.id: str(cell.small) for row in table.rows for cell in row if cell.id}
    for one in part.of("metrics"):
        assert one.p_adjusted is not None
        assert small[one.id].endswith(f"p = {p_value(one.p_adjusted)}")


def test_a_judge_is_held_against_people_on_each_scale(study: Callable[..., Study]) -> None:
    part = part_of(study(slider), "listen")
    (sentence,) = PeopleAndAI().headline(part)
    assert str(sentence).startswith("The mean of gpt minus people’s, on the items that both scored: “How natural")
    assert {"human_and_AI", "ai"} <= set(blocks(PeopleAndAI(), part))
    assert not PeopleAndAI().fits(part_of(study(seven), "first").cases[0])


def test_sentences_go_with_what_they_rest_on(study: Callable[..., Study]) -> None:
    for inquiry, make, least in (
        (Scores(), slider, 3), (Scores(), seven, 5), (PeopleAndAI(), slider, 2), (Metrics(), metrics, 3),
    ):  # fmt: skip
        opened = study(make)
        assert rest_on_what_is_there(inquiry, opened.protocol, opened.collected()) >= least


def test_it_is_chinese_in_chinese(study: Callable[..., Study]) -> None:
    own = (
        "gpt",
        "C++",
        "C#",
        "lang",
        "Lang",
        "first",
        "second",
        "clear",
        "kind",
        "Whole",
        "How natural is it?",
        "Kind",
        "Caption",
        "wer",
        "bleu 4",
        "doc",
        "Spearman",
        "Kendall",
        "Pearson",
        "Holm",
        "points",
        "Student",
    )
    for inquiry, make in ((Scores(), seven), (Scores(), slider), (PeopleAndAI(), slider), (Metrics(), metrics)):
        opened = study(make)
        assert not english_in(texts(inquiry, opened.protocol, opened.collected()), *own)


def alike(folder: Path) -> Path:
    """Two sections that ask one question in the same words."""
    ask = [{"id": "good", "rating": {"prompt": "Good?", "points": SEVEN}}]
    sections = [
        {"id": "first", "title": "Part A", "show": TEXT, "ask": ask},
        {"id": "second", "show": TEXT, "ask": ask},
    ]
    return made(folder, "Alike", rows(4), sections, RATERS)


def test_questions_in_the_same_words_in_two_sections_are_told_apart_by_their_names(study: Callable[..., Study]) -> None:
    opened = study(alike)
    found = analyse(opened.protocol, opened.collected()).select(inquiry="scores", statistic="mean")
    assert {str(one.title) for one in found} == {"Good? (Part A)", "Good? (second)"}
