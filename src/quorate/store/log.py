"""What is written once and read in order: settings, protocols, events, presentations, decisions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from quorate.errors import StoreError
from quorate.store.rows import Decision, Event, Presentation, ProtocolRow
from quorate.store.verbs import Row, Verbs, from_json, to_json


class LogVerbs(Verbs):
    """The verbs of the study's log."""

    def setting(self, name: str) -> str | None:
        """A fact of this database, such as `secret` or `created`."""
        return self._value("setting", name=name)

    def set_setting(self, name: str, value: str) -> None:
        """Write a fact once; writing the same again changes nothing."""
        if self._run("add_setting", name=name, value=value) == 0 and self.setting(name) != value:
            raise StoreError(f"The setting '{name}' is already written with another value, and is written only once.")

    def protocols(self) -> tuple[ProtocolRow, ...]:
        """The frozen protocol (number 0) and its amendments."""
        return tuple(ProtocolRow(*row) for row in self._rows("protocols"))

    def add_protocol(self, collection_hash: str, analysis_hash: str, text: str, reason: str = "") -> int:
        """Freeze the protocol, or amend the frozen one; its number comes back."""
        number = self._value("next_protocol")
        self._run(
            "add_protocol",
            number=number,
            collection_hash=collection_hash,
            analysis_hash=analysis_hash,
            text=text,
            reason=reason,
            at=self.now(),
        )
        return number

    def add_event(self, kind: str, rater: str | None = None, data: Any = None) -> int:
        """Record that something happened; its number comes back."""
        return self._insert("add_event", at=self.now(), rater=rater, kind=kind, data=to_json(data))

    def events(
        self, rater: str | None = None, kinds: str | Iterable[str] | None = None, after: int = 0
    ) -> tuple[Event, ...]:
        """The events in order, of one rater or of all, of some kinds or of all."""
        wanted = None if kinds is None else _kinds(kinds)
        if rater is not None:
            self._with(rater)
            rows = self._rows("events_of_rater", rater=rater, after=after)
            rows = [row for row in rows if wanted is None or row[3] in wanted]
        elif wanted is not None:
            rows = sorted(row for kind in wanted for row in self._rows("events_of_kind", kind=kind, after=after))
        else:
            rows = self._rows("events", after=after)
        return tuple(map(_event, rows))

    def last_event(self, kinds: str | Iterable[str], rater: str | None = None) -> Event | None:
        """The newest event of these kinds, of one rater or of anybody."""
        name = "last_of_kind" if rater is None else "last_of_rater"
        owner = {} if rater is None else {"rater": rater}
        rows = [row for kind in _kinds(kinds) if (row := self._row(name, kind=kind, **owner)) is not None]
        return _event(max(rows)) if rows else None

    def state(self) -> str:
        """The newest of "opened" and "closed", or "" before the first."""
        return self._value("state") or ""

    def add_presentation(self, rater: str, assignment: str | None, evidence: Any = None) -> int:
        """Record what the browser says was shown, failed to load, or was out of sight."""
        return self._insert(
            "add_presentation", rater=rater, assignment=assignment, at=self.now(), evidence=to_json(evidence)
        )

    def presentations(self, rater: str | None = None) -> tuple[Presentation, ...]:
        """What was presented, in order, to one rater or to all."""
        rows = self._rows("presentations") if rater is None else self._rows("presentations_of", rater=rater)
        return tuple(Presentation(seq, who, id, at, from_json(shown)) for seq, who, id, at, shown in rows)

    def add_decision(
        self,
        member: str,
        section: str,
        question: str,
        target: str,
        canonical: str,
        vote: Any,
        reason: str = "",
    ) -> int:
        """Record what a member decided about an open answer; its number comes back."""
        return self._insert(
            "add_decision",
            at=self.now(),
            member=member,
            section=section,
            question=question,
            target=target,
            canonical=canonical,
            vote=to_json(vote) or "null",
            reason=reason,
        )

    def decisions(self) -> tuple[Decision, ...]:
        """All decisions in order; of two about the same answer by one member the newer counts."""
        return tuple(_decision(row) for row in self._rows("decisions"))


def _kinds(kinds: str | Iterable[str]) -> tuple[str, ...]:
    return (kinds,) if isinstance(kinds, str) else tuple(dict.fromkeys(kinds))


def _event(row: Row) -> Event:
    seq, at, rater, kind, data, after_answer = row
    return Event(seq, at, rater, kind, from_json(data), after_answer)


def _decision(row: Row) -> Decision:
    seq, at, member, section, question, target, canonical, vote, reason = row
    return Decision(seq, at, member, section, question, target, canonical, from_json(vote), reason)
