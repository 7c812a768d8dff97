"""The rater's way: consent, eligibility, background, instructions, practice, work, break, debrief, done.

Every step is an event in the store, so that a rater can leave and come back on another device. `where` derives the
step from the events; what it found is cached in the rater's progress, which the hot path of the work reads.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from quorate.collect.claiming import (
    can_claim,
    has_work,
    is_called_back,
    is_done,
    may_come_free,
    panel_of_rater,
    share,
)
from quorate.collect.forms import Form, read_answers
from quorate.collect.freeze import freeze
from quorate.collect.places import has_place
from quorate.collect.recruiting import RESERVE, is_recruited
from quorate.collect.unshown import LEFT, NOT_SHOWN, can_leave, has_judged_most, n_answered
from quorate.collect.warning import open_warnings
from quorate.errors import ClosedError, CollectError, StaleError
from quorate.languages import noted
from quorate.protocol import Protocol
from quorate.records import Shown
from quorate.store import Event, Tx


class Step(StrEnum):
    """What a rater meets next."""

    WAITING = "waiting"  # the study is not open yet
    CONSENT = "consent"
    DECLINED = "declined"
    ELIGIBILITY = "eligibility"
    SCREENED_OUT = "screened_out"
    BACKGROUND = "background"
    SCREENING = "screening"
    SELECTION = "selection"  # the quiz is done, the cut is not
    FAILED_QUIZ = "failed_quiz"
    NOT_SELECTED = "not_selected"  # the quiz was passed, and enough others were better
    RESERVE = "reserve"  # the same, and whoever it is may be called when a place becomes free
    RECRUITMENT_CLOSED = "recruitment_closed"  # the places were filled before the quiz was taken
    INSTRUCTIONS = "instructions"
    PRACTICE = "practice"
    ANSWER = "answer"  # what is right for one practice item, before the next one
    FEEDBACK = "feedback"
    WORK = "work"
    BREAK = "break"
    UNSHOWN = "unshown"  # all is answered but what could not be shown
    DEBRIEF = "debrief"
    ALL_TAKEN = "all_taken"  # others hold everything that is left: some of it may come free
    NOT_NEEDED = "not_needed"  # nothing is left, and the share is not done
    DONE = "done"
    WITHDRAWN = "withdrawn"
    EXCLUDED = "excluded"
    REPLACED = "replaced"  # what was left has gone to someone else; what was answered counts
    CLOSED = "closed"


#: Steps in which the answers of the section at hand can be sent and looked at again.
WORKING = (Step.WORK, Step.BREAK, Step.UNSHOWN, Step.DEBRIEF)

#: Steps that end the way, whatever else has happened.
ENDS: Mapping[str, Step] = {
    "withdrawn": Step.WITHDRAWN,
    "excluded": Step.EXCLUDED,
    "replaced": Step.REPLACED,
    "declined": Step.DECLINED,
    "screened_out": Step.SCREENED_OUT,
    "not_selected": Step.NOT_SELECTED,
    "finished": Step.DONE,
    "not_needed": Step.NOT_NEEDED,
}

#: The ends that come by themselves, when nothing is left to do, with the event that keeps each.
BY_ITSELF: Mapping[Step, str] = {Step.DONE: "finished", Step.NOT_NEEDED: "not_needed"}


SEEN = "practice_seen"
"""The event that a rater has seen the right answer to one practice item, where it follows each."""
AFTER_EACH = "after each item"


@dataclass(frozen=True, slots=True)
class Where:
    """Where a rater is: the step, and how far inside it (practice item or work, counted from 1)."""

    rater: str
    step: Step
    section: str = ""
    position: int = 0
    answered: int = 0
    total: int = 0


def where(tx: Tx, protocol: Protocol, rater: str) -> Where:
    """What this rater meets next, derived from what happened."""
    events = tx.events(rater=rater)
    kinds = {event.kind for event in events}
    for kind, end in ENDS.items():
        # Who has finished may be asked once more, where others disagree.
        if kind in kinds and not (end in BY_ITSELF and is_open(tx) and is_called_back(tx, protocol, rater)):
            step = _not_selected(protocol, events) if end is Step.NOT_SELECTED else end
            return Where(rater, step, answered=n_answered(tx, protocol, rater))
    raters = protocol.raters
    panel = panel_of_rater(tx, protocol, rater)
    if not is_open(tx):
        return _while_closed(tx, protocol, rater, panel, events)
    if raters.screening and "selected" not in kinds:
        if RESERVE in kinds:
            return Where(rater, Step.RESERVE)
        # Who took the quiz in time waits for a decision, which says so when all places are taken.
        if "screening" not in kinds and is_recruited(tx, protocol, panel):
            return Where(rater, Step.RECRUITMENT_CLOSED)
    if not _is_let_in(tx, protocol, rater, panel, events):
        return without_work(tx, protocol, rater, panel)
    first = (
        (Step.CONSENT, "consent" not in kinds),
        (Step.ELIGIBILITY, bool(raters.eligibility) and "eligible" not in kinds),
        (Step.BACKGROUND, bool(raters.background) and "background" not in kinds),
        (_screening_step(protocol, events), bool(raters.screening) and "selected" not in kinds),
        (Step.INSTRUCTIONS, "instructions" not in kinds),
    )
    for step, is_due in first:
        if is_due:
            return Where(rater, step)
    if raters.practice and "practiced" not in kinds:
        answered = {event.data["position"] for event in events if event.kind == "practice_answer"}
        total = len(practice_items(protocol))
        unseen = answered - {event.data["position"] for event in events if event.kind == SEEN}
        if len(answered) < total and unseen and raters.practice.feedback == AFTER_EACH and protocol.practice_answered:
            return Where(rater, Step.ANSWER, protocol.practice_section.id, max(unseen), len(answered), total)
        if len(answered) < total:
            position = next(p for p in range(1, total + 1) if p not in answered)
            return Where(rater, Step.PRACTICE, protocol.practice_section.id, position, len(answered), total)
        return Where(rater, Step.FEEDBACK, protocol.practice_section.id, total, total, total)
    breaks = {(event.data["section"], event.data["after"]) for event in events if event.kind == "break"}
    left = {event.data["section"] for event in events if event.kind == LEFT}
    found = _work(tx, protocol, rater, panel, breaks, left, {place[0] for place in open_warnings(events)})
    if found:
        return found
    if NOT_SHOWN in kinds and not has_judged_most(tx, protocol, rater):
        return _too_little_shown(tx, protocol, rater)
    is_all = is_done(tx, protocol, rater, panel)
    at_end = Where(rater, Step.DONE) if is_all else without_work(tx, protocol, rater, panel)
    if raters.debrief and "debrief" not in kinds and at_end.step in BY_ITSELF and n_answered(tx, protocol, rater):
        last = protocol.sections[-1].id
        counts = tx.counts(rater, last)
        return Where(rater, Step.DEBRIEF, last, 0, counts.answered, counts.total)
    return at_end


def _while_closed(tx: Tx, protocol: Protocol, rater: str, panel: str, events: Sequence[Event]) -> Where:
    """Where a rater is while the study is closed: who had answered everything is done, whatever else was to come."""
    if not tx.last_event(["closed"]):
        return Where(rater, Step.WAITING)
    left = {event.data["section"] for event in events if event.kind == LEFT}
    warned = {place[0] for place in open_warnings(events)}
    has_judged = has_judged_most(tx, protocol, rater) and is_done(tx, protocol, rater, panel)
    if has_judged and not _work(tx, protocol, rater, panel, (), left, warned):
        return Where(rater, Step.DONE, answered=n_answered(tx, protocol, rater))
    return Where(rater, Step.CLOSED)


def _too_little_shown(tx: Tx, protocol: Protocol, rater: str) -> Where:
    """Where a rater is who went on without too much: at what can still be tried again, if anything can."""
    sections = [section.id for section in protocol.sections]
    section = next((one for one in sections if tx.unshown(rater, one)), sections[-1])
    counts = tx.counts(rater, section)
    return Where(rater, Step.UNSHOWN, section, 0, counts.answered, counts.total)


def _is_let_in(tx: Tx, protocol: Protocol, rater: str, panel: str, events: Sequence[Event]) -> bool:
    """Whether there is a place; who comes under open enrolment is told before the consent where nothing is free."""
    if any(event.kind == "consent" for event in events):
        return has_place(tx, protocol, rater, panel, events)
    if protocol.raters.roster is not None or protocol.raters.screening is not None:
        return True
    return has_work(tx, protocol, rater, panel)


def without_work(tx: Tx, protocol: Protocol, rater: str, panel: str) -> Where:
    """Where a rater is who can do nothing now and has not done the share, with what is answered all the same."""
    step = Step.ALL_TAKEN if may_come_free(tx, protocol, rater, panel) else Step.NOT_NEEDED
    return Where(rater, step, answered=n_answered(tx, protocol, rater))


def _screening_step(protocol: Protocol, events: Sequence[Event]) -> Step:
    """The quiz while an attempt is left and none has passed, then the wait for the cut."""
    rule = protocol.raters.screening
    if rule is None:
        return Step.SCREENING
    attempts = [event.data for event in events if event.kind == "screening"]
    passed = any(attempt["right"] / attempt["n"] > rule.above for attempt in attempts)
    return Step.SELECTION if passed or len(attempts) >= rule.attempts else Step.SCREENING


def _not_selected(protocol: Protocol, events: Sequence[Event]) -> Step:
    """Whether a candidate's first attempt, which ranks, fell short of the bar, or others were better."""
    rule = protocol.raters.screening
    attempt = next((event.data for event in events if event.kind == "screening"), None)
    is_passed = rule is not None and attempt is not None and attempt["right"] / attempt["n"] > rule.above
    return Step.NOT_SELECTED if is_passed else Step.FAILED_QUIZ


