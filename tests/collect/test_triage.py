"""What the rule names goes to people, a drawn share of the rest is audited, and nobody is given what is accepted."""

from __future__ import annotations

from pathlib import Path

import pytest

from quorate.collect.judging import judge_study
from quorate.collect.status import study_status
from quorate.collect.triage import ACCEPTED, AUDIT, REVIEW, routes, triage
from quorate.collect.way import Step
from quorate.collect.work import work
from quorate.errors import StudyFileError
from quorate.protocol import load
from raters import UnderWay, under_way

STUDY = """\
quorate: 1
title: Scores
seed: 5
items: {from: items.csv, id: id}
sections:
  - id: score
    show:
      - text: text
    ask:
      - id: quality
        rating: {prompt: How good?, points: [0, 1, 2]}
      - id: extra
        applies_when: kind == "odd"
        rating: {prompt: How odd?, points: [0, 1, 2]}
raters: {per_item: 1, roster: 1, consent: consent.md, instructions: consent.md}
judges:
  ai: {recorded: {field: {quality: ai, extra: ai_extra}}}
triage: {judge: ai, review: score <= 1, audit: AUDIT MORE}
"""


def folder_with(tmp_path: Path, n: int = 40, audit: str = "0.3", more: str = "", judge: str = "") -> Path:
    rows = ["id,text,kind,ai,ai_extra"]
    for number in range(n):
        kind = "odd" if number % 2 else "even"
        ai = "" if number == 6 else number % 3  # one was never scored
        rows.append(f"i{number},text {number},{kind},{ai},{2 if number != 5 else 0}")
    (tmp_path / "items.csv").write_text("\n".join(rows) + "\n")
    (tmp_path / "consent.md").write_text("Yes?")
    text = STUDY.replace("AUDIT", audit).replace("MORE", more)
    (tmp_path / "study.yaml").write_text(
        text.replace("  ai: {recorded: {field: {quality: ai, extra: ai_extra}}}", f"  ai: {judge}") if judge else text
    )
    return tmp_path


def triaged(running: UnderWay) -> dict[str, tuple[str, float, str]]:
    judge_study(running.store, running.protocol)
    running.do(triage)
    return {one.item: (one.to, one.inclusion, one.why) for one in running.read(routes)}


def test_low_scores_and_missing_ones_go_to_people_and_the_rest_is_audited_or_accepted(tmp_path: Path) -> None:
    with under_way(folder_with(tmp_path)) as running:
        found = triaged(running)
    assert len(found) == 40
    for item, (to, inclusion, why) in found.items():
        number = int(item[1:])
        if number % 3 < 2 or number in (5, 6):
            assert (to, inclusion) == (REVIEW, 1)
            assert why
        else:
            assert to in (AUDIT, ACCEPTED)
            assert inclusion == 0.3
    assert found["i6"][2].startswith("quality: not reached")
    assert found["i5"][2].startswith("extra:")  # any of the judge's answers may send an item to people
    assert {to for to, _, _ in found.values()} == {REVIEW, AUDIT, ACCEPTED}


def test_people_are_given_what_is_reviewed_and_audited_and_nothing_else(tmp_path: Path) -> None:
    with under_way(folder_with(tmp_path)) as running:
        found = triaged(running)
        running.open()
        (rater,) = running.invite(1)
        seen = set()
        while running.step(rater) is not Step.DONE:
            if running.step(rater) is Step.WORK:
                place = running.do(work, rater).place
                seen.add(place.item.id)
                form = {ask.id: ["2"] for ask in running.protocol.sections[0].ask}
                running.submit(rater, running.submission(rater, "", form=form))
            else:
                running.take_step(rater)
    assert seen == {item for item, (to, _, _) in found.items() if to != ACCEPTED}


def test_progress_counts_what_people_are_given_and_not_what_the_judge_settled(tmp_path: Path) -> None:
    with under_way(folder_with(tmp_path)) as running:
        found = triaged(running)
        given = sum(to != ACCEPTED for to, _, _ in found.values())
        running.open()
        (rater,) = running.invite(1)
        told = []
        while running.step(rater) is not Step.DONE:
            if running.step(rater) is Step.WORK:
                told.append(running.do(work, rater).total)
                receipt = running.submit(rater, running.submission(rater, "", form={"quality": ["2"], "extra": ["2"]}))
                told += [receipt.total] * (receipt.step is Step.WORK)
            else:
                running.take_step(rater)
        status = running.do(study_status)
    assert given < 40
    assert set(told) == {given}
    assert (status.answered, status.wanted, len(status.items)) == (given, given, given)


