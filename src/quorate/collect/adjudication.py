"""Adjudication: a member of the team decides what raters could not settle, and says why.

A decision is a row like an answer, by the member, through the same door; nothing of the raters' is changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from secrets import token_hex

from quorate.chance import order
from quorate.collect.escalation import is_settled, said
from quorate.collect.forms import Form, fields_of, read_answers
from quorate.errors import CollectError
from quorate.protocol import Protocol
from quorate.records import Answer, Item, Shown
from quorate.store import Submitted, Tx


@dataclass(frozen=True, slots=True)
class Contested:
    """An item that waits for a decision: the item as a rater saw it, and what was answered, without names.

    `opinions` holds one rater's answers each, by question, in a drawn order. `decided` holds the newest decision.
    """

    section: str
    item: Item
    round: int
    question: str
    shown: Shown
    opinions: tuple[Mapping[str, Answer], ...]
    decided: Mapping[str, Answer]


def queue(tx: Tx, protocol: Protocol, decided: bool = False) -> tuple[Contested, ...]:
    """The items on which as many raters as there may be do not agree; with `decided`, those too that are decided."""
    rule = protocol.raters.escalate
    if rule is None:
        return ()
    decisions = _decisions(tx)
    found = []
    for section, item, round in tx.items_at(rule.to - 1):
        answers = said(tx, protocol, section, item, round)
        known = decisions.get((section, item, round), {})
        if len(answers) >= rule.to and not is_settled(protocol, section, answers) and (decided or not known):
            found.append(_contested(tx, protocol, section, item, round, known))
    return tuple(found)


def decide(
    tx: Tx,
    protocol: Protocol,
    member: str,
    section: str,
    item: str,
    form: Form,
    reason: str,
    *,
    round: int = 1,
    key: str = "",
) -> Submitted:
    """Stores a member's decision: the answers in a form like a rater's, shown as `Contested.shown`, and the reason.

    Only the questions that the form answers are decided; the contested one must be among them. `key` is the page's own
    name for the sending, so that it is stored once.
    """
    if member not in {known.id for known in tx.members()}:
        raise CollectError("Only members of the team can decide.")
    if not reason.strip():
        raise CollectError("Please say why you decide so: the report lists the reasons.")
    known = next(
        (c for c in queue(tx, protocol, True) if (c.section, c.item.id, c.round) == (section, item, round)), None
    )
    if known is None:
        raise CollectError("This item does not wait for a decision: its raters agree, or have not all answered.")
    asks = [ask for ask in protocol.section(section).ask if fields_of(form, ask.id) or ask.id == known.question]
    given = read_answers(asks, form, known.shown, known.item)
    place = {"section": section, "item": item, "round": round, "shown": known.shown}
    rows = [
        {"question": id, "value": answer.value, "reason": answer.reason, "raw": {"reason": reason, "raw": answer.raw}}
        for id, answer in given.items()
    ]
    return tx.add_submission(
        key or f"decision/{token_hex(12)}",
        member,
        None,
        [row | place for row in rows],
        by="member",
        protocol=protocol.collection_hash,
    )


def _contested(
    tx: Tx, protocol: Protocol, section: str, item: str, round: int, decided: Mapping[str, Answer]
) -> Contested:
    rule = protocol.raters.escalate
    known = tx.item(item)
    assert rule is not None
    assert known is not None, "a slot's item is in the plan"
    by_rater: dict[str, dict[str, Answer]] = {}
    for answer in tx.counted_answers(section, item, round):
        by_rater.setdefault(answer.rater, {})[answer.question] = _nameless(answer)
    drawn = order(list(by_rater), protocol.seed, "adjudication", section, item, round)
    first = tx.slots_of(section, item, round)[0][1]
    opinions = tuple(by_rater[rater] for rater in drawn)
    return Contested(section, known, round, rule.when, first.shown, opinions, decided)


def _nameless(answer: Answer) -> Answer:
    """An answer without what could tell who gave it: name, place in the work, and time."""
    return replace(answer, rater="", seq=0, at="", position=0, repeat=0, seconds=None, revision=0)


def _decisions(tx: Tx) -> dict[tuple[str, str, int], dict[str, Answer]]:
    """The newest decision on each item, whoever made it, by question."""
    found: dict[tuple[str, str, int], dict[str, Answer]] = {}
    for answer in sorted(tx.latest_answers(by="member"), key=lambda answer: answer.seq):
        found.setdefault((answer.section, answer.item, answer.round), {})[answer.question] = answer
    return found