def _work(
    tx: Tx,
    protocol: Protocol,
    rater: str,
    panel: str,
    breaks: Collection[tuple[str, int]],
    left: Collection[str],
    warned: Collection[str] = (),
) -> Where | None:
    """The section that this rater works on, or None when there is nothing left to do.

    In a section in which the rater was `warned`, the answers have to be sent again before anything else. What could
    not be shown comes last, until the rater has `left` it behind.
    """
    for section in protocol.sections:
        answered, claimed = tx.counts(rater, section.id)
        if section.id in warned:
            total = max(claimed, share(tx, protocol, rater, section, panel))
            return Where(rater, Step.WORK, section.id, answered, answered, total)
        unshown = len(tx.unshown(rater, section.id)) if answered < claimed else 0
        if answered + unshown == claimed and not can_claim(tx, protocol, rater, section, panel):
            if unshown and section.id not in left:
                return Where(rater, Step.UNSHOWN, section.id, 0, answered, claimed)
            continue
        total = max(claimed, answered + 1, share(tx, protocol, rater, section, panel))
        step = Step.WORK
        after = protocol.raters.break_after
        if after and answered and answered % after == 0 and (section.id, answered) not in breaks:
            step = Step.BREAK
        return Where(rater, step, section.id, answered + 1, answered, total)
    return None


