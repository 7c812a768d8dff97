"""Screening: a quiz without feedback, a wait for the cut, and cuts by panel that can be re-derived and made again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from quorate.chance import draw, order
from quorate.collect.forms import Form, FormError
from quorate.collect.links import panels
from quorate.collect.places import LEFT, gone, has_cut
from quorate.collect.recruiting import (
    CLOSED,
    CUT,
    RESERVE,
    Place,
    free_places,
    is_cut,
    is_recruited,
    without_link,
)
from quorate.collect.way import Step, Where, move_on, replace, where
from quorate.errors import AnswerError, CollectError, StaleError, did_you_mean
from quorate.languages import noted
from quorate.protocol import Protocol
from quorate.records import Rater
from quorate.store import Tx

DECIDED = ("selected", RESERVE, "not_selected")
"""The events by which someone who took the quiz learns what follows of it."""


@dataclass(frozen=True, slots=True)
class QuizQuestion:
    """One question as a candidate sees it; the options stand in an order drawn for the candidate."""

    id: str
    text: str
    options: tuple[str, ...]
    answer: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """How a candidate did on the attempt that counts: the first where a cut ranks them, else the newest."""

    rater: str
    panel: str
    right: int
    n: int
    passed: bool


@dataclass(frozen=True, slots=True)
class Chosen:
    """Who gets a place, which one, and because of what: the first cut, a reserve's turn, or a quiz taken later."""

    candidate: Candidate
    place: Place
    because: str


@dataclass(frozen=True, slots=True)
class Cut:
    """What is settled in one panel: who gets which of the free places, who is kept in reserve (in order), who fell.

    Where everyone who passes takes part, it `closes` recruitment, and there are no places.
    """

    panel: str
    free: tuple[Place, ...]
    chosen: tuple[Chosen, ...]
    reserves: tuple[Candidate, ...]
    failed: tuple[Candidate, ...]
    unfinished: tuple[str, ...]
    new_reserves: int = 0
    closes: bool = False

    @property
    def is_due(self) -> bool:
        """Whether anything would change."""
        return self.closes or bool(self.chosen or self.failed or self.new_reserves)

    @property
    def still_free(self) -> int:
        """How many places stay free: an alarm, never a lower bar."""
        return len(self.free) - len(self.chosen)

    @property
    def settles(self) -> tuple[tuple[str, ...], ...]:
        """Who is told what, to compare with what was agreed to."""
        said = ((one.candidate.rater for one in self.chosen), (c.rater for c in self.reserves))
        return tuple(map(tuple, (*said, (c.rater for c in self.failed))))

    def alarm(self, protocol: Protocol) -> str:
        """What is said where places stay free; "" where none does."""
        rule = protocol.raters.screening
        if not self.still_free or rule is None:
            return ""
        name = f"Panel {self.panel}" if self.panel else "The study"
        return (
            f"{name}: {_places(self.still_free)} free. The bar is not lowered; candidates who are invited now take "
            "the same quiz, and the next selection looks at them."
        )


def _places(n: int) -> str:
    return "1 place stays" if n == 1 else f"{n} places stay"


def quiz(protocol: Protocol, rater: Rater) -> tuple[QuizQuestion, ...]:
    """The questions of a candidate's panel, the first n of them, with their options in the candidate's own order."""
    rule = protocol.raters.screening
    if rule is None:
        return ()
    rows = [row.fields for row in protocol.tables[rule.from_]]
    if rule.by and rater.panel:
        rows = [row for row in rows if str(row[rule.by]) == rater.panel]
    return tuple(_question(protocol, rater, row) for row in rows[: rule.n])


def _question(protocol: Protocol, rater: Rater, row: Mapping[str, Any]) -> QuizQuestion:
    rule = protocol.raters.screening
    assert rule is not None
    id = str(row[rule.id])
    options = dict.fromkeys(str(row[name]) for name in (rule.answer, *rule.options) if row.get(name))
    drawn = order(list(options), protocol.seed, "quiz", rater.id, id)
    return QuizQuestion(id, str(row[rule.question]), tuple(drawn), str(row[rule.answer]))


