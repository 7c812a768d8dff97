"""A study under way, and raters who go through it, for tests of collecting."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory
from typing import Any

from quorate.collect import practice, way
from quorate.collect import work as working
from quorate.collect.links import invite
from quorate.collect.way import Step, Where, where
from quorate.collect.work import Receipt, Submission, Work
from quorate.protocol import load
from quorate.records import Answer
from quorate.store import Store
from quorate.study import Study


class UnderWay:
    """A study whose plan is in its store; `do` runs a verb of `collect` in a transaction."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.clock = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
        self.protocol = load(folder)
        if not (folder / "study.sqlite").exists():
            (folder / "study.sqlite").write_bytes(_empty_database())
        self.store = Store.open(folder / "study.sqlite", clock=lambda: self.clock)
        self.study = Study(folder, self.protocol, self.store)
        self.store.do(self.study._put_plan)

    def do(self, verb: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        return self.store.do(lambda tx: verb(tx, self.protocol, *arguments, **options))

    def read(self, verb: Callable[[Any], Any]) -> Any:
        return self.store.read(verb)

    def pass_minutes(self, minutes: int) -> None:
        self.clock += timedelta(minutes=minutes)

    def open(self) -> None:
        self.store.do(way.open_study)

    def close(self) -> None:
        self.store.do(way.close_study)

    def invite(self, n: int = 1) -> list[str]:
        return [invitation.person for invitation in self.do(invite, n)]

    def where(self, rater: str) -> Where:
        return self.do(where, rater)

    def step(self, rater: str) -> Step:
        return self.where(rater).step

    def take_step(self, rater: str) -> Step:
        """The step that is due, taken in the plainest way; for the work, one answer."""
        now = self.where(rater)
        if now.step is Step.CONSENT:
            self.do(way.consent, rater, True)
        elif now.step is Step.ELIGIBILITY:
            self.do(way.eligibility, rater, {"proficiency": ["Native"]})
        elif now.step is Step.BACKGROUND:
            self.do(way.background, rater, {"background": ["Student"]})
        elif now.step is Step.INSTRUCTIONS:
            self.do(way.instructions_read, rater)
        elif now.step is Step.PRACTICE:
            self.do(practice.practice_answer, rater, now.position, {"idiom": ["a guess"]})
        elif now.step is Step.FEEDBACK:
            self.do(practice.practice_done, rater)
        elif now.step is Step.WORK:
            self.answer(rater, "a guess")
        elif now.step is Step.BREAK:
            self.do(way.break_over, rater)
        elif now.step is Step.DEBRIEF:
            self.do(way.debrief, rater, {"remarks": [""]})
        return self.step(rater)

    def go_to(self, rater: str, step: Step) -> Where:
        """Every step before this one."""
        for _ in range(1000):
            if self.step(rater) is step:
                return self.where(rater)
            self.take_step(rater)
        raise AssertionError(f"{rater} never came to {step}, and is at {self.step(rater)}")

    def work(self, rater: str, assignment: str | None = None) -> Work:
        return self.do(working.work, rater, assignment)

    def submission(self, rater: str, typed: str, **changes: Any) -> Submission:
        """What the browser would send for the next open item."""
        mine = self.work(rater).place.assignment
        parts = {
            "key": token_hex(8),
            "assignment": mine.id,
            "form": {"idiom": [typed]},
            "revision": mine.revision,
        }
        return Submission(**{**parts, **changes})

    def submit(self, rater: str, submission: Submission) -> Receipt:
        return self.do(working.submit, rater, submission)

    def answer(self, rater: str, typed: str) -> Receipt:
        return self.submit(rater, self.submission(rater, typed))

    def answer_all(self, rater: str, n: int, typed: str = "a guess") -> None:
        """So many answers, without stopping at breaks."""
        for _ in range(n):
            self.answer(rater, typed)

    def answers(self, rater: str | None = None) -> tuple[Answer, ...]:
        return self.read(lambda tx: tx.latest_answers(rater))


@cache
def _empty_database() -> bytes:
    """A new database as `Store.open` makes it, made once: its migrations take longer than most tests."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "empty.sqlite"
        Store.open(path).close()
        return path.read_bytes()


@contextmanager
def under_way(folder: Path) -> Iterator[UnderWay]:
    """A study under way, closed again at the end."""
    running = UnderWay(folder)
    try:
        yield running
    finally:
        running.store.close()
