"""Where planned raters disagree, one more is asked, blind to why; and a stratum can be assessed anew by other raters.

The rule is the study file's `raters.escalate`. An item whose raters have all answered and do not agree on the stated
question gets one more slot in the same transaction, until most of them agree or the item has `to` raters; after that
it waits for a decision (`adjudication`). In a claim, contested items are at most as many as others; where a rater has
no planned items left, items that others agreed on are put among them, whose answers enter no estimate.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from quorate.collect.checks import check_slot, drawn_items
from quorate.collect.links import panels
from quorate.collect.places import has_cut, lease_ago
from quorate.collect.recruiting import OPENED, is_recruited
from quorate.errors import CollectError, did_you_mean
from quorate.plan import CHECKS, contested, extra_slot, make_slots, panel_of, strata_fields
from quorate.protocol import Protocol, Section
from quorate.records import Answer, Assignment, Item, Rater, Reason, Slot
from quorate.store import Tx

MIXED = "mixed"


def escalate(tx: Tx, protocol: Protocol, mine: Assignment) -> bool:
    """After a submission: one more slot for its item if all have answered and they do not agree."""
    rule = protocol.raters.escalate
    if rule is None or mine.round == CHECKS or mine.lost or not _asks(protocol.section(mine.section), rule.when):
        return False
    slots = tx.slots_of(mine.section, mine.item, mine.round)
    answers = said(tx, protocol, mine.section, mine.item, mine.round)
    if len(answers) < len(slots) or len(slots) >= rule.to or is_settled(protocol, mine.section, answers):
        return False
    item = tx.item(mine.item)
    assert item is not None, "an assignment's item is in the plan"
    more = extra_slot(protocol, protocol.section(mine.section), item, slots[0][1], len(slots))
    tx.add_slots([more])
    tx.add_event(
        "escalated",
        data={"section": more.section, "item": more.item, "round": more.round, "repeat": more.repeat},
    )
    return True


def said(tx: Tx, protocol: Protocol, section: str, item: str, round: int = 1) -> list[Answer]:
    """The counted answers to the question on which an item's raters have to agree; what was not shown has none."""
    rule = protocol.raters.escalate
    answers = [one for one in tx.counted_answers(section, item, round) if one.reason is not Reason.MEDIA_FAILED]
    return [answer for answer in answers if rule is not None and answer.question == rule.when]


def is_settled(protocol: Protocol, section: str, answers: Sequence[Answer]) -> bool:
    """Whether the planned raters agree, or, with more than those, most of them do.

    Missing answers are left out: they neither agree nor disagree.
    """
    rule = protocol.raters.escalate
    assert rule is not None
    question = protocol.ask(section, rule.when).question
    values = [question.plain(answer.value) for answer in answers if answer.reason is None]
    if len(values) < 2:
        return True
    together = _most_together(values, rule.apart)
    return together == len(values) if len(answers) <= protocol.raters.per_item else 2 * together > len(values)


def _most_together(values: Sequence[Any], apart: float) -> int:
    """How many of the values are the same; of numbers, how many lie within this distance of each other.

    >>> _most_together(["x", "y", "x"], 0), _most_together([1, 5, 4], 1), _most_together([1, 2, 3], 1)
    (2, 2, 2)
    """
    if all(isinstance(value, int | float) for value in values):
        return max(sum(low <= value <= low + apart for value in values) for low in values)
    return max(sum(value == other for other in values) for value in values)


def contested_slots(
    tx: Tx, protocol: Protocol, rater: str, section: Section, panel: str, round: int, n: int
) -> tuple[tuple[int, Slot], ...]:
    """Up to n extra slots that this rater may claim."""
    if protocol.raters.escalate is None or not _asks(section, protocol.raters.escalate.when):
        return ()
    since = lease_ago(tx, protocol)
    return tx.free_slots(rater, section.id, n, stratum=contested(panel), round=round, since=since)


