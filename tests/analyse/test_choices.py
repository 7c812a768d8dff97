"""Where systems differ by item, agreement is on the choice within a pair, whatever the systems are called."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from quorate import statistics
from quorate.analyse import analyse
from quorate.chance import uniform
from quorate.findings.results import Finding, Results
from quorate.protocol import Protocol, load
from quorate.records import Answer, Collected, Item, Participant, Shown
from quorate.report.methods import methods

STUDY = """\
quorate: 1
title: Arena
items: {{from: items.csv, id: id}}
sections:
  - id: arena
    show:
      - pair: {{text: {{}}, systems: [one, other], outputs: [first, second]}}
    ask:
      - {{id: winner, winner: {{prompt: Which is better?}}}}
      - {{id: scale, preference: {{prompt: By how much?{of}}}}}
raters: {{per_item: 3, roster: 3, consent: text.md, instructions: text.md}}
judges: {{ai: {{recorded: {{field: {{winner: ai, scale: scale}}, holds: identity}}}}}}
analysis: {{compare: {{judge: ai}}}}
"""
SIX = ("ant", "bee", "cat", "dog", "eel", "fox")


def protocol_of(folder: Path, pairs: list[tuple[str, str]], of: str = "") -> Protocol:
    folder.mkdir()
    with (folder / "items.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "one", "other", "first", "second", "ai", "scale"])
        writer.writerows([f"i{k}", *pair, f"a{k}", f"b{k}", pair[0], 1] for k, pair in enumerate(pairs))
    (folder / "text.md").write_text("# Text\n")
    (folder / "study.yaml").write_text(STUDY.format(of=f", of: {of}" if of else ""))
    return load(folder)


def answered(protocol: Protocol, called: Callable[[str], str] = str, turned: frozenset[str] = frozenset()) -> Collected:
    """Three raters and a judge who lean to the system that their item lists first, under whatever names.

    In the items that are `turned` the two stand on the other sides.
    """
    section, items, answers = protocol.sections[0], [], []
    for item in protocol.pool:
        systems = [called(str(item["one"])), called(str(item["other"]))]
        items.append(Item(item.id, {**item.fields, "one": systems[0], "other": systems[1]}))
        for number, who in enumerate(("R1", "R2", "R3", "ai")):
            sides = systems[::-1] if item.id in turned else systems
            shown = Shown({"left": sides[0], "right": sides[1]})
            draw = 0.55 * uniform(4, "item", item.id) + 0.45 * uniform(4, "rater", item.id, who)
            place = 2 if draw < 0.3 else 1 if draw < 0.45 else 0 if draw < 0.55 else -1 if draw < 0.8 else -2
            won = "tie" if place == 0 else systems[0] if place > 0 else systems[1]
            for ask in section.ask:
                of = ask.question.speaks_of(shown) if ask.id == "scale" else ""
                value = won if ask.id == "winner" else place if of == systems[0] else -place
                by = "judge" if who == "ai" else "rater"
                answers.append(
                    Answer(len(answers) + 1, by, who, section.id, item.id, ask.id, value, None, str(value), "",
                           repeat=number % 3, shown=shown)
                )  # fmt: skip
    people = tuple(Participant(who, "finished", {}, {"consent": "", "finished": ""}) for who in ("R1", "R2", "R3"))
    return Collected(tuple(items), tuple(answers), people)


def of_agreement(results: Results) -> dict[str, tuple[Any, ...]]:
    kinds = ("fleiss kappa", "cohen kappa", "gwet ac", "gwet ac2", "krippendorff alpha", "percent agreement",
             "full agreement", "agreement rate", "agreement with the rest")  # fmt: skip
    return {f.id: numbers(f) for f in results.findings if f.statistic in kinds}


def numbers(f: Finding) -> tuple[Any, ...]:
    e = f.estimate
    given = (e.value, e.low, e.high, e.se, e.p, e.n_items, e.n_ratings)
    return tuple(None if one is None else round(one, 9) for one in given)


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Protocol:
    return protocol_of(tmp_path_factory.mktemp("arena") / "study", list(combinations(SIX, 2)) * 6)


@pytest.fixture(scope="module")
def results(arena: Protocol) -> Results:
    return analyse(arena, answered(arena))


def places(arena: Protocol, who: str) -> list[int]:
    """What someone said of each item: 1 the one that the item lists first, −1 the other, 0 a tie."""
    return [
        0 if a.value == "tie" else 1 if a.value == item["one"] else -1
        for item in arena.pool for a in answered(arena).answers
        if (a.item, a.question, a.rater) == (item.id, "winner", who)
    ]  # fmt: skip


def symmetric(rows: list[tuple[int, ...]]) -> float:
    """Fleiss' κ whose chance takes one as often as the other, in closed form: p_e = t² + (1 − t)² / 2."""
    pairs = [sum(a == b for a, b in combinations(row, 2)) / len(list(combinations(row, 2))) for row in rows]
    observed = sum(pairs) / len(pairs)
    t = sum(row.count(0) for row in rows) / sum(map(len, rows))
    chance = t**2 + (1 - t) ** 2 / 2
    return (observed - chance) / (1 - chance)


