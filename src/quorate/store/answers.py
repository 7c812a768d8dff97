"""Answers: submissions come in once each, revisions are new rows, the newest counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from quorate.errors import StoreError
from quorate.records import Answer, Assignment, Reason, Shown
from quorate.store.rows import Counts, Outcome, Submitted
from quorate.store.verbs import Row, Verbs, encode_json, from_json, shown_from, to_json

# What an answer may say of itself, and what holds where it does not.
PLACE = ("section", "item", "repeat", "round", "position")
NOWHERE = {"repeat": 0, "round": 1, "position": 0}


class AnswerVerbs(Verbs):
    """The verbs about assignments and answers."""

    def assignment(self, id: str) -> Assignment | None:
        """The assignment of that opaque id."""
        row = self._row("assignment", id=id)
        return None if row is None else _assignment(row)

    def assignments(self, rater: str | None = None, section: str | None = None) -> tuple[Assignment, ...]:
        """A rater's assignments, in one section by position or in all, or everybody's in the order of the claims."""
        if rater is None:
            found = map(_assignment, self._rows("all_assignments"))
            return tuple(one for one in found if section is None or one.section == section)
        if section is None:
            return tuple(map(_assignment, self._rows("assignments", rater=rater)))
        return tuple(map(_assignment, self._rows("assignments_in", rater=rater, section=section)))

    def next_open(self, rater: str, section: str, after_position: int = 0, n: int = 1) -> tuple[Assignment, ...]:
        """Up to n assignments after this position that the rater holds and has not answered, by position."""
        rows = self._rows("next_open", rater=rater, section=section, after_position=after_position, n=n)
        return tuple(map(_assignment, rows))

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
    ) -> Submitted:
        """Store all answers to one assignment, once for each key the client made: (outcome, revision).

        An answer is a mapping or an object with `question`, and `value` or `reason`; `raw`, `seconds`, `protocol` and
        `by` may be its own. Without an assignment (a judge's answers, an import) it also says `section` and `item`.
        """
        if not answers:
            raise ValueError("a submission has at least one answer")
        id = assignment.id if isinstance(assignment, Assignment) else assignment
        at = self.now()
        number = self._value("add_submission", key=key, rater=rater, assignment=id, at=at, evidence=to_json(evidence))
        if number is None:
            return self._repeated(key, rater, id)
        common = {"submission": number, "rater": rater, "at": at, "by": by, "protocol": protocol, "seconds": seconds}
        place = self._unassigned(answers[0], rater, by) if id is None else self._answered(id, rater)
        common.update(place)
        self._many("add_answer", [_answer_row(answer, common) for answer in answers])
        return Submitted(Outcome.STORED, place["revision"])

    def has_submission(self, key: str) -> bool:
        """Whether this key's answers are stored."""
        return self._row("submission", key=key) is not None

    def _repeated(self, key: str, rater: str, assignment: str | None) -> Submitted:
        number, *owner = self._rows("submission", key=key)[0]
        if owner != [rater, assignment]:
            raise StoreError("This submission's key was already used for another assignment. Send it with a new key.")
        return Submitted(Outcome.REPEATED, self._value("revision_of_submission", submission=number))

    def _answered(self, id: str, rater: str) -> dict[str, Any]:
        """Count the assignment as answered once more; where its answers belong."""
        row = self._row("answer_assignment", id=id, rater=rater)
        if row is None:
            raise StoreError(f"{rater} has no assignment '{id}'. Open the study's page again.")
        section, item, repeat, round, position, shown, revision, slot, lease, lost = row
        if revision == 1 and not lost:
            self._run("add_answered", rater=rater, section=section)
            if lease is not None:
                self._keep(slot, rater, {"section": section, "item": item, "round": round})
        return {
            "section": section,
            "item": item,
            "repeat": repeat,
            "round": round,
            "position": position,
            "shown": shown,
            "revision": revision,
        }

    def _keep(self, slot: int, rater: str, item: Mapping[str, Any]) -> None:
        """An answered slot has no lease any more; one that had lapsed is no longer to be claimed."""
        if self._run("keep_slot", id=slot, rater=rater) == 0:
            self._run("keep_lapsed_slot", id=slot, rater=rater)
            self._run("unmark_item", **item)
            self._run("mark_item", **item)

    def _unassigned(self, answer: Any, rater: str, by: str) -> dict[str, Any]:
        place = {name: _get(answer, name, NOWHERE.get(name)) for name in PLACE}
        key = {name: place[name] for name in PLACE if name != "position"}
        last = self._value("last_revision", rater=rater, by=_get(answer, "by", by), **key)
        shown = encode_json(_get(answer, "shown", Shown())).decode()
        return {**place, "shown": shown, "revision": last + 1}

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

    def erase(self, rater: str) -> int:
        """Erase what a withdrawing rater said: values go, rows, the reason "withdrawn" and counts stay.

        What the rater's events, submissions and presentations hold goes too, but for which slots were claimed. The
        platform's id stays, so that the same person does not take part again as somebody else.
        """
        for name in ("erase_events", "erase_submissions", "erase_presentations"):
            self._run(name, rater=rater)
        return self._run("erase_answers", rater=rater, reason=Reason.WITHDRAWN.value)


def _get(answer: Any, name: str, otherwise: Any) -> Any:
    """A field of an answer that is a mapping or an object; None counts as not said."""
    found = answer.get(name) if isinstance(answer, Mapping) else getattr(answer, name, None)
    return otherwise if found is None else found


def _answer_row(answer: Any, common: Mapping[str, Any]) -> dict[str, Any]:
    value, reason = _get(answer, "value", None), _get(answer, "reason", None)
    if (value is None) == (reason is None):
        raise ValueError("an answer has a value, or the reason there is none")
    return {
        **common,
        "question": _get(answer, "question", None),
        "value": to_json(value),
        "reason": None if reason is None else str(reason),
        "raw": to_json(_get(answer, "raw", None)),
        "seconds": _get(answer, "seconds", common["seconds"]),
        "protocol": _get(answer, "protocol", "") or common["protocol"],
        "by": _get(answer, "by", common["by"]),
    }


def _assignment(row: Row) -> Assignment:
    id, rater, section, item, repeat, position, shown, round, answered, revision, lost = row
    return Assignment(
        id, rater, section, item, repeat, position, shown_from(shown), round, answered == 1, revision, lost != 0
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
    return Answer(*fields)
