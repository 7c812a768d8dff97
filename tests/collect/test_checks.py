"""Checks are mixed into the work, count in the progress, and enter no estimate."""

from __future__ import annotations

from pathlib import Path

import pytest

from quorate.analyse import analyse
from quorate.collect import way
from quorate.collect.gather import gather
from quorate.collect.judging import ask_judges
from quorate.collect.quality import exclude_by_rule, quality_now
from quorate.collect.status import study_status
from quorate.collect.way import Step
from quorate.errors import StudyFileError
from quorate.findings.results import Results
from quorate.inquiries.base import Told
from quorate.inquiries.quality import QualityChecks
from quorate.plan import CHECKS, make_plan
from quorate.protocol import load
from quorate.records import Collected
from quorate.report.markdown import markdown
from quorate.report.page import make_page
from raters import UnderWay, under_way
from republished import follows
from words import rate, words

CHECKED = "per_item: 1\nroster: 2\nchecks:\n  gold: {from: gold.csv, id: id}\n  repeats: 2"


def done(running: UnderWay, rater: str) -> list[str]:
    running.go_to(rater, Step.WORK)
    items = []
    while running.step(rater) is Step.WORK:
        items.append(rate(running, rater, 3))
    return items


@pytest.mark.parametrize("batch", ["", "\nbatch: 5"])
def test_each_rater_gets_every_gold_item_and_some_own_items_again(tmp_path: Path, batch: str) -> None:
    with under_way(words(tmp_path / "s", CHECKED + batch, n=40)) as running:
        running.open()
        for rater in running.invite(2):
            running.go_to(rater, Step.WORK)
            assert running.where(rater).total == 25
            items = done(running, rater)
            assert len(items) == 25
            assert {"g1", "g2", "g3"} < set(items)
            assert len(set(items)) == 23


def test_an_item_comes_again_late_enough_not_to_be_the_next(tmp_path: Path) -> None:
    with under_way(words(tmp_path / "s", CHECKED.replace("repeats: 2", "repeats: 8"), n=40)) as running:
        running.open()
        items = done(running, running.invite()[0])
        twice = [item for item in set(items) if items.count(item) == 2]
        assert len(twice) == 8
        for item in twice:
            first = items.index(item)
            assert items.index(item, first + 1) - first >= 5


def test_checks_stand_apart_from_the_answers(tmp_path: Path) -> None:
    with under_way(words(tmp_path / "s", CHECKED)) as running:
        running.open()
        for rater in running.invite(2):
            done(running, rater)
        collected = running.read(gather)
        assert sorted(a.item for a in collected.answers) == [f"w{n:03d}" for n in range(12)]
        assert len(collected.items) == 12
        assert [item.id for item in collected.gold] == ["g1", "g2", "g3"]
        assert len(collected.checks) == 2 * (3 + 2)
        assert {answer.round for answer in collected.checks} == {CHECKS}
        status = running.do(study_status)
        assert (status.answered, status.wanted) == (12, 12)
        assert running.do(ask_judges) == 0


def test_gold_is_in_the_plans_items_and_not_in_its_slots(tmp_path: Path) -> None:
    plan = make_plan(load(words(tmp_path / "s", CHECKED)))
    assert len(plan.items) == 15
    assert {slot.item for slot in plan.slots} == {f"w{n:03d}" for n in range(12)}


@pytest.mark.parametrize(
    ("raters", "sentence"),
    [
        (CHECKED, "a grid shows all items at once"),
        (CHECKED.replace("gold.csv", "words.csv"), "'w000' is in words.csv too"),
        (CHECKED.replace("id: id}", "id: id, section: jugde}"), "Did you mean 'judge'"),
        ("per_item: 2\nescalate: {when: scroe, to: 3}", "Did you mean 'score'"),
        ("per_item: 3\nescalate: {when: score, to: 3}", "`to` should be more"),
        ("per_item: 1\nescalate: {when: score, to: 3}", "cannot disagree"),
    ],
)
def test_what_cannot_work_is_refused_when_the_study_is_read(tmp_path: Path, raters: str, sentence: str) -> None:
    folder = words(tmp_path / "s", raters)
    path = folder / "study.yaml"
    if "grid" in sentence:
        path.write_text(path.read_text().replace("  - id: judge\n", "  - id: judge\n    grid: true\n"))
    with pytest.raises(StudyFileError) as refused:
        load(folder)
    assert any(sentence in str(complaint) for complaint in refused.value.complaints)


RULED = """per_item: 2
roster: 2
checks:
  gold: {from: gold.csv, id: id, answers: {score: right}, within: 1}
  repeats: 2
exclude: {when: checks_failed >= 2, because: Answers at random tell nothing}"""


def ruled(folder: Path, raters: str = RULED) -> Path:
    words(folder, raters)
    rows = ["id,word,field,right", "g1,gold one,law,4", "g2,gold two,art,5", "g3,gold three,law,1"]
    (folder / "gold.csv").write_text("\n".join(rows) + "\n")
    return folder


