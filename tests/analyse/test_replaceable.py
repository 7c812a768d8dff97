"""A judge and each left-out person are held against the same remaining people."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyse.judging import pairs, said
from quorate.analyse import analyse
from quorate.inquiries import replaceable
from quorate.protocol import load
from quorate.records import Collected


def collected(protocol, judge: list[str], *people: list[str]) -> Collected:  # type: ignore[no-untyped-def]
    """The answers of a judge and of people, an item each."""
    answers = [said(f"i{k}", "ai", value, "judge", at="compare") for k, value in enumerate(judge)]
    for place, line in enumerate(people, start=1):
        answers += [said(f"i{k}", f"R{place}", value, at="compare") for k, value in enumerate(line) if value]
    return Collected(protocol.pool, tuple(answers))


def test_a_judge_that_says_what_most_people_say_does_better_than_the_one_who_differs(tmp_path: Path) -> None:
    protocol = pairs(tmp_path, 40)
    most, odd = ["ours"] * 40, ["theirs" if k % 2 else "ours" for k in range(40)]
    results = analyse(protocol, collected(protocol, most, most, most, odd))
    each = {r: results[f"compare.better.left_out.ai.difference.{r}"].estimate.value for r in ("R1", "R2", "R3")}
    assert each["R1"] == each["R2"] == 0
    assert each["R3"] == pytest.approx(0.5)
    assert results["compare.better.left_out.ai.judge"].estimate.value == pytest.approx((0.75 + 0.75 + 1) / 3)
    assert results["compare.better.left_out.ai.omega"].estimate.value == 1
    assert results["compare.better.left_out.ai.omega"].counted == (3, 3)
    assert results["compare.better.left_out.ai.rho"].estimate.value == 1


def test_epsilon_is_the_protocols(tmp_path: Path) -> None:
    protocol = pairs(tmp_path, 40, analysis="{epsilon: 0.1}")
    found = analyse(protocol, collected(protocol, *[["ours"] * 40] * 4))["compare.better.left_out.ai.omega"]
    assert "ε = 0.1" in str(found.label)
    assert "epsilon 0.1" in str(found.estimate.method)


def test_ambiguous_items_are_in_one_figure_and_out_of_the_other(tmp_path: Path) -> None:
    protocol = pairs(tmp_path, 40)
    one, two, three = (["ours"] * 30 + [other] * 10 for other in ("ours", "theirs", "tie"))
    results = analyse(protocol, collected(protocol, ["ours"] * 40, one, two, three))
    within, without = (results[f"compare.better.left_out.ai.{name}judge"].estimate for name in ("", "clear."))
    assert (within.n_items, without.n_items) == (40, 30)
    assert without.value == 1
    assert (within.value or 0) < 1


def test_too_few_items_leave_the_test_undefined_with_the_reason(tmp_path: Path) -> None:
    protocol = pairs(tmp_path, 5)
    found = analyse(protocol, collected(protocol, *[["ours"] * 5] * 4))["compare.better.left_out.ai.omega"].estimate
    assert found.value is None
    assert "30 items" in str(found.note)


def test_a_crowd_can_be_left_out_one_by_one_too(tmp_path: Path) -> None:
    pairs(tmp_path, 60)
    path = tmp_path / "study.yaml"
    path.write_text(path.read_text().replace("per_item: 3, roster: 3", "per_item: 80, roster: 80"))
    protocol = load(tmp_path)
    lines = [["ours" if (k + place) % 4 else "theirs" for k in range(60)] for place in range(80)]
    results = analyse(protocol, collected(protocol, ["ours"] * 60, *lines))
    shares = [sum(line[k] == "ours" for line in lines) for k in range(60)]
    with_rest = [sum((shares[k] - (line[k] == "ours")) / 79 for k in range(60)) / 60 for line in lines]
    judge = results["compare.better.left_out.ai.judge"].estimate
    assert judge.value == pytest.approx(sum(with_rest) / 80)
    assert results["compare.better.left_out.ai.omega"].estimate.value == 1
    assert not any(
        one.raters for one in results.select(inquiry="left out")
    )  # eighty lines are nothing that anybody reads


def test_of_more_than_fits_items_are_drawn_by_the_seed_and_the_rest_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    protocol = pairs(tmp_path, 60)
    answers = collected(protocol, *[["ours"] * 60] * 4)
    monkeypatch.setattr(replaceable, "MOST_CELLS", 3 * 40)
    one, other = (analyse(protocol, answers)["compare.better.left_out.ai.judge"].estimate for _ in range(2))
    assert (one.n_items, one.left_out["items that were not drawn"]) == (40, 20)
    assert one == other
