"""What `analyse` needs, read out of the store in one go."""

from __future__ import annotations

from typing import Any

from quorate.collect.borderline import votes
from quorate.collect.way import ENDS
from quorate.records import Collected, Participant
from quorate.store import Tx


def gather(tx: Tx, simulated: bool = False) -> Collected:
    """The drawn items, the newest answers of people and judges, the raters and the team's votes."""
    return Collected(tx.items(), tx.latest_answers(), _participants(tx), votes(tx), simulated)


def _participants(tx: Tx) -> tuple[Participant, ...]:
    found = []
    events = tx.events()
    for rater in tx.raters():
        mine = [event for event in events if event.rater == rater.id]
        kinds = {event.kind: event.at for event in mine}
        said: dict[str, Any] = {}
        for event in mine:
            if event.kind in ("eligible", "background"):
                said.update(event.data or {})  # nothing where it was erased
        status = next((kind for kind in ENDS if kind in kinds), "consented" if "consent" in kinds else "invited")
        found.append(Participant(rater.id, status, said, kinds))
    return tuple(found)