def symmetric_cohen(a: list[int], b: list[int]) -> float:
    observed = sum(x == y for x, y in zip(a, b, strict=True)) / len(a)
    ties = a.count(0) / len(a), b.count(0) / len(b)
    chance = ties[0] * ties[1] + (1 - ties[0]) * (1 - ties[1]) / 2
    return (observed - chance) / (1 - chance)


def test_chance_gives_one_as_often_as_the_other(arena: Protocol, results: Results) -> None:
    people = [places(arena, who) for who in ("R1", "R2", "R3")]
    found = results["arena.winner.fleiss_kappa.responses"]
    assert found.estimate.value == pytest.approx(symmetric(list(zip(*people, strict=True))))
    assert (found.estimate.n_items, found.estimate.n_ratings) == (90, 270)
    assert results["arena.winner.cohen_kappa.responses.R1.R2"].estimate.value == pytest.approx(
        symmetric_cohen(people[0], people[1])
    )
    assert results["arena.scale.fleiss_kappa.outcome"].estimate.value == pytest.approx(found.estimate.value)


def test_a_judge_is_held_against_people_in_the_same_way(arena: Protocol, results: Results) -> None:
    votes = list(zip(*(places(arena, who) for who in ("R1", "R2", "R3")), strict=True))
    tops = [Counter(row).most_common(1)[0] for row in votes]
    both = [(said, ai) for (said, n), ai in zip(tops, places(arena, "ai"), strict=True) if n >= 2]
    found = results["arena.winner.judge.ai.cohen_kappa"].estimate
    assert found.value == pytest.approx(symmetric_cohen([a for a, _ in both], [b for _, b in both]))
    assert found.n_items == len(both)


def test_names_as_categories_would_say_far_more(arena: Protocol, results: Results) -> None:
    table = [[a.value for a in answered(arena).answers if (a.item, a.question, a.by) == (item.id, "winner", "rater")]
             for item in arena.pool]  # fmt: skip
    by_name = statistics.fleiss_kappa(table, interval=None).value
    assert by_name - results["arena.winner.fleiss_kappa.responses"].estimate.value > 0.1
    same = statistics.percent_agreement(table).value
    assert results["arena.winner.percent_agreement.responses"].estimate.value == pytest.approx(same)


@pytest.mark.parametrize("names", [SIX[::-1], ("z.1", "a, b", "ü", "tied", "C++", "0"), (*SIX[3:], *SIX[:3])])
def test_nothing_changes_with_names_or_places(arena: Protocol, results: Results, names: tuple[str, ...]) -> None:
    called = dict(zip(SIX, names, strict=True))
    some = frozenset(item.id for item in arena.pool if uniform(1, "turn", item.id) < 0.5)
    again = analyse(arena, answered(arena, called.__getitem__, some))
    assert of_agreement(again) == of_agreement(results)
    assert len(of_agreement(results)) > 15


def test_the_interval_is_over_items_and_not_over_their_images(arena: Protocol, results: Results) -> None:
    """Half of the items give a standard error that is larger by about the root of two."""
    kappa = results["arena.winner.fleiss_kappa.responses"].estimate
    whole = answered(arena)
    some = tuple(answer for answer in whole.answers if int(answer.item[1:]) < 45)
    half = analyse(arena, replace(whole, answers=some))["arena.winner.fleiss_kappa.responses"].estimate
    assert 1.2 < (half.se or 0) / (kappa.se or 1) < 1.7
    assert "mirror image" in str(kappa.method)


def test_what_is_coded_is_told(results: Results) -> None:
    found = results["arena.winner.fleiss_kappa.responses"]
    assert str(found.label).startswith("Fleiss’ κ on the choice within each pair")
    assert found.by_pair
    assert not results["arena.winner.percent_agreement.responses"].by_pair


def test_the_methods_say_so_where_it_is_so(arena: Protocol, results: Results, tmp_path: Path) -> None:
    plain = protocol_of(tmp_path / "study", [("ours", "theirs")] * 30)
    told = [
        " ".join(str(part.text) for part in methods(protocol, found))
        for protocol, found in ((arena, results), (plain, analyse(plain, answered(plain))))
    ]
    assert ["the choice within an item’s own pair" in text for text in told] == [True, False]