def screening_answer(tx: Tx, protocol: Protocol, rater: str, form: Form) -> Where:
    """Records one attempt at the quiz; fields are named `quiz.<id>` and hold an option or its place (`@2`)."""
    if where(tx, protocol, rater).step is not Step.SCREENING:
        raise StaleError(noted("This page was sent already, perhaps from another tab. You can go on from here."))
    person = tx.rater(rater)
    assert person is not None, "who answers a quiz is a rater"
    questions = quiz(protocol, person)
    given = {question.id: _chosen(question, form) for question in questions}
    missing = {
        f"quiz.{id}": AnswerError(noted("Please choose one of the options.")) for id, c in given.items() if not c
    }
    if missing:
        raise FormError(missing)
    right = sum(given[question.id] == question.answer for question in questions)
    attempt = len(tx.events(rater=rater, kinds=["screening"])) + 1
    tx.add_event("screening", rater, {"attempt": attempt, "right": right, "n": len(questions), "answers": given})
    _decide_at_once(tx, protocol, rater, attempt, passes(protocol, right, len(questions)))
    return move_on(tx, protocol, rater)


def _chosen(question: QuizQuestion, form: Form) -> str:
    said = (form.get(f"quiz.{question.id}") or [""])[0]
    place = said.removeprefix("@")
    if said.startswith("@") and place.isdecimal() and 1 <= int(place) <= len(question.options):
        return question.options[int(place) - 1]
    return said if said in question.options else ""


def _decide_at_once(tx: Tx, protocol: Protocol, rater: str, attempt: int, passed: bool) -> None:
    """Without a cut to wait for, who passes takes part, and who has no attempt left is thanked."""
    rule = protocol.raters.screening
    if rule is None or has_cut(protocol):
        return
    if passed:
        tx.add_event("selected", rater)
    elif attempt >= rule.attempts:
        tx.add_event("not_selected", rater)


def passes(protocol: Protocol, right: int, n: int) -> bool:
    """Whether so many right answers exceed the bar."""
    rule = protocol.raters.screening
    return rule is not None and n > 0 and right / n > rule.above


def candidates(tx: Tx, protocol: Protocol) -> list[Candidate]:
    """Everyone who finished an attempt, ranked within the panel; ties are settled by a keyed draw."""
    counts: dict[str, Any] = {}
    for event in tx.events(kinds=["screening"]):
        if has_cut(protocol):
            counts.setdefault(event.rater or "", event.data)
        else:
            counts[event.rater or ""] = event.data
    found = []
    for rater in tx.raters():
        if rater.id in counts:
            right, n = counts[rater.id]["right"], counts[rater.id]["n"]
            found.append(Candidate(rater.id, rater.panel, right, n, passes(protocol, right, n)))
    return sorted(found, key=lambda c: (c.panel, -c.right, draw(protocol.seed, "screening", c.rater)))


def preview(tx: Tx, protocol: Protocol, chosen: Sequence[str] = ()) -> tuple[Cut, ...]:
    """What a selection would settle in these panels, or in all of them; it only reads."""
    rule = protocol.raters.screening
    if rule is None:
        raise CollectError("This study has no screening: raters.screening is not in its study file.")
    ranked = candidates(tx, protocol)
    known = sorted({*panels(protocol), *(one.panel for one in ranked)})
    for name in chosen:
        if name not in known:
            raise CollectError(f"There is no panel '{name}'.{did_you_mean(name, known)}")
    return tuple(_cut(tx, protocol, panel, [one for one in ranked if one.panel == panel]) for panel in chosen or known)


