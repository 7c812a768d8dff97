"""Submissions are stored once, revisions are new rows, the newest counts, and erasure leaves the count."""

from __future__ import annotations

import re
import threading
from pathlib import Path

import msgspec
import pytest

from postgres import REFUSED, sqlite_only
from quorate.errors import CollectError, StoreError
from quorate.records import Answer, Assignment, Reason, Shown
from quorate.store import Store, Tx


def test_the_same_submission_sent_twice_is_stored_once(small, store: Store) -> None:
    small.plan("a")
    (one,) = small.claim(small.rater())
    assert small.submit(one, "x", key="k") == ("stored", 1)
    assert small.submit(one, "y", key="k") == ("repeated", 1)
    assert [answer.value for answer in store.read(lambda tx: tx.all_answers())] == ["x"]
    assert store.read(lambda tx: (tx.has_submission("k"), tx.has_submission("other"))) == (True, False)


def test_the_same_submission_sent_by_many_at_once_is_stored_once(small, store: Store) -> None:
    small.plan("a")
    (one,) = small.claim(small.rater())
    outcomes: list[str] = []
    threads = [threading.Thread(target=lambda: outcomes.append(small.submit(one, key="k")[0])) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["repeated"] * 15 + ["stored"]
    assert store.read(lambda tx: tx.counts(one.rater, "s")) == (1, 1)


def test_a_key_is_not_good_for_another_assignment(small, store: Store) -> None:
    small.plan("ab")
    first, second = small.claim(small.rater())
    small.submit(first, key="k")
    with pytest.raises(CollectError, match="under the mark of another answer"):
        small.submit(second, key="k")
    with pytest.raises(CollectError, match="under the mark of another answer"):
        store.read(lambda tx: tx.is_repeated("k", second.rater, second.id))
    with pytest.raises(CollectError, match="under the mark of another answer"):
        store.read(lambda tx: tx.is_repeated("k", "R9", first.id))
    assert store.read(lambda tx: tx.is_repeated("k", first.rater, first.id))
    assert not store.read(lambda tx: tx.is_repeated("other", first.rater, first.id))
    assert len(store.read(lambda tx: tx.all_answers())) == 1


def test_an_assignment_of_another_rater_is_refused_and_nothing_is_stored(small, store: Store) -> None:
    small.plan("a")
    (one,) = small.claim(small.rater())
    stranger = msgspec.structs.replace(one, rater=small.rater())
    with pytest.raises(StoreError, match="another rater"):
        small.submit(stranger, key="k")
    assert store.read(lambda tx: (tx.all_answers(), tx.has_submission("k"))) == ((), False)


def test_a_revision_is_a_new_row_and_the_newest_counts(small, store: Store) -> None:
    small.plan("a")
    (one,) = small.claim(small.rater())
    assert [small.submit(one, value)[1] for value in ("x", "y", "z")] == [1, 2, 3]
    assert [answer.value for answer in store.read(lambda tx: tx.all_answers())] == ["x", "y", "z"]
    assert [answer.value for answer in store.read(lambda tx: tx.latest_answers())] == ["z"]
    assert [answer.value for answer in store.read(lambda tx: tx.answers_of(one.id))] == ["z"]
    assert store.read(lambda tx: tx.counts(one.rater, "s")) == (1, 1)


def test_an_answer_carries_where_when_and_under_which_protocol_it_was_given(small, store: Store) -> None:
    small.plan("ab")
    _, one = small.claim(small.rater())
    small.submit(one, {"chosen": ["x"], "其他": 1.5})
    (answer,) = store.read(lambda tx: tx.latest_answers())
    assert answer == Answer(
        seq=1,
        by="rater",
        rater="R1",
        section="s",
        item="b",
        question="q",
        value={"chosen": ["x"], "其他": 1.5},
        reason=None,
        raw={"chosen": ["x"], "其他": 1.5},
        at="2026-11-02T09:30:00.000Z",
        position=2,
        revision=1,
        protocol="h",
        shown=Shown(sides={"left": "A"}, options={"q": ("x", "y")}),
    )


def test_several_answers_come_and_go_together(small, store: Store) -> None:
    small.plan("a")
    (one,) = small.claim(small.rater())
    good, bad = {"question": "q", "value": 1}, {"question": "r"}
    with pytest.raises(ValueError, match="a value, or the reason"):
        store.do(lambda tx: tx.add_submission("k", one.rater, one.id, [good, bad]))
    assert store.read(lambda tx: (tx.all_answers(), tx.counts(one.rater, "s"))) == ((), (0, 1))
    skipped = {"question": "r", "reason": Reason.SKIPPED}
    store.do(lambda tx: tx.add_submission("k", one.rater, one.id, [good, skipped], seconds=2.5))
    stored = store.read(lambda tx: tx.latest_answers())
    assert [(a.question, a.value, a.reason, a.seconds) for a in stored] == [
        ("q", 1, None, 2.5),
        ("r", None, Reason.SKIPPED, 2.5),
    ]


def test_one_question_is_answered_once_in_a_submission(small, store: Store) -> None:
    small.plan("a")
    (one,) = small.claim(small.rater())
    twice = [{"question": "q", "value": 1}] * 2
    with pytest.raises(REFUSED):
        store.do(lambda tx: tx.add_submission("k", one.rater, one.id, twice))
    assert store.read(lambda tx: tx.has_submission("k")) is False


@pytest.mark.parametrize("value", [False, 0, "", [], 0.1, "unrecognizable", "'; DROP TABLE answers; --", "\x00", "😀"])
def test_every_value_comes_back_as_it_was(small, store: Store, value: object) -> None:
    small.plan("a")
    (one,) = small.claim(small.rater())
    small.submit(one, value)
    (answer,) = store.read(lambda tx: tx.latest_answers())
    assert (answer.value, type(answer.value)) == (value, type(value))


def test_a_judge_answers_through_the_same_door_without_an_assignment(store: Store, small) -> None:
    small.plan("a")
    shown = Shown(options={"q": ("y", "x")})
    given = {"section": "s", "item": "a", "question": "q", "value": "x", "shown": shown}
    as_judge = {"by": "judge", "protocol": "h"}
    store.do(lambda tx: tx.add_submission("1", "mllm", None, [given], **as_judge))
    answer = Answer(0, "judge", "mllm", "s", "a", "q", "y", None, "y", "")
    assert store.do(lambda tx: tx.add_submission("2", "mllm", None, [answer], **as_judge)) == ("stored", 2)
    assert store.do(lambda tx: tx.add_submission("2", "mllm", None, [answer], **as_judge)) == ("repeated", 2)
    first, second = store.read(lambda tx: tx.all_answers(by="judge"))
    assert (first.value, first.revision, first.shown, first.protocol) == ("x", 1, shown, "h")
    assert (second.value, second.revision) == ("y", 2)
    assert store.read(lambda tx: tx.latest_answers(by="judge")) == (second,)


def test_answers_are_found_by_rater_section_and_kind(small, store: Store) -> None:
    small.plan("a", repeats=2)
    first, second = small.rater(), small.rater()
    for rater in (first, second):
        for one in small.claim(rater):
            small.submit(one)
    judged = {"section": "t", "item": "a", "question": "q", "value": 1}
    store.do(lambda tx: tx.add_submission("j", "mllm", None, [judged], by="judge"))

    def found(tx: Tx) -> list[int]:
        ways = ({}, {"rater": first}, {"section": "s"}, {"by": "judge"}, {"rater": second, "section": "t"})
        assert [tx.latest_answers(**way) for way in ways] == [tx.all_answers(**way) for way in ways]  # type: ignore[arg-type]
        return [len(tx.latest_answers(**way)) for way in ways]  # type: ignore[arg-type]

    assert store.read(found) == [3, 1, 2, 1, 0]


def test_what_is_open_comes_by_position_after_the_one_given(small, store: Store) -> None:
    small.plan("abcde")
    claimed = small.claim(small.rater())
    small.submit(claimed[2])

    def positions(after: int, n: int) -> list[int]:
        return [one.position for one in store.read(lambda tx: tx.next_open("R1", "s", after, n))]

    assert positions(0, 10) == [1, 2, 4, 5]
    assert positions(1, 2) == [2, 4]
    assert positions(5, 2) == []


@sqlite_only
def test_a_submission_finds_its_rows_by_index_however_many_there_are(small, store: Store) -> None:
    """SQLite's own plan: nothing on the way of a submission reads a table from end to end."""
    hot = ("link", "progress", "assignment", "answer_assignment", "add_answered", "next_open", "counts", "submission")
    sql = store.read(
        lambda tx: {name: tx._sql[name] for name in (*hot, "next_slots", "mark_item", "keep_answered_slots")}
    )
    for name, text in sql.items():
        parameters = dict.fromkeys(re.findall(r":(\w+)", text), 1)
        plan = store._connection.execute(f"EXPLAIN QUERY PLAN {text}", parameters).fetchall()
        assert not [row[3] for row in plan if row[3].startswith("SCAN")], (name, plan)
        assert not [row[3] for row in plan if "TEMP B-TREE" in row[3]], (name, plan)


def test_erasure_takes_what_was_said_and_leaves_that_it_was(small, store: Store) -> None:
    small.plan("ab")
    rater, other = small.rater(), small.rater()
    mine = small.claim(rater, 1)[0]
    small.submit(mine, "a private remark")
    small.submit(small.claim(other, 1)[0], "kept")
    store.do(lambda tx: tx.add_event("background", rater, {"age": "a private age"}))
    store.do(lambda tx: tx.add_event("withdrawn", rater, {"erased": True}))
    store.do(lambda tx: tx.add_presentation(rater, mine.id, {"screen": "a private screen"}))
    assert store.do(lambda tx: tx.erase(rater)) == 1
    erased, kept = store.read(lambda tx: tx.latest_answers())
    assert (erased.value, erased.raw, erased.reason, kept.value) == (None, None, Reason.WITHDRAWN, "kept")
    assert store.read(lambda tx: tx.counts(rater, "s")) == (1, 1)
    _, background, withdrawn = store.read(lambda tx: tx.events(rater))
    assert (background.kind, background.data) == ("background", {})
    assert (withdrawn.kind, withdrawn.data) == ("withdrawn", {"erased": True})


@sqlite_only
def test_what_was_erased_is_no_longer_in_the_file(small, store: Store, path: Path) -> None:
    small.plan("ab")
    for value in ("a private remark", "kept"):
        small.submit(small.claim(small.rater(), 1)[0], value)
    store.do(lambda tx: tx.erase("R1"))
    store.close()
    assert b"a private" not in path.read_bytes()
    assert b"kept" in path.read_bytes()


def test_the_database_itself_refuses_an_answer_without_value_or_reason(small, store: Store) -> None:
    small.plan("a")
    (one,) = small.claim(small.rater())
    small.submit(one)
    with pytest.raises(REFUSED, match="missing_has_a_reason"):
        store.do(lambda tx: tx.connection.execute("UPDATE answers SET value = NULL"))


def test_one_look_tells_everything_that_a_submission_depends_on(small, store: Store) -> None:
    small.plan("ab")
    rater = small.rater()
    first, second = small.claim(rater)
    assert store.read(lambda tx: tx.standing("unknown")) is None
    assert store.read(lambda tx: tx.standing(first.id)) == (first, False, False, None, (0, ""))

    def begin(tx: Tx) -> None:
        tx.add_link("hash", "rater", rater)
        tx.add_event("opened")
        tx.set_progress(rater, step="work", section="s")

    store.do(begin)
    small.submit(first)
    found = store.read(lambda tx: tx.standing(second.id, "hash"))
    assert found.assignment == second
    assert (found.link_works, found.is_open, found.last[0]) == (True, True, 1)
    assert found.progress == store.read(lambda tx: tx.progress(rater)) == (rater, "work", "s", 1, 2, "")

    store.do(lambda tx: (tx.revoke_links(rater), tx.add_event("closed")))
    found = store.read(lambda tx: tx.standing(first.id, "hash"))
    assert (found.link_works, found.is_open, found.assignment.revision) == (False, False, 1)
    store.do(lambda tx: tx.add_event("opened"))
    assert store.read(lambda tx: tx.standing(first.id, "hash")).is_open


def test_answers_behind_a_known_last_one_are_chained_as_others_are(small, store: Store) -> None:
    small.plan("abc")
    held = small.claim(small.rater())
    small.submit(held[0])
    for one in held[1:]:

        def verb(tx: Tx, one: Assignment = one) -> None:
            last = tx.standing(one.id).last
            answers = [{"question": name, "value": "x"} for name in "pq"]
            tx.add_submission(one.id, one.rater, one, answers, last=last)

        store.do(verb)
    assert store.read(lambda tx: (len(tx.all_answers()), tx.chain_faults())) == (5, [])


def test_reports_come_back_in_order_with_what_they_are_about(small, store: Store, monkeypatch) -> None:
    monkeypatch.setattr("quorate.store.answers.AT_ONCE", 2)
    small.plan("abc")
    rater = small.rater()
    claimed = small.claim(rater, 3)
    for number, one in enumerate([*claimed, claimed[0]]):
        answers = [{"question": "q", "value": "x"}]
        store.do(lambda tx: tx.add_submission(f"k{number}", rater, one.id, answers, {"visible_seconds": number}))  # noqa: B023
    store.do(lambda tx: tx.add_submission("j", "mllm", None, [judged(claimed[0])], {"of": "a judge"}, by="judge"))
    found = store.read(lambda tx: list(tx.reports()))
    assert [report.evidence["visible_seconds"] for report in found] == [0, 1, 2, 3]
    assert [(report.rater, report.section, report.item, report.position) for report in found] == [
        (one.rater, one.section, one.item, one.position) for one in (*claimed, claimed[0])
    ]
    store.do(lambda tx: tx.erase(rater))
    assert {report.evidence for report in store.read(lambda tx: list(tx.reports()))} == {None}


def test_what_is_read_of_a_report_is_up_to_who_asks(small, store: Store) -> None:
    small.plan("a")
    (one,) = small.claim(small.rater())
    given = [{"question": "q", "value": "x"}]
    store.do(lambda tx: tx.add_submission("k", one.rater, one.id, given, {"hidden": 2}))
    assert store.read(lambda tx: [report.evidence for report in tx.reports(read=len)]) == [len('{"hidden":2}')]


def judged(one: Assignment) -> dict[str, object]:
    return {"question": "q", "value": "x", "section": one.section, "item": one.item}
