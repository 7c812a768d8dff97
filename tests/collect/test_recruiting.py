"""A panel of experts over two weeks: cuts by panel, reserves, drop-outs, late candidates and a second round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from lab import PANELS, Lab, opened
from quorate.analyse import analyse
from quorate.collect import screening, way
from quorate.collect.escalation import reassess
from quorate.collect.gather import gather
from quorate.collect.links import invite, invite_again, places_left, revoke
from quorate.collect.recruiting import free_places, is_recruited
from quorate.collect.status import study_status
from quorate.collect.way import Step
from quorate.errors import CollectError
from quorate.protocol import load
from quorate.store import Tx
from quorate.verify import verify


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    running = opened(tmp_path / "study")
    yield running
    running.store.close()


def test_one_candidate_of_one_panel_closes_no_other_panel(lab: Lab) -> None:
    one = lab.come("Film")
    (cut,) = lab.select()
    assert (cut.panel, [c.candidate.rater for c in cut.chosen], cut.still_free) == ("Film", [one], 2)
    assert "2 places stay free" in cut.alarm(lab.protocol)
    assert not any(lab.do(is_recruited, panel) for panel in PANELS)
    assert lab.do(places_left, "Film")


def test_a_cut_keeps_ranks_and_reserves_and_thanks_those_who_failed(lab: Lab) -> None:
    people = [lab.come("Film", right) for right in (10, 12, 9, 11, 12, 10)]
    rest = lab.do(invite, 1, "Film")[0].person
    seen = lab.read(lambda tx: screening.preview(tx, lab.protocol, ["Film"]))
    assert lab.steps(*people) == ["selection"] * 6  # a preview settles nothing
    (cut,) = lab.do(screening.select, ["Film"], seen)
    assert {c.candidate.rater for c in cut.chosen} == {people[1], people[3], people[4]}
    assert {c.rater for c in cut.reserves} == {people[0], people[5]}
    assert lab.steps(*people) == ["reserve", "instructions", "failed_quiz", "instructions", "instructions", "reserve"]
    assert lab.steps(rest) == ["recruitment_closed"]
    with pytest.raises(CollectError, match="every place of panel Film is taken"):
        lab.do(invite, 1, "Film")
    with pytest.raises(CollectError, match="nothing to settle: every place is taken"):
        lab.select("Film")
    assert lab.do(places_left, "Idioms")


def test_nothing_is_settled_that_the_preview_did_not_show(lab: Lab) -> None:
    lab.come("Film", 11)
    seen = lab.read(lambda tx: screening.preview(tx, lab.protocol, ["Film"]))
    late = lab.come("Film", 12)
    with pytest.raises(CollectError, match="Since the preview"):
        lab.do(screening.select, ["Film"], seen)
    assert lab.step(late) is Step.SELECTION


def test_what_a_drop_out_left_goes_to_the_next_reserve_and_what_was_answered_is_kept(lab: Lab) -> None:
    people = [lab.come("Film", right) for right in (12, 12, 12, 11, 10)]
    lab.select("Film")
    taking, (next_, last) = people[:3], people[3:]
    for rater in taking[:2]:
        lab.go_on(rater)
    assert lab.go_on(taking[2], 3) == 3
    with pytest.raises(CollectError, match="Say why"):
        lab.do(way.replace, taking[2], " ")
    lab.do(way.replace, taking[2], "does not answer")
    assert lab.step(taking[2]) is Step.REPLACED
    (place,) = lab.do(free_places, "Film")
    assert (place.before, place.why) == (taking[2], "was replaced: does not answer")
    (cut,) = lab.select("Film")
    assert [(c.candidate.rater, c.because) for c in cut.chosen] == [(next_, "reserve")]
    assert lab.steps(next_, last) == ["instructions", "reserve"]
    assert lab.go_on(next_, 1) == 1
    at = lab.where(next_)
    assert at.section == "compare" or at.total == 1, at  # of part A one item was left
    assert lab.go_on(next_) == 4
    assert lab.step(next_) is Step.DONE
    assert lab.per_item() == Counter({3: 8})
    status = lab.do(study_status)
    notes = {one.id: (one.panel, one.note) for one in status.raters}
    assert notes[next_] == ("Film", f"instead of {taking[2]}")
    assert notes[taking[2]] == ("Film", "does not answer")
    with pytest.raises(CollectError, match="nothing to hand on"):
        lab.do(way.replace, next_, "again")


@pytest.mark.parametrize("leaves", ["withdrawn", "excluded"])
def test_what_somebody_had_answered_who_was_replaced_and_then_left_goes_to_whoever_came_instead(
    lab: Lab, leaves: str
) -> None:
    people = [lab.come("Film", right) for right in (12, 12, 12, 11)]
    lab.select("Film")
    lab.go_on(people[0], 3)
    lab.do(way.replace, people[0], "does not answer")
    lab.select("Film")
    for rater in people[1:]:
        lab.go_on(rater)
    assert lab.steps(*people[1:]) == ["done"] * 3
    lab.do(way.withdraw, people[0]) if leaves == "withdrawn" else lab.do(way.exclude, people[0], "is an author")
    assert lab.do(free_places, "Film") == ()  # it is taken: whoever came instead has not done a whole share
    assert lab.go_on(people[3]) == 3
    assert lab.steps(*people[1:]) == ["done"] * 3
    assert lab.per_item() == Counter({3: 8})
    (one,) = [p for p in lab.do(lambda tx, protocol: gather(tx, False, protocol)).participants if p.rater == people[0]]
    assert (one.status, one.reason) == (leaves, "is an author" if leaves == "excluded" else "")


def test_an_excluded_expert_is_followed_by_a_late_candidate_who_took_the_same_quiz(lab: Lab) -> None:
    people = [lab.come("Film") for _ in range(3)]
    lab.select("Film")
    for rater in people:
        lab.go_on(rater)
    lab.do(way.exclude, people[0], "knew the authors")
    late = lab.come("Film", 11)
    (cut,) = lab.select("Film")
    assert [(c.candidate.rater, c.because, c.place.before) for c in cut.chosen] == [(late, "late", people[0])]
    assert lab.go_on(late) == 8
    assert lab.per_item() == Counter({3: 8})


@pytest.mark.parametrize(("rule", "comes"), [("reserves first", 3), ("best first", 4)])
def test_the_study_file_says_who_comes_next(lab: Lab, rule: str, comes: int) -> None:
    file = lab.folder / "study.yaml"
    file.write_text(file.read_text().replace("    by: domain\n", f"    by: domain\n    refill: {rule}\n", 1))
    lab.protocol = load(lab.folder)
    people = [lab.come("Film", right) for right in (12, 12, 12, 10)]
    lab.select("Film")
    lab.do(way.exclude, people[0], "knew the authors")
    people.append(lab.come("Film", 12))
    (cut,) = lab.select("Film")
    assert [c.candidate.rater for c in cut.chosen] == [people[comes]]


def test_a_revoked_link_frees_the_place_until_somebody_has_it(lab: Lab) -> None:
    people = [lab.come("Film", right) for right in (12, 12, 12, 11)]
    lab.select("Film")
    lab.go_on(people[0], 2)
    lab.store.do(lambda tx: revoke(tx, people[0]))
    assert [place.before for place in lab.do(free_places, "Film")] == [people[0]]
    lab.store.do(lambda tx: invite_again(tx, people[0]))
    assert lab.do(free_places, "Film") == ()
    lab.store.do(lambda tx: revoke(tx, people[0]))
    lab.select("Film")
    lab.store.do(lambda tx: invite_again(tx, people[0]))
    assert lab.steps(people[0], people[3]) == ["replaced", "instructions"]


def test_who_has_nothing_left_to_answer_frees_no_place(lab: Lab) -> None:
    people = [lab.come("Film", right) for right in (12, 12, 12, 11, 10)]
    lab.select("Film")
    while lab.step(people[0]) is not Step.DEBRIEF:
        lab.go_on(people[0], 1)
    with pytest.raises(CollectError, match="nothing to hand on"):
        lab.do(way.replace, people[0], "does not come back")
    lab.store.do(lambda tx: revoke(tx, people[0]))
    assert lab.do(free_places, "Film") == ()


def test_a_place_after_which_nothing_was_left_stops_no_selection(lab: Lab) -> None:
    """Of two who have no link that works, one was told that nothing is needed any more: the other is followed."""
    for _ in range(5):
        lab.come("Film")
    taking = [one.candidate.rater for one in lab.select("Film")[0].chosen]
    lab.go_on(taking[0], 1)
    lab.do(lambda tx, protocol: tx.add_event("not_needed", taking[0]))
    for rater in taking[:2]:
        lab.store.do(lambda tx, rater=rater: revoke(tx, rater))
    (cut,) = lab.select("Film")
    assert [one.place.before for one in cut.chosen] == [taking[1]]


def test_where_everyone_who_passes_takes_part_recruitment_opens_again_when_someone_leaves(lab: Lab) -> None:
    file = lab.folder / "study.yaml"
    file.write_text(file.read_text().replace("    top: 3 ", "    # ", 1))
    lab.protocol = load(lab.folder)
    people = [lab.come("Film") for _ in range(3)]
    late = lab.do(invite, 1, "Film")[0].person
    lab.select("Film")
    with pytest.raises(CollectError, match="recruitment is closed"):
        lab.select("Film")
    with pytest.raises(CollectError, match="recruitment of panel Film is closed"):
        lab.do(invite, 1, "Film")
    for rater in people:
        lab.go_on(rater)
    assert lab.step(late) is Step.RECRUITMENT_CLOSED
    lab.do(way.exclude, people[0], "is an author")
    assert lab.step(late) is Step.CONSENT
    lab.quiz(late, 12)
    lab.select("Film")
    assert lab.go_on(late) == 8
    assert lab.per_item() == Counter({3: 8})
    assert [str(one) for one in verify(lab.protocol, lab.store).findings] == []


def test_a_field_that_no_item_has_is_named(lab: Lab) -> None:
    with pytest.raises(CollectError, match="No item has a field 'styl'\\. Did you mean 'style'"):
        lab.do(reassess, "Minimalist", "styl")


def test_a_second_round_is_for_others_who_took_the_same_quiz(lab: Lab) -> None:
    people = [lab.come("Film", right) for right in (12, 12, 12, 11, 10)]
    lab.select("Film")
    for rater in people[:3]:
        lab.go_on(rater)
    opened = lab.do(reassess, "Film")
    assert (opened.number, opened.n, opened.panels) == (2, 4, {"Film": 4})
    third = lab.come("Film", 12)
    (cut,) = lab.select("Film")
    assert [(c.candidate.rater, c.place.round, c.because) for c in cut.chosen] == [
        (people[3], 2, "reserve"), (people[4], 2, "reserve"), (third, 2, "late")
    ]  # fmt: skip
    assert lab.steps(*people[:3]) == ["done"] * 3
    assert [lab.go_on(rater) for rater in (people[3], people[4], third)] == [8, 8, 8]
    assert lab.per_item(1) == lab.per_item(2) == Counter({3: 8})


def test_a_style_across_the_panels_is_reassessed_as_a_share_of_each_panels_work(lab: Lab) -> None:
    opened = lab.do(reassess, "Minimalist")
    assert opened.by == "style"
    assert set(opened.panels) == set(PANELS)
    assert opened.n == 12
    first = [lab.come("Film") for _ in range(3)]
    again = [lab.come("Film", 11) for _ in range(3)]
    lab.select("Film")
    assert [lab.go_on(rater) for rater in (*first, *again)] == [8, 8, 8, 4, 4, 4]
    assert lab.per_item(2) == Counter({3: 4})
    assert lab.do(reassess, "Film").by == "domain"


def test_two_weeks_of_six_panels_end_with_every_planned_answer(lab: Lab) -> None:
    """Refusals, failures, drop-outs, an excluded expert, an ambiguous domain and a restart each night."""

    def restart() -> None:
        lab.store.close()
        lab.__init__(lab.folder)  # type: ignore[misc]

    for panel in PANELS:
        declined = lab.do(invite, 1, panel)[0].person
        lab.do(way.consent, declined, False)
        lab.do(invite, 1, panel)  # never comes
        for right in (12, 11, 8):
            lab.come(panel, right)
    lab.select()
    restart()
    for panel in PANELS[1:]:
        for right in (12, 10, 10):
            lab.come(panel, right)
    lab.select()
    lab.come("Cities")
    lab.select("Cities")
    restart()
    taking = {panel: _taking(lab, panel) for panel in PANELS}
    assert all(len(raters) == 3 for raters in taking.values())
    for raters in taking.values():
        lab.go_on(raters[0])
        lab.go_on(raters[1], 5)
    lab.do(way.replace, taking["Film"][1], "does not answer any more")
    lab.do(way.exclude, taking["Idioms"][0], "is an author of the study")
    lab.do(way.withdraw, taking["Idioms"][1])
    lab.do(way.withdraw, taking["Cities"][2], True)
    restart()
    late = lab.come("Cities", 11)
    lab.select()
    assert lab.read(lambda tx: [p for p in PANELS if free_places(tx, lab.protocol, p)]) == []
    lab.do(reassess, "Literature")
    for _ in range(2):
        lab.come("Literature")
    lab.select("Literature")
    for rater in lab.read(Tx.raters):
        lab.go_on(rater.id)
    assert lab.step(late) is Step.DONE
    assert lab.per_item(1) == Counter({3: 48})
    assert lab.per_item(2) == Counter({3: 8})
    assert [(i.answered, i.wanted) for i in lab.do(study_status).items if i.answered != i.wanted] == []
    results = analyse(lab.protocol, lab.store.read(lambda tx: gather(tx, False, lab.protocol)))
    flow = results.flow
    assert sum(flow.became.values()) == flow.raters["invited"] == len(lab.read(Tx.raters))
    assert all(panel["analysed"] >= panel["planned"] for panel in flow.panels.values())
    assert {one.instead_of for one in flow.successors} == {
        taking["Film"][1], *taking["Idioms"][:2], taking["Cities"][2]
    }  # fmt: skip
    assert [str(one) for one in verify(lab.protocol, lab.store).findings] == []


def _taking(lab: Lab, panel: str) -> list[str]:
    mine = {rater.id for rater in lab.read(Tx.raters) if rater.panel == panel}
    return [e.rater for e in lab.read(lambda tx: tx.events(kinds=["selected"])) if e.rater in mine]