def two_raters(running: UnderWay) -> tuple[str, str]:
    """One who answers 3 throughout, and one who knows the checks and answers 2 and 4 in turns, the same when asked."""
    running.open()
    careless, careful = running.invite(2)
    done(running, careless)
    running.go_to(careful, Step.WORK)
    known = {"g1": 4, "g2": 4, "g3": 1}
    while running.step(careful) is Step.WORK:
        item = running.work(careful).place.assignment.item
        rate(running, careful, known.get(item) or 2 + 2 * (int(item[1:]) % 2))
    return careless, careful


def test_checks_are_counted_by_rater_with_a_tolerance(tmp_path: Path) -> None:
    with under_way(ruled(tmp_path / "s")) as running:
        careless, careful = two_raters(running)
        found = running.do(quality_now)
        # 3 is within 1 of 4, and 1 further than 1 from 5 and from 1.
        assert (found[careless].checks, found[careless].checks_failed, found[careless].longest_run) == (3, 2, 12)
        assert (found[careful].checks, found[careful].checks_failed) == (3, 0)
        assert (found[careful].repeats, found[careful].repeats_changed) == (2, 0)
        status = {one.id: one for one in running.do(study_status).raters}
        assert status[careless].excluding == "checks_failed >= 2 (checks_failed = 2)"
        assert status[careful].excluding == ""


def test_whom_the_rule_excludes_leaves_the_analysis_with_the_reason_and_results_stand_with_and_without(
    tmp_path: Path,
) -> None:
    with under_way(ruled(tmp_path / "s")) as running:
        careless, careful = two_raters(running)
        collected = running.read(lambda tx: gather(tx, False, running.protocol))
        results = analyse(running.protocol, collected)
        assert [(one.rater, one.reason) for one in results.exclusions] == [
            (careless, "checks_failed >= 2 (checks_failed = 2)")
        ]
        assert [one.id for one in results.annotators] == [careful]
        assert results.with_excluded
        text = " ".join(map(str, QualityChecks().methods(Told(running.protocol, results))))
        assert "It held of 1 of 2 raters." in text
        assert "6 items with known answers were answered, counted for each rater; 2 were failed." in text
        (listing,) = [one for one in results.listings if one.group == "checks"]
        assert [row[0] for row in listing.rows] == [careless, careful]
        report = page_text(running, collected, results)
        assert "Checks by rater" in report
        assert "checks\\_failed = 2" in report


def test_numbers_with_excluded_raters_are_found_again_where_others_answered_in_their_place(tmp_path: Path) -> None:
    """Two of the four who then count say the same: that is not more than half, so no item has a verdict."""
    with under_way(words(tmp_path / "s", "per_item: 2\nroster: 2", n=4)) as running:
        running.open()
        for rater, score in zip([*running.invite(2)], (3, 3), strict=True):
            answer_all(running, rater, score)
            running.do(way.exclude, rater, "knew the words")
        for rater, score in zip([*running.invite(2)], (1, 2), strict=True):
            answer_all(running, rater, score)
        collected = running.read(lambda tx: gather(tx, False, running.protocol))
        told = {one["id"]: one["value"] for one in follows(running.protocol, collected, tmp_path / "paper")}
        assert told["judge.score.ambiguity"] == 1
        (kept,) = [
            one for one in analyse(running.protocol, collected).with_excluded if one.id == "judge.score.ambiguity"
        ]
        assert (kept.estimate.value, kept.counted) == (1, (4, 4))


def answer_all(running: UnderWay, rater: str, score: int) -> None:
    running.go_to(rater, Step.WORK)
    while running.step(rater) is Step.WORK:
        rate(running, rater, score)


def page_text(running: UnderWay, collected: Collected, results: Results) -> str:
    return markdown(make_page(running.protocol, collected, results))


def test_the_rule_can_be_carried_out_so_that_others_take_the_places(tmp_path: Path) -> None:
    with under_way(ruled(tmp_path / "s")) as running:
        careless, _ = two_raters(running)
        assert list(running.do(exclude_by_rule)) == [careless]
        assert running.step(careless) is Step.EXCLUDED
        assert running.do(exclude_by_rule) == {}
        (other,) = running.invite(1)
        running.go_to(other, Step.WORK)
        while running.step(other) is Step.WORK:
            item = running.work(other).place.assignment.item
            rate(running, other, {"g1": 4, "g2": 4, "g3": 1}.get(item, 5))
        status = running.do(study_status)
        assert status.answered == status.wanted == 24
        assert running.do(exclude_by_rule) == {}


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("checks_failed >=", "check_failed >=", "Did you mean 'check"),
        ("checks_failed >=", "agreement <", "nothing is known of a rater under the name 'agreement'"),
        ("{score: right}", "{scor: right}", "no section asks 'scor'"),
        ("{score: right}", "{score: rigt}", "gold.csv has no field 'rigt'"),
    ],
)
def test_a_rule_speaks_of_what_is_known_of_a_rater(tmp_path: Path, old: str, new: str, told: str) -> None:
    folder = ruled(tmp_path / "s", RULED.replace(old, new))
    with pytest.raises(StudyFileError, match=told):
        load(folder)