def _cut(tx: Tx, protocol: Protocol, panel: str, ranked: Sequence[Candidate]) -> Cut:
    """What would be settled in one panel: the free places go to reserves and to those who passed since."""
    left, decided = gone(tx), {event.rater for event in tx.events(kinds=DECIDED)}
    called = {event.rater for event in tx.events(kinds=["selected"])}
    reserves = [event.rater for event in tx.events(kinds=[RESERVE]) if event.rater not in called]
    out = {event.rater for event in tx.events(kinds=LEFT)}
    kept = [c for c in ranked if c.rater in reserves and c.rater not in out]
    kept.sort(key=lambda c: reserves.index(c.rater))
    new = [c for c in ranked if c.rater not in decided and c.rater not in left]
    passed = [c for c in new if c.passed]
    unable = {*without_link(tx, {c.rater for c in (*kept, *passed)})}
    finished = {c.rater for c in ranked}
    unfinished = tuple(
        one.id for one in tx.raters() if one.panel == panel and one.id not in left and one.id not in finished
    )
    failed = tuple(c for c in new if not c.passed)
    if not has_cut(protocol):
        is_shut = is_recruited(tx, protocol, panel)
        return Cut(panel, (), (), (), tuple(new), unfinished, closes=not is_shut)
    free = free_places(tx, protocol, panel)
    is_first = not is_cut(tx, panel)
    because = {**{c.rater: "reserve" for c in kept}, **{c.rater: "cut" if is_first else "late" for c in passed}}
    able = [c for c in (*kept, *passed) if c.rater not in unable]
    rule = protocol.raters.screening
    if rule and rule.refill == "best first":
        able = [c for c in ranked if c in able]
    chosen = tuple(Chosen(c, place, because[c.rater]) for c, place in zip(able, free, strict=False))
    rest = tuple(c for c in (*kept, *passed) if c not in able[: len(free)])
    return Cut(panel, free, chosen, rest, failed, unfinished, new_reserves=sum(c in passed for c in rest))


def select(
    tx: Tx, protocol: Protocol, chosen: Sequence[str] = (), seen: Sequence[Cut] | None = None
) -> tuple[Cut, ...]:
    """Gives the free places of these panels (or all) to the next who passed, and tells everyone who took the quiz.

    `seen` is the preview that somebody agreed to: where something else would be settled by now, nothing is. A panel in
    which nothing is to be decided stays as it is. Without a cut everyone who has passed takes part already; then
    recruitment is closed.
    """
    cuts = preview(tx, protocol, chosen)
    if seen is not None and [cut.settles for cut in cuts] != [cut.settles for cut in seen]:
        raise CollectError("Since the preview somebody took the quiz or left. Nothing was settled: please look again.")
    made = [cut for cut in cuts if cut.is_due]
    if not made:
        raise CollectError(_nothing_due(protocol, cuts))
    for cut in made:
        _settle(tx, protocol, cut)
    return tuple(made)


def _settle(tx: Tx, protocol: Protocol, cut: Cut) -> None:
    """Records a panel's cut, each decision with its reason, and moves everybody on."""
    ids = {
        "selected": [one.candidate.rater for one in cut.chosen],
        "reserves": [c.rater for c in cut.reserves],
        "not_selected": [c.rater for c in cut.failed],
    }
    tx.add_event(CLOSED if cut.closes else CUT, data={"panel": cut.panel, **ids, "alarm": cut.alarm(protocol)})
    for one in cut.chosen:
        place = {"round": one.place.round, "because": one.because}
        place |= {"instead_of": one.place.before, "why": one.place.why} if one.place.before else {}
        if one.place.before in without_link(tx, {one.place.before}):
            # Someone with no link cannot come back to what is given to another one.
            replace(tx, protocol, one.place.before, one.place.why)
        tx.add_event("selected", one.candidate.rater, place)
    known = {event.rater for event in tx.events(kinds=[RESERVE])}
    for c in cut.reserves:
        if c.rater not in known:
            tx.add_event(RESERVE, c.rater)
    for c in cut.failed:
        tx.add_event("not_selected", c.rater)
    for rater in (*ids["selected"], *ids["reserves"], *ids["not_selected"]):
        move_on(tx, protocol, rater)


def _nothing_due(protocol: Protocol, cuts: Sequence[Cut]) -> str:
    free, waiting = sum(len(cut.free) for cut in cuts), sum(len(cut.unfinished) for cut in cuts)
    if cuts and not free:
        why = "every place is taken" if has_cut(protocol) else "recruitment is closed"
        return f"There is nothing to settle: {why}, and nobody waits for a decision."
    return (
        f"There is nothing to settle: nobody who passed the quiz waits, free places: {free}, candidates who have not "
        f"finished the quiz: {waiting}. Invite candidates with: quorate invite"
    )
