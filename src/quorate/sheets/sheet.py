"""The answers to one question as tables: items × raters, and items × judges, with what is right and what is missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.protocol import Protocol
from quorate.questions import Question
from quorate.records import (
    EXCLUDED,
    JUDGE,
    MEMBER,
    RATER,
    WITHDRAWN,
    Answer,
    Collected,
    Evidence,
    Item,
    Reason,
    Repeated,
    Route,
    Vote,
)
from quorate.sheets.columns import Bools, Floats, Ints, Reading, Rows, coded, in_order, mapped, rows_of
from quorate.sheets.decisions import decide
from quorate.sheets.independent import arm, consistent
from quorate.statistics.columns import dense

#: The event of a rater whose answers came from a file.
IMPORTED = "imported"
CORRECTNESS = "correctness"
PARTS = ("people", "more", "members", "machines", "anchored")
#: Rows that follow the items of a sheet without being answers with a value.
OTHER_ROWS = ("sent", "passed")
NOBODY = rows_of((), {}, ())


@dataclass(frozen=True, eq=False)
class Sheet:
    """One question's answers in columns.

    `people` holds planned, independent ratings only: a third rater called because two disagreed would be a rating
    chosen for its disagreement. Those stand in `more`, a member's decisions in `members`, judges' in `machines`.
    `anchored` holds the answers of an arm that saw a judge's score: they are not independent of it. `asked` says for
    each item whether the question applies to it.
    """

    section: str
    id: str
    question: Question
    items: tuple[Item, ...]
    people: Rows
    more: Rows
    members: Rows
    machines: Rows
    votes: tuple[Vote, ...]
    missing: Mapping[str, int]
    asked: Bools
    cluster_field: str = ""
    round: int = 1
    parent: Sheet | None = None
    kept: Bools | None = None
    #: Of a section's first question: everything that raters sent in, with a value or a reason why there is none.
    sent: Rows = NOBODY
    #: Of a score made of several answers: the questions that it is made of.
    made_of: tuple[str, ...] = ()
    #: Planned raters who were asked, sent their answers in, and left this question open.
    passed: Rows = NOBODY
    #: Raters whose answers came from files: what they were shown, and in which order, is not known.
    from_files: frozenset[str] = frozenset()
    #: What browsers report of the section's assignments, by (item, rater).
    evidence: Mapping[tuple[str, str], Evidence] = field(default_factory=dict)
    anchored: Rows = NOBODY
    #: Fields of all items as columns, read once for every question.
    fields: dict[str, tuple[Ints, tuple[str, ...]]] = field(default_factory=dict)
    #: Where a triage rule sent the section's items, and what judges said to this question beside their answers of
    #: record; over all of the study's items.
    routes: tuple[Route, ...] = ()
    repeated: tuple[Repeated, ...] = ()
    #: Judges' answers as they came, where something was said beside them.
    recorded: tuple[Answer, ...] = ()
    #: How many answers of judges changed with the order and are left out or count as ties, by judge.
    inconsistent: Mapping[str, int] = field(default_factory=dict)
    #: Whether it is a score over the parts that all items share.
    is_shared: bool = False

    @property
    def raters(self) -> tuple[str, ...]:
        """Who gave planned ratings, in natural order."""
        return self.people.names

    @property
    def judges(self) -> tuple[str, ...]:
        """The judges that answered."""
        return self.machines.names

    @cached_property
    def n_items(self) -> int:
        """How many items the sheet has."""
        return len(self.items)

    @cached_property
    def clusters(self) -> Ints:
        """The group of each item: the field that the study names, else the item itself."""
        if not self.cluster_field:
            return np.arange(self.n_items)
        return dense(self.field(self.cluster_field)[0])

    def field(self, name: str) -> tuple[Ints, tuple[str, ...]]:
        """A field of the items as text: each item's place among the values of all of the study's items."""
        if self.parent is not None and self.kept is not None:
            codes, values = self.parent.field(name)
            return codes[self.kept], values
        if name not in self.fields:
            self.fields[name] = coded([str(item.fields.get(name)) for item in self.items])
        return self.fields[name]

    @property
    def item_clusters(self) -> Ints | None:
        """The groups of items where the study names a field; None where every item stands for itself."""
        return self.clusters if self.cluster_field else None

    def clusters_of(self, items: Any) -> Ints | None:
        """The groups of these items where the study names a field, else None."""
        return self.clusters[items] if self.cluster_field else None

    def only(self, kept: Bools) -> Sheet:
        """The same sheet over some of the items."""
        places = np.cumsum(kept) - 1
        rows = {
            name: getattr(self, name).where(kept[getattr(self, name).item], places) for name in (*PARTS, *OTHER_ROWS)
        }
        items = tuple(compress(self.items, kept.tolist()))
        return replace(self, items=items, asked=self.asked[kept], parent=self, kept=kept, **rows)

    def reading(self, name: str, of: str = "people") -> Reading:
        """The answers of people, more raters, members or machines as categories of a reading."""
        if ("reading", name, of) not in self.held:
            if self.parent is not None and self.kept is not None:
                whole = self.parent.reading(name, of)
                self.held["reading", name, of] = whole.where(self.kept[whole.item], np.cumsum(self.kept) - 1)
            else:
                self.held.update((("reading", name, part), reading) for part, reading in self._read(name).items())
        found: Reading = self.held["reading", name, of]
        return found

    def _read(self, name: str) -> dict[str, Reading]:
        """Every part in one go, so that a code means the same label in each."""
        parts = {part: getattr(self, part) for part in PARTS}
        labels: list[Any] = []
        for part, rows in parts.items():
            labels += self._labels(name, part, rows)
        declared = self.question.declared(name)
        codes, names = coded(labels, declared)
        found, start = {}, 0
        for part, rows in parts.items():
            own = codes[start : start + len(rows)]
            found[part] = Reading(rows.item, rows.who, own, names, declared=bool(declared))
            start += len(rows)
        return found

    def _labels(self, name: str, part: str, rows: Rows) -> list[Any]:
        if name == CORRECTNESS:
            return self.right(part).tolist()
        values = rows.column("value")
        question = self.question
        if not question.depends_on_item(name):
            return mapped(values, lambda value: question.category(name, value))
        items = [self.items[place] for place in rows.item]
        if CORRECTNESS in question.readings():
            # Every right answer is one category, however it was put.
            right = self.right(part).tolist()
            return [
                question.right_answer(item) if is_right else question.category(name, value, item)
                for item, value, is_right in zip(items, values, right, strict=True)
            ]
        return [question.category(name, value, item) for item, value in zip(items, values, strict=True)]

    def _right(self, rows: Rows) -> Bools:
        decisions = decide(self.votes, self.section, self.id)
        targets = self.targets
        known: dict[tuple[str, Any], bool] = {}
        found = []
        for place, value in zip(rows.item.tolist(), rows.column("value"), strict=True):
            key = (targets[place], value)
            if key not in known:
                known[key] = bool(self.question.score(value, self.items[place], decisions))
            found.append(known[key])
        return np.array(found, bool)

    @cached_property
    def targets(self) -> list[str]:
        """The right answer to each item."""
        if self.parent is not None and self.kept is not None:
            return list(compress(self.parent.targets, self.kept.tolist()))
        return [self.question.right_answer(item) for item in self.items]

    def right(self, of: str = "people") -> Bools:
        """Whether each answer is right, in the order of the rows."""
        return self.aligned("right", of, self.whole._right)

    def aligned(self, name: str, of: str, compute: Callable[[Rows], NDArray[Any]]) -> NDArray[Any]:
        """Something of each row, computed once over all items: a stratum takes its part of it."""
        if (name, of) not in self.held:
            if self.parent is not None and self.kept is not None:
                rows: Rows = getattr(self.parent, of)
                self.held[name, of] = self.parent.aligned(name, of, compute)[self.kept[rows.item]]
            else:
                self.held[name, of] = compute(getattr(self, of))
        found: NDArray[Any] = self.held[name, of]
        return found

    @property
    def whole(self) -> Sheet:
        """The sheet over all items that this one is a part of."""
        return self if self.parent is None else self.parent.whole

    @cached_property
    def held(self) -> dict[Any, Any]:
        """What was computed of this sheet and will be asked for again."""
        return {}

    def numbers(self, of: str = "people") -> NDArray[Any]:
        """Each answer as a number, in the order of the rows."""

        def read(rows: Rows) -> NDArray[Any]:
            return np.array(mapped(rows.column("value"), self.question.as_number), float)

        return self.aligned("number", of, read)

    def seconds(self, of: str = "people") -> Floats:
        """For how long each answer's item was in sight, in the order of the rows; NaN where nobody knows.

        It is what browsers report over all the times that it was sent, else what is stored with the answer.
        """

        def read(rows: Rows) -> NDArray[Any]:
            stored = np.array(rows.column("seconds"), float)  # None becomes NaN
            if not self.evidence:
                return stored
            keys = zip(rows.column("item"), rows.column("rater"), strict=True)
            told = [None if one is None else one.visible for one in map(self.evidence.get, keys)]
            visible = np.array(told, float)
            return np.where(np.isnan(visible), stored, visible)

        return self.aligned("seconds", of, read)

    @cached_property
    def judged(self) -> Mapping[tuple[str, str], Answer]:
        """Judges' answers by (item, judge)."""
        return {(answer.item, answer.rater): answer for answer in self.machines.answers}

    @cached_property
    def correct(self) -> Mapping[tuple[str, str], bool]:
        """Whether each answer that has a value is right, by (item, rater or judge); empty without right answers."""
        if not self.question.is_scored():
            return {}
        return {
            (answer.item, answer.rater): is_right
            for part in ("people", "machines")
            for answer, is_right in zip(getattr(self, part).answers, self.right(part).tolist(), strict=True)
        }

    @property
    def target_field(self) -> str:
        """The field of an item that holds the right answer; empty where the question has none."""
        return self.question.target_field()

    def of_judge(self, judge: str, name: str) -> Reading:
        """One judge's answers as categories of a reading."""
        reading = self.reading(name, "machines")
        place = self.judges.index(judge) if judge in self.judges else -1
        return reading.where(reading.who == place)

    def codes_of(self, judge: str, name: str) -> Ints:
        """The code of one judge's answer to each item in a reading; −1 where there is none."""
        codes, given = np.full(self.n_items, -1), self.of_judge(judge, name)
        codes[given.item] = given.code
        return codes


