"""The work: claiming a batch, the item to show, and one submission with the next item in one transaction."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from quorate.collect.anchoring import Scores, shown_scores
from quorate.collect.claiming import claim, panel_of_rater, share, whole_share
from quorate.collect.escalation import escalate
from quorate.collect.evidence import by_path, check_failed, check_owed
from quorate.collect.forms import Form, read_answers
from quorate.collect.links import check_works
from quorate.collect.unshown import not_shown
from quorate.collect.warning import Told, live_rules, open_of, place_of, reconsidered, warn
from quorate.collect.way import WORKING, Step, Where, move_on, where
from quorate.errors import ClosedError, LinkError, StaleError
from quorate.languages import Words, noted
from quorate.protocol import Protocol, Section
from quorate.questions import Given
from quorate.records import Assignment, Item, Reason
from quorate.store import Outcome, Progress, Standing, Submitted, Tx

AHEAD = 5
"""How many items a browser holds beyond the one it shows."""

LAST = 1 << 30
"""A position behind every other."""


@dataclass(frozen=True, slots=True)
class Place:
    """One assignment as a page shows it; `raw` holds the earlier answers where there are any.

    `scores` are a judge's, for the arm that sees them.
    """

    assignment: Assignment
    item: Item
    raw: Mapping[str, Any] = field(default_factory=dict)
    scores: Scores = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Work:
    """What the workspace shows: the place, those held ahead, the one before it, and how far it is.

    `cells` are all that the rater holds in a section with a grid, and nothing in others.
    """

    section: Section
    place: Place
    ahead: tuple[Place, ...]
    cells: tuple[Assignment, ...]
    answered: int
    total: int
    #: What the rater is warned of before the answers to this place are sent again.
    warned: tuple[Words, ...] = ()
    #: The assignment before this one, if there is one.
    previous: str | None = None


@dataclass(frozen=True, slots=True)
class Submission:
    """One send from the browser: all answers to one assignment.

    `key` is the client's own name for it, so that the same answer sent twice is stored once. `revision` is the
    revision of the assignment that the page was made from. `link` is the one the rater came in by, as `Entry` has it;
    one that was revoked since stores nothing. Where nobody came in by a link (a rehearsal) it is None.
    """

    key: str
    assignment: str
    form: Form
    evidence: Mapping[str, Any] = field(default_factory=dict)
    revision: int = 0
    link: str | None = None


@dataclass(frozen=True, slots=True)
class Receipt:
    """What the server says after a submission is durable: what was done, how far it is, and what comes next.

    `next` is the assignment to show; `ahead` holds the places that the browser does not hold yet. A rater who is
    `warned` sees the same assignment again.
    """

    outcome: str
    step: Step
    answered: int
    total: int
    revision: int
    next: str | None
    ahead: tuple[Place, ...]
    warned: tuple[Words, ...] = ()


def work(tx: Tx, protocol: Protocol, rater: str, assignment: str | None = None, ahead: int = AHEAD) -> Work:
    """The place to show: the one asked for, else the next that is open; claims a batch when one is needed."""
    now = where(tx, protocol, rater)
    if now.step not in WORKING:
        raise StaleError(noted("This part is finished. You can go on from here."))
    section = protocol.section(now.section)
    warned = open_of(tx, rater, section)
    is_working = now.step not in (Step.DEBRIEF, Step.UNSHOWN)
    if is_working and not warned and not tx.next_open(rater, section.id):
        claim(tx, protocol, rater, section)
    _keep_step(tx, now)
    chosen = _chosen(tx, now, assignment, warned)
    if chosen.answered and not section.revise and place_of(chosen) not in warned:
        raise StaleError(noted("This answer is final in this study. You can go on from here."))
    # Held are those that come after the chosen one; when it is the last open one, the first open ones.
    following = tx.next_open(rater, section.id, chosen.position, ahead)
    told = warned.get(place_of(chosen), ())
    places = _places(tx, (chosen, *following), shown_scores(tx, protocol, rater))
    before = tx.held_before(rater, section.id, chosen.position)
    cells = _held(tx, rater, section.id) if section.grid else ()
    return Work(
        section, places[0], places[1:], cells, now.answered, now.total, told, before.id if before else None
    )  # fmt: skip


def _keep_step(tx: Tx, now: Where) -> None:
    """Keeps the step where the hot path reads it, if it is another one than what is kept."""
    known = tx.progress(now.rater)
    if known is None or (known.step, known.section) != (now.step, now.section):
        tx.set_progress(now.rater, step=now.step, section=now.section, status=now.step)


def submit(tx: Tx, protocol: Protocol, rater: str, submission: Submission, held: Collection[str] = ()) -> Receipt:
    """Stores all answers to one assignment at once, and says what comes next. An error stores nothing."""
    found = tx.standing(submission.assignment, submission.link or "")
    if found is None or found.assignment.rater != rater:
        raise LinkError(noted("This answer belongs to another person's page. Please open your personal link again."))
    if submission.link is not None:
        check_works(found.link_works)
    mine = found.assignment
    # An answer whose acknowledgement was lost comes again with an old revision and a key that is known.
    if submission.revision != mine.revision and tx.is_repeated(submission.key, rater, mine.id):
        return _repeated(tx, protocol, found, held)
    section = protocol.section(mine.section)
    is_warned = mine.answered and place_of(mine) in open_of(tx, rater, section)
    _check(tx, protocol, found, submission, is_warned)
    item = tx.item_of(mine)
    given = read_answers(section.ask, submission.form, mine.shown, item)
    is_unshown = any(answer.reason is Reason.MEDIA_FAILED for answer in given.values())
    # What was answered before stands, though its picture does not load a second time.
    if is_unshown and mine.answered:
        return _repeated(tx, protocol, found, held)
    # What was played before an earlier answer need not be played again for a change of mind.
    if is_unshown:
        check_failed(submission.evidence)
    elif not mine.answered:
        check_owed(section, item, mine.shown, by_path(submission.evidence))
    if is_warned:
        reconsidered(tx, mine, tx.answers_of(mine), given)
    stored = tx.add_submission(
        submission.key,
        rater,
        mine,
        [answer_row(question, answer) for question, answer in given.items()],
        dict(submission.evidence),
        protocol=protocol.collection_hash,
        seconds=_seconds(submission.evidence),
        last=found.last,
    )
    if is_unshown:
        if stored.outcome is Outcome.STORED:
            not_shown(tx, mine)
        return _receipt(tx, protocol, move_on(tx, protocol, rater), mine, stored, held, _coming(tx, mine))
    told = warn(tx, section, item, mine, given, stored.revision) if live_rules(section) else ()
    # Before the warning is answered, too: a rater who never comes back leaves no item waiting for a third one.
    escalate(tx, protocol, mine)
    if told:
        return _warned(tx, protocol, mine, stored, told)
    more = 1 if stored.outcome is Outcome.STORED and not mine.answered and not mine.lost else 0
    coming = _coming(tx, mine)
    return _receipt(tx, protocol, _now(tx, protocol, mine, found.progress, coming, more), mine, stored, held, coming)


def _repeated(tx: Tx, protocol: Protocol, found: Standing, held: Collection[str]) -> Receipt:
    """What was said of answers that are stored already."""
    mine, stored = found.assignment, Submitted(Outcome.REPEATED, found.assignment.revision)
    told = open_of(tx, mine.rater, protocol.section(mine.section)).get(place_of(mine), ())
    if told:
        return _warned(tx, protocol, mine, stored, told)
    coming = _coming(tx, mine)
    return _receipt(tx, protocol, _now(tx, protocol, mine, found.progress, coming), mine, stored, held, coming)


def _warned(tx: Tx, protocol: Protocol, mine: Assignment, stored: Submitted, told: tuple[Words, ...]) -> Receipt:
    """The same place again, with what the rater is warned of."""
    now = where(tx, protocol, mine.rater)
    return Receipt(stored.outcome, now.step, now.answered, now.total, stored.revision, mine.id, (), told)


def answer_row(question: str, given: Given) -> dict[str, Any]:
    """An answer as the store keeps it."""
    return {"question": question, "value": given.value, "reason": given.reason, "raw": given.raw}


def own_answers(tx: Tx, protocol: Protocol, rater: str) -> list[tuple[Assignment, Mapping[str, Any]]]:
    """What this rater has answered, in the order in which it was shown."""
    rows = []
    for section in protocol.sections:
        for assignment in _held(tx, rater, section.id):
            rows.append((assignment, _raw(tx, assignment)))
    return rows


def _check(tx: Tx, protocol: Protocol, found: Standing, submission: Submission, is_warned: bool) -> None:
    """Refuses what may not be stored now, with a sentence for the rater."""
    if not found.is_open:
        raise ClosedError(noted("The study is closed just now. What you have sent is kept."))
    mine, known = found.assignment, found.progress
    section = known.section if known and known.step in WORKING else _section_at_work(tx, protocol, mine.rater)
    if section != mine.section:
        raise StaleError(noted("That part is finished, and its answers can no longer be changed."))
    if submission.revision != mine.revision:
        raise StaleError(noted("You have answered this in another tab or on another device. That answer is kept."))
    if mine.answered and not is_warned and not protocol.section(mine.section).revise:
        raise StaleError(noted("This answer is final in this study. You can go on from here."))


def _section_at_work(tx: Tx, protocol: Protocol, rater: str) -> str:
    """The section that takes answers from this rater, derived anew: the cache may be from before a pause."""
    now = move_on(tx, protocol, rater)
    if now.step not in WORKING:
        raise StaleError(noted("This part is finished. You can go on from here."))
    return now.section


def _coming(tx: Tx, mine: Assignment) -> tuple[Assignment, ...]:
    """The open assignments after this one, as many as a browser holds."""
    return tx.next_open(mine.rater, mine.section, mine.position, AHEAD + 1)


def _receipt(
    tx: Tx,
    protocol: Protocol,
    now: Where,
    mine: Assignment,
    stored: Submitted,
    held: Collection[str],
    coming: tuple[Assignment, ...],
) -> Receipt:
    if now.section != mine.section or now.step not in WORKING:
        return Receipt(stored.outcome, now.step, now.answered, now.total, stored.revision, None, ())
    # After the last position it goes round to what was left open before.
    if len(coming) <= AHEAD:
        again = tx.next_open(mine.rater, mine.section, 0, AHEAD + 1 - len(coming))
        coming += tuple(one for one in again if one not in coming)
    new = [one for one in coming if one.id not in held]
    ahead = _places(tx, new, shown_scores(tx, protocol, mine.rater) if new else {})
    following = coming[0].id if coming else None
    return Receipt(stored.outcome, now.step, now.answered, now.total, stored.revision, following, ahead)


def _now(
    tx: Tx,
    protocol: Protocol,
    mine: Assignment,
    known: Progress | None,
    coming: tuple[Assignment, ...],
    more: int = 0,
) -> Where:
    """Where the rater is after so many more answers than are known of.

    It is the cached step, unless the count says that it may have changed.
    """
    rater = mine.rater
    if known is None or known.step not in (Step.WORK, Step.BREAK):
        return where(tx, protocol, rater)
    answered, after = known.answered + more, protocol.raters.break_after
    is_break = after is not None and answered % after == 0
    is_last = answered >= known.total or not coming
    if is_last or is_break or known.step == Step.BREAK:
        return move_on(tx, protocol, rater)
    panel = panel_of_rater(tx, protocol, rater)
    total, section = known.total, protocol.section(known.section)
    # Who holds a whole share has no more to come: nothing has to be looked up for that on the way of every answer.
    if total < whole_share(protocol, section.id, panel):
        total = max(total, share(tx, protocol, rater, section, panel))
    return Where(rater, Step.WORK, known.section, 0, answered, total)


def _held(tx: Tx, rater: str, section: str) -> tuple[Assignment, ...]:
    """The rater's assignments without those that went back to the plan."""
    return tuple(assignment for assignment in tx.assignments(rater, section) if not assignment.lost)


