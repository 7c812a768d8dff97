"""The verbs on a connection of psycopg: statements travel together, and wait only where a verb needs an outcome.

A statement costs PostgreSQL little, and the way there and back much. So the writer's connection is a pipeline, which
sends what is queued when something is fetched; and a submission, most of what a server writes, is one statement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeVar

import psycopg

from quorate.records import Assignment
from quorate.store.answers import answer_rows, assignment_from, belonging
from quorate.store.compiled_postgresql import SQL
from quorate.store.rows import Outcome, Submitted
from quorate.store.tx import Tx
from quorate.store.verbs import Clock, Row, encode_json, to_json

Connection = psycopg.Connection[tuple[Any, ...]]
T = TypeVar("T")
#: What a reader runs: nothing is locked for it.
READING = {name: text.removesuffix(" FOR UPDATE") for name, text in SQL.items()}
#: How many of the assignments that come next are fetched with a submission: as many as a browser holds, and more.
COMING = 8

#: Everything that `add_submission` does for a rater who holds the slot; nothing where the key is known already.
SUBMIT = """
WITH sent AS (
  INSERT INTO submissions (key, rater, assignment, at, evidence)
  VALUES (%(key)s, %(rater)s, %(assignment)s, %(at)s, %(evidence)s)
  ON CONFLICT (key) DO NOTHING RETURNING seq
), answered AS (
  UPDATE assignments SET answered = 1, revision = %(known)s::int + 1
  WHERE id = %(assignment)s AND revision = %(known)s::int AND EXISTS (SELECT FROM sent) RETURNING id
), counted AS (
  UPDATE tallies SET answered = tallies.answered + 1
  WHERE rater = %(rater)s AND section = %(section)s AND %(known)s::int = 0 AND EXISTS (SELECT FROM answered)
), stored AS (
  INSERT INTO answers (submission, by, rater, section, item, repeat, round, question, value, reason, raw, at, position,
    seconds, revision, protocol, shown, late, number, chain)
  SELECT sent.seq, given.by, %(rater)s, %(section)s, %(item)s, %(repeat)s, %(round)s, given.question, given.value,
    given.reason, given.raw, %(at)s, %(position)s, given.seconds, %(known)s::int + 1, given.protocol, %(shown)s, 0,
    given.number, given.chain
  FROM sent, answered, json_to_recordset(%(rows)s::json) AS given (by text, question text, value text, reason text,
    raw text, seconds float8, protocol text, number int, chain text)
)
SELECT (SELECT seq FROM sent), EXISTS (SELECT FROM answered), EXISTS (SELECT FROM slots
  WHERE section = %(section)s AND item = %(item)s AND round = %(round)s AND repeat = %(repeat)s AND open = 1)
