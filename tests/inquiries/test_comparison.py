"""People's verdicts against judges: what people are is named, each judge is told, and no name changes a figure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from analyse.collecting import RATERS, simulated, written
from analyse.judging import pairs, said
from inquiries.telling import english_in, parts, rest_on_what_is_there, sentences, texts
from quorate.analyse import Results, analyse
from quorate.exhibits.blocks import Drawing, Gallery
from quorate.exhibits.tables import Table
from quorate.inquiries.base import Inquiry
from quorate.inquiries.comparison import AgainstJudge
from quorate.inquiries.error_analysis import ErrorAnalysis, Examples
from quorate.protocol import Protocol, load
from quorate.records import Answer, Collected, Shown
from quorate.report.markdown import markdown
from quorate.report.page import make_page
from quorate.statistics import krippendorff_alpha

AT = "compare.better"


def told(protocol: Protocol, collected: Collected) -> str:
    results = analyse(protocol, collected)
    return " ".join(map(str, sentences(AgainstJudge(), protocol, collected, results)))


def tables(protocol: Protocol, collected: Collected, of: Inquiry | None = None) -> dict[str, Table]:
    part = next(parts(protocol, collected, analyse(protocol, collected)))
    return {block.key: block for block in (of or AgainstJudge()).exhibits(part) if isinstance(block, Table)}


def study(folder: Path, change: Mapping[str, str], n: int = 12, kind: str = "winner: {prompt: Better?}") -> Protocol:
    pairs(folder, n, kind, "{compare: {judge: ai}}")
    path = folder / "study.yaml"
    text = path.read_text()
    for old, new in change.items():
        assert old in text
        text = text.replace(old, new)
    path.write_text(text)
    return load(folder)


def answered(protocol: Protocol, lines: Mapping[str, list[object]], at: str = "compare") -> Collected:
    """Whose answers begin with R are people's; None is no answer."""
    answers = tuple(
        said(item.id, who, value, "rater" if who.startswith("R") else "judge", at=at)
        for who, line in lines.items()
        for item, value in zip(protocol.pool, line, strict=True)
        if value is not None
    )
    return Collected(protocol.pool, answers)


def test_the_two_by_two_has_the_documents_rows_and_columns(protocol: Protocol) -> None:
    collected = written(protocol, dict.fromkeys(RATERS, "+++++---"), judge="++---+--")
    table = tables(protocol, collected, ErrorAnalysis())["errors"]
    assert list(map(str, table.columns[1:])) == ["MLLM correct", "MLLM incorrect"]
    assert [[str(cell.text) for cell in row] for row in table.rows] == [
        ["Human majority correct", "2", "3"],
        ["Human majority incorrect", "1", "2"],
    ]
    assert str(table.caption) == "MLLM alone is wrong on 3 of 8 items, and the human majority alone on 1."


def test_each_of_two_judges_is_told_and_the_one_that_is_named_stands_in_the_paper(tmp_path: Path) -> None:
    protocol = study(tmp_path, {"judges:\n": "judges:\n  b: {simulated: {seed: 2}}\n"})
    people = dict.fromkeys(("R1", "R2", "R3"), ["ours"] * 6 + ["theirs"] * 6)
    collected = answered(protocol, {**people, "ai": ["ours"] * 12, "b": people["R1"]})
    text = told(protocol, collected)
    assert "AI agrees with the human majority on 6 of 12 items (50.0%)." in text
    assert "b agrees with the human majority on 12 of 12 items (100.0%)." in text
    found = tables(protocol, collected)
    assert {key: one.further for key, one in found.items() if key.startswith("correlation")} == {
        "correlation": False, "correlation_more": True, "correlation_b": True, "correlation_more_b": True,
    }  # fmt: skip
    assert {one.judge for one in analyse(protocol, collected).select(statistic="agreement rate")} == {"ai", "b"}


def test_one_rater_an_item_is_no_majority(tmp_path: Path) -> None:
    protocol = study(tmp_path, {"per_item: 3, roster: 3": "per_item: 1, roster: 1"})
    collected = answered(protocol, {"R1": ["ours", "theirs"] * 6, "ai": ["ours"] * 12})
    text = told(protocol, collected) + " ".join(texts(AgainstJudge(), protocol, collected, "en"))
    assert "AI agrees with the rater on 6 of 12 items" in text
    assert "majority" not in text