def sheets(protocol: Protocol, collected: Collected, keep: Sequence[str] = (), round: int = 1) -> Iterator[Sheet]:
    """A sheet for each question of each section; people who withdrew or were excluded are left out.

    `keep` names statuses that stay in all the same: ("excluded",) gives the results before exclusions.
    """
    out = {p.rater for p in collected.participants if p.status in (WITHDRAWN, EXCLUDED) and p.status not in keep}
    places = {item.id: place for place, item in enumerate(collected.items)}
    reported = _reported(collected, round)
    by_question: dict[tuple[str, str], list[Answer]] = {}
    fields: dict[str, tuple[Ints, tuple[str, ...]]] = {}
    for answer in in_order(collected.answers):
        if answer.round == round and answer.item in places and not (answer.rater in out and answer.by == RATER):
            by_question.setdefault((answer.section, answer.question), []).append(answer)
    for section in protocol.sections:
        for ask in section.ask:
            rows = by_question.get((section.id, ask.id), [])
            found = _sheet(protocol, collected, section.id, ask.id, rows, places, round)
            known = reported.get(section.id, {})
            if known and ask is section.ask[0]:
                sent = [answer for answer in rows if answer.by == RATER]
                found = replace(found, sent=rows_of(sent, places, _names(sent)))
            yield replace(found, evidence=known, fields=fields)


