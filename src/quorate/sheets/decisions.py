"""Borderline answers: what the team voted, what that decides, and which answers wait for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from quorate.findings.results import Borderline
from quorate.protocol import Protocol
from quorate.questions import Decision
from quorate.records import Answer, Collected, Vote
from quorate.sheets.columns import in_order

VOTERS = 3

Key = tuple[str, str, str, str]
"""What a decision is keyed by: section, question, target and answer, the last two in canonical form."""


def decide(votes: Iterable[Vote], section: str | None = None, question: str | None = None) -> tuple[Decision, ...]:
    """What the votes decide: at least three members, a strict majority; each member's newest vote counts.

    >>> ballots = [Vote(m, "s", "q", "spill beans", "spill bean", m != "m3") for m in ("m1", "m2", "m3")]
    >>> decide(ballots)
    (Decision(target='spill beans', canonical='spill bean', correct=True),)
    """
    found = []
    for key, ballots in sorted(_ballots(votes).items()):
        outcome = _outcome(ballots)
        if outcome is not None and section in (None, key[0]) and question in (None, key[1]):
            found.append(Decision(key[2], key[3], outcome))
    return tuple(found)


def borderline(protocol: Protocol, collected: Collected) -> tuple[Borderline, ...]:
    """Every distinct near miss of people and judges, with an example as typed, the tally, and what was decided."""
    ballots = _ballots(collected.votes)
    found: dict[Key, tuple[str, str]] = {}
    for answer, key, close_by in _near_misses(protocol, collected):
        found.setdefault(key, (str(answer.raw), close_by))
    return tuple(_borderline(key, *found[key], ballots.get(key, {})) for key in sorted(found))


def _near_misses(protocol: Protocol, collected: Collected) -> Iterator[tuple[Answer, Key, str]]:
    asks = {
        (section.id, ask.id): ask.question
        for section in protocol.sections
        for ask in section.ask
        if ask.question.is_scored() and ask.question.canonical_steps()
    }
    if not asks:
        return
    items = {item.id: item for item in collected.items}
    gone = {person.rater for person in collected.participants if person.status == "withdrawn"}
    # An answer is close to a target, whichever item the target stands in: each two are compared once.
    known: dict[Key, tuple[str, str]] = {}
    for answer in in_order(collected.answers):
        question, item = asks.get((answer.section, answer.question)), items.get(answer.item)
        if question is None or item is None or answer.reason is not None or answer.rater in gone:
            continue
        target = question.right_answer(item)
        at = (answer.section, answer.question, target, answer.value)
        if at not in known:
            known[at] = question.canonical_form(target), question.close_by(answer.value, item)
        canonical, close_by = known[at]
        if close_by:
            yield answer, (answer.section, answer.question, canonical, answer.value), close_by


def _ballots(votes: Iterable[Vote]) -> dict[Key, dict[str, bool]]:
    """For each borderline answer, each member's newest vote; the votes come in the server's order."""
    found: dict[Key, dict[str, bool]] = {}
    for vote in votes:
        key = (vote.section, vote.question, vote.target, vote.canonical)
        found.setdefault(key, {})[vote.member] = vote.correct
    return found


def _outcome(ballots: dict[str, bool]) -> bool | None:
    tally = Counter(ballots.values())
    if len(ballots) < VOTERS or tally[True] == tally[False]:
        return None
    return tally[True] > tally[False]


def _borderline(key: Key, example: str, close_by: str, ballots: dict[str, bool]) -> Borderline:
    tally = Counter(ballots.values())
    return Borderline(*key, example, tally[True], tally[False], _outcome(ballots), close_by)
