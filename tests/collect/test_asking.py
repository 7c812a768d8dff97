"""Asking a model with patience: every item ends with an answer or a reason, none twice, and the costs add up."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from asked import judge, judged_by
from openai_server import Behaviour, Drops, Fails, Hangs, Says, answers
from quorate.records import Reason
from studies import idiom

PRICE = "{input: 1, output: 10}"
PERFECT = 8  # items of the small study


def picture(body: dict[str, Any]) -> str:
    """What tells one item from another: its picture."""
    return next(part["image_url"]["url"] for part in body["messages"][1]["content"] if part["type"] == "image_url")


class Storm:
    """A server whose trouble depends on which item it is asked about: the nth new picture gets the nth trouble."""

    def __init__(self, *troubles: tuple[Behaviour, ...]):
        self.troubles = troubles
        self.pictures: dict[str, int] = {}
        self.lock = threading.Lock()

    def __call__(self, body: dict[str, Any], n: int) -> Behaviour:
        with self.lock:
            number = self.pictures.setdefault(picture(body), len(self.pictures))
        trouble = self.troubles[number] if number < len(self.troubles) else ()
        return trouble[n] if n < len(trouble) else answers(idiom="break the ice")


def test_in_a_storm_every_item_ends_with_an_answer_or_a_reason_and_costs_add_up(study_folder: Path) -> None:
    storm = Storm(
        (Fails(429), Fails(500)),
        (Drops(), Drops()),
        (Hangs(),),
        (Says("", refusal="No."),),
        (Says('{"idiom": '),),
        (Fails(503),) * 9,
        (Says('{"idiom": 7}'),),
    )
    with judged_by(study_folder, storm, timeout=6, tries=3, price=PRICE) as (running, server):
        summary = judge(running)
        rows = running.answers("mllm")
        calls = running.read(lambda tx: tx.calls("mllm"))
        spent = running.read(lambda tx: tx.spent("mllm"))
    assert len({row.item for row in rows}) == len(rows) == PERFECT
    assert Counter(row.reason for row in rows) == {
        None: 4,
        Reason.REFUSED: 1,
        Reason.UNREADABLE: 2,
        Reason.NOT_REACHED: 1,
    }
    paid = [call for call in calls if call.tokens_in]
    assert len(paid) == 7
    assert summary.cost == pytest.approx(7 * (100 * 1 + 10 * 10) / 1e6)
    assert spent.cost == pytest.approx(summary.cost)
    assert summary.left == 1
    # 429 and 500, two drops, one time-out, three times 503, and one call each for the other four.
    assert len(server.requests) == 3 + 3 + 2 + 1 + 1 + 3 + 1 + 1


def test_what_is_answered_is_not_asked_again_and_what_was_not_reached_is(study_folder: Path) -> None:
    storm = Storm((Fails(500),) * 2, (Says("no"),))
    with judged_by(study_folder, storm, tries=2) as (running, server):
        assert judge(running).left == 1
        asked_before = len(server.requests)
        again = judge(running)
        assert (again.due, again.answered, again.left) == (1, 1, 0)
        assert len(server.requests) == asked_before + 1
        assert judge(running).due == 0
        assert Counter(row.reason for row in running.answers("mllm")) == {None: 7, Reason.UNREADABLE: 1}


def test_a_run_that_is_broken_off_loses_nothing(study_folder: Path) -> None:
    came = []

    def fall_over() -> None:
        came.append(1)
        if len(came) == 3:
            raise KeyboardInterrupt

    with judged_by(study_folder, lambda body, n: answers(idiom="x"), at_once=1) as (running, server):
        with pytest.raises(KeyboardInterrupt):
            judge(running, on_reply=fall_over)
        assert len(running.answers("mllm")) == 3
        summary = judge(running)
        assert summary.due == 5
        assert len(running.answers("mllm")) == PERFECT
        assert Counter(server.seen.values())[1] >= 5


def test_after_a_kill_only_what_was_under_way_is_asked_again(study_folder: Path) -> None:
    seen: set[str] = set()
    stuck = threading.Event()

    def script(body: dict[str, Any], n: int) -> Behaviour:
        seen.add(picture(body))
        if len(seen) > 3 and not stuck.is_set():
            stuck.set()
            return Hangs()
        return answers(idiom="x")

    with judged_by(study_folder, script, at_once=1) as (running, server):
        child = subprocess.Popen([sys.executable, "-m", "quorate", "judge", str(study_folder)], stdout=subprocess.PIPE)
        while not stuck.wait(0.1):
            assert child.poll() is None
        os.kill(child.pid, signal.SIGKILL)
        child.communicate()
        kept = len(running.answers("mllm"))
        # One reply was outstanding, and the one before it may not have been stored yet.
        assert kept in (2, 3)
        summary = judge(running)
        assert (summary.due, summary.answered) == (PERFECT - kept, PERFECT - kept)
        assert len(running.answers("mllm")) == PERFECT
        assert len(running.read(lambda tx: tx.all_answers("mllm"))) == PERFECT
        assert len(server.requests) == 4 + PERFECT - kept


def test_several_are_asked_at_once_and_never_more_than_stated(study_folder: Path) -> None:
    together = threading.Barrier(4)

    def script(body: dict[str, Any], n: int) -> Behaviour:
        together.wait(120)  # breaks unless four are under way together
        return answers(idiom="x")

    with judged_by(study_folder, script, at_once=4) as (running, server):
        assert judge(running).answered == PERFECT
        assert server.most_at_once == 4


def test_no_call_is_begun_once_the_money_is_spent(study_folder: Path) -> None:
    with judged_by(study_folder, lambda body, n: answers(idiom="x"), at_once=1, price=PRICE, most_cost=0.0005) as (
        running,
        server,
    ):
        summary = judge(running)
        assert "limit of 0.0005" in summary.stop
        assert 3 <= len(server.requests) < PERFECT
        assert summary.left == PERFECT - len(server.requests)
        assert len(running.answers("mllm")) == len(server.requests)


def test_a_time_limit_leaves_the_rest_for_the_next_run(study_folder: Path) -> None:
    with judged_by(study_folder, lambda body, n: answers(idiom="x"), at_once=1, most_minutes=1e-9) as (running, server):
        summary = judge(running)
        assert "minutes is reached" in summary.stop
        assert summary.left == PERFECT
        assert server.requests == []


def test_a_model_that_is_not_there_is_a_reason_on_every_row_and_all_stay_due(study_folder: Path) -> None:
    with judged_by(study_folder, lambda body, n: Fails(404, "no model m"), at_once=1) as (running, server):
        summary = judge(running)
        assert "no model m" in summary.stop
        assert summary.left == PERFECT
        assert {row.reason for row in running.answers("mllm")} == {Reason.NOT_REACHED}
        assert len(running.answers("mllm")) == PERFECT
        assert len(server.requests) <= 3  # and then nobody is asked any more


def test_a_picture_that_has_gone_is_a_reason_on_its_row_and_the_run_goes_on(study_folder: Path) -> None:
    with judged_by(study_folder, lambda body, n: answers(idiom="x")) as (running, _):
        item = running.read(lambda tx: tx.items())[0]
        (study_folder / str(item["image"])).unlink()
        summary = judge(running)
        reasons = {row.item: row.reason for row in running.answers("mllm")}
    assert reasons.pop(item.id) is Reason.MEDIA_FAILED
    assert set(reasons.values()) == {None}
    assert summary.answered == PERFECT - 1


def test_an_answer_is_scored_like_a_raters(study_folder: Path) -> None:
    with judged_by(study_folder, lambda body, n: answers(idiom=f"{idiom(1).upper()}!")) as (running, _):
        judge(running)
        question = running.protocol.ask("recognise", "idiom").question
        items = {item.id: item for item in running.read(lambda tx: tx.items())}
        right = [row.item for row in running.answers("mllm") if question.score(row.value, items[row.item])]
    assert right == [id for id in items if id == "img_0001"]


def test_the_key_is_in_no_file_of_the_study(study_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret-42")
    with judged_by(study_folder, lambda body, n: Fails(401, "wrong key sk-very-secret-42"), tries=1) as (running, _):
        assert "secret" not in judge(running).stop
        running.store.backup(study_folder / "copy.sqlite")
    for path in study_folder.rglob("*"):
        assert path.is_dir() or b"very-secret" not in path.read_bytes(), path
