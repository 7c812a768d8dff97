"""What became of everyone who was invited: each person once, by how far they came and how it ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from quorate.languages import noted
from quorate.protocol import Protocol
from quorate.records import Collected, Participant
from quorate.sheets.sheet import WITHDRAWN

#: How far a person came; whoever came to one came to all before it.
INVITED, CONSENTED, ADMITTED, ANALYSED = STEPS = (
    noted("invited"), noted("consented"), noted("admitted"), noted("analysed")
)  # fmt: skip

#: What a rater can only have done after consent, after eligibility, and after the cut that follows a quiz.
AFTER_CUT = ("selected", "instructions", "practiced", "finished")
AFTER_ELIGIBILITY = ("eligible", "background", *AFTER_CUT)
AFTER_CONSENT = ("consent", *AFTER_ELIGIBILITY)

NOT_BEGUN, DECLINED, SCREENED_OUT = noted("did not begin"), noted("declined"), noted("screened out")
NO_QUIZ, NOT_CHOSEN, NOT_NEEDED = noted("failed the quiz"), noted("not selected"), noted("not needed")
TOO_LATE, UNDECIDED = noted("too late for the selection"), noted("waiting for the selection")
IN_RESERVE, REPLACED = noted("kept in reserve"), noted("replaced by others")
FINISHED, UNDER_WAY = noted("finished"), noted("not finished")
#: The same for those none of whose answers counts.
EMPTY = {
    FINISHED: noted("finished, without an answer that counts"),
    UNDER_WAY: noted("not finished, without an answer that counts"),
}
WITHDREW, EXCLUDED_IN_WORDS = noted("withdrew"), noted("excluded")
#: In this order they are told; an end that is not named here comes last.
ORDER = (
    NOT_BEGUN, DECLINED, SCREENED_OUT, NO_QUIZ, NOT_CHOSEN, IN_RESERVE, TOO_LATE, UNDECIDED, REPLACED, WITHDREW,
    EXCLUDED_IN_WORDS,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Outcome:
    """How far one person came, as a place among the steps, and what became of them in a word."""

    rater: str
    step: int
    word: str


def is_imported(person: Participant) -> bool:
    """Whether all that is known of a person came from a file."""
    return "imported" in person.events and "consent" not in person.events


def outcomes(protocol: Protocol, collected: Collected, analysed: Collection[str]) -> Iterator[Outcome]:
    """One for each person who was invited here; whoever's answers came from a file was not."""
    for person in collected.participants:
        if not is_imported(person):
            counts = person.rater in analysed
            step = STEPS.index(ANALYSED if counts else _furthest(protocol, person))
            yield Outcome(person.rater, step, _word(protocol, collected, person, counts))


def _furthest(protocol: Protocol, person: Participant) -> str:
    rule = protocol.raters
    gate: Sequence[str] = AFTER_CUT if rule.screening else AFTER_ELIGIBILITY if rule.eligibility else AFTER_CONSENT
    if person.events.keys() & set(gate):
        return ADMITTED
    return CONSENTED if person.events.keys() & set(AFTER_CONSENT) else INVITED


def _word(protocol: Protocol, collected: Collected, person: Participant, counts: bool) -> str:
    quiz, status = protocol.raters.screening, person.status
    if status == "not_selected" and quiz is not None and person.quiz:
        ranks = person.quiz[0]  # the first attempt, as the page says
        return NOT_CHOSEN if ranks[0] / ranks[1] > quiz.above else NO_QUIZ
    if status in ("", "invited") and not counts:
        return NOT_BEGUN
    if status in ("", "invited", "consented", FINISHED):
        return _at_work(protocol, collected, person, counts)
    return {WITHDRAWN: WITHDREW, "replaced": REPLACED}.get(status, status.replace("_", " "))


def _at_work(protocol: Protocol, collected: Collected, person: Participant, counts: bool) -> str:
    far = FINISHED if person.status == FINISHED else UNDER_WAY
    if counts:
        return far
    if protocol.raters.screening and far == UNDER_WAY and not person.events.keys() & set(AFTER_CUT):
        if person.quiz:
            return IN_RESERVE if "reserve" in person.events else UNDECIDED
        if person.panel in collected.full:
            return TOO_LATE
    return EMPTY[far]


def counted(found: Collection[Outcome]) -> Mapping[str, int]:
    """How many came to each outcome, in the order in which they are told; together they are all who were invited."""
    n = Counter(one.word for one in found)
    last = sorted(word for word in n if word not in ORDER)
    return {word: n[word] for word in (*ORDER, *last) if n[word]}


def left_before(found: Collection[Outcome], step: str) -> Mapping[str, int]:
    """What became of those who came to the step before this one and no further."""
    return counted([one for one in found if one.step == STEPS.index(step) - 1])


def has_gate(protocol: Protocol) -> bool:
    """Whether anything stands between consent and taking part."""
    return bool(protocol.raters.screening or protocol.raters.eligibility)