def _chosen(tx: Tx, now: Where, wanted: str | None, warned: Told) -> Assignment:
    """The assignment that was asked for, else one with an open warning, the first open one, or the last of all."""
    rater, section = now.rater, now.section
    if wanted is not None:
        chosen = tx.assignment(wanted)
        if chosen is None or chosen.lost or (chosen.rater, chosen.section) != (rater, section):
            raise StaleError(noted("This page is no longer part of your work. You can go on from here."))
        return chosen
    first = next((cell for cell in _held(tx, rater, section) if place_of(cell) in warned), None) if warned else None
    if now.step is Step.UNSHOWN:
        first = next(iter(tx.unshown(rater, section)), None)
    chosen = first or next(iter(tx.next_open(rater, section)), None) or tx.held_before(rater, section, LAST)
    assert chosen is not None, "who works holds something"
    return chosen


def _raw(tx: Tx, assignment: Assignment) -> Mapping[str, Any]:
    if not assignment.answered:
        return {}
    answers = tx.answers_of(assignment)
    return {a.question: a.reason if a.reason is Reason.CANNOT_JUDGE else a.raw for a in answers}


def _places(tx: Tx, assignments: Sequence[Assignment], scores: Mapping[str, Scores]) -> tuple[Place, ...]:
    return tuple(Place(one, tx.item_of(one), _raw(tx, one), scores.get(one.id, {})) for one in assignments)


def _seconds(evidence: Mapping[str, Any]) -> float | None:
    """The visible time that the browser measured, where it is a plausible number."""
    seconds = evidence.get("visible_seconds")
    return float(seconds) if isinstance(seconds, int | float) and 0 <= seconds < 86_400 else None