def test_two_systems_are_categories_as_they_are(tmp_path: Path) -> None:
    protocol = protocol_of(tmp_path / "study", [("ours", "theirs")] * 30)
    found = analyse(protocol, answered(protocol))
    table = [[a.value for a in answered(protocol).answers if (a.item, a.question, a.by) == (item.id, "winner", "rater")]
             for item in protocol.pool]  # fmt: skip
    kappa = found["arena.winner.fleiss_kappa.responses"]
    assert kappa.estimate.value == pytest.approx(statistics.fleiss_kappa(table, interval=None).value)
    assert str(kappa.label) == "Fleiss’ κ (all three annotators)"


def test_a_scale_that_always_speaks_of_one_system_keeps_its_points(tmp_path: Path) -> None:
    pairs = [("ours", name) for name in SIX] * 5
    named = protocol_of(tmp_path / "named", pairs, of="ours")
    found = analyse(named, answered(named))
    assert found["arena.scale.fleiss_kappa.outcome"].by_pair is False
    assert found["arena.winner.fleiss_kappa.responses"].by_pair is True


def test_what_needs_categories_in_common_is_not_said(arena: Protocol, results: Results) -> None:
    same = results["arena.winner.dawid_skene.same"].estimate
    assert same.value is None
    assert "different pairs" in str(same.note)
    (again, *_) = results.select(statistic="straight-lining", question="winner")
    assert again.what == "side"


def test_mirrored_ratings_are_counted_once() -> None:
    read = statistics.Ratings.read([["one", "one"], ["other", "one"], ["tie", "tie"], ["one", None]])
    image = {"one": "other", "other": "one"}
    for statistic in (statistics.fleiss_kappa, statistics.gwet_ac, statistics.krippendorff_alpha):
        plain, mirrored = statistic(read), statistic(read.mirrored(image))
        assert (mirrored.n_items, mirrored.n_ratings) == (plain.n_items, plain.n_ratings)
        assert mirrored.left_out == plain.left_out
    balanced = [["one", "one"], ["other", "other"], ["one", "other"], ["other", "one"], ["tie", "tie"]]
    for statistic in (statistics.fleiss_kappa, statistics.krippendorff_alpha, statistics.gwet_ac):
        whole = statistics.Ratings.read(balanced)
        assert statistic(whole.mirrored(image)).value == pytest.approx(statistic(whole).value)


def test_every_question_that_compares_turns_back(arena: Protocol) -> None:
    for ask in arena.sections[0].ask:
        for name in ask.question.readings():
            turned = ask.question.turned(name)
            assert all(turned[turned[one]] == one for one in turned), name


def test_a_stratum_follows_the_whole_study(tmp_path: Path) -> None:
    protocol = protocol_of(tmp_path / "study", [("ours", "theirs")] * 12 + [("a", "b")] * 12)
    text = (protocol.folder / "study.yaml").read_text().replace("analysis: {", "analysis: {by: one, ")
    (protocol.folder / "study.yaml").write_text(text)
    found = analyse(load(protocol.folder), answered(protocol))
    strata = found.select(statistic="fleiss kappa", question="winner", by="one")
    assert {f.stratum for f in strata} == {"ours", "a"}
    assert {f.by_pair for f in strata} == {True}


def test_one_rater_an_item_gives_strengths(tmp_path: Path) -> None:
    protocol = protocol_of(tmp_path / "study", list(combinations(SIX, 2)) * 6)
    text = (protocol.folder / "study.yaml").read_text().replace("per_item: 3", "per_item: 1")
    (protocol.folder / "study.yaml").write_text(text)
    whole = answered(protocol)
    one = replace(whole, answers=tuple(answer for answer in whole.answers if answer.rater not in ("R2", "R3")))
    strengths = analyse(load(protocol.folder), one).select(statistic="bradley terry", question="winner")
    assert [f.systems for f in strengths] == [(name,) for name in SIX]
    assert all(f.estimate.value is not None and f.estimate.low is not None for f in strengths)


def test_where_no_tie_may_be_given_a_name_of_other_items_is_no_choice(tmp_path: Path) -> None:
    protocol_of(tmp_path / "study", list(combinations(SIX[:3], 2)) * 4)
    path = tmp_path / "study/study.yaml"
    path.write_text(path.read_text("utf-8").replace("winner: {prompt", "winner: {tie: false, prompt"), "utf-8")
    protocol = load(tmp_path / "study")
    collected = answered(protocol)
    decided = tuple(answer for answer in collected.answers if answer.value != "tie")
    results = analyse(protocol, replace(collected, answers=decided))
    assert results["arena.winner.fleiss_kappa.responses"].estimate.value is not None
