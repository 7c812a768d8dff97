"""What raters hold is remembered from one submission to the next, for as long as nobody else writes.

Three of the seven statements of a submission ask what this connection has just written itself. Here they are asked
once for many submissions. Whatever else is written, on this connection or on another one, lets go of everything that
is remembered; so does every rollback.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from operator import itemgetter
from typing import Any

from quorate.records import Assignment
from quorate.store.compiled_sqlite import SQL
from quorate.store.rows import Outcome, Progress, Standing, Submitted
from quorate.store.tx import Tx

#: How many assignments are looked up together.
AT_ONCE = 48
#: What a submission itself writes, which `add_submission` remembers, and what no rater's standing depends on.
OWN = ("add_submission", "answer_assignment", "add_answered", "add_answer", "add_presentation")
_NAMED = re.compile(r":(\w+)")


def _in_order(sql: str) -> tuple[str, Callable[[Mapping[str, Any]], Any]]:
    """A statement whose values come by place, and what puts them there: by name, sqlite3 looks for each in turn."""
    return _NAMED.sub("?", sql), itemgetter(*_NAMED.findall(sql))


IN_ORDER = {name: _in_order(SQL[name]) for name in OWN}


class Hand:
    """What a rater holds: every open assignment from a position on, or the first of them if they are not `whole`."""

    __slots__ = ("last", "link", "open", "progress", "section", "since", "whole")

    def __init__(self, found: Standing, link: str, following: Iterable[Assignment], whole: bool):
        mine = found.assignment
        self.link = link
        self.section = mine.section
        self.progress = found.progress
        self.last = found.last
        self.since = mine.position
        self.open = {one.id: one for one in (mine, *following)}
        self.whole = whole


class RememberingTx(Tx):
    """The verbs on a connection of which it is known when others have written."""

    def __init__(self, *given: Any):
        super().__init__(*given)
        self._hands: dict[str, Hand] = {}
        self._holding: dict[str, Hand] = {}
        self._version = -1
        self._last = (0, "")
        self._at = ""

    def now(self) -> str:
        # What is written together is stamped with one time.
        self._at = self._at or super().now()
        return self._at

    def begun(self) -> None:
        self._at = ""
        version = self._execute("PRAGMA data_version").fetchone()[0]
        if version != self._version:
            self._version = version
            self.forget()

    def forget(self) -> None:
        self._hands.clear()
        self._holding.clear()

    def standing(self, assignment: str, link: str = "") -> Standing | None:
        hand = self._holding.get(assignment)
        if hand is not None and hand.link == link:
            return Standing(hand.open[assignment], True, True, hand.progress, hand.last)
        found = super().standing(assignment, link)
        if found is not None and found.link_works and found.is_open and found.progress is not None:
            self._remember(found, link)
        return found

    def _remember(self, found: Standing, link: str) -> None:
        mine = found.assignment
        self._let_go(mine.rater)
        if mine.answered or mine.lost:
            return
        following = self.next_open(mine.rater, mine.section, mine.position, AT_ONCE)
        hand = self._hands[mine.rater] = Hand(found, link, following, len(following) < AT_ONCE)
        self._holding.update(dict.fromkeys(hand.open, hand))

    def _let_go(self, rater: str) -> None:
        hand = self._hands.pop(rater, None)
        if hand is not None:
            for id in hand.open:
                del self._holding[id]

    def assignment(self, id: str) -> Assignment | None:
        hand = self._holding.get(id)
        return super().assignment(id) if hand is None else hand.open[id]

    def next_open_ids(self, rater: str, section: str, after_position: int = 0, n: int = 1) -> list[str]:
        hand = self._hands.get(rater)
        if hand is not None and hand.section == section and after_position >= hand.since:
            coming = []
            for id, one in hand.open.items():
                if one.position > after_position:
                    coming.append(id)
                    if len(coming) == n:
                        return coming
            if hand.whole:
                return coming
            self._let_go(rater)
        return super().next_open_ids(rater, section, after_position, n)

    def add_submission(
        self, key: str, rater: str, assignment: str | Assignment | None, answers: Any, evidence: Any = None, **rest: Any
    ) -> Submitted:
        stored = super().add_submission(key, rater, assignment, answers, evidence, **rest)
        hand = self._hands.get(rater)
        if hand is None:
            return stored
        id = assignment.id if isinstance(assignment, Assignment) else assignment
        if id not in hand.open or stored.outcome is not Outcome.STORED or hand.progress is None:
            self._let_go(rater)
            return stored
        del hand.open[id], self._holding[id]
        who, step, section, answered, total, status = hand.progress
        # The counts are those of the section that the rater is in.
        hand.progress = Progress(who, step, section, answered + (section == hand.section), total, status)
        hand.last = self._last
        return stored

    def _chain(self, rows: Iterable[dict[str, Any]], last: dict[tuple[str, str], tuple[int, str]]) -> None:
        super()._chain(rows, last)
        self._last = next(reversed(last.values()))

    def _write(self, name: str, parameters: Mapping[str, Any]) -> Any:
        if name not in IN_ORDER:
            self.forget()
            return super()._write(name, parameters)
        sql, values = IN_ORDER[name]
        return self._execute(sql, values(parameters))

    def _many(self, name: str, /, rows: Iterable[Mapping[str, Any]]) -> None:
        if name not in IN_ORDER:
            self.forget()
            super()._many(name, rows)
            return
        for row in rows:
            self._write(name, row)