def test_a_verdict_that_the_team_decided_is_no_majority(tmp_path: Path) -> None:
    protocol = study(tmp_path, {})
    lines = {"R1": ["ours"] * 12, "R2": ["ours"] * 11 + ["theirs"], "R3": ["ours"] * 11 + ["tie"], "ai": ["ours"] * 12}
    collected = answered(protocol, lines)
    assert "AI agrees with the human majority on 11 of 11 items" in told(protocol, collected)
    decided = replace(collected.answers[0], item="i11", by="member", rater="M1", value="ours", repeat=0)
    text = told(protocol, replace(collected, answers=(*collected.answers, decided)))
    assert "AI agrees with people’s verdict on 12 of 12 items" in text
    assert "majority" not in text


def test_a_judge_that_answered_a_third_says_how_many(tmp_path: Path) -> None:
    protocol = study(tmp_path, {})
    people = dict.fromkeys(("R1", "R2", "R3"), ["ours", "theirs"] * 6)
    collected = answered(protocol, {**people, "ai": ["ours", "theirs"] * 2 + [None] * 8})
    text = told(protocol, collected)
    assert "AI has an answer to 4 of 12 items with a verdict: figures about it and people are of these." in text
    caption = str(tables(protocol, collected)["correlation"].caption)
    assert caption == "Over the 4 items, of 12, that have both a verdict of people and an answer of AI."
    notes = " ".join(map(str, analyse(protocol, collected).notes))
    assert "AI can be held against people on 4 of 12 items" in notes
    whole = answered(protocol, {**people, "ai": ["ours", "theirs"] * 6})
    assert "has an answer to" not in told(protocol, whole)


def coefficients(results: Results) -> list[float | None]:
    found = results.select(inquiry="comparison", by="", judge="ai")
    return [one.estimate.value for one in found if one.unit == ""]


def test_agreement_of_winners_does_not_change_when_systems_change_names_or_places(tmp_path: Path) -> None:
    protocol = study(tmp_path, {})
    systems = ("a", "b", "c")
    of = {item.id: (systems[k % 3], systems[(k + 1) % 3]) for k, item in enumerate(protocol.pool)}
    sides = {"R1": "011010010110", "R2": "011010110100", "R3": "001110010110", "ai": "010010011110"}

    def collected(names: Mapping[str, str], turned: bool) -> Collected:
        answers: list[Answer] = []
        for who, line in sides.items():
            for item, side in zip(protocol.pool, line, strict=True):
                pair = [names[one] for one in of[item.id]]
                shown = Shown(dict(zip(("left", "right"), reversed(pair) if turned else pair, strict=True)))
                by = "rater" if who.startswith("R") else "judge"
                answers.append(said(item.id, who, pair[int(side)], by, shown, "compare"))
        return Collected(protocol.pool, tuple(answers))

    plain = analyse(protocol, collected(dict(zip(systems, systems, strict=True)), turned=False))
    assert all(one.by_pair for one in plain.select(inquiry="comparison", statistic="cohen kappa"))
    for names in ({"a": "z", "b": "b.by.c", "c": "C++"}, {"a": "c", "b": "a", "c": "b"}):
        for turned in (False, True):
            other = analyse(protocol, collected(names, turned))
            assert coefficients(other) == pytest.approx(coefficients(plain))
            rates = [one[f"{AT}.judge.ai.agreement_rate"].counted for one in (plain, other)]
            assert rates[0] == rates[1] == (10, 12)


def test_a_judge_is_held_against_people_by_what_agreement_is_told_by(tmp_path: Path) -> None:
    kind = "preference: {prompt: Better?, of: ours}"
    protocol = study(tmp_path, {}, kind=kind)
    people: list[object] = [2, 1, 0, -1, -2, 2, 1, 0, -1, -2, 2, 0]
    judge: list[object] = [1, 0, 0, -1, 1, 2, 1, -1, -1, -2, 0, 0]
    collected = answered(protocol, {**dict.fromkeys(("R1", "R2", "R3"), people), "ai": judge})
    results = analyse(protocol, collected)
    found = results[f"{AT}.judge.ai.agreement.krippendorff_alpha"]
    signs = [[(value > 0) - (value < 0) for value in both] for both in zip(people, judge, strict=True)]  # type: ignore[operator]
    assert found.primary
    assert not results[f"{AT}.judge.ai.cohen_kappa"].primary
    assert found.estimate.value == pytest.approx(krippendorff_alpha(signs, level="ordinal").value)
    assert "Krippendorff’s α (ordinal) = " in told(protocol, collected)
    assert "Cohen’s κ = " not in told(protocol, collected)