def practice_items(protocol: Protocol) -> Sequence[Any]:
    """The practice items that are used, in the order of their table."""
    practice = protocol.raters.practice
    return protocol.practice[: practice.n] if practice else ()


def move_on(tx: Tx, protocol: Protocol, rater: str) -> Where:
    """Derives the step again, and keeps it where the hot path reads it."""
    now = where(tx, protocol, rater)
    if not is_kept(tx, now):
        tx.add_event(BY_ITSELF[now.step], rater)
    tx.set_progress(rater, step=now.step, section=now.section, status=now.step)
    return now


def is_kept(tx: Tx, now: Where) -> bool:
    """Whether the end at which a rater is, if it is one that comes by itself, is recorded; before consent none is."""
    if now.step not in BY_ITSELF or tx.last_event(["consent"], rater=now.rater) is None:
        return True
    return tx.last_event([BY_ITSELF[now.step]], rater=now.rater) is not None


def is_open(tx: Tx) -> bool:
    """Whether the study takes answers: the newest of `opened` and `closed` decides."""
    return tx.state() == "opened"


def open_study(tx: Tx) -> None:
    """Lets raters in."""
    if not is_open(tx):
        tx.add_event("opened")


def close_study(tx: Tx) -> None:
    """Takes no more answers; everything that was stored stays."""
    if is_open(tx):
        tx.add_event("closed", data={"head": tx.head()})


def consent(tx: Tx, protocol: Protocol, rater: str, agree: bool, language: str = "en") -> Where:
    """Records the choice with the text's version; the first consent freezes the protocol."""
    _expect(tx, protocol, rater, Step.CONSENT)
    version = protocol.version_of(protocol.raters.consent, language)
    if agree:
        freeze(tx, protocol)
    tx.add_event("consent" if agree else "declined", rater, {"version": version, "language": language})
    return move_on(tx, protocol, rater)


def eligibility(tx: Tx, protocol: Protocol, rater: str, form: Form) -> Where:
    """Records the answers; one that is not accepted ends the way with thanks."""
    _expect(tx, protocol, rater, Step.ELIGIBILITY)
    asks = protocol.raters.eligibility
    given = read_answers(asks, form, Shown())
    values = {question: answer.value for question, answer in given.items()}
    accepted = all(values[ask.id] in ask.accept for ask in asks)
    tx.add_event("eligible" if accepted else "screened_out", rater, values)
    return move_on(tx, protocol, rater)