"""
_GIVEN = ("by", "question", "value", "reason", "raw", "seconds", "protocol", "number", "chain")


class NotAloneError(Exception):
    """A verb that must be alone began among others; it is run again."""


class PostgresTx(Tx):
    """All verbs, inside a transaction of PostgreSQL; a writer's has a pipeline."""

    def __init__(self, connection: Connection, clock: Clock, *, is_reader: bool = False):
        super().__init__(connection, READING if is_reader else SQL, clock)
        self.is_alone = is_reader
        self.connection: Connection = connection
        self._cursors: dict[str, Any] = {}
        self._execute = self._execute_again
        #: Whether the verb that runs has written anything.
        self.has_written = False
        self._line = None if is_reader else connection.pipeline()
        self._pipeline = None if self._line is None else self._line.__enter__()
        #: Rows of what comes next for a rater in a section after a position, until something else is written.
        self._coming: tuple[tuple[str, str, int], list[Row]] | None = None

    def begin(self, lock: str) -> None:
        """Begin a transaction that holds this lock."""
        self._execute("BEGIN")
        self._execute(self._sql[lock])

    def run(self, verb: Callable[[Tx], T]) -> T:
        """Run a verb, and wait for what it did not fetch: whether that went well is its outcome, too."""
        self._coming, self.has_written = None, False
        result = verb(self)
        self._wait()
        return result

    def undo(self, statement: str) -> None:
        """Undo what a verb did. After a statement that failed, a pipeline takes nothing more until it is synced."""
        assert self._pipeline is not None
        with suppress(psycopg.Error):
            self._pipeline.sync()
        self.connection.execute(statement)
        self._pipeline.sync()

    def commit(self) -> None:
        """Make the transaction durable."""
        assert self._pipeline is not None
        cursor = self._execute("COMMIT")
        self._pipeline.sync()
        # A transaction that had failed would be undone by it, without an error.
        assert cursor.statusmessage == "COMMIT", cursor.statusmessage

    def close(self) -> None:
        """Leave the pipeline, and hang up, in whatever state both are."""
        with suppress(psycopg.Error):
            if self._line is not None:
                self._line.__exit__(None, None, None)
        self.connection.close()

    def _wait(self) -> None:
        if self._pipeline is not None and self._pipeline.result_queue:
            self._pipeline.sync()

    def _execute_again(self, sql: str, parameters: Any = None) -> Any:
        """Run a statement on the cursor that it had before: most of what a new one costs is its making.

        So what a statement gave is fetched before the same one runs again.
        """
        cursor = self._cursors.get(sql)
        if cursor is None:
            cursor = self._cursors[sql] = self.connection.cursor()
        return cursor.execute(sql, parameters)

    def _writes(self) -> None:
        self._coming, self.has_written = None, True

    def _alone(self) -> None:
        if not self.is_alone:
            raise NotAloneError

    def _with(self, rater: str) -> None:
        if not self.is_alone:
            self._execute(self._sql["lock_rater"], {"rater": rater})

    def _run(self, name: str, /, **parameters: Any) -> int:
        self._writes()
        cursor = self._execute(self._sql[name], parameters)
        self._wait()
        return cursor.rowcount

    def _insert(self, name: str, /, **parameters: Any) -> int:
        self._writes()
        row = self._execute(self._sql[name], parameters).fetchone()
        return 0 if row is None else row[0]

    def _many(self, name: str, /, rows: Iterable[Mapping[str, Any]]) -> None:
        self._writes()
        super()._many(name, rows)

    def add_submission(
        self,
        key: str,
        rater: str,
        assignment: str | Assignment | None,
        answers: Sequence[Any],
        evidence: Any = None,
        *,
        by: str = "rater",
        protocol: str = "",
        seconds: float | None = None,
        last: tuple[int, str] | None = None,
    ) -> Submitted:
        """As on SQLite; a rater's who holds the slot and has been looked at already is one statement."""
        at = self.now()
        if self.is_alone or last is None or not answers or not _is_held(assignment, rater):
            return super().add_submission(
                key, rater, assignment, answers, evidence, by=by, protocol=protocol, seconds=seconds, last=last
            )
        assert isinstance(assignment, Assignment)
        place = belonging(assignment)
        rows = answer_rows(answers, {**place, "rater": rater, "at": at}, by, protocol, seconds)
        self._chain(rows, {(rater, by): last})
        self._writes()
        sent = self._execute(
            SUBMIT,
            {
                **place,
                "key": key,
                "rater": rater,
                "assignment": assignment.id,
                "at": at,
                "evidence": to_json(evidence),
                "known": assignment.revision,
                "rows": encode_json([{name: row[name] for name in _GIVEN} for row in rows]).decode(),
            },
        )
        after = (rater, assignment.section, assignment.position)
        coming = self._execute(
            self._sql["next_open"], {"rater": rater, "section": after[1], "after_position": after[2], "n": COMING}
        )
        number, is_answered, is_open = sent.fetchone() or (None, False, False)
        if number is None:
            return self._repeated(key, rater, assignment.id)
        if not is_answered or (is_open and not assignment.revision):
            raise NotAloneError  # it was answered meanwhile, or its lease ran out
        self._coming = after, coming.fetchall()
        return Submitted(Outcome.STORED, assignment.revision + 1)

    def next_open(self, rater: str, section: str, after_position: int = 0, n: int = 1) -> tuple[Assignment, ...]:
        if self._coming is not None and self._coming[0] == (rater, section, after_position) and n <= COMING:
            return tuple(map(assignment_from, self._coming[1][:n]))
        return super().next_open(rater, section, after_position, n)


def _is_held(assignment: str | Assignment | None, rater: str) -> bool:
    """Whether this is an assignment that the rater has, and whose slot nobody else may claim."""
    if not isinstance(assignment, Assignment) or assignment.rater != rater or assignment.lost:
        return False
    # What could not be shown was sent in, is not answered, and may be claimed by others.
    return assignment.answered or assignment.revision == 0
