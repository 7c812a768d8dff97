"""Answers: submissions come in once each, revisions are new rows, the newest counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from quorate.errors import CollectError, StoreError
from quorate.languages import noted
from quorate.records import Answer, Assignment, Reason, Shown
from quorate.store.chain import ChainVerbs
from quorate.store.rows import Counts, Outcome, Progress, Report, Standing, Submitted
from quorate.store.verbs import Row, decode_json, encode_json, from_json, shown_from, to_json

Said = Mapping[str, Any]
# What an answer may say of itself, and where it is when it does not say.
SAID = (
    *("question", "value", "reason", "raw", "seconds", "protocol"),
    *("by", "section", "item", "repeat", "round", "position", "shown"),
)
# The events whose data is the rater's own words; the others only say that something happened.
SAID_ON_THE_WAY = ("eligible", "screened_out", "background", "practice_answer", "debrief")
# How many reports are fetched together.
AT_ONCE = 10_000
KEY_USED = noted(
    "This was sent under the mark of another answer, so it is not stored. Please reload the page and send it again."
)
NOWHERE = {"section": "", "item": "", "repeat": 0, "round": 1}


class AnswerVerbs(ChainVerbs):
    """The verbs about assignments and answers."""

    def assignment(self, id: str) -> Assignment | None:
        """The assignment of that opaque id."""
        row = self._row("assignment", id=id)
        return None if row is None else assignment_from(row)

    def standing(self, assignment: str, link: str = "") -> Standing | None:
        """How it stands with an assignment, for a rater who came in by the link of this hash."""
        row = self._row("standing", id=assignment, link=link)
        if row is None:
            return None
        progress = None if row[4] is None else Progress(*row[4:10])
        return Standing(assignment_from(row[10:]), bool(row[0]), bool(row[1]), progress, (row[2], row[3]))

    def assignments(self, rater: str | None = None, section: str | None = None) -> tuple[Assignment, ...]:
        """A rater's assignments, in one section by position or in all, or everybody's in the order of the claims."""
        if rater is None:
            found = map(assignment_from, self._rows("all_assignments"))
            return tuple(one for one in found if section is None or one.section == section)
        if section is None:
            return tuple(map(assignment_from, self._rows("assignments", rater=rater)))
        return tuple(map(assignment_from, self._rows("assignments_in", rater=rater, section=section)))

    def next_open(self, rater: str, section: str, after_position: int = 0, n: int = 1) -> tuple[Assignment, ...]:
        """Up to n assignments after this position that the rater holds and has not answered, by position."""
        rows = self._rows("next_open", rater=rater, section=section, after_position=after_position, n=n)
        return tuple(map(assignment_from, rows))

    def held_before(self, rater: str, section: str, position: int) -> Assignment | None:
        """The last assignment before this position that the rater holds, answered or not."""
        row = self._row("held_before", rater=rater, section=section, position=position)
        return None if row is None else assignment_from(row)

    def unshown(self, rater: str, section: str) -> tuple[Assignment, ...]:
        """What the rater still holds and could not be shown, by position: sent in, and not answered."""
        return tuple(map(assignment_from, self._rows("unshown", rater=rater, section=section)))

    def counts(self, rater: str, section: str) -> Counts:
        """How many of the rater's assignments in the section are answered, and how many there are."""
        row = self._row("counts", rater=rater, section=section)
        return Counts(0, 0) if row is None else Counts(*row)

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
        """Store all answers to one assignment, once for each key the client made: (outcome, revision).

        An answer is a mapping or an object with `question`, and `value` or `reason`; `raw`, `seconds`, `protocol` and
        `by` may be its own. Without an assignment (a judge's answers, an import) it also says `section` and `item`.
        Who has looked already gives the rater's `last` answer in the chain (see `standing`).
        """
        if not answers:
            raise ValueError("a submission has at least one answer")
        id = assignment.id if isinstance(assignment, Assignment) else assignment
        at = self.now()
        number = self._insert("add_submission", key=key, rater=rater, assignment=id, at=at, evidence=to_json(evidence))
        if number == 0:
            return self._repeated(key, rater, id)
        if assignment is None:
            place = self._unassigned(_said(answers[0]), rater, by)
        else:
            known = assignment if isinstance(assignment, Assignment) else self.assignment(assignment)
            place = self._answered(known, rater)
        common = {**place, "submission": number, "rater": rater, "at": at}
        rows = answer_rows(answers, common, by, protocol, seconds)
        self._chain(rows, {} if last is None else {(rater, by): last})
        self._many("add_answer", rows)
        return Submitted(Outcome.STORED, place["revision"])

    def reports(self, read: Callable[[str], Any] = decode_json, times: int = 1) -> Iterator[Report]:
        """What browsers reported with each submission to an assignment, in the server's order.

        `read` makes something of the JSON text; `times` is how often an assignment was answered at least. Rows are
        fetched some at a time while they are asked for.
        """
        after = 0
        while rows := self._rows("reports", after=after, times=times, n=AT_ONCE):
            for seq, rater, assignment, at, evidence, *place in rows:
                yield Report(seq, rater, assignment, at, None if evidence is None else read(evidence), *place)
            after = rows[-1][0]

    def has_submission(self, key: str) -> bool:
        """Whether a submission with this key is stored."""
        return self._row("submission", key=key) is not None

    def is_repeated(self, key: str, rater: str, assignment: str | None) -> bool:
        """Whether this very submission is stored; a CollectError where its key belongs to another one."""
        return self._stored(key, rater, assignment) is not None

    def _stored(self, key: str, rater: str, assignment: str | None) -> int | None:
        row = self._row("submission", key=key)
        if row is not None and tuple(row[1:]) != (rater, assignment):
            raise CollectError(KEY_USED)
        return None if row is None else row[0]

    def _repeated(self, key: str, rater: str, assignment: str | None) -> Submitted:
        number = self._stored(key, rater, assignment)
        return Submitted(Outcome.REPEATED, self._value("revision_of_submission", submission=number))

    def _answered(self, known: Assignment | None, rater: str) -> dict[str, Any]:
        """Count the assignment as answered once more; where its answers belong."""
        if known is None or known.rater != rater:
            raise StoreError("This page belongs to another rater, or to another study. Open your own link again.")
        if self._run("answer_assignment", id=known.id, known=known.revision) == 0:
            return self._answered(self.assignment(known.id), rater)  # it was answered meanwhile
        if not known.answered and not known.lost:
            self._run("add_answered", rater=rater, section=known.section)
            if known.revision > 0 or known.lease_until is not None:
                self._keep(known)
        return belonging(known)

    def _keep(self, known: Assignment) -> None:
        """A slot that was free again, and that nobody took before it was answered, is no longer to be claimed.

        Whether it was opened is asked of the slot, not of the clock, which may have been set back since.
        """
        item = {"section": known.section, "item": known.item, "round": known.round}
        if not self._value("is_open_slot", **item, repeat=known.repeat):
            return
        self._run("keep_lapsed_slot", **item, repeat=known.repeat, rater=known.rater)
        self._run("unmark_item", **item)
        self._run("mark_item", **item)

    def _unassigned(self, said: Said, rater: str, by: str) -> dict[str, Any]:
        """Where the answers belong that say it themselves, and which revision they are."""
        key = {name: said.get(name, otherwise) for name, otherwise in NOWHERE.items()}
        last = self._value("last_revision", rater=rater, by=said.get("by") or by, **key)
        shown = encode_json(said.get("shown") or Shown()).decode()
        return {**key, "position": said.get("position", 0), "shown": shown, "revision": last + 1, "late": 0}

    def latest_answers(
        self, rater: str | None = None, section: str | None = None, by: str | None = None
    ) -> tuple[Answer, ...]:
        """The answers that count: the newest to each question of each assignment, in the server's order."""
        return self._answers("latest_answers", rater, section, by)

    def all_answers(
        self, rater: str | None = None, section: str | None = None, by: str | None = None
    ) -> tuple[Answer, ...]:
        """Every answer with its history, in the server's order."""
        return self._answers("all_answers", rater, section, by)

    def _answers(self, name: str, rater: str | None, section: str | None, by: str | None) -> tuple[Answer, ...]:
        if rater is None:
            return _answers(self._rows(name, section=section, by=by))
        return _answers(self._rows(f"{name}_of", rater=rater, section=section, by=by))

    def answers_of(self, assignment: str | Assignment) -> tuple[Answer, ...]:
        """The newest answer to each question of this assignment."""
        known = assignment if isinstance(assignment, Assignment) else self.assignment(assignment)
        if known is None:
            return ()
        place = {name: getattr(known, name) for name in ("rater", "section", "item", "repeat", "round")}
        return _answers(self._rows("answers_of_assignment", **place))

    def counted_answers(self, section: str, item: str, round: int = 1) -> tuple[Answer, ...]:
        """The newest answers to each question by the raters who hold the item's slots."""
        rows = self._rows("counted_answers", section=section, item=item, round=round)
        newest = {(answer.rater, answer.question): answer for answer in _answers(rows)}
        return tuple(newest.values())

    def erase(self, rater: str) -> int:
        """Erase what a withdrawing rater said: values go, rows, the reason "withdrawn" and counts stay.

        What the rater said on the way to the work goes too, and what the browser told of it. The platform's id stays,
        so that the same person does not take part again as somebody else.
        """
        for kind in SAID_ON_THE_WAY:
            self._run("erase_events", rater=rater, kind=kind)
        self._run("erase_submissions", rater=rater)
        self._run("erase_presentations", rater=rater)
        return self._run("erase_answers", rater=rater, reason=Reason.WITHDRAWN.value)