def test_a_coefficient_that_is_undefined_says_why_and_has_no_band(tmp_path: Path) -> None:
    protocol = study(tmp_path, {})
    collected = answered(protocol, dict.fromkeys(("R1", "R2", "R3", "ai"), ["ours"] * 12))
    kappa = analyse(protocol, collected)[f"{AT}.judge.ai.agreement.fleiss_kappa"]
    assert (kappa.estimate.value, kappa.band) == (None, "")
    notes = " ".join(map(str, tables(protocol, collected)["correlation"].notes))
    assert "undefined, since every rating is in one category" in notes
    assert "κ = " not in told(protocol, collected)


def test_a_confusion_of_many_categories_stands_in_the_supplement(tmp_path: Path) -> None:
    for points, further in ((5, False), (9, True)):
        kind = f"rating: {{prompt: How good?, points: {list(range(points))}}}"
        protocol = study(tmp_path / str(points), {}, kind=kind)
        line = [k % points for k in range(12)]
        collected = answered(protocol, dict.fromkeys(("R1", "R2", "R3", "ai"), line))
        assert tables(protocol, collected)["confusion_better"].further, "the drawing says the same"
        part = next(parts(protocol, collected, analyse(protocol, collected)))
        drawn = next(block for block in AgainstJudge().exhibits(part) if isinstance(block, Drawing))
        assert (drawn.key, drawn.further) == ("confusion_better", further)


def test_each_of_two_confusions_says_which_question_it_is_of(tmp_path: Path) -> None:
    more = "winner: {prompt: Better?}\n      - id: nicer\n        winner: {prompt: Nicer?}"
    protocol = study(tmp_path, {}, kind=more)
    first = answered(protocol, dict.fromkeys(("R1", "R2", "R3", "ai"), ["ours", "theirs"] * 6))
    second = tuple(replace(answer, question="nicer") for answer in first.answers)
    found = tables(protocol, replace(first, answers=(*first.answers, *second)))
    for id, prompt in (("better", "Better?"), ("nicer", "Nicer?")):
        assert str(found[f"confusion_{id}"].title) == f"“{prompt}”: What the human majority and AI say"
        assert str(found[f"confusion_{id}"].caption).startswith(f"“{prompt}”: ")


def test_a_simulated_judge_is_complained_of_beside_real_answers_alone(tmp_path: Path) -> None:
    protocol = study(tmp_path, {})
    collected = answered(protocol, dict.fromkeys(("R1", "R2", "R3", "ai"), ["ours", "theirs"] * 6))
    for simulated_too in (False, True):
        rows = replace(collected, simulated=simulated_too)
        page = make_page(protocol, rows, analyse(protocol, rows))
        for where in (page.in_short, page.limits, [markdown(page)]):
            assert any("AI is simulated" in str(one) for one in where) is not simulated_too


def test_an_example_is_told_by_whose_it_is(protocol: Protocol) -> None:
    collected = written(protocol, dict.fromkeys(RATERS, "+++++---"), judge="++---+--")
    (gallery,) = Examples().exhibits(next(parts(protocol, collected, analyse(protocol, collected))))
    assert isinstance(gallery, Gallery)
    assert gallery.judge == "MLLM"
    assert list(map(str, gallery.titles))[1] == "Human majority correct, MLLM incorrect"


def test_sentences_go_with_what_they_rest_on(protocol: Protocol) -> None:
    assert rest_on_what_is_there(AgainstJudge(), protocol, simulated(protocol)) >= 4


def test_it_is_chinese_in_chinese(protocol: Protocol, tmp_path: Path) -> None:
    collected = simulated(protocol)
    for kind in (AgainstJudge(), ErrorAnalysis(), Examples()):
        assert not english_in(texts(kind, protocol, collected), "MLLM")
    other = study(tmp_path / "points", {}, kind="preference: {prompt: Better?, of: ours}")
    line: list[object] = [2, 1, 0, -1] * 3
    answers = answered(other, dict.fromkeys(("R1", "R2", "R3", "ai"), line))
    assert not english_in(texts(AgainstJudge(), other, answers), "Krippendorff")