def mixed_in(tx: Tx, protocol: Protocol, rater: Rater, section: Section, panel: str, round: int, n: int) -> list[Slot]:
    """Up to n items that others agreed on, so that being asked does not tell that an item is contested."""
    if n <= 0:
        return []
    per_item = protocol.raters.per_item
    items = tx.agreed_items(rater.id, section.id, n, per_item=per_item, stratum=panel, round=round)
    return [check_slot(tx, protocol, rater, section, item, MIXED) for item in items]


def is_needed(tx: Tx, protocol: Protocol, rater: str, section: Section, panel: str, round: int) -> bool:
    """Whether an item is contested that this rater may settle."""
    rule = protocol.raters.escalate
    if rule is None or not _asks(section, rule.when):
        return False
    since = lease_ago(tx, protocol)
    return tx.can_claim(rater, section.id, stratum=contested(panel), round=round, since=since)


@dataclass(frozen=True, slots=True)
class Round:
    """A further round: of which stratum (of which field), its number, and how many of its items each panel has."""

    stratum: str
    by: str
    number: int
    panels: Mapping[str, int]

    @property
    def n(self) -> int:
        """How many items it has."""
        return sum(self.panels.values())


def reassess(tx: Tx, protocol: Protocol, stratum: str, by: str = "") -> Round:
    """Opens one more round for the items of a stratum, by other raters, with as many places in each of its panels.

    Everything of the rounds before stays. Who may take part comes the way that everyone came: through the same
    questions and the same quiz.
    """
    drawn = drawn_items(tx.items())
    known = sorted({name for item in drawn for name in item.fields})
    if by and by not in known:
        raise CollectError(f"No item has a field '{by}'.{did_you_mean(by, known)}")
    fields = (by,) if by else strata_fields(protocol)
    found = {field: of for field in fields if (of := _of_stratum(drawn, field, stratum))}
    if not found:
        raise CollectError(_no_stratum(drawn, fields, stratum))
    field, items = next(iter(found.items()))
    if any(of != items for of in found.values()):
        named = " and ".join(found)
        raise CollectError(f"'{stratum}' is a value of {named}, of different items. Say which is meant with --by.")
    panels_of = Counter(panel_of(protocol, item) for item in items)
    opened = Round(stratum, field, last_round(tx) + 1, dict(sorted(panels_of.items())))
    tx.add_slots(make_slots(protocol, items, opened.number))
    data = {"stratum": stratum, "by": field, "round": opened.number, "items": opened.n, "panels": opened.panels}
    shut = [] if has_cut(protocol) else [one for one in panels(protocol) if is_recruited(tx, protocol, one)]
    tx.add_event("reassessed", data=data)
    for panel in shut:
        if panel in opened.panels:
            tx.add_event(OPENED, data={"panel": panel, "because": f"round {opened.number}"})
    return opened


def _of_stratum(items: Iterable[Item], field: str, stratum: str) -> list[Item]:
    return [item for item in items if field in item.fields and str(item[field]) == stratum]


def _no_stratum(items: Sequence[Item], fields: Sequence[str], stratum: str) -> str:
    known = sorted({str(item[field]) for item in items for field in fields if field in item.fields})
    if not known:
        return "The study has no strata: its study file names no raters.panels, items.sample.by or analysis.by."
    hint = did_you_mean(stratum, known) or f" The study has: {', '.join(known)}."
    return f"There is no stratum '{stratum}'.{hint}"


def items_again(protocol: Protocol, items: Iterable[Item], data: Mapping[str, Any]) -> list[Item]:
    """The items of a round, by what its event says; older events do not say of which field the stratum is."""
    sample = protocol.file.items.sample
    fields = (data["by"],) if "by" in data else (protocol.raters.panels, sample.by if sample else None)
    return [item for item in items if any(field and str(item[field]) == data["stratum"] for field in fields)]


def last_round(tx: Tx) -> int:
    """The newest round that was opened."""
    newest = tx.last_event("reassessed")
    return newest.data["round"] if newest else 1


def _asks(section: Section, question: str) -> bool:
    return any(ask.id == question for ask in section.ask)