def _said(answer: Any) -> Said:
    if type(answer) is dict or isinstance(answer, Mapping):
        return answer
    return {name: getattr(answer, name) for name in SAID if hasattr(answer, name)}


def answer_rows(
    answers: Sequence[Any], common: Mapping[str, Any], by: str, protocol: str, seconds: float | None
) -> list[dict[str, Any]]:
    """The answers as rows that have all but their number and hash; `common` is what all of them share."""
    return [_answer_row(_said(answer), common, by, protocol, seconds) for answer in answers]


def _answer_row(said: Said, common: Mapping[str, Any], by: str, protocol: str, seconds: float | None) -> dict[str, Any]:
    value, reason, own_seconds = said.get("value"), said.get("reason"), said.get("seconds")
    if (value is None) == (reason is None):
        raise ValueError("an answer has a value, or the reason there is none")
    return {
        **common,
        "question": said["question"],
        "value": to_json(value),
        "reason": None if reason is None else str(reason),
        "raw": to_json(said.get("raw")),
        "seconds": seconds if own_seconds is None else own_seconds,
        "protocol": said.get("protocol") or protocol,
        "by": said.get("by") or by,
    }


def placed(assignment: Assignment) -> dict[str, Any]:
    """Where an assignment is and what it shows, as rows of assignments and of answers say it."""
    return {
        "section": assignment.section,
        "item": assignment.item,
        "repeat": assignment.repeat,
        "round": assignment.round,
        "position": assignment.position,
        "shown": encode_json(assignment.shown).decode(),
    }


def belonging(assignment: Assignment) -> dict[str, Any]:
    """Where the next answers to an assignment belong, as their rows say it."""
    return {**placed(assignment), "revision": assignment.revision + 1, "late": int(assignment.lost)}


def assignment_from(row: Row) -> Assignment:
    """An assignment as its row holds it."""
    id, rater, section, item, repeat, position, shown, round, answered, revision, lost, lease = row
    return Assignment(
        id, rater, section, item, repeat, position, shown_from(shown), round, answered == 1, revision, lost != 0, lease
    )


def _answers(rows: Iterable[Row]) -> tuple[Answer, ...]:
    return tuple(map(_answer, rows))


def _answer(row: Row) -> Answer:
    # The columns come in the order of the record's fields.
    fields = list(row)
    fields[6] = from_json(row[6])
    fields[7] = None if row[7] is None else Reason(row[7])
    fields[8] = from_json(row[8])
    fields[15] = shown_from(row[15])
    fields[17] = row[17] == 0
    return Answer(*fields)
