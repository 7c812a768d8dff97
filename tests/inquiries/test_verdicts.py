"""What is said of verdicts is true of the rule, the questions and the rounds of each study, and of no other."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from inquiries.arenas import answered, imported, written
from inquiries.telling import english_in, parts, rest_on_what_is_there, sentences, texts
from quorate.analyse import Results, analyse
from quorate.exhibits.blocks import Drawing
from quorate.exhibits.tables import Table
from quorate.findings.names import ABOVE
from quorate.inquiries.base import Told
from quorate.inquiries.consensus import Consensus
from quorate.messages import Word, said
from quorate.plan import why_not
from quorate.protocol import Protocol
from quorate.records import Collected
from quorate.report.facts import holds
from quorate.report.page import Page, make_page
from quorate.web.reports import alarms
from republished import follows, run

KIND = {"id": "kind", "choice": {"prompt": "Which kind?", "options": ["a", "b", "c"]}}
MARK = {"id": "mark", "rating": {"prompt": "How good?", "points": [1, 2, 3, 4, 5]}}
SIZE = {"id": "size", "slider": {"prompt": "How large?", "low": 0, "high": 10}}
NAME = {"id": "name", "text": {"prompt": "What is it?", "target": "right"}}
SHOW = [{"text": {"field": "word"}}]
OPTIONS = ("a", "b", "c")
#: Of twelve items the odd ones are law, and every third is terse.
FIELDS = ("law", "art"), ("terse", "long", "long")

Say = Callable[[str, int, Mapping[str, str], str], Any]


def study(folder: Path, per_item: int = 3, ask: Sequence[Mapping[str, Any]] = (KIND,), **rest: Any) -> Protocol:
    rows = [
        {"id": f"i{k:03d}", "word": f"word {k}", "right": "x", "field": FIELDS[0][k % 2], "style": FIELDS[1][k % 3]}
        for k in range(12)
    ]  # fmt: skip
    raters = {"per_item": per_item, "roster": 9, "consent": "text.md", "instructions": "text.md"}
    raters |= rest.pop("raters", {})
    return written(folder, rows, SHOW, ask, per_item, raters=raters, **rest)


def undecided(items: Collection[int], answers: Mapping[str, Sequence[Any]] | None = None) -> Say:
    """Everybody says the same, but about these items everybody something else."""
    values = {"kind": OPTIONS, "mark": (1, 2, 3, 4, 5), "size": (1, 2, 3), "name": ("x", "y", "z"), **(answers or {})}

    def say(item: str, who: int, sides: Mapping[str, str], question: str) -> Any:
        given = values[question]
        return given[who % len(given)] if int(item[1:]) in items else given[0]

    return say


def again(collected: Collected, items: Collection[int], round: int, value: str = "a") -> Collected:
    """The same answers, and those of other raters to these items in a later round."""
    more = tuple(
        replace(one, seq=10_000 * round + one.seq, rater=f"X{round}{one.rater}", round=round, value=value, raw=value)
        for one in collected.answers
        if one.round == 1 and int(one.item[1:]) in items and one.question == "kind"
    )  # fmt: skip
    return replace(collected, answers=(*collected.answers, *more))


def told(protocol: Protocol, collected: Collected) -> str:
    return " ".join(map(str, sentences(Consensus(), protocol, collected, analyse(protocol, collected))))


def limits(protocol: Protocol, collected: Collected) -> list[str]:
    return list(map(str, Consensus().limits(Told(protocol, analyse(protocol, collected)))))


BY = {"by": ["field", "style"]}
SAMPLED = {"sample": {"n": 6, "by": "field"}}


@pytest.mark.parametrize(
    ("per_item", "rule", "raters", "words"),
    [
        (1, "1 of 1", {}, "An item’s verdict is its one answer."),
        (2, "2 of 2", {}, "An item’s verdict is what both answers say."),
        (3, "2 of 3", {}, "An item’s verdict is what at least two of three answers say."),
        (3, "3 of 3", {}, "An item’s verdict is what all three answers say."),
        (4, "3 of 4", {}, "An item’s verdict is what at least three of four answers say."),
        (5, "4 of 5", {}, "An item’s verdict is what at least four of five answers say."),
        (6, "4 of 6", {}, "An item’s verdict is what at least four of six answers say."),
        (7, "4 of 7", {}, "An item’s verdict is what at least four of seven answers say."),
        # Fewer or more answers than the rule counts: two planned answers that agree decide without a third.
        (2, "2 of 3", {}, "what at least two of its answers, and more than half of them, say."),
        (2, "2 of 3", {"escalate": {"when": "kind"}}, "what at least two of its answers, and more than half of them"),
        (3, "3 of 5", {"escalate": {"when": "kind", "to": 5}}, "at least three of its answers, and more than half"),
    ],
)
def test_the_rule_is_told_for_as_many_answers_as_an_item_may_have(
    tmp_path: Path, per_item: int, rule: str, raters: Mapping[str, Any], words: str
) -> None:
    analysis = {"verdict": {"majority": rule}, "hypotheses": []}
    protocol = study(tmp_path / "study", per_item, raters=raters, analysis=analysis)
    text = told(protocol, answered(protocol, undecided({0, 1})))
    assert words in text
    assert ("is ambiguous" in text) is (per_item > 1), "one answer is always a verdict"


@pytest.mark.parametrize(
    ("rule", "has", "has_not"),
    [
        ({"when": "mark"}, "differ on “How good?”, one more is asked", "by more than"),
        ({"when": "mark", "apart": 1}, "differ by more than 1 on “How good?”, one more is asked", "one at a time"),
        ({"when": "mark", "to": 5}, "differ on “How good?”, more are asked one at a time", "one more is asked"),
        ({"when": "mark", "to": 5, "apart": 2}, "by more than 2 on “How good?”, more are asked one", "one more is"),
    ],
)
def test_who_is_asked_where_raters_differ_is_told_as_the_study_has_it(
    tmp_path: Path, rule: Mapping[str, Any], has: str, has_not: str
) -> None:
    protocol = study(tmp_path / "study", 2, (KIND, MARK), raters={"escalate": rule})
    collected = answered(protocol, undecided({0}))
    text = told(protocol, collected)
    assert has in text
    assert has_not not in text
    assert ("answers have to be equal" in text) is ("apart" in rule)
    assert f"Where {'five' if rule.get('to') else 'three'} raters do not agree, a member of the team" in text
    # Where everything came out of files, nobody was asked here.
    flow = {"imported": 2, "invited": 0}
    results = analyse(protocol, imported(collected))
    elsewhere = replace(results, flow=replace(results.flow, raters={**results.flow.raters, **flow}))
    assert "more" not in " ".join(map(str, Consensus().methods(Told(protocol, elsewhere)))).partition("say.")[2]


@pytest.mark.parametrize(("per_item", "to", "who"), [(2, 3, "a third rater"), (2, 4, "further"), (3, 5, "further")])
def test_who_settled_verdicts_is_named_as_many_as_there_may_be(
    tmp_path: Path, per_item: int, to: int, who: str
) -> None:
    raters = {"escalate": {"when": "kind", "to": to}}
    protocol = study(tmp_path / "study", per_item, raters=raters, analysis={"verdict": {"majority": "2 of 3"}})
    collected = answered(protocol, undecided({0, 1}))
    last = next(one for one in collected.answers if one.item == "i000" and one.value == "a")
    more = [replace(last, seq=999 + k, rater=f"X{k}", repeat=k) for k in range(per_item, to)]
    (found,) = analyse(protocol, replace(collected, answers=(*collected.answers, *more))).select(statistic="settled")
    assert who in str(found.label)
    assert found.counted == (1, 12)


def test_only_questions_that_come_to_a_verdict_are_spoken_of(tmp_path: Path) -> None:
    mixed = study(tmp_path / "mixed", ask=(KIND, SIZE, NAME))
    text = told(mixed, answered(mixed, undecided({0})))
    assert "Answers to “How large?” come to no verdict." in text
    assert "On “What is it?” the verdict is whether an answer is correct, however it is put." in text
    assert "ordered scale" not in text
    typed = study(tmp_path / "typed", ask=(NAME,))
    assert "The verdict on a typed answer is whether it is correct" in told(typed, answered(typed, undecided({0})))
    scale = study(tmp_path / "scale", ask=(MARK,))
    assert "a verdict is a point of the scale" in told(scale, answered(scale, undecided({0})))
    none = study(tmp_path / "none", ask=(SIZE,), analysis=BY)
    collected = answered(none, undecided({0}))
    page = make_page(none, collected, analyse(none, collected))
    assert told(none, collected) == ""
    assert "Verdicts" not in {str(one.heading) for one in page.methods} | {str(one.title) for one in page.chapters}


def test_two_questions_in_the_same_words_are_told_apart(tmp_path: Path) -> None:
    twin = {"id": "width", "slider": {**SIZE["slider"], "prompt": "Which kind?"}}  # type: ignore[dict-item]
    protocol = study(tmp_path / "study", ask=(KIND, twin))
    text = told(protocol, answered(protocol, undecided({0}, {"width": (1, 2, 3)})))
    assert "Answers to “Which kind? (width)” come to no verdict." in text


def test_the_share_of_items_without_a_verdict_stands_first_with_its_counts(tmp_path: Path) -> None:
    protocol = study(tmp_path / "study")
    (part,) = parts(protocol, collected := answered(protocol, undecided({0, 4, 5})), analyse(protocol, collected))
    (line,) = Consensus().headline(part)
    assert str(line).startswith("25.0% [")
    assert str(line).endswith("of the items with enough answers have no verdict.")
    sure = answered(protocol, undecided(()))
    (part,) = parts(protocol, sure, analyse(protocol, sure))
    assert list(map(str, Consensus().headline(part))) == ["No item with enough answers is without a verdict."]
    # Without any answer nothing is known, and nothing is said of how many there are.
    empty = replace(sure, answers=())
    (part,) = parts(protocol, empty, analyse(protocol, empty))
    assert not list(Consensus().headline(part))
    table = next(iter(Consensus().exhibits(part)))
    assert isinstance(table, Table)
    assert any("no item has the two answers that a verdict needs" in str(note) for note in table.notes)


def test_every_stratum_of_too_many_ambiguous_items_is_to_be_reassessed(tmp_path: Path) -> None:
    protocol = study(tmp_path / "study", items=SAMPLED, analysis=BY)
    collected = answered(protocol, undecided({0, 2, 4}))
    (able,) = limits(protocol, collected)[1:]
    assert able == (
        "To be reassessed by other raters (“quorate reassess”), since more than 15% of the items are ambiguous on "
        "“Which kind?”: “law” (3 of 6) of field; “long” (2 of 8) and “terse” (1 of 4) of style."
    )
    assert not limits(protocol, answered(protocol, undecided(())))


def test_every_flagged_question_is_told_and_many_strata_are_counted(tmp_path: Path) -> None:
    protocol = study(tmp_path / "study", ask=(KIND, MARK, SIZE), items=SAMPLED, analysis=BY)
    whole, *rest = limits(protocol, answered(protocol, undecided(range(12))))
    assert whole == "More than 15% of all items are ambiguous on “Which kind?” (12 of 12) and “How good?” (12 of 12)."
    assert [("Which kind?" in one, "How good?" in one) for one in rest] == [(True, False), (False, True)]
    wide = study(tmp_path / "wide", analysis={"by": ["id", "style"]})
    (_, able) = limits(wide, answered(wide, undecided(range(12))))
    assert "12 strata of id; 2 strata of style" in able


def test_report_and_desk_agree_with_the_command(tmp_path: Path) -> None:
    protocol = study(tmp_path / "study", items=SAMPLED, analysis=BY)
    collected = answered(protocol, undecided({0, 2, 4}))
    found = [one.as_dict() for one in analyse(protocol, collected).findings]
    (tmp_path / "results.json").write_text(json.dumps({"estimates": found}))
    shown = {one.stratum: one.why_not for one in alarms(tmp_path / "results.json", protocol)}
    assert set(shown) == {"", "law", "long", "terse"}
    assert {name for name, why in shown.items() if why is None} == {"law", "long", "terse"}
    assert str(why_not(protocol, "mood")) == "mood is no field of the items"


def test_a_later_round_is_told_by_the_inquiries_that_were_told_before(tmp_path: Path) -> None:
    protocol = study(tmp_path / "study", ask=(KIND, NAME), items=SAMPLED, analysis=BY)
    first = answered(protocol, undecided({0, 2, 4}))
    collected = again(again(first, {0, 2, 4, 6, 8, 10}, 2), {0, 2, 4, 6, 8, 10}, 3)
    results, before = analyse(protocol, collected), analyse(protocol, first)
    later = [one for one in results.findings if one.round > 1]
    assert {one.round for one in later} == {2, 3}
    assert {one.inquiry for one in later} == {"agreement", "verdicts"}
    assert [one for one in results.findings if one.round == 1] == list(before.findings)
    assert results["arena.kind.ambiguity.round.2"].counted == (0, 6)
    page = make_page(protocol, collected, results)
    rounds = [chapter for chapter in page.chapters if str(chapter.title).startswith("Round ")]
    assert [chapter.title for chapter in rounds] == ["Round 2", "Round 3"]
    assert [block.key for block in rounds[0].blocks] == ["agreement_round_2", "verdicts_round_2"]
    # What was assessed again is not to be reassessed, and the newest round says how it stands.
    text = " ".join(limits(protocol, collected))
    assert "To be reassessed" not in text
    assert "items of “law” (field) were ambiguous" in text
    assert "again, in round 3, 0.0% [" in text


def test_the_published_script_finds_the_numbers_of_every_round_again(tmp_path: Path) -> None:
    protocol = study(tmp_path / "study", items=SAMPLED, analysis=BY)
    collected = again(again(answered(protocol, undecided({0, 2, 4})), {0, 2, 4}, 2), {0, 2}, 3, "b")
    estimates = follows(protocol, collected, tmp_path / "paper")
    assert {(one.get("round", 1), bool(one.get("by"))) for one in estimates} == {
        (1, False), (1, True), (2, False), (2, True), (3, False), (3, True)
    }  # fmt: skip
    assert "Ambiguous items [field: law] [round 3]" in run(tmp_path / "paper").stdout


def test_a_round_has_no_word_about_what_was_not_asked_again(tmp_path: Path) -> None:
    protocol = study(tmp_path / "study", ask=(KIND, NAME), items=SAMPLED)
    results = analyse(protocol, again(answered(protocol, undecided({0})), {0, 2}, 2))
    assert {one.question for one in results.findings if one.round == 2} == {"kind"}
    assert {one.estimate.n_items for one in results.select(statistic="ambiguity rate", round=2, by="")} == {2}


def test_strata_are_drawn_and_tabled_with_how_many_items_they_have(tmp_path: Path) -> None:
    protocol = study(tmp_path / "study", analysis=BY)
    collected = answered(protocol, undecided({0, 2, 4}))
    (part,) = parts(protocol, collected, analyse(protocol, collected))
    blocks = {block.key: block for block in Consensus().exhibits(part)}
    drawn, table = blocks["ambiguity_kind_field"], blocks["ambiguity_by_field"]
    assert isinstance(drawn, Drawing)
    assert "law (n\u00a0=\u00a06)" in drawn.svg
    assert drawn.further, "six items a stratum are for the supplement"
    assert isinstance(table, Table)
    assert {str(row[0].text): str(row[1].text) for row in table.rows} == {"art": "0.0%", "law": "50.0% ▲"}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Protocol, Collected]:
    folder = tmp_path_factory.mktemp("verdicts") / "study"
    rule = {"when": "mark", "apart": 1, "to": 5}
    analysis = {**BY, "hypotheses": []}
    protocol = study(folder, 3, (KIND, MARK, NAME, SIZE), raters={"escalate": rule}, items=SAMPLED, analysis=analysis)
    return protocol, answered(protocol, undecided({0, 2, 4}))


def test_every_sentence_rests_on_what_is_there(whole: tuple[Protocol, Collected]) -> None:
    protocol, collected = whole
    results = analyse(protocol, collected)
    spoken = sentences(Consensus(), protocol, collected, results)
    assert len(spoken) > 10
    for sentence in spoken:
        assert sentence.rests_on, sentence
        assert all(holds(fact, protocol, results) for fact in sentence.rests_on), sentence
    # Without verdicts none of the rule is told, and without its findings nothing else.
    nothing: Results = replace(results, findings=(), verdicts=())
    assert not sentences(Consensus(), protocol, collected, nothing)


def test_what_is_found_of_them_goes_with_the_finding(tmp_path: Path) -> None:
    protocol = study(tmp_path / "study", ask=(KIND, MARK), items=SAMPLED, analysis=BY)
    collected = answered(protocol, undecided({0, 2, 4}))
    assert _rest_on_findings(protocol, collected) > 4


def _rest_on_findings(protocol: Protocol, collected: Collected) -> int:
    """As `rest_on_what_is_there`, of what is said beside the rule, which rests on facts."""

    class Found(Consensus):
        def methods(self, told: Told) -> Iterable[Any]:  # type: ignore[override]
            ids = {one.id for one in told.results.findings}
            return (one for one in super().methods(told) if ids & set(one.rests_on))

    return rest_on_what_is_there(Found(), protocol, collected)


def test_a_chinese_report_says_all_of_it_in_chinese(whole: tuple[Protocol, Collected]) -> None:
    protocol, collected = whole
    own = ("field", "style", "law", "art", "long", "terse", "kind", "mark", "name", "Which", "How good", "What is it",
           "Field", "Style", "Dawid", "Skene", "quorate reassess")  # fmt: skip
    assert not english_in(texts(Consensus(), protocol, collected), *own)
    later = again(collected, {0, 2}, 2)
    results = analyse(protocol, later)
    assert said(Consensus().title, "zh") == "裁决"
    page: Page = make_page(protocol, later, results, "zh")
    assert "第 2 轮" in {str(chapter.title) for chapter in page.chapters}
    assert Word(ABOVE).text("zh") == "高于阈值"