def test_of_what_is_accepted_late_only_answers_of_those_who_had_begun_are_wanted(tmp_path: Path) -> None:
    folder = folder_with(tmp_path)
    path = folder / "study.yaml"
    path.write_text(path.read_text().replace("per_item: 1, roster: 1", "per_item: 2, roster: 4, batch: 20"))
    with under_way(folder) as running:
        running.open()
        (rater,) = running.invite(1)
        while running.step(rater) is not Step.WORK:
            running.take_step(rater)
        running.do(work, rater)
        begun = {one.item for one in running.read(lambda tx: tx.assignments(rater))}
        found = triaged(running)
        status = {one.item: one.wanted for one in running.do(study_status).items}
    accepted = {item for item, (to, _, _) in found.items() if to == ACCEPTED}
    assert begun & accepted
    assert accepted - begun
    assert status == {item: 1 if item in accepted else 2 for item in found if item not in accepted - begun}


def test_what_is_withheld_stays_so_when_the_caches_are_made_again(tmp_path: Path) -> None:
    with under_way(folder_with(tmp_path)) as running:
        triaged(running)
        running.store.do(lambda tx: tx.rebuild_caches())
        free = running.store.do(lambda tx: tx.free_slots("R9", "score", 99))
        accepted = {one.item for one in running.read(routes) if one.to == ACCEPTED}
    assert accepted
    assert {slot.item for _, slot in free}.isdisjoint(accepted)
    assert len(free) == 40 - len(accepted)


def test_a_route_is_made_once_and_never_changed(tmp_path: Path) -> None:
    with under_way(folder_with(tmp_path)) as running:
        first = triaged(running)
        running.do(triage)
        assert triaged(running) == first
        assert len(running.read(lambda tx: tx.events(kinds="triaged"))) == 1


def test_the_same_study_is_triaged_alike_on_every_machine(tmp_path: Path) -> None:
    found = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        with under_way(folder_with(tmp_path / name)) as running:
            found.append(triaged(running))
    assert found[0] == found[1]


def test_what_the_judge_has_not_scored_yet_waits_and_is_open_to_people(tmp_path: Path) -> None:
    with under_way(folder_with(tmp_path)) as running:
        judge_study(running.store, running.protocol, limit=10)
        done = running.do(triage)
        assert done.waiting == 30
        assert done.review + done.audit + done.accepted == 10


@pytest.mark.parametrize("unsure", [True, False])
def test_a_rule_about_confidence_sends_the_unsure_to_people(tmp_path: Path, unsure: bool) -> None:
    judge = "{simulated: {seed: 1}}" if unsure else "{recorded: {field: {quality: ai}}}"
    folder = folder_with(tmp_path, judge=judge)
    path = folder / "study.yaml"
    path.write_text(path.read_text().replace("score <= 1", "confidence < 0.5"))
    with under_way(folder) as running:
        triaged(running)
        found = running.read(routes)
    if unsure:
        for one in found:
            assert (one.to == REVIEW) == (min(one.confidence.values()) < 0.5)
        assert {one.to == REVIEW for one in found} == {True, False}
    else:  # a judge that does not say how sure it is settles nothing by such a rule
        assert {one.to for one in found} == {REVIEW}


def test_an_audit_share_of_zero_is_refused_unless_marked_unverified(tmp_path: Path) -> None:
    with pytest.raises(StudyFileError, match="unverified") as told:
        load(folder_with(tmp_path, audit="0"))
    line = (tmp_path / "study.yaml").read_text().splitlines().index(
        "triage: {judge: ai, review: score <= 1, audit: 0 }"
    ) + 1
    assert f"study.yaml:{line}: triage" in str(told.value)
    assert load(folder_with(tmp_path, audit="0", more=", unverified: true")).file.triage is not None


def test_a_triage_rule_names_a_judge_that_is_there(tmp_path: Path) -> None:
    path = folder_with(tmp_path) / "study.yaml"
    path.write_text(path.read_text().replace("judge: ai,", "judge: ia,"))
    with pytest.raises(StudyFileError, match="there is no judge 'ia'"):
        load(tmp_path)