def background(tx: Tx, protocol: Protocol, rater: str, form: Form) -> Where:
    """Records what raters say of themselves."""
    _expect(tx, protocol, rater, Step.BACKGROUND)
    given = read_answers(protocol.raters.background, form, Shown())
    tx.add_event("background", rater, {question: answer.value for question, answer in given.items()})
    return move_on(tx, protocol, rater)


def instructions_read(tx: Tx, protocol: Protocol, rater: str) -> Where:
    """Records that the instructions were read."""
    _expect(tx, protocol, rater, Step.INSTRUCTIONS)
    version = protocol.version_of(protocol.raters.instructions)
    tx.add_event("instructions", rater, {"version": version})
    return move_on(tx, protocol, rater)


def break_over(tx: Tx, protocol: Protocol, rater: str) -> Where:
    """Records the break, taken or not, and goes on."""
    now = where(tx, protocol, rater)
    if now.step is Step.BREAK:
        tx.add_event("break", rater, {"section": now.section, "after": now.answered})
    return move_on(tx, protocol, rater)


def without_unshown(tx: Tx, protocol: Protocol, rater: str) -> Where:
    """Records that the rater goes on without what could not be shown, where anything at all was answered."""
    _expect(tx, protocol, rater, Step.UNSHOWN)
    now = where(tx, protocol, rater)
    if can_leave(tx, protocol, rater, now.section):
        items = [one.item for one in tx.unshown(rater, now.section)]
        tx.add_event(LEFT, rater, {"section": now.section, "items": items})
    return move_on(tx, protocol, rater)


def debrief(tx: Tx, protocol: Protocol, rater: str, form: Form) -> Where:
    """Records what the rater wanted to say, and ends the way."""
    _expect(tx, protocol, rater, Step.DEBRIEF)
    asks = protocol.raters.debrief.ask if protocol.raters.debrief else ()
    given = read_answers(asks, form, Shown())
    tx.add_event("debrief", rater, {question: answer.value for question, answer in given.items()})
    return move_on(tx, protocol, rater)


def withdraw(tx: Tx, protocol: Protocol, rater: str, erase: bool = False) -> Where:
    """The rater leaves: answers leave the analysis, their number stays known, their places are free again."""
    if not tx.last_event(["withdrawn"], rater=rater):
        tx.add_event("withdrawn", rater, {"erased": erase})
        tx.release(rater, answered=True)
        if erase:
            tx.erase(rater)
    return move_on(tx, protocol, rater)


def exclude(tx: Tx, protocol: Protocol, rater: str, reason: str) -> Where:
    """Takes a rater's answers out of the analysis, for a stated reason; results are reported with and without."""
    if tx.rater(rater) is None:
        raise CollectError(f"There is no rater '{rater}'.")
    if not reason.strip():
        raise CollectError(f"Say why {rater} is excluded: the report prints the reason.")
    if (before := tx.last_event(["excluded"], rater=rater)) is not None:
        raise CollectError(f"{rater} is excluded already: {before.data.get('reason', '')}. That reason stays.")
    tx.add_event("excluded", rater, {"reason": reason})
    tx.release(rater, answered=True)
    return move_on(tx, protocol, rater)


def replace(tx: Tx, protocol: Protocol, rater: str, reason: str) -> Where:
    """Hands what a rater has not answered back to the plan, for a stated reason; what was answered stays and counts."""
    if tx.rater(rater) is None:
        raise CollectError(f"There is no rater '{rater}'.")
    if not reason.strip():
        raise CollectError(f"Say why {rater} is replaced: the report prints the reason.")
    now = where(tx, protocol, rater)
    was_let_in = not protocol.raters.screening or tx.last_event(["selected"], rater=rater)
    if not was_let_in or now.step in (*ENDS.values(), Step.FAILED_QUIZ, Step.DEBRIEF):
        raise CollectError(
            f"{rater} does not work on anything ({now.step.replace('_', ' ')}), so there is nothing to hand on."
        )
    tx.add_event("replaced", rater, {"reason": reason, "answered": n_answered(tx, protocol, rater)})
    tx.release(rater)
    return move_on(tx, protocol, rater)


def _expect(tx: Tx, protocol: Protocol, rater: str, step: Step) -> None:
    now = where(tx, protocol, rater)
    if now.step in (Step.CLOSED, Step.WAITING):
        raise ClosedError(noted("The study is closed just now. What you have sent is kept."))
    if now.step is not step:
        raise StaleError(noted("This page was sent already, perhaps from another tab. You can go on from here."))
