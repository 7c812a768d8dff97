"""Where two disagree a third is asked, blind to why; a stratum can be assessed anew by others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import quorate
from quorate.collect import way
from quorate.collect.adjudication import decide, queue
from quorate.collect.checks import is_check
from quorate.collect.escalation import reassess
from quorate.collect.forms import FormError
from quorate.collect.gather import gather
from quorate.collect.links import invite_member, places_left
from quorate.collect.way import Step
from quorate.errors import CollectError
from quorate.plan import CHECKS
from quorate.store import Store
from quorate.study import REHEARSAL
from raters import UnderWay, under_way
from words import rate, words

TWO = "per_item: 2\nroster: 2\nescalate: {when: score, apart: 1, to: 3}"


@contextmanager
def open_study(folder: Path) -> Iterator[UnderWay]:
    with under_way(folder) as running:
        running.open()
        yield running


def work_through(running: UnderWay, rater: str, scores: dict[str, int], otherwise: int) -> list[str]:
    """The rater answers everything; the items in their order."""
    running.go_to(rater, Step.WORK)
    items = []
    while running.step(rater) is Step.WORK:
        item = running.work(rater).place.assignment.item
        items.append(rate(running, rater, scores.get(item, otherwise)))
    return items


def disagreed(running: UnderWay, on: dict[str, int]) -> list[str]:
    """Two raters who agree but on these items."""
    first, second = running.invite(2)
    work_through(running, first, {}, 3)
    work_through(running, second, on, 3)
    return [first, second]


def test_items_on_which_two_disagree_get_a_third_rater_and_no_others_do(tmp_path: Path) -> None:
    with open_study(words(tmp_path / "s", TWO)) as running:
        raters = disagreed(running, {"w001": 5, "w002": 4, "w003": 1})
        (third,) = running.invite()
        seen = work_through(running, third, {}, 5)
        counted = Counter(a.item for a in running.read(gather).answers)
        assert counted == {f"w{n:03d}": 3 if n in (1, 3) else 2 for n in range(12)}
        assert {"w001", "w003"} < set(seen)
        assert len(seen) == 4
        assert [running.step(rater) for rater in (*raters, third)] == [Step.DONE] * 3


def test_a_contested_item_comes_among_others_whose_answers_enter_no_estimate(tmp_path: Path) -> None:
    with open_study(words(tmp_path / "s", TWO)) as running:
        disagreed(running, {"w001": 5, "w003": 1})
        (third,) = running.invite()
        work_through(running, third, {}, 5)
        mine = running.read(lambda tx: tx.assignments(third))
        assert Counter(a.round for a in mine) == {1: 2, CHECKS: 2}
        collected = running.read(gather)
        assert sorted(a.item for a in collected.answers if a.rater == third) == ["w001", "w003"]
        assert len(collected.checks) == 2
        assert all(is_check(answer) for answer in collected.checks)


def test_no_rater_is_third_on_an_item_of_their_own(tmp_path: Path) -> None:
    with open_study(words(tmp_path / "s", TWO)) as running:
        raters = disagreed(running, {"w001": 5})
        assert [running.step(rater) for rater in raters] == [Step.DONE] * 2
        assert running.do(places_left) == 1


def test_a_rater_who_has_finished_is_called_back_to_settle_a_disagreement(tmp_path: Path) -> None:
    rotating = "per_item: 2\nroster: 3\nescalate: {when: score, to: 3}"
    with open_study(words(tmp_path / "s", rotating)) as running:
        first, second, third = running.invite(3)
        work_through(running, first, {}, 3)
        assert running.step(first) is Step.DONE
        # The last two agree with nobody.
        work_through(running, second, {}, 1)
        work_through(running, third, {}, 5)
        assert running.step(first) is Step.WORK
        for rater in (first, second):
            work_through(running, rater, {}, 3)
        assert set(Counter(a.item for a in running.read(gather).answers).values()) == {3}


def test_numbers_may_differ_by_as_much_as_the_study_says(tmp_path: Path) -> None:
    with open_study(words(tmp_path / "s", TWO.replace("apart: 1", "apart: 2"))) as running:
        disagreed(running, {"w001": 5, "w002": 1})
        assert running.read(lambda tx: tx.events(kinds=["escalated"])) == ()


def test_a_revision_that_brings_disagreement_calls_a_third_and_only_once(tmp_path: Path) -> None:
    with open_study(words(tmp_path / "s", TWO)) as running:
        first, second = running.invite(2)
        work_through(running, first, {}, 3)
        running.go_to(second, Step.WORK)
        item = rate(running, second, 3)
        for score in ("5", "1"):
            cell = next(c for c in running.read(lambda tx: tx.assignments(second)) if c.item == item)
            form = {"score": [score]}
            running.submit(
                second, running.submission(second, "", assignment=cell.id, form=form, revision=cell.revision)
            )
        assert len(running.read(lambda tx: tx.events(kinds=["escalated"]))) == 1


def test_what_three_do_not_settle_waits_for_a_member_of_the_team(tmp_path: Path) -> None:
    with open_study(words(tmp_path / "s", TWO)) as running:
        disagreed(running, {"w001": 1, "w003": 1})
        (third,) = running.invite()
        assert running.do(queue) == ()
        work_through(running, third, {"w001": 5, "w003": 4}, 3)
        # 3, 1, 5 have nothing in common; of 3, 1, 4 two lie within 1 of each other.
        (waiting,) = running.do(queue)
        assert (waiting.item.id, waiting.question) == ("w001", "score")
        assert sorted(opinion["score"].value for opinion in waiting.opinions) == [1, 3, 5]
        assert {answer.rater for opinion in waiting.opinions for answer in opinion.values()} == {""}


def test_a_decision_is_a_row_of_its_own_kind_with_its_reason(tmp_path: Path) -> None:
    with open_study(words(tmp_path / "s", TWO)) as running:
        disagreed(running, {"w001": 1})
        (third,) = running.invite()
        work_through(running, third, {"w001": 5}, 3)
        running.store.do(lambda tx: invite_member(tx, "Ada"))
        said = {"score": ["4"]}
        for wrong, match in (((said, " "), "say why"), ((said, "x", "w002"), "does not wait")):
            with pytest.raises(CollectError, match=match):
                running.do(decide, "M1", "judge", wrong[2] if len(wrong) > 2 else "w001", *wrong[:2])
        with pytest.raises(FormError):
            running.do(decide, "M1", "judge", "w001", {}, "because")
        with pytest.raises(CollectError, match="Only members"):
            running.do(decide, "M2", "judge", "w001", said, "because")
        running.do(decide, "M1", "judge", "w001", said, "because")
        (row,) = running.read(lambda tx: tx.latest_answers(by="member"))
        assert (row.rater, row.item, row.value, row.raw["reason"]) == ("M1", "w001", 4, "because")
        assert running.do(queue) == ()
        assert [contested.decided["score"].value for contested in running.do(queue, decided=True)] == [4]


def test_an_excluded_rater_frees_answered_places_so_that_every_item_gets_its_answers(tmp_path: Path) -> None:
    with open_study(words(tmp_path / "s", "per_item: 2\nroster: 2")) as running:
        first, second = running.invite(2)
        for rater in (first, second):
            work_through(running, rater, {}, 3)
        running.do(way.exclude, second, "straight-lining")
        (fresh,) = running.invite()
        assert len(work_through(running, fresh, {}, 4)) == 12
        left = [a for a in running.read(gather).answers if a.rater != second]
        assert set(Counter(a.item for a in left).values()) == {2}


PANELS = "per_item: 2\nroster: 2\npanels: field"


def panelled(running: UnderWay) -> dict[str, list[str]]:
    from quorate.collect.links import invite

    return {panel: [i.person for i in running.do(invite, 2, panel)] for panel in ("art", "law")}


def test_each_panel_rates_its_own_items(tmp_path: Path) -> None:
    with open_study(words(tmp_path / "s", PANELS)) as running:
        for panel, raters in panelled(running).items():
            for rater in raters:
                items = work_through(running, rater, {}, 3)
                assert sorted(items) == sorted(f"w{n:03d}" for n in range(12) if (n % 2 == 1) == (panel == "law"))


def test_a_stratum_is_assessed_anew_by_other_raters_and_the_first_round_stays(tmp_path: Path) -> None:
    with open_study(words(tmp_path / "s", PANELS)) as running:
        raters = panelled(running)
        for rater in [*raters["art"], *raters["law"]]:
            work_through(running, rater, {}, 3)
        with pytest.raises(CollectError, match="Did you mean 'law'"):
            running.do(reassess, "lawn")
        opened = running.do(reassess, "law")
        assert (opened.number, opened.n, opened.by) == (2, 6, "field")
        assert [running.do(places_left, panel) for panel in ("art", "law")] == [0, 2]
        assert {running.step(rater) for rater in raters["law"]} == {Step.DONE}
        from quorate.collect.links import invite

        for invitation in running.do(invite, 2, "law"):
            work_through(running, invitation.person, {}, 5)
        rounds = Counter((a.round, a.value) for a in running.read(gather).answers)
        assert rounds == {(1, 3): 24, (2, 5): 12}


def test_a_rehearsal_settles_every_disagreement_it_can(tmp_path: Path) -> None:
    folder = words(tmp_path / "s", TWO, n=30)
    study = quorate.open(folder)
    study.rehearse(1, 0.5)
    study.close()
    with Store.open(folder / REHEARSAL) as store:
        answers = store.read(gather).answers
        contested = {event.data["item"] for event in store.read(lambda tx: tx.events(kinds=["escalated"]))}
    assert contested
    assert Counter(a.item for a in answers) == {f"w{n:03d}": 3 if f"w{n:03d}" in contested else 2 for n in range(30)}
