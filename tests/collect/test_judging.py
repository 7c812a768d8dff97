"""Judges come through the same door as raters: the same parse, the same rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from quorate.collect.judging import ask_judges, read_reply
from quorate.judges import Reply
from quorate.records import Item, Reason, Shown
from raters import UnderWay, under_way


def test_the_recorded_judge_answers_every_drawn_item_once(running: UnderWay) -> None:
    assert running.do(ask_judges) == 8
    assert running.do(ask_judges) == 0
    answers = running.answers("mllm")
    assert len(answers) == 8
    assert {(answer.by, answer.section, answer.question) for answer in answers} == {("judge", "recognise", "idiom")}


def test_what_was_recorded_is_kept_raw_and_in_canonical_form(running: UnderWay) -> None:
    running.do(ask_judges)
    items = {item.id: item for item in running.read(lambda tx: tx.items())}
    question = running.protocol.ask("recognise", "idiom").question
    for answer in running.answers("mllm"):
        assert answer.raw == items[answer.item]["mllm_response"]
        assert answer.value == question.parse(answer.raw, Shown(), items[answer.item]).value


def test_a_judge_is_no_rater(running: UnderWay) -> None:
    running.do(ask_judges)
    assert running.read(lambda tx: tx.raters()) == ()
    assert running.read(lambda tx: tx.latest_answers(by="rater")) == ()


def test_a_reply_that_was_not_recorded_has_a_reason(study_folder: Path) -> None:
    path = study_folder / "idioms.csv"
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], *(line.rsplit(",", 1)[0] + "," for line in lines[1:])]) + "\n")
    with under_way(study_folder) as running:
        running.do(ask_judges)
        assert {(a.value, a.reason) for a in running.answers("mllm")} == {(None, Reason.NOT_REACHED)}


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Reply({"idiom": "x" * 501}), Reason.UNREADABLE),
        (Reply({"idiom": ["a", "list"]}), Reason.UNREADABLE),
        (Reply({"idiom": "???"}), Reason.UNREADABLE),
        (Reply({}), Reason.NOT_REACHED),
        (Reply({"idiom": "fine"}, reason=Reason.CANNOT_JUDGE), Reason.CANNOT_JUDGE),
        (Reply({"idiom": "fine"}), None),
    ],
)
def test_a_reply_that_cannot_be_read_has_a_reason_and_no_value(
    running: UnderWay, reply: Reply, reason: Reason | None
) -> None:
    section = running.protocol.section("recognise")
    item = running.read(lambda tx: tx.items())[0]
    ((question, given),) = read_reply(section, item, Shown(), reply)
    assert question == "idiom"
    assert given.reason is reason
    assert (given.value is None) == (reason is not None)


def test_a_question_that_does_not_apply_is_not_applicable_for_judges_too(study_folder: Path) -> None:
    path = study_folder / "study.yaml"
    path.write_text(
        path.read_text().replace("      - id: idiom\n", "      - id: idiom\n        applies_when: idiom_id == 3\n", 1)
    )
    with under_way(study_folder) as running:
        section = running.protocol.section("recognise")
        for number, reason in ((3, None), (4, Reason.NOT_APPLICABLE)):
            item = Item("x", {"idiom_id": str(number), "target_idiom": "break the ice"})
            ((_, given),) = read_reply(section, item, Shown(), Reply({"idiom": "break the ice"}))
            assert given.reason is reason