def _reported(collected: Collected, round: int) -> dict[str, dict[tuple[str, str], Evidence]]:
    """What browsers report of one round, by section, then by (item, rater)."""
    found: dict[str, dict[tuple[str, str], Evidence]] = {}
    for one in collected.evidence:
        if one.round == round:
            found.setdefault(one.section, {})[one.item, one.rater] = one
    return found


def _sheet(
    protocol: Protocol, collected: Collected, section: str, id: str, rows: list[Answer], places: dict[str, int],
    round: int,
) -> Sheet:  # fmt: skip
    per_item = protocol.raters.per_item
    everyone = [a for a in rows if a.by == RATER and a.repeat < per_item]
    applies = np.ones(len(places), bool)
    applies[[places[a.item] for a in everyone if a.reason == Reason.NOT_APPLICABLE]] = False
    applies[[places[a.item] for a in everyone if a.reason is None]] = True
    saw = arm(protocol, collected)
    people = [a for a in everyone if (section, a.item, a.rater) not in saw] if saw else everyone
    planned = [answer for answer in people if answer.reason is None]
    given = [answer for answer in rows if answer.reason is None]
    more = [a for a in given if a.by == RATER and a.repeat >= per_item and (section, a.item, a.rater) not in saw]
    members = [a for a in given if a.by == MEMBER]
    anchored = [a for a in given if a.by == RATER and (section, a.item, a.rater) in saw] if saw else []
    passed = [answer for answer in people if answer.reason == Reason.SKIPPED]
    question = protocol.ask(section, id).question
    repeated = tuple(one for one in collected.repeated if one.section == section and id in one.said)
    recorded = [a for a in given if a.by == JUDGE and a.repeat == 0]
    machines, changed = consistent(recorded, repeated, question, protocol.analysis)
    return Sheet(
        section,
        id,
        question,
        collected.items,
        rows_of(planned, places, _names(people)),
        rows_of(more, places, _names(more)),
        rows_of(members, places, _names(members)),
        rows_of(machines, places, sorted({a.rater for a in rows if a.by == JUDGE})),
        collected.votes,
        Counter(str(answer.reason) for answer in everyone if answer.reason is not None),
        applies,
        protocol.file.items.cluster or "",
        round,
        anchored=rows_of(anchored, places, _names(anchored)),
        passed=rows_of(passed, places, _names(passed)),
        from_files=frozenset(one.rater for one in collected.participants if IMPORTED in one.events),
        routes=tuple(route for route in collected.routes if route.section == section),
        repeated=repeated,
        recorded=tuple(recorded) if repeated else (),
        inconsistent=changed,
    )


def _names(answers: Sequence[Answer]) -> list[str]:
    return sorted({answer.rater for answer in answers}, key=natural)


def natural(name: str) -> tuple[str, int, str]:
    """A sort key under which A2 comes before A10.

    >>> sorted(["A10", "A2", "A1"], key=natural)
    ['A1', 'A2', 'A10']
    """
    letters = name.rstrip("0123456789")
    digits = name[len(letters) :]
    return letters, int(digits or 0), name
